/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block map of ext2/3: 12 direct pointers, then one each of 1, 2 and 3
 * levels, all le32, 0 a hole. Arithmetic and pointer checks; nothing here
 * follows a pointer. Spec: "Direct/Indirect Block Addressing".
 */
#ifndef ONDISK_INDIRECT_H
#define ONDISK_INDIRECT_H

#include "base/span.h"
#include "ondisk/geom.h"

enum {
	INDIRECT_NR_DIRECT = 12,
	INDIRECT_NR_SLOTS = 15,	  /* le32 in an inode's map */
	INDIRECT_LEVELS_MAX = 3,
};

/* Pointers in a map block. */
static inline u32 indirect_ptrs(const struct geom *g)
{
	return g->block_bytes / 4;
}

/* Levels of map blocks below slot 0..14 of the inode: 0 for direct ones. */
unsigned indirect_slot_level(unsigned slot);
/*
 * Data blocks reached by one pointer at this many levels above the data:
 * 1, ptrs, ptrs^2, ptrs^3 for 0..3.
 */
u64 indirect_reach(const struct geom *g, unsigned level);
/* The first logical block a slot reaches. */
u64 indirect_slot_lblk(const struct geom *g, unsigned slot);
/* Map blocks of a file whose first nr_blks blocks are all mapped. */
u64 indirect_nr_map_blks(const struct geom *g, u64 nr_blks);

/* The way to a logical block: a slot, then an index in each map block. */
struct indirect_path {
	unsigned slot;
	unsigned nr; /* levels, 0..3 */
	u32 idx[INDIRECT_LEVELS_MAX];
};

/* False when lblk is beyond what the map reaches. */
bool indirect_path(const struct geom *g, u64 lblk, struct indirect_path *path);

struct indirect_ptr {
	u32 idx;
	u32 pblk;	/* not 0 */
	bool is_inside; /* of the filesystem, past its superblock */
};

/*
 * The first pointer at or after *idx that is no hole, in a map block or the
 * 60 bytes of an inode; *idx becomes the one after it. False at the end.
 */
bool indirect_next(struct span map, const struct geom *g, u32 *idx,
		   struct indirect_ptr *ptr);

#endif
