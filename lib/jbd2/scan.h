/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of a log a recovery may use: the rules about ends, stale blocks and
 * bad checksums. Changes nothing and reads each block once.
 */
#ifndef JBD2_SCAN_H
#define JBD2_SCAN_H

#include "jbd2/reader.h"

enum jbd2_state {
	JBD2_CLEAN,    /* start is 0: nothing to replay */
	JBD2_COMPLETE, /* every committed transaction is good */
	JBD2_CUT,      /* one is bad: those before it are replayed */
	JBD2_REFUSED,  /* one is bad in a way that nothing may be replayed */
};

enum jbd2_failure {
	JBD2_FAIL_NONE,
	JBD2_FAIL_COMMIT,     /* checksum of a commit block, or the v1 sum */
	JBD2_FAIL_DESCRIPTOR, /* checksum of a descriptor block */
	JBD2_FAIL_REVOKE,     /* checksum of a revoke block */
	JBD2_FAIL_COUNT,      /* a revoke block with more than it has room for */
};

struct jbd2_scan {
	enum jbd2_state state;
	u32 first_tid;
	u32 end_tid;	   /* the first that is not replayed */
	u32 next_sequence; /* for the superblock after the replay */
	u32 nr_txns;	   /* to be replayed: first_tid .. end_tid - 1 */
	u32 end_logblk;	   /* the log block after the last of them */
	enum jbd2_failure failure;
	u32 failed_tid;
	u32 failed_logblk;
	enum jbd2_end end;	/* why the walk ended; NOT_YET if at failure */
	u32 nr_partial_commits; /* accepted with garbage after their header */
	u32 nr_unfinished;	/* blocks described by a transaction cut off */
};

/* Errors: LB_E_JBD2_UNUSABLE, of reading, ENOMEM. */
errcode_t jbd2_scan(const struct jbd2_journal *j,
		    struct jbd2_scan *scan) LB_MUST_CHECK;
const char *jbd2_failure_text(enum jbd2_failure failure);

#endif
