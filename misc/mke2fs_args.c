/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of mke2fs. Letters that mke2fs has elsewhere and that are not
 * here yet are known, so that they are answered rather than misread.
 */
#include <errno.h>

#include "base/banned.h"
#include "misc/mke2fs.h"

/* Options this program knows of but cannot carry out yet. */
static const char later_letters[] = "cldDrSTz";

const struct opt mke2fs_opts[] = {
	{.letter = 'b',
	 .kind = OPT_BYTES,
	 .arg = "BLOCK-SIZE",
	 .help = "bytes in a block, 1024 to 65536 (64k)"},
	{.letter = 'C',
	 .kind = OPT_BYTES,
	 .arg = "CLUSTER-SIZE",
	 .min = 1,
	 .help = "bytes in a cluster, with -O bigalloc"},
	{.letter = 'e',
	 .kind = OPT_TEXT,
	 .arg = "BEHAVIOUR",
	 .help = "on errors: continue, remount-ro or panic"},
	{.letter = 'E',
	 .kind = OPT_LIST,
	 .arg = "KEY[=VALUE],...",
	 .help = "extended options, see mke2fs(8)"},
	{.letter = 'F',
	 .kind = OPT_FLAG,
	 .help = "overwrite what is there, override a refusal"},
	{.letter = 'g',
	 .kind = OPT_NUM,
	 .arg = "CLUSTERS",
	 .min = 1,
	 .help = "clusters (blocks without bigalloc) in a group"},
	{.letter = 'G',
	 .kind = OPT_NUM,
	 .arg = "GROUPS",
	 .min = 1,
	 .help = "groups in a flex group"},
	{.letter = 'i',
	 .kind = OPT_BYTES,
	 .arg = "BYTES",
	 .min = 1024,
	 .max = 64 << 20,
	 .help = "one inode for so many bytes"},
	{.letter = 'I',
	 .kind = OPT_BYTES,
	 .arg = "INODE-SIZE",
	 .min = 1,
	 .help = "bytes in an inode, 128 to 32768"},
	{.letter = 'j', .kind = OPT_FLAG, .help = "make a journal"},
	{.letter = 'J',
	 .kind = OPT_LIST,
	 .arg = "size=MIB,...",
	 .help = "journal options"},
	{.letter = 'L',
	 .kind = OPT_TEXT,
	 .arg = "LABEL",
	 .help = "volume label, at most 16 bytes"},
	{.letter = 'm',
	 .kind = OPT_TEXT,
	 .arg = "PERCENT",
	 .help = "blocks kept for root, default 5"},
	{.letter = 'M',
	 .kind = OPT_TEXT,
	 .arg = "DIRECTORY",
	 .help = "where it says it was last mounted"},
	{.letter = 'n',
	 .kind = OPT_FLAG,
	 .help = "print the plan and write nothing"},
	{.letter = 'N',
	 .kind = OPT_NUM,
	 .arg = "INODES",
	 .min = 1,
	 .max = UINT32_MAX,
	 .help = "number of inodes"},
	{.letter = 'o',
	 .kind = OPT_TEXT,
	 .arg = "SYSTEM",
	 .help = "operating system it says it was made by"},
	{.letter = 'O',
	 .kind = OPT_LIST,
	 .arg = "[^]FEATURE,...",
	 .help = "features to add or, with ^, to leave out"},
	{.letter = 'q', .kind = OPT_FLAG, .help = "say only what went wrong"},
	{.letter = 't',
	 .kind = OPT_TEXT,
	 .arg = "TYPE",
	 .help = "ext2, ext3 or ext4"},
	{.letter = 'U',
	 .kind = OPT_TEXT,
	 .arg = "UUID",
	 .help = "a UUID, random, time or clear"},
	{.letter = 'v',
	 .kind = OPT_FLAG,
	 .help = "print every rule that applies"},
	{.letter = 'V',
	 .name = "version",
	 .kind = OPT_FLAG,
	 .help = "print the version"},
	{.letter = 'h',
	 .name = "help",
	 .kind = OPT_FLAG,
	 .help = "print this help"},
	{.letter = 'c', .kind = OPT_FLAG, .help = "not here yet"},
	{.letter = 'l',
	 .kind = OPT_TEXT,
	 .arg = "FILE",
	 .help = "not here yet"},
	{.letter = 'd', .kind = OPT_TEXT, .arg = "DIR", .help = "not here yet"},
	{.letter = 'D', .kind = OPT_FLAG, .help = "not here yet"},
	{.letter = 'r',
	 .kind = OPT_TEXT,
	 .arg = "REVISION",
	 .help = "not here yet"},
	{.letter = 'S', .kind = OPT_FLAG, .help = "not here yet"},
	{.letter = 'T',
	 .kind = OPT_TEXT,
	 .arg = "USAGE",
	 .help = "not here yet"},
	{.letter = 'z',
	 .kind = OPT_TEXT,
	 .arg = "UNDO",
	 .help = "not here yet"},
	{0},
};

void mke2fs_print_help(void)
{
	struct str out = STR_INIT;

	str_add(&out, "Usage: mke2fs [OPTION...] DEVICE|FILE [SIZE]\n"
		      "Makes an ext2, ext3 or ext4 filesystem with blocks of "
		      "1 KiB to 64 KiB.\nSIZE has a unit (512M, 20G, 1T), or counts "
		      "blocks with -b and KiB without.\n\n");
	opts_help(mke2fs_opts, &out);
	str_add(&out, "\nExit status: 0 made, 1 not made.\n");
	fputs(str_text(&out), stdout);
	str_free(&out);
}

static errcode_t refuse_later(const struct opts *o, struct str *why)
{
	for (const char *c = later_letters; *c; c++)
		if (opts_letter(o, *c)->seen) {
			str_addf(why, "-%c is not here yet", *c);
			return EINVAL;
		}
	return 0;
}

static errcode_t take_type(const struct opts *o, struct mkfs_request *rq,
			   struct str *why)
{
	const struct opt_value *v = opts_letter(o, 't');

	if (v->seen && !lbs_fs_type_parse(v->text, &rq->type)) {
		str_addf(why, "-t %s: must be ext2, ext3 or ext4", v->text);
		return EINVAL;
	}
	rq->type_given |= v->seen;
	/* As mke2fs always did: nothing said is ext2, a journal makes ext3. */
	if (!rq->type_given)
		rq->type = rq->journal ? LBS_EXT3 : LBS_EXT2;
	return 0;
}

static errcode_t take_texts(const struct opts *o, struct mkfs_request *rq,
			    struct str *why)
{
	rq->label = opts_letter(o, 'L')->text;
	rq->mount_dir = opts_letter(o, 'M')->text;
	if (rq->label && strlen(rq->label) > MKFS_LABEL_MAX) {
		str_addf(why, "-L %s: a label has at most %d bytes", rq->label,
			 MKFS_LABEL_MAX);
		return EINVAL;
	}
	if (rq->mount_dir && strlen(rq->mount_dir) > MKFS_MOUNT_DIR_MAX) {
		str_addf(why, "-M: at most %d bytes", MKFS_MOUNT_DIR_MAX);
		return EINVAL;
	}
	return 0;
}

static void take_numbers(const struct opts *o, struct mkfs_request *rq)
{
	rq->cluster_bytes = opts_letter(o, 'C')->num;
	rq->inode_bytes = opts_letter(o, 'I')->num;
	rq->inode_ratio = opts_letter(o, 'i')->num;
	rq->nr_inodes = opts_letter(o, 'N')->num;
	rq->group_clusters = opts_letter(o, 'g')->num;
	rq->flex_groups = opts_letter(o, 'G')->num;
	rq->force = opts_letter(o, 'F')->num;
	rq->journal |= opts_letter(o, 'j')->seen;
	rq->dry_run = opts_letter(o, 'n')->seen;
	rq->quiet = opts_letter(o, 'q')->seen;
	rq->verbose = opts_letter(o, 'v')->seen;
}

typedef errcode_t (*take_fn)(struct mkfs_request *rq, const char *text,
			     struct str *why);

/* Options whose value has a function of its own. */
static errcode_t take_parsed(const struct opts *o, struct mkfs_request *rq,
			     struct str *why)
{
	static const struct {
		char letter;
		take_fn take;
	} rows[] = {
		{'U', mkfs_request_uuid},
		{'m', mkfs_request_percent},
		{'o', mkfs_request_creator},
		{'e', mkfs_request_errors},
	};
	errcode_t rc = 0;

	for (size_t i = 0; !rc && i < ARRAY_LEN(rows); i++)
		if (opts_letter(o, rows[i].letter)->seen)
			rc = rows[i].take(
				rq, opts_letter(o, rows[i].letter)->text, why);
	return rc;
}

static errcode_t take_lists(const struct opts *o, struct mkfs_request *rq,
			    struct str *why)
{
	static const struct {
		char letter;
		take_fn take;
	} rows[] = {
		{'O', mkfs_request_features},
		{'J', mkfs_request_journal},
		{'E', mkfs_request_extended},
	};
	errcode_t rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct opt_value *v = opts_letter(o, rows[i].letter);

		for (size_t n = 0; !rc && n < v->nr_texts; n++)
			rc = rows[i].take(rq, v->texts[n], why);
	}
	return rc;
}

static errcode_t take_operands(const struct opts *o, struct mkfs_request *rq,
			       struct str *why)
{
	if (o->nr_args < 1 || o->nr_args > 2) {
		str_add(why, "name one device or file, and optionally a size; "
			     "see 'mke2fs --help'");
		return EINVAL;
	}
	rq->path = o->args[0];
	return o->nr_args == 2 ? mkfs_request_size(rq, o->args[1], why) : 0;
}

errcode_t mke2fs_read_args(const struct opts *o, const char *argv0,
			   struct mkfs_request *rq, struct str *why)
{
	errcode_t rc = refuse_later(o, why);

	memset(rq, 0, sizeof(*rq));
	mkfs_request_program(rq, argv0);
	take_numbers(o, rq);
	if (!rc && opts_letter(o, 'b')->seen)
		rc = mkfs_request_block(rq, opts_letter(o, 'b')->num, why);
	if (!rc)
		rc = take_texts(o, rq, why);
	if (!rc)
		rc = take_parsed(o, rq, why);
	if (!rc)
		rc = take_lists(o, rq, why);
	if (!rc)
		rc = take_type(o, rq, why);
	if (!rc)
		rc = take_operands(o, rq, why);
	return rc;
}
