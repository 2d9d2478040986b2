/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with a structure is a set of bits, named by the header of the
 * structure (EXTENT_BAD_ORDER, ...). Parsing never stops at a defect it can
 * step over and never reports; the caller maps bits to its own findings:
 *
 *	while ((bit = defect_take(&defects)) >= 0)
 *		finding_add(w, problem_of_extent[bit], ino, blk);
 */
#ifndef ONDISK_DEFECT_H
#define ONDISK_DEFECT_H

#include "base/types.h"

/* The number of the lowest bit, which is taken out; -1 when none is left. */
static inline int defect_take(u32 *defects)
{
	int bit;

	if (!*defects)
		return -1;
	bit = __builtin_ctz(*defects);
	*defects &= *defects - 1;
	return bit;
}

/* bit when it holds, for |= chains. */
static inline u32 defect_if(bool holds, u32 bit)
{
	return holds ? bit : 0;
}

#endif
