/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was asked of mke2fs, and nothing else: no default is filled in here and
 * no device is touched, so a request can be made and tested anywhere.
 */
#ifndef MKFS_REQUEST_H
#define MKFS_REQUEST_H

#include "base/err.h"
#include "base/str.h"
#include "lbs/mntopts.h"
#include "ondisk/features.h"
#include "probe/target.h"

/* A size as typed: bytes when it had a unit, else blocks or the like. */
struct mkfs_amount {
	bool given;
	bool bytes;
	u64 num;
};

/* -O: applied to the defaults of the type, in this order. */
struct mkfs_feature_edit {
	bool none; /* start from nothing */
	struct features set;
	struct features clear;
};

enum mkfs_uuid_kind {
	MKFS_UUID_RANDOM,
	MKFS_UUID_TIME,
	MKFS_UUID_CLEAR,
	MKFS_UUID_GIVEN,
};

enum mkfs_flag {
	MKFS_DEFAULT,
	MKFS_OFF,
	MKFS_ON
};

enum {
	MKFS_LABEL_MAX = 16,
	MKFS_MOUNT_DIR_MAX = 64
};

/* Zero means "not said" unless a member says otherwise. Texts are borrowed. */
struct mkfs_request {
	const char *path;
	bool type_given;
	enum lbs_fs_type type;
	struct mkfs_amount size; /* a bare number: blocks, or KiB without -b */
	u64 block_bytes;
	u64 cluster_bytes;
	u64 inode_bytes;
	u64 inode_ratio;
	u64 nr_inodes;
	u64 group_clusters; /* -g; clusters are blocks without bigalloc */
	u64 flex_groups;
	bool reserved_given;
	double reserved_percent;
	struct mkfs_feature_edit features;

	bool journal;
	u64 journal_bytes;
	struct mkfs_amount fast_commit; /* a bare number: KiB */

	const char *label;
	const char *mount_dir;
	u32 creator_os;
	u16 errors; /* s_errors, 0: the default */

	enum mkfs_uuid_kind uuid_kind;
	u8 uuid[16];
	bool hash_seed_given;
	u8 hash_seed[16];
	u8 hash_version; /* s_def_hash_version + 1, 0: the default */

	/* -E */
	u64 stride_blks;
	u64 stripe_blks;
	enum mkfs_flag lazy_itable;
	enum mkfs_flag lazy_journal;
	enum mkfs_flag discard;
	struct mkfs_amount orphan_size; /* a bare number: blocks */
	struct mkfs_amount resize;	/* a bare number: blocks */
	u64 desc_bytes;
	bool nr_backups_given;
	u64 nr_backups;
	u64 mmp_interval;
	bool root_given;
	u32 root_uid;
	u32 root_gid;
	struct target target;

	u64 force; /* how often -F was given */
	bool dry_run;
	bool quiet;
	bool verbose;
};

/*
 * Each takes one option value into the request. Error EINVAL, with one
 * sentence appended to *why; ENOMEM.
 */
errcode_t mkfs_request_features(struct mkfs_request *rq, const char *list,
				struct str *why) LB_MUST_CHECK;
errcode_t mkfs_request_journal(struct mkfs_request *rq, const char *list,
			       struct str *why) LB_MUST_CHECK;
/* A text that is kept (target_kernel) is copied; mkfs_request_free(). */
errcode_t mkfs_request_extended(struct mkfs_request *rq, const char *list,
				struct str *why) LB_MUST_CHECK;
void mkfs_request_free(struct mkfs_request *rq);

/* The pieces the option table cannot judge by itself. */
errcode_t mkfs_request_block(struct mkfs_request *rq, u64 bytes,
			     struct str *why) LB_MUST_CHECK;
errcode_t mkfs_request_uuid(struct mkfs_request *rq, const char *text,
			    struct str *why) LB_MUST_CHECK;
errcode_t mkfs_request_percent(struct mkfs_request *rq, const char *text,
			       struct str *why) LB_MUST_CHECK;
errcode_t mkfs_request_creator(struct mkfs_request *rq, const char *text,
			       struct str *why) LB_MUST_CHECK;
errcode_t mkfs_request_errors(struct mkfs_request *rq, const char *text,
			      struct str *why) LB_MUST_CHECK;
errcode_t mkfs_request_size(struct mkfs_request *rq, const char *text,
			    struct str *why) LB_MUST_CHECK;
/* "mkfs.ext4" (with or without a path) sets the type. */
void mkfs_request_program(struct mkfs_request *rq, const char *argv0);

/* "12" -> {12, blocks}, "12M" -> {bytes}. EINVAL when it is neither. */
errcode_t mkfs_amount_parse(const char *text,
			    struct mkfs_amount *amount) LB_MUST_CHECK;

#endif
