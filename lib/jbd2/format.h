/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of a log as bytes: headers, descriptor tags, revoke records, commit
 * blocks. Big-endian throughout. Pure functions on one block each; checksums
 * are in csum.h, what the blocks mean together in reader.h. The journal
 * superblock is in ondisk/jsb.h. Spec: "Journal (jbd2)".
 */
#ifndef JBD2_FORMAT_H
#define JBD2_FORMAT_H

#include "ondisk/jsb.h"

enum jbd2_block_type {
	JBD2_DESCRIPTOR = 1,
	JBD2_COMMIT = 2,
	JBD2_REVOKE = 5,
};

enum {
	JBD2_TAG_ESCAPED = 1, /* the data began with the magic, logged as 0 */
	JBD2_TAG_SAME_UUID = 2,
	JBD2_TAG_DELETED = 4, /* never written */
	JBD2_TAG_LAST = 8,
	JBD2_TAIL_BYTES = 4, /* checksum at the end of a block */
	JBD2_REVOKE_HEAD_BYTES = 16,
	JBD2_COMMIT_BYTES = 60,
	JBD2_COMMIT_CSUM_OFFSET = 0x10,
	JBD2_CSUM_TYPE_CRC32 = 1, /* in commit blocks with v1 sums */
	JBD2_CSUM_CRC32_BYTES = 4,
};

enum jbd2_csum_kind {
	JBD2_CSUM_NONE,
	JBD2_CSUM_V1, /* of a transaction, in its commit block */
	JBD2_CSUM_V2, /* of every block; of data 16 bits */
	JBD2_CSUM_V3, /* the same; of data 32 bits */
};

/* How one journal writes its blocks. */
struct jbd2_format {
	u32 block_bytes;
	enum jbd2_csum_kind csum;
	bool is_64bit;
	bool is_async; /* commit blocks may be written before their data */
	u32 seed;      /* of v2 and v3 sums */
};

struct jbd2_header {
	u32 magic;
	u32 type;
	u32 sequence;
};

/* One block that a transaction wrote. */
struct jbd2_tag {
	u64 blk;    /* in the filesystem */
	u32 logblk; /* where its new content is; filled by the reader */
	u32 csum;   /* v2: low 16 bits */
	u16 flags;
};

struct jbd2_commit {
	u8 csum_type;
	u8 csum_bytes;
	u32 csum;
	u64 sec; /* as stored; debugfs has it 32 bits too high */
	u32 nsec;
};

struct jbd2_format jbd2_format_of(const struct jsb *j);
struct jbd2_header jbd2_header_parse(struct span block);
u32 jbd2_tag_bytes(const struct jbd2_format *f);
/* Bytes at the end of descriptor and revoke blocks taken by a sum: 4 or 0. */
u32 jbd2_tail_bytes(const struct jbd2_format *f);
/*
 * The tag at *off of a descriptor block; *off, at first JSB_HEADER_BYTES,
 * moves on. False at the end: past the last tag, or no room for another.
 */
bool jbd2_tag_next(const struct jbd2_format *f, struct span block, u32 *off,
		   struct jbd2_tag *tag);
/* Bytes in use of a revoke block, head included; more than fit is corrupt. */
u32 jbd2_revoke_bytes(struct span block);
bool jbd2_revoke_is_valid(const struct jbd2_format *f, struct span block);
/* The idx-th revoked block; false past the last. */
bool jbd2_revoke_get(const struct jbd2_format *f, struct span block, u32 idx,
		     u64 *blk);
void jbd2_commit_parse(struct span block, struct jbd2_commit *c);
/* Gives the content of an escaped block its magic back. */
void jbd2_unescape(u8 *block);

#endif
