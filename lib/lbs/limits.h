/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that depend on the block size: what the kernel takes, what tools can
 * write, and what we choose when nobody says otherwise. Pure arithmetic.
 */
#ifndef LBS_LIMITS_H
#define LBS_LIMITS_H

#include "base/types.h"
#include "ondisk/jsb.h"
#include "ondisk/orphan.h"

enum {
	LBS_BLOCK_BYTES_MIN = 1024,
	LBS_BLOCK_BYTES_MAX = 65536,
	/* From here on our defaults count bytes where stock counts blocks. */
	LBS_LARGE_BLOCK_BYTES = 8192,
	LBS_JOURNAL_BLKS_MIN = JSB_LOG_BLKS_MIN,
	LBS_JOURNAL_BLKS_MAX = 10240000,
	/* What 0 means to the kernel. */
	LBS_FAST_COMMIT_BLKS_DEFAULT = JSB_FAST_BLKS_DEFAULT,
	LBS_ORPHAN_BLKS_MAX = ORPHAN_FILE_BLKS_MAX,
};

struct lbs_limits {
	u32 block_bytes;
	u64 cluster_bytes_max;	    /* 256 MiB; more does not mount */
	u32 inode_bytes_max;	    /* the block, at most 32768 */
	u32 clusters_per_group_max; /* 8 * block, at most 65528 */
	u32 clusters_per_group;	    /* our default */
	u64 journal_bytes_min;	    /* 1024 blocks */
	u64 orphan_bytes_max;	    /* min(512 blocks, 8 MiB) */
	u32 reserved_gdt_blks_max;  /* block / 4 */
};

/* block_bytes: a power of two, LBS_BLOCK_BYTES_MIN..MAX. */
void lbs_limits_get(u32 block_bytes, struct lbs_limits *out);
bool lbs_block_bytes_is_valid(u64 bytes);
/* Most inodes in a group for this inode size. */
u32 lbs_inodes_per_group_max(u32 block_bytes, u32 inode_bytes);
/*
 * Default journal for a filesystem, in blocks, fast-commit area excluded; 0
 * when it is too small for one (fewer than 2048 blocks).
 */
u64 lbs_journal_default_blks(u32 block_bytes, u64 nr_blocks);
/* Default orphan file in blocks, never over the cap. */
u64 lbs_orphan_default_blks(u32 block_bytes, u64 nr_blocks);

#endif
