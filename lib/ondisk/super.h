/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ext2/3/4 superblock, decoded to host byte order. Decoding never judges:
 * any 1024 bytes decode. Whether the numbers make a filesystem is asked with
 * super_is_ext() and geom_from_super(); whether a kernel takes it, in lib/lbs.
 */
#ifndef ONDISK_SUPER_H
#define ONDISK_SUPER_H

#include "base/err.h"
#include "base/span.h"
#include "ondisk/features.h"

enum {
	SUPER_OFFSET = 1024, /* bytes from the start of the filesystem */
	SUPER_BYTES = 1024,
	SUPER_MAGIC = 0xEF53,
	SUPER_LOG_BLOCK_MAX = 6, /* 64 KiB */
	SUPER_STATE_CLEAN = 1,
	SUPER_STATE_ERROR = 2,
	SUPER_OS_HURD = 1,
};

#define SUPER_KIND_u8		    u8
#define SUPER_KIND_le16		    u16
#define SUPER_KIND_le32		    u32
#define SUPER_KIND_le64		    u64
#define SB(offset, kind, name)	    SUPER_KIND_##kind name;
#define SB_BYTES(offset, len, name) u8 name[(len) + 1];
/* Byte and text fields carry one terminating 0 beyond their disk length. */
struct super {
#include "ondisk/fields.def"
	u32 computed_csum; /* crc32c of the bytes; compare with checksum */
};
#undef SB
#undef SB_BYTES

/* Decodes SUPER_BYTES bytes. Error: LB_E_SB_SHORT. */
errcode_t super_parse(struct span bytes, struct super *sb) LB_MUST_CHECK;
bool super_is_ext(const struct super *sb);
struct features super_features(const struct super *sb);
bool super_has_compat(const struct super *sb, u32 bits);
bool super_has_incompat(const struct super *sb, u32 bits);
bool super_has_ro_compat(const struct super *sb, u32 bits);
/* Both halves joined; the high half only counts with the 64bit feature. */
u64 super_nr_blocks(const struct super *sb);
/* True too when the filesystem has no superblock checksum. */
bool super_csum_ok(const struct super *sb);
/* Seed of all metadata checksums (stored, or computed from the UUID). */
u32 super_csum_seed(const struct super *sb);

/* A named field, for dumps and the test mangler. */
struct super_field {
	const char *name;
	u16 offset;
	u16 len; /* bytes */
	bool number;
};

/* The field at idx, NULL past the end. */
const struct super_field *super_field(size_t idx);

#endif
