/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes and compares checksums of a log's blocks. */
#include "jbd2/csum.h"

#include "base/banned.h"
#include "base/crc.h"

static const u8 zero[512];

/* The sum goes on over len zeroes. */
static u32 crc_zeroes(u32 crc, size_t len)
{
	while (len) {
		size_t n = len < sizeof(zero) ? len : sizeof(zero);

		crc = crc32c(crc, zero, n);
		len -= n;
	}
	return crc;
}

u32 jbd2_block_csum(const struct jbd2_format *f, struct span block)
{
	size_t len = block.len - JBD2_TAIL_BYTES;

	return crc_zeroes(crc32c(f->seed, block.bytes, len), JBD2_TAIL_BYTES);
}

bool jbd2_block_csum_ok(const struct jbd2_format *f, struct span block)
{
	if (!jbd2_tail_bytes(f))
		return true;
	return span_be32(block, block.len - JBD2_TAIL_BYTES) ==
	       jbd2_block_csum(f, block);
}

u32 jbd2_data_csum(const struct jbd2_format *f, u32 sequence, struct span block)
{
	const u8 be[4] = {(u8)(sequence >> 24), (u8)(sequence >> 16),
			  (u8)(sequence >> 8), (u8)sequence};

	return crc32c(crc32c(f->seed, be, sizeof(be)), block.bytes, block.len);
}

bool jbd2_data_csum_ok(const struct jbd2_format *f, u32 sequence,
		       const struct jbd2_tag *tag, struct span block)
{
	u32 sum;

	if (f->csum < JBD2_CSUM_V2)
		return true;
	sum = jbd2_data_csum(f, sequence, block);
	return tag->csum == (f->csum == JBD2_CSUM_V3 ? sum : (u16)sum);
}

u32 jbd2_commit_csum(const struct jbd2_format *f, struct span block, size_t len)
{
	const size_t at = JBD2_COMMIT_CSUM_OFFSET;
	u32 crc = crc32c(f->seed, block.bytes, at);

	crc = crc_zeroes(crc, 4);
	crc = crc32c(crc, block.bytes + at + 4, len - at - 4);
	return crc_zeroes(crc, block.len - len);
}

static enum jbd2_commit_sum check_v1(const struct jbd2_commit *c, u32 v1_sum)
{
	bool unused = !c->csum_type && !c->csum_bytes && !c->csum;
	bool right = c->csum_type == JBD2_CSUM_TYPE_CRC32 &&
		     c->csum_bytes == JBD2_CSUM_CRC32_BYTES &&
		     c->csum == v1_sum;

	return unused || right ? JBD2_COMMIT_OK : JBD2_COMMIT_BAD;
}

enum jbd2_commit_sum jbd2_commit_csum_check(const struct jbd2_format *f,
					    struct span block, u32 v1_sum)
{
	struct jbd2_commit c;

	jbd2_commit_parse(block, &c);
	if (f->csum == JBD2_CSUM_NONE)
		return JBD2_COMMIT_OK;
	if (f->csum == JBD2_CSUM_V1)
		return check_v1(&c, v1_sum);
	if (c.csum == jbd2_commit_csum(f, block, block.len))
		return JBD2_COMMIT_OK;
	/* The header is 60 bytes, which 64-bit machines pad to 64. */
	if (c.csum == jbd2_commit_csum(f, block, JBD2_COMMIT_BYTES) ||
	    c.csum == jbd2_commit_csum(f, block, JBD2_COMMIT_BYTES + 4))
		return JBD2_COMMIT_PARTIAL;
	return JBD2_COMMIT_BAD;
}
