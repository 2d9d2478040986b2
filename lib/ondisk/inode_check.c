/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a decoded inode says that cannot be, by itself: what its map leads to
 * and who names it is not looked at.
 */
#include "base/banned.h"
#include "ondisk/csum.h"
#include "ondisk/defect.h"
#include "ondisk/inode.h"

enum {
	NSEC_PER_SEC = 1000000000,
	NR_DIRECT = 12,
	EXTRA_ALIGN = 4,
};

/* A flag that needs a feature, and the types of file that may have it. */
struct flag_rule {
	u32 flag;
	enum feat_word word;
	u32 feature;
	u16 types; /* 1 << (type >> 12) */
};

enum {
	DIR = 1u << (INODE_TYPE_DIR >> 12),
	REG = 1u << (INODE_TYPE_FILE >> 12),
	LINK = 1u << (INODE_TYPE_SYMLINK >> 12),
	ANY_DATA = DIR | REG | LINK,
};

static const struct flag_rule flag_rules[] = {
	{INODE_FLAG_ENCRYPT, FEAT_WORD_incompat, FEAT_INCOMPAT_ENCRYPT,
	 ANY_DATA},
	{INODE_FLAG_INDEX, FEAT_WORD_compat, FEAT_COMPAT_DIR_INDEX, DIR},
	{INODE_FLAG_HUGE, FEAT_WORD_ro_compat, FEAT_RO_COMPAT_HUGE_FILE,
	 ANY_DATA},
	{INODE_FLAG_EXTENTS, FEAT_WORD_incompat, FEAT_INCOMPAT_EXTENTS,
	 ANY_DATA},
	{INODE_FLAG_VERITY, FEAT_WORD_ro_compat, FEAT_RO_COMPAT_VERITY, REG},
	{INODE_FLAG_EA_INODE, FEAT_WORD_incompat, FEAT_INCOMPAT_EA_INODE,
	 REG},
	{INODE_FLAG_INLINE_DATA, FEAT_WORD_incompat, FEAT_INCOMPAT_INLINE_DATA,
	 ANY_DATA},
	{INODE_FLAG_CASEFOLD, FEAT_WORD_incompat, FEAT_INCOMPAT_CASEFOLD, DIR},
};

static u32 check_flags(const struct inode *ino, const struct geom *g)
{
	const u32 maps = INODE_FLAG_EXTENTS | INODE_FLAG_INLINE_DATA;
	struct features features = g->features;
	u32 type = 1u << (ino->mode >> 12), defects = 0;

	for (size_t i = 0; i < ARRAY_LEN(flag_rules); i++) {
		const struct flag_rule *r = &flag_rules[i];

		if (!(ino->flags & r->flag))
			continue;
		if (!(*feature_word(&features, r->word) & r->feature))
			defects |= INODE_BAD_FLAG_FEATURE;
		if (!(type & r->types))
			defects |= INODE_BAD_FLAG_TYPE;
	}
	return defects | defect_if((ino->flags & maps) == maps,
				   INODE_BAD_FLAG_MAP);
}

static u32 check_time(const struct inode_time *t)
{
	/* Epoch 3 and the sign bit: an old kernel's time before 1970. */
	return defect_if(t->nsec >= NSEC_PER_SEC, INODE_BAD_NSEC) |
	       defect_if(t->sec >> 31 == 5, INODE_BAD_EPOCH);
}

static u32 check_times(const struct inode *ino)
{
	return check_time(&ino->atime) | check_time(&ino->ctime) |
	       check_time(&ino->mtime) | check_time(&ino->crtime);
}

u64 inode_size_max(const struct geom *g, enum inode_map_kind kind)
{
	const u64 lblks = UINT32_MAX, ptrs = g->block_bytes / 4;
	u64 reach = NR_DIRECT + ptrs + ptrs * ptrs + ptrs * ptrs * ptrs;

	return (kind == INODE_MAP_INDIRECT ? u64_min(reach, lblks) : lblks) *
	       g->block_bytes;
}

static u32 check_symlink(const struct inode *ino, const struct geom *g)
{
	u64 bytes = ino->file_bytes;
	u32 defects = defect_if(!bytes || bytes > g->block_bytes,
				INODE_BAD_SYMLINK_SIZE);

	/* An encrypted target may have any bytes. */
	if (inode_map_kind(ino) == INODE_MAP_FAST_SYMLINK &&
	    !(ino->flags & INODE_FLAG_ENCRYPT))
		defects |= defect_if(strnlen((const char *)ino->map,
					     INODE_MAP_BYTES) != bytes,
				     INODE_BAD_SYMLINK_TEXT);
	return defects;
}

static u32 check_dir(const struct inode *ino, const struct geom *g)
{
	bool large = g->features.incompat & FEAT_INCOMPAT_LARGE_DIR;
	u32 defects = defect_if(ino->file_bytes >> 32 && !large,
				INODE_BAD_SIZE_HI);

	if (ino->flags & INODE_FLAG_INLINE_DATA)
		return defects;
	return defects | defect_if(!ino->file_bytes ||
				   ino->file_bytes % g->block_bytes,
				   INODE_BAD_DIR_SIZE);
}

static u32 check_type_and_size(const struct inode *ino, const struct geom *g)
{
	enum inode_map_kind kind = inode_map_kind(ino);
	u32 defects = 0;

	if (kind == INODE_MAP_EXTENTS || kind == INODE_MAP_INDIRECT)
		defects = defect_if(ino->file_bytes > inode_size_max(g, kind),
				    INODE_BAD_SIZE);
	switch (inode_type(ino)) {
	case INODE_TYPE_FILE:
		return defects;
	case INODE_TYPE_DIR:
		return defects | check_dir(ino, g);
	case INODE_TYPE_SYMLINK:
		return defects | check_symlink(ino, g);
	case INODE_TYPE_FIFO:
	case INODE_TYPE_CHAR:
	case INODE_TYPE_BLOCK:
	case INODE_TYPE_SOCKET:
		return defects |
		       defect_if(ino->file_bytes, INODE_BAD_SPECIAL_SIZE);
	default:
		return defects | INODE_BAD_TYPE;
	}
}

static bool extra_is_possible(u16 extra_bytes, const struct geom *g)
{
	return extra_bytes <= g->inode_bytes - INODE_BASE_BYTES &&
	       extra_bytes % EXTRA_ALIGN == 0;
}

bool inode_is_intact(struct span bytes, const struct super *sb,
		     const struct geom *g, u32 ino)
{
	struct inode inode;

	inode_parse(bytes, g, &inode);
	if (!span_has(bytes, 0, g->inode_bytes) ||
	    !extra_is_possible(inode.extra_bytes, g))
		return false;
	return !(g->features.ro_compat & FEAT_RO_COMPAT_METADATA_CSUM) ||
	       csum_ok(csum_inode(bytes, super_csum_seed(sb), ino));
}

u32 inode_check(const struct inode *ino, const struct geom *g)
{
	bool huge = g->features.ro_compat & FEAT_RO_COMPAT_HUGE_FILE;
	u32 defects = check_type_and_size(ino, g) | check_flags(ino, g);

	/* In an EA inode the times are a hash and a count. */
	if (!(ino->flags & INODE_FLAG_EA_INODE))
		defects |= check_times(ino);
	defects |= defect_if(!extra_is_possible(ino->extra_bytes, g),
			     INODE_BAD_EXTRA);
	defects |= defect_if(ino->links && ino->dtime, INODE_BAD_DTIME);
	defects |= defect_if(!huge && ino->blocks_hi, INODE_BAD_BLOCKS_HI);
	return defects | defect_if(ino->file_acl &&
				   (ino->file_acl <= g->first_data_blk ||
				    ino->file_acl >= g->nr_blocks),
				   INODE_BAD_FILE_ACL);
}
