/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode decoded to host byte order, where it lies, and the first level of
 * its block map. Decoding never judges. Spec: "Index Nodes", "Extent Tree".
 */
#ifndef ONDISK_INODE_H
#define ONDISK_INODE_H

#include "base/span.h"
#include "ondisk/geom.h"

enum {
	INODE_ROOT = 2,
	INODE_JOURNAL = 8,
	INODE_FLAG_EXTENTS = 0x80000,
	INODE_FLAG_HUGE = 0x40000, /* i_blocks counts filesystem blocks */
	INODE_MAP_BYTES = 60,
	EXTENT_DEPTH_MAX = 5,
};

struct inode {
	u16 mode;
	u16 links;
	u32 flags;
	u32 generation;
	u64 file_bytes;
	u64 mapped_bytes; /* i_blocks in bytes, map blocks included */
	u8 map[INODE_MAP_BYTES];
};

/* Decodes g->inode_bytes bytes; a short span gives zeroes. */
void inode_parse(struct span bytes, const struct geom *g, struct inode *ino);
/* Group of an inode number >= 1, and its byte offset in the inode table. */
u32 inode_group(const struct geom *g, u32 ino);
u64 inode_table_offset(const struct geom *g, u32 ino);

/*
 * Whether the checksum is right, and the extra size one the kernel takes. True
 * without metadata_csum for any checksum. bytes: as for inode_parse().
 */
bool inode_is_intact(struct span bytes, const struct super *sb,
		     const struct geom *g, u32 ino);
/* The kind of file by its mode. */
bool inode_is_dir(const struct inode *ino);
bool inode_is_file(const struct inode *ino);

/* Head of an extent tree node. */
struct extent_head {
	bool is_valid; /* magic, counts and depth are possible */
	u16 entries;
	u16 depth;
};

/* node: the 60 map bytes, or one whole block. */
struct extent_head extent_head_parse(struct span node);
/* The block the first entry points to: a leaf's data or a child node. */
u64 extent_first_blk(struct span node, const struct extent_head *head);

#endif
