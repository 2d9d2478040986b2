/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules about what may be replayed: stale blocks, interrupted commits,
 * asynchronous commits, garbage in commit blocks, revoke blocks that lie.
 */
#include "jbd2/scan.h"

#include "tests/lib/jlog.h"
#include "tests/lib/tap.h"

enum { BS = 1024, NR = 200 };

static struct jlog l;
static u32 desc_at[8], revoke_at[8], commit_at[8];

static struct jlog_args args_of(enum jbd2_csum_kind csum, bool is_async)
{
	return (struct jlog_args){.bs = BS, .nr_blks = NR, .sequence = 100,
				  .csum = csum, .is_async = is_async};
}

/* n transactions of two blocks and a revoke each. */
static void fill(enum jbd2_csum_kind csum, bool is_async, u32 n)
{
	struct jlog_args args = args_of(csum, is_async);

	jlog_open(&l, &args);
	for (u32 t = 0; t < n; t++) {
		u64 blks[] = {10 + t, 20 + t}, revoked = 30 + t;

		desc_at[t] = l.next;
		jlog_write(&l, blks, 2);
		revoke_at[t] = l.next;
		jlog_revoke(&l, &revoked, 1);
		commit_at[t] = l.next;
		jlog_commit(&l);
	}
}

/* Scans and forgets the log. */
static struct jbd2_scan scanned(void)
{
	struct jbd2_log log = jlog_log(&l);
	struct jbd2_scan s;
	struct jbd2_journal j;

	memset(&s, 0xFF, sizeof(s));
	if (jbd2_journal_load(&log, &j) || jbd2_scan(&j, &s))
		printf("Bail out! no scan\n");
	jlog_close(&l);
	return s;
}

static void set_time(u32 logblk, u64 sec)
{
	jlog_put_be(jlog_block(&l, logblk) + 0x30, sec, 8);
	jlog_seal(&l, logblk);
}

static void spoil(u32 logblk, u32 off)
{
	jlog_block(&l, logblk)[off] ^= 0x10;
}

static void is_cut(const char *name, u32 nr, enum jbd2_state state, u32 failed)
{
	struct jbd2_scan s = scanned();
	bool same = tap_ok(s.state == state && s.nr_txns == nr &&
			   s.end_tid == 100 + nr &&
			   (!failed || s.failed_tid == failed) &&
			   !failed == !s.failure, name);

	if (!same)
		printf("#   state %d, %u transactions to %u, failure %d in "
		       "%u, end %d\n", (int)s.state, s.nr_txns, s.end_tid,
		       (int)s.failure, s.failed_tid, (int)s.end);
}

static void test_ends(void)
{
	struct jbd2_scan s;

	fill(JBD2_CSUM_V3, false, 3);
	s = scanned();
	tap_ok(s.end == JBD2_END_MAGIC && s.end_logblk == commit_at[2] + 1 &&
	       s.next_sequence == 104, "the log ends where nothing was written");
	fill(JBD2_CSUM_V3, false, 3);
	jlog_put_be(jlog_block(&l, desc_at[2]) + 8, 99, 4);
	s = scanned();
	tap_ok(s.end == JBD2_END_SEQUENCE && s.nr_txns == 2 &&
	       s.state == JBD2_COMPLETE, "at another sequence");
	fill(JBD2_CSUM_V3, false, 3);
	jlog_block(&l, desc_at[1])[7] = 9;
	s = scanned();
	tap_ok(s.end == JBD2_END_TYPE && s.nr_txns == 1, "at another type");
	fill(JBD2_CSUM_NONE, false, 3);
	l.hole = commit_at[2];
	s = scanned();
	tap_ok(s.end == JBD2_END_UNMAPPED && s.nr_txns == 2 &&
	       s.nr_unfinished == 2, "at a hole, with blocks not committed");
}

static void test_stale(void)
{
	fill(JBD2_CSUM_V3, false, 3);
	spoil(desc_at[1], 500);
	is_cut("a bad descriptor: nothing is replayed", 0, JBD2_REFUSED, 101);
	fill(JBD2_CSUM_V3, false, 3);
	spoil(desc_at[1], 500);
	set_time(commit_at[1], 999);
	is_cut("but an older commit: a stale block", 1, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V2, false, 3);
	spoil(desc_at[1], 500);
	set_time(commit_at[1], 1000);
	is_cut("of the same second it is damage", 0, JBD2_REFUSED, 101);
	fill(JBD2_CSUM_V2, false, 3);
	spoil(revoke_at[2], 500);
	is_cut("a bad revoke block", 0, JBD2_REFUSED, 102);
	fill(JBD2_CSUM_V2, false, 3);
	spoil(revoke_at[2], 500);
	spoil(commit_at[2], 8);
	is_cut("without its commit it does not matter", 2, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V3, false, 3);
	spoil(desc_at[0], 500);
	is_cut("a bad first descriptor is never stale", 0, JBD2_REFUSED, 100);
	fill(JBD2_CSUM_V3, false, 3);
	spoil(commit_at[1], 0x10);
	set_time(commit_at[0], 2000);
	is_cut("a bad commit that is older: stale", 1, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V1, false, 3);
	spoil(commit_at[1], 0x10);
	set_time(commit_at[0], 2000);
	is_cut("the same with v1", 1, JBD2_COMPLETE, 0);
	/* As debugfs writes it: as large numbers they still compare. */
	fill(JBD2_CSUM_V3, false, 3);
	set_time(commit_at[0], 5ull << 32);
	set_time(commit_at[1], 6ull << 32);
	set_time(commit_at[2], 7ull << 32);
	is_cut("times in the upper half", 3, JBD2_COMPLETE, 0);
}

static void test_commits(void)
{
	struct jbd2_scan s;

	fill(JBD2_CSUM_V3, false, 4);
	spoil(commit_at[1], 0x10);
	is_cut("a bad commit: those before it", 1, JBD2_CUT, 101);
	fill(JBD2_CSUM_V3, true, 4);
	spoil(commit_at[1], 0x10);
	is_cut("asynchronous: the end is the same", 1, JBD2_CUT, 101);
	fill(JBD2_CSUM_V3, true, 4);
	spoil(commit_at[1], 0x10);
	spoil(commit_at[2], 0x10);
	is_cut("a second one does not move it", 1, JBD2_CUT, 101);
	fill(JBD2_CSUM_V3, true, 4);
	spoil(commit_at[3], 0x10);
	is_cut("the last one may just be interrupted", 3, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V1, true, 4);
	spoil(desc_at[3] + 1, 100);
	is_cut("so may it with v1", 3, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V1, true, 4);
	spoil(desc_at[2] + 1, 100);
	is_cut("with v1 a later commit proves damage", 2, JBD2_CUT, 102);
	fill(JBD2_CSUM_V1, true, 4);
	spoil(desc_at[2] + 1, 100);
	spoil(desc_at[3] + 1, 100);
	is_cut("even when it is bad too", 2, JBD2_CUT, 102);
	fill(JBD2_CSUM_V1, false, 4);
	spoil(desc_at[2] + 1, 100);
	is_cut("v1 covers data", 2, JBD2_CUT, 102);
	fill(JBD2_CSUM_V1, false, 4);
	memset(jlog_block(&l, commit_at[1]) + 12, 0, 8);
	spoil(desc_at[1] + 1, 100);
	is_cut("v1: a commit block may have no sum", 4, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V3, false, 4);
	memset(jlog_block(&l, commit_at[1]) + 64, 0xAA, 200);
	s = scanned();
	tap_ok(s.state == JBD2_COMPLETE && s.nr_txns == 4 &&
	       s.nr_partial_commits == 1,
	       "garbage after the commit header is accepted");
	fill(JBD2_CSUM_V3, false, 4);
	memset(jlog_block(&l, commit_at[1]) + 60, 0xAA, 200);
	s = scanned();
	tap_ok(s.nr_txns == 4 && s.nr_partial_commits == 1,
	       "after its 60 bytes too");
	fill(JBD2_CSUM_V3, false, 4);
	jlog_block(&l, commit_at[1])[61] = 0xAA;
	jlog_seal(&l, commit_at[1]);
	memset(jlog_block(&l, commit_at[1]) + 64, 0xAA, 200);
	s = scanned();
	tap_ok(s.nr_txns == 4 && s.nr_partial_commits == 1,
	       "after a sum over padding, too");
	fill(JBD2_CSUM_V3, false, 4);
	jlog_block(&l, commit_at[1])[59] = 0xAA;
	is_cut("inside them it is not", 1, JBD2_CUT, 101);
}

static void test_counts(void)
{
	struct jbd2_scan s;

	fill(JBD2_CSUM_V3, false, 3);
	jlog_put_be(jlog_block(&l, revoke_at[1]) + 12, BS - 4, 4);
	jlog_seal(&l, revoke_at[1]);
	is_cut("a full revoke block", 3, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_V3, false, 3);
	jlog_put_be(jlog_block(&l, revoke_at[1]) + 12, BS - 3, 4);
	jlog_seal(&l, revoke_at[1]);
	s = scanned();
	tap_ok(s.state == JBD2_REFUSED && s.failure == JBD2_FAIL_COUNT &&
	       s.failed_tid == 101 && s.failed_logblk == revoke_at[1] &&
	       !s.nr_txns, "one that is fuller");
	fill(JBD2_CSUM_NONE, false, 3);
	jlog_put_be(jlog_block(&l, revoke_at[1]) + 12, BS, 4);
	is_cut("without sums it may use the whole block", 3, JBD2_COMPLETE, 0);
	fill(JBD2_CSUM_NONE, false, 3);
	jlog_put_be(jlog_block(&l, revoke_at[2]) + 12, UINT32_MAX, 4);
	spoil(commit_at[2], 8);
	is_cut("not committed it does not matter", 2, JBD2_COMPLETE, 0);
	for (int f = JBD2_FAIL_NONE; f <= JBD2_FAIL_COUNT; f++)
		tap_ok(jbd2_failure_text((enum jbd2_failure)f)[0],
		       "a failure has a text");
}

int main(void)
{
	test_ends();
	test_stale();
	test_commits();
	test_counts();
	return tap_done();
}
