/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes inodes and extent tree nodes, and computes an inode's checksum. */
#include "ondisk/inode.h"

#include "base/banned.h"
#include "base/crc.h"

enum {
	OFF_MODE = 0x00,
	OFF_SIZE_LO = 0x04,
	OFF_LINKS = 0x1A,
	OFF_BLOCKS_LO = 0x1C,
	OFF_FLAGS = 0x20,
	OFF_MAP = 0x28,
	OFF_SIZE_HI = 0x6C,
	OFF_GENERATION = 0x64,
	OFF_BLOCKS_HI = 0x74,
	OFF_CSUM_LO = 0x7C,
	OFF_EXTRA_SIZE = 0x80,
	OFF_CSUM_HI = 0x82,
	OLD_BYTES = 128,   /* of an inode without extra fields */
	EXTRA_OF_CSUM = 4, /* the extra size that includes the high half */
	SECTOR_BYTES = 512,
	MODE_KIND = 0xF000,
	MODE_DIR = 0x4000,
	MODE_FILE = 0x8000,

	EXTENT_MAGIC = 0xF30A,
	EXTENT_HEAD_BYTES = 12,
	EXTENT_ENTRY_BYTES = 12,
	OFF_LEAF_BLK_HI = 6,
	OFF_LEAF_BLK_LO = 8,
	OFF_INDEX_BLK_LO = 4,
	OFF_INDEX_BLK_HI = 8,
};

void inode_parse(struct span bytes, const struct geom *g, struct inode *ino)
{
	u64 blocks = span_le32(bytes, OFF_BLOCKS_LO);
	u64 unit = SECTOR_BYTES;

	*ino = (struct inode){
		.mode = span_le16(bytes, OFF_MODE),
		.links = span_le16(bytes, OFF_LINKS),
		.flags = span_le32(bytes, OFF_FLAGS),
		.generation = span_le32(bytes, OFF_GENERATION),
		.file_bytes = span_le32(bytes, OFF_SIZE_LO) |
			      (u64)span_le32(bytes, OFF_SIZE_HI) << 32,
	};
	if (g->features.ro_compat & FEAT_RO_COMPAT_HUGE_FILE) {
		blocks |= (u64)span_le16(bytes, OFF_BLOCKS_HI) << 32;
		if (ino->flags & INODE_FLAG_HUGE)
			unit = g->block_bytes;
	}
	ino->mapped_bytes = blocks * unit;
	if (span_has(bytes, OFF_MAP, INODE_MAP_BYTES))
		memcpy(ino->map, bytes.bytes + OFF_MAP, INODE_MAP_BYTES);
}

/* Up to the end of the inode, with the halves of the checksum as zeroes. */
static u32 csum_of(struct span bytes, u32 seed, u32 ino, bool has_high)
{
	const u8 le_ino[4] = {(u8)ino, (u8)(ino >> 8), (u8)(ino >> 16),
			      (u8)(ino >> 24)};
	const u8 zero[2] = {0, 0};
	u32 crc = crc32c(seed, le_ino, sizeof(le_ino));

	crc = crc32c(crc, bytes.bytes + OFF_GENERATION, 4);
	crc = crc32c(crc, bytes.bytes, OFF_CSUM_LO);
	crc = crc32c(crc, zero, sizeof(zero));
	crc = crc32c(crc, bytes.bytes + OFF_CSUM_LO + 2,
		     OLD_BYTES - OFF_CSUM_LO - 2);
	if (bytes.len == OLD_BYTES)
		return crc;
	if (!has_high)
		return crc32c(crc, bytes.bytes + OLD_BYTES,
			      bytes.len - OLD_BYTES);
	crc = crc32c(crc, bytes.bytes + OLD_BYTES, OFF_CSUM_HI - OLD_BYTES);
	crc = crc32c(crc, zero, sizeof(zero));
	return crc32c(crc, bytes.bytes + OFF_CSUM_HI + 2,
		      bytes.len - OFF_CSUM_HI - 2);
}

bool inode_is_intact(struct span bytes, const struct super *sb,
		     const struct geom *g, u32 ino)
{
	u16 extra = span_le16(bytes, OFF_EXTRA_SIZE);
	bool has_extra = g->inode_bytes > OLD_BYTES;
	bool has_high = has_extra && extra >= EXTRA_OF_CSUM;
	u32 crc;

	if (!span_has(bytes, 0, g->inode_bytes))
		return false;
	if (has_extra && (extra % 4 || extra > bytes.len - OLD_BYTES))
		return false;
	if (!(g->features.ro_compat & FEAT_RO_COMPAT_METADATA_CSUM))
		return true;
	crc = csum_of(bytes, super_csum_seed(sb), ino, has_high);
	return (u16)crc == span_le16(bytes, OFF_CSUM_LO) &&
	       (!has_high || crc >> 16 == span_le16(bytes, OFF_CSUM_HI));
}

bool inode_is_dir(const struct inode *ino)
{
	return (ino->mode & MODE_KIND) == MODE_DIR;
}

bool inode_is_file(const struct inode *ino)
{
	return (ino->mode & MODE_KIND) == MODE_FILE;
}

u32 inode_group(const struct geom *g, u32 ino)
{
	return (ino - 1) / g->inodes_per_group;
}

u64 inode_table_offset(const struct geom *g, u32 ino)
{
	return (u64)((ino - 1) % g->inodes_per_group) * g->inode_bytes;
}

struct extent_head extent_head_parse(struct span node)
{
	struct extent_head head = {
		.entries = span_le16(node, 2),
		.depth = span_le16(node, 6),
	};
	u16 max = span_le16(node, 4);

	head.is_valid = span_le16(node, 0) == EXTENT_MAGIC &&
			head.depth <= EXTENT_DEPTH_MAX && head.entries <= max &&
			span_has(node, EXTENT_HEAD_BYTES,
				 (size_t)max * EXTENT_ENTRY_BYTES);
	return head;
}

u64 extent_first_blk(struct span node, const struct extent_head *head)
{
	struct span entry =
		span_sub(node, EXTENT_HEAD_BYTES, EXTENT_ENTRY_BYTES);

	if (head->depth)
		return span_le32(entry, OFF_INDEX_BLK_LO) |
		       (u64)span_le16(entry, OFF_INDEX_BLK_HI) << 32;
	return span_le32(entry, OFF_LEAF_BLK_LO) |
	       (u64)span_le16(entry, OFF_LEAF_BLK_HI) << 32;
}
