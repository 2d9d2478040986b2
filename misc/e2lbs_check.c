/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * e2lbs check: what a kernel will do with a filesystem, and why. Gathers facts
 * and the filesystem's numbers, asks lib/lbs, prints the verdict.
 */
#include "misc/e2lbs_check.h"

#include <errno.h>

#include "base/banned.h"
#include "base/units.h"
#include "cli/opts.h"
#include "cli/out.h"
#include "misc/e2lbs.h"
#include "misc/e2lbs_target.h"
#include "probe/device.h"
#include "probe/kernel.h"
#include "probe/mounts.h"

static const struct opt check_opts[] = {
	{'t', NULL, OPT_TEXT, "TYPE", "mount as ext2, ext3 or ext4", 0, 0, 0,
	 NULL},
	{'o', NULL, OPT_LIST, "OPTIONS", "mount with these options", 0, 0, 0,
	 NULL},
	{0, "fstab", OPT_FLAG, NULL,
	 "take type and options from fstab; without DEVICE check every entry",
	 0, 0, 0, "to"},
	E2LBS_TARGET_KERNEL_ROWS,
	E2LBS_TARGET_DEVICE_ROWS,
	{0, "sysroot", OPT_TEXT, "DIR", "read this recorded machine instead", 0,
	 0, 0, NULL},
	{0, "json", OPT_FLAG, NULL, "print JSON", 0, 0, 0, NULL},
	{'h', "help", OPT_FLAG, NULL, "print this help", 0, 0, 0, NULL},
	{0, NULL, OPT_FLAG, NULL, NULL, 0, 0, 0, NULL},
};

/* The command line, understood. */
struct check_args {
	bool json;
	bool fstab;
	const char *path; /* NULL: every fstab entry */
	struct root root;
	struct target target;
	struct lbs_request request;
	struct str options; /* all -o joined */
};

static int usage_error(const char *text)
{
	fprintf(stderr, "e2lbs check: %s; see 'e2lbs check --help'.\n", text);
	return E2LBS_USAGE;
}

static void print_help(void)
{
	struct str out = STR_INIT;

	str_add(&out, "Usage: e2lbs check [OPTIONS] IMAGE|DEVICE\n"
		      "       e2lbs check --fstab [OPTIONS] [DEVICE]\n"
		      "Says whether a kernel mounts an ext2/3/4 filesystem, "
		      "why not, and what to do.\n\n");
	opts_help(check_opts, &out);
	str_add(&out, "\nExit status: 0 mounts and works, 1 the mount is "
		      "refused, 2 mounts but something\nnamed will not work, "
		      "3 cannot be known, 8 could not look, 16 usage.\n");
	fputs(str_text(&out), stdout);
	str_free(&out);
}

static int take_args(struct opts *o, struct check_args *a)
{
	const struct opt_value *type = opts_letter(o, 't');
	const struct opt_value *options = opts_letter(o, 'o');

	a->json = opts_name(o, "json")->seen;
	a->fstab = opts_name(o, "fstab")->seen;
	a->root.dir = opts_name(o, "sysroot")->text;
	if (type->seen && !lbs_fs_type_parse(type->text, &a->request.fs_type))
		return usage_error("-t takes ext2, ext3 or ext4");
	a->request.type_given = type->seen;
	for (size_t i = 0; i < options->nr_texts; i++)
		str_addf(&a->options, "%s%s", i ? "," : "", options->texts[i]);
	a->request.options = str_text(&a->options);
	if (o->nr_args > 1)
		return usage_error("name one image or device");
	if (!o->nr_args && !a->fstab)
		return usage_error("name an image or device");
	a->path = o->nr_args ? o->args[0] : NULL;
	if (e2lbs_target_read(o, &a->target))
		return usage_error(str_text(&o->error));
	return 0;
}

static int exit_code_of(enum lbs_outcome outcome)
{
	switch (outcome) {
	case LBS_OK:
		return E2LBS_OK;
	case LBS_WARN:
		return E2LBS_LIMITED;
	case LBS_UNKNOWN:
		return E2LBS_UNKNOWN;
	case LBS_REFUSE:
		return E2LBS_REFUSED;
	}
	return E2LBS_ERROR;
}

static int report_failure(const char *path, errcode_t rc)
{
	fprintf(stderr, "e2lbs check: %s: %s.\n", path, error_message(rc));
	return E2LBS_ERROR;
}

/* Reads the filesystem, and the superblock that a sb= option names. */
static errcode_t read_subject(const struct image *img,
			      const struct lbs_request *rq,
			      struct lbs_subject *s)
{
	struct lbs_mntopts m;
	errcode_t rc = lbs_subject_read(img, s);

	if (!rc)
		rc = lbs_mntopts_parse(&s->sb, rq, &m);
	if (!rc && m.sb_kib)
		rc = lbs_subject_read_alt(img, m.sb_kib, s);
	return rc;
}

static errcode_t gather(const struct check_args *a, const char *path,
			const struct lbs_request *rq, struct facts *f,
			struct lbs_subject *s)
{
	struct image *img = NULL;
	errcode_t rc = image_open(path, IMAGE_READ, &img);

	if (rc)
		return rc;
	memset(f, 0, sizeof(*f));
	kernel_probe(&a->root, &f->kernel);
	device_probe(&a->root, image_devno(img), &f->device);
	rc = target_apply(&a->target, f);
	if (!rc)
		rc = read_subject(img, rq, s);
	image_close(img);
	s->name = path;
	return rc;
}

/*
 * Checks one filesystem. With JSON the result goes to list when there is one,
 * to stdout otherwise. Returns the exit code.
 */
static int check_one(const struct check_args *a, const char *path,
		     const struct lbs_request *rq, json_t *list)
{
	struct facts facts;
	struct lbs_subject subject;
	struct check_result r = {&facts, &subject, rq, {.nr_rulings = 0}};
	errcode_t rc = gather(a, path, rq, &facts, &subject);
	int code;

	if (!rc)
		rc = lbs_check(&facts, &subject, rq, &r.verdict);
	if (rc)
		return report_failure(path, rc);
	code = exit_code_of(r.verdict.outcome);
	if (!a->json)
		check_print_text(&r);
	else if (list)
		json_append(list, check_to_json(&r));
	else
		rc = out_json(check_to_json(&r));
	verdict_free(&r.verdict);
	return rc ? report_failure("stdout", rc) : code;
}

static int report_fstab_failure(const struct check_args *a, errcode_t rc)
{
	fprintf(stderr, "e2lbs check: %s/etc/fstab: %s.\n",
		a->root.dir ? a->root.dir : "", error_message(rc));
	return E2LBS_ERROR;
}

/*
 * What fstab says of the mount, as a request. Of a list of types ("ext3,ext4")
 * mount tries each, so ext4, which takes most, decides. "auto" leaves the type
 * not given.
 */
static void request_of_entry(const struct mount_entry *e,
			     struct lbs_request *rq)
{
	struct subopts types;

	*rq = (struct lbs_request){.options = e->options};
	if (!e->fs_type || subopts_parse(e->fs_type, &types))
		return;
	for (size_t i = types.nr_items; i-- > 0;) {
		enum lbs_fs_type type;

		if (!lbs_fs_type_parse(types.items[i].key, &type))
			continue;
		if (!rq->type_given || type == LBS_EXT4)
			rq->fs_type = type;
		rq->type_given = true;
	}
	subopts_free(&types);
}

/* How bad an exit code is, for the worst of several. */
static int badness(int code)
{
	switch (code) {
	case E2LBS_OK:
		return 0;
	case E2LBS_LIMITED:
		return 1;
	case E2LBS_UNKNOWN:
		return 2;
	case E2LBS_REFUSED:
		return 3;
	default:
		return 4;
	}
}

static int check_entry(const struct check_args *a, const struct mount_entry *e,
		       json_t *list)
{
	struct lbs_request rq;
	const char *path = e->device ? e->device : e->source;
	struct image *img;
	u8 raw[SUPER_BYTES];
	struct super sb;
	errcode_t rc;

	request_of_entry(e, &rq);
	if (!rq.type_given) {
		/* "auto": only ours when an ext superblock is there. */
		rc = image_open(path, IMAGE_READ, &img);
		if (rc)
			return report_failure(path, rc);
		rc = image_read(img, SUPER_OFFSET, raw, sizeof(raw));
		image_close(img);
		if (rc || super_parse(span_of(raw, sizeof(raw)), &sb) ||
		    !super_is_ext(&sb))
			return E2LBS_OK;
	}
	return check_one(a, path, &rq, list);
}

static int check_fstab(const struct check_args *a)
{
	json_t *list = a->json ? json_new_array() : NULL;
	struct mount_list fstab;
	errcode_t rc = mounts_read_fstab(&a->root, &fstab);
	int worst = E2LBS_OK;

	if (rc) {
		json_free(list);
		return report_fstab_failure(a, rc);
	}
	for (size_t i = 0; i < fstab.nr_entries; i++) {
		int code = check_entry(a, &fstab.entries[i], list);

		if (badness(code) > badness(worst))
			worst = code;
	}
	if (!fstab.nr_entries && !a->json)
		printf("fstab has no ext2/3/4 entry.\n");
	mounts_free(&fstab);
	if (list) {
		json_t *o = json_new_object();

		json_put_u64(o, "schema", 1);
		json_put(o, "entries", list);
		rc = out_json(o);
	}
	return rc ? report_failure("stdout", rc) : worst;
}

/* With --fstab DEVICE: fstab's words for this device. */
static int check_with_fstab(const struct check_args *a)
{
	struct lbs_request rq = a->request;
	const struct mount_entry *e;
	struct mount_list fstab;
	errcode_t rc = mounts_read_fstab(&a->root, &fstab);
	/* fstab has whole paths; the command line may not. */
	char *real = realpath(a->path, NULL);
	int code;

	if (rc) {
		free(real);
		return report_fstab_failure(a, rc);
	}
	e = mounts_find(&fstab, a->path);
	if (!e && real)
		e = mounts_find(&fstab, real);
	free(real);
	if (e) {
		request_of_entry(e, &rq);
		code = check_one(a, a->path, &rq, NULL);
	} else {
		fprintf(stderr,
			"e2lbs check: %s: fstab has no ext2/3/4 entry "
			"for it; leave --fstab out or give -t and "
			"-o.\n",
			a->path);
		code = E2LBS_ERROR;
	}
	mounts_free(&fstab);
	return code;
}

static int run(struct opts *o)
{
	struct check_args a = {.options = STR_INIT};
	int code = take_args(o, &a);

	if (code)
		;
	else if (!a.path)
		code = check_fstab(&a);
	else if (a.fstab)
		code = check_with_fstab(&a);
	else
		code = check_one(&a, a.path, &a.request, NULL);
	str_free(&a.options);
	return code;
}

int e2lbs_check(int argc, char **argv)
{
	struct opts o;
	int code = E2LBS_OK;

	if (opts_parse(check_opts, argc, argv, &o))
		code = usage_error(str_text(&o.error));
	else if (opts_letter(&o, 'h')->seen)
		print_help();
	else
		code = run(&o);
	opts_free(&o);
	if (out_finish())
		return report_failure("stdout", errno ? errno : EIO);
	return code;
}
