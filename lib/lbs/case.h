/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One question put to the rules, as predicates and texts see it. Private to
 * lib/lbs.
 */
#ifndef LBS_CASE_H
#define LBS_CASE_H

#include "base/str.h"
#include "lbs/rules.h"

struct lbs_case {
	const struct facts *f;
	const struct lbs_subject *s;
	const struct lbs_request *rq;
	struct lbs_mntopts m;
	u64 bs; /* block size in bytes, 0 when the superblock's is impossible */
	u64 ps; /* page size in bytes, 0 unknown */
};

/* Whether blocks are known to be larger than pages. */
static inline bool case_is_lbs(const struct lbs_case *c)
{
	return c->ps && c->bs > c->ps;
}

/* Every rule's predicate: does it hold? */
#define R(id, outcome, about, force, kmin, kmax, pred, why, todo, source)      \
	bool pred_##pred(const struct lbs_case *c);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#include "lbs/rules.def"
#pragma GCC diagnostic pop
#undef R

/* Incompat and ro_compat bits that no kernel knows. */
u32 case_bad_incompat(const struct lbs_case *c);
u32 case_bad_ro_compat(const struct lbs_case *c);
/* Features in use that are newer than the kernel judged for. */
struct features case_new_features(const struct lbs_case *c);
/* Features in use that the requested type does not know. */
struct features case_type_features(const struct lbs_case *c);
/* Fast-commit blocks the kernel will use. */
u32 case_fast_blks(const struct lbs_case *c);
/* 1 for 1K blocks without bigalloc, else 0. */
u32 case_first_data_block(const struct lbs_case *c);

/* Appends text with its {words} filled in. */
void case_fill(const struct lbs_case *c, const char *text, struct str *out);

#endif
