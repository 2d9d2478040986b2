/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option tables: values, limits, conflicts, help, and sub-option lists. */
#include "cli/opts.h"

#include <errno.h>

#include "tests/lib/tap.h"

static const struct opt table[] = {
	{'b', NULL, OPT_BYTES, "BYTES", "block size", 1024, 65536, 1, NULL},
	{'n', "dry-run", OPT_FLAG, NULL, "change nothing", 0, 0, 0, "w"},
	{'w', NULL, OPT_FLAG, NULL, "write", 0, 0, 0, NULL},
	{'m', NULL, OPT_NUM, "PERCENT", "reserve", 0, 50, 0, NULL},
	{'o', NULL, OPT_LIST, "OPTIONS", "mount options", 0, 0, 0, NULL},
	{0, "json", OPT_FLAG, NULL, "print JSON", 0, 0, 0, NULL},
	{0, "sysroot", OPT_TEXT, "DIR", "read DIR", 0, 0, 0, NULL},
	{0, NULL, OPT_FLAG, NULL, NULL, 0, 0, 0, NULL},
};

/* Parses words; the caller frees. */
static errcode_t parse(struct opts *o, const char **words)
{
	int n = 0;

	while (words[n])
		n++;
	/* getopt moves the words about but does not write into them. */
	return opts_parse(table, n, (char **)(uintptr_t)words, o);
}

#define PARSE(o, ...) parse(o, (const char *[]){"prog", __VA_ARGS__, NULL})

static void test_values(void)
{
	struct opts o;

	tap_ok(!PARSE(&o, "-b", "64k", "img", "-m5", "--json", "-o", "ro", "-o",
		      "dax", "rest"), "a command line");
	tap_is_u64(opts_letter(&o, 'b')->num, 65536, "a size");
	tap_is_u64(opts_letter(&o, 'm')->num, 5, "a number");
	tap_ok(opts_name(&o, "json")->seen, "a long flag");
	tap_ok(!opts_letter(&o, 'n')->seen, "what was not given");
	tap_is_u64(opts_letter(&o, 'o')->nr_texts, 2, "a list keeps all");
	tap_is_str(opts_letter(&o, 'o')->texts[1], "dax", "in order");
	tap_is_u64(o.nr_args, 2, "operands between options");
	tap_is_str(o.args[1], "rest", "in order too");
	opts_free(&o);
	tap_ok(!PARSE(&o, "--", "-n") && o.nr_args == 1, "-- ends options");
	opts_free(&o);
	tap_ok(!PARSE(&o, "-nn") && opts_letter(&o, 'n')->num == 2,
	       "flags are counted");
	opts_free(&o);
	tap_ok(!PARSE(&o, "--dry-run") && opts_letter(&o, 'n')->seen,
	       "the long name of a letter");
	opts_free(&o);
}

static void bad(const char **words, const char *part)
{
	struct opts o;
	errcode_t rc = parse(&o, words);

	if (rc == EINVAL)
		tap_has_str(str_text(&o.error), part, part);
	else
		tap_is_u64((u64)rc, EINVAL, part);
	opts_free(&o);
}

#define BAD(part, ...) bad((const char *[]){"prog", __VA_ARGS__, NULL}, part)

static void test_errors(void)
{
	BAD("-b 512: must be between 1024 and 65536", "-b", "512");
	BAD("-b 128k: must be between", "-b", "128k");
	BAD("-b x: not a size", "-b", "x");
	BAD("-m 1k: not a number", "-m", "1k");
	BAD("-m 51: must be", "-m", "51");
	BAD("-n and -w exclude each other", "-w", "-n");
	BAD("-z: no such option", "-z");
	BAD("--nonsense: no such option", "--nonsense");
	BAD("-b: needs a value", "-b");
	BAD("--sysroot: needs a value", "--sysroot");
}

static void test_list_full(void)
{
	const char *words[2 * (OPT_LIST_MAX + 1) + 2] = {"prog"};

	for (size_t i = 0; i <= OPT_LIST_MAX; i++) {
		words[1 + 2 * i] = "-o";
		words[2 + 2 * i] = "x";
	}
	bad(words, "given too often");
}

static void test_help(void)
{
	struct str out = STR_INIT;

	opts_help(table, &out);
	tap_has_str(str_text(&out), "-b BYTES", "a letter with its value");
	tap_has_str(str_text(&out), "-n, --dry-run", "letter and name");
	tap_has_str(str_text(&out), "--sysroot DIR", "a long name");
	str_free(&out);
}

static void test_subopts(void)
{
	struct subopts s;

	tap_ok(!subopts_parse("a=1,,b,c=\"x,y\",d=", &s), "a list");
	tap_is_u64(s.nr_items, 4, "empty items are skipped");
	tap_is_str(s.items[0].key, "a", "a key");
	tap_is_str(s.items[0].value, "1", "its value");
	tap_ok(!s.items[1].value, "no value");
	tap_is_str(s.items[2].value, "x,y", "a comma in quotes");
	tap_is_str(s.items[3].value, "", "an empty value");
	subopts_free(&s);
	tap_ok(!subopts_parse("", &s) && !s.nr_items, "nothing");
	subopts_free(&s);
}

int main(void)
{
	test_values();
	test_errors();
	test_list_full();
	test_help();
	test_subopts();
	return tap_done();
}
