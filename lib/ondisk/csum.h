/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checksums of metadata_csum, one function a structure: what is stored and
 * what would be right. fs_seed is super_csum_seed(); what belongs to an inode
 * (directories, extent blocks, the orphan file) is seeded by csum_inode_seed().
 * Those of the superblock and of descriptors are in super.h and gdesc.h. Ask
 * only when the filesystem has the feature. Spec: "Checksums".
 */
#ifndef ONDISK_CSUM_H
#define ONDISK_CSUM_H

#include "base/span.h"
#include "ondisk/gdesc.h"
#include "ondisk/htree.h"

struct csum {
	bool present; /* false: the structure has no room for one */
	u32 stored;
	u32 computed; /* cut to the bits that are stored */
	u32 off;      /* of the (lower half of the) field in the span given */
};

/* True too when there is none. */
static inline bool csum_ok(struct csum c)
{
	return !c.present || c.stored == c.computed;
}

u32 csum_inode_seed(u32 fs_seed, u32 ino, u32 generation);
/*
 * A whole inode as in the table. 16 bits when it has no room for the upper
 * half. An inode that was never used is all zeroes and has no checksum: see
 * inode_is_zero().
 */
struct csum csum_inode(struct span inode, u32 fs_seed, u32 ino);
/* A block of an extent tree; its place follows from eh_max. */
struct csum csum_extent_block(struct span block, u32 inode_seed);
/* A directory block of entries. */
struct csum csum_dir_block(struct span block, u32 inode_seed);
/* A root or inner node as parsed; only entries in use are covered. */
struct csum csum_htree_node(const struct htree_node *node, u32 inode_seed);
/* A block of xattrs; blk is where it lies. */
struct csum csum_xattr_block(struct span block, u32 fs_seed, u64 blk);
/* The value of an EA inode, kept in its access time. */
u32 csum_xattr_value(struct span value, u32 fs_seed);
/* Bitmap blocks; the sums are in the descriptor, 16 or 32 bits; off is 0. */
struct csum csum_block_bitmap(struct span block, u32 fs_seed,
			      const struct geom *g, const struct gdesc *gd);
struct csum csum_inode_bitmap(struct span block, u32 fs_seed,
			      const struct geom *g, const struct gdesc *gd);
/* A block of the orphan file, seeded by that file; blk is where it lies. */
struct csum csum_orphan_block(struct span block, u32 inode_seed, u64 blk);
/* The MMP block. */
struct csum csum_mmp(struct span block, u32 fs_seed);

#endif
