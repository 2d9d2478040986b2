/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts as a value: text, JSON, and back. Where facts come from is in
 * kernel.c, device.c and target.c. e2lbs(8) documents the keys tools print.
 */
#include "probe/facts.h"

#include <errno.h>
#include <stdarg.h>

#include "base/banned.h"
#include "probe/kernel.h"

/* Indexed by enum tri. */
static const char *const tri_texts[] = {"unknown", "no", "yes"};

const char *tri_text(enum tri value)
{
	return tri_texts[value];
}

errcode_t tri_parse(const char *text, enum tri *value)
{
	for (size_t i = 0; i < ARRAY_LEN(tri_texts); i++) {
		if (!strcmp(text, tri_texts[i])) {
			*value = (enum tri)i;
			return 0;
		}
	}
	return EINVAL;
}

void fact_set(struct fact *f, enum tri value, const char *fmt, ...)
{
	va_list ap;

	f->value = value;
	/* No rest of an older reason: equal facts have equal bytes. */
	memset(f->why, 0, sizeof(f->why));
	va_start(ap, fmt);
	vsnprintf(f->why, sizeof(f->why), fmt, ap);
	va_end(ap);
}

bool facts_has_feature(const struct kernel_facts *k, const char *name)
{
	for (u32 i = 0; i < k->nr_features; i++)
		if (!strcmp(k->features[i], name))
			return true;
	return false;
}
