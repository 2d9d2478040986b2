/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mke2fs: command line in, plan and verdict out, and only then a filesystem.
 * Order of things: nothing is opened for writing before every check passed.
 */
#include "misc/mke2fs.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/banned.h"
#include "cli/ask.h"
#include "cli/out.h"
#include "config.h"
#include "io/image.h"
#include "mkfs/write.h"
#include "probe/content.h"
#include "probe/device.h"
#include "probe/kernel.h"
#include "probe/target.h"

static int fail(const char *fmt, const char *path, const char *text)
{
	fprintf(stderr, "mke2fs: ");
	if (path)
		fprintf(stderr, "%s: ", path);
	fprintf(stderr, fmt, text);
	fprintf(stderr, ".\n");
	return MKE2FS_FAILED;
}

/* Asks on a terminal; elsewhere the sentence says which option it takes. */
static bool may_go_on(const struct mkfs_request *rq, const char *what,
		      const char *option)
{
	struct str text = STR_INIT;
	bool yes = false;

	if (rq->force)
		return true;
	if (ask_is_possible()) {
		str_addf(&text, "%s: %s Go on all the same?", rq->path, what);
		yes = ask_yes(str_text(&text));
	} else {
		fprintf(stderr, "mke2fs: %s: %s %s\n", rq->path, what, option);
	}
	str_free(&text);
	return yes;
}

static errcode_t find_place(const char *path, struct mkfs_place *place,
			    u64 *devno)
{
	struct image *img;
	struct stat st;
	errcode_t rc;

	*place = (struct mkfs_place){.exists = !stat(path, &st)};
	*devno = 0;
	if (!place->exists)
		return errno == ENOENT ? 0 : errno;
	rc = image_open(path, IMAGE_READ, &img);
	if (rc)
		return rc;
	place->device = image_is_device(img);
	place->container_bytes = image_bytes(img);
	*devno = image_devno(img);
	image_close(img);
	return 0;
}

/* Mounted or held is refused whatever -F says; old content with -F goes. */
static int check_content(const struct mkfs_request *rq,
			 const struct mkfs_place *place)
{
	struct str what = STR_INIT, text = STR_INIT;
	struct image *img;
	int code = MKE2FS_OK;
	errcode_t rc;

	if (!place->exists)
		return MKE2FS_OK;
	rc = content_in_use(rq->path, &what);
	if (!rc && what.len)
		code = fail("%s; unmount it first", rq->path, str_text(&what));
	/* Whether it can be written at all is found out before anything is. */
	if (!rc && !code)
		rc = image_open(rq->path, IMAGE_WRITE | IMAGE_EXCLUSIVE, &img);
	if (!rc && !code)
		image_close(img);
	if (!rc && !code)
		rc = content_probe(rq->path, &what);
	if (rc)
		code = fail("%s", rq->path, error_message(rc));
	if (!code && what.len) {
		str_addf(&text, "it holds %s.", str_text(&what));
		if (!may_go_on(rq, str_text(&text), "Give -F to overwrite it."))
			code = MKE2FS_FAILED;
	}
	str_free(&what);
	str_free(&text);
	return code;
}

static const char *verdict_in_short(const struct mkfs_request *rq)
{
	return target_is_declared(&rq->target)
		       ? "the declared target cannot use it as it is."
		       : "this machine cannot use it as it is.";
}

static const char *verdict_option(const struct mkfs_request *rq)
{
	return target_is_declared(&rq->target)
		       ? "-F makes it anyway. Nothing was written."
		       : "If it is for another machine, declare that one "
			 "(-E target_kernel=6.19 or target_lbs=yes, "
			 "target_page_size=65536); -F makes it anyway. "
			 "Nothing was written.";
}

/* The verdict, said before anything is written. */
static int check_verdict(const struct mkfs_request *rq,
			 const struct facts *facts,
			 const struct mkfs_plan *plan)
{
	const struct lbs_request mount = {.fs_type = LBS_EXT4};
	struct verdict v;
	errcode_t rc = lbs_check(facts, &plan->subject, &mount, &v);
	int code = MKE2FS_OK;

	if (rc)
		return fail("%s", rq->path, error_message(rc));
	mke2fs_print_verdict(rq, &v);
	if (!verdict_allows_making(&v, true))
		code = fail("%s", rq->path,
			    "no kernel would mount this; nothing was written");
	else if (!rq->dry_run && !verdict_allows_making(&v, false) &&
		 !may_go_on(rq, verdict_in_short(rq), verdict_option(rq)))
		code = MKE2FS_FAILED;
	verdict_free(&v);
	return code;
}

static int make(const struct mkfs_request *rq, struct mkfs_plan *plan)
{
	const struct note_sink sink = out_stderr_sink("mke2fs");

	errcode_t rc = plan->place.exists ? content_wipe(rq->path) : 0;

	if (rc)
		return fail("not made, erasing the signatures of what it held "
			    "failed: %s",
			    rq->path, error_message(rc));
	return mkfs_write(rq, plan, &sink) ? MKE2FS_FAILED : MKE2FS_OK;
}

static int run_plan(const struct mkfs_request *rq, const struct facts *facts,
		    const struct mkfs_place *place)
{
	struct str why = STR_INIT;
	struct mkfs_plan plan;
	errcode_t rc = mkfs_plan_make(rq, facts, place, &plan, &why);
	int code = MKE2FS_OK;

	if (rc)
		code = fail("%s", rq->path,
			    why.len ? str_text(&why) : error_message(rc));
	if (!code && !rq->quiet)
		mke2fs_print_plan(rq, &plan);
	if (!code) {
		fflush(stdout);
		code = check_verdict(rq, facts, &plan);
	}
	if (!code && !rq->dry_run)
		code = check_content(rq, place);
	if (!code && !rq->dry_run)
		code = make(rq, &plan);
	mkfs_plan_free(&plan);
	str_free(&why);
	return code;
}

static int run(const struct mkfs_request *rq)
{
	const struct root live = {NULL};
	struct mkfs_place place;
	struct facts facts;
	u64 devno;
	errcode_t rc = find_place(rq->path, &place, &devno);

	if (rc)
		return fail("%s", rq->path, error_message(rc));
	memset(&facts, 0, sizeof(facts));
	kernel_probe(&live, &facts.kernel);
	device_probe(&live, devno, &facts.device);
	if (target_apply(&rq->target, &facts))
		return fail("%s", NULL,
			    "-E target_kernel, target_page_size: no such "
			    "kernel or page size");
	return run_plan(rq, &facts, &place);
}

static int run_options(const struct opts *o, const char *argv0)
{
	struct mkfs_request rq;
	struct str why = STR_INIT;
	int code;

	if (opts_letter(o, 'h')->seen) {
		mke2fs_print_help();
		return MKE2FS_OK;
	}
	if (opts_letter(o, 'V')->seen) {
		printf("mke2fs (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
		return MKE2FS_OK;
	}
	if (mke2fs_read_args(o, argv0, &rq, &why))
		code = fail("%s", NULL, str_text(&why));
	else
		code = run(&rq);
	mkfs_request_free(&rq);
	str_free(&why);
	return code;
}

int main(int argc, char **argv)
{
	struct opts o;
	int code;

	err_init();
	initialize_ext2_error_table();
	if (opts_parse(mke2fs_opts, argc, argv, &o))
		code = fail("%s; see 'mke2fs --help'", NULL,
			    str_text(&o.error));
	else
		code = run_options(&o, argv[0]);
	opts_free(&o);
	if (out_finish())
		code = fail("%s", "stdout", "cannot be written");
	return code;
}
