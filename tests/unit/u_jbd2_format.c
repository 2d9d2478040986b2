/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of a log, byte by byte: each layout of tags, revokes, commits, sums. */
#include "jbd2/format.h"

#include "base/crc.h"
#include "jbd2/csum.h"
#include "tests/lib/tap.h"

static u8 block[1024];

static struct span all(void)
{
	return span_of(block, sizeof(block));
}

static struct jbd2_format format(enum jbd2_csum_kind csum, bool is_64bit)
{
	return (struct jbd2_format){.block_bytes = sizeof(block), .csum = csum,
				    .is_64bit = is_64bit, .seed = 0x12345678};
}

struct layout {
	enum jbd2_csum_kind csum;
	bool is_64bit;
	u32 bytes;
	u64 blk;
	u32 sum;
};

/* The same 16 bytes, read in each of the layouts. */
static void test_layouts(void)
{
	static const u8 tag[16] = {1, 2, 3, 4, 5, 6, 0, 2,
				   9, 10, 11, 12, 13, 14, 15, 16};
	static const struct layout layouts[] = {
		{JBD2_CSUM_NONE, false, 8, 0x01020304, 0},
		{JBD2_CSUM_NONE, true, 12, 0x090a0b0c01020304, 0},
		{JBD2_CSUM_V1, false, 8, 0x01020304, 0},
		{JBD2_CSUM_V1, true, 12, 0x090a0b0c01020304, 0},
		{JBD2_CSUM_V2, false, 10, 0x01020304, 0x0506},
		{JBD2_CSUM_V2, true, 14, 0x090a0b0c01020304, 0x0506},
		{JBD2_CSUM_V3, false, 16, 0x01020304, 0x0d0e0f10},
		{JBD2_CSUM_V3, true, 16, 0x090a0b0c01020304, 0x0d0e0f10},
	};

	memset(block, 0, sizeof(block));
	memcpy(block + 12, tag, sizeof(tag));
	for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
		const struct layout *y = &layouts[i];
		struct jbd2_format f = format(y->csum, y->is_64bit);
		struct jbd2_tag t;
		u32 off = 12;

		tap_ok(jbd2_tag_next(&f, all(), &off, &t) && t.blk == y->blk &&
		       t.csum == y->sum && t.flags == JBD2_TAG_SAME_UUID &&
		       off == 12 + y->bytes && jbd2_tag_bytes(&f) == y->bytes,
		       "a layout of tags");
	}
}

static u32 nr_tags(enum jbd2_csum_kind csum, u8 flags)
{
	struct jbd2_format f = format(csum, false);
	struct jbd2_tag t;
	u32 off = 12, nr = 0;

	memset(block, flags, sizeof(block));
	while (jbd2_tag_next(&f, all(), &off, &t))
		nr++;
	return nr;
}

static void test_tag_ends(void)
{
	tap_is_u64(nr_tags(JBD2_CSUM_V3, 0), 32, "each with a UUID");
	tap_is_u64(nr_tags(JBD2_CSUM_V3, 2), 63, "none: up to the sum");
	tap_is_u64(nr_tags(JBD2_CSUM_NONE, 2), 126, "up to the last byte");
	tap_is_u64(nr_tags(JBD2_CSUM_V2, 2), 100, "v2");
	tap_is_u64(nr_tags(JBD2_CSUM_NONE, 10), 1, "up to the last tag");
}

static void test_revoke(void)
{
	struct jbd2_format f = format(JBD2_CSUM_V2, true);
	u64 blk;

	memset(block, 0, sizeof(block));
	block[15] = 16 + 8 + 7;
	block[16 + 3] = 1;
	block[16 + 7] = 2;
	tap_ok(jbd2_revoke_get(&f, all(), 0, &blk) && blk == 0x100000002,
	       "a revoked block of 64 bits");
	tap_ok(!jbd2_revoke_get(&f, all(), 1, &blk), "half a record is none");
	f.is_64bit = false;
	tap_ok(jbd2_revoke_get(&f, all(), 1, &blk) && blk == 2, "32 bits");
	tap_ok(!jbd2_revoke_get(&f, all(), UINT32_MAX, &blk), "far away");
	block[15] = 3;
	tap_ok(!jbd2_revoke_get(&f, all(), 0, &blk) &&
	       jbd2_revoke_is_valid(&f, all()), "less than the head: empty");
	block[12] = 0xFF;
	tap_ok(!jbd2_revoke_get(&f, all(), 0, &blk) &&
	       !jbd2_revoke_is_valid(&f, all()), "more than the block");
}

static void test_sums(void)
{
	struct jbd2_format f = format(JBD2_CSUM_V3, false);
	struct jbd2_tag t = {0};
	u8 copy[4 + sizeof(block)];

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (u8)(i * 3);
	memcpy(copy, block, sizeof(block));
	memset(copy + 1020, 0, 4);
	tap_is_u64(jbd2_block_csum(&f, all()), crc32c(f.seed, copy, 1024),
		   "of a block");
	copy[0] = copy[1] = 0;
	copy[2] = 1;
	copy[3] = 2;
	memcpy(copy + 4, block, sizeof(block));
	t.csum = crc32c(f.seed, copy, sizeof(copy));
	tap_ok(jbd2_data_csum_ok(&f, 0x102, &t, all()), "of data");
	tap_ok(!jbd2_data_csum_ok(&f, 0x103, &t, all()),
	       "which belongs to its transaction");
	t.csum &= 0xFFFF;
	tap_ok(!jbd2_data_csum_ok(&f, 0x102, &t, all()), "all of it");
	f.csum = JBD2_CSUM_V2;
	tap_ok(jbd2_data_csum_ok(&f, 0x102, &t, all()), "v2: the lower half");
	t.csum = 0;
	f.csum = JBD2_CSUM_V1;
	tap_ok(jbd2_data_csum_ok(&f, 0x102, &t, all()) &&
	       jbd2_block_csum_ok(&f, all()), "v1 has none");
}

static void test_commit(void)
{
	struct jbd2_format f = format(JBD2_CSUM_V1, false);
	struct jbd2_commit c;

	memset(block, 0, sizeof(block));
	block[12] = 1;
	block[13] = 4;
	block[0x13] = 9;
	block[0x33] = 7;
	block[0x37] = 8;
	block[0x3B] = 6;
	jbd2_commit_parse(all(), &c);
	tap_ok(c.csum_type == 1 && c.csum_bytes == 4 && c.csum == 9 &&
	       c.sec == 0x700000008 && c.nsec == 6, "its fields");
	tap_ok(jbd2_commit_csum_check(&f, all(), 9) == JBD2_COMMIT_OK &&
	       jbd2_commit_csum_check(&f, all(), 8) == JBD2_COMMIT_BAD, "v1");
	block[13] = 5;
	tap_ok(jbd2_commit_csum_check(&f, all(), 9) == JBD2_COMMIT_BAD,
	       "v1: a sum of another length");
	f.csum = JBD2_CSUM_NONE;
	tap_ok(jbd2_commit_csum_check(&f, all(), 0) == JBD2_COMMIT_OK, "none");
}

static void test_format_of(void)
{
	struct jsb j = {.block_bytes = 4096,
			.incompat = JSB_INCOMPAT_64BIT | JSB_INCOMPAT_CSUM_V2};
	struct jbd2_format f = jbd2_format_of(&j);

	tap_ok(f.csum == JBD2_CSUM_V2 && f.is_64bit && !f.is_async &&
	       f.block_bytes == 4096 && f.seed == jsb_csum_seed(&j),
	       "from the superblock");
	j.incompat = JSB_INCOMPAT_ASYNC_COMMIT;
	j.compat = JSB_COMPAT_CHECKSUM;
	f = jbd2_format_of(&j);
	tap_ok(f.csum == JBD2_CSUM_V1 && !f.is_64bit && f.is_async, "v1");
	memset(block, 0, 8);
	jbd2_unescape(block);
	tap_ok(span_be32(all(), 0) == JSB_MAGIC && !block[4], "unescaped");
}

int main(void)
{
	test_layouts();
	test_tag_ends();
	test_revoke();
	test_sums();
	test_commit();
	test_format_of();
	return tap_done();
}
