/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A verdict's rulings as JSON, apart so that only who prints JSON links it. */
#include "base/banned.h"
#include "lbs/rules.h"

json_t *verdict_rules_to_json(const struct verdict *v)
{
	json_t *list = json_new_array();

	for (size_t i = 0; i < v->nr_rulings; i++) {
		const struct lbs_ruling *r = &v->rulings[i];
		json_t *row = json_new_object();

		json_put_text(row, "id", r->id);
		json_put_text(row, "outcome", lbs_outcome_text(r->outcome));
		json_put_text(row, "about", lbs_about_text(r->about));
		json_put_text(row, "why", r->why);
		json_put_text(row, "do", r->todo[0] ? r->todo : NULL);
		json_put_text(row, "source", r->source);
		json_append(list, row);
	}
	return list;
}
