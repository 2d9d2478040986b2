/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays of logs with every kind of tag, checksum and block size, around the
 * end of the log: whole, cut at every block, and damaged at every block. A
 * model says which transaction's content each filesystem block must have.
 */
#include "jbd2/replay.h"

#include <errno.h>

#include "tests/lib/jlog.h"
#include "tests/lib/tap.h"

enum {
	NR_FS = 8000,
	NR_TXNS = 4,
	TXN_MAX = 90, /* tags; more than a 1 KiB descriptor has room for */
};

/* Which transaction wrote a block of the filesystem last, from 1; 0: none. */
struct model {
	u8 nth[NR_FS];
};

/* A log, and where its transactions end. */
struct history {
	struct jlog log;
	u32 nr_used;
	u32 commit_at[NR_TXNS]; /* as for jlog_at() */
	char name[64];
};

static struct history hist;

/* Blocks of a transaction; large ones make logs that stay small. */
static u32 nr_tags(const struct history *h)
{
	return h->log.args.bs > 4096 ? 12 : TXN_MAX;
}

/* The i-th block that transaction t = 0, 1, ... writes. */
static u64 nth_blk(u32 t, u32 i)
{
	return (u64)t * 3 + (u64)i * (t + 1) + 1;
}

/* The third one revokes: one of its own, one older, one never logged. */
static void revoke(struct history *h)
{
	u64 revoked[] = {nth_blk(2, 2), 2, 5000};

	jlog_revoke(&h->log, revoked, ARRAY_LEN(revoked));
}

static void fill(struct history *h, const struct jlog_args *args)
{
	u64 blks[TXN_MAX];

	jlog_open(&h->log, args);
	for (u32 t = 0; t < NR_TXNS; t++) {
		for (u32 i = 0; i < nr_tags(h); i++)
			blks[i] = nth_blk(t, i);
		jlog_write(&h->log, blks, nr_tags(h));
		if (t == 2)
			revoke(h);
		jlog_commit(&h->log);
		h->commit_at[t] = (h->log.next + 2 * args->nr_blks - 3 -
				   h->log.args.start) %
				  (args->nr_blks - 1);
	}
	h->nr_used = h->commit_at[NR_TXNS - 1] + 1;
}

struct outcome {
	struct jbd2_plan plan;
	struct overlay *overlay;
};

static bool replayed(struct history *h, struct outcome *o)
{
	struct overlay_args args = {h->log.args.bs, 1 << 20, getenv("TMPDIR")};
	struct jbd2_log log = jlog_log(&h->log);
	struct jbd2_journal j;

	o->overlay = NULL;
	memset(&o->plan, 0, sizeof(o->plan));
	return !jbd2_journal_load(&log, &j) && jbd2_journal_is_dirty(&j) &&
	       !jbd2_plan_make(&j, NR_FS, &o->plan) &&
	       !overlay_open(&args, &o->overlay) &&
	       !jbd2_plan_apply(&j, &o->plan, o->overlay);
}

static void forget(struct outcome *o)
{
	jbd2_plan_done(&o->plan);
	overlay_close(o->overlay);
}

struct check {
	const struct model *m;
	u64 nr_seen;
	bool good;
};

static u8 want[65536];

static errcode_t check_block(void *arg, u64 blk, const u8 *bytes)
{
	struct check *c = arg;

	c->nr_seen++;
	if (blk >= NR_FS || !c->m->nth[blk]) {
		c->good = false;
		return 0;
	}
	jlog_content(want, hist.log.args.bs, blk,
		     hist.log.args.sequence + c->m->nth[blk] - 1);
	if (memcmp(bytes, want, hist.log.args.bs))
		c->good = false;
	return 0;
}

/* Whether the overlay has what the model says, and nothing else. */
static bool matches(const struct outcome *o, const struct model *m)
{
	struct check c = {.m = m, .good = true};
	u64 nr = 0;

	for (u32 blk = 0; blk < NR_FS; blk++)
		nr += !!m->nth[blk];
	return !overlay_each(o->overlay, check_block, &c) && c.good &&
	       c.nr_seen == nr;
}

/* What a log that ends after nr transactions makes of the filesystem. */
static struct model model_of(const struct history *h, u32 nr)
{
	u64 revoked[] = {nth_blk(2, 2), 2};
	struct model m = {{0}};

	for (u32 t = 0; t < nr; t++)
		for (u32 i = 0; i < nr_tags(h); i++)
			m.nth[nth_blk(t, i)] = (u8)(t + 1);
	for (u32 i = 0; nr > 2 && i < ARRAY_LEN(revoked); i++)
		/* Logged again after the revoke, it stays. */
		if (m.nth[revoked[i]] <= 3)
			m.nth[revoked[i]] = 0;
	return m;
}

static bool whole_is_right(struct history *h)
{
	struct model m = model_of(h, NR_TXNS);
	struct outcome o;
	bool good = replayed(h, &o) && o.plan.scan.state == JBD2_COMPLETE &&
		    o.plan.scan.nr_txns == NR_TXNS && !o.plan.losses.nr &&
		    o.plan.nr_revoked && o.plan.scan.end == JBD2_END_MAGIC &&
		    o.plan.scan.end_logblk == jlog_at(&h->log, h->nr_used) &&
		    o.plan.scan.next_sequence ==
			    h->log.args.sequence + NR_TXNS + 1 &&
		    matches(&o, &m);

	forget(&o);
	return good;
}

static u32 commits_before(const struct history *h, u32 at)
{
	u32 nr = 0;

	while (nr < NR_TXNS && h->commit_at[nr] < at)
		nr++;
	return nr;
}

/* Nothing from log block n on has been written: from the last one down. */
static u32 nr_bad_cuts(struct history *h)
{
	u32 bs = h->log.args.bs, bad = 0;
	u8 *saved = malloc((size_t)h->nr_used * bs);

	for (u32 n = h->nr_used; n-- > 0;) {
		struct model m;
		struct outcome o;

		memcpy(saved + (size_t)n * bs,
		       jlog_block(&h->log, jlog_at(&h->log, n)), bs);
		memset(jlog_block(&h->log, jlog_at(&h->log, n)), 0, bs);
		m = model_of(h, commits_before(h, n));
		if (!replayed(h, &o) || o.plan.scan.state != JBD2_COMPLETE ||
		    o.plan.scan.nr_txns != commits_before(h, n) ||
		    !matches(&o, &m))
			bad++;
		forget(&o);
	}
	for (u32 n = 0; n < h->nr_used; n++)
		memcpy(jlog_block(&h->log, jlog_at(&h->log, n)),
		       saved + (size_t)n * bs, bs);
	free(saved);
	return bad;
}

/* What kind of block n of the log is. */
static u32 kind_of(const struct history *h, u32 n)
{
	const u8 *block = jlog_block(&h->log, jlog_at(&h->log, n));

	return block[0] == 0xC0 && block[1] == 0x3B ? block[7] : 0;
}

/* Whether a flip in a block of this kind in transaction t did what it must. */
static bool flip_is_right(struct history *h, u32 kind, u32 t,
			  const struct outcome *o)
{
	const struct jbd2_scan *s = &o->plan.scan;
	bool strong = h->log.args.csum >= JBD2_CSUM_V2;
	u32 tid = h->log.args.sequence + t;
	struct model m;

	if (strong && (kind == JBD2_DESCRIPTOR || kind == JBD2_REVOKE))
		return s->state == JBD2_REFUSED && s->failed_tid == tid &&
		       s->failure == (kind == JBD2_REVOKE
					      ? JBD2_FAIL_REVOKE
					      : JBD2_FAIL_DESCRIPTOR) &&
		       !overlay_nr_blks(o->overlay);
	if (strong && !kind)
		return s->state == JBD2_COMPLETE && s->nr_txns == NR_TXNS &&
		       o->plan.losses.nr + o->plan.nr_revoked > 0 &&
		       (!o->plan.losses.nr ||
			o->plan.losses.at[0].why == JBD2_LOSS_CSUM);
	/* v1 does not cover revoke blocks. */
	if (!strong && kind == JBD2_REVOKE)
		return s->state == JBD2_COMPLETE;
	m = model_of(h, t);
	return s->state == JBD2_CUT && s->failed_tid == tid &&
	       s->failure == JBD2_FAIL_COMMIT && s->nr_txns == t &&
	       matches(o, &m);
}

/* One byte wrong in every block of the log, one after the other. */
static u32 nr_bad_flips(struct history *h)
{
	u32 bad = 0;

	for (u32 n = 0; n < h->nr_used; n++) {
		u32 kind = kind_of(h, n);
		u8 *block = jlog_block(&h->log, jlog_at(&h->log, n));
		/* The sum of a commit block; a byte after tags or records. */
		u8 *at = block + (kind == JBD2_COMMIT ? 17 : h->log.args.bs - 5);
		struct outcome o;

		*at ^= 0x40;
		if (!replayed(h, &o) ||
		    !flip_is_right(h, kind, commits_before(h, n), &o))
			bad++;
		*at ^= 0x40;
		forget(&o);
	}
	return bad;
}

static void test_kind(const struct jlog_args *args)
{
	static const char *const kinds[] = {"none", "v1", "v2", "v3"};

	snprintf(hist.name, sizeof(hist.name), "%u bytes, sums %s, %s",
		 args->bs, kinds[args->csum], args->is_64bit ? "64bit" : "32bit");
	fill(&hist, args);
	tap_ok(whole_is_right(&hist), hist.name);
	tap_is_u64(nr_bad_cuts(&hist), 0, "... cut at every block");
	if (args->csum)
		tap_is_u64(nr_bad_flips(&hist), 0, "... wrong at every block");
	jlog_close(&hist.log);
}

static void test_matrix(void)
{
	static const u32 sizes[] = {1024, 4096, 16384, 65536};

	for (u32 s = 0; s < ARRAY_LEN(sizes); s++)
		for (int csum = JBD2_CSUM_NONE; csum <= JBD2_CSUM_V3; csum++)
			for (int wide = 0; wide < 2; wide++) {
				u32 nr = sizes[s] > 4096 ? 120 : 500;
				struct jlog_args args = {
					.bs = sizes[s],
					.nr_blks = nr,
					.start = nr - 10,
					.sequence = 0xFFFFFFFE,
					.csum = (enum jbd2_csum_kind)csum,
					.is_64bit = wide,
				};

				/* Transaction ids wrap as well as blocks. */
				if (wide)
					args.sequence = 7;
				test_kind(&args);
			}
}

/* Tags that must not be followed, and a hole in the log. */
static void test_losses(void)
{
	static const struct jlog_args args = {
		.bs = 1024, .nr_blks = 100, .sequence = 1,
		.csum = JBD2_CSUM_V3, .is_64bit = true};
	u64 blks[] = {5, 1ull << 33, 7050, 6, NR_FS - 1};
	struct outcome o;

	jlog_open(&hist.log, &args);
	jlog_write(&hist.log, blks, ARRAY_LEN(blks));
	jlog_commit(&hist.log);
	hist.log.hole = 5; /* the copy of block 6 */
	tap_ok(replayed(&hist, &o) && o.plan.losses.nr == 3, "three are lost");
	tap_ok(o.plan.losses.at[0].why == JBD2_LOSS_OUTSIDE &&
	       o.plan.losses.at[0].blk == 1ull << 33, "beyond the filesystem");
	tap_ok(o.plan.losses.at[1].why == JBD2_LOSS_IN_LOG &&
	       o.plan.losses.at[1].blk == 7050, "in the journal itself");
	tap_ok(o.plan.losses.at[2].why == JBD2_LOSS_UNMAPPED &&
	       o.plan.losses.at[2].logblk == 5, "in a hole");
	tap_ok(overlay_nr_blks(o.overlay) == 2 && overlay_has(o.overlay, 5) &&
	       overlay_has(o.overlay, NR_FS - 1), "the others are there");
	tap_ok(jbd2_loss_text(JBD2_LOSS_UNMAPPED)[0], "each has a text");
	forget(&o);
	jlog_close(&hist.log);
}

static void test_apply_refuses(void)
{
	static const struct jlog_args args = {
		.bs = 1024, .nr_blks = 100, .sequence = 1};
	struct overlay_args oa = {4096, 0, NULL};
	struct overlay *overlay = NULL;
	struct jbd2_plan plan;
	struct jbd2_journal j;
	struct jbd2_log log;

	jlog_open(&hist.log, &args);
	log = jlog_log(&hist.log);
	tap_ok(!jbd2_journal_load(&log, &j) && !jbd2_plan_make(&j, 10, &plan) &&
	       !plan.writes.nr && plan.scan.state == JBD2_COMPLETE,
	       "an empty log");
	tap_ok(!overlay_open(&oa, &overlay) &&
	       jbd2_plan_apply(&j, &plan, overlay) == EINVAL,
	       "an overlay of another block size");
	j.sb.start = 0;
	tap_ok(!jbd2_plan_make(&j, 10, &plan) &&
	       plan.scan.state == JBD2_CLEAN && plan.scan.next_sequence == 2,
	       "a clean log");
	j.defects = JSB_BAD_CSUM;
	tap_ok(jbd2_plan_make(&j, 10, &plan) == LB_E_JBD2_UNUSABLE,
	       "an unusable superblock");
	overlay_close(overlay);
	jlog_close(&hist.log);
}

int main(void)
{
	test_matrix();
	test_losses();
	test_apply_refuses();
	return tap_done();
}
