/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Getters on bytes: values, byte order, and nothing read outside. */
#include "base/span.h"

#include "tests/lib/tap.h"

static const u8 bytes[8] = {0x01, 0x02, 0x03, 0x04, 0x85, 0x86, 0x87, 0xF8};

static void test_values(struct span s)
{
	tap_is_u64(span_u8(s, 4), 0x85, "u8");
	tap_is_u64(span_le16(s, 0), 0x0201, "le16");
	tap_is_u64(span_le32(s, 4), 0xF8878685, "le32 with the high bit");
	tap_is_u64(span_le64(s, 0), 0xF887868504030201, "le64");
	tap_is_u64(span_be16(s, 0), 0x0102, "be16");
	tap_is_u64(span_be32(s, 4), 0x858687F8, "be32");
	tap_is_u64(span_be64(s, 0), 0x01020304858687F8, "be64");
	tap_is_u64(span_le32(s, 1), 0x85040302, "unaligned");
}

static void test_bounds(struct span s)
{
	tap_is_u64(span_le16(s, 7), 0, "half outside reads 0");
	tap_is_u64(span_u8(s, 8), 0, "at the end reads 0");
	tap_is_u64(span_le64(s, 1), 0, "le64 one byte too far reads 0");
	tap_is_u64(span_le32(s, SIZE_MAX), 0, "an offset that overflows");
	tap_ok(span_has(s, 0, 8), "the whole is inside");
	tap_ok(span_has(s, 8, 0), "nothing at the end is inside");
	tap_ok(!span_has(s, 9, 0), "nothing beyond the end is not");
	tap_ok(!span_has(s, 1, SIZE_MAX), "a length that overflows");
	tap_is_u64(span_sub(s, 2, 3).len, 3, "a part");
	tap_is_u64(span_u8(span_sub(s, 2, 3), 0), 3, "starts where asked");
	tap_is_u64(span_u8(span_sub(s, 2, 3), 3), 0, "ends where asked");
	tap_is_u64(span_sub(s, 6, 3).len, 0, "half outside is empty");
}

static void test_text(struct span s)
{
	char out[9] = "xxxxxxxx";

	span_text(span_of("ab\0cd", 5), 0, 5, out);
	tap_is_str(out, "ab", "text ends at its 0");
	span_text(span_of("abcd", 4), 1, 3, out);
	tap_is_str(out, "bcd", "unterminated text is terminated");
	span_text(s, 6, 4, out);
	tap_is_str(out, "", "text outside is empty");
}

int main(void)
{
	struct span s = span_of(bytes, sizeof(bytes));

	test_values(s);
	test_bounds(s);
	test_text(s);
	return tap_done();
}
