/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes inodes and says where they lie. Judging is in inode_check.c. */
#include "ondisk/inode.h"

#include "base/banned.h"

enum {
	OFF_MODE = 0x00,
	OFF_UID_LO = 0x02,
	OFF_SIZE_LO = 0x04,
	OFF_ATIME = 0x08,
	OFF_CTIME = 0x0C,
	OFF_MTIME = 0x10,
	OFF_DTIME = 0x14,
	OFF_GID_LO = 0x18,
	OFF_LINKS = 0x1A,
	OFF_BLOCKS_LO = 0x1C,
	OFF_FLAGS = 0x20,
	OFF_VERSION_LO = 0x24,
	OFF_MAP = 0x28,
	OFF_GENERATION = 0x64,
	OFF_FILE_ACL_LO = 0x68,
	OFF_SIZE_HI = 0x6C,
	OFF_BLOCKS_HI = 0x74,
	OFF_FILE_ACL_HI = 0x76,
	OFF_UID_HI = 0x78,
	OFF_GID_HI = 0x7A,
	OFF_EXTRA_BYTES = 0x80,
	OFF_CTIME_EXTRA = 0x84,
	OFF_MTIME_EXTRA = 0x88,
	OFF_ATIME_EXTRA = 0x8C,
	OFF_CRTIME = 0x90,
	OFF_CRTIME_EXTRA = 0x94,
	OFF_VERSION_HI = 0x98,
	OFF_PROJECT = 0x9C,

	SECTOR_BYTES = 512,
	EPOCH_BITS = 2,
};

static u32 join16(struct span bytes, size_t lo, size_t hi)
{
	return span_le16(bytes, lo) | (u32)span_le16(bytes, hi) << 16;
}

/* The part that all inodes have, and of the rest what extra_bytes covers. */
static struct span used_part(struct span bytes, u16 *extra_bytes)
{
	size_t used = INODE_BASE_BYTES;

	*extra_bytes = span_le16(bytes, OFF_EXTRA_BYTES);
	used += *extra_bytes;
	return used < bytes.len ? span_sub(bytes, 0, used) : bytes;
}

static struct inode_time get_time(struct span bytes, size_t off, size_t extra)
{
	u32 x = span_le32(bytes, extra);

	return (struct inode_time){
		.sec = (int32_t)span_le32(bytes, off) +
		       ((s64)(x & ((1u << EPOCH_BITS) - 1)) << 32),
		.nsec = x >> EPOCH_BITS,
	};
}

static void get_blocks(struct span bytes, const struct geom *g,
		       struct inode *ino)
{
	u64 unit = SECTOR_BYTES;

	ino->blocks_hi = span_le16(bytes, OFF_BLOCKS_HI);
	ino->nr_blocks = span_le32(bytes, OFF_BLOCKS_LO);
	if (g->features.ro_compat & FEAT_RO_COMPAT_HUGE_FILE) {
		ino->nr_blocks |= (u64)ino->blocks_hi << 32;
		if (ino->flags & INODE_FLAG_HUGE)
			unit = g->block_bytes;
	}
	ino->mapped_bytes = ino->nr_blocks * unit;
}

/* Fields after the first 128 bytes read as 0 where they are not covered. */
static void get_extra(struct span used, struct inode *ino)
{
	ino->atime = get_time(used, OFF_ATIME, OFF_ATIME_EXTRA);
	ino->ctime = get_time(used, OFF_CTIME, OFF_CTIME_EXTRA);
	ino->mtime = get_time(used, OFF_MTIME, OFF_MTIME_EXTRA);
	ino->crtime = get_time(used, OFF_CRTIME, OFF_CRTIME_EXTRA);
	ino->version = span_le32(used, OFF_VERSION_LO) |
		       (u64)span_le32(used, OFF_VERSION_HI) << 32;
	ino->project = span_le32(used, OFF_PROJECT);
}

void inode_parse(struct span bytes, const struct geom *g, struct inode *ino)
{
	struct span used;

	*ino = (struct inode){
		.mode = span_le16(bytes, OFF_MODE),
		.links = span_le16(bytes, OFF_LINKS),
		.flags = span_le32(bytes, OFF_FLAGS),
		.uid = join16(bytes, OFF_UID_LO, OFF_UID_HI),
		.gid = join16(bytes, OFF_GID_LO, OFF_GID_HI),
		.generation = span_le32(bytes, OFF_GENERATION),
		.dtime = span_le32(bytes, OFF_DTIME),
		.file_bytes = span_le32(bytes, OFF_SIZE_LO) |
			      (u64)span_le32(bytes, OFF_SIZE_HI) << 32,
		.file_acl = span_le32(bytes, OFF_FILE_ACL_LO),
	};
	if (g->features.incompat & FEAT_INCOMPAT_64BIT)
		ino->file_acl |= (u64)span_le16(bytes, OFF_FILE_ACL_HI) << 32;
	get_blocks(bytes, g, ino);
	used = used_part(bytes, &ino->extra_bytes);
	get_extra(used, ino);
	if (span_has(bytes, OFF_MAP, INODE_MAP_BYTES))
		memcpy(ino->map, bytes.bytes + OFF_MAP, INODE_MAP_BYTES);
}

bool inode_is_zero(struct span bytes)
{
	u64 any = 0;
	size_t off = 0;

	for (; off + 8 <= bytes.len; off += 8)
		any |= span_le64(bytes, off);
	for (; off < bytes.len; off++)
		any |= bytes.bytes[off];
	return !any;
}

enum inode_map_kind inode_map_kind(const struct inode *ino)
{
	enum inode_type type = inode_type(ino);

	if (type != INODE_TYPE_FILE && type != INODE_TYPE_DIR &&
	    type != INODE_TYPE_SYMLINK)
		return INODE_MAP_NONE;
	if (ino->flags & INODE_FLAG_INLINE_DATA)
		return INODE_MAP_INLINE;
	if (ino->flags & INODE_FLAG_EXTENTS)
		return INODE_MAP_EXTENTS;
	if (type == INODE_TYPE_SYMLINK && ino->file_bytes &&
	    ino->file_bytes < INODE_MAP_BYTES)
		return INODE_MAP_FAST_SYMLINK;
	return INODE_MAP_INDIRECT;
}

void inode_device(const struct inode *ino, u32 *major, u32 *minor)
{
	struct span map = span_of(ino->map, INODE_MAP_BYTES);
	u32 old = span_le32(map, 0), wide = span_le32(map, 4);

	if (old) {
		*major = old >> 8 & 0xFF;
		*minor = old & 0xFF;
		return;
	}
	/* 12 bits of major between the lower and upper bits of minor. */
	*major = wide >> 8 & 0xFFF;
	*minor = (wide & 0xFF) | (wide >> 12 & 0xFFF00);
}

u32 inode_group(const struct geom *g, u32 ino)
{
	return (ino - 1) / g->inodes_per_group;
}

u64 inode_table_offset(const struct geom *g, u32 ino)
{
	return (u64)((ino - 1) % g->inodes_per_group) * g->inode_bytes;
}
