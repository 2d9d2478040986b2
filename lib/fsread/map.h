/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads through an image what ondisk decodes: an inode from its table, and the
 * whole map of a file, extent tree or indirect blocks, as a list of runs. Any
 * bytes end: levels fall, logical blocks rise, and no map block is read twice.
 */
#ifndef FSREAD_MAP_H
#define FSREAD_MAP_H

#include "base/vec.h"
#include "io/image.h"
#include "ondisk/inode.h"
#include "ondisk/run.h"

enum fsread_map_defect {
	FSREAD_MAP_NONE = 1u << 0,	 /* the inode has no map of blocks */
	FSREAD_MAP_NODE = 1u << 1,	 /* a head of the tree is impossible */
	FSREAD_MAP_ENTRY = 1u << 2,	 /* an entry is: it was left out */
	FSREAD_MAP_TWICE = 1u << 3,	 /* a map block is used twice */
	FSREAD_MAP_UNREADABLE = 1u << 4, /* a map block lies past the image */
};

struct fsread_map {
	VEC(struct run) runs; /* ascending, not overlapping, joined */
	u64 nr_blks;	      /* mapped by runs */
	u64 nr_map_blks;      /* blocks of the map itself */
	u32 defects;
	u32 extent_defects; /* enum extent_defect of all nodes and entries */
	u64 bad_blk;	    /* map block with the first defect; 0: the inode */
};

/* One filesystem to read from. */
struct fsread {
	const struct image *img;
	const struct geom *geom;
};

/*
 * Reads inode ino; *found false when its number or place is impossible.
 * Errors: of reading, ENOMEM.
 */
errcode_t fsread_inode(const struct fsread *fs, u32 ino, struct inode *inode,
		       bool *found) LB_MUST_CHECK;
/*
 * The superblock's copy of the journal inode's map and size; false when there
 * is none.
 */
bool fsread_journal_backup(const struct super *sb, struct inode *inode);
/*
 * Reads the map of a file. Damage is data: what is sound is in map->runs.
 * Errors: of reading, ENOMEM. End with _done.
 */
errcode_t fsread_map(const struct fsread *fs, const struct inode *inode,
		     struct fsread_map *map) LB_MUST_CHECK;
void fsread_map_done(struct fsread_map *map);

#endif
