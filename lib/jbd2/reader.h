/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Iterator: the blocks of a log, as transactions, in order. It says what is
 * there and whether its checksums are right; what a recovery makes of that is
 * in scan.h. It never reads more blocks than the log has, so any bytes end.
 */
#ifndef JBD2_READER_H
#define JBD2_READER_H

#include "base/vec.h"
#include "jbd2/log.h"

enum jbd2_txn_defect {
	JBD2_TXN_BAD_DESCRIPTOR = 1u << 0, /* its checksum */
	JBD2_TXN_BAD_REVOKE = 1u << 1,	   /* its checksum */
	JBD2_TXN_BAD_COMMIT = 1u << 2,	   /* its checksum, or the v1 sum */
	JBD2_TXN_PARTIAL_COMMIT = 1u << 3, /* garbage after the commit header */
	JBD2_TXN_BAD_COUNT = 1u << 4,	   /* revoke block fuller than full */
};

/* One transaction; its arrays belong to the reader's caller. */
struct jbd2_txn {
	u32 tid;
	u32 first_logblk;
	bool is_committed; /* false only for what is left at the log's end */
	u32 commit_logblk;
	struct jbd2_commit commit;
	u32 defects;
	u32 bad_logblk; /* where the first defect is */
	VEC(struct jbd2_tag) tags;
	VEC(u32) revoke_logblks;
};

/* Why there is no further transaction. */
enum jbd2_end {
	JBD2_END_NOT_YET,
	JBD2_END_MAGIC,	   /* no header: never written, or data */
	JBD2_END_SEQUENCE, /* a header of another transaction */
	JBD2_END_TYPE,	   /* a header of unknown type */
	JBD2_END_ROUND,	   /* came round to where it began */
	JBD2_END_UNMAPPED, /* a hole in the log's file */
	JBD2_END_STALE,	   /* older than what came before (set by scan) */
};

struct jbd2_reader {
	const struct jbd2_journal *journal;
	bool verify; /* compute checksums */
	u32 next;    /* log block */
	u32 tid;
	u32 nr_left; /* log blocks that may still be looked at */
	u32 v1_sum;
	u8 *block; /* owned */
	u8 *data;  /* owned */
	enum jbd2_end end;
	u32 end_logblk;
};

/* Errors: ENOMEM, LB_E_JBD2_UNUSABLE. The caller ends with _done. */
errcode_t jbd2_reader_init(struct jbd2_reader *r,
			   const struct jbd2_journal *j,
			   bool verify) LB_MUST_CHECK;
void jbd2_reader_done(struct jbd2_reader *r);
/*
 * The next committed transaction; *found false at the end, then r->end says
 * why and *txn holds what an unfinished transaction left. txn starts zeroed
 * and may be reused. Errors: of reading, ENOMEM.
 */
errcode_t jbd2_reader_next(struct jbd2_reader *r, struct jbd2_txn *txn,
			   bool *found) LB_MUST_CHECK;
void jbd2_txn_done(struct jbd2_txn *txn);
/* Whether tid a comes after b; they wrap around. */
bool jbd2_tid_after(u32 a, u32 b);
/* A short text for a dump or a message. */
const char *jbd2_end_text(enum jbd2_end end);

#endif
