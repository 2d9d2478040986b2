/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes of an extent tree: the root in the 60 bytes of an inode's map, all
 * others a block each. Logical blocks are 32 bits, physical ones 48. Nodes are
 * given as bytes; nothing here follows a pointer. Spec: "Extent Tree".
 */
#ifndef ONDISK_EXTENT_H
#define ONDISK_EXTENT_H

#include "base/span.h"
#include "ondisk/geom.h"

enum {
	EXTENT_MAGIC = 0xF30A,
	EXTENT_HEAD_BYTES = 12,
	EXTENT_ENTRY_BYTES = 12,
	EXTENT_DEPTH_MAX = 5,
	EXTENT_LEN_MAX = 32768, /* a stored length above means unwritten */
};

enum extent_defect {
	/* of a node */
	EXTENT_BAD_MAGIC = 1u << 0,
	EXTENT_BAD_MAX = 1u << 1,     /* 0, or more than the node has room for */
	EXTENT_BAD_ENTRIES = 1u << 2, /* more than max, or an index without */
	EXTENT_BAD_DEPTH = 1u << 3,   /* above 5, or not one below the parent */
	/* of an entry */
	EXTENT_BAD_LEN = 1u << 4,   /* length 0 */
	EXTENT_BAD_RANGE = 1u << 5, /* logical: past the last or the parent's */
	EXTENT_BAD_ORDER = 1u << 6, /* starts before its neighbour starts */
	EXTENT_BAD_OVERLAP = 1u << 7, /* starts before its neighbour ends */
	EXTENT_BAD_BLK = 1u << 8,     /* physical: outside the filesystem */
	EXTENT_BAD_KEY = 1u << 9, /* first entry is not where the parent says */
	EXTENT_BAD_CLUSTER = 1u << 10, /* bigalloc: offsets in cluster differ */
};

/* Head of a node. */
struct extent_head {
	bool is_valid; /* magic, counts and depth are possible */
	u16 entries;
	u16 max;
	u16 depth; /* 0: a leaf */
	u32 generation;
};

/* What a parent's entry promises about a child. */
struct extent_parent {
	bool is_root;	/* no parent: the rest is not looked at */
	u16 depth;	/* of the parent, 1 .. EXTENT_DEPTH_MAX */
	u32 first_lblk; /* the parent entry's key */
	u64 end_lblk;	/* the next key, or what the parent got as end */
};

struct extent_entry {
	u32 lblk;
	u32 nr_blks;  /* 0 in an index, which does not say */
	u64 pblk;     /* data, or the child node */
	bool unwritten;
	bool is_index;
	u32 defects; /* enum extent_defect */
};

/* Walks the entries of one node. Plain data; needs no end. */
struct extent_iter {
	struct span node;
	const struct geom *geom;
	struct extent_head head;
	struct extent_parent parent;
	u16 nr;	      /* entries that lie inside the node */
	u16 next;     /* index of the next entry */
	u64 min_lblk; /* where the next entry may start */
	u32 prev_lblk;
};

/* node: the 60 map bytes, or one whole block. */
struct extent_head extent_head_parse(struct span node);
/* Entries a node of this many bytes has room for. */
u16 extent_room(size_t node_bytes);
/*
 * Prepares a walk; the result is enum extent_defect bits of the node. Without
 * EXTENT_BAD_MAGIC the walk goes over the entries that lie inside, so that a
 * repair can save them; with it there are none. node and g must live on.
 */
u32 extent_iter_init(struct extent_iter *it, struct span node,
		     const struct extent_parent *parent, const struct geom *g);
/* The next entry; false at the end. */
bool extent_iter_next(struct extent_iter *it, struct extent_entry *e);
/* What the entry that was returned last promises about its child. */
struct extent_parent extent_iter_child(const struct extent_iter *it);
/* The block the first entry points to: a leaf's data or a child node. */
u64 extent_first_blk(struct span node, const struct extent_head *head);

#endif
