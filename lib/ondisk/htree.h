/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash tree of a directory: its root is in the directory's first block,
 * behind "." and "..", inner nodes hide in blocks of one free entry. An entry
 * is a hash (32 bits) and a block number within the directory (28 bits).
 * Spec: "Hash Tree Directories".
 */
#ifndef ONDISK_HTREE_H
#define ONDISK_HTREE_H

#include "ondisk/dirent.h"

enum {
	HTREE_ENTRY_BYTES = 8,
	HTREE_TAIL_BYTES = 8,
	HTREE_INFO_BYTES = 8,
	HTREE_CONTINUED = 1, /* bit of a hash: the one before is split here */
	HTREE_BLK_MASK = 0x0FFFFFFF,
};

enum htree_hash {
	HTREE_HASH_LEGACY = 0,
	HTREE_HASH_HALF_MD4 = 1,
	HTREE_HASH_TEA = 2,
	HTREE_HASH_SIPHASH = 6, /* encrypted and casefolded */
};

enum htree_defect {
	/* of a node */
	HTREE_BAD_DOTS = 1u << 0,  /* root: lengths before it are not 12, rest */
	HTREE_BAD_FAKE = 1u << 1,  /* inner node: no free entry of a block */
	HTREE_BAD_ZERO = 1u << 2,  /* root: the reserved word is not 0 */
	HTREE_BAD_HASH = 1u << 3,  /* root: a hash that cannot be here */
	HTREE_BAD_INFO = 1u << 4,  /* root: the info is not 8 bytes long */
	HTREE_BAD_LEVELS = 1u << 5, /* root: deeper than the feature allows */
	HTREE_BAD_FLAGS = 1u << 6,  /* root: flags nobody knows */
	HTREE_BAD_LIMIT = 1u << 7,  /* not what the block has room for */
	HTREE_BAD_COUNT = 1u << 8,  /* 0, or above the limit */
	/* of an entry */
	HTREE_BAD_BLK = 1u << 9,    /* 0, or beyond the directory */
	HTREE_BAD_ORDER = 1u << 10, /* a hash below its neighbour's */
	HTREE_BAD_BOUNDS = 1u << 11, /* a hash outside what the parent says */
};

/* How the htree of one directory is to be read. */
struct htree_rules {
	struct dirent_rules dir;
	u32 nr_dir_blks; /* blocks of the directory */
	bool large_dir;	 /* three levels instead of two */
};

struct htree_node {
	struct span block;
	bool is_root;
	u8 hash_version;   /* root: enum htree_hash */
	u8 levels;	   /* root: index levels below it, 0..2 */
	u16 limit;	   /* entries the node has room for, the first too */
	u16 count;	   /* entries in use, the first too */
	u32 nr;		   /* of them those that lie inside the block */
	u32 entries_off;   /* where the array is; limit and count are its hash 0 */
	u32 defects;	   /* enum htree_defect */
};

struct htree_entry {
	u32 hash; /* 0 in the first entry: it has none of its own */
	u32 blk;  /* within the directory */
	u32 defects;
};

/* Hashes that a child may hold: min <= hash, and hash < end. */
struct htree_bounds {
	u64 min;
	u64 end; /* 2^32 when nothing is above */
};

struct htree_rules htree_rules_of(const struct geom *g,
				  const struct inode *dir);
/* Entries a root or inner node must have room for. */
u16 htree_limit(const struct htree_rules *rules, bool is_root);
/* Parses a directory's first block, or a block of one free entry. */
void htree_root_parse(struct span block, const struct htree_rules *rules,
		      struct htree_node *node);
void htree_inner_parse(struct span block, const struct htree_rules *rules,
		       struct htree_node *node);
/* Entry idx < node->nr. bounds: what the parent said, or whole. */
struct htree_entry htree_entry(const struct htree_node *node, u32 idx,
			       const struct htree_rules *rules,
			       const struct htree_bounds *bounds);
struct htree_bounds htree_bounds_whole(void);
/* What the entry at idx says about its child. */
struct htree_bounds htree_bounds_child(const struct htree_node *node, u32 idx,
				       const struct htree_bounds *bounds);
/*
 * Where the checksum lies: behind the last entry there is room for, by the
 * node's own limit. 0 when that is not inside the block.
 */
u32 htree_tail_offset(const struct htree_node *node);

#endif
