/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes metadata checksums: which bytes, in which order, from which seed. */
#include "ondisk/csum.h"

#include "base/banned.h"
#include "base/crc.h"
#include "ondisk/extent.h"
#include "ondisk/inode.h"
#include "ondisk/orphan.h"

enum {
	OFF_INODE_GENERATION = 0x64,
	OFF_INODE_CSUM_LO = 0x7C,
	OFF_INODE_EXTRA = 0x80,
	OFF_INODE_CSUM_HI = 0x82,
	/* i_extra_isize from which the upper half is there */
	EXTRA_FOR_HI = OFF_INODE_CSUM_HI + 2 - INODE_BASE_BYTES,
	OFF_EXTENT_MAX = 4,
	OFF_XATTR_CSUM = 0x10,
	OFF_MMP_CSUM = 0x3FC,
	OFF_DIR_TAIL_CSUM = 8,
	OFF_HTREE_TAIL_CSUM = 4,
	OFF_ORPHAN_TAIL_CSUM = 4,
};

static const u8 zero4[4];

static u32 add_le32(u32 crc, u32 v)
{
	const u8 raw[4] = {(u8)v, (u8)(v >> 8), (u8)(v >> 16), (u8)(v >> 24)};

	return crc32c(crc, raw, sizeof(raw));
}

static u32 add_le64(u32 crc, u64 v)
{
	return add_le32(add_le32(crc, (u32)v), (u32)(v >> 32));
}

/* Bytes from off to end; nothing when they are not inside. */
static u32 add(u32 crc, struct span s, size_t off, size_t end)
{
	struct span part = span_sub(s, off, end - off);

	return part.len ? crc32c(crc, part.bytes, part.len) : crc;
}

/* The usual: a le32 at off behind what it covers. */
static struct csum csum_before(struct span s, u32 seed, size_t covered,
			       size_t off)
{
	struct csum c = {.present = span_has(s, off, 4)};

	if (!c.present)
		return c;
	c.off = (u32)off;
	c.stored = span_le32(s, off);
	c.computed = add(seed, s, 0, covered);
	return c;
}

u32 csum_inode_seed(u32 fs_seed, u32 ino, u32 generation)
{
	return add_le32(add_le32(fs_seed, ino), generation);
}

struct csum csum_inode(struct span inode, u32 fs_seed, u32 ino)
{
	struct csum c = {.present = inode.len >= INODE_BASE_BYTES,
			 .off = OFF_INODE_CSUM_LO};
	bool has_hi = inode.len > INODE_BASE_BYTES &&
		      span_le16(inode, OFF_INODE_EXTRA) >= EXTRA_FOR_HI;
	u32 crc;

	if (!c.present)
		return c;
	crc = csum_inode_seed(fs_seed, ino,
			      span_le32(inode, OFF_INODE_GENERATION));
	crc = add(crc, inode, 0, OFF_INODE_CSUM_LO);
	crc = crc32c(crc, zero4, 2);
	c.stored = span_le16(inode, OFF_INODE_CSUM_LO);
	if (!has_hi) {
		crc = add(crc, inode, OFF_INODE_CSUM_LO + 2, inode.len);
		c.computed = crc & 0xFFFF;
		return c;
	}
	crc = add(crc, inode, OFF_INODE_CSUM_LO + 2, OFF_INODE_CSUM_HI);
	crc = crc32c(crc, zero4, 2);
	c.computed = add(crc, inode, OFF_INODE_CSUM_HI + 2, inode.len);
	c.stored |= (u32)span_le16(inode, OFF_INODE_CSUM_HI) << 16;
	return c;
}

struct csum csum_extent_block(struct span block, u32 inode_seed)
{
	size_t off = EXTENT_HEAD_BYTES +
		     (size_t)span_le16(block, OFF_EXTENT_MAX) *
			     EXTENT_ENTRY_BYTES;

	return csum_before(block, inode_seed, off, off);
}

struct csum csum_dir_block(struct span block, u32 inode_seed)
{
	size_t tail = block.len - DIRENT_TAIL_BYTES;

	if (!dirent_has_tail(block))
		return (struct csum){0};
	return csum_before(block, inode_seed, tail, tail + OFF_DIR_TAIL_CSUM);
}

struct csum csum_htree_node(const struct htree_node *node, u32 inode_seed)
{
	u32 tail = htree_tail_offset(node);
	size_t used = node->entries_off +
		      (size_t)node->count * HTREE_ENTRY_BYTES;
	struct csum c;

	if (!tail || used > tail)
		return (struct csum){0};
	c = csum_before(node->block, inode_seed, used,
			tail + OFF_HTREE_TAIL_CSUM);
	/* The tail itself, its sum as 0, follows the last entry in use. */
	c.computed = add(c.computed, node->block, tail,
			 (size_t)tail + OFF_HTREE_TAIL_CSUM);
	c.computed = crc32c(c.computed, zero4, sizeof(zero4));
	return c;
}

struct csum csum_xattr_block(struct span block, u32 fs_seed, u64 blk)
{
	struct csum c = csum_before(block, add_le64(fs_seed, blk),
				    OFF_XATTR_CSUM, OFF_XATTR_CSUM);

	if (!c.present)
		return c;
	c.computed = crc32c(c.computed, zero4, sizeof(zero4));
	c.computed = add(c.computed, block, OFF_XATTR_CSUM + 4, block.len);
	return c;
}

u32 csum_xattr_value(struct span value, u32 fs_seed)
{
	return add(fs_seed, value, 0, value.len);
}

static struct csum csum_bitmap(struct span block, u32 fs_seed, size_t bytes,
			       const struct geom *g)
{
	struct csum c = {.present = span_has(block, 0, bytes)};

	c.computed = add(fs_seed, block, 0, bytes);
	if (!gdesc_is_64bit(g))
		c.computed &= 0xFFFF;
	return c;
}

struct csum csum_block_bitmap(struct span block, u32 fs_seed,
			      const struct geom *g, const struct gdesc *gd)
{
	struct csum c =
		csum_bitmap(block, fs_seed, geom_bitmap_csum_bytes(g), g);

	c.stored = gd->block_bitmap_csum;
	return c;
}

struct csum csum_inode_bitmap(struct span block, u32 fs_seed,
			      const struct geom *g, const struct gdesc *gd)
{
	struct csum c = csum_bitmap(block, fs_seed, g->inodes_per_group / 8, g);

	c.stored = gd->inode_bitmap_csum;
	return c;
}

struct csum csum_orphan_block(struct span block, u32 inode_seed, u64 blk)
{
	size_t tail = block.len - ORPHAN_TAIL_BYTES;

	if (block.len < ORPHAN_TAIL_BYTES)
		return (struct csum){0};
	return csum_before(block, add_le64(inode_seed, blk), tail,
			   tail + OFF_ORPHAN_TAIL_CSUM);
}

struct csum csum_mmp(struct span block, u32 fs_seed)
{
	return csum_before(block, fs_seed, OFF_MMP_CSUM, OFF_MMP_CSUM);
}
