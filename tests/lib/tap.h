/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few calls a unit test needs to speak TAP. Header only, one counter a
 * test program; libraries never include it.
 *
 *	int main(void)
 *	{
 *		tap_is_u64(1 + 1, 2, "sums");
 *		return tap_done();
 *	}
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"

struct tap_count {
	unsigned nr;
	unsigned nr_failed;
};

static struct tap_count tap_count;

/* Says ok or not ok, and returns cond. */
static inline bool tap_ok(bool cond, const char *name)
{
	tap_count.nr++;
	if (!cond)
		tap_count.nr_failed++;
	printf("%sok %u - %s\n", cond ? "" : "not ", tap_count.nr, name);
	return cond;
}

static inline bool tap_is_u64(u64 got, u64 want, const char *name)
{
	bool same = tap_ok(got == want, name);

	if (!same)
		printf("#   got %" PRIu64 ", expected %" PRIu64 "\n", got,
		       want);
	return same;
}

/* NULL is a value of its own. */
static inline bool tap_is_str(const char *got, const char *want,
			      const char *name)
{
	bool same = tap_ok(got && want ? !strcmp(got, want) : got == want,
			   name);

	if (!same)
		printf("#   got      '%s'\n#   expected '%s'\n",
		       got ? got : "(null)", want ? want : "(null)");
	return same;
}

/* Whether part is in text. */
static inline bool tap_has_str(const char *text, const char *part,
			       const char *name)
{
	bool has = tap_ok(text && strstr(text, part), name);

	if (!has)
		printf("#   '%s'\n#   has no '%s'\n", text ? text : "(null)",
		       part);
	return has;
}

/* Counts as passed; the reason is shown. */
static inline void tap_skip(const char *name, const char *reason)
{
	printf("ok %u - %s # SKIP %s\n", ++tap_count.nr, name, reason);
}

/* The source tree: from the runner, or where it was built from. */
static inline const char *tap_srcdir(void)
{
	const char *dir = getenv("SRCDIR");

	return dir ? dir : TESTS_SRCDIR;
}

/* Prints the plan; the exit status of main. */
static inline int tap_done(void)
{
	printf("1..%u\n", tap_count.nr);
	if (!tap_count.nr)
		printf("# no test was run\n");
	return tap_count.nr_failed || !tap_count.nr ? 1 : 0;
}

#endif
