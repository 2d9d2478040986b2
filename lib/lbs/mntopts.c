/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks option strings by the rows of mntopts.def. What the combination means
 * for a mount is not decided here but in rules.def.
 */
#include "lbs/mntopts.h"

#include <errno.h>

#include "base/banned.h"
#include "base/units.h"

enum value_kind {
	VALUE_NONE,
	VALUE_NUM,
	VALUE_MAYBE_NUM,
	VALUE_TEXT,
	VALUE_MAYBE_TEXT,
	VALUE_ENUM,
	VALUE_MAYBE_ENUM,
	VALUE_VFS,
};

enum effect {
	EFFECT_NOTHING,
	EFFECT_DATA,
	EFFECT_DATA_ERR,
	EFFECT_DAX,
	EFFECT_ERRORS,
	EFFECT_JQFMT,
	EFFECT_DUMMY_ENCRYPTION,
	EFFECT_DELALLOC,
	EFFECT_NODELALLOC,
	EFFECT_DIOREAD_NOLOCK,
	EFFECT_DIOREAD_LOCK,
	EFFECT_JOURNAL_CHECKSUM,
	EFFECT_ASYNC_COMMIT,
	EFFECT_NOLOAD,
	EFFECT_COMMIT,
	EFFECT_PRJQUOTA,
	EFFECT_USRJQUOTA,
	EFFECT_GRPJQUOTA,
	EFFECT_SB,
	EFFECT_STRIPE,
	EFFECT_READAHEAD,
	EFFECT_REMOVED,
	EFFECT_IGNORED,
	EFFECT_READ_ONLY,
	EFFECT_READ_WRITE,
};

enum types {
	TYPES_ANY,
	TYPES_NO_EXT2,
	TYPES_EXT4
};

struct mntopt {
	const char *name;
	enum value_kind value;
	enum effect effect;
	enum types types;
};

#define MNTOPT(name, value, effect, types)                                     \
	{name, VALUE_##value, EFFECT_##effect, TYPES_##types},
static const struct mntopt rows[] = {
#include "lbs/mntopts.def"
};
#undef MNTOPT

/* Words an ENUM option takes; the index is the enum's value. */
static const struct {
	enum effect effect;
	const char *words[4];
} words[] = {
	{EFFECT_DATA, {"ordered", "journal", "writeback"}},
	{EFFECT_DATA_ERR, {"abort", "ignore"}},
	{EFFECT_DAX, {"inode", "never", "always"}},
	{EFFECT_ERRORS, {"continue", "remount-ro", "panic"}},
	{EFFECT_JQFMT, {"vfsold", "vfsv0", "vfsv1"}},
};

/* Bits of s_default_mount_opts, "Default mount options" in the layout docs. */
enum {
	DEFM_DATA_MASK = 0x60,
	DEFM_DATA_JOURNAL = 0x20,
	DEFM_DATA_ORDERED = 0x40
};

/* One option of a string, and where it came from. */
struct one {
	char *name; /* owned; value points into it */
	char *value;
	u64 num;
	int word; /* index of the enum word */
	bool from_super;
};

static void keep_first(char *slot, const struct one *o)
{
	if (!*slot)
		snprintf(slot, LBS_OPT_TEXT_MAX, "%s%s%s", o->name,
			 o->value ? "=" : "", o->value ? o->value : "");
}

static const struct mntopt *row_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static bool take_word(enum effect effect, struct one *o)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		for (int w = 0;
		     words[i].effect == effect &&
		     w < (int)ARRAY_LEN(words[i].words) && words[i].words[w];
		     w++)
			if (!strcmp(words[i].words[w], o->value)) {
				o->word = w;
				return true;
			}
	return false;
}

/* Whether the value fits the row; fills num or word. */
static bool value_is_ok(const struct mntopt *row, struct one *o)
{
	bool has = o->value && *o->value;

	switch (row->value) {
	case VALUE_VFS:
		return true;
	case VALUE_NONE:
		return !o->value;
	case VALUE_TEXT:
		return has;
	case VALUE_MAYBE_TEXT:
		return true;
	case VALUE_NUM:
		return has && !units_parse_num(o->value, UINT32_MAX, &o->num);
	case VALUE_MAYBE_NUM:
		return !o->value ||
		       !units_parse_num(o->value, UINT32_MAX, &o->num);
	case VALUE_ENUM:
		return has && take_word(row->effect, o);
	case VALUE_MAYBE_ENUM:
		o->word = LBS_DAX_ALWAYS; /* bare "dax" */
		return !o->value || take_word(row->effect, o);
	}
	return false;
}

static void apply_text(const struct mntopt *row, const struct one *o,
		       struct lbs_mntopts *m)
{
	switch (row->effect) {
	case EFFECT_READAHEAD:
		if (o->num && !u64_is_pow2(o->num))
			keep_first(m->bad_value, o);
		break;
	case EFFECT_REMOVED:
		keep_first(m->removed, o);
		break;
	case EFFECT_IGNORED:
		keep_first(m->ignored, o);
		break;
	case EFFECT_USRJQUOTA:
	case EFFECT_GRPJQUOTA:
		m->journaled_quota |= o->value && *o->value;
		break;
	case EFFECT_SB:
		m->sb_kib = o->num;
		break;
	case EFFECT_STRIPE:
		m->stripe = o->num;
		break;
	case EFFECT_DATA:
		m->data = (enum lbs_data_mode)o->word;
		m->data_given |= !o->from_super;
		m->data_from_super = o->from_super;
		break;
	case EFFECT_DAX:
		m->dax = (enum lbs_dax_mode)o->word;
		m->dax_from_super = o->from_super;
		break;
	default:
		break;
	}
}

static void apply_flag(const struct mntopt *row, const struct one *o,
		       struct lbs_mntopts *m)
{
	bool given = !o->from_super;

	switch (row->effect) {
	case EFFECT_READ_ONLY:
		m->read_only = true;
		break;
	case EFFECT_READ_WRITE:
		m->read_only = false;
		break;
	case EFFECT_NOLOAD:
		m->noload = true;
		break;
	case EFFECT_DELALLOC:
		m->delalloc_given = given;
		break;
	case EFFECT_NODELALLOC:
		m->delalloc_given = false;
		break;
	case EFFECT_ASYNC_COMMIT:
		m->async_commit = true;
		m->async_commit_given |= given;
		break;
	case EFFECT_JOURNAL_CHECKSUM:
		m->journal_checksum_given |= given;
		break;
	case EFFECT_COMMIT:
		m->commit_given |= given;
		break;
	case EFFECT_DATA_ERR:
		m->data_err_given |= given && o->word == 0;
		break;
	case EFFECT_DUMMY_ENCRYPTION:
		m->dummy_encryption = true;
		break;
	case EFFECT_PRJQUOTA:
		m->prjquota = true;
		break;
	case EFFECT_JQFMT:
		m->jqfmt_given = true;
		break;
	default:
		break;
	}
}

/* An option for mount(8) or udev, never shown to the kernel. */
static bool is_userspace(const char *name)
{
	return !strncmp(name, "x-", 2) || !strncmp(name, "X-", 2);
}

static void apply_one(struct one *o, enum lbs_fs_type type,
		      struct lbs_mntopts *m)
{
	const struct mntopt *row = row_by_name(o->name);

	if (is_userspace(o->name))
		return;
	if (!row) {
		keep_first(m->unknown, o);
		return;
	}
	if (!value_is_ok(row, o)) {
		keep_first(m->bad_value, o);
		return;
	}
	if ((row->types == TYPES_EXT4 && type != LBS_EXT4) ||
	    (row->types == TYPES_NO_EXT2 && type == LBS_EXT2))
		keep_first(m->wrong_type, o);
	apply_text(row, o, m);
	apply_flag(row, o, m);
}

/* Length of the option at text; a comma inside double quotes is part of it. */
static size_t option_len(const char *text)
{
	bool quoted = false;
	size_t n = 0;

	for (; text[n] && (quoted || text[n] != ','); n++)
		quoted ^= text[n] == '"';
	return n;
}

static errcode_t apply_string(const char *text, bool from_super,
			      enum lbs_fs_type type, struct lbs_mntopts *m)
{
	while (*text) {
		size_t len = option_len(text);
		struct one o = {.from_super = from_super};
		char *eq;

		o.name = strndup(text, len);
		if (!o.name)
			return ENOMEM;
		eq = strchr(o.name, '=');
		if (eq) {
			*eq = '\0';
			o.value = eq + 1;
		}
		if (len)
			apply_one(&o, type, m);
		free(o.name);
		text += len + (text[len] == ',');
	}
	return 0;
}

/*
 * The kernel parses the superblock's string on its own first: if that fails,
 * or asks for something inconsistent, it warns and uses none of it.
 */
static errcode_t apply_super_string(const struct super *sb,
				    struct lbs_mntopts *m)
{
	struct lbs_mntopts trial = *m;
	errcode_t rc;

	snprintf(m->super_string, sizeof(m->super_string), "%s",
		 (const char *)sb->mount_opts);
	if (!m->super_string[0])
		return 0;
	rc = apply_string(m->super_string, true, LBS_EXT4, &trial);
	if (rc)
		return rc;
	if (trial.unknown[0] || trial.bad_value[0] || trial.removed[0] ||
	    (trial.dummy_encryption &&
	     !super_has_incompat(sb, FEAT_INCOMPAT_ENCRYPT)) ||
	    (trial.prjquota &&
	     !super_has_ro_compat(sb, FEAT_RO_COMPAT_PROJECT))) {
		m->super_string_bad = true;
		return 0;
	}
	snprintf(trial.super_string, sizeof(trial.super_string), "%s",
		 m->super_string);
	*m = trial;
	return 0;
}

static void apply_defaults(const struct super *sb, struct lbs_mntopts *m)
{
	switch (sb->default_mount_opts & DEFM_DATA_MASK) {
	case DEFM_DATA_JOURNAL:
		m->data = LBS_DATA_JOURNAL;
		m->data_from_super = true;
		break;
	case DEFM_DATA_MASK:
		m->data = LBS_DATA_WRITEBACK;
		m->data_from_super = true;
		break;
	case DEFM_DATA_ORDERED:
	default:
		break;
	}
}

errcode_t lbs_mntopts_parse(const struct super *sb,
			    const struct lbs_request *rq,
			    struct lbs_mntopts *out)
{
	errcode_t rc;

	*out = (struct lbs_mntopts){.data = LBS_DATA_ORDERED};
	apply_defaults(sb, out);
	rc = apply_super_string(sb, out);
	if (rc || !rq->options)
		return rc;
	return apply_string(rq->options, false, rq->fs_type, out);
}

static const char *const type_names[] = {
	[LBS_EXT4] = "ext4",
	[LBS_EXT3] = "ext3",
	[LBS_EXT2] = "ext2",
};

bool lbs_fs_type_parse(const char *text, enum lbs_fs_type *type)
{
	for (size_t i = 0; i < ARRAY_LEN(type_names); i++)
		if (!strcmp(text, type_names[i])) {
			*type = (enum lbs_fs_type)i;
			return true;
		}
	return false;
}

const char *lbs_fs_type_text(enum lbs_fs_type type)
{
	return type_names[type];
}

struct features lbs_fs_type_features(enum lbs_fs_type type)
{
	struct features f = {
		.compat = ~0u,
		.incompat = FEAT_INCOMPAT_FILETYPE | FEAT_INCOMPAT_META_BG,
		.ro_compat = FEAT_RO_COMPAT_SPARSE_SUPER |
			     FEAT_RO_COMPAT_LARGE_FILE |
			     FEAT_RO_COMPAT_BTREE_DIR,
	};

	if (type == LBS_EXT4)
		return (struct features){~0u, ~0u, ~0u};
	if (type == LBS_EXT3)
		f.incompat |= FEAT_INCOMPAT_NEEDS_RECOVERY;
	return f;
}

enum lbs_fs_type lbs_fs_type_detected(const struct super *sb)
{
	struct features known = lbs_fs_type_features(LBS_EXT3);

	if (super_has_incompat(sb, ~known.incompat) ||
	    super_has_ro_compat(sb, ~known.ro_compat))
		return LBS_EXT4;
	return super_has_compat(sb, FEAT_COMPAT_HAS_JOURNAL) ? LBS_EXT3
							     : LBS_EXT2;
}
