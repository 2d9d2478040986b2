/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs every row of rules.def over one case and collects what holds, worst
 * first. Knows no rule of its own.
 */
#include "lbs/rules.h"

#include <errno.h>

#include "base/banned.h"
#include "lbs/case.h"

struct rule {
	struct lbs_rule_info info;
	enum lbs_about about;
	enum lbs_force force;
	bool (*holds)(const struct lbs_case *c);
	const char *why;
	const char *todo;
};

#define R(id, outcome, about, force, kmin, kmax, pred, why, todo, source)      \
	{{#id, LBS_##outcome, kmin, kmax, source},                             \
	 LBS_##about,                                                          \
	 LBS_FORCE_##force,                                                    \
	 pred_##pred,                                                          \
	 why,                                                                  \
	 todo},
static const struct rule rules[] = {
#include "lbs/rules.def"
};
#undef R

const struct lbs_rule_info *lbs_rule_info(size_t idx)
{
	return idx < ARRAY_LEN(rules) ? &rules[idx].info : NULL;
}

/* An unknown release does not excuse from a rule. */
static bool rule_applies(const struct rule *r, u32 version)
{
	if (!version)
		return true;
	return version >= r->info.kernel_min &&
	       (!r->info.kernel_max || version < r->info.kernel_max);
}

static errcode_t add_ruling(struct verdict *v, const struct rule *r,
			    const struct lbs_case *c)
{
	struct str why = STR_INIT, todo = STR_INIT;
	struct lbs_ruling *ruling = &v->rulings[v->nr_rulings++];

	case_fill(c, r->why, &why);
	case_fill(c, r->todo, &todo);
	*ruling = (struct lbs_ruling){
		.id = r->info.id,
		.outcome = r->info.outcome,
		.about = r->about,
		.force = r->force,
		.why = str_take(&why),
		.todo = str_take(&todo),
		.source = r->info.source,
	};
	if (ruling->outcome > v->outcome)
		v->outcome = ruling->outcome;
	return ruling->why && ruling->todo ? 0 : ENOMEM;
}

static errcode_t judge(const struct lbs_case *c, struct verdict *v)
{
	errcode_t rc = 0;

	for (int outcome = LBS_REFUSE; outcome >= LBS_OK; outcome--)
		for (size_t i = 0; i < ARRAY_LEN(rules) && !rc; i++) {
			const struct rule *r = &rules[i];

			if ((int)r->info.outcome == outcome &&
			    rule_applies(r, c->f->kernel.version) &&
			    r->holds(c))
				rc = add_ruling(v, r, c);
		}
	return rc;
}

errcode_t lbs_check(const struct facts *f, const struct lbs_subject *s,
		    const struct lbs_request *rq, struct verdict *v)
{
	struct lbs_case c = {.f = f, .s = s, .rq = rq};
	errcode_t rc;

	*v = (struct verdict){.outcome = LBS_OK};
	if (s->sb.log_block_size <= SUPER_LOG_BLOCK_MAX)
		c.bs = 1024ULL << s->sb.log_block_size;
	c.ps = f->kernel.page_bytes;
	rc = lbs_mntopts_parse(&s->sb, rq, &c.m);
	if (rc)
		return rc;
	v->rulings = calloc(ARRAY_LEN(rules), sizeof(*v->rulings));
	if (!v->rulings)
		return ENOMEM;
	rc = judge(&c, v);
	if (rc)
		verdict_free(v);
	return rc;
}

void verdict_free(struct verdict *v)
{
	for (size_t i = 0; i < v->nr_rulings; i++) {
		free(v->rulings[i].why);
		free(v->rulings[i].todo);
	}
	free(v->rulings);
	*v = (struct verdict){.outcome = LBS_OK};
}

const char *lbs_outcome_text(enum lbs_outcome outcome)
{
	static const char *const texts[] = {
		[LBS_OK] = "ok",
		[LBS_WARN] = "warn",
		[LBS_UNKNOWN] = "unknown",
		[LBS_REFUSE] = "refuse",
	};

	return texts[outcome];
}

const char *lbs_about_text(enum lbs_about about)
{
	static const char *const texts[] = {
		[LBS_KERNEL] = "kernel",
		[LBS_DEVICE] = "device",
		[LBS_OPTION] = "option",
		[LBS_FS] = "filesystem",
	};

	return texts[about];
}

bool verdict_allows_making(const struct verdict *v, bool forced)
{
	for (size_t i = 0; i < v->nr_rulings; i++) {
		const struct lbs_ruling *r = &v->rulings[i];
		bool stops = r->outcome >= LBS_UNKNOWN ||
			     r->force == LBS_FORCE_TO_MAKE;

		if (stops && !(forced && r->force != LBS_FORCE_NO))
			return false;
	}
	return true;
}

const struct lbs_ruling *verdict_find(const struct verdict *v, const char *id)
{
	for (size_t i = 0; i < v->nr_rulings; i++)
		if (!strcmp(v->rulings[i].id, id))
			return &v->rulings[i];
	return NULL;
}
