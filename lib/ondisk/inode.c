/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes inodes and extent tree nodes. */
#include "ondisk/inode.h"

#include "base/banned.h"

enum {
	OFF_MODE = 0x00,
	OFF_SIZE_LO = 0x04,
	OFF_LINKS = 0x1A,
	OFF_BLOCKS_LO = 0x1C,
	OFF_FLAGS = 0x20,
	OFF_MAP = 0x28,
	OFF_SIZE_HI = 0x6C,
	OFF_BLOCKS_HI = 0x74,
	SECTOR_BYTES = 512,

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
