/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes as people write them, both ways, and what is refused. */
#include "base/units.h"

#include <errno.h>

#include "tests/lib/tap.h"

static const struct {
	const char *text;
	u64 unit;
	errcode_t rc;
	u64 bytes;
} cases[] = {
	{"64k", 1, 0, 65536},
	{"64K", 1, 0, 65536},
	{"1M", 1, 0, 1048576},
	{"3g", 1, 0, 3221225472},
	{"2T", 1, 0, 2199023255552},
	{"8P", 1, 0, 9007199254740992},
	{"8s", 1, 0, 4096},
	{"100", 1024, 0, 102400},
	{"0", 4096, 0, 0},
	{"16383P", 1, 0, 18445618173802708992u},
	{"16384P", 1, LB_E_UNITS_RANGE, 0},
	{"18446744073709551615", 1, 0, UINT64_MAX},
	{"18446744073709551616", 1, LB_E_UNITS_RANGE, 0},
	{"18446744073709551615", 2, LB_E_UNITS_RANGE, 0},
	{"", 1, LB_E_UNITS_SYNTAX, 0},
	{"k", 1, LB_E_UNITS_SYNTAX, 0},
	{"-1", 1, LB_E_UNITS_SYNTAX, 0},
	{"+1", 1, LB_E_UNITS_SYNTAX, 0},
	{" 1", 1, LB_E_UNITS_SYNTAX, 0},
	{"1 ", 1, LB_E_UNITS_SYNTAX, 0},
	{"1kk", 1, LB_E_UNITS_SYNTAX, 0},
	{"1KiB", 1, LB_E_UNITS_SYNTAX, 0},
	{"1x", 1, LB_E_UNITS_SYNTAX, 0},
	{"1.5G", 1, LB_E_UNITS_SYNTAX, 0},
	{"0x10", 1, LB_E_UNITS_SYNTAX, 0},
};

static void test_parse(void)
{
	char name[64];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		u64 bytes = 0;
		errcode_t rc = units_parse(cases[i].text, cases[i].unit, &bytes);

		snprintf(name, sizeof(name), "'%s' by %u", cases[i].text,
			 (unsigned)cases[i].unit);
		if (rc != cases[i].rc)
			tap_is_u64((u64)rc, (u64)cases[i].rc, name);
		else
			tap_is_u64(rc ? 0 : bytes, cases[i].bytes, name);
	}
}

static void test_parse_num(void)
{
	u64 num = 0;

	tap_ok(!units_parse_num("0x1F", 31, &num) && num == 31, "hexadecimal");
	tap_ok(!units_parse_num("31", 31, &num), "the largest");
	tap_is_u64((u64)units_parse_num("32", 31, &num), ERANGE, "one more");
	tap_is_u64((u64)units_parse_num("0x", 31, &num), EINVAL, "0x alone");
	tap_is_u64((u64)units_parse_num("12a", 99, &num), EINVAL, "a letter");
	tap_is_u64((u64)units_parse_num("99999999999999999999", UINT64_MAX,
					&num),
		   ERANGE, "beyond 64 bits");
}

static void test_text(void)
{
	tap_is_str(units_format(65536).text, "64 KiB", "whole KiB");
	tap_is_str(units_format(1536u << 20).text, "1.5 GiB", "one and a half");
	tap_is_str(units_format(1023).text, "1023 bytes", "bytes");
	tap_is_str(units_format(UINT64_MAX).text, "16384.0 PiB", "the largest");
	tap_is_str(units_short(1536u << 20).text, "1536M", "short");
	tap_is_str(units_short(0).text, "0", "short zero");
	tap_is_str(units_short(1023).text, "1023", "short bytes");
}

static void test_round_trip(void)
{
	unsigned nr_bad = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		for (u64 extra = 0; extra < 2; extra++) {
			u64 want = (1ULL << bit) | extra, got = 0;

			nr_bad += units_parse(units_short(want).text, 1,
					      &got) || got != want;
		}
	tap_is_u64(nr_bad, 0, "units_parse reads back units_short");
}

int main(void)
{
	test_parse();
	test_parse_num();
	test_text();
	test_round_trip();
	return tap_done();
}
