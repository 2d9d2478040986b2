/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds inodes: in their table, and the journal's in the superblock. */
#include <errno.h>

#include "base/banned.h"
#include "fsread/map.h"
#include "ondisk/extent.h"
#include "ondisk/gdesc.h"

/* Whether the bytes are inside the image; *rc when that cannot be said. */
static bool read_at(const struct fsread *fs, u64 blk, u64 off, u8 *buf,
		    errcode_t *rc)
{
	u64 bs = fs->geom->block_bytes;
	size_t len = (size_t)bs;

	blk += off / bs;
	if (blk >= fs->geom->nr_blocks || blk > UINT64_MAX / bs)
		return false;
	*rc = image_read(fs->img, blk * bs, buf, len);
	if (*rc != LB_E_IMAGE_SHORT)
		return !*rc;
	*rc = 0;
	return false;
}

static bool read_inode(const struct fsread *fs, u32 ino, u8 *block,
		       struct inode *inode, errcode_t *rc)
{
	const struct geom *g = fs->geom;
	struct span bytes = span_of(block, g->block_bytes);
	u32 grp = inode_group(g, ino);
	struct gdesc gd;
	u64 off = inode_table_offset(g, ino);

	if (grp >= g->nr_groups ||
	    !read_at(fs, geom_desc_blk(g, grp), 0, block, rc))
		return false;
	gdesc_parse(span_sub(bytes, geom_desc_offset(g, grp), g->desc_bytes), g,
		    &gd);
	if (gd.inode_table_blk >= g->nr_blocks ||
	    !read_at(fs, gd.inode_table_blk, off, block, rc))
		return false;
	inode_parse(span_sub(bytes, off % g->block_bytes, g->inode_bytes), g,
		    inode);
	return true;
}

errcode_t fsread_inode(const struct fsread *fs, u32 ino, struct inode *inode,
		       bool *found)
{
	u8 *block = malloc(fs->geom->block_bytes);
	errcode_t rc = 0;

	*found = false;
	if (!block)
		return ENOMEM;
	if (ino && ino <= fs->geom->nr_inodes)
		*found = read_inode(fs, ino, block, inode, &rc);
	free(block);
	return rc;
}

bool fsread_journal_backup(const struct super *sb, struct inode *inode)
{
	/* i_block, then both halves of the size; flags are not kept. */
	struct span copy = span_of(sb->jnl_blocks, INODE_MAP_BYTES + 8);
	struct span map = span_sub(copy, 0, INODE_MAP_BYTES);

	if (sb->jnl_backup_type != 1)
		return false;
	*inode = (struct inode){
		.mode = INODE_TYPE_FILE | 0600,
		.links = 1,
		.file_bytes = (u64)span_le32(copy, INODE_MAP_BYTES) << 32 |
			      span_le32(copy, INODE_MAP_BYTES + 4),
	};
	if (extent_head_parse(map).is_valid)
		inode->flags = INODE_FLAG_EXTENTS;
	memcpy(inode->map, map.bytes, INODE_MAP_BYTES);
	return inode->file_bytes;
}
