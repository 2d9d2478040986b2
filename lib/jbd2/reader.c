/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a log. All bounds of the walk are here, in take_blk(). */
#include "jbd2/reader.h"

#include <errno.h>

#include "base/banned.h"
#include "base/crc.h"
#include "jbd2/csum.h"

bool jbd2_tid_after(u32 a, u32 b)
{
	return (s32)(a - b) > 0;
}

const char *jbd2_end_text(enum jbd2_end end)
{
	static const char *const text[] = {
		[JBD2_END_NOT_YET] = "not reached",
		[JBD2_END_MAGIC] = "no further block of the log",
		[JBD2_END_SEQUENCE] = "a block of another transaction",
		[JBD2_END_TYPE] = "a block of unknown type",
		[JBD2_END_ROUND] = "the log came round",
		[JBD2_END_UNMAPPED] = "the log's file has a hole",
		[JBD2_END_STALE] = "older than what came before",
	};

	return text[end];
}

errcode_t jbd2_reader_init(struct jbd2_reader *r, const struct jbd2_journal *j,
			   bool verify)
{
	*r = (struct jbd2_reader){.journal = j, .verify = verify};
	if (!jbd2_journal_is_usable(j))
		return LB_E_JBD2_UNUSABLE;
	r->tid = j->sb.sequence;
	r->next = j->sb.start;
	r->nr_left = jsb_last(&j->sb) - j->sb.first;
	/* A clean journal has nothing at its start. */
	if (!j->sb.start)
		r->end = JBD2_END_MAGIC;
	r->block = malloc(j->log->block_bytes);
	r->data = malloc(j->log->block_bytes);
	if (r->block && r->data)
		return 0;
	jbd2_reader_done(r);
	return ENOMEM;
}

void jbd2_reader_done(struct jbd2_reader *r)
{
	free(r->block);
	free(r->data);
	r->block = r->data = NULL;
}

void jbd2_txn_done(struct jbd2_txn *txn)
{
	vec_free(&txn->tags);
	vec_free(&txn->revoke_logblks);
}

static void set_end(struct jbd2_reader *r, enum jbd2_end end, u32 logblk)
{
	r->end = end;
	r->end_logblk = logblk;
}

/* The next block of the ring; false when all of it has been looked at. */
static bool take_blk(struct jbd2_reader *r, u32 *logblk)
{
	const struct jsb *sb = &r->journal->sb;

	*logblk = r->next;
	if (!r->nr_left) {
		set_end(r, JBD2_END_ROUND, r->next);
		return false;
	}
	r->nr_left--;
	r->next++;
	if (r->next >= jsb_last(sb))
		r->next -= jsb_last(sb) - sb->first;
	return true;
}

/* False at a hole, which ends the log. */
static bool read_blk(struct jbd2_reader *r, u32 logblk, u8 *to, errcode_t *rc)
{
	*rc = jbd2_log_read(r->journal->log, logblk, to);
	if (*rc == LB_E_JBD2_UNMAPPED) {
		set_end(r, JBD2_END_UNMAPPED, logblk);
		*rc = 0;
		return false;
	}
	return !*rc;
}

static struct span block_span(const struct jbd2_reader *r, const u8 *bytes)
{
	return span_of(bytes, r->journal->log->block_bytes);
}

static void note_defect(struct jbd2_txn *txn, u32 defect, u32 logblk)
{
	if (!txn->defects)
		txn->bad_logblk = logblk;
	txn->defects |= defect;
}

/* Adds a data block to the transaction's v1 sum. */
static errcode_t sum_data(struct jbd2_reader *r, u32 logblk)
{
	errcode_t rc;

	if (read_blk(r, logblk, r->data, &rc))
		r->v1_sum = crc32_be(r->v1_sum, r->data,
				     r->journal->log->block_bytes);
	return rc;
}

static errcode_t take_tags(struct jbd2_reader *r, struct jbd2_txn *txn)
{
	const struct jbd2_format *f = &r->journal->format;
	bool sum = r->verify && f->csum == JBD2_CSUM_V1;
	u32 off = JSB_HEADER_BYTES;
	struct jbd2_tag tag;
	errcode_t rc = 0;

	while (!rc && !r->end &&
	       jbd2_tag_next(f, block_span(r, r->block), &off, &tag)) {
		if (!take_blk(r, &tag.logblk))
			break;
		rc = vec_reserve(&txn->tags, 1);
		if (!rc)
			vec_add(&txn->tags, tag);
		if (!rc && sum)
			rc = sum_data(r, tag.logblk);
	}
	return rc;
}

static errcode_t take_descriptor(struct jbd2_reader *r, struct jbd2_txn *txn,
				 u32 logblk)
{
	const struct jbd2_format *f = &r->journal->format;
	struct span block = block_span(r, r->block);

	if (r->verify && !jbd2_block_csum_ok(f, block))
		note_defect(txn, JBD2_TXN_BAD_DESCRIPTOR, logblk);
	if (r->verify && f->csum == JBD2_CSUM_V1)
		r->v1_sum = crc32_be(r->v1_sum, block.bytes, block.len);
	return take_tags(r, txn);
}

static errcode_t take_revoke(struct jbd2_reader *r, struct jbd2_txn *txn,
			     u32 logblk)
{
	const struct jbd2_format *f = &r->journal->format;
	struct span block = block_span(r, r->block);
	errcode_t rc;

	if (r->verify && !jbd2_block_csum_ok(f, block))
		note_defect(txn, JBD2_TXN_BAD_REVOKE, logblk);
	if (!jbd2_revoke_is_valid(f, block))
		note_defect(txn, JBD2_TXN_BAD_COUNT, logblk);
	rc = vec_reserve(&txn->revoke_logblks, 1);
	if (!rc)
		vec_add(&txn->revoke_logblks, logblk);
	return rc;
}

static void take_commit(struct jbd2_reader *r, struct jbd2_txn *txn, u32 logblk)
{
	struct span block = block_span(r, r->block);
	enum jbd2_commit_sum sum = JBD2_COMMIT_OK;

	if (r->verify)
		sum = jbd2_commit_csum_check(&r->journal->format, block,
					     r->v1_sum);
	if (sum == JBD2_COMMIT_BAD)
		note_defect(txn, JBD2_TXN_BAD_COMMIT, logblk);
	if (sum == JBD2_COMMIT_PARTIAL)
		note_defect(txn, JBD2_TXN_PARTIAL_COMMIT, logblk);
	jbd2_commit_parse(block, &txn->commit);
	txn->commit_logblk = logblk;
	txn->is_committed = true;
	r->tid++;
}

/* Looks at one block of the log and what it describes. */
static errcode_t take_header(struct jbd2_reader *r, struct jbd2_txn *txn,
			     u32 logblk)
{
	struct jbd2_header h = jbd2_header_parse(block_span(r, r->block));

	if (h.magic != JSB_MAGIC) {
		set_end(r, JBD2_END_MAGIC, logblk);
		return 0;
	}
	if (h.sequence != r->tid) {
		set_end(r, JBD2_END_SEQUENCE, logblk);
		return 0;
	}
	switch (h.type) {
	case JBD2_DESCRIPTOR:
		return take_descriptor(r, txn, logblk);
	case JBD2_REVOKE:
		return take_revoke(r, txn, logblk);
	case JBD2_COMMIT:
		take_commit(r, txn, logblk);
		return 0;
	default:
		set_end(r, JBD2_END_TYPE, logblk);
		return 0;
	}
}

errcode_t jbd2_reader_next(struct jbd2_reader *r, struct jbd2_txn *txn,
			   bool *found)
{
	errcode_t rc = 0;
	u32 logblk;

	vec_clear(&txn->tags);
	vec_clear(&txn->revoke_logblks);
	txn->tid = r->tid;
	txn->first_logblk = r->next;
	txn->is_committed = false;
	txn->defects = 0;
	r->v1_sum = JBD2_V1_SEED;
	while (!rc && !r->end && !txn->is_committed && take_blk(r, &logblk))
		if (read_blk(r, logblk, r->block, &rc))
			rc = take_header(r, txn, logblk);
	*found = !rc && txn->is_committed;
	return rc;
}
