/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast-commit area behind a log: small records (little-endian) of what
 * changed since the last full commit. Here they are found and checked; what
 * they do to a filesystem is not here. Spec: "Fast Commits".
 */
#ifndef JBD2_FASTCOMMIT_H
#define JBD2_FASTCOMMIT_H

#include "base/vec.h"
#include "jbd2/log.h"

enum jbd2_fc_tag {
	JBD2_FC_ADD_RANGE = 1,
	JBD2_FC_DEL_RANGE = 2,
	JBD2_FC_CREAT = 3,
	JBD2_FC_LINK = 4,
	JBD2_FC_UNLINK = 5,
	JBD2_FC_INODE = 6,
	JBD2_FC_PAD = 7,
	JBD2_FC_TAIL = 8,
	JBD2_FC_HEAD = 9,
};

enum {
	JBD2_FC_HEAD_BYTES = 4, /* of each record: tag, length of its value */
	JBD2_FC_NAME_MAX = 255,
	JBD2_FC_INODE_MIN = 128,
	JBD2_FC_UNWRITTEN_ABOVE = 32768, /* extent lengths */
};

/* A record that would be replayed: tags 1 to 6. */
struct jbd2_fc_rec {
	u16 tag;
	u32 ino;
	u32 parent; /* of a name */
	u32 lblk;   /* ranges */
	u32 nr_blks;
	u64 pblk; /* ADD_RANGE */
	bool unwritten;
	size_t at; /* name or raw inode: where in bytes, how long */
	u16 len;
	u32 logblk; /* where it was found, for messages */
};

enum jbd2_fc_end {
	JBD2_FC_NONE,	   /* no area, or it does not begin with a head */
	JBD2_FC_OTHER_TID, /* the head belongs to another full commit */
	JBD2_FC_FEATURES,  /* the head asks for what nobody knows */
	JBD2_FC_STOPPED,   /* no further record: zeroes */
	JBD2_FC_BAD_REC,   /* a malformed or impossible record */
	JBD2_FC_BAD_TAIL,  /* checksum or transaction of a commit */
	JBD2_FC_FULL,	   /* the area ended */
	JBD2_FC_UNMAPPED,  /* a hole in the log's file */
};

struct jbd2_fc_limits {
	u64 nr_fs_blks;
	u32 nr_inodes;
	u32 inode_bytes;
};

struct jbd2_fc {
	VEC(struct jbd2_fc_rec) recs; /* up to the last good commit */
	VEC(u8) bytes;		      /* names and inodes of these */
	u32 nr_commits;
	u64 nr_dropped; /* records after the last good commit */
	enum jbd2_fc_end end;
	u32 end_logblk;
};

/*
 * Reads the area. tid: the one the records must belong to, the end_tid of the
 * scan. Damage is data. Errors: of reading, ENOMEM. End with _done.
 */
errcode_t jbd2_fc_scan(const struct jbd2_journal *j, u32 tid,
		       const struct jbd2_fc_limits *limits,
		       struct jbd2_fc *fc) LB_MUST_CHECK;
void jbd2_fc_done(struct jbd2_fc *fc);
const char *jbd2_fc_end_text(enum jbd2_fc_end end);

#endif
