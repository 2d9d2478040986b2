/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Feature bits of the superblock: FEAT_COMPAT_*, FEAT_INCOMPAT_*,
 * FEAT_RO_COMPAT_* and the names users type. One row each in features.def.
 */
#ifndef ONDISK_FEATURES_H
#define ONDISK_FEATURES_H

#include "base/str.h"
#include "base/types.h"

enum feat_word {
	FEAT_WORD_compat,
	FEAT_WORD_incompat,
	FEAT_WORD_ro_compat
};

#define FEAT_PREFIX_compat(name)	      FEAT_COMPAT_##name
#define FEAT_PREFIX_incompat(name)	      FEAT_INCOMPAT_##name
#define FEAT_PREFIX_ro_compat(name)	      FEAT_RO_COMPAT_##name
#define FEATURE(word, bit, name, text, since) FEAT_PREFIX_##word(name) = bit,
enum {
#include "ondisk/features.def"
};
#undef FEATURE

/* The three words of one filesystem, host byte order. */
struct features {
	u32 compat;
	u32 incompat;
	u32 ro_compat;
};

struct feature_row {
	enum feat_word word;
	u32 bit;
	const char *name;
	u32 since; /* KVER, 0: every kernel this project speaks of */
};

/* The row at idx, NULL past the end; in the order of features.def. */
const struct feature_row *feature_row(size_t idx);
/* The row users mean by this name (aliases included), or NULL. */
const struct feature_row *feature_by_name(const char *name);
u32 *feature_word(struct features *f, enum feat_word word);
bool features_has(const struct features *f, const struct feature_row *row);
/* "has_journal ext_attr ..."; unknown bits as "FEATURE_I20" by bit number. */
void features_print(const struct features *f, struct str *out);
/* Bits of the word that no row names. */
u32 features_unknown(const struct features *f, enum feat_word word);

#endif
