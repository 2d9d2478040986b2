/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The revoke table against a plain array, with transaction ids that wrap. */
#include "jbd2/revoke.h"

#include "tests/lib/tap.h"

enum { NR_BLKS = 700, NR_RECORDS = 60000, BASE = -300 };

static u32 latest[NR_BLKS]; /* transactions since BASE, from 1; 0: none */

static u32 random_next(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static u64 nth(u32 i)
{
	return i % 2 ? i : (u64)i << 40;
}

int main(void)
{
	struct jbd2_revoke_table t = {0};
	u32 rnd = 3, bad = 0;
	errcode_t rc = 0;

	jbd2_revoke_sort(&t);
	tap_ok(!jbd2_revoke_hits(&t, 0, 0), "an empty table");
	for (u32 n = 0; n < NR_RECORDS && !rc; n++) {
		u32 i = random_next(&rnd) % NR_BLKS / 2;
		u32 tid = 1 + random_next(&rnd) % 600;

		rc = jbd2_revoke_add(&t, nth(i), (u32)BASE + tid);
		if (tid > latest[i])
			latest[i] = tid;
	}
	tap_ok(!rc && t.list.nr < 2 * 4096 + NR_BLKS,
	       "duplicates do not pile up");
	jbd2_revoke_sort(&t);
	tap_ok(t.list.nr <= NR_BLKS / 2, "one record a block is left");
	for (u32 i = 0; i < NR_BLKS; i++)
		for (u32 tid = 1; tid <= 650; tid++)
			if (jbd2_revoke_hits(&t, nth(i), (u32)BASE + tid) !=
			    (tid <= latest[i]))
				bad++;
	tap_is_u64(bad, 0, "its own transaction and earlier ones are hit");
	jbd2_revoke_done(&t);
	return tap_done();
}
