/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a log: scan, plan, replay and the fast-commit scan end, within
 * bounds, and say only what can be. Input: 8 bytes of choices, then 64 bytes a
 * log block, the rest of each block being zero. Unless told otherwise, blocks
 * with a log header are sealed, so that checksums do not stop everything.
 */
#include <assert.h>

#include "base/crc.h"
#include "jbd2/csum.h"
#include "jbd2/fastcommit.h"
#include "jbd2/replay.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/jlog.h"

enum { BS = 1024, CHUNK = 64, HEAD = 8, NR_MIN = 24, NR_MAX = 80,
       NR_FAST = 8, NR_FS = 6000 };

static void load(struct jlog *l, const u8 *bytes, size_t len)
{
	struct jlog_args args = {
		.bs = BS,
		.nr_blks = NR_MIN + bytes[0] % (NR_MAX - NR_MIN),
		.nr_fast = bytes[1] & 8 ? NR_FAST : 0,
		.sequence = bytes[2],
		.csum = (enum jbd2_csum_kind)(bytes[1] % 4),
		.is_64bit = bytes[1] & 16,
		.is_async = bytes[1] & 32,
	};
	u32 last = args.nr_blks - args.nr_fast;

	args.start = 1 + bytes[3] % (last - 1);
	jlog_open(l, &args);
	l->hole = bytes[4];
	bytes += HEAD;
	len -= HEAD;
	for (u32 n = 1; n < args.nr_blks && len; n++) {
		size_t part = len < CHUNK ? len : CHUNK;
		u8 *block = jlog_block(l, n);

		memcpy(block, bytes, part);
		bytes += part;
		len -= part;
	}
}

/* Gives the tags of a descriptor the sums of the blocks after it. */
static void seal_tags(struct jlog *l, const struct jbd2_format *f, u32 n)
{
	u32 last = l->args.nr_blks - l->args.nr_fast, off = JSB_HEADER_BYTES;
	u8 *block = jlog_block(l, n);
	u32 sequence = span_be32(span_of(block, BS), 8), at = off;
	struct jbd2_tag tag;

	while (jbd2_tag_next(f, span_of(block, BS), &off, &tag)) {
		u32 sum;

		n = n + 1 == last ? 1 : n + 1;
		sum = jbd2_data_csum(f, sequence, span_of(jlog_block(l, n), BS));
		if (f->csum == JBD2_CSUM_V2)
			jlog_put_be(block + at + 4, sum & 0xFFFF, 2);
		if (f->csum == JBD2_CSUM_V3)
			jlog_put_be(block + at + 12, sum, 4);
		at = off;
	}
}

/* Gives the tails of fast commits their sums. */
static void seal_fast(struct jlog *l)
{
	u32 first = l->args.nr_blks - l->args.nr_fast + 1, crc = 0;

	for (u32 n = first; l->args.nr_fast && n < l->args.nr_blks; n++) {
		u8 *block = jlog_block(l, n);
		struct span bytes = span_of(block, BS);
		u32 off = 0, len;

		for (; off + 4 <= BS; off += len) {
			len = 4u + span_le16(bytes, off + 2);
			if (!span_has(bytes, off, len))
				break;
			if (span_le16(bytes, off) != JBD2_FC_TAIL || len < 12) {
				crc = crc32c(crc, block + off, len);
				continue;
			}
			crc = crc32c(crc, block + off, 8);
			jlog_put_le(block + off + 8, crc, 4);
			crc = 0;
		}
	}
}

static void seal(struct jlog *l, const struct jbd2_format *f)
{
	/* From the end on: the data of a descriptor may be another one. */
	for (u32 n = l->args.nr_blks - l->args.nr_fast - 1; n; n--) {
		const u8 *block = jlog_block(l, n);

		if (block[0] != 0xC0 || block[1] != 0x3B)
			continue;
		if (block[7] == JBD2_DESCRIPTOR)
			seal_tags(l, f, n);
		jlog_seal(l, n);
	}
	seal_fast(l);
}

static errcode_t count(void *arg, u64 blk, const u8 *bytes)
{
	u64 *nr = arg;

	assert(blk < NR_FS && bytes);
	++*nr;
	return 0;
}

static void check_plan(const struct jbd2_journal *j, struct jbd2_plan *plan)
{
	struct overlay_args args = {BS, 1 << 24, NULL};
	struct overlay *overlay = NULL;
	u32 last = jsb_last(&j->sb);
	u64 nr = 0;
	errcode_t rc = overlay_open(&args, &overlay);

	assert(!rc);
	assert(plan->scan.nr_txns < last);
	assert(plan->scan.state == JBD2_CUT || plan->scan.state == JBD2_REFUSED
		       ? plan->scan.failure
		       : !plan->scan.failure);
	assert(plan->scan.state != JBD2_REFUSED || !plan->writes.nr);
	assert(plan->writes.nr + plan->losses.nr + plan->nr_revoked < last);
	for (size_t i = 0; i < plan->writes.nr; i++)
		assert(plan->writes.at[i].blk < NR_FS &&
		       plan->writes.at[i].logblk < last);
	rc = jbd2_plan_apply(j, plan, overlay);
	assert(!rc);
	rc = overlay_each(overlay, count, &nr);
	assert(!rc && nr <= plan->writes.nr && nr == overlay_nr_blks(overlay));
	overlay_close(overlay);
}

static void check_fast(const struct jbd2_journal *j, u32 tid)
{
	struct jbd2_fc_limits limits = {NR_FS, 100, 256};
	struct jbd2_fc fc;
	errcode_t rc = jbd2_fc_scan(j, tid, &limits, &fc);

	assert(!rc);
	for (size_t i = 0; i < fc.recs.nr; i++) {
		const struct jbd2_fc_rec *r = &fc.recs.at[i];

		assert(r->ino && r->ino <= limits.nr_inodes);
		assert(r->at + r->len <= fc.bytes.nr);
		assert(r->pblk + r->nr_blks <= NR_FS ||
		       r->tag == JBD2_FC_DEL_RANGE);
	}
	assert(fc.nr_commits || !fc.recs.nr);
	jbd2_fc_done(&fc);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct jbd2_journal j;
	struct jbd2_plan plan;
	struct jbd2_log log;
	struct jlog l;
	errcode_t rc;

	if (len < HEAD)
		return 0;
	load(&l, bytes, len);
	log = jlog_log(&l);
	rc = jbd2_journal_load(&log, &j);
	assert(!rc && jbd2_journal_is_dirty(&j));
	if (!(bytes[1] & 64))
		seal(&l, &j.format);
	l.nr_reads = 0;
	rc = jbd2_plan_make(&j, NR_FS, &plan);
	assert(!rc);
	assert(l.nr_reads <= 6 * l.args.nr_blks);
	check_plan(&j, &plan);
	check_fast(&j, plan.scan.end_tid);
	jbd2_plan_done(&plan);
	jlog_close(&l);
	return 0;
}
