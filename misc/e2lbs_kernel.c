/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * e2lbs kernel: does a kernel mount ext4 with blocks larger than its pages?
 * Prints the facts lib/probe found; holds no rule of its own.
 */
#include "misc/e2lbs.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/banned.h"
#include "base/units.h"
#include "cli/out.h"
#include "lbs/kernel_max.h"
#include "lbs/limits.h"
#include "misc/e2lbs_target.h"
#include "probe/kernel.h"

static const struct opt options[] = {
	{.name = "json", .kind = OPT_FLAG, .help = "print JSON"},
	{.name = "sysroot", .kind = OPT_TEXT, .arg = "DIR",
	 .help = "ask a tree made with record-sysroot, not this machine"},
	E2LBS_TARGET_KERNEL_ROWS,
	{.letter = 'h', .name = "help", .kind = OPT_FLAG,
	 .help = "print this"},
	{0},
};

/* What is asked, and of whom. */
struct question {
	struct root root;
	bool recorded;
	bool json;
};

static int say_help(void)
{
	struct str out = STR_INIT;

	str_add(&out, "Usage: e2lbs kernel [OPTION...]\n"
		      "Says whether a kernel mounts ext4 with blocks larger"
		      " than its pages.\n\n");
	opts_help(options, &out);
	str_add(&out, "\nExit status: 0 yes, 1 no, 3 unknown, 8 could not look,"
		      " 16 wrong command line.\n");
	fputs(str_text(&out), stdout);
	str_free(&out);
	return out_finish() ? E2LBS_ERROR : E2LBS_OK;
}

static enum tri answer(const struct kernel_facts *k)
{
	if (lbs_kernel_max_block_bytes(k) == LBS_BLOCK_BYTES_MAX)
		return TRI_YES;
	return k->large_blocks.value;
}

/* What a person can do about it, "" when there is nothing to do. */
static const char *advice(const struct kernel_facts *k, bool recorded)
{
	if (answer(k) == TRI_YES)
		return "";
	if (k->large_blocks.value == TRI_UNKNOWN && k->declared)
		return "name the version too: --target-kernel VERSION";
	if (k->large_blocks.value == TRI_UNKNOWN && recorded)
		return "load ext4 there ('modprobe ext4'), then record the"
		       " tree again outside of any container";
	if (k->large_blocks.value == TRI_UNKNOWN &&
	    k->ext4_present.value == TRI_NO)
		return "run 'modprobe ext4' as root, then ask again";
	if (k->large_blocks.value == TRI_UNKNOWN)
		return "ask outside of the container, or name the kernel:"
		       " --target-kernel VERSION";
	if (!k->declared && k->version >= KERNEL_LARGE_BLOCKS_SINCE)
		return "use a kernel built with CONFIG_TRANSPARENT_HUGEPAGE,"
		       " as distribution kernels are";
	return "use Linux 6.19 or newer, built with"
	       " CONFIG_TRANSPARENT_HUGEPAGE; files of a filesystem with"
	       " larger blocks can be read without mounting it, with"
	       " debugfs (rdump) or fuse2fs";
}

static json_t *to_json(const struct kernel_facts *k, bool recorded)
{
	u64 max_bytes = lbs_kernel_max_block_bytes(k);
	const char *todo = advice(k, recorded);
	json_t *value = json_new_object();

	json_put_u64(value, "schema", 1);
	json_put_text(value, "supported", tri_text(answer(k)));
	json_put(value, "large_blocks", fact_to_json(&k->large_blocks));
	if (max_bytes)
		json_put_u64(value, "max_block_bytes", max_bytes);
	else
		json_put_null(value, "max_block_bytes");
	json_put_bool(value, "declared", k->declared);
	json_put_text(value, "release", k->release[0] ? k->release : NULL);
	if (k->page_bytes)
		json_put_u64(value, "page_bytes", k->page_bytes);
	else
		json_put_null(value, "page_bytes");
	json_put(value, "huge_pages", fact_to_json(&k->huge_pages));
	json_put(value, "ext4", fact_to_json(&k->ext4_present));
	json_put(value, "features", facts_features_to_json(k));
	json_put_text(value, "do", *todo ? todo : NULL);
	return value;
}

/* "This kernel (6.1.0-53-amd64, 4 KiB pages)" */
static void add_subject(const struct kernel_facts *k, bool recorded,
			struct str *out)
{
	if (answer(k) == TRI_UNKNOWN)
		str_add(out, "It cannot be told from here whether ");
	if (k->declared || recorded)
		str_add(out, out->len ? "the " : "The ");
	else
		str_add(out, out->len ? "this " : "This ");
	if (k->declared)
		str_add(out, "declared ");
	else if (recorded)
		str_add(out, "recorded ");
	str_add(out, "kernel (");
	str_add(out, k->release[0] ? k->release : "version unknown");
	if (k->page_bytes)
		str_addf(out, ", %s pages)", units_format(k->page_bytes).text);
	else
		str_add(out, ", page size unknown)");
}

static void add_answer(const struct kernel_facts *k, bool recorded,
		       struct str *out)
{
	const char *pages = "its pages";
	struct units_text page = units_format(k->page_bytes);

	if (k->page_bytes)
		pages = page.text;
	add_subject(k, recorded, out);
	if (answer(k) == TRI_UNKNOWN)
		str_addf(out, " mounts ext4 with blocks larger than %s.\n",
			 pages);
	else if (answer(k) == TRI_NO)
		str_addf(out, " cannot mount ext4 with blocks larger than"
			      " %s.\n", pages);
	else if (k->large_blocks.value == TRI_YES)
		str_addf(out, " can mount ext4 with blocks larger than its"
			      " pages, up to %s.\n",
			 units_format(LBS_BLOCK_BYTES_MAX).text);
	else
		str_add(out, " can mount ext4 with every block size: none is"
			     " larger than its pages.\n");
}

static void say_text(const struct kernel_facts *k, bool recorded)
{
	const char *todo = advice(k, recorded);
	struct str out = STR_INIT;

	add_answer(k, recorded, &out);
	if (answer(k) != TRI_YES || k->large_blocks.value == TRI_YES)
		str_addf(&out, "Why: %s.\n", k->large_blocks.why);
	if (*todo)
		str_addf(&out, "What to do: %s.\n", todo);
	fputs(str_text(&out), stdout);
	str_free(&out);
}

/* The facts of the machine, tree or target asked about. */
static errcode_t gather(const struct question *q, const struct target *t,
			struct facts *f)
{
	struct stat st;

	facts_init(f);
	if (target_is_declared(t))
		return target_apply(t, f);
	if (q->recorded && stat(q->root.dir, &st))
		return errno;
	if (q->recorded && !S_ISDIR(st.st_mode))
		return ENOTDIR;
	kernel_probe(&q->root, &f->kernel);
	/* A folder without any of this was never recorded. */
	if (!f->kernel.release[0] && !f->kernel.page_bytes)
		return LB_E_SYSROOT_EMPTY;
	return 0;
}

static int run(struct opts *o, struct question *q)
{
	struct note_sink sink = out_stderr_sink("e2lbs kernel");
	struct target target;
	struct facts f;
	errcode_t rc;

	rc = e2lbs_target_read(o, &target);
	if (!rc && q->recorded && target_is_declared(&target)) {
		str_add(&o->error, "--sysroot and --target-* exclude each"
				   " other");
		rc = EINVAL;
	}
	if (rc) {
		note_say(&sink, NOTE_ERROR, "%s", str_text(&o->error));
		return E2LBS_USAGE;
	}
	rc = gather(q, &target, &f);
	if (rc) {
		note_error(&sink, rc, "%s", q->recorded ? q->root.dir : "/");
		return E2LBS_ERROR;
	}
	if (q->json)
		rc = out_json(to_json(&f.kernel, q->recorded));
	else
		say_text(&f.kernel, q->recorded);
	if (!rc)
		rc = out_finish();
	if (rc) {
		note_error(&sink, rc, "writing the answer");
		return E2LBS_ERROR;
	}
	return answer(&f.kernel) == TRI_YES  ? E2LBS_OK
	       : answer(&f.kernel) == TRI_NO ? E2LBS_REFUSED
					     : E2LBS_UNKNOWN;
}

int e2lbs_kernel(int argc, char **argv)
{
	struct question q = {{NULL}, false, false};
	struct opts o;
	int status = E2LBS_USAGE;
	errcode_t rc = opts_parse(options, argc, argv, &o);

	if (!rc && opts_name(&o, "help")->seen) {
		status = say_help();
		goto out;
	}
	if (!rc && o.nr_args) {
		str_addf(&o.error, "%s: kernel takes no operand", o.args[0]);
		rc = EINVAL;
	}
	if (!rc && opts_name(&o, "sysroot")->seen &&
	    !opts_name(&o, "sysroot")->text[0]) {
		/* An empty shell variable must not mean this machine. */
		str_add(&o.error, "--sysroot: name a folder");
		rc = EINVAL;
	}
	if (rc) {
		fprintf(stderr, "e2lbs kernel: %s\n", str_text(&o.error));
		goto out;
	}
	q.json = opts_name(&o, "json")->seen;
	q.root.dir = opts_name(&o, "sysroot")->text;
	q.recorded = !root_is_live(&q.root);
	status = run(&o, &q);
out:
	opts_free(&o);
	return status;
}
