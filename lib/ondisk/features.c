/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of features, and lookups in it. */
#include "ondisk/features.h"

#include <strings.h>

#include "base/banned.h"

#define FEATURE(word, bit, name, text, since)                                  \
	{FEAT_WORD_##word, bit, text, since},
static const struct feature_row rows[] = {
#include "ondisk/features.def"
};
#undef FEATURE

/* Other names that scripts and configuration files use. */
static const struct {
	const char *alias;
	const char *name;
} aliases[] = {
	{"extents", "extent"},	       {"dirindex", "dir_index"},
	{"flexbg", "flex_bg"},	       {"gdt_csum", "uninit_bg"},
	{"large_files", "large_file"},
};

const struct feature_row *feature_row(size_t idx)
{
	return idx < ARRAY_LEN(rows) ? &rows[idx] : NULL;
}

const struct feature_row *feature_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		if (!strcasecmp(name, aliases[i].alias))
			name = aliases[i].name;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcasecmp(name, rows[i].name))
			return &rows[i];
	return NULL;
}

u32 *feature_word(struct features *f, enum feat_word word)
{
	if (word == FEAT_WORD_compat)
		return &f->compat;
	return word == FEAT_WORD_incompat ? &f->incompat : &f->ro_compat;
}

bool features_has(const struct features *f, const struct feature_row *row)
{
	struct features copy = *f;

	return *feature_word(&copy, row->word) & row->bit;
}

u32 features_unknown(const struct features *f, enum feat_word word)
{
	struct features copy = *f;
	u32 left = *feature_word(&copy, word);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].word == word)
			left &= ~rows[i].bit;
	return left;
}

void features_print(const struct features *f, struct str *out)
{
	static const char letters[] = "CIR";
	size_t start = out->len;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (features_has(f, &rows[i]))
			str_addf(out, "%s%s", out->len > start ? " " : "",
				 rows[i].name);
	for (unsigned w = 0; w < 3; w++) {
		u32 left = features_unknown(f, (enum feat_word)w);

		for (unsigned bit = 0; bit < 32; bit++)
			if (left >> bit & 1)
				str_addf(out, "%sFEATURE_%c%u",
					 out->len > start ? " " : "",
					 letters[w], bit);
	}
}
