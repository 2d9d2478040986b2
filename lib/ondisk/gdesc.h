/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One block group descriptor: where a group's bitmaps and inode table are, and
 * the checksum over it. Spec: "Block Group Descriptors" in the layout docs.
 */
#ifndef ONDISK_GDESC_H
#define ONDISK_GDESC_H

#include "base/span.h"
#include "ondisk/geom.h"

enum {
	GDESC_INODE_UNINIT = 1,
	GDESC_BLOCK_UNINIT = 2,
	GDESC_INODE_ZEROED = 4,
};

struct gdesc {
	u64 block_bitmap_blk;
	u64 inode_bitmap_blk;
	u64 inode_table_blk;
	u32 free_clusters;
	u32 free_inodes;
	u32 used_dirs;
	u32 itable_unused; /* inodes at the table's end never used */
	u32 block_bitmap_csum;
	u32 inode_bitmap_csum;
	u16 flags;
	u16 csum;
};

/* Decodes a descriptor of g->desc_bytes bytes; a short span gives zeroes. */
void gdesc_parse(struct span bytes, const struct geom *g, struct gdesc *gd);
/*
 * The checksum the descriptor of grp should carry, 0 when the filesystem has
 * none.
 */
u16 gdesc_csum(struct span bytes, const struct super *sb, const struct geom *g,
	       u32 grp);
/*
 * Whether bitmaps and inode table lie inside the filesystem, not on the
 * superblock or its descriptors and, without flex_bg, inside their own group.
 */
bool gdesc_is_possible(const struct gdesc *gd, const struct geom *g, u32 grp);
/* Whether descriptors have a checksum at all. */
bool gdesc_has_csum(const struct geom *g);
/* Whether descriptors have the upper halves of all numbers. */
bool gdesc_is_64bit(const struct geom *g);

#endif
