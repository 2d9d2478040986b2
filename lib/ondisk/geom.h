/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of a filesystem, and every conversion between bytes, blocks,
 * clusters and groups in the project. A value made once and then const; a
 * geom that exists is possible: no division by zero, no overflow below.
 */
#ifndef ONDISK_GEOM_H
#define ONDISK_GEOM_H

#include "base/err.h"
#include "ondisk/super.h"

struct geom {
	u32 block_bytes;   /* 1024..65536, power of two */
	u32 cluster_bytes; /* == block_bytes without bigalloc */
	u32 cluster_blks;  /* blocks in a cluster */
	u32 first_data_blk;
	u64 nr_blocks;
	u32 blks_per_group; /* as laid out on disk */
	u32 clusters_per_group;
	u32 inodes_per_group;
	u32 nr_groups;
	u32 nr_inodes;
	u32 first_ino; /* the first that is not reserved; as on disk */
	u32 inode_bytes;
	u32 desc_bytes; /* 32 without the 64bit feature */
	u32 desc_per_block;
	u32 nr_desc_blks;
	u32 reserved_gdt_blks;
	u32 first_meta_bg;
	u32 backup_bgs[2]; /* with sparse_super2 */
	struct features features;
};

/* Most clusters a bitmap block of this size could map. */
static inline u32 geom_bits_per_block(const struct geom *g)
{
	return g->block_bytes * 8;
}

/*
 * Errors LB_E_GEOM_*: the numbers cannot describe a filesystem. That the
 * kernel may still refuse one with a geom is lib/lbs's matter.
 */
errcode_t geom_from_super(const struct super *sb, struct geom *g) LB_MUST_CHECK;
u64 geom_bytes(const struct geom *g);
/* First block of a group; grp < nr_groups. */
u64 geom_group_first_blk(const struct geom *g, u32 grp);
/* Blocks in a group: blks_per_group but for the last. */
u32 geom_group_nr_blks(const struct geom *g, u32 grp);
u32 geom_group_nr_clusters(const struct geom *g, u32 grp);
/* Whether the group holds a copy of the superblock (group 0 included). */
bool geom_group_has_super(const struct geom *g, u32 grp);
/* Groups but 0 that hold a copy. */
u32 geom_nr_backups(const struct geom *g);
/* The first block of the first backup, 0 if there is none. */
u64 geom_first_backup_blk(const struct geom *g);
/* Bits of a full group's block bitmap that must be set as padding. */
u32 geom_bitmap_padding_bits(const struct geom *g);
/* Bytes of the block bitmap that its checksum covers. */
u32 geom_bitmap_csum_bytes(const struct geom *g);
/* Block that holds the descriptor of grp, and the byte offset in it. */
u64 geom_desc_blk(const struct geom *g, u32 grp);
u32 geom_desc_offset(const struct geom *g, u32 grp);

#endif
