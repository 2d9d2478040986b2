/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orphans: inodes to be deleted or cut at the next mount. They are kept in the
 * blocks of the orphan file (le32 numbers, 0 free, holes allowed), or in a list
 * through the deletion times of inodes that the superblock starts. Spec:
 * "Orphan file".
 */
#ifndef ONDISK_ORPHAN_H
#define ONDISK_ORPHAN_H

#include "base/span.h"
#include "ondisk/geom.h"
#include "ondisk/inode.h"

enum {
	ORPHAN_MAGIC = 0x0B10CA04,
	ORPHAN_TAIL_BYTES = 8,
	ORPHAN_FILE_BLKS_MAX = 512,
};

enum orphan_defect {
	ORPHAN_BAD_MAGIC = 1u << 0, /* of a block */
	ORPHAN_BAD_INO = 1u << 1, /* of an entry: reserved, or no such inode */
	/* of the file's inode */
	ORPHAN_BAD_FILE_TYPE = 1u << 2, /* no regular file of its own */
	ORPHAN_BAD_FILE_SIZE = 1u << 3, /* 0, not whole blocks, above 512 */
};

struct orphan_entry {
	u32 idx;
	u32 ino;
	u32 defects;
};

/* Entries of a block of this size. */
u32 orphan_nr_entries(const struct geom *g);
u32 orphan_block_check(struct span block);
u32 orphan_file_check(const struct inode *ino, const struct geom *g);
/*
 * The first entry at or after *idx that is not free; *idx becomes the one
 * after it. False at the end.
 */
bool orphan_next(struct span block, const struct geom *g, u32 *idx,
		 struct orphan_entry *e);
/* Whether an inode may be an orphan at all, in the file or on the list. */
bool orphan_ino_is_possible(const struct geom *g, u32 ino);

#endif
