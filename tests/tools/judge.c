/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge FACTS.json IMAGE TYPE OPTIONS: runs the rules on an image with facts
 * from a file, and prints one line a ruling: id, outcome, why, what to do.
 * TYPE "*" is a mount that names none; OPTIONS "-" none.
 */
#include <stdio.h>

#include "base/banned.h"
#include "lbs/rules.h"

static errcode_t read_facts(const char *path, struct facts *f)
{
	char text[65536];
	FILE *in = fopen(path, "r");
	json_t *value = NULL;
	errcode_t rc;
	size_t len;

	if (!in)
		return LB_E_JSON_SYNTAX;
	len = fread(text, 1, sizeof(text) - 1, in);
	fclose(in);
	text[len] = '\0';
	rc = json_parse(text, &value);
	if (!rc)
		rc = facts_from_json(value, f);
	json_free(value);
	return rc;
}

static errcode_t judge(const char *path, const struct facts *f,
		       const struct lbs_request *rq)
{
	struct lbs_subject s;
	struct lbs_mntopts m;
	struct verdict v;
	struct image *img;
	errcode_t rc = image_open(path, IMAGE_READ, &img);

	if (rc)
		return rc;
	rc = lbs_subject_read(img, &s);
	if (!rc)
		rc = lbs_mntopts_parse(&s.sb, rq, &m);
	if (!rc && m.sb_kib)
		rc = lbs_subject_read_alt(img, m.sb_kib, &s);
	if (!rc)
		rc = lbs_check(f, &s, rq, &v);
	image_close(img);
	if (rc)
		return rc;
	for (size_t i = 0; i < v.nr_rulings; i++)
		printf("%s\t%s\t%s\t%s\n", v.rulings[i].id,
		       lbs_outcome_text(v.rulings[i].outcome), v.rulings[i].why,
		       v.rulings[i].todo);
	verdict_free(&v);
	return 0;
}

int main(int argc, char **argv)
{
	struct lbs_request rq = {.fs_type = LBS_EXT4};
	struct facts f;
	errcode_t rc;

	err_init();
	if (argc != 5) {
		fprintf(stderr, "usage: judge FACTS.json IMAGE TYPE OPTIONS\n");
		return 16;
	}
	memset(&f, 0, sizeof(f));
	rq.type_given = lbs_fs_type_parse(argv[3], &rq.fs_type);
	rq.options = strcmp(argv[4], "-") ? argv[4] : NULL;
	rc = read_facts(argv[1], &f);
	if (!rc)
		rc = judge(argv[2], &f, &rq);
	if (rc)
		fprintf(stderr, "judge: %s\n", error_message(rc));
	return rc ? 8 : 0;
}
