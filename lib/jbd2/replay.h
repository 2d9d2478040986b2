/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recovery writes: a plan, in the order of the log, and its application
 * to an overlay. The image itself is never written. Revoked copies are left
 * out; what the log cannot give is a loss, and the rest goes on.
 */
#ifndef JBD2_REPLAY_H
#define JBD2_REPLAY_H

#include "base/vec.h"
#include "io/overlay.h"
#include "jbd2/scan.h"

struct jbd2_write {
	u64 blk; /* in the filesystem */
	u32 logblk;
	u32 tid;
	bool escaped;
};

enum jbd2_loss_why {
	JBD2_LOSS_CSUM,	    /* the copy's checksum is wrong */
	JBD2_LOSS_OUTSIDE,  /* the block lies beyond the filesystem */
	JBD2_LOSS_IN_LOG,   /* the block is one of the journal's own */
	JBD2_LOSS_UNMAPPED, /* the log has a hole where the copy should be */
};

struct jbd2_loss {
	u64 blk;
	u32 logblk;
	u32 tid;
	enum jbd2_loss_why why;
};

struct jbd2_plan {
	struct jbd2_scan scan;
	VEC(struct jbd2_write) writes; /* a block may be written repeatedly */
	VEC(struct jbd2_loss) losses;
	u64 nr_revoked; /* copies left out */
};

/*
 * Scans the log and makes the plan for a filesystem of nr_fs_blks blocks. A
 * clean log or one that may not be replayed gives no writes; plan->scan says
 * why. Errors: LB_E_JBD2_UNUSABLE, of reading, ENOMEM. End with _done.
 */
errcode_t jbd2_plan_make(const struct jbd2_journal *j, u64 nr_fs_blks,
			 struct jbd2_plan *plan) LB_MUST_CHECK;
void jbd2_plan_done(struct jbd2_plan *plan);
/*
 * Puts the last copy of each block into the overlay, which must have the
 * journal's block size and not be the log's image's own yet. Errors: EINVAL,
 * of reading, of overlay_put().
 */
errcode_t jbd2_plan_apply(const struct jbd2_journal *j,
			  const struct jbd2_plan *plan,
			  struct overlay *overlay) LB_MUST_CHECK;
const char *jbd2_loss_text(enum jbd2_loss_why why);

#endif
