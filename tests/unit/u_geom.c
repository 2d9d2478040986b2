/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes: every conversion, the places of backups, and impossible numbers. */
#include "ondisk/geom.h"

#include "tests/lib/tap.h"

/* A plain 64 KiB-block filesystem: 3 groups of 8192 blocks, the last short. */
static struct super base_super(void)
{
	struct super sb;

	memset(&sb, 0, sizeof(sb));
	sb.magic = SUPER_MAGIC;
	sb.rev_level = 1;
	sb.log_block_size = sb.log_cluster_size = 6;
	sb.blocks_per_group = sb.clusters_per_group = 8192;
	sb.inodes_per_group = 8192;
	sb.inodes_count = 3 * 8192;
	sb.blocks_count_lo = 2 * 8192 + 100;
	sb.inode_size = 256;
	sb.desc_size = 64;
	sb.feature_incompat = FEAT_INCOMPAT_64BIT | FEAT_INCOMPAT_EXTENTS;
	sb.feature_ro_compat = FEAT_RO_COMPAT_SPARSE_SUPER;
	return sb;
}

static void test_shape(void)
{
	struct super sb = base_super();
	struct geom g;

	tap_ok(!geom_from_super(&sb, &g), "64 KiB blocks");
	tap_is_u64(g.block_bytes, 65536, "block size");
	tap_is_u64(g.nr_groups, 3, "groups");
	tap_is_u64(g.desc_per_block, 1024, "descriptors a block");
	tap_is_u64(g.nr_desc_blks, 1, "descriptor blocks");
	tap_is_u64(geom_bytes(&g), (2 * 8192 + 100) * 65536ull, "bytes");
	tap_is_u64(geom_group_first_blk(&g, 2), 16384, "first of group 2");
	tap_is_u64(geom_group_nr_blks(&g, 1), 8192, "a full group");
	tap_is_u64(geom_group_nr_blks(&g, 2), 100, "the short group");
	tap_is_u64(geom_bits_per_block(&g), 524288, "bits of a bitmap");
	tap_is_u64(geom_bitmap_padding_bits(&g), 524288 - 8192, "padding");
	tap_is_u64(geom_bitmap_csum_bytes(&g), 1024, "under the checksum");
	tap_is_u64(geom_desc_blk(&g, 0), 1, "descriptors follow block 0");
	tap_is_u64(geom_desc_offset(&g, 2), 128, "descriptor of group 2");
}

static void test_1k(void)
{
	struct super sb = base_super();
	struct geom g;

	sb.log_block_size = sb.log_cluster_size = 0;
	sb.first_data_block = 1;
	sb.blocks_per_group = sb.clusters_per_group = 8192;
	tap_ok(!geom_from_super(&sb, &g), "1 KiB blocks");
	tap_is_u64(geom_group_first_blk(&g, 0), 1, "start at block 1");
	tap_is_u64(geom_desc_blk(&g, 0), 2, "descriptors in block 2");
	tap_is_u64(geom_bitmap_padding_bits(&g), 0, "no padding");
	sb.blocks_count_lo = 8193;
	tap_ok(!geom_from_super(&sb, &g) && g.nr_groups == 1,
	       "exactly one group");
	sb.blocks_count_lo = 8194;
	tap_ok(!geom_from_super(&sb, &g) && g.nr_groups == 2,
	       "one block more is two groups");
}

static void test_bigalloc(void)
{
	struct super sb = base_super();
	struct geom g;

	sb.feature_ro_compat |= FEAT_RO_COMPAT_BIGALLOC;
	sb.log_cluster_size = 10;
	sb.clusters_per_group = 512;
	tap_ok(!geom_from_super(&sb, &g), "bigalloc");
	tap_is_u64(g.cluster_bytes, 1048576, "cluster size");
	tap_is_u64(g.cluster_blks, 16, "blocks a cluster");
	tap_is_u64(geom_group_nr_clusters(&g, 2), 7,
		   "a part of a cluster counts");
	sb.clusters_per_group = 511;
	tap_ok(geom_from_super(&sb, &g) == LB_E_GEOM_GROUPS,
	       "blocks and clusters of a group disagree");
	sb.clusters_per_group = 512;
	sb.log_cluster_size = 5;
	tap_ok(geom_from_super(&sb, &g) == LB_E_GEOM_CLUSTER,
	       "a cluster smaller than a block");
	sb.log_cluster_size = 20;
	tap_ok(geom_from_super(&sb, &g) == LB_E_GEOM_CLUSTER,
	       "a cluster of 1 GiB");
	sb.log_cluster_size = UINT32_MAX;
	tap_ok(geom_from_super(&sb, &g) == LB_E_GEOM_CLUSTER,
	       "a shift by 2^32");
}

static unsigned count_supers(const struct geom *g)
{
	unsigned n = 0;

	for (u32 grp = 1; grp < g->nr_groups; grp++)
		n += geom_group_has_super(g, grp);
	return n;
}

static void test_backups(void)
{
	struct super sb = base_super();
	struct geom g;

	sb.blocks_count_lo = 8192 * 200;
	tap_ok(!geom_from_super(&sb, &g), "200 groups");
	/* 1, 3 9 27 81, 5 25 125, 7 49 */
	tap_is_u64(count_supers(&g), 10, "groups with a copy");
	tap_is_u64(geom_nr_backups(&g), 10, "counted without a walk");
	tap_ok(geom_group_has_super(&g, 49) && !geom_group_has_super(&g, 15),
	       "powers of 3, 5, 7 only");
	tap_is_u64(geom_first_backup_blk(&g), 8192, "the first one");
	sb.feature_ro_compat = 0;
	tap_ok(!geom_from_super(&sb, &g) && geom_nr_backups(&g) == 199 &&
	       count_supers(&g) == 199, "without sparse_super in every group");
	sb.feature_compat = FEAT_COMPAT_SPARSE_SUPER2;
	sb.backup_bgs_0 = 150;
	sb.backup_bgs_1 = 7;
	tap_ok(!geom_from_super(&sb, &g) && count_supers(&g) == 2 &&
	       geom_nr_backups(&g) == 2, "sparse_super2 has two");
	tap_is_u64(geom_first_backup_blk(&g), 7 * 8192, "in any order");
	sb.backup_bgs_0 = sb.backup_bgs_1 = 0;
	tap_ok(!geom_from_super(&sb, &g) && !geom_nr_backups(&g) &&
	       !geom_first_backup_blk(&g), "or none");
}

static void test_meta_bg(void)
{
	struct super sb = base_super();
	struct geom g;

	sb.feature_incompat |= FEAT_INCOMPAT_META_BG;
	sb.blocks_count_lo = 8192 * 3000;
	tap_ok(!geom_from_super(&sb, &g), "meta_bg");
	tap_is_u64(geom_desc_blk(&g, 1023), 1, "first meta group");
	tap_is_u64(geom_desc_blk(&g, 1024), 1024 * 8192,
		   "second, in a group without a superblock");
	tap_is_u64(geom_desc_offset(&g, 1025), 64, "offset in it");
	sb.first_meta_bg = 2;
	tap_ok(!geom_from_super(&sb, &g) && geom_desc_blk(&g, 1024) == 2,
	       "below first_meta_bg they lie together");
}

#define BAD(field, value, code, name)                                       \
	do {                                                                \
		struct super bad = base_super();                            \
		struct geom g_;                                             \
		bad.field = value;                                          \
		tap_ok(geom_from_super(&bad, &g_) == (code), name);         \
	} while (0)

static void test_impossible(void)
{
	BAD(log_block_size, 7, LB_E_GEOM_BLOCK_SIZE, "128 KiB blocks");
	BAD(log_block_size, UINT32_MAX, LB_E_GEOM_BLOCK_SIZE, "2^32 shift");
	BAD(inode_size, 0, LB_E_GEOM_INODE, "inodes of 0 bytes");
	BAD(inode_size, 384, LB_E_GEOM_INODE, "inodes of 384 bytes");
	BAD(desc_size, 0, LB_E_GEOM_DESC, "descriptors of 0 bytes");
	BAD(desc_size, 96, LB_E_GEOM_DESC, "descriptors of 96 bytes");
	BAD(desc_size, 2048, LB_E_GEOM_DESC, "descriptors of 2048 bytes");
	BAD(blocks_per_group, 0, LB_E_GEOM_GROUPS, "groups of 0 blocks");
	BAD(blocks_per_group, 524289, LB_E_GEOM_GROUPS,
	    "more blocks than a bitmap has bits");
	BAD(inodes_per_group, 0, LB_E_GEOM_INODES_PER_GROUP, "no inodes");
	BAD(inodes_per_group, 524289, LB_E_GEOM_INODES_PER_GROUP,
	    "more inodes than a bitmap has bits");
	BAD(blocks_count_lo, 0, LB_E_GEOM_COUNT, "no blocks");
	BAD(first_data_block, 2, LB_E_GEOM_COUNT, "starts at block 2");
	BAD(blocks_count_hi, UINT32_MAX, LB_E_GEOM_MANY_GROUPS,
	    "2^64 blocks in small groups");
}

int main(void)
{
	test_shape();
	test_1k();
	test_bigalloc();
	test_backups();
	test_meta_bg();
	test_impossible();
	return tap_done();
}
