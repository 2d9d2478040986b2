/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extended attributes: a table of entries that grows up, values that grow
 * down, in the rest of an inode or in a block of their own. Spec: "Extended
 * Attributes"; EA inodes: values in the data of an inode.
 */
#ifndef ONDISK_XATTR_H
#define ONDISK_XATTR_H

#include "base/span.h"
#include "ondisk/geom.h"
#include "ondisk/inode.h"

enum {
	XATTR_BLOCK_HEAD_BYTES = 32,
	XATTR_INODE_HEAD_BYTES = 4,
	XATTR_ENTRY_BYTES = 16, /* and the name, rounded up to 4 */
	XATTR_REFCOUNT_MAX = 1024,
	XATTR_VALUE_MAX = 16 << 20, /* more is damage; users may have 64 KiB */
	XATTR_INDEX_MAX = 10,
	XATTR_INDEX_SYSTEM = 7, /* with the name "data": inline data */
	XATTR_INDEX_ENCRYPTION = 9,
};

enum xattr_defect {
	/* of the area */
	XATTR_BAD_MAGIC = 1u << 0,    /* block: no xattrs here */
	XATTR_BAD_REFCOUNT = 1u << 1, /* block: 0, or above 1024 */
	XATTR_BAD_NR_BLKS = 1u << 2,  /* block: another number than 1 */
	XATTR_BAD_TABLE = 1u << 3,    /* the table runs out of the area */
	/* of an entry */
	XATTR_BAD_INDEX = 1u << 4,   /* a name prefix there is not */
	XATTR_BAD_NAME = 1u << 5,    /* empty where it cannot be, or has a 0 */
	XATTR_BAD_VALUE = 1u << 6,   /* not between the table and the end */
	XATTR_BAD_OVERLAP = 1u << 7, /* shares bytes with an earlier value */
	XATTR_BAD_ORDER = 1u << 8,   /* block: not sorted, or twice */
	XATTR_BAD_EA_INO = 1u << 9,  /* EA inode: no such, or no feature */
	XATTR_BAD_EA_SIZE = 1u << 10, /* EA inode: above 16 MiB, or an offset */
};

struct xattr_area {
	struct span bytes; /* offsets of values count from its start */
	bool is_block;
	bool present;	/* false: this inode has none */
	u32 first_off;	/* of the first entry */
	u32 table_end;	/* offset behind the last entry, before the 4 zeroes */
	u32 refcount;	/* of a block */
	u32 hash;	/* of a block, as stored; 0: not known */
	u32 defects;	/* enum xattr_defect */
};

struct xattr_entry {
	u32 off; /* of the entry in the area */
	u8 index;
	u8 name_len;
	const u8 *name; /* borrowed, not terminated */
	u32 value_ino;	/* EA inode, 0: the value is here */
	u32 value_off;
	u32 value_bytes;
	u32 hash;
	struct span value; /* empty for an EA inode or XATTR_BAD_VALUE */
	u32 defects;	   /* enum xattr_defect */
};

enum {
	XATTR_MAP_WORDS = 65536 / 4 / 64
};

/* A walk over one area. 2 KiB of plain data; needs no end. */
struct xattr_iter {
	const struct xattr_area *area;
	const struct geom *geom;
	u32 next;
	u32 prev; /* offset of the entry before, 0: none */
	u64 used[XATTR_MAP_WORDS]; /* a bit for 4 bytes of values */
};

/* A block of xattrs. */
void xattr_block_parse(struct span block, struct xattr_area *area);
/* What an inode as in the table has behind its extra_bytes. */
void xattr_inode_parse(struct span inode, u16 extra_bytes,
		       struct xattr_area *area);
void xattr_iter_init(struct xattr_iter *it, const struct xattr_area *area,
		     const struct geom *g);
/* The next entry that lies wholly inside; false at the end. */
bool xattr_next(struct xattr_iter *it, struct xattr_entry *e);

/*
 * Hash of name and value. For an EA inode give value_crc (csum_xattr_value());
 * otherwise it is not looked at. Old writers took name bytes as signed.
 */
u32 xattr_hash(const struct xattr_entry *e, u32 value_crc, bool signed_bytes);
/* Either form; and in an inode 0 unless the value is in an EA inode. */
bool xattr_hash_ok(const struct xattr_area *area, const struct xattr_entry *e,
		   u32 value_crc);
/* Hash of a block from the hashes of its entries; 0 when one has none. */
u32 xattr_block_hash(const struct xattr_area *area);

/* What an EA inode keeps where other inodes keep times. */
struct xattr_ea_inode {
	u64 refs;
	u32 value_crc;
	u32 old_owner; /* old form: inode that has it, and its generation */
	u32 old_owner_generation;
};

struct xattr_ea_inode xattr_ea_inode(const struct inode *ino);

#endif
