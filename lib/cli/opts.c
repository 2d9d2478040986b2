/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns an option table into getopt_long's tables, checks values against the
 * row's limits and conflicts, and prints the option lines of --help.
 */
#include "cli/opts.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>

#include "base/banned.h"
#include "base/units.h"

/* Rows without a letter get a getopt value above every char. */
enum {
	LONG_ONLY = 256
};

struct getopt_tables {
	char letters[2 * OPTS_MAX + 3];
	struct option names[OPTS_MAX + 1];
};

static size_t table_len(const struct opt *table)
{
	size_t n = 0;

	while (n < OPTS_MAX && (table[n].letter || table[n].name))
		n++;
	return n;
}

static void build_tables(const struct opt *table, struct getopt_tables *t)
{
	size_t nr = table_len(table), at = 0, names = 0;

	memset(t, 0, sizeof(*t));
	/* Missing values are told from unknown letters; getopt stays quiet. */
	t->letters[at++] = ':';
	for (size_t i = 0; i < nr; i++) {
		bool has_value = table[i].kind != OPT_FLAG;

		if (table[i].letter) {
			t->letters[at++] = table[i].letter;
			if (has_value)
				t->letters[at++] = ':';
		}
		if (table[i].name)
			t->names[names++] = (struct option){
				table[i].name,
				has_value ? required_argument : no_argument,
				NULL, LONG_ONLY + (int)i};
	}
}

static size_t row_of(const struct opt *table, int got)
{
	size_t i = 0;

	if (got >= LONG_ONLY)
		return (size_t)(got - LONG_ONLY);
	while (table[i].letter != got)
		i++;
	return i;
}

/* "-b" or "--json", as a person would type it. */
static void add_spelling(const struct opt *row, struct str *out)
{
	if (row->letter)
		str_addf(out, "-%c", row->letter);
	else
		str_addf(out, "--%s", row->name);
}

static errcode_t usage(struct opts *o, const struct opt *row, const char *what,
		       const char *text)
{
	add_spelling(row, &o->error);
	str_addf(&o->error, " %s: %s", text, what);
	return EINVAL;
}

static errcode_t take_number(struct opts *o, const struct opt *row,
			     struct opt_value *v, const char *text)
{
	errcode_t rc;

	if (row->kind == OPT_NUM)
		rc = units_parse_num(text, UINT64_MAX, &v->num);
	else
		rc = units_parse(text, row->unit ? row->unit : 1, &v->num);
	if (rc == EINVAL || rc == LB_E_UNITS_SYNTAX)
		return usage(o, row,
			     row->kind == OPT_NUM ? "not a number"
						  : "not a size",
			     text);
	if (!rc && v->num >= row->min && (!row->max || v->num <= row->max))
		return 0;
	add_spelling(row, &o->error);
	str_addf(&o->error, " %s: must be between %" PRIu64, text, row->min);
	if (row->max)
		str_addf(&o->error, " and %" PRIu64, row->max);
	else
		str_add(&o->error, " and the largest 64-bit number");
	return EINVAL;
}

static errcode_t take_value(struct opts *o, size_t idx, const char *text)
{
	const struct opt *row = &o->table[idx];
	struct opt_value *v = &o->values[idx];

	v->seen = true;
	v->text = text;
	switch (row->kind) {
	case OPT_FLAG:
		v->num++;
		return 0;
	case OPT_TEXT:
		return 0;
	case OPT_LIST:
		if (v->nr_texts == OPT_LIST_MAX)
			return usage(o, row, "given too often", text);
		v->texts[v->nr_texts++] = text;
		return 0;
	case OPT_NUM:
	case OPT_BYTES:
		return take_number(o, row, v, text);
	}
	return 0;
}

static errcode_t check_conflicts(struct opts *o)
{
	size_t nr = table_len(o->table);

	for (size_t i = 0; i < nr; i++) {
		const char *c = o->table[i].conflicts;

		for (; o->values[i].seen && c && *c; c++) {
			if (!opts_letter(o, *c)->seen)
				continue;
			add_spelling(&o->table[i], &o->error);
			str_addf(&o->error, " and -%c exclude each other", *c);
			return EINVAL;
		}
	}
	return 0;
}

static errcode_t parse_all(struct opts *o, int argc, char **argv)
{
	struct getopt_tables t;
	errcode_t rc = 0;
	int got;

	build_tables(o->table, &t);
	optind = 0; /* glibc and musl: start over */
	opterr = 0;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): a tool parses once, alone */
	while ((got = getopt_long(argc, argv, t.letters, t.names, NULL)) >= 0) {
		if (got == '?' || got == ':') {
			const char *bad = optind > 0 && optind <= argc
						  ? argv[optind - 1]
						  : "";

			if (optopt > 0 && optopt < LONG_ONLY)
				str_addf(&o->error, "-%c: ", optopt);
			else
				str_addf(&o->error, "%s: ", bad);
			str_add(&o->error, got == '?' ? "no such option"
						      : "needs a value");
			return EINVAL;
		}
		rc = take_value(o, row_of(o->table, got), optarg);
		if (rc)
			break;
	}
	o->nr_args = (size_t)(argc - optind);
	o->args = argv + optind;
	return rc;
}

errcode_t opts_parse(const struct opt *table, int argc, char **argv,
		     struct opts *o)
{
	errcode_t rc;

	memset(o, 0, sizeof(*o));
	o->table = table;
	rc = parse_all(o, argc, argv);
	return rc ? rc : check_conflicts(o);
}

void opts_free(struct opts *o)
{
	str_free(&o->error);
}

const struct opt_value *opts_letter(const struct opts *o, char letter)
{
	static const struct opt_value none;

	for (size_t i = 0; i < table_len(o->table); i++)
		if (o->table[i].letter == letter)
			return &o->values[i];
	return &none;
}

const struct opt_value *opts_name(const struct opts *o, const char *name)
{
	static const struct opt_value none;

	for (size_t i = 0; i < table_len(o->table); i++)
		if (o->table[i].name && !strcmp(o->table[i].name, name))
			return &o->values[i];
	return &none;
}

void opts_help(const struct opt *table, struct str *out)
{
	for (size_t i = 0; i < table_len(table); i++) {
		const struct opt *row = &table[i];
		struct str left = STR_INIT;

		if (row->letter)
			str_addf(&left, "-%c", row->letter);
		if (row->name)
			str_addf(&left, "%s--%s", row->letter ? ", " : "",
				 row->name);
		if (row->arg)
			str_addf(&left, " %s", row->arg);
		str_addf(out, "  %-28s %s\n", str_text(&left), row->help);
		str_free(&left);
	}
}
