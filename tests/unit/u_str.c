/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The string builder: growing, taking, and out of memory. */
#include "base/str.h"

#include <stdlib.h>

#include "tests/lib/tap.h"

static void test_build(void)
{
	struct str s = STR_INIT;
	char *taken;

	tap_is_str(str_text(&s), "", "empty at first");
	str_add(&s, "abc");
	str_add_len(&s, "defgh", 2);
	str_addf(&s, "-%d-%s", 42, "x");
	tap_is_str(str_text(&s), "abcde-42-x", "parts join");
	tap_is_u64(s.len, 10, "length");
	taken = str_take(&s);
	tap_is_str(taken, "abcde-42-x", "taken");
	tap_is_str(str_text(&s), "", "empty after it was taken");
	free(taken);
	taken = str_take(&s);
	tap_is_str(taken, "", "taking nothing gives an empty text");
	free(taken);
	str_free(&s);
	str_free(&s);
}

static void test_grow(void)
{
	struct str s = STR_INIT;
	unsigned bad = 0;

	for (unsigned i = 0; i < 10000; i++)
		str_addf(&s, "%c", 'a' + (int)(i % 26));
	tap_is_u64(s.len, 10000, "10000 appends");
	for (unsigned i = 0; i < 10000; i++)
		bad += str_text(&s)[i] != 'a' + (int)(i % 26);
	tap_is_u64(bad, 0, "every one is there");
	tap_is_u64(strlen(str_text(&s)), 10000, "terminated");
	str_free(&s);
}

static void test_broken(void)
{
	struct str s = STR_INIT;

	str_add(&s, "abc");
	/* A length no memory can hold; the bytes are never looked at. */
	str_add_len(&s, "x", SIZE_MAX - 2);
	tap_ok(s.broken, "an impossible length breaks it");
	str_add(&s, "more");
	tap_is_str(str_text(&s), "(out of memory)", "and the text says so");
	tap_ok(!str_take(&s), "nothing to take");
	str_add(&s, "again");
	tap_is_str(str_text(&s), "again", "usable again after that");
	str_free(&s);
}

int main(void)
{
	test_build();
	test_grow();
	test_broken();
	return tap_done();
}
