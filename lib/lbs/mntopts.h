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

enum lbs_fs_type { LBS_EXT4, LBS_EXT3, LBS_EXT2 };
enum lbs_data_mode { LBS_DATA_DEFAULT, LBS_DATA_ORDERED, LBS_DATA_JOURNAL, LBS_DATA_WRITEBACK };
enum lbs_dax_mode { LBS_DAX_NONE, LBS_DAX_INODE, LBS_DAX_NEVER, LBS_DAX_ALWAYS };
enum lbs_opt_source { LBS_FROM_NOWHERE, LBS_FROM_DEFAULTS, LBS_FROM_SUPER, LBS_FROM_USER };

/* What is asked: how somebody wants to mount the filesystem. */
struct lbs_request {
	enum lbs_fs_type fs_type;
	const char *options; /* "ro,data=journal"; NULL or "" none; borrowed */
};

struct lbs_mntopts {
	enum lbs_data_mode data;
	enum lbs_opt_source data_from;
	enum lbs_dax_mode dax;
	enum lbs_opt_source dax_from;
	bool read_only;
	bool noload;
	bool delalloc_given; /* on the command line */
	bool delalloc_off;
	bool dioread_nolock;
	bool async_commit;
	bool journal_checksum;
	bool commit_given;
	bool data_err_abort;
	bool dummy_encryption;
	bool prjquota;
	bool usrjquota;
	bool grpjquota;
	bool jqfmt_given;
	u64 sb_block; /* sb=, units of 1 KiB; 1 when not given */
	u64 stripe;
	u64 inode_readahead_blks; /* as given; 32 when not */
	bool journal_option;	  /* one that ext2 refuses was given */
	bool ext4_only_option;	  /* one that ext3 and ext2 refuse was given */
	char unknown[64];	  /* first option the kernel does not know */
	char bad_value[64];	  /* first option with an impossible value */
	char ignored[64];	  /* first removed option it only ignores */
	char sb_bad[64];	  /* the superblock's string does not parse */
};

/* Applies all three sources. Error: ENOMEM. */
errcode_t lbs_mntopts_parse(const struct super *sb, const struct lbs_request *rq,
			    struct lbs_mntopts *out) LB_MUST_CHECK;
/* "ext4", "ext3", "ext2" both ways; false when it is none of them. */
bool lbs_fs_type_parse(const char *text, enum lbs_fs_type *type);
const char *lbs_fs_type_text(enum lbs_fs_type type);

#endif
