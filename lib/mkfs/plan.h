/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The middle of making a filesystem: a request and facts go in, every number
 * comes out decided and laid out in memory. Nothing is written here.
 */
#ifndef MKFS_PLAN_H
#define MKFS_PLAN_H

#include <ext2fs/ext2fs.h>

#include "lbs/limits.h"
#include "lbs/subject.h"
#include "mkfs/request.h"
#include "probe/facts.h"

/* Where the filesystem goes, as found before planning. */
struct mkfs_place {
	bool exists;
	bool device;	     /* a block device, else a regular file */
	u64 container_bytes; /* of the device or file, 0 for none */
};

struct mkfs_plan {
	ext2_filsys fs; /* laid out, without device until it is written */
	struct lbs_subject subject;
	struct features features;
	struct lbs_limits limits;
	struct mkfs_place place;

	u32 block_bytes;
	u32 cluster_bytes;
	u64 asked_blks;	  /* that fit the size; the layout may drop a tail */
	u64 nr_blocks;	  /* of the filesystem as laid out */
	u64 journal_blks; /* 0 none; fast-commit area excluded */
	u64 fast_blks;
	u64 orphan_blks;    /* 0 none */
	u64 metadata_bytes; /* all of it, journal included */
	bool lazy_itable;
	bool lazy_journal;
	bool discard;
	u64 now; /* seconds since 1970 that every timestamp gets, 0: clock */

	struct str notes; /* what differs from stock, one line each */
};

/*
 * Errors: EINVAL (a wish that cannot be, *why says which), EXT2_ET_TOOSMALL,
 * ENOMEM. In any case mkfs_plan_free() afterwards.
 */
errcode_t mkfs_plan_make(const struct mkfs_request *rq,
			 const struct facts *facts,
			 const struct mkfs_place *place, struct mkfs_plan *plan,
			 struct str *why) LB_MUST_CHECK;
void mkfs_plan_free(struct mkfs_plan *plan);
/* Bytes dropped at the end because the last group would be too small. */
u64 mkfs_plan_lost_bytes(const struct mkfs_plan *plan);
/* Blocks lost+found is made with, so that e2fsck need not allocate any. */
u32 mkfs_lost_found_blks(u32 block_bytes);

/* --- the steps, for plan.c ------------------------------------------------ */

/* Block, cluster, inode and group sizes into the layout's parameters. */
errcode_t mkfs_plan_sizes(const struct mkfs_request *rq,
			  const struct facts *facts, struct mkfs_plan *plan,
			  struct ext2_super_block *param,
			  struct str *why) LB_MUST_CHECK;
/* Journal and orphan file, once the layout is known. */
errcode_t mkfs_plan_journal(const struct mkfs_request *rq,
			    struct mkfs_plan *plan,
			    struct str *why) LB_MUST_CHECK;
/* Block or inode numbers the user gave, checked against the limits. */
errcode_t mkfs_plan_inodes(const struct mkfs_request *rq,
			   struct mkfs_plan *plan,
			   struct ext2_super_block *param,
			   struct str *why) LB_MUST_CHECK;

#endif
