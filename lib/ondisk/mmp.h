/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block of multiple mount protection: who has the filesystem open. Reading
 * and deciding; waiting and writing is not here. Spec: "Multiple Mount
 * Protection".
 */
#ifndef ONDISK_MMP_H
#define ONDISK_MMP_H

#include "base/span.h"
#include "ondisk/geom.h"

enum {
	MMP_BYTES = 1024,
	MMP_MAGIC = 0x004D4D50,
	MMP_NODE_BYTES = 64,
	MMP_DEVICE_BYTES = 32,
	MMP_INTERVAL_MIN = 5,	/* seconds */
	MMP_INTERVAL_MAX = 300,
};

enum mmp_state {
	MMP_CLEAN,   /* nobody has it open */
	MMP_FSCK,    /* a check is running, or died */
	MMP_LIVE,    /* mounted, or was when the machine died */
	MMP_UNKNOWN, /* a value nobody writes: do not touch */
};

enum mmp_defect {
	MMP_BAD_MAGIC = 1u << 0,
	MMP_BAD_SEQ = 1u << 1,	    /* MMP_UNKNOWN */
	MMP_BAD_INTERVAL = 1u << 2, /* above 300 seconds */
};

struct mmp {
	u32 magic;
	u32 seq;
	u64 time; /* seconds from 1970, for information */
	char node[MMP_NODE_BYTES + 1];	   /* as written, for information; */
	char device[MMP_DEVICE_BYTES + 1]; /* may hold any byte */
	u16 check_interval; /* seconds */
};

/* Decodes MMP_BYTES bytes; a short span gives zeroes. */
void mmp_parse(struct span block, struct mmp *mmp);
u32 mmp_check(const struct mmp *mmp);
enum mmp_state mmp_state(const struct mmp *mmp);
/* Seconds after which a live user has changed the block. */
u32 mmp_wait_seconds(const struct mmp *mmp, u16 sb_interval);
/* Whether the superblock's number of the block is possible. */
bool mmp_blk_is_possible(const struct geom *g, u64 blk);

#endif
