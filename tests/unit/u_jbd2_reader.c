/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader: what a transaction is made of, logs that try to be endless, and
 * any bytes, with right checksums so that they get far.
 */
#include "jbd2/reader.h"

#include "jbd2/replay.h"
#include "tests/lib/jlog.h"
#include "tests/lib/tap.h"

enum { BS = 1024, NR = 64 };

static struct jlog l;
static struct jbd2_journal j;

static void fill(enum jbd2_csum_kind csum)
{
	struct jlog_args args = {.bs = BS, .nr_blks = NR, .sequence = 5,
				 .start = 60, .csum = csum};

	jlog_open(&l, &args);
}

/* Reads all; how many transactions, and why it ended. */
static u32 nr_read(enum jbd2_end *end)
{
	struct jbd2_txn txn = {0};
	struct jbd2_log log = jlog_log(&l);
	struct jbd2_reader r;
	bool found = true;
	u32 nr = 0;

	l.nr_reads = 0;
	if (jbd2_journal_load(&log, &j) || jbd2_reader_init(&r, &j, true))
		printf("Bail out! no reader\n");
	while (found) {
		if (jbd2_reader_next(&r, &txn, &found))
			printf("Bail out! the reader failed\n");
		nr += found;
	}
	*end = r.end;
	jbd2_txn_done(&txn);
	jbd2_reader_done(&r);
	return nr;
}

static void test_parts(void)
{
	u64 blks[] = {1000, 1003, 7}, revoked[] = {4, 5};
	struct jbd2_log log;
	struct jbd2_txn txn = {0};
	struct jbd2_reader r;
	bool found;

	fill(JBD2_CSUM_V3);
	jlog_write(&l, blks, 3);
	jlog_revoke(&l, revoked, 2);
	jlog_commit(&l);
	jlog_write(&l, blks, 1);
	log = jlog_log(&l);
	tap_ok(!jbd2_journal_load(&log, &j) && !jbd2_reader_init(&r, &j, true) &&
	       !jbd2_reader_next(&r, &txn, &found) && found, "a transaction");
	tap_ok(txn.tid == 5 && txn.is_committed && !txn.defects, "it is good");
	tap_ok(txn.tags.nr == 3 && txn.tags.at[0].blk == 1000 &&
	       txn.tags.at[1].blk == 1003 && txn.tags.at[2].blk == 7, "blocks");
	tap_ok(txn.tags.at[0].logblk == 61 && txn.tags.at[2].logblk == 63,
	       "and where they are");
	tap_ok(txn.tags.at[1].flags == (JBD2_TAG_ESCAPED | JBD2_TAG_SAME_UUID) &&
	       txn.tags.at[2].flags & JBD2_TAG_LAST, "flags");
	tap_ok(txn.revoke_logblks.nr == 1 && txn.revoke_logblks.at[0] == 1,
	       "a revoke block after the end of the ring");
	tap_ok(txn.first_logblk == 60 && txn.commit_logblk == 2 &&
	       txn.commit.sec == 1000 && txn.commit.nsec == 999, "its commit");
	tap_ok(!jbd2_reader_next(&r, &txn, &found) && !found &&
	       txn.tags.nr == 1 && r.end == JBD2_END_MAGIC &&
	       r.end_logblk == 5, "what is left of the next one");
	tap_ok(!jbd2_reader_next(&r, &txn, &found) && !found, "it stays ended");
	jbd2_txn_done(&txn);
	jbd2_reader_done(&r);
	jlog_close(&l);
}

static void test_endless(void)
{
	enum jbd2_end end;
	u64 blk = 9;

	fill(JBD2_CSUM_NONE);
	for (u32 i = 0; i < NR - 1; i++)
		jlog_revoke(&l, &blk, 1);
	tap_ok(nr_read(&end) == 0 && end == JBD2_END_ROUND && l.nr_reads == NR,
	       "only revoke blocks, all round");
	jlog_close(&l);
	fill(JBD2_CSUM_NONE);
	/* One tag, whose data is the next descriptor. */
	jlog_write(&l, &blk, 1);
	for (u32 i = 1; i < NR - 1; i++)
		memcpy(jlog_block(&l, jlog_at(&l, i)), jlog_block(&l, 60), BS);
	tap_ok(nr_read(&end) == 0 && end == JBD2_END_ROUND && l.nr_reads <= NR,
	       "descriptors that describe each other");
	jlog_close(&l);
	fill(JBD2_CSUM_NONE);
	jlog_revoke(&l, &blk, 1);
	/* A descriptor without a last tag, of more blocks than there are. */
	jlog_write(&l, &blk, 1);
	for (u32 off = 12; off + 8 < BS; off += 8)
		jlog_put_be(jlog_block(&l, 61) + off + 4, 2, 4);
	tap_ok(nr_read(&end) == 0 && end == JBD2_END_ROUND,
	       "more data than the log has blocks");
	jlog_close(&l);
	fill(JBD2_CSUM_NONE);
	for (u32 i = 0; i < NR - 1; i++)
		jlog_commit(&l);
	tap_ok(nr_read(&end) == NR - 1 && end == JBD2_END_ROUND,
	       "a log that is full to the last block");
	jlog_close(&l);
}

static u32 random_next(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Headers that fit, everything else random, sealed. */
static void scramble(u32 *rnd)
{
	static const u8 types[] = {1, 1, 1, 2, 2, 5, 5, 4};

	for (u32 n = 0; n < NR - 1; n++) {
		u8 *block = jlog_block(&l, jlog_at(&l, n));

		for (u32 i = 0; i < BS; i++)
			block[i] = (u8)random_next(rnd);
		jlog_put_be(block, 0xC03B3998, 4);
		jlog_put_be(block + 4, types[random_next(rnd) % 8], 4);
		jlog_put_be(block + 8, 5 + random_next(rnd) % 2, 4);
		/* Few tags a descriptor; small counts in revoke blocks. */
		if (block[7] == 1)
			block[12 + 7] |= (u8)(random_next(rnd) & 8);
		if (block[7] == 5)
			jlog_put_be(block + 12, random_next(rnd) % 1100, 4);
		jlog_seal(&l, jlog_at(&l, n));
	}
}

static void test_any_bytes(void)
{
	u32 rnd = 1, bad = 0, nr_replayed = 0;

	for (u32 round = 0; round < 2000; round++) {
		struct jbd2_plan plan;
		struct jbd2_log log;

		fill((enum jbd2_csum_kind)(round % 4));
		scramble(&rnd);
		log = jlog_log(&l);
		l.nr_reads = 0;
		if (jbd2_journal_load(&log, &j) ||
		    jbd2_plan_make(&j, 1ull << 32, &plan)) {
			bad++;
			jlog_close(&l);
			continue;
		}
		/* Three walks, and v1 and checks read each data block. */
		if (l.nr_reads > 5 * NR || plan.writes.nr > NR)
			bad++;
		nr_replayed += plan.scan.nr_txns;
		jbd2_plan_done(&plan);
		jlog_close(&l);
	}
	tap_is_u64(bad, 0, "2000 logs of random bytes");
	tap_ok(nr_replayed > 100, "some of which were worth replaying");
}

static void test_order(void)
{
	tap_ok(jbd2_tid_after(2, 1) && !jbd2_tid_after(1, 2) &&
	       !jbd2_tid_after(1, 1), "transaction ids have an order");
	tap_ok(jbd2_tid_after(1, UINT32_MAX) && !jbd2_tid_after(UINT32_MAX, 1),
	       "around their end too");
	for (int e = JBD2_END_NOT_YET; e <= JBD2_END_STALE; e++)
		tap_ok(jbd2_end_text((enum jbd2_end)e)[0], "an end has a text");
}

int main(void)
{
	test_parts();
	test_endless();
	test_any_bytes();
	test_order();
	return tap_done();
}
