/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ext4's mount options as the kernel understands them: which it knows, in what
 * order the three sources apply (default mount options of the superblock, its
 * mount option string, the command line), and what is left in force.
 */
#ifndef LBS_MNTOPTS_H
#define LBS_MNTOPTS_H

#include "base/err.h"
#include "ondisk/super.h"

enum lbs_fs_type {
	LBS_EXT4,
	LBS_EXT3,
	LBS_EXT2
};
enum lbs_data_mode {
	LBS_DATA_ORDERED, /* the default */
	LBS_DATA_JOURNAL,
	LBS_DATA_WRITEBACK,
};
enum lbs_dax_mode {
	LBS_DAX_INODE,
	LBS_DAX_NEVER,
	LBS_DAX_ALWAYS
};

/* What is asked: how somebody wants to mount the filesystem. */
struct lbs_request {
	enum lbs_fs_type fs_type;
	bool type_given;     /* with -t or in fstab, not assumed */
	const char *options; /* "ro,data=journal"; NULL or "" none; borrowed */
};

enum {
	LBS_OPT_TEXT_MAX = 65
};

struct lbs_mntopts {
	enum lbs_data_mode data;
	bool data_given; /* on the command line */
	bool data_from_super;
	enum lbs_dax_mode dax;
	bool dax_from_super;
	bool read_only;
	bool noload;
	bool delalloc_given; /* on the command line */
	bool async_commit;
	bool async_commit_given;
	bool journal_checksum_given;
	bool commit_given;
	bool data_err_given;
	bool dummy_encryption;
	bool prjquota;
	bool journaled_quota; /* usrjquota= or grpjquota= with a file */
	bool jqfmt_given;
	u64 sb_kib; /* sb=, in KiB; 0 when not given */
	u64 stripe; /* 0 when not given */
	/* The first option of each kind, "" for none. */
	char unknown[LBS_OPT_TEXT_MAX];	     /* the kernel knows no such */
	char bad_value[LBS_OPT_TEXT_MAX];    /* impossible or missing value */
	char removed[LBS_OPT_TEXT_MAX];	     /* newer kernels know it not */
	char ignored[LBS_OPT_TEXT_MAX];	     /* accepted, without effect */
	char wrong_type[LBS_OPT_TEXT_MAX];   /* not for this fs type */
	char super_string[LBS_OPT_TEXT_MAX]; /* the superblock's own string */
	bool super_string_bad;		     /* it does not parse: ignored */
};

/* Applies all three sources. Error: ENOMEM. */
errcode_t lbs_mntopts_parse(const struct super *sb,
			    const struct lbs_request *rq,
			    struct lbs_mntopts *out) LB_MUST_CHECK;
/* "ext4", "ext3", "ext2" both ways; false when it is none of them. */
bool lbs_fs_type_parse(const char *text, enum lbs_fs_type *type);
const char *lbs_fs_type_text(enum lbs_fs_type type);
/* The features a type knows; the kernel refuses a mount with any other. */
struct features lbs_fs_type_features(enum lbs_fs_type type);
/* The type libblkid reports, and so the one a mount without -t uses. */
enum lbs_fs_type lbs_fs_type_detected(const struct super *sb);

#endif
