/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the blocks of a log are: behind a function, so that everything above
 * works the same on a journal inode, an external device, or memory. And the
 * journal as found there: superblock, its defects, the format.
 */
#ifndef JBD2_LOG_H
#define JBD2_LOG_H

#include "io/image.h"
#include "jbd2/format.h"
#include "ondisk/run.h"

struct jbd2_log_ops {
	/*
	 * Reads one block. LB_E_JBD2_UNMAPPED where the log has a hole or has
	 * ended, which is a finding about the log; other errors are errors.
	 */
	errcode_t (*read)(const void *src, u32 logblk, void *block);
	/* Whether a filesystem block is one of the log's; NULL: none is. */
	bool (*owns)(const void *src, u64 blk);
	void (*close)(void *src); /* may be NULL */
};

struct jbd2_log {
	const struct jbd2_log_ops *ops;
	void *src;
	u32 block_bytes; /* of the filesystem */
	u64 nr_blks;	 /* of the file or device */
	u32 sb_blk;	 /* block of the journal superblock */
	bool external;
	u8 uuid[JSB_UUID_BYTES]; /* external: of the device */
};

/*
 * The log in the blocks of a file, as runs ascending by lblk (copied). The
 * image must not have an overlay that changes while the log is in use: replay
 * first, then image_set_overlay(). The caller closes *log. Error: ENOMEM.
 */
errcode_t jbd2_log_open_runs(const struct image *img, u32 block_bytes,
			     const struct run *runs, size_t nr_runs,
			     struct jbd2_log *log) LB_MUST_CHECK;
/*
 * The log on a device of its own. Errors: LB_E_JBD2_DEVICE when it is no such
 * device, those of reading and of super_parse(), ENOMEM.
 */
errcode_t jbd2_log_open_device(const struct image *img,
			       struct jbd2_log *log) LB_MUST_CHECK;
void jbd2_log_close(struct jbd2_log *log);

struct jbd2_journal {
	const struct jbd2_log *log; /* borrowed */
	struct jsb sb;
	u32 defects; /* enum jsb_defect */
	struct jbd2_format format;
};

/* Reads the journal superblock; damage is data. Errors: of reading, ENOMEM. */
errcode_t jbd2_journal_load(const struct jbd2_log *log,
			    struct jbd2_journal *j) LB_MUST_CHECK;
/* Whether there is a log to replay: readable, and not clean. */
bool jbd2_journal_is_dirty(const struct jbd2_journal *j);
/* Whether the log can be followed at all. */
bool jbd2_journal_is_usable(const struct jbd2_journal *j);
errcode_t jbd2_log_read(const struct jbd2_log *log, u32 logblk,
			void *block) LB_MUST_CHECK;

#endif
