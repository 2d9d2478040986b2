/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What e2lbs check found about one filesystem, and how it is told. */
#ifndef MISC_E2LBS_CHECK_H
#define MISC_E2LBS_CHECK_H

#include "lbs/rules.h"

struct check_result {
	const struct facts *facts;
	const struct lbs_subject *subject;
	const struct lbs_request *request;
	struct verdict verdict;
};

/* First whether it is healthy and mounts, then why, then what to do. */
void check_print_text(const struct check_result *r);
/* schema, path, verdict, healthy, rules, filesystem, facts. */
json_t *check_to_json(const struct check_result *r);

#endif
