/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a verdict is about: one filesystem, existing (read from an image) or
 * planned (filled by mke2fs). Facts about it that the superblock does not hold
 * are here with a flag whether they are known.
 */
#ifndef LBS_SUBJECT_H
#define LBS_SUBJECT_H

#include "io/image.h"
#include "ondisk/geom.h"

enum lbs_journal_kind {
	LBS_JOURNAL_NONE,
	LBS_JOURNAL_INTERNAL,
	LBS_JOURNAL_EXTERNAL, /* on another device, not examined */
};

struct lbs_subject {
	const char *name; /* path for messages; borrowed, never NULL */
	struct super sb;
	struct geom geom;
	errcode_t geom_error; /* 0: geom is valid */
	bool planned;	      /* not on disk yet */

	enum lbs_journal_kind journal;
	bool journal_known;    /* the five below were read or planned */
	bool journal_is_valid; /* found, and magic and sizes make sense */
	u32 journal_block_bytes;
	u64 journal_blks;      /* maxlen, fast-commit area included */
	u32 journal_fast_blks; /* s_num_fc_blks as stored; 0 means 256 */

	u32 journal_errno; /* an error the kernel left there, 0 none */

	/* First inode a mount needs that it cannot use; 0 none. */
	u32 bad_inode;
	u32 bad_quota_inode; /* the same of a writable mount's quota files */

	bool orphan_known;
	u64 orphan_bytes;	 /* size of the orphan file */
	u64 orphan_mapped_bytes; /* less than the size: it has a hole */
	bool orphan_is_bad;	 /* its first block is not what it must be */

	bool mmp_is_bad;  /* the multi-mount protection block is damaged */
	bool mmp_is_fsck; /* it says that a check is running */

	bool descs_known;
	u32 nr_bad_descs;	/* group descriptors that are wrong */
	u32 nr_misplaced_descs; /* of them, those not by their checksum only */
	bool padding_known;
	u32 nr_bad_padding;    /* groups whose bitmap padding is not set */
	u32 first_bad_padding; /* first such group */
	u32 nr_bad_bitmaps;    /* block bitmaps with a wrong checksum */
	u32 first_bad_bitmap;  /* first such group */

	bool alt_super_known; /* a superblock at sb= was looked for */
	bool alt_super_found;

	u64 container_bytes; /* file or device size, 0 unknown */
};

/*
 * Reads a filesystem's facts. Damage is data, not an error; errors are I/O,
 * ENOMEM, LB_E_SB_SHORT and LB_E_SB_MAGIC.
 */
errcode_t lbs_subject_read(const struct image *img,
			   struct lbs_subject *s) LB_MUST_CHECK;
/* Looks whether a superblock lies at sb_kib KiB, as mount -o sb= would. */
errcode_t lbs_subject_read_alt(const struct image *img, u64 sb_kib,
			       struct lbs_subject *s) LB_MUST_CHECK;
/* Makes geom, journal kind from sb; a plan calls it after filling sb. */
void lbs_subject_set_geom(struct lbs_subject *s);

#endif
