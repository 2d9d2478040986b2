/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directory blocks: a chain of entries, each with its own length, and a tail
 * with a checksum. This room alone knows how a length of 64 KiB is stored.
 * Spec: "Linear (Classic) Directories".
 */
#ifndef ONDISK_DIRENT_H
#define ONDISK_DIRENT_H

#include "base/span.h"
#include "ondisk/geom.h"
#include "ondisk/inode.h"

enum {
	DIRENT_HEAD_BYTES = 8,
	DIRENT_MIN_BYTES = 12,
	DIRENT_TAIL_BYTES = 12,
	DIRENT_TAIL_TYPE = 0xDE,
	DIRENT_NAME_MAX = 255,
	DIRENT_TYPE_MAX = 7,
	DIRENT_HASH_BYTES = 8,
};

enum dirent_defect {
	/* The chain breaks here: see dirent_resync(). */
	DIRENT_BAD_REC_LEN = 1u << 0, /* short, odd, or not inside the block */
	/* The chain goes on. */
	DIRENT_ZERO_REC_LEN = 1u << 1, /* 0 for 64 KiB: no kernel writes that */
	DIRENT_BAD_NAME_LEN = 1u << 2, /* 0, above 255, or beyond the entry */
	DIRENT_BAD_NAME = 1u << 3,     /* holds '/' or a 0 byte */
	DIRENT_BAD_INO = 1u << 4,      /* beyond the last inode */
	DIRENT_BAD_RESERVED = 1u << 5, /* a reserved inode other than the root */
	DIRENT_BAD_TYPE = 1u << 6,     /* no type there is */
	DIRENT_BAD_DOT = 1u << 7,      /* "." or ".." where it does not belong */
};

/* How the blocks of one directory are to be read. */
struct dirent_rules {
	u32 block_bytes;
	u32 nr_inodes;
	u32 first_ino;
	bool filetype;	/* else the type's byte is the name length's upper half */
	bool has_tail;	/* blocks are expected to end in a checksum */
	bool hashed;	/* a hash pair follows each name (but "." and "..") */
	bool encrypted; /* names may hold any byte */
	bool indexed;	/* some blocks are nodes of an htree, without a tail */
};

struct dirent {
	u32 off;       /* in the block */
	u32 rec_bytes; /* 0 when it could not be */
	u32 ino;       /* 0: free space */
	u32 defects;   /* enum dirent_defect; of free space only of the chain */
	u16 name_len;  /* 0 when the name is not wholly inside the block */
	u8 type;
	const u8 *name; /* borrowed from the block, not terminated */
};

/* A walk over one block. Plain data; needs no end. */
struct dirent_iter {
	struct span block;
	const struct dirent_rules *rules;
	u32 next; /* offset of the next entry */
	u32 end;  /* of the entries: the tail's offset or the block's end */
	u32 nr;	  /* entries returned so far */
	bool first_block;
	bool broken; /* the chain broke at next */
};

/* Bytes from a stored length; 64 KiB blocks have two forms of 65536. */
static inline u32 dirent_rec_decode(u16 raw, u32 block_bytes)
{
	if (block_bytes < 65536)
		return raw;
	if (raw == 0 || raw == 0xFFFF)
		return 65536;
	/* The bits that alignment leaves free would hold those above 16. */
	return (raw & 0xFFFCu) | (raw & 3u) << 16;
}

/* The stored form of 12 .. block_bytes, a multiple of 4. */
static inline u16 dirent_rec_encode(u32 rec_bytes)
{
	return (u16)(rec_bytes < 65536 ? rec_bytes : 0xFFFF);
}

/* Bytes an entry needs at least. */
u32 dirent_need_bytes(const struct dirent_rules *rules, u32 name_len);
struct dirent_rules dirent_rules_of(const struct geom *g,
				    const struct inode *dir);
/* Whether the block's last 12 bytes are a checksum tail. */
bool dirent_has_tail(struct span block);

/*
 * Starts a walk over one block (or the stretch of an inline directory, with
 * has_tail off). block and rules must live on.
 */
void dirent_iter_init(struct dirent_iter *it, struct span block,
		      const struct dirent_rules *rules, bool first_block);
/*
 * The next entry, free space included; false at the end. After an entry with
 * DIRENT_BAD_REC_LEN the walk ends, unless dirent_resync() is called. Its name
 * is given all the same when it lies in the block.
 */
bool dirent_next(struct dirent_iter *it, struct dirent *d);
/*
 * Goes on at the next place that looks like an entry and whose length leads to
 * others that do; false when there is none. What it finds may be an entry that
 * was deleted long ago: ask whether its inode is in use.
 */
bool dirent_resync(struct dirent_iter *it);
/* The first such place in [from, end), a multiple of 4; end if none. */
u32 dirent_find(const struct dirent_iter *it, u32 from, u32 end);

enum dir_dots_defect {
	DIR_DOT_MISSING = 1u << 0,     /* the first entry is not "." */
	DIR_DOT_BAD_INO = 1u << 1,     /* it names another inode */
	DIR_DOT_BAD_REC_LEN = 1u << 2, /* its length is not 12 */
	DIR_DOT_BAD_TYPE = 1u << 3,    /* either has the type of no directory */
	DIR_DOTDOT_MISSING = 1u << 4,  /* the second entry is not ".." */
	DIR_DOTDOT_BAD_INO = 1u << 5,  /* it names no inode there can be */
};

struct dir_dots {
	u32 parent_ino; /* 0 when it is not known */
	u32 defects;	/* enum dir_dots_defect */
};

/* The first two entries of a directory's first block. */
struct dir_dots dirent_dots(struct span block, const struct dirent_rules *rules,
			    u32 self_ino);

#endif
