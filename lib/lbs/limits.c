/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits and defaults by block size. Kernel limits are absolute; tool limits
 * come from 16-bit counters that every e2fsprogs-compatible tool keeps; the
 * defaults from 8K up count bytes, because a default that counts blocks grows
 * sixteen-fold from 4K to 64K.
 */
#include "lbs/limits.h"

#include "base/banned.h"

#define MIB(n) ((u64)(n) << 20)

enum {
	CLUSTERS_PER_GROUP_CAP = 65528, /* libext2fs: 2^16 - 8 */
	INODE_BYTES_CAP = 32768,	/* s_inode_size has 16 bits */
	INODES_PER_GROUP_CAP = 65536,
};

static const u64 cluster_bytes_cap = MIB(256);
/* Kernels that know only this limit refuse a larger orphan file. */
static const u64 orphan_bytes_cap = MIB(8);

bool lbs_block_bytes_is_valid(u64 bytes)
{
	return u64_is_pow2(bytes) && bytes >= LBS_BLOCK_BYTES_MIN &&
	       bytes <= LBS_BLOCK_BYTES_MAX;
}

u32 lbs_inodes_per_group_max(u32 block_bytes, u32 inode_bytes)
{
	u32 per_block = block_bytes / inode_bytes;
	u64 cap = u64_min((u64)block_bytes * 8, INODES_PER_GROUP_CAP);

	/* At the 16-bit edge one inode-table block must stay below it. */
	if (cap == INODES_PER_GROUP_CAP)
		cap -= u64_max(per_block, 8);
	return (u32)cap;
}

/*
 * Our default group. At 8K and above: about 512 MiB, a power of two, so that
 * power-of-two devices lose nothing, a backup superblock exists from 1 GiB up
 * and a bitmap checksum covers few bytes. ARCHITECTURE names the measurement.
 */
static u32 default_clusters_per_group(u32 block_bytes, u32 cap)
{
	if (block_bytes < LBS_LARGE_BLOCK_BYTES)
		return cap;
	return (u32)u64_min(MIB(512) / block_bytes, 32768);
}

void lbs_limits_get(u32 block_bytes, struct lbs_limits *out)
{
	u32 cap = (u32)u64_min((u64)block_bytes * 8, CLUSTERS_PER_GROUP_CAP);

	*out = (struct lbs_limits){
		.block_bytes = block_bytes,
		.cluster_bytes_max = cluster_bytes_cap,
		.inode_bytes_max = (u32)u64_min(block_bytes, INODE_BYTES_CAP),
		.clusters_per_group_max = cap,
		.clusters_per_group =
			default_clusters_per_group(block_bytes, cap),
		.journal_bytes_min = (u64)LBS_JOURNAL_BLKS_MIN * block_bytes,
		.orphan_bytes_max =
			u64_min((u64)LBS_ORPHAN_BLKS_MAX * block_bytes,
				orphan_bytes_cap),
		.reserved_gdt_blks_max = block_bytes / 4,
	};
}

/*
 * The steps stock tools use, in blocks of the filesystem. Read in 4K blocks
 * they are also our byte steps for larger blocks.
 */
static const struct {
	u64 fs_blks_below;
	u64 journal_blks;
} journal_steps[] = {
	{2048, 0},	   {32768, 1024},      {262144, 4096},
	{524288, 8192},	   {4194304, 16384},   {8388608, 32768},
	{16777216, 65536}, {33554432, 131072}, {UINT64_MAX, 262144},
};

static u64 journal_step(u64 nr_blocks)
{
	size_t i = 0;

	while (nr_blocks >= journal_steps[i].fs_blks_below &&
	       i + 1 < ARRAY_LEN(journal_steps))
		i++;
	return journal_steps[i].journal_blks;
}

u64 lbs_journal_default_blks(u32 block_bytes, u64 nr_blocks)
{
	u64 blks = journal_step(nr_blocks), ratio = block_bytes / 4096;

	if (!blks || block_bytes < LBS_LARGE_BLOCK_BYTES)
		return blks;
	if (nr_blocks > UINT64_MAX / ratio)
		nr_blocks = UINT64_MAX / ratio;
	blks = journal_step(nr_blocks * ratio) / ratio;
	return u64_max(blks, LBS_JOURNAL_BLKS_MIN);
}

u64 lbs_orphan_default_blks(u32 block_bytes, u64 nr_blocks)
{
	u64 fs_blks = nr_blocks, ratio = block_bytes / 4096, blks;

	if (block_bytes >= LBS_LARGE_BLOCK_BYTES)
		fs_blks = nr_blocks > UINT64_MAX / ratio ? UINT64_MAX
							 : nr_blocks * ratio;
	if (fs_blks < 131072)
		blks = 32;
	else
		blks = u64_min(fs_blks / 4096, LBS_ORPHAN_BLKS_MAX);
	if (block_bytes >= LBS_LARGE_BLOCK_BYTES)
		blks = u64_max(blks / ratio, 1);
	return blks;
}
