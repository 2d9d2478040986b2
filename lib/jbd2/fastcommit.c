/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the records of a fast-commit area. Those of a commit count only once
 * its tail has been found good, so lengths at that point are remembered.
 */
#include "jbd2/fastcommit.h"

#include <errno.h>

#include "base/banned.h"
#include "base/crc.h"

enum {
	VALUE_OFF_INO = 0,
	RANGE_OFF_LBLK = 4,
	ADD_OFF_LEN = 8, /* an extent: lblk32, len16, pblk_hi16, pblk_lo32 */
	ADD_OFF_PBLK_HI = 10,
	ADD_OFF_PBLK_LO = 12,
	ADD_BYTES = 16,
	DEL_OFF_NR = 8,
	DEL_BYTES = 12,
	NAME_OFF_INO = 4, /* the parent comes first */
	NAME_OFF_NAME = 8,
	HEAD_OFF_TID = 4,
	HEAD_BYTES = 8,
	TAIL_OFF_CRC = 4,
	TAIL_BYTES = 8,
};

struct walk {
	const struct jbd2_journal *j;
	const struct jbd2_fc_limits *limits;
	struct jbd2_fc *fc;
	u32 tid;
	u32 crc;
	bool began; /* the head was met */
	bool ended;
	u32 logblk;
	size_t good_recs; /* lengths at the last good tail */
	size_t good_bytes;
	u8 *block; /* owned */
};

const char *jbd2_fc_end_text(enum jbd2_fc_end end)
{
	static const char *const text[] = {
		[JBD2_FC_NONE] = "there are none",
		[JBD2_FC_OTHER_TID] = "they belong to another transaction",
		[JBD2_FC_FEATURES] = "they use features that are not known",
		[JBD2_FC_STOPPED] = "no further record",
		[JBD2_FC_BAD_REC] = "an impossible record",
		[JBD2_FC_BAD_TAIL] = "a commit that is not complete",
		[JBD2_FC_FULL] = "the area is full",
		[JBD2_FC_UNMAPPED] = "the log's file has a hole",
	};

	return text[end];
}

static void set_end(struct walk *w, enum jbd2_fc_end end)
{
	w->ended = true;
	w->fc->end = end;
	w->fc->end_logblk = w->logblk;
}

static bool is_ino(const struct walk *w, u32 ino)
{
	return ino && ino <= w->limits->nr_inodes;
}

static bool parse_add(const struct walk *w, struct span v,
		      struct jbd2_fc_rec *rec)
{
	u64 end;

	rec->lblk = span_le32(v, RANGE_OFF_LBLK);
	rec->nr_blks = span_le16(v, ADD_OFF_LEN);
	if (rec->nr_blks > JBD2_FC_UNWRITTEN_ABOVE) {
		rec->nr_blks -= JBD2_FC_UNWRITTEN_ABOVE;
		rec->unwritten = true;
	}
	rec->pblk = (u64)span_le16(v, ADD_OFF_PBLK_HI) << 32 |
		    span_le32(v, ADD_OFF_PBLK_LO);
	end = rec->pblk + rec->nr_blks;
	return v.len == ADD_BYTES && rec->nr_blks && rec->pblk &&
	       end <= w->limits->nr_fs_blks &&
	       (u64)rec->lblk + rec->nr_blks <= UINT32_MAX;
}

static bool parse_del(struct span v, struct jbd2_fc_rec *rec)
{
	rec->lblk = span_le32(v, RANGE_OFF_LBLK);
	rec->nr_blks = span_le32(v, DEL_OFF_NR);
	return v.len == DEL_BYTES && rec->nr_blks &&
	       (u64)rec->lblk + rec->nr_blks <= (u64)UINT32_MAX + 1;
}

/* A name has neither NUL nor a slash and is not "." or "..". */
static bool name_ok(struct span name)
{
	if (!name.len || name.len > JBD2_FC_NAME_MAX ||
	    memchr(name.bytes, 0, name.len) || memchr(name.bytes, '/', name.len))
		return false;
	return name.bytes[0] != '.' || name.len > 2 ||
	       (name.len == 2 && name.bytes[1] != '.');
}

/* Keeps the variable part of a record. */
static errcode_t keep(struct walk *w, struct span part, struct jbd2_fc_rec *rec)
{
	errcode_t rc = vec_reserve(&w->fc->bytes, part.len);

	if (rc)
		return rc;
	rec->at = w->fc->bytes.nr;
	rec->len = (u16)part.len;
	memcpy(w->fc->bytes.at + w->fc->bytes.nr, part.bytes, part.len);
	w->fc->bytes.nr += part.len;
	return 0;
}

/* Decodes a record of tag 1 to 6; part becomes its name or inode. */
static bool parse_rec(const struct walk *w, struct span v,
		      struct jbd2_fc_rec *rec, struct span *part)
{
	rec->ino = span_le32(v, VALUE_OFF_INO);
	switch (rec->tag) {
	case JBD2_FC_ADD_RANGE:
		return parse_add(w, v, rec) && is_ino(w, rec->ino);
	case JBD2_FC_DEL_RANGE:
		return parse_del(v, rec) && is_ino(w, rec->ino);
	case JBD2_FC_INODE:
		if (v.len < 4)
			return false;
		*part = span_sub(v, 4, v.len - 4);
		return is_ino(w, rec->ino) && part->len >= JBD2_FC_INODE_MIN &&
		       part->len <= w->limits->inode_bytes;
	default:
		if (v.len < NAME_OFF_NAME)
			return false;
		rec->parent = rec->ino;
		rec->ino = span_le32(v, NAME_OFF_INO);
		*part = span_sub(v, NAME_OFF_NAME, v.len - NAME_OFF_NAME);
		return is_ino(w, rec->ino) && is_ino(w, rec->parent) &&
		       name_ok(*part);
	}
}

static errcode_t take_rec(struct walk *w, u16 tag, struct span value)
{
	struct jbd2_fc_rec rec = {.tag = tag, .logblk = w->logblk};
	struct span part = span_of(NULL, 0);
	errcode_t rc = 0;

	if (!parse_rec(w, value, &rec, &part)) {
		set_end(w, JBD2_FC_BAD_REC);
		return 0;
	}
	if (part.len)
		rc = keep(w, part, &rec);
	if (!rc)
		rc = vec_reserve(&w->fc->recs, 1);
	if (!rc)
		vec_add(&w->fc->recs, rec);
	return rc;
}

static void take_head(struct walk *w, struct span value)
{
	if (value.len != HEAD_BYTES)
		set_end(w, JBD2_FC_BAD_REC);
	else if (span_le32(value, 0))
		set_end(w, JBD2_FC_FEATURES);
	else if (span_le32(value, HEAD_OFF_TID) != w->tid)
		set_end(w, JBD2_FC_OTHER_TID);
	w->began = true;
}

/* rec: the whole record, its head included. */
static void take_tail(struct walk *w, struct span rec)
{
	struct span value =
		span_sub(rec, JBD2_FC_HEAD_BYTES, rec.len - JBD2_FC_HEAD_BYTES);

	if (value.len < TAIL_BYTES || span_le32(value, 0) != w->tid ||
	    span_le32(value, TAIL_OFF_CRC) !=
		    crc32c(w->crc, rec.bytes, JBD2_FC_HEAD_BYTES + 4)) {
		set_end(w, JBD2_FC_BAD_TAIL);
		return;
	}
	w->crc = 0;
	w->fc->nr_commits++;
	w->good_recs = w->fc->recs.nr;
	w->good_bytes = w->fc->bytes.nr;
}

static errcode_t take(struct walk *w, u16 tag, struct span rec)
{
	struct span value =
		span_sub(rec, JBD2_FC_HEAD_BYTES, rec.len - JBD2_FC_HEAD_BYTES);
	errcode_t rc = 0;

	if (!w->began && tag != JBD2_FC_HEAD) {
		set_end(w, JBD2_FC_NONE);
		return 0;
	}
	if (tag == JBD2_FC_TAIL) {
		take_tail(w, rec);
		return 0;
	}
	if (tag >= JBD2_FC_ADD_RANGE && tag <= JBD2_FC_INODE)
		rc = take_rec(w, tag, value);
	else if (tag == JBD2_FC_HEAD)
		take_head(w, value);
	else if (tag != JBD2_FC_PAD)
		set_end(w, tag || value.len ? JBD2_FC_BAD_REC : JBD2_FC_STOPPED);
	w->crc = crc32c(w->crc, rec.bytes, rec.len);
	return rc;
}

/* The records of one block; the rest of it may be too short for one. */
static errcode_t take_block(struct walk *w, struct span block)
{
	size_t off = 0;
	errcode_t rc = 0;

	while (!rc && !w->ended && block.len - off >= JBD2_FC_HEAD_BYTES) {
		u16 tag = span_le16(block, off);
		size_t len = JBD2_FC_HEAD_BYTES + span_le16(block, off + 2);

		if (!span_has(block, off, len)) {
			set_end(w, w->began ? JBD2_FC_BAD_REC : JBD2_FC_NONE);
			break;
		}
		rc = take(w, tag, span_sub(block, off, len));
		off += len;
	}
	return rc;
}

static errcode_t take_area(struct walk *w)
{
	/* The block between log and area is never used. */
	u32 first = jsb_last(&w->j->sb) + 1, end = w->j->sb.nr_blks;
	errcode_t rc = 0;

	for (u32 blk = first; !rc && !w->ended && blk < end; blk++) {
		w->logblk = blk;
		rc = jbd2_log_read(w->j->log, blk, w->block);
		if (rc == LB_E_JBD2_UNMAPPED) {
			set_end(w, JBD2_FC_UNMAPPED);
			return 0;
		}
		if (!rc)
			rc = take_block(w, span_of(w->block,
						   w->j->log->block_bytes));
	}
	if (!rc && !w->ended && w->began)
		set_end(w, JBD2_FC_FULL);
	return rc;
}

errcode_t jbd2_fc_scan(const struct jbd2_journal *j, u32 tid,
		       const struct jbd2_fc_limits *limits, struct jbd2_fc *fc)
{
	struct walk w = {.j = j, .limits = limits, .fc = fc, .tid = tid};
	errcode_t rc;

	memset(fc, 0, sizeof(*fc));
	if (!jbd2_journal_is_usable(j) || !jsb_fast_blks(&j->sb))
		return 0;
	w.block = malloc(j->log->block_bytes);
	rc = w.block ? take_area(&w) : ENOMEM;
	free(w.block);
	if (rc) {
		jbd2_fc_done(fc);
		return rc;
	}
	fc->nr_dropped = fc->recs.nr - w.good_recs;
	fc->recs.nr = w.good_recs;
	fc->bytes.nr = w.good_bytes;
	return 0;
}

void jbd2_fc_done(struct jbd2_fc *fc)
{
	vec_free(&fc->recs);
	vec_free(&fc->bytes);
}
