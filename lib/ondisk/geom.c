/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a struct geom from a superblock after checking every number that a
 * later division or product depends on, and does the group arithmetic.
 */
#include "ondisk/geom.h"

#include "base/banned.h"

enum {
	DESC_BYTES_32BIT = 32,
	DESC_BYTES_MIN_64BIT = 64,
	DESC_BYTES_MAX = 1024,
	INODE_BYTES_REV0 = 128,
	FIRST_INO_REV0 = 11,
	LOG_CLUSTER_MAX = 29, /* 512 MiB: what tools can make, not mount */
	BLOCK_LOG_BASE = 10,
};

static errcode_t set_blocks(const struct super *sb, struct geom *g)
{
	if (sb->log_block_size > SUPER_LOG_BLOCK_MAX)
		return LB_E_GEOM_BLOCK_SIZE;
	g->block_bytes = 1024u << sb->log_block_size;
	g->cluster_bytes = g->block_bytes;
	if (g->features.ro_compat & FEAT_RO_COMPAT_BIGALLOC) {
		if (sb->log_cluster_size < sb->log_block_size ||
		    sb->log_cluster_size > LOG_CLUSTER_MAX - BLOCK_LOG_BASE)
			return LB_E_GEOM_CLUSTER;
		g->cluster_bytes = 1024u << sb->log_cluster_size;
	}
	g->cluster_blks = g->cluster_bytes / g->block_bytes;
	return 0;
}

static errcode_t set_inodes(const struct super *sb, struct geom *g)
{
	g->inode_bytes = sb->rev_level ? sb->inode_size : INODE_BYTES_REV0;
	if (g->inode_bytes < INODE_BYTES_REV0 ||
	    g->inode_bytes > g->block_bytes || !u64_is_pow2(g->inode_bytes))
		return LB_E_GEOM_INODE;
	return 0;
}

static errcode_t set_desc(const struct super *sb, struct geom *g)
{
	g->desc_bytes = DESC_BYTES_32BIT;
	if (g->features.incompat & FEAT_INCOMPAT_64BIT)
		g->desc_bytes = sb->desc_size;
	if (g->desc_bytes != DESC_BYTES_32BIT &&
	    (g->desc_bytes < DESC_BYTES_MIN_64BIT ||
	     g->desc_bytes > DESC_BYTES_MAX || !u64_is_pow2(g->desc_bytes)))
		return LB_E_GEOM_DESC;
	g->desc_per_block = g->block_bytes / g->desc_bytes;
	return 0;
}

static errcode_t set_groups(const struct super *sb, struct geom *g)
{
	u64 bits = geom_bits_per_block(g), nr_groups;

	g->clusters_per_group = g->cluster_blks == 1 ? sb->blocks_per_group
						     : sb->clusters_per_group;
	g->blks_per_group = sb->blocks_per_group;
	g->inodes_per_group = sb->inodes_per_group;
	if (!g->clusters_per_group || g->clusters_per_group > bits ||
	    (u64)g->clusters_per_group * g->cluster_blks != g->blks_per_group)
		return LB_E_GEOM_GROUPS;
	if (!g->inodes_per_group || g->inodes_per_group > bits)
		return LB_E_GEOM_INODES_PER_GROUP;
	g->first_data_blk = sb->first_data_block;
	g->nr_blocks = super_nr_blocks(sb);
	if (g->first_data_blk > 1 || g->nr_blocks <= g->first_data_blk)
		return LB_E_GEOM_COUNT;
	nr_groups =
		u64_div_up(g->nr_blocks - g->first_data_blk, g->blks_per_group);
	if (nr_groups > UINT32_MAX - g->desc_per_block)
		return LB_E_GEOM_MANY_GROUPS;
	g->nr_groups = (u32)nr_groups;
	g->nr_desc_blks = (u32)u64_div_up(nr_groups, g->desc_per_block);
	g->nr_inodes = sb->inodes_count;
	return 0;
}

errcode_t geom_from_super(const struct super *sb, struct geom *g)
{
	errcode_t rc;

	*g = (struct geom){.features = super_features(sb)};
	rc = set_blocks(sb, g);
	if (!rc)
		rc = set_inodes(sb, g);
	if (!rc)
		rc = set_desc(sb, g);
	if (!rc)
		rc = set_groups(sb, g);
	g->first_ino = sb->rev_level ? sb->first_ino : FIRST_INO_REV0;
	g->reserved_gdt_blks = sb->reserved_gdt_blocks;
	g->first_meta_bg = sb->first_meta_bg;
	g->backup_bgs[0] = sb->backup_bgs_0;
	g->backup_bgs[1] = sb->backup_bgs_1;
	return rc;
}

u64 geom_bytes(const struct geom *g)
{
	u64 bytes;

	/* 2^64 blocks of 64 KiB do not fit; the largest number says so. */
	if (__builtin_mul_overflow(g->nr_blocks, (u64)g->block_bytes, &bytes))
		return UINT64_MAX;
	return bytes;
}

u64 geom_group_first_blk(const struct geom *g, u32 grp)
{
	return g->first_data_blk + (u64)grp * g->blks_per_group;
}

u32 geom_group_nr_blks(const struct geom *g, u32 grp)
{
	u64 left = g->nr_blocks - geom_group_first_blk(g, grp);

	return (u32)u64_min(left, g->blks_per_group);
}

u32 geom_group_nr_clusters(const struct geom *g, u32 grp)
{
	return (u32)u64_div_up(geom_group_nr_blks(g, grp), g->cluster_blks);
}

static bool is_power_of(u32 n, u32 base)
{
	while (n % base == 0)
		n /= base;
	return n == 1;
}

bool geom_group_has_super(const struct geom *g, u32 grp)
{
	if (!grp)
		return true;
	if (g->features.compat & FEAT_COMPAT_SPARSE_SUPER2)
		return grp == g->backup_bgs[0] || grp == g->backup_bgs[1];
	if (grp == 1 || !(g->features.ro_compat & FEAT_RO_COMPAT_SPARSE_SUPER))
		return true;
	return is_power_of(grp, 3) || is_power_of(grp, 5) ||
	       is_power_of(grp, 7);
}

/* How many of base, base^2, ... are below nr_groups. */
static u32 nr_powers_below(u32 base, u32 nr_groups)
{
	u32 n = 0;

	for (u64 p = base; p < nr_groups; p *= base)
		n++;
	return n;
}

u32 geom_nr_backups(const struct geom *g)
{
	u32 n = 0;

	if (g->features.compat & FEAT_COMPAT_SPARSE_SUPER2) {
		n += g->backup_bgs[0] && g->backup_bgs[0] < g->nr_groups;
		n += g->backup_bgs[1] && g->backup_bgs[1] < g->nr_groups &&
		     g->backup_bgs[1] != g->backup_bgs[0];
		return n;
	}
	if (!(g->features.ro_compat & FEAT_RO_COMPAT_SPARSE_SUPER))
		return g->nr_groups - 1;
	return (g->nr_groups > 1) + nr_powers_below(3, g->nr_groups) +
	       nr_powers_below(5, g->nr_groups) +
	       nr_powers_below(7, g->nr_groups);
}

u64 geom_first_backup_blk(const struct geom *g)
{
	u32 a = g->backup_bgs[0], b = g->backup_bgs[1], grp = 1;

	if (!geom_nr_backups(g))
		return 0;
	if (g->features.compat & FEAT_COMPAT_SPARSE_SUPER2)
		grp = !a || (b && b < a) ? b : a;
	return geom_group_first_blk(g, grp);
}

u32 geom_bitmap_padding_bits(const struct geom *g)
{
	return geom_bits_per_block(g) - g->clusters_per_group;
}

u32 geom_bitmap_csum_bytes(const struct geom *g)
{
	return g->clusters_per_group / 8;
}

u64 geom_desc_blk(const struct geom *g, u32 grp)
{
	u32 desc_blk = grp / g->desc_per_block;
	u32 meta_grp = desc_blk * g->desc_per_block;
	u64 super_blk = SUPER_OFFSET / g->block_bytes;

	if (!(g->features.incompat & FEAT_INCOMPAT_META_BG) ||
	    desc_blk < g->first_meta_bg)
		return super_blk + 1 + desc_blk;
	if (!meta_grp)
		return super_blk + 1;
	return geom_group_first_blk(g, meta_grp) +
	       geom_group_has_super(g, meta_grp);
}

u32 geom_desc_offset(const struct geom *g, u32 grp)
{
	return grp % g->desc_per_block * g->desc_bytes;
}
