/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted list. It is sorted and thinned whenever it has doubled, so memory
 * follows the number of different blocks, not of records.
 */
#include "jbd2/revoke.h"

#include <errno.h>

#include "base/banned.h"

enum { FIRST_SORT_AT = 4096 };

/* By block; of one block the latest transaction first. */
static int compare(const void *a, const void *b)
{
	const struct jbd2_revoked *x = a, *y = b;

	if (x->blk != y->blk)
		return x->blk > y->blk ? 1 : -1;
	if (x->tid == y->tid)
		return 0;
	return jbd2_tid_after(x->tid, y->tid) ? -1 : 1;
}

void jbd2_revoke_sort(struct jbd2_revoke_table *t)
{
	struct jbd2_revoked *at = t->list.at;
	size_t nr = 0;

	if (!t->list.nr)
		return;
	qsort(at, t->list.nr, sizeof(*at), compare);
	for (size_t i = 0; i < t->list.nr; i++)
		if (!nr || at[i].blk != at[nr - 1].blk)
			at[nr++] = at[i];
	t->list.nr = nr;
}

errcode_t jbd2_revoke_add(struct jbd2_revoke_table *t, u64 blk, u32 tid)
{
	struct jbd2_revoked record = {.blk = blk, .tid = tid};
	errcode_t rc;

	if (!t->sort_at)
		t->sort_at = FIRST_SORT_AT;
	if (t->list.nr >= t->sort_at) {
		jbd2_revoke_sort(t);
		t->sort_at = t->list.nr * 2 + FIRST_SORT_AT;
	}
	rc = vec_reserve(&t->list, 1);
	if (!rc)
		vec_add(&t->list, record);
	return rc;
}

static errcode_t add_block(struct jbd2_revoke_table *t,
			   const struct jbd2_journal *j, const u8 *block,
			   u32 tid)
{
	struct span bytes = span_of(block, j->log->block_bytes);
	errcode_t rc = 0;
	u64 blk;

	for (u32 i = 0; !rc && jbd2_revoke_get(&j->format, bytes, i, &blk); i++)
		rc = jbd2_revoke_add(t, blk, tid);
	return rc;
}

errcode_t jbd2_revoke_add_txn(struct jbd2_revoke_table *t,
			      const struct jbd2_journal *j,
			      const struct jbd2_txn *txn)
{
	u8 *block;
	errcode_t rc = 0;

	if (!txn->revoke_logblks.nr)
		return 0;
	block = malloc(j->log->block_bytes);
	if (!block)
		return ENOMEM;
	for (size_t i = 0; !rc && i < txn->revoke_logblks.nr; i++) {
		rc = jbd2_log_read(j->log, txn->revoke_logblks.at[i], block);
		if (!rc)
			rc = add_block(t, j, block, txn->tid);
	}
	free(block);
	return rc;
}

bool jbd2_revoke_hits(const struct jbd2_revoke_table *t, u64 blk, u32 tid)
{
	size_t lo = 0, hi = t->list.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct jbd2_revoked *r = &t->list.at[mid];

		if (r->blk == blk)
			return !jbd2_tid_after(tid, r->tid);
		if (r->blk < blk)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

void jbd2_revoke_done(struct jbd2_revoke_table *t)
{
	vec_free(&t->list);
	t->sort_at = 0;
}
