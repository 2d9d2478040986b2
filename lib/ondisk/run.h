/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of a file that follow each other on disk too. A file's map as a list
 * of them, ascending by lblk, is what the readers of maps hand to the users of
 * files, which need not know extents or indirect blocks.
 */
#ifndef ONDISK_RUN_H
#define ONDISK_RUN_H

#include "base/types.h"

struct run {
	u64 lblk; /* first block in the file */
	u64 pblk; /* where it lies */
	u64 nr_blks;
	bool unwritten; /* reads as zeroes for users of the file */
};

#endif
