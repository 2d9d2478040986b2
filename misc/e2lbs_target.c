/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads --target-* options; what they mean is in lib/probe/target.c. */
#include "misc/e2lbs_target.h"

#include <errno.h>

#include "base/banned.h"
#include "base/units.h"
#include "probe/kernel.h"

static errcode_t read_yes_no(struct opts *o, const char *name, enum tri *value)
{
	const struct opt_value *v = opts_name(o, name);

	if (!v->seen)
		return 0;
	if (!tri_parse(v->text, value) && *value != TRI_UNKNOWN)
		return 0;
	str_addf(&o->error, "--%s %s: say yes or no", name, v->text);
	return EINVAL;
}

static errcode_t read_kernel(struct opts *o, struct target *t)
{
	const struct opt_value *v = opts_name(o, "target-kernel");
	u32 version;

	t->kernel = v->seen ? v->text : NULL;
	if (!t->kernel || !kernel_parse_version(t->kernel, &version))
		return 0;
	str_addf(&o->error, "--target-kernel %s: not a Linux version such as"
			    " 6.19", t->kernel);
	return EINVAL;
}

static errcode_t read_page_size(struct opts *o, struct target *t)
{
	const struct opt_value *v = opts_name(o, "target-page-size");

	t->page_bytes = v->num;
	if (!v->seen || kernel_page_bytes_is_valid(v->num))
		return 0;
	str_addf(&o->error, "--target-page-size %s: no Linux has such pages;"
			    " usual are 4k, 16k and 64k", v->text);
	return EINVAL;
}

static errcode_t read_sector_size(struct opts *o, struct target *t)
{
	const struct opt_value *v = opts_name(o, "target-sector-size");

	t->sector_bytes = (u32)v->num;
	if (!v->seen || target_sector_bytes_is_valid(v->num))
		return 0;
	str_addf(&o->error, "--target-sector-size %s: must be a power of two"
			    " from 512 to 65536", v->text);
	return EINVAL;
}

errcode_t e2lbs_target_read(struct opts *o, struct target *t)
{
	errcode_t rc;

	memset(t, 0, sizeof(*t));
	rc = read_kernel(o, t);
	if (!rc)
		rc = read_page_size(o, t);
	if (!rc)
		rc = read_yes_no(o, "target-lbs", &t->large_blocks);
	if (!rc)
		rc = read_sector_size(o, t);
	if (!rc)
		rc = read_yes_no(o, "target-dax", &t->dax);
	return rc;
}
