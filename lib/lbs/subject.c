/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads from an image what the rules ask about: superblock, descriptors,
 * bitmap padding, the inodes of root, journal and orphan file. Any bytes are
 * survived; what cannot be followed stays unknown or is marked invalid.
 */
#include "lbs/subject.h"

#include <errno.h>

#include "base/banned.h"
#include "ondisk/extent.h"
#include "ondisk/csum.h"
#include "ondisk/gdesc.h"
#include "ondisk/inode.h"
#include "ondisk/jsb.h"
#include "ondisk/mmp.h"
#include "ondisk/orphan.h"

/* Everything one reading needs; lives on the reader's stack. */
struct reading {
	const struct image *img;
	struct lbs_subject *s;
	u8 *block;	      /* one filesystem block */
	bool inode_is_intact; /* of the inode read last */
	u64 first_blk;	      /* of the file looked at last */
};

/* Reads block blk; false when it is not in the image (data, not an error). */
static bool read_block(struct reading *r, u64 blk, errcode_t *rc)
{
	u64 bs = r->s->geom.block_bytes;

	if (blk >= r->s->geom.nr_blocks || blk > UINT64_MAX / bs)
		return false;
	*rc = image_read(r->img, blk * bs, r->block, bs);
	if (*rc == LB_E_IMAGE_SHORT)
		*rc = 0;
	else if (!*rc)
		return true;
	return false;
}

static struct span block_span(const struct reading *r)
{
	return span_of(r->block, r->s->geom.block_bytes);
}

/* The descriptor of grp; false when it cannot be had. */
static bool read_desc(struct reading *r, u32 grp, struct gdesc *gd,
		      errcode_t *rc)
{
	const struct geom *g = &r->s->geom;
	struct span bytes;

	if (!read_block(r, geom_desc_blk(g, grp), rc))
		return false;
	bytes = span_sub(block_span(r), geom_desc_offset(g, grp),
			 g->desc_bytes);
	gdesc_parse(bytes, g, gd);
	return true;
}

static bool has_metadata_csum(const struct reading *r)
{
	return super_has_ro_compat(&r->s->sb, FEAT_RO_COMPAT_METADATA_CSUM);
}

static bool read_inode(struct reading *r, u32 ino, struct inode *out,
		       errcode_t *rc)
{
	const struct geom *g = &r->s->geom;
	struct span bytes;
	struct gdesc gd;
	u64 off;

	r->inode_is_intact = false;
	if (!ino || ino > g->nr_inodes || inode_group(g, ino) >= g->nr_groups)
		return false;
	if (!read_desc(r, inode_group(g, ino), &gd, rc))
		return false;
	off = inode_table_offset(g, ino);
	if (gd.inode_table_blk > g->nr_blocks ||
	    !read_block(r, gd.inode_table_blk + off / g->block_bytes, rc))
		return false;
	bytes = span_sub(block_span(r), off % g->block_bytes, g->inode_bytes);
	inode_parse(bytes, g, out);
	r->inode_is_intact = inode_is_intact(bytes, &r->s->sb, g, ino);
	return true;
}

/* Reads the first block of a file into r->block. */
static bool read_first_block(struct reading *r, const struct inode *ino,
			     errcode_t *rc)
{
	struct span node = span_of(ino->map, INODE_MAP_BYTES);
	struct extent_head head;

	r->first_blk = span_le32(node, 0);
	if (!(ino->flags & INODE_FLAG_EXTENTS))
		return r->first_blk && read_block(r, r->first_blk, rc);
	for (int level = 0; level <= EXTENT_DEPTH_MAX; level++) {
		u16 depth_above = level ? head.depth : EXTENT_DEPTH_MAX + 1;

		head = extent_head_parse(node);
		/* Depth must fall at each step, so loops end. */
		if (!head.is_valid || !head.entries ||
		    head.depth >= depth_above)
			return false;
		r->first_blk = extent_first_blk(node, &head);
		if (!read_block(r, r->first_blk, rc))
			return false;
		if (!head.depth)
			return true;
		node = block_span(r);
	}
	return false;
}

static void parse_journal_super(struct lbs_subject *s, struct span bytes,
				u64 file_bytes)
{
	struct jsb j;

	jsb_parse(bytes, &j);
	s->journal_block_bytes = j.block_bytes;
	s->journal_blks = j.nr_blks;
	s->journal_fast_blks = j.nr_fast_blks;
	s->journal_errno = (u32)j.error;
	s->journal_is_valid =
		!jsb_check_self(&j) &&
		s->journal_blks <= file_bytes / s->geom.block_bytes;
}

static errcode_t read_journal(struct reading *r)
{
	struct lbs_subject *s = r->s;
	struct inode ino;
	errcode_t rc = 0;

	if (s->journal != LBS_JOURNAL_INTERNAL)
		return 0;
	s->journal_known = true;
	s->journal_is_valid = false;
	if (!read_inode(r, s->sb.journal_inum, &ino, &rc) ||
	    !read_first_block(r, &ino, &rc))
		return rc;
	parse_journal_super(s, span_sub(block_span(r), 0, JSB_BYTES),
			    ino.file_bytes);
	return 0;
}

static bool orphan_block_is_intact(const struct reading *r,
				   const struct inode *ino)
{
	const struct super *sb = &r->s->sb;
	u32 seed = csum_inode_seed(super_csum_seed(sb), sb->orphan_file_inum,
				   ino->generation);

	if (orphan_block_check(block_span(r)))
		return false;
	return !has_metadata_csum(r) ||
	       csum_ok(csum_orphan_block(block_span(r), seed, r->first_blk));
}

static errcode_t read_orphan(struct reading *r)
{
	struct lbs_subject *s = r->s;
	struct inode ino;
	errcode_t rc = 0;

	if (!super_has_compat(&s->sb, FEAT_COMPAT_ORPHAN_FILE))
		return 0;
	if (!read_inode(r, s->sb.orphan_file_inum, &ino, &rc))
		return rc;
	s->orphan_known = true;
	s->orphan_bytes = ino.file_bytes;
	s->orphan_mapped_bytes = ino.mapped_bytes;
	s->orphan_is_bad = !read_first_block(r, &ino, &rc) ||
			   !orphan_block_is_intact(r, &ino);
	return rc;
}

/* A kernel waits for this block to stay as it is before it mounts. */
static errcode_t read_mmp(struct reading *r)
{
	const struct super *sb = &r->s->sb;
	errcode_t rc = 0;
	struct mmp mmp;

	if (!super_has_incompat(sb, FEAT_INCOMPAT_MMP))
		return 0;
	if (!read_block(r, sb->mmp_block, &rc))
		return rc;
	mmp_parse(block_span(r), &mmp);
	r->s->mmp_is_fsck = mmp_state(&mmp) == MMP_FSCK;
	r->s->mmp_is_bad =
		mmp_check(&mmp) & (MMP_BAD_MAGIC | MMP_BAD_SEQ) ||
		(has_metadata_csum(r) &&
		 !csum_ok(csum_mmp(block_span(r), super_csum_seed(sb))));
	return 0;
}

static bool is_usable(const struct reading *r, u32 ino, const struct inode *in)
{
	if (!r->inode_is_intact || !in->links)
		return false;
	if (ino == INODE_ROOT)
		return inode_is_dir(in) && in->file_bytes && in->mapped_bytes;
	return inode_is_file(in);
}

/* The first of nr inode numbers that cannot be used; 0: all can, or none is. */
static errcode_t find_bad_inode(struct reading *r, const u32 *inos, size_t nr,
				u32 *bad)
{
	errcode_t rc = 0;

	for (size_t i = 0; !rc && !*bad && i < nr; i++) {
		struct inode in;

		if (inos[i] && (!read_inode(r, inos[i], &in, &rc) ||
				!is_usable(r, inos[i], &in)))
			*bad = rc ? 0 : inos[i];
	}
	return rc;
}

static errcode_t read_needed_inodes(struct reading *r)
{
	const struct super *sb = &r->s->sb;
	bool orphan = super_has_compat(sb, FEAT_COMPAT_ORPHAN_FILE);
	bool journal = r->s->journal == LBS_JOURNAL_INTERNAL;
	/* A kernel reads these at every mount, also with -o noload. */
	const u32 always[] = {INODE_ROOT, journal ? sb->journal_inum : 0,
			      orphan ? sb->orphan_file_inum : 0};
	const u32 quota[] = {sb->usr_quota_inum, sb->grp_quota_inum,
			     sb->prj_quota_inum};
	errcode_t rc =
		find_bad_inode(r, always, ARRAY_LEN(always), &r->s->bad_inode);

	if (!rc && super_has_ro_compat(sb, FEAT_RO_COMPAT_QUOTA))
		rc = find_bad_inode(r, quota, ARRAY_LEN(quota),
				    &r->s->bad_quota_inode);
	return rc;
}

/* Whether all bits from bit first to the end of the block are set. */
static bool padding_is_set(const u8 *bitmap, u32 first, u32 bits)
{
	for (; first < bits && first % 8; first++)
		if (!(bitmap[first / 8] >> (first % 8) & 1))
			return false;
	for (u32 byte = first / 8; byte < bits / 8; byte++)
		if (bitmap[byte] != 0xFF)
			return false;
	return true;
}

/* The checksum covers the group's own bits, and so not the padding. */
static void note_bitmap(struct reading *r, const struct gdesc *gd, u32 grp)
{
	const struct geom *g = &r->s->geom;

	if (has_metadata_csum(r) &&
	    !csum_ok(csum_block_bitmap(block_span(r),
				       super_csum_seed(&r->s->sb), g, gd)) &&
	    !r->s->nr_bad_bitmaps++)
		r->s->first_bad_bitmap = grp;
	if (padding_is_set(r->block, geom_group_nr_clusters(g, grp),
			   geom_bits_per_block(g)))
		return;
	if (!r->s->nr_bad_padding++)
		r->s->first_bad_padding = grp;
}

/*
 * Descriptor checksums, and the padding of every bitmap that is on disk. The
 * descriptor block is kept while its groups' bitmaps are read.
 */
static errcode_t read_desc_block(struct reading *r, u8 *descs, u32 first_grp)
{
	const struct geom *g = &r->s->geom;
	bool csum = gdesc_has_csum(g);
	u32 end =
		(u32)u64_min((u64)first_grp + g->desc_per_block, g->nr_groups);
	errcode_t rc = 0;

	if (!read_block(r, geom_desc_blk(g, first_grp), &rc)) {
		r->s->nr_bad_descs += rc ? 0 : end - first_grp;
		r->s->nr_misplaced_descs += rc ? 0 : end - first_grp;
		return rc;
	}
	memcpy(descs, r->block, g->block_bytes);
	for (u32 grp = first_grp; grp < end && !rc; grp++) {
		bool possible;
		struct span bytes = span_of(descs + geom_desc_offset(g, grp),
					    g->desc_bytes);
		struct gdesc gd;

		gdesc_parse(bytes, g, &gd);
		possible = gdesc_is_possible(&gd, g, grp);
		r->s->nr_misplaced_descs += !possible;
		if (!possible ||
		    (csum && gd.csum != gdesc_csum(bytes, &r->s->sb, g, grp)))
			r->s->nr_bad_descs++;
		else if (!(csum && gd.flags & GDESC_BLOCK_UNINIT) &&
			 read_block(r, gd.block_bitmap_blk, &rc))
			note_bitmap(r, &gd, grp);
	}
	return rc;
}

static errcode_t read_descs(struct reading *r)
{
	const struct geom *g = &r->s->geom;
	u8 *descs = malloc(g->block_bytes);
	errcode_t rc = descs ? 0 : ENOMEM;

	for (u64 grp = 0; !rc && grp < g->nr_groups; grp += g->desc_per_block)
		rc = read_desc_block(r, descs, (u32)grp);
	r->s->descs_known = r->s->padding_known = !rc;
	free(descs);
	return rc;
}

void lbs_subject_set_geom(struct lbs_subject *s)
{
	s->geom_error = geom_from_super(&s->sb, &s->geom);
	s->journal = LBS_JOURNAL_NONE;
	if (super_has_compat(&s->sb, FEAT_COMPAT_HAS_JOURNAL))
		s->journal = s->sb.journal_inum || !s->sb.journal_dev
				     ? LBS_JOURNAL_INTERNAL
				     : LBS_JOURNAL_EXTERNAL;
}

static errcode_t read_below_super(struct reading *r)
{
	errcode_t rc;

	r->block = malloc(r->s->geom.block_bytes);
	rc = r->block ? read_descs(r) : ENOMEM;
	if (!rc)
		rc = read_needed_inodes(r);
	if (!rc)
		rc = read_journal(r);
	if (!rc)
		rc = read_orphan(r);
	if (!rc)
		rc = read_mmp(r);
	free(r->block);
	return rc;
}

errcode_t lbs_subject_read(const struct image *img, struct lbs_subject *s)
{
	struct reading r = {.img = img, .s = s};
	u8 raw[SUPER_BYTES];
	errcode_t rc;

	memset(s, 0, sizeof(*s));
	s->name = image_path(img);
	s->container_bytes = image_bytes(img);
	rc = image_read(img, SUPER_OFFSET, raw, sizeof(raw));
	if (rc == LB_E_IMAGE_SHORT)
		rc = super_parse(span_of(NULL, 0), &s->sb);
	else if (!rc)
		rc = super_parse(span_of(raw, sizeof(raw)), &s->sb);
	if (rc)
		return rc;
	if (!super_is_ext(&s->sb))
		return LB_E_SB_MAGIC;
	lbs_subject_set_geom(s);
	return s->geom_error ? 0 : read_below_super(&r);
}

errcode_t lbs_subject_read_alt(const struct image *img, u64 sb_kib,
			       struct lbs_subject *s)
{
	u8 raw[SUPER_BYTES];
	struct super sb;
	errcode_t rc;

	s->alt_super_known = true;
	s->alt_super_found = false;
	if (sb_kib > UINT64_MAX / 1024)
		return 0;
	rc = image_read(img, sb_kib * 1024, raw, sizeof(raw));
	if (rc == LB_E_IMAGE_SHORT)
		return 0;
	if (!rc)
		rc = super_parse(span_of(raw, sizeof(raw)), &sb);
	s->alt_super_found = !rc && super_is_ext(&sb);
	return rc;
}
