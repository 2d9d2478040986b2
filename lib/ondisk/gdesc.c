/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes group descriptors of 32 to 1024 bytes and computes their checksum. */
#include "ondisk/gdesc.h"

#include "base/banned.h"
#include "base/crc.h"

enum {
	OFF_BLOCK_BITMAP = 0x00,
	OFF_INODE_BITMAP = 0x04,
	OFF_INODE_TABLE = 0x08,
	OFF_FREE_CLUSTERS = 0x0C,
	OFF_FREE_INODES = 0x0E,
	OFF_USED_DIRS = 0x10,
	OFF_FLAGS = 0x12,
	OFF_BLOCK_BITMAP_CSUM = 0x18,
	OFF_INODE_BITMAP_CSUM = 0x1A,
	OFF_ITABLE_UNUSED = 0x1C,
	OFF_CSUM = 0x1E,
	OFF_BLOCK_BITMAP_HI = 0x20,
	OFF_INODE_BITMAP_HI = 0x24,
	OFF_INODE_TABLE_HI = 0x28,
	OFF_FREE_CLUSTERS_HI = 0x2C,
	OFF_FREE_INODES_HI = 0x2E,
	OFF_USED_DIRS_HI = 0x30,
	OFF_ITABLE_UNUSED_HI = 0x32,
	OFF_BLOCK_BITMAP_CSUM_HI = 0x38,
	OFF_INODE_BITMAP_CSUM_HI = 0x3A,
	DESC_BYTES_64BIT = 64,
};

bool gdesc_is_64bit(const struct geom *g)
{
	return g->desc_bytes >= DESC_BYTES_64BIT;
}

static u64 join(struct span bytes, const struct geom *g, size_t lo, size_t hi)
{
	u64 blk = span_le32(bytes, lo);

	if (gdesc_is_64bit(g))
		blk |= (u64)span_le32(bytes, hi) << 32;
	return blk;
}

static u32 join16(struct span bytes, const struct geom *g, size_t lo, size_t hi)
{
	u32 n = span_le16(bytes, lo);

	if (gdesc_is_64bit(g))
		n |= (u32)span_le16(bytes, hi) << 16;
	return n;
}

void gdesc_parse(struct span bytes, const struct geom *g, struct gdesc *gd)
{
	gd->block_bitmap_blk =
		join(bytes, g, OFF_BLOCK_BITMAP, OFF_BLOCK_BITMAP_HI);
	gd->inode_bitmap_blk =
		join(bytes, g, OFF_INODE_BITMAP, OFF_INODE_BITMAP_HI);
	gd->inode_table_blk =
		join(bytes, g, OFF_INODE_TABLE, OFF_INODE_TABLE_HI);
	gd->free_clusters =
		join16(bytes, g, OFF_FREE_CLUSTERS, OFF_FREE_CLUSTERS_HI);
	gd->free_inodes = join16(bytes, g, OFF_FREE_INODES, OFF_FREE_INODES_HI);
	gd->used_dirs = join16(bytes, g, OFF_USED_DIRS, OFF_USED_DIRS_HI);
	gd->itable_unused =
		join16(bytes, g, OFF_ITABLE_UNUSED, OFF_ITABLE_UNUSED_HI);
	gd->block_bitmap_csum = join16(bytes, g, OFF_BLOCK_BITMAP_CSUM,
				       OFF_BLOCK_BITMAP_CSUM_HI);
	gd->inode_bitmap_csum = join16(bytes, g, OFF_INODE_BITMAP_CSUM,
				       OFF_INODE_BITMAP_CSUM_HI);
	gd->flags = span_le16(bytes, OFF_FLAGS);
	gd->csum = span_le16(bytes, OFF_CSUM);
}

bool gdesc_has_csum(const struct geom *g)
{
	return g->features.ro_compat &
	       (FEAT_RO_COMPAT_METADATA_CSUM | FEAT_RO_COMPAT_GDT_CSUM);
}

/* On the superblock or the descriptors that follow it. */
static bool is_on_super(const struct geom *g, u64 blk)
{
	u64 super = SUPER_OFFSET / g->block_bytes, descs = g->nr_desc_blks;

	if (g->features.incompat & FEAT_INCOMPAT_META_BG)
		descs = g->first_meta_bg ? g->first_meta_bg : 1;
	return blk >= super && blk <= super + descs;
}

bool gdesc_is_possible(const struct gdesc *gd, const struct geom *g, u32 grp)
{
	u64 first = g->first_data_blk, end = g->nr_blocks;
	u64 itable_blks = u64_div_up((u64)g->inodes_per_group * g->inode_bytes,
				     g->block_bytes);

	if (!(g->features.incompat & FEAT_INCOMPAT_FLEX_BG)) {
		first = geom_group_first_blk(g, grp);
		end = first + geom_group_nr_blks(g, grp);
	}
	return !is_on_super(g, gd->block_bitmap_blk) &&
	       !is_on_super(g, gd->inode_bitmap_blk) &&
	       !is_on_super(g, gd->inode_table_blk) &&
	       gd->block_bitmap_blk >= first && gd->block_bitmap_blk < end &&
	       gd->inode_bitmap_blk >= first && gd->inode_bitmap_blk < end &&
	       gd->inode_table_blk >= first && gd->inode_table_blk < end &&
	       itable_blks <= end - gd->inode_table_blk;
}

u16 gdesc_csum(struct span bytes, const struct super *sb, const struct geom *g,
	       u32 grp)
{
	const u8 le_grp[4] = {(u8)grp, (u8)(grp >> 8), (u8)(grp >> 16),
			      (u8)(grp >> 24)};
	struct span tail =
		span_sub(bytes, OFF_CSUM + 2, g->desc_bytes - (OFF_CSUM + 2));
	const u8 zero[2] = {0, 0};

	if (!span_has(bytes, 0, g->desc_bytes))
		return 0;
	if (g->features.ro_compat & FEAT_RO_COMPAT_METADATA_CSUM) {
		u32 crc = crc32c(super_csum_seed(sb), le_grp, sizeof(le_grp));

		crc = crc32c(crc, bytes.bytes, OFF_CSUM);
		crc = crc32c(crc, zero, sizeof(zero));
		return (u16)crc32c(crc, tail.bytes, tail.len);
	}
	if (g->features.ro_compat & FEAT_RO_COMPAT_GDT_CSUM) {
		u16 crc = crc16(0xFFFF, sb->uuid, 16);

		crc = crc16(crc, le_grp, sizeof(le_grp));
		crc = crc16(crc, bytes.bytes, OFF_CSUM);
		return crc16(crc, tail.bytes, tail.len);
	}
	return 0;
}
