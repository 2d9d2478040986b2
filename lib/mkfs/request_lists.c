/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comma lists of -E, -J and -O. Every key is a row of a table; a key that
 * is in no row is an error, and one that other tools know but this one cannot
 * do yet says so.
 */
#include "mkfs/request.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include "base/banned.h"
#include "base/units.h"
#include "cli/opts.h"
#include "lbs/limits.h"

enum key_kind {
	KEY_NUM,    /* u64, min..max */
	KEY_BYTES,  /* u64 bytes, bare number too, min..max */
	KEY_AMOUNT, /* struct mkfs_amount */
	KEY_SWITCH, /* enum mkfs_flag: "", 0, 1 */
	KEY_OFF,    /* enum mkfs_flag: no value, means off */
	KEY_FN,	    /* its own function */
	KEY_LATER,  /* known elsewhere, not here */
};

struct key {
	const char *name;
	enum key_kind kind;
	size_t offset; /* in struct mkfs_request */
	u64 min, max;
	errcode_t (*take)(struct mkfs_request *rq, const char *value,
			  struct str *why);
};

#define FIELD(name) offsetof(struct mkfs_request, name)

static errcode_t take_hash_seed(struct mkfs_request *rq, const char *value,
				struct str *why)
{
	rq->hash_seed_given = true;
	if (value && !uuid_parse(value, rq->hash_seed))
		return 0;
	str_add(why, "hash_seed needs a UUID");
	return EINVAL;
}

static errcode_t take_hash_alg(struct mkfs_request *rq, const char *value,
			       struct str *why)
{
	static const char *const names[] = {"legacy", "half_md4", "tea"};

	for (u8 i = 0; value && i < ARRAY_LEN(names); i++)
		if (!strcmp(value, names[i])) {
			rq->hash_version = (u8)(i + 1);
			return 0;
		}
	str_add(why, "hash_alg must be legacy, half_md4 or tea");
	return EINVAL;
}

static errcode_t take_root_owner(struct mkfs_request *rq, const char *value,
				 struct str *why)
{
	const char *colon = value ? strchr(value, ':') : NULL;
	struct str uid = STR_INIT;
	u64 id[2] = {getuid(), getgid()};
	errcode_t rc = 0;

	if (colon) {
		str_add_len(&uid, value, (size_t)(colon - value));
		rc = units_parse_num(str_text(&uid), UINT32_MAX, &id[0]);
		if (!rc)
			rc = units_parse_num(colon + 1, UINT32_MAX, &id[1]);
		str_free(&uid);
	}
	if (rc || (value && !colon)) {
		str_addf(why, "root_owner=%s: give UID:GID as two numbers",
			 value);
		return EINVAL;
	}
	rq->root_given = true;
	rq->root_uid = (u32)id[0];
	rq->root_gid = (u32)id[1];
	return 0;
}

static errcode_t take_target_kernel(struct mkfs_request *rq, const char *value,
				    struct str *why)
{
	char *copy;

	if (!value || !*value) {
		str_add(why, "target_kernel needs a release such as 6.19");
		return EINVAL;
	}
	copy = strdup(value);
	if (!copy)
		return ENOMEM;
	free((char *)(uintptr_t)rq->target.kernel);
	rq->target.kernel = copy;
	return 0;
}

static errcode_t take_target_lbs(struct mkfs_request *rq, const char *value,
				 struct str *why)
{
	if (value && !strcmp(value, "yes"))
		rq->target.large_blocks = TRI_YES;
	else if (value && !strcmp(value, "no"))
		rq->target.large_blocks = TRI_NO;
	else {
		str_add(why, "target_lbs must be yes or no");
		return EINVAL;
	}
	return 0;
}

/* 0 is a value people give, so being given is kept apart. */
static errcode_t take_nr_backups(struct mkfs_request *rq, const char *value,
				 struct str *why)
{
	rq->nr_backups_given = true;
	if (value && !units_parse_num(value, 2, &rq->nr_backups))
		return 0;
	str_add(why, "num_backup_sb must be 0, 1 or 2");
	return EINVAL;
}

static errcode_t take_discard(struct mkfs_request *rq, const char *value,
			      struct str *why)
{
	(void)why;
	(void)value;
	rq->discard = MKFS_ON;
	return 0;
}

static const struct key extended_keys[] = {
	{"stride", KEY_NUM, FIELD(stride_blks), 1, UINT16_MAX, NULL},
	{"stripe-width", KEY_NUM, FIELD(stripe_blks), 1, UINT32_MAX, NULL},
	{"stripe_width", KEY_NUM, FIELD(stripe_blks), 1, UINT32_MAX, NULL},
	{"lazy_itable_init", KEY_SWITCH, FIELD(lazy_itable), 0, 0, NULL},
	{"lazy_journal_init", KEY_SWITCH, FIELD(lazy_journal), 0, 0, NULL},
	{"discard", KEY_FN, 0, 0, 0, take_discard},
	{"nodiscard", KEY_OFF, FIELD(discard), 0, 0, NULL},
	{"orphan_file_size", KEY_AMOUNT, FIELD(orphan_size), 0, 0, NULL},
	{"resize", KEY_AMOUNT, FIELD(resize), 0, 0, NULL},
	{"desc_size", KEY_NUM, FIELD(desc_bytes), 1, UINT16_MAX, NULL},
	{"desc-size", KEY_NUM, FIELD(desc_bytes), 1, UINT16_MAX, NULL},
	{"num_backup_sb", KEY_FN, 0, 0, 0, take_nr_backups},
	{"mmp_update_interval", KEY_NUM, FIELD(mmp_interval), 1, 300, NULL},
	{"hash_seed", KEY_FN, 0, 0, 0, take_hash_seed},
	{"hash_alg", KEY_FN, 0, 0, 0, take_hash_alg},
	{"root_owner", KEY_FN, 0, 0, 0, take_root_owner},
	{"target_kernel", KEY_FN, 0, 0, 0, take_target_kernel},
	{"target_page_size", KEY_BYTES, FIELD(target.page_bytes), 1024,
	 1ULL << 30, NULL},
	{"target_lbs", KEY_FN, 0, 0, 0, take_target_lbs},
	{"packed_meta_blocks", KEY_LATER, 0, 0, 0, NULL},
	{"quotatype", KEY_LATER, 0, 0, 0, NULL},
	{"encoding", KEY_LATER, 0, 0, 0, NULL},
	{"encoding_flags", KEY_LATER, 0, 0, 0, NULL},
	{"offset", KEY_LATER, 0, 0, 0, NULL},
	{"revision", KEY_LATER, 0, 0, 0, NULL},
	{"root_selinux", KEY_LATER, 0, 0, 0, NULL},
	{"root_perms", KEY_LATER, 0, 0, 0, NULL},
	{"no_copy_xattrs", KEY_LATER, 0, 0, 0, NULL},
	{"assume_storage_prezeroed", KEY_LATER, 0, 0, 0, NULL},
	{"test_fs", KEY_LATER, 0, 0, 0, NULL},
	{"android_sparse", KEY_LATER, 0, 0, 0, NULL},
	{NULL, KEY_LATER, 0, 0, 0, NULL},
};

static errcode_t take_journal_mib(struct mkfs_request *rq, const char *value,
				  struct str *why)
{
	if (value && !units_parse(value, 1 << 20, &rq->journal_bytes) &&
	    rq->journal_bytes) {
		rq->journal = true;
		return 0;
	}
	str_add(why, "size needs a number of MiB");
	return EINVAL;
}

static errcode_t take_fast_commit(struct mkfs_request *rq, const char *value,
				  struct str *why)
{
	u64 bytes;

	if (value && !units_parse(value, 1024, &bytes) && bytes) {
		rq->fast_commit = (struct mkfs_amount){true, true, bytes};
		rq->journal = true;
		return 0;
	}
	str_add(why, "fast_commit_size needs a number of KiB");
	return EINVAL;
}

static const struct key journal_keys[] = {
	{"size", KEY_FN, 0, 0, 0, take_journal_mib},
	{"fast_commit_size", KEY_FN, 0, 0, 0, take_fast_commit},
	{"device", KEY_LATER, 0, 0, 0, NULL},
	{"location", KEY_LATER, 0, 0, 0, NULL},
	{NULL, KEY_LATER, 0, 0, 0, NULL},
};

static errcode_t take_num(const struct key *key, const char *value, u64 *field,
			  struct str *why)
{
	errcode_t rc = EINVAL;
	u64 num = 0;

	if (value)
		rc = key->kind == KEY_BYTES
			     ? units_parse(value, 1, &num)
			     : units_parse_num(value, key->max, &num);
	if (!rc && num >= key->min && num <= key->max) {
		*field = num;
		return 0;
	}
	str_addf(why, "%s%s%s must be a number from %" PRIu64 " to %" PRIu64,
		 key->name, value ? "=" : "", value ? value : "", key->min,
		 key->max);
	return EINVAL;
}

static errcode_t take_switch(const struct key *key, const char *value,
			     enum mkfs_flag *field, struct str *why)
{
	if (key->kind == KEY_OFF && !value) {
		*field = MKFS_OFF;
		return 0;
	}
	if (key->kind == KEY_SWITCH &&
	    (!value || !strcmp(value, "1") || !strcmp(value, "0"))) {
		*field = value && *value == '0' ? MKFS_OFF : MKFS_ON;
		return 0;
	}
	str_addf(why, "%s %s", key->name,
		 key->kind == KEY_OFF ? "takes no value" : "must be 0 or 1");
	return EINVAL;
}

static errcode_t take_key(struct mkfs_request *rq, const struct key *key,
			  const char *value, struct str *why)
{
	char *field = (char *)rq + key->offset;

	switch (key->kind) {
	case KEY_NUM:
	case KEY_BYTES:
		return take_num(key, value, (u64 *)(void *)field, why);
	case KEY_SWITCH:
	case KEY_OFF:
		return take_switch(key, value, (enum mkfs_flag *)(void *)field,
				   why);
	case KEY_AMOUNT:
		if (value &&
		    !mkfs_amount_parse(value,
				       (struct mkfs_amount *)(void *)field))
			return 0;
		str_addf(why, "%s needs a size", key->name);
		return EINVAL;
	case KEY_FN:
		return key->take(rq, value, why);
	case KEY_LATER:
		str_addf(why, "%s is not here yet", key->name);
		return EINVAL;
	}
	return EINVAL;
}

static errcode_t take_item(struct mkfs_request *rq, const struct key *keys,
			   const struct subopt *item, struct str *why)
{
	for (; keys->name; keys++)
		if (!strcmp(keys->name, item->key))
			return take_key(rq, keys, item->value, why);
	str_addf(why, "%s is not known", item->key);
	return EINVAL;
}

static errcode_t take_list(struct mkfs_request *rq, const struct key *keys,
			   const char *letter, const char *list,
			   struct str *why)
{
	struct subopts items;
	errcode_t rc = subopts_parse(list, &items);

	str_addf(why, "%s ", letter);
	for (size_t i = 0; !rc && i < items.nr_items; i++)
		rc = take_item(rq, keys, &items.items[i], why);
	subopts_free(&items);
	if (!rc)
		str_free(why);
	return rc;
}

errcode_t mkfs_request_extended(struct mkfs_request *rq, const char *list,
				struct str *why)
{
	return take_list(rq, extended_keys, "-E", list, why);
}

errcode_t mkfs_request_journal(struct mkfs_request *rq, const char *list,
			       struct str *why)
{
	return take_list(rq, journal_keys, "-J", list, why);
}

void mkfs_request_free(struct mkfs_request *rq)
{
	free((char *)(uintptr_t)rq->target.kernel);
	rq->target.kernel = NULL;
}
