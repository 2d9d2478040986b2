/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges the transactions of a log one after the other. */
#include "jbd2/scan.h"

#include "base/banned.h"

/* What the judge remembers between transactions. */
struct judge {
	struct jbd2_scan *scan;
	bool is_async;
	bool is_v1;
	u64 last_sec;	/* of the last good commit */
	bool end_known; /* async: a bad commit was met, and passed over */
	u32 count_tid, count_logblk; /* first overfull revoke block */
	bool count_bad;
};

const char *jbd2_failure_text(enum jbd2_failure failure)
{
	static const char *const text[] = {
		[JBD2_FAIL_NONE] = "none",
		[JBD2_FAIL_COMMIT] = "wrong checksum of a commit block",
		[JBD2_FAIL_DESCRIPTOR] = "wrong checksum of a descriptor block",
		[JBD2_FAIL_REVOKE] = "wrong checksum of a revoke block",
		[JBD2_FAIL_COUNT] = "a revoke block names more than it can hold",
	};

	return text[failure];
}

static void fail(struct jbd2_scan *scan, enum jbd2_state state,
		 enum jbd2_failure failure, const struct jbd2_txn *txn)
{
	scan->state = state;
	scan->failure = failure;
	scan->failed_tid = txn->tid;
	scan->failed_logblk = txn->bad_logblk;
}

/*
 * A descriptor or revoke block with a wrong checksum: a leftover of an older
 * use of the log if its commit is older, otherwise damage.
 */
static bool judge_blocks(struct judge *g, const struct jbd2_txn *txn)
{
	if (txn->commit.sec < g->last_sec)
		g->scan->end = JBD2_END_STALE;
	else
		fail(g->scan, JBD2_REFUSED,
		     txn->defects & JBD2_TXN_BAD_DESCRIPTOR
			     ? JBD2_FAIL_DESCRIPTOR
			     : JBD2_FAIL_REVOKE,
		     txn);
	return false;
}

static bool judge_bad_commit(struct judge *g, const struct jbd2_txn *txn)
{
	if (txn->commit.sec < g->last_sec) {
		g->scan->end = JBD2_END_STALE;
		return false;
	}
	if (g->end_known)
		return true;
	g->end_known = true;
	/* Asynchronous: it may be just the commit that was interrupted. */
	fail(g->scan, g->is_async ? JBD2_COMPLETE : JBD2_CUT, JBD2_FAIL_COMMIT,
	     txn);
	return g->is_async;
}

/* Whether to look at the next transaction. */
static bool judge_txn(struct judge *g, const struct jbd2_txn *txn)
{
	struct jbd2_scan *scan = g->scan;

	if (txn->defects & (JBD2_TXN_BAD_DESCRIPTOR | JBD2_TXN_BAD_REVOKE))
		return judge_blocks(g, txn);
	if (g->end_known && g->is_v1) {
		/* Something came after it: it was no interrupted commit. */
		scan->state = JBD2_CUT;
		return false;
	}
	if (txn->defects & JBD2_TXN_BAD_COMMIT)
		return judge_bad_commit(g, txn);
	g->last_sec = txn->commit.sec;
	if (g->end_known) {
		scan->state = JBD2_CUT;
		return true;
	}
	if (txn->defects & JBD2_TXN_BAD_COUNT && !g->count_bad) {
		g->count_bad = true;
		g->count_tid = txn->tid;
		g->count_logblk = txn->bad_logblk;
	}
	if (txn->defects & JBD2_TXN_PARTIAL_COMMIT)
		scan->nr_partial_commits++;
	scan->nr_txns++;
	return true;
}

/* What only the whole walk tells. */
static void conclude(struct judge *g, const struct jbd2_reader *r)
{
	struct jbd2_scan *scan = g->scan;

	scan->end_tid = scan->first_tid + scan->nr_txns;
	if (!scan->end && scan->state == JBD2_COMPLETE)
		scan->end = r->end;
	if (g->count_bad && scan->state != JBD2_REFUSED) {
		scan->state = JBD2_REFUSED;
		scan->failure = JBD2_FAIL_COUNT;
		scan->failed_tid = g->count_tid;
		scan->failed_logblk = g->count_logblk;
	}
	/* An asynchronous commit that was cut off is no damage. */
	if (scan->state == JBD2_COMPLETE)
		scan->failure = JBD2_FAIL_NONE;
	scan->next_sequence = scan->end_tid + 1;
	if (scan->state == JBD2_REFUSED) {
		scan->nr_txns = 0;
		scan->end_tid = scan->first_tid;
		scan->next_sequence = r->tid + 1;
	}
}

static errcode_t walk(struct judge *g, struct jbd2_reader *r)
{
	struct jbd2_scan *scan = g->scan;
	struct jbd2_txn txn = {0};
	bool found, more = true;
	errcode_t rc = 0;

	scan->end_logblk = r->next;
	while (!rc && more) {
		rc = jbd2_reader_next(r, &txn, &found);
		if (!rc && !found)
			scan->nr_unfinished = (u32)txn.tags.nr;
		more = !rc && found && judge_txn(g, &txn);
		if (more && !g->end_known)
			scan->end_logblk = r->next;
	}
	jbd2_txn_done(&txn);
	return rc;
}

errcode_t jbd2_scan(const struct jbd2_journal *j, struct jbd2_scan *scan)
{
	struct judge g = {
		.scan = scan,
		.is_async = j->format.is_async,
		.is_v1 = j->format.csum == JBD2_CSUM_V1,
	};
	struct jbd2_reader r;
	errcode_t rc;

	*scan = (struct jbd2_scan){
		.state = JBD2_CLEAN,
		.first_tid = j->sb.sequence,
		.end_tid = j->sb.sequence,
		.next_sequence = j->sb.sequence + 1,
	};
	rc = jbd2_reader_init(&r, j, true);
	if (rc || !j->sb.start)
		goto out;
	scan->state = JBD2_COMPLETE;
	rc = walk(&g, &r);
	if (!rc)
		conclude(&g, &r);
out:
	jbd2_reader_done(&r);
	return rc;
}
