/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as recorded facts: it is refused or understood, and what was
 * understood reads back the same after being written.
 */
#include <assert.h>

#include "base/json.h"
#include "probe/facts.h"
#include "tests/fuzz/fuzz.h"

/* Facts to text; the caller frees it. */
static char *text_of(const struct facts *f)
{
	json_t *value = facts_to_json(f);
	char *text;

	assert(value);
	text = strdup(json_text(value));
	json_free(value);
	assert(text);
	return text;
}

static void check_round_trip(const struct facts *f)
{
	char *first = text_of(f), *second;
	struct facts again;
	json_t *value = NULL;
	errcode_t rc = json_parse(first, &value);

	assert(!rc);
	facts_init(&again);
	rc = facts_from_json(value, &again);
	assert(!rc);
	second = text_of(&again);
	assert(!strcmp(first, second));
	json_free(value);
	free(first);
	free(second);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	char *text = malloc(len + 1);
	json_t *value = NULL;
	struct facts f;

	assert(text);
	memcpy(text, bytes, len);
	text[len] = '\0';
	if (!json_parse(text, &value)) {
		facts_init(&f);
		if (!facts_from_json(value, &f))
			check_round_trip(&f);
		json_free(value);
	}
	free(text);
	return 0;
}
