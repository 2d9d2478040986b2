/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal superblock (big-endian, first 1024 bytes of its block), decoded
 * to host byte order, and what is wrong with it. Decoding never judges: any
 * bytes decode. The rest of a log is in lib/jbd2. Spec: "Journal (jbd2)".
 */
#ifndef ONDISK_JSB_H
#define ONDISK_JSB_H

#include "base/span.h"

#define JSB_MAGIC 0xC03B3998u /* of every header in a log */

enum {
	JSB_BYTES = 1024,
	JSB_HEADER_BYTES = 12, /* magic, type, sequence */
	JSB_TYPE_V1 = 3,
	JSB_TYPE_V2 = 4,
	JSB_CSUM_CRC32C = 4, /* the one checksum type of v2 and v3 sums */
	JSB_UUID_BYTES = 16,
	JSB_USERS_MAX = 48,
	JSB_FAST_BLKS_DEFAULT = 256,
	JSB_LOG_BLKS_MIN = 1024, /* without the fast-commit area */
};

enum {
	JSB_COMPAT_CHECKSUM = 0x1, /* v1 sums, in commit blocks only */
	JSB_INCOMPAT_REVOKE = 0x1,
	JSB_INCOMPAT_64BIT = 0x2,
	JSB_INCOMPAT_ASYNC_COMMIT = 0x4,
	JSB_INCOMPAT_CSUM_V2 = 0x8,
	JSB_INCOMPAT_CSUM_V3 = 0x10,
	JSB_INCOMPAT_FAST_COMMIT = 0x20,
	JSB_INCOMPAT_KNOWN = 0x3F,
};

struct jsb {
	u32 magic;
	u32 type; /* JSB_TYPE_V1 or _V2; v1 ends after error */
	u32 block_bytes;
	u32 nr_blks; /* of the whole journal, fast-commit area included */
	u32 first;   /* first block of the log proper */
	u32 sequence;
	u32 start; /* where the oldest transaction begins; 0: clean */
	s32 error; /* errno the journal was aborted with */
	u32 compat;
	u32 incompat;
	u32 ro_compat;
	u8 uuid[JSB_UUID_BYTES];
	u32 nr_users;
	u32 dynamic_super;
	u32 max_transaction;
	u32 max_trans_data;
	u8 csum_type;
	u32 nr_fast_blks; /* as stored; see jsb_fast_blks() */
	u32 head;	  /* next log block, meaningful while clean */
	u32 csum;
	u8 users[JSB_USERS_MAX][JSB_UUID_BYTES];
	u32 computed_csum; /* of the bytes; compare with csum */
};

enum jsb_defect {
	JSB_BAD_MAGIC = 1u << 0,
	JSB_BAD_TYPE = 1u << 1,
	JSB_BAD_CSUM = 1u << 2,
	JSB_BAD_CSUM_TYPE = 1u << 3,  /* a sum of a kind nobody knows */
	JSB_BAD_CSUM_KINDS = 1u << 4, /* more than one of v1, v2, v3 */
	JSB_BAD_INCOMPAT = 1u << 5,   /* features nobody knows */
	JSB_BAD_RO_COMPAT = 1u << 6,
	JSB_BAD_BLOCK = 1u << 7,      /* not the filesystem's block size */
	JSB_BAD_LENGTH = 1u << 8,     /* longer than its file or device */
	JSB_BAD_FAST = 1u << 9,       /* fast-commit area leaves no log */
	JSB_BAD_FIRST = 1u << 10,     /* first block outside the log */
	JSB_BAD_START = 1u << 11,     /* start outside the log */
	JSB_BAD_USERS = 1u << 12,     /* external: not exactly one user */
	/* The log can be followed, but kernels refuse to mount. */
	JSB_BAD_SHORT = 1u << 13,
	/* With any of these nothing else in the log can be believed. */
	JSB_UNUSABLE = JSB_BAD_USERS - 1,
};

/* What a journal superblock must fit. */
struct jsb_place {
	u32 block_bytes; /* of the filesystem, or of an external device */
	u64 nr_blks;	 /* mapped in the file, or on the device */
	bool external;
	u32 sb_blk; /* block that holds it: 0, or as jsb_external_blk() */
};

/* Decodes; a short span reads as zeroes. v1 has no features and no sums. */
void jsb_parse(struct span bytes, struct jsb *j);
/* Checksum of JSB_BYTES bytes, which the v2 and v3 features ask for. */
u32 jsb_csum(struct span bytes);
/* Whether one of v2, v3 is on: blocks and tags carry sums. */
bool jsb_has_csum(const struct jsb *j);
/* enum jsb_defect bits. */
u32 jsb_check(const struct jsb *j, const struct jsb_place *place);
/* The defects that need no place: magic, type, sums and features. */
u32 jsb_check_self(const struct jsb *j);
/* Blocks of the fast-commit area: 0 without the feature. */
u32 jsb_fast_blks(const struct jsb *j);
/* End of the log proper: its blocks are first .. jsb_last() - 1. */
u32 jsb_last(const struct jsb *j);
/* On an external journal device: the block of the journal superblock. */
u32 jsb_external_blk(u32 block_bytes);
/* Seed of the sums in the log. */
u32 jsb_csum_seed(const struct jsb *j);

#endif
