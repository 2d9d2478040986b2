/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the blocks of a log. */
#include "jbd2/format.h"

#include "base/banned.h"

enum {
	TAG_OFF_BLK_LO = 0,
	TAG_OFF_CSUM16 = 4,
	TAG_OFF_FLAGS = 6, /* v3: the low half of 32 bits */
	TAG_OFF_BLK_HI = 8,
	TAG_OFF_CSUM32 = 12,
	/* "No more tags" as an offset that no block reaches. */
	TAG_OFF_END = 0x7FFFFFFF,

	REVOKE_OFF_BYTES = 12,
	COMMIT_OFF_CSUM_TYPE = 0x0C,
	COMMIT_OFF_CSUM_BYTES = 0x0D,
	COMMIT_OFF_SEC = 0x30,
	COMMIT_OFF_NSEC = 0x38,
};

struct jbd2_format jbd2_format_of(const struct jsb *j)
{
	struct jbd2_format f = {
		.block_bytes = j->block_bytes,
		.is_64bit = j->incompat & JSB_INCOMPAT_64BIT,
		.is_async = j->incompat & JSB_INCOMPAT_ASYNC_COMMIT,
		.seed = jsb_csum_seed(j),
	};

	if (j->incompat & JSB_INCOMPAT_CSUM_V3)
		f.csum = JBD2_CSUM_V3;
	else if (j->incompat & JSB_INCOMPAT_CSUM_V2)
		f.csum = JBD2_CSUM_V2;
	else if (j->compat & JSB_COMPAT_CHECKSUM)
		f.csum = JBD2_CSUM_V1;
	return f;
}

struct jbd2_header jbd2_header_parse(struct span block)
{
	return (struct jbd2_header){
		.magic = span_be32(block, 0),
		.type = span_be32(block, 4),
		.sequence = span_be32(block, 8),
	};
}

u32 jbd2_tag_bytes(const struct jbd2_format *f)
{
	if (f->csum == JBD2_CSUM_V3)
		return 16;
	if (f->csum == JBD2_CSUM_V2)
		return f->is_64bit ? 14 : 10;
	return f->is_64bit ? 12 : 8;
}

u32 jbd2_tail_bytes(const struct jbd2_format *f)
{
	return f->csum >= JBD2_CSUM_V2 ? JBD2_TAIL_BYTES : 0;
}

static u32 tag_csum(const struct jbd2_format *f, struct span tag)
{
	if (f->csum == JBD2_CSUM_V3)
		return span_be32(tag, TAG_OFF_CSUM32);
	return f->csum == JBD2_CSUM_V2 ? span_be16(tag, TAG_OFF_CSUM16) : 0;
}

bool jbd2_tag_next(const struct jbd2_format *f, struct span block, u32 *off,
		   struct jbd2_tag *tag)
{
	u32 bytes = jbd2_tag_bytes(f), tail = jbd2_tail_bytes(f);
	struct span at;

	if (*off > block.len || block.len - *off < bytes + tail)
		return false;
	at = span_sub(block, *off, bytes);
	*tag = (struct jbd2_tag){
		.blk = span_be32(at, TAG_OFF_BLK_LO),
		.csum = tag_csum(f, at),
		.flags = span_be16(at, TAG_OFF_FLAGS),
	};
	if (f->is_64bit)
		tag->blk |= (u64)span_be32(at, TAG_OFF_BLK_HI) << 32;
	*off += bytes;
	if (!(tag->flags & JBD2_TAG_SAME_UUID))
		*off += JSB_UUID_BYTES;
	if (tag->flags & JBD2_TAG_LAST)
		*off = TAG_OFF_END;
	return true;
}

u32 jbd2_revoke_bytes(struct span block)
{
	return span_be32(block, REVOKE_OFF_BYTES);
}

bool jbd2_revoke_is_valid(const struct jbd2_format *f, struct span block)
{
	return jbd2_revoke_bytes(block) <= block.len - jbd2_tail_bytes(f);
}

bool jbd2_revoke_get(const struct jbd2_format *f, struct span block, u32 idx,
		     u64 *blk)
{
	u32 width = f->is_64bit ? 8 : 4;
	u64 off = JBD2_REVOKE_HEAD_BYTES + (u64)idx * width;

	if (!jbd2_revoke_is_valid(f, block) ||
	    off + width > jbd2_revoke_bytes(block))
		return false;
	*blk = f->is_64bit ? span_be64(block, off) : span_be32(block, off);
	return true;
}

void jbd2_commit_parse(struct span block, struct jbd2_commit *c)
{
	*c = (struct jbd2_commit){
		.csum_type = span_u8(block, COMMIT_OFF_CSUM_TYPE),
		.csum_bytes = span_u8(block, COMMIT_OFF_CSUM_BYTES),
		.csum = span_be32(block, JBD2_COMMIT_CSUM_OFFSET),
		.sec = span_be64(block, COMMIT_OFF_SEC),
		.nsec = span_be32(block, COMMIT_OFF_NSEC),
	};
}

void jbd2_unescape(u8 *block)
{
	for (unsigned i = 0; i < 4; i++)
		block[i] = (u8)(JSB_MAGIC >> (24 - 8 * i));
}
