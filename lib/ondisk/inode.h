/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode decoded to host byte order, and where it lies. Decoding never
 * judges: any bytes decode; inode_check() judges. What the map leads to is in
 * extent.h and indirect.h. The layout of Linux is meant; inodes a Hurd made
 * keep other things in some fields. Spec: "Index Nodes".
 */
#ifndef ONDISK_INODE_H
#define ONDISK_INODE_H

#include "base/span.h"
#include "ondisk/geom.h"

enum {
	INODE_ROOT = 2,
	INODE_JOURNAL = 8,
	INODE_MAP_BYTES = 60,
	INODE_BASE_BYTES = 128, /* what every inode has */
};

/* i_mode & INODE_TYPE_MASK. */
enum inode_type {
	INODE_TYPE_FIFO = 0010000,
	INODE_TYPE_CHAR = 0020000,
	INODE_TYPE_DIR = 0040000,
	INODE_TYPE_BLOCK = 0060000,
	INODE_TYPE_FILE = 0100000,
	INODE_TYPE_SYMLINK = 0120000,
	INODE_TYPE_SOCKET = 0140000,
	INODE_TYPE_MASK = 0170000,
};

enum {
	INODE_FLAG_IMMUTABLE = 0x10,
	INODE_FLAG_APPEND = 0x20,
	INODE_FLAG_ENCRYPT = 0x800,
	INODE_FLAG_INDEX = 0x1000, /* a directory with an htree */
	INODE_FLAG_JOURNAL_DATA = 0x4000,
	INODE_FLAG_HUGE = 0x40000, /* i_blocks counts filesystem blocks */
	INODE_FLAG_EXTENTS = 0x80000,
	INODE_FLAG_VERITY = 0x100000,
	INODE_FLAG_EA_INODE = 0x200000, /* holds the value of an xattr */
	INODE_FLAG_INLINE_DATA = 0x10000000,
	INODE_FLAG_PROJINHERIT = 0x20000000,
	INODE_FLAG_CASEFOLD = 0x40000000,
};

struct inode_time {
	s64 sec;  /* from 1970; the low 32 bits are the field on disk */
	u32 nsec; /* as stored: may be beyond a second, see INODE_BAD_NSEC */
};

struct inode {
	u16 mode;
	u16 links;
	u32 flags;
	u32 uid;
	u32 gid;
	u32 project; /* 0 when the inode has no such field */
	u32 generation;
	u32 dtime;	 /* time of deletion, or the next orphan */
	u64 file_bytes;	 /* size, both halves whatever the type */
	u64 file_acl;	 /* block of xattrs, 0: none */
	u64 version;	 /* both halves */
	u64 nr_blocks;	 /* i_blocks as stored, 48 bits with huge_file */
	u64 mapped_bytes; /* the same in bytes, map blocks included */
	u16 blocks_hi;	 /* its upper half as stored */
	u16 extra_bytes; /* i_extra_isize, 0 in inodes of 128 bytes */
	struct inode_time atime, ctime, mtime, crtime;
	u8 map[INODE_MAP_BYTES]; /* i_block */
};

/* What i_block is. */
enum inode_map_kind {
	INODE_MAP_NONE,		/* device number, or nothing */
	INODE_MAP_FAST_SYMLINK, /* the target itself */
	INODE_MAP_INLINE,	/* the first 60 bytes of the contents */
	INODE_MAP_EXTENTS,
	INODE_MAP_INDIRECT,
};

enum inode_defect {
	INODE_BAD_TYPE = 1u << 0,	 /* no type of file */
	INODE_BAD_EXTRA = 1u << 1,	 /* extra size odd or beyond the inode */
	INODE_BAD_DTIME = 1u << 2,	 /* deleted or orphan, yet has links */
	INODE_BAD_SIZE = 1u << 3,	 /* more than the map can reach */
	INODE_BAD_SIZE_HI = 1u << 4,	 /* high half where none is used */
	INODE_BAD_DIR_SIZE = 1u << 5,	 /* no whole number of blocks, or 0 */
	INODE_BAD_SYMLINK_SIZE = 1u << 6, /* 0, or more than a block */
	INODE_BAD_SYMLINK_TEXT = 1u << 7, /* fast: ends before its size */
	INODE_BAD_SPECIAL_SIZE = 1u << 8, /* a device or FIFO with a size */
	INODE_BAD_BLOCKS_HI = 1u << 9,	 /* high half without huge_file */
	INODE_BAD_FILE_ACL = 1u << 10,	 /* outside the filesystem */
	INODE_BAD_NSEC = 1u << 11,	 /* a billion or more */
	INODE_BAD_EPOCH = 1u << 12,	 /* before 1970 written as after 2310 */
	INODE_BAD_FLAG_FEATURE = 1u << 13, /* flag of a feature that is off */
	INODE_BAD_FLAG_TYPE = 1u << 14,	 /* flag that this type cannot have */
	INODE_BAD_FLAG_MAP = 1u << 15,	 /* inline data and extents at once */
};

/* Decodes g->inode_bytes bytes; a short span gives zeroes. */
void inode_parse(struct span bytes, const struct geom *g, struct inode *ino);
/* Whether all bytes are 0: never used, and then no checksum is expected. */
bool inode_is_zero(struct span bytes);
/* enum inode_defect bits of an inode in use. */
u32 inode_check(const struct inode *ino, const struct geom *g);
/*
 * Whether the checksum is right, and the extra size one the kernel takes. True
 * without metadata_csum for any checksum. bytes: as for inode_parse().
 */
bool inode_is_intact(struct span bytes, const struct super *sb,
		     const struct geom *g, u32 ino);

static inline enum inode_type inode_type(const struct inode *ino)
{
	return (enum inode_type)(ino->mode & INODE_TYPE_MASK);
}

static inline bool inode_is_dir(const struct inode *ino)
{
	return inode_type(ino) == INODE_TYPE_DIR;
}

static inline bool inode_is_file(const struct inode *ino)
{
	return inode_type(ino) == INODE_TYPE_FILE;
}

/*
 * A symlink is fast when it has neither extents nor inline data and 1 to 59
 * bytes: its i_blocks is not asked, as it may count xattrs or be wrong.
 */
enum inode_map_kind inode_map_kind(const struct inode *ino);
/* Most bytes a file can have with this map, INODE_MAP_EXTENTS or _INDIRECT. */
u64 inode_size_max(const struct geom *g, enum inode_map_kind kind);
/* Numbers of a device inode, whichever of its two encodings is used. */
void inode_device(const struct inode *ino, u32 *major, u32 *minor);

/* Group of an inode number >= 1, and its byte offset in the inode table. */
u32 inode_group(const struct geom *g, u32 ino);
u64 inode_table_offset(const struct geom *g, u32 ino);

#endif
