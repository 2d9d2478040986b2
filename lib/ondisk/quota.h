/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quota files inside the filesystem (format version 1, "v2r1"): 1024-byte
 * blocks whatever the filesystem's; block 0 a header, block 1 the root of a
 * tree of four levels over the bytes of an id, leaves with 14 entries each.
 */
#ifndef ONDISK_QUOTA_H
#define ONDISK_QUOTA_H

#include "base/span.h"
#include "base/types.h"

enum {
	QUOTA_BLOCK_BYTES = 1024,
	QUOTA_ROOT_BLK = 1,
	QUOTA_LEVELS = 4, /* the pointers of the last name leaves */
	QUOTA_PTRS = 256,
	QUOTA_LEAF_ENTRIES = 14,
	QUOTA_ENTRY_BYTES = 72,
	QUOTA_LIMIT_UNIT = 1024, /* bytes in a unit of block limits */
};

enum quota_kind {
	QUOTA_USER,
	QUOTA_GROUP,
	QUOTA_PROJECT,
};

enum quota_defect {
	/* of the header */
	QUOTA_BAD_MAGIC = 1u << 0,
	QUOTA_BAD_VERSION = 1u << 1,
	QUOTA_BAD_BLKS = 1u << 2, /* fewer than 2, or more than the file has */
	QUOTA_BAD_FREE = 1u << 3, /* a free list starts outside the file */
	/* of a pointer in the tree */
	QUOTA_BAD_PTR = 1u << 4, /* to header or root, or outside the file */
	/* of a leaf */
	QUOTA_BAD_LINK = 1u << 5,    /* its free list leads outside */
	QUOTA_BAD_ENTRIES = 1u << 6, /* above 14, or not what is in use */
};

struct quota_head {
	u32 magic;
	u32 version;
	u32 block_grace; /* seconds */
	u32 inode_grace;
	u32 flags;
	u32 nr_blks;	    /* of the file, in blocks of 1024 bytes */
	u32 free_blk;	    /* first free block, 0: none */
	u32 free_entry_blk; /* first leaf with a free entry, 0: none */
};

struct quota_leaf {
	u32 next_free; /* blocks, 0: none */
	u32 prev_free;
	u16 nr_entries; /* as stored */
	u16 nr_used;	/* counted */
};

/* Limits of 0 mean none; times are seconds from 1970, 0: none. */
struct quota_entry {
	u32 id;
	u64 inode_hard;
	u64 inode_soft;
	u64 inodes;
	u64 block_hard; /* units of 1024 bytes */
	u64 block_soft;
	u64 space_bytes;
	u64 block_time;
	u64 inode_time;
};

/* Decodes block 0. */
void quota_head_parse(struct span block, struct quota_head *head);
/* file_bytes: size of the quota file. */
u32 quota_head_check(const struct quota_head *head, enum quota_kind kind,
		     u64 file_bytes);
/* The index at level 0..3 on the way to an id. */
u32 quota_ptr_idx(u32 id, unsigned level);
/* Pointer 0..255 of a block of the tree; 0: nothing below. */
u32 quota_ptr(struct span block, u32 idx);
/* QUOTA_BAD_PTR when a pointer that is not 0 cannot be followed. */
u32 quota_ptr_check(u32 ptr, const struct quota_head *head);
void quota_leaf_parse(struct span block, struct quota_leaf *leaf);
u32 quota_leaf_check(const struct quota_leaf *leaf,
		     const struct quota_head *head);
/* Entry 0..13 of a leaf; false when it is free. */
bool quota_entry_parse(struct span block, u32 idx, struct quota_entry *e);

#endif
