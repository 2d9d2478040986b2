/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journal superblocks: every field, the checksum, what is wrong with them. */
#include "ondisk/jsb.h"

#include "base/crc.h"
#include "tests/lib/tap.h"

static u8 raw[JSB_BYTES];

static void put(size_t off, u32 value)
{
	for (int i = 3; i >= 0; i--, value >>= 8)
		raw[off + (size_t)i] = (u8)value;
}

/* A valid one of version 2, without features. */
static void fill(void)
{
	memset(raw, 0, sizeof(raw));
	put(0x00, 0xC03B3998);
	put(0x04, 4);
	put(0x0C, 65536);
	put(0x10, 2048);
	put(0x14, 1);
	put(0x18, 7);
	put(0x40, 1);
}

static struct jsb parsed(void)
{
	struct jsb j;

	jsb_parse(span_of(raw, sizeof(raw)), &j);
	return j;
}

static void seal(void)
{
	raw[0x50] = 4;
	put(0xFC, jsb_csum(span_of(raw, sizeof(raw))));
}

static void test_fields(void)
{
	struct jsb j;

	for (size_t i = 0; i < sizeof(raw); i++)
		raw[i] = (u8)(i * 7 + 1);
	put(0x04, 4);
	put(0x20, (u32)-30);
	j = parsed();
	tap_is_u64(j.magic, span_be32(span_of(raw, 4), 0), "magic");
	tap_is_u64(j.block_bytes, 0x555c636a, "block size");
	tap_is_u64(j.nr_blks, 0x71787f86, "blocks");
	tap_is_u64(j.first, 0x8d949ba2, "first");
	tap_is_u64(j.sequence, 0xa9b0b7be, "sequence");
	tap_is_u64(j.start, 0xc5ccd3da, "start");
	tap_ok(j.error == -30, "a negative error");
	tap_is_u64(j.compat, 0xfd040b12, "compat");
	tap_is_u64(j.incompat, 0x1920272e, "incompat");
	tap_is_u64(j.ro_compat, 0x353c434a, "ro_compat");
	tap_ok(!memcmp(j.uuid, raw + 0x30, 16), "uuid");
	tap_is_u64(j.nr_users, 0xc1c8cfd6, "users");
	tap_is_u64(j.dynamic_super, 0xdde4ebf2, "dynamic superblock");
	tap_is_u64(j.max_transaction, 0xf900070e, "largest transaction");
	tap_is_u64(j.max_trans_data, 0x151c232a, "its data");
	tap_is_u64(j.csum_type, 0x31, "checksum type");
	tap_is_u64(j.nr_fast_blks, 0x4d545b62, "fast-commit blocks");
	tap_is_u64(j.head, 0x6970777e, "head");
	tap_is_u64(j.csum, 0xe5ecf3fa, "checksum");
	tap_ok(!memcmp(j.users, raw + 0x100, 768), "list of users");
	put(0x04, 3);
	j = parsed();
	tap_ok(j.error == -30 && !j.incompat && !j.compat && !j.csum &&
	       !j.nr_users, "version 1 ends after the error");
	jsb_parse(span_of(raw, 20), &j);
	tap_ok(j.block_bytes && !j.sequence && !j.nr_users,
	       "a short span reads as zeroes");
	jsb_parse(span_of(NULL, 0), &j);
	tap_is_u64(jsb_check_self(&j), JSB_BAD_MAGIC | JSB_BAD_TYPE,
		   "nothing is no journal");
}

static void test_csum(void)
{
	u8 copy[JSB_BYTES];
	struct jsb j;

	fill();
	put(0x28, JSB_INCOMPAT_CSUM_V3);
	seal();
	memcpy(copy, raw, sizeof(copy));
	memset(copy + 0xFC, 0, 4);
	j = parsed();
	tap_is_u64(j.computed_csum, crc32c(~0u, copy, sizeof(copy)),
		   "its own field counts as zeroes");
	tap_is_u64(jsb_check_self(&j), 0, "a right checksum");
	raw[1023] ^= 1;
	j = parsed();
	tap_is_u64(jsb_check_self(&j), JSB_BAD_CSUM, "the last byte counts");
	raw[1023] ^= 1;
	raw[0x50] = 1;
	j = parsed();
	tap_is_u64(jsb_check_self(&j), JSB_BAD_CSUM | JSB_BAD_CSUM_TYPE,
		   "a kind nobody knows");
	put(0x28, 0);
	j = parsed();
	tap_is_u64(jsb_check_self(&j), 0, "without the feature none is asked");
	tap_is_u64(jsb_csum(span_of(raw, 1023)), 0, "no sum of less");
	tap_is_u64(jsb_csum_seed(&j), crc32c(~0u, raw + 0x30, 16), "the seed");
}

static u32 defects(size_t off, u32 value, bool external)
{
	struct jsb_place place = {.block_bytes = 65536,
				  .nr_blks = 2048,
				  .external = external,
				  .sb_blk = external ? 1 : 0};
	struct jsb j;

	fill();
	if (external)
		put(0x14, 2);
	put(off, value);
	if (span_be32(span_of(raw, sizeof(raw)), 0x28) & 0x18)
		seal();
	j = parsed();
	return jsb_check(&j, &place);
}

struct defect_case {
	const char *name;
	size_t off;
	u32 value;
	u32 want;
};

static void test_defects(void)
{
	static const struct defect_case cases[] = {
		{"valid", 0x18, 7, 0},
		{"version 1", 0x04, 3, 0},
		{"magic", 0x00, 1, JSB_BAD_MAGIC},
		{"type", 0x04, 2, JSB_BAD_TYPE},
		{"block size", 0x0C, 4096, JSB_BAD_BLOCK},
		{"block size 0", 0x0C, 0, JSB_BAD_BLOCK},
		{"longer than the file", 0x10, 2049, JSB_BAD_LENGTH},
		{"no blocks", 0x10, 0, JSB_BAD_FIRST | JSB_BAD_SHORT},
		{"short", 0x10, 1023, JSB_BAD_SHORT},
		{"just long enough", 0x10, 1024, 0},
		{"first 0", 0x14, 0, JSB_BAD_FIRST},
		{"first at the end", 0x14, 2048, JSB_BAD_FIRST},
		{"start is the last", 0x1C, 2047, 0},
		{"start at the end", 0x1C, 2048, JSB_BAD_START},
		{"compat unknown", 0x24, 0x80, 0},
		{"v1 sums", 0x24, 1, 0},
		{"every known feature", 0x28, 0x37, 0},
		{"v2 sums", 0x28, 8, 0},
		{"v2 and v3", 0x28, 0x18, JSB_BAD_CSUM_KINDS},
		{"unknown feature", 0x28, 0x40, JSB_BAD_INCOMPAT},
		{"unknown ro feature", 0x2C, 1, JSB_BAD_RO_COMPAT},
		{"users do not matter", 0x40, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		tap_is_u64(defects(cases[i].off, cases[i].value, false),
			   cases[i].want, cases[i].name);
	tap_is_u64(defects(0x18, 1, true), 0, "external");
	tap_is_u64(defects(0x14, 1, true), JSB_BAD_FIRST,
		   "external: first on its own superblock");
	tap_is_u64(defects(0x40, 0, true), JSB_BAD_USERS, "external: no user");
	tap_is_u64(defects(0x40, 2, true), JSB_BAD_USERS, "external: two");
	tap_is_u64(JSB_UNUSABLE, JSB_BAD_USERS - 1,
		   "users and length do not make a log unreadable");
}

static void test_fast(void)
{
	struct jsb j;

	fill();
	put(0x54, 300);
	j = parsed();
	tap_ok(!jsb_fast_blks(&j) && jsb_last(&j) == 2048,
	       "no area without the feature");
	put(0x28, JSB_INCOMPAT_FAST_COMMIT);
	j = parsed();
	tap_ok(jsb_fast_blks(&j) == 300 && jsb_last(&j) == 1748, "an area");
	put(0x54, 0);
	j = parsed();
	tap_ok(jsb_fast_blks(&j) == 256 && jsb_last(&j) == 1792, "0 is 256");
	put(0x54, 2048);
	j = parsed();
	tap_is_u64(jsb_check(&j, &(struct jsb_place){65536, 2048, false, 0}),
		   JSB_BAD_FAST | JSB_BAD_FIRST | JSB_BAD_SHORT,
		   "an area that leaves nothing");
	tap_ok(jsb_external_blk(1024) == 2 && jsb_external_blk(65536) == 1,
	       "where it lies on a device");
}

int main(void)
{
	test_fields();
	test_csum();
	test_defects();
	test_fast();
	return tap_done();
}
