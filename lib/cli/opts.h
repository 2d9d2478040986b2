/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Option tables: a tool lists its options once, and parsing, --help, value
 * limits and conflicts follow from the rows. Parsing is pure: no device is
 * touched and nothing is printed.
 */
#ifndef CLI_OPTS_H
#define CLI_OPTS_H

#include "base/err.h"
#include "base/str.h"
#include "base/types.h"

enum opt_kind {
	OPT_FLAG,  /* no value; num counts how often it was given */
	OPT_TEXT,  /* any text; the last one counts */
	OPT_LIST,  /* any text; every one is kept, in order */
	OPT_NUM,   /* a plain number min..max */
	OPT_BYTES, /* a size with unit, min..max bytes; bare N counts unit */
};

enum { OPTS_MAX = 64, OPT_LIST_MAX = 32 };

/* One row. A row with a zero letter has only its long name. */
struct opt {
	char letter;
	const char *name; /* long name without "--", NULL: none */
	enum opt_kind kind;
	const char *arg;  /* name of the value in --help, NULL for flags */
	const char *help; /* one line */
	u64 min, max;	  /* OPT_NUM, OPT_BYTES; max 0: no limit */
	u64 unit;	  /* OPT_BYTES: what a bare number counts, 0: 1 */
	const char *conflicts; /* letters it cannot be used with, NULL: none */
};

struct opt_value {
	bool seen;
	u64 num;
	const char *text; /* borrowed from argv */
	size_t nr_texts;
	const char *texts[OPT_LIST_MAX]; /* OPT_LIST */
};

struct opts {
	const struct opt *table; /* ends with a row of zeroes */
	struct opt_value values[OPTS_MAX]; /* same index as the table */
	size_t nr_args;
	char **args; /* operands; borrowed from argv */
	struct str error; /* one sentence when parsing fails */
};

/*
 * Parses argv[1..]; options and operands may be mixed. Returns EINVAL with
 * o->error set on a usage error. opts_free() afterwards in any case.
 */
errcode_t opts_parse(const struct opt *table, int argc, char **argv,
		     struct opts *o) LB_MUST_CHECK;
void opts_free(struct opts *o);
/* The value of an option by its letter, or by its long name; never NULL for
 * a name in the table. */
const struct opt_value *opts_letter(const struct opts *o, char letter);
const struct opt_value *opts_name(const struct opts *o, const char *name);
/* Appends the option lines of --help. */
void opts_help(const struct opt *table, struct str *out);

/* One "key" or "key=value" of a comma-separated list (-E, -J, -O). */
struct subopt {
	char *key; /* owned */
	char *value; /* owned, NULL without "=" */
};
struct subopts {
	struct subopt *items;
	size_t nr_items;
};
/* Splits; empty items are skipped. Error: ENOMEM. */
errcode_t subopts_parse(const char *text, struct subopts *out) LB_MUST_CHECK;
void subopts_free(struct subopts *s);

#endif
