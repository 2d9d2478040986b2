/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes kept aside: whole blocks by number, the newest copy of each. Blocks
 * beyond a memory cap go to an unlinked temporary file. An image that has an
 * overlay (image_set_overlay) reads through it. Nothing here touches the image.
 *
 * Threads: overlay_put() and overlay_clear() want the overlay for themselves.
 * While nobody changes it, any number of threads may read it. So it is filled
 * before a scan starts, or between scans, never during one.
 */
#ifndef IO_OVERLAY_H
#define IO_OVERLAY_H

#include "base/err.h"
#include "base/types.h"

struct overlay;

struct overlay_args {
	u32 block_bytes;
	u64 memory_max_bytes; /* of copies held in memory; 0: all in the file */
	const char *tmp_dir;  /* for the temporary file; NULL: /tmp */
};

/* What overlay_each() calls; bytes is one block, valid until it returns. */
typedef errcode_t overlay_visit_fn(void *arg, u64 blk, const u8 *bytes);

/* Errors: ENOMEM, EINVAL for a block size of 0. No file is made yet. */
errcode_t overlay_open(const struct overlay_args *args,
		       struct overlay **out) LB_MUST_CHECK;
void overlay_close(struct overlay *o);
/* Keeps a copy of the block. Errors: ENOMEM, errno of the temporary file. */
errcode_t overlay_put(struct overlay *o, u64 blk,
		      const void *bytes) LB_MUST_CHECK;
/* Drops everything. */
void overlay_clear(struct overlay *o);
bool overlay_has(const struct overlay *o, u64 blk);
/* The block's bytes; the block must be here. Error: errno of the file. */
errcode_t overlay_get(const struct overlay *o, u64 blk,
		      void *bytes) LB_MUST_CHECK;
/*
 * How far the state at byte off reaches, at most len bytes: *is_here says
 * whether these bytes are kept here. len must not be 0.
 */
size_t overlay_reach(const struct overlay *o, u64 off, size_t len,
		     bool *is_here);
/* Copies kept bytes, which may span blocks; all must be here. */
errcode_t overlay_read(const struct overlay *o, u64 off, void *buf,
		       size_t len) LB_MUST_CHECK;
/* Calls visit for each block, ascending; stops at its first error. */
errcode_t overlay_each(const struct overlay *o, overlay_visit_fn *visit,
		       void *arg) LB_MUST_CHECK;
u64 overlay_nr_blks(const struct overlay *o);
u32 overlay_block_bytes(const struct overlay *o);
/* Memory held by copies, and blocks in the file: for reports and tests. */
u64 overlay_memory_bytes(const struct overlay *o);
u64 overlay_nr_spilled(const struct overlay *o);

#endif
