/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The -O list and the default features. What needs or excludes what is a
 * table; a default gives way, a wish is answered.
 */
#include "mkfs/features.h"

#include <errno.h>

#include "base/banned.h"
#include "cli/opts.h"

enum {
	BASE_COMPAT = FEAT_COMPAT_RESIZE_INODE | FEAT_COMPAT_DIR_INDEX |
		      FEAT_COMPAT_EXT_ATTR,
	BASE_INCOMPAT = FEAT_INCOMPAT_FILETYPE,
	BASE_RO_COMPAT =
		FEAT_RO_COMPAT_SPARSE_SUPER | FEAT_RO_COMPAT_LARGE_FILE,
};

struct features mkfs_features_default(enum lbs_fs_type type)
{
	struct features f = {BASE_COMPAT, BASE_INCOMPAT, BASE_RO_COMPAT};

	if (type != LBS_EXT2)
		f.compat |= FEAT_COMPAT_HAS_JOURNAL;
	if (type != LBS_EXT4)
		return f;
	f.compat |= FEAT_COMPAT_ORPHAN_FILE;
	f.incompat |= FEAT_INCOMPAT_EXTENTS | FEAT_INCOMPAT_FLEX_BG |
		      FEAT_INCOMPAT_64BIT | FEAT_INCOMPAT_CSUM_SEED;
	f.ro_compat |= FEAT_RO_COMPAT_HUGE_FILE | FEAT_RO_COMPAT_DIR_NLINK |
		       FEAT_RO_COMPAT_EXTRA_ISIZE |
		       FEAT_RO_COMPAT_METADATA_CSUM;
	return f;
}

/* What this program can make. Others are answered with a sentence. */
static const struct features makeable = {
	.compat = BASE_COMPAT | FEAT_COMPAT_HAS_JOURNAL |
		  FEAT_COMPAT_ORPHAN_FILE | FEAT_COMPAT_SPARSE_SUPER2 |
		  FEAT_COMPAT_FAST_COMMIT | FEAT_COMPAT_STABLE_INODES,
	.incompat = BASE_INCOMPAT | FEAT_INCOMPAT_EXTENTS |
		    FEAT_INCOMPAT_FLEX_BG | FEAT_INCOMPAT_64BIT |
		    FEAT_INCOMPAT_CSUM_SEED | FEAT_INCOMPAT_META_BG |
		    FEAT_INCOMPAT_MMP | FEAT_INCOMPAT_EA_INODE |
		    FEAT_INCOMPAT_LARGE_DIR | FEAT_INCOMPAT_INLINE_DATA |
		    FEAT_INCOMPAT_ENCRYPT,
	.ro_compat = BASE_RO_COMPAT | FEAT_RO_COMPAT_HUGE_FILE |
		     FEAT_RO_COMPAT_DIR_NLINK | FEAT_RO_COMPAT_EXTRA_ISIZE |
		     FEAT_RO_COMPAT_METADATA_CSUM | FEAT_RO_COMPAT_GDT_CSUM |
		     FEAT_RO_COMPAT_BIGALLOC | FEAT_RO_COMPAT_VERITY,
};

static errcode_t edit_one(struct mkfs_feature_edit *edit, const char *word,
			  struct str *why)
{
	bool clear = *word == '^';
	const char *name = clear ? word + 1 : word;
	const struct feature_row *row = feature_by_name(name);

	if (!strcmp(word, "none")) {
		*edit = (struct mkfs_feature_edit){.none = true};
		return 0;
	}
	if (!row) {
		str_addf(why, "-O %s: no such feature", name);
		return EINVAL;
	}
	if (!features_has(&makeable, row)) {
		str_addf(why, "-O %s: making this feature is not here yet",
			 name);
		return EINVAL;
	}
	*feature_word(clear ? &edit->clear : &edit->set, row->word) |= row->bit;
	*feature_word(clear ? &edit->set : &edit->clear, row->word) &=
		~row->bit;
	return 0;
}

errcode_t mkfs_request_features(struct mkfs_request *rq, const char *list,
				struct str *why)
{
	struct subopts words;
	errcode_t rc = subopts_parse(list, &words);

	for (size_t i = 0; !rc && i < words.nr_items; i++)
		rc = edit_one(&rq->features, words.items[i].key, why);
	subopts_free(&words);
	return rc;
}

/* The feature named first cannot be without (or with) the other. */
struct need {
	const char *feature;
	const char *other;
	bool excludes;
};

static const struct need needs[] = {
	{"orphan_file", "has_journal", false},
	{"fast_commit", "has_journal", false},
	{"metadata_csum_seed", "metadata_csum", false},
	{"64bit", "extent", false},
	{"bigalloc", "extent", false},
	{"uninit_bg", "metadata_csum", true},
	{"resize_inode", "meta_bg", true},
	{"resize_inode", "sparse_super", false},
};

static bool is_missing(const struct features *f, const struct need *n)
{
	return features_has(f, feature_by_name(n->other)) == n->excludes;
}

static errcode_t settle(const struct mkfs_request *rq, const struct need *n,
			struct features *f, struct str *texts[2])
{
	const struct feature_row *row = feature_by_name(n->feature);
	const struct feature_row *other = feature_by_name(n->other);
	bool asked = features_has(&rq->features.set, row);

	if (!features_has(f, row) || !is_missing(f, n))
		return 0;
	/* The user wants uninit_bg: the default that excludes it goes. */
	if (asked && n->excludes && !features_has(&rq->features.set, other)) {
		*feature_word(f, other->word) &= ~other->bit;
		str_addf(texts[0],
			 "The %s feature is left out because %s was asked "
			 "for.\n",
			 n->other, n->feature);
		return 0;
	}
	if (!asked) {
		*feature_word(f, row->word) &= ~row->bit;
		str_addf(texts[0], "The %s feature is left out %s %s.\n",
			 n->feature, n->excludes ? "because of" : "without",
			 n->other);
		return 0;
	}
	str_addf(texts[1], "-O %s: %s %s", n->feature,
		 n->excludes ? "cannot be together with" : "cannot be without",
		 n->other);
	return EINVAL;
}

errcode_t mkfs_features_decide(const struct mkfs_request *rq,
			       struct features *out, struct str *dropped,
			       struct str *why)
{
	const struct mkfs_feature_edit *edit = &rq->features;
	struct features f = mkfs_features_default(rq->type);
	struct str *texts[2] = {dropped, why};
	errcode_t rc = 0;

	if (edit->none)
		f = (struct features){0, 0, 0};
	if (rq->journal)
		f.compat |= FEAT_COMPAT_HAS_JOURNAL;
	f.compat = (f.compat | edit->set.compat) & ~edit->clear.compat;
	f.incompat = (f.incompat | edit->set.incompat) & ~edit->clear.incompat;
	f.ro_compat =
		(f.ro_compat | edit->set.ro_compat) & ~edit->clear.ro_compat;
	for (size_t i = 0; !rc && i < ARRAY_LEN(needs); i++)
		rc = settle(rq, &needs[i], &f, texts);
	*out = f;
	return rc;
}
