/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fast-commit areas: every record, every end, cut at every byte. */
#include "jbd2/fastcommit.h"

#include "base/crc.h"
#include "tests/lib/jlog.h"
#include "tests/lib/tap.h"

enum { BS = 1024, NR = 100, NR_FAST = 8, FIRST = NR - NR_FAST + 1, TID = 77 };

static const struct jbd2_fc_limits limits = {5000, 600, 256};

/* Writes records as the format says, its own sum included. */
struct area {
	struct jlog log;
	u32 blk;
	u32 off;
	u32 crc;
};

static struct area a;

static void open_area(void)
{
	struct jlog_args args = {.bs = BS, .nr_blks = NR, .nr_fast = NR_FAST,
				 .sequence = 70, .csum = JBD2_CSUM_V3};

	jlog_open(&a.log, &args);
	a.blk = FIRST;
	a.off = a.crc = 0;
}

static u8 *put_head(u16 tag, size_t len)
{
	u8 *at = jlog_block(&a.log, a.blk) + a.off;

	jlog_put_le(at, tag, 2);
	jlog_put_le(at + 2, len, 2);
	a.off += 4 + (u32)len;
	return at;
}

static void put(u16 tag, const void *value, size_t len)
{
	u8 *at;

	/* The next does not fit, or leaves no room for the head of a pad. */
	if (a.off + 4 + len + 4 > BS) {
		u32 rest = BS - a.off;

		at = put_head(JBD2_FC_PAD, rest - 4);
		a.crc = crc32c(a.crc, at, rest);
		a.blk++;
		a.off = 0;
	}
	at = put_head(tag, len);
	memcpy(at + 4, value, len);
	a.crc = crc32c(a.crc, at, 4 + len);
}

static void put_start(u32 tid)
{
	u8 v[8] = {0};

	jlog_put_le(v + 4, tid, 4);
	put(JBD2_FC_HEAD, v, sizeof(v));
}

/* short_by: older kernels end one byte before the block does. */
static void put_tail(u32 tid, u32 short_by)
{
	u8 *at = put_head(JBD2_FC_TAIL, BS - a.off - 4 - short_by);

	jlog_put_le(at + 4, tid, 4);
	a.crc = crc32c(a.crc, at, 8);
	jlog_put_le(at + 8, a.crc, 4);
	a.crc = 0;
	a.blk++;
	a.off = 0;
}

static void put_name(u16 tag, u32 parent, u32 ino, const char *name)
{
	u8 v[8 + 300];

	jlog_put_le(v, parent, 4);
	jlog_put_le(v + 4, ino, 4);
	memcpy(v + 8, name, strlen(name));
	put(tag, v, 8 + strlen(name));
}

static void put_inode(u32 ino, size_t len)
{
	u8 v[4 + 512];

	jlog_put_le(v, ino, 4);
	memset(v + 4, 0x5A, sizeof(v) - 4);
	put(JBD2_FC_INODE, v, 4 + len);
}

static void put_add(u32 ino, u32 lblk, u32 len, u64 pblk)
{
	u8 v[16];

	jlog_put_le(v, ino, 4);
	jlog_put_le(v + 4, lblk, 4);
	jlog_put_le(v + 8, len, 2);
	jlog_put_le(v + 10, pblk >> 32, 2);
	jlog_put_le(v + 12, pblk, 4);
	put(JBD2_FC_ADD_RANGE, v, 16);
}

static void put_del(u32 ino, u32 lblk, u32 nr)
{
	u8 v[12];

	jlog_put_le(v, ino, 4);
	jlog_put_le(v + 4, lblk, 4);
	jlog_put_le(v + 8, nr, 4);
	put(JBD2_FC_DEL_RANGE, v, 12);
}

static struct jbd2_fc scanned(void)
{
	struct jbd2_log log = jlog_log(&a.log);
	struct jbd2_fc fc = {0};
	struct jbd2_journal j;

	if (jbd2_journal_load(&log, &j) || jbd2_fc_scan(&j, TID, &limits, &fc))
		printf("Bail out! no scan\n");
	return fc;
}

/* Scans, compares, forgets. */
static void is_end(const char *name, enum jbd2_fc_end end, u32 nr_commits,
		   size_t nr_recs)
{
	struct jbd2_fc fc = scanned();

	if (!tap_ok(fc.end == end && fc.nr_commits == nr_commits &&
		    fc.recs.nr == nr_recs, name))
		printf("#   %s, %u commits, %zu records, block %u\n",
		       jbd2_fc_end_text(fc.end), fc.nr_commits, fc.recs.nr,
		       fc.end_logblk);
	jbd2_fc_done(&fc);
	jlog_close(&a.log);
}

static void put_all(void)
{
	put_start(TID);
	put_inode(12, 160);
	put_add(12, 3, 5, 400);
	put_add(12, 8, 32768 + 7, 1000);
	put_name(JBD2_FC_CREAT, 2, 12, "new");
	put_tail(TID, 0);
	put_name(JBD2_FC_LINK, 2, 12, "other");
	put_name(JBD2_FC_UNLINK, 2, 12, "new");
	put_del(12, 3, 2);
	put_inode(12, 256);
	put_tail(TID, 1);
}

static void test_records(void)
{
	struct jbd2_fc fc;
	const struct jbd2_fc_rec *r;

	open_area();
	put_all();
	fc = scanned();
	tap_ok(fc.nr_commits == 2 && fc.recs.nr == 8 && !fc.nr_dropped &&
	       fc.end == JBD2_FC_STOPPED && fc.end_logblk == FIRST + 2,
	       "two commits");
	r = fc.recs.at;
	tap_ok(r[0].tag == JBD2_FC_INODE && r[0].ino == 12 && r[0].len == 160 &&
	       fc.bytes.at[r[0].at] == 0x5A, "an inode");
	tap_ok(r[1].tag == JBD2_FC_ADD_RANGE && r[1].lblk == 3 &&
	       r[1].nr_blks == 5 && r[1].pblk == 400 && !r[1].unwritten,
	       "a range");
	tap_ok(r[2].nr_blks == 7 && r[2].unwritten, "an unwritten one");
	tap_ok(r[3].tag == JBD2_FC_CREAT && r[3].parent == 2 && r[3].ino == 12 &&
	       r[3].len == 3 && !memcmp(fc.bytes.at + r[3].at, "new", 3),
	       "a new name");
	tap_ok(r[4].tag == JBD2_FC_LINK && r[4].len == 5 &&
	       r[5].tag == JBD2_FC_UNLINK && r[5].logblk == FIRST + 1,
	       "names in the second commit");
	tap_ok(r[6].tag == JBD2_FC_DEL_RANGE && r[6].lblk == 3 &&
	       r[6].nr_blks == 2, "a range that goes");
	tap_ok(r[7].len == 256, "an inode of full size");
	jbd2_fc_done(&fc);
	jlog_close(&a.log);
}

static void test_area(void)
{
	open_area();
	is_end("an empty area", JBD2_FC_NONE, 0, 0);
	open_area();
	put_inode(12, 128);
	is_end("no head", JBD2_FC_NONE, 0, 0);
	open_area();
	memset(jlog_block(&a.log, FIRST), 0xFF, BS);
	is_end("garbage", JBD2_FC_NONE, 0, 0);
	open_area();
	put_start(TID - 1);
	put_tail(TID - 1, 0);
	is_end("of another transaction", JBD2_FC_OTHER_TID, 0, 0);
	open_area();
	put_start(TID);
	jlog_block(&a.log, FIRST)[4] = 1;
	is_end("a feature", JBD2_FC_FEATURES, 0, 0);
	open_area();
	put_start(TID);
	for (u32 i = 0; i < 3 * BS / 164; i++)
		put_inode(12, 160);
	put_tail(TID, 0);
	is_end("a commit over several blocks, with pads", JBD2_FC_STOPPED, 1,
	       3 * BS / 164);
	open_area();
	put_start(TID);
	for (u32 i = 0; i < NR_FAST - 1; i++) {
		put_inode(12, 160);
		put_tail(TID, 0);
	}
	is_end("a full area", JBD2_FC_FULL, NR_FAST - 1, NR_FAST - 1);
	open_area();
	put_all();
	a.log.hole = FIRST + 1;
	is_end("a hole", JBD2_FC_UNMAPPED, 1, 4);
	open_area();
	put_all();
	a.log.args.nr_fast = 0;
	is_end("without the feature", JBD2_FC_NONE, 0, 0);
}

static void test_tails(void)
{
	struct jbd2_fc fc;

	open_area();
	put_all();
	jlog_block(&a.log, FIRST + 1)[14] ^= 1;
	fc = scanned();
	tap_ok(fc.end == JBD2_FC_BAD_TAIL && fc.nr_commits == 1 &&
	       fc.recs.nr == 4 && fc.nr_dropped == 4,
	       "a wrong sum ends it before that commit");
	jbd2_fc_done(&fc);
	jlog_close(&a.log);
	open_area();
	put_start(TID);
	put_inode(12, 160);
	put_tail(TID, 0);
	put_inode(12, 160);
	put_tail(TID - 1, 0);
	is_end("a tail of another transaction", JBD2_FC_BAD_TAIL, 1, 1);
	open_area();
	put_start(TID);
	put_inode(12, 160);
	put_inode(13, 160);
	is_end("no tail at all", JBD2_FC_STOPPED, 0, 0);
}

/* One record after a good commit, and another good commit after it. */
static void is_bad(const char *name, u16 tag, const void *value, size_t len)
{
	open_area();
	put_start(TID);
	put_tail(TID, 0);
	put(tag, value, len);
	put_tail(TID, 0);
	is_end(name, JBD2_FC_BAD_REC, 1, 0);
}

static void bad_range(const char *name, u32 lblk, u32 len, u64 pblk)
{
	open_area();
	put_start(TID);
	put_tail(TID, 0);
	put_add(12, lblk, len, pblk);
	put_tail(TID, 0);
	is_end(name, JBD2_FC_BAD_REC, 1, 0);
}

static void bad_name(const char *name, u32 parent, u32 ino, const char *text)
{
	open_area();
	put_start(TID);
	put_tail(TID, 0);
	put_name(JBD2_FC_CREAT, parent, ino, text);
	put_tail(TID, 0);
	is_end(name, JBD2_FC_BAD_REC, 1, 0);
}

static void test_bad(void)
{
	static const u8 zero[400] = {0};
	char text[300];

	is_bad("a tag nobody knows", 10, zero, 8);
	is_bad("tag 0 with a value", 0, zero, 8);
	is_bad("a head of wrong length", JBD2_FC_HEAD, zero, 12);
	is_bad("a range of wrong length", JBD2_FC_ADD_RANGE, zero, 12);
	is_bad("a range that goes, too", JBD2_FC_DEL_RANGE, zero, 16);
	is_bad("an inode without a number", JBD2_FC_INODE, zero, 3);
	is_bad("inode 0", JBD2_FC_INODE, zero, 132);
	is_bad("a name without its numbers", JBD2_FC_LINK, zero, 7);
	bad_range("a range of no blocks", 0, 0, 100);
	bad_range("at block 0", 0, 1, 0);
	bad_range("beyond the filesystem", 0, 2, 4999);
	bad_range("beyond the last block a file has", UINT32_MAX, 1, 100);
	bad_name("inode beyond the last", 2, 601, "x");
	bad_name("parent 0", 0, 12, "x");
	bad_name("no name", 2, 12, "");
	bad_name("a slash", 2, 12, "a/b");
	bad_name("the folder itself", 2, 12, ".");
	bad_name("its parent", 2, 12, "..");
	memset(text, 'n', sizeof(text));
	text[256] = '\0';
	bad_name("a long name", 2, 12, text);
	text[255] = '\0';
	open_area();
	put_start(TID);
	put_name(JBD2_FC_CREAT, 2, 600, text);
	put_name(JBD2_FC_LINK, 2, 600, "..x");
	put_name(JBD2_FC_LINK, 2, 600, ".y");
	put_add(600, UINT32_MAX - 1, 1, 4999);
	put_del(600, 0, UINT32_MAX);
	put_inode(600, 128);
	put_tail(TID, 0);
	is_end("all that is just possible", JBD2_FC_STOPPED, 1, 6);
	open_area();
	put_start(TID);
	put_inode(12, 127);
	is_end("a short inode", JBD2_FC_BAD_REC, 0, 0);
	open_area();
	put_start(TID);
	put_inode(12, 257);
	is_end("a long one", JBD2_FC_BAD_REC, 0, 0);
	open_area();
	put_start(TID);
	jlog_put_le(put_head(JBD2_FC_PAD, 0) + 2, BS, 2);
	is_end("longer than its block", JBD2_FC_BAD_REC, 0, 0);
}

/* From some byte on nothing was written: never a record of a half commit. */
static void test_cuts(void)
{
	u32 bad = 0;

	open_area();
	put_all();
	for (u32 n = 2 * BS; n-- > 0;) {
		struct jbd2_fc fc;
		u32 want;

		jlog_block(&a.log, FIRST)[n] = 0;
		/* What follows the sum in a tail is zero anyway. */
		fc = scanned();
		want = fc.nr_commits == 2 ? 8 : fc.nr_commits ? 4 : 0;
		if (fc.recs.nr != want || (n < BS && fc.nr_commits == 2))
			bad++;
		jbd2_fc_done(&fc);
	}
	tap_is_u64(bad, 0, "cut at every byte");
	jlog_close(&a.log);
	for (int e = JBD2_FC_NONE; e <= JBD2_FC_UNMAPPED; e++)
		tap_ok(jbd2_fc_end_text((enum jbd2_fc_end)e)[0],
		       "an end has a text");
}

int main(void)
{
	test_records();
	test_area();
	test_tails();
	test_bad();
	test_cuts();
	return tap_done();
}
