/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judge: facts of a kernel and device, a filesystem, and a way to mount it
 * go in; a verdict comes out. One row a rule in rules.def; the same list is
 * printed by every tool. Nothing outside lib/lbs compares a block size with a
 * page size.
 */
#ifndef LBS_RULES_H
#define LBS_RULES_H

#include "base/json.h"
#include "lbs/mntopts.h"
#include "lbs/subject.h"
#include "probe/facts.h"

enum lbs_outcome {
	LBS_OK,	     /* said for information; it mounts and works */
	LBS_WARN,    /* mounts, but what is named will not work */
	LBS_UNKNOWN, /* cannot be known from here */
	LBS_REFUSE,  /* the kernel refuses the mount */
};

/* Whether mke2fs makes a filesystem that gets this ruling. */
enum lbs_force {
	LBS_FORCE_NO,	   /* a refusal no kernel anywhere would lift */
	LBS_FORCE_YES,	   /* a refusal by the kernel or device judged for */
	LBS_FORCE_TO_MAKE, /* mounts, but data is at risk: -F needed as well */
	LBS_FORCE_NONE,	   /* nothing that needs overriding */
};

/* What the rule is about, and so what has to change. */
enum lbs_about {
	LBS_KERNEL,
	LBS_DEVICE,
	LBS_OPTION,
	LBS_FS
};

struct lbs_ruling {
	const char *id; /* "LBS_BLOCK_KERNEL"; static */
	enum lbs_outcome outcome;
	enum lbs_about about;
	enum lbs_force force;
	char *why;	    /* one sentence with the numbers filled in; owned */
	char *todo;	    /* what to do, "" when there is nothing; owned */
	const char *source; /* where the rule comes from; static */
};

struct verdict {
	enum lbs_outcome outcome;   /* the worst of the rulings */
	struct lbs_ruling *rulings; /* worst first, then table order */
	size_t nr_rulings;
};

/*
 * Judges; the caller frees the verdict. Same input, same output. Error:
 * ENOMEM.
 */
errcode_t lbs_check(const struct facts *f, const struct lbs_subject *s,
		    const struct lbs_request *rq,
		    struct verdict *v) LB_MUST_CHECK;
void verdict_free(struct verdict *v);
/* "ok", "warn", "unknown", "refuse" */
const char *lbs_outcome_text(enum lbs_outcome outcome);
/* "kernel", "device", "option", "filesystem" */
const char *lbs_about_text(enum lbs_about about);
/* Whether mke2fs may go on; forced: the user gave -F. */
bool verdict_allows_making(const struct verdict *v, bool forced);
/* The ruling with this id, or NULL. */
const struct lbs_ruling *verdict_find(const struct verdict *v, const char *id);
/* The list of rulings as JSON (id, outcome, why, do, source). */
json_t *verdict_rules_to_json(const struct verdict *v);

/* The row at idx for meta tests and documentation; NULL past the end. */
struct lbs_rule_info {
	const char *id;
	enum lbs_outcome outcome;
	u32 kernel_min; /* KVER, 0: no lower bound */
	u32 kernel_max; /* first release without the rule, 0: still there */
	const char *source;
};
const struct lbs_rule_info *lbs_rule_info(size_t idx);

#endif
