/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A declared target instead of this machine: what a person says about the
 * kernel and device on which the filesystem will be mounted.
 */
#ifndef PROBE_TARGET_H
#define PROBE_TARGET_H

#include "probe/facts.h"

/*
 * What a target without a page size is judged for: the smallest pages any
 * Linux has, so the strictest.
 */
enum { TARGET_PAGE_BYTES = 4096 };

/* What was said; NULL or 0 or TRI_UNKNOWN where nothing was. */
struct target {
	const char *kernel; /* "6.19" */
	u64 page_bytes;
	enum tri large_blocks;
	u32 sector_bytes;
	enum tri dax;
};

bool target_is_declared(const struct target *t);
/* Whether it is a logical sector size a block device can have. */
bool target_sector_bytes_is_valid(u64 bytes);
/*
 * Puts the declaration in the place of the machine's facts. Naming a kernel,
 * page size or large-block support replaces the whole kernel part: what was
 * not said about it is derived from the version or unknown, never taken from
 * this machine. Without a page size it is TARGET_PAGE_BYTES, and the reason of
 * large_blocks says so; its feature list stays empty. Naming a sector size or
 * DAX replaces the whole device part likewise. Errors: EINVAL, f untouched, for
 * a kernel, page or sector size that cannot be.
 */
errcode_t target_apply(const struct target *t, struct facts *f) LB_MUST_CHECK;

#endif
