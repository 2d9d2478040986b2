/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Revoked blocks, each with the latest transaction that revoked it: a copy
 * logged by that transaction or an earlier one must not be replayed.
 */
#ifndef JBD2_REVOKE_H
#define JBD2_REVOKE_H

#include "base/vec.h"
#include "jbd2/reader.h"

struct jbd2_revoked {
	u64 blk;
	u32 tid;
};

/* Starts zeroed. Filled first, then closed by _sort, then asked. */
struct jbd2_revoke_table {
	VEC(struct jbd2_revoked) list;
	size_t sort_at; /* length at which duplicates are thrown out */
};

/* Error: ENOMEM. */
errcode_t jbd2_revoke_add(struct jbd2_revoke_table *t, u64 blk,
			  u32 tid) LB_MUST_CHECK;
/* Adds the records of a transaction's revoke blocks, reading them again. */
errcode_t jbd2_revoke_add_txn(struct jbd2_revoke_table *t,
			      const struct jbd2_journal *j,
			      const struct jbd2_txn *txn) LB_MUST_CHECK;
void jbd2_revoke_sort(struct jbd2_revoke_table *t);
/* Whether a copy of blk logged by transaction tid is revoked. */
bool jbd2_revoke_hits(const struct jbd2_revoke_table *t, u64 blk, u32 tid);
void jbd2_revoke_done(struct jbd2_revoke_table *t);

#endif
