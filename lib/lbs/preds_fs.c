/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicates about the filesystem itself: the superblock's numbers, features,
 * descriptors, journal, orphan file. They look at raw superblock fields, since
 * a filesystem the kernel refuses may have no valid geometry.
 */
#include "lbs/case.h"

#include "base/banned.h"
#include "lbs/limits.h"

enum {
	CSUM_TYPE_CRC32C = 1,
	LOG_CLUSTER_MOUNT_MAX = 18,
	LOG_CLUSTER_MAX = 31 - 10,
	INODE_BYTES_MIN = 128,
	FIRST_INO_MIN = 11,
	DESC_BYTES_MIN = 64,
	DESC_BYTES_MAX = 1024,
	ENCODING_UTF8_12_1 = 1,

	KERNEL_INCOMPAT = FEAT_INCOMPAT_FILETYPE |
			  FEAT_INCOMPAT_NEEDS_RECOVERY | FEAT_INCOMPAT_META_BG |
			  FEAT_INCOMPAT_EXTENTS | FEAT_INCOMPAT_64BIT |
			  FEAT_INCOMPAT_MMP | FEAT_INCOMPAT_FLEX_BG |
			  FEAT_INCOMPAT_EA_INODE | FEAT_INCOMPAT_CSUM_SEED |
			  FEAT_INCOMPAT_LARGE_DIR | FEAT_INCOMPAT_INLINE_DATA |
			  FEAT_INCOMPAT_ENCRYPT | FEAT_INCOMPAT_CASEFOLD,
	KERNEL_RO_COMPAT =
		FEAT_RO_COMPAT_SPARSE_SUPER | FEAT_RO_COMPAT_LARGE_FILE |
		FEAT_RO_COMPAT_BTREE_DIR | FEAT_RO_COMPAT_HUGE_FILE |
		FEAT_RO_COMPAT_GDT_CSUM | FEAT_RO_COMPAT_DIR_NLINK |
		FEAT_RO_COMPAT_EXTRA_ISIZE | FEAT_RO_COMPAT_QUOTA |
		FEAT_RO_COMPAT_BIGALLOC | FEAT_RO_COMPAT_METADATA_CSUM |
		FEAT_RO_COMPAT_PROJECT | FEAT_RO_COMPAT_VERITY |
		FEAT_RO_COMPAT_ORPHAN_PRESENT | FEAT_RO_COMPAT_READONLY,
};

static bool has_csum(const struct lbs_case *c)
{
	return super_has_ro_compat(&c->s->sb, FEAT_RO_COMPAT_METADATA_CSUM);
}

static bool has_bigalloc(const struct lbs_case *c)
{
	return super_has_ro_compat(&c->s->sb, FEAT_RO_COMPAT_BIGALLOC);
}

static u64 bitmap_bits(const struct lbs_case *c)
{
	return c->bs * 8;
}

bool pred_super_csum(const struct lbs_case *c)
{
	return !c->s->planned && !super_csum_ok(&c->s->sb);
}

bool pred_csum_type(const struct lbs_case *c)
{
	return !c->s->planned && has_csum(c) &&
	       c->s->sb.checksum_type != CSUM_TYPE_CRC32C;
}

bool pred_log_block_size(const struct lbs_case *c)
{
	return !c->bs;
}

bool pred_log_cluster_size(const struct lbs_case *c)
{
	return c->s->sb.log_cluster_size > LOG_CLUSTER_MOUNT_MAX;
}

bool pred_cluster_below_block(const struct lbs_case *c)
{
	return has_bigalloc(c) &&
	       c->s->sb.log_cluster_size < c->s->sb.log_block_size;
}

bool pred_cluster_not_block(const struct lbs_case *c)
{
	return !has_bigalloc(c) &&
	       c->s->sb.log_cluster_size != c->s->sb.log_block_size;
}

bool pred_bigalloc_extents(const struct lbs_case *c)
{
	return has_bigalloc(c) &&
	       !super_has_incompat(&c->s->sb, FEAT_INCOMPAT_EXTENTS);
}

bool pred_blocks_per_group(const struct lbs_case *c)
{
	return c->bs && !has_bigalloc(c) &&
	       (!c->s->sb.blocks_per_group ||
		c->s->sb.blocks_per_group > bitmap_bits(c));
}

/*
 * Without bigalloc the kernel wants both counts equal. Only a count that does
 * not fit is refused by every release, so only that is judged there.
 */
bool pred_clusters_per_group(const struct lbs_case *c)
{
	const struct super *sb = &c->s->sb;
	u64 cpg = sb->clusters_per_group, ratio;

	if (!c->bs || sb->log_cluster_size > LOG_CLUSTER_MAX ||
	    sb->log_cluster_size < sb->log_block_size)
		return false;
	if (cpg > bitmap_bits(c))
		return true;
	if (!has_bigalloc(c))
		return false;
	ratio = 1ULL << (sb->log_cluster_size - sb->log_block_size);
	return !cpg || cpg % 8 || cpg * ratio != sb->blocks_per_group;
}

bool pred_inode_size(const struct lbs_case *c)
{
	u32 isize = c->s->sb.inode_size;

	return c->bs && c->s->sb.rev_level &&
	       (isize < INODE_BYTES_MIN || isize > c->bs ||
		!u64_is_pow2(isize));
}

bool pred_first_ino(const struct lbs_case *c)
{
	return c->s->sb.rev_level && c->s->sb.first_ino < FIRST_INO_MIN;
}

bool pred_extra_isize(const struct lbs_case *c)
{
	const struct super *sb = &c->s->sb;
	u32 room;

	if (!sb->rev_level || sb->inode_size <= INODE_BYTES_MIN ||
	    !super_has_ro_compat(sb, FEAT_RO_COMPAT_EXTRA_ISIZE))
		return false;
	room = sb->inode_size - INODE_BYTES_MIN;
	return sb->min_extra_isize > room || sb->want_extra_isize > room;
}

bool pred_inodes_per_group(const struct lbs_case *c)
{
	u64 ipg = c->s->sb.inodes_per_group;
	u64 per_block;

	if (!c->bs || pred_inode_size(c))
		return false;
	per_block = c->bs / (c->s->sb.rev_level ? c->s->sb.inode_size
						: INODE_BYTES_MIN);
	return ipg < per_block || ipg > bitmap_bits(c) || ipg % 8 ||
	       ipg % per_block;
}

bool pred_inodes_count(const struct lbs_case *c)
{
	const struct geom *g = &c->s->geom;

	return !c->s->geom_error &&
	       (u64)g->nr_groups * g->inodes_per_group != g->nr_inodes;
}

bool pred_desc_size(const struct lbs_case *c)
{
	u32 dsize = c->s->sb.desc_size;

	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_64BIT) &&
	       (dsize < DESC_BYTES_MIN || dsize > DESC_BYTES_MAX ||
		!u64_is_pow2(dsize));
}

u32 case_first_data_block(const struct lbs_case *c)
{
	return c->bs == LBS_BLOCK_BYTES_MIN && !has_bigalloc(c);
}

bool pred_first_data_block(const struct lbs_case *c)
{
	return c->bs && c->s->sb.first_data_block != case_first_data_block(c);
}

bool pred_block_count(const struct lbs_case *c)
{
	return c->s->geom_error == LB_E_GEOM_COUNT && !pred_first_data_block(c);
}

bool pred_group_count(const struct lbs_case *c)
{
	return c->s->geom_error == LB_E_GEOM_MANY_GROUPS;
}

bool pred_reserved_gdt(const struct lbs_case *c)
{
	return c->bs && c->s->sb.reserved_gdt_blocks > c->bs / 4;
}

bool pred_first_meta_bg(const struct lbs_case *c)
{
	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_META_BG) &&
	       !c->s->geom_error &&
	       c->s->sb.first_meta_bg > c->s->geom.nr_desc_blks;
}

bool pred_hurd(const struct lbs_case *c)
{
	return c->s->sb.creator_os == SUPER_OS_HURD &&
	       super_has_incompat(&c->s->sb,
				  FEAT_INCOMPAT_64BIT | FEAT_INCOMPAT_EA_INODE);
}

bool pred_encryption_level(const struct lbs_case *c)
{
	return c->s->sb.encryption_level &&
	       super_has_incompat(&c->s->sb, FEAT_INCOMPAT_ENCRYPT);
}

bool pred_mmp_block(const struct lbs_case *c)
{
	const struct super *sb = &c->s->sb;

	return !c->s->planned && super_has_incompat(sb, FEAT_INCOMPAT_MMP) &&
	       (sb->mmp_block < sb->first_data_block ||
		sb->mmp_block >= super_nr_blocks(sb));
}

bool pred_mmp_wait(const struct lbs_case *c)
{
	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_MMP) &&
	       !pred_mmp_block(c);
}

bool pred_sparse_super2(const struct lbs_case *c)
{
	return super_has_compat(&c->s->sb, FEAT_COMPAT_SPARSE_SUPER2);
}

u32 case_bad_incompat(const struct lbs_case *c)
{
	return c->s->sb.feature_incompat & ~(u32)KERNEL_INCOMPAT;
}

u32 case_bad_ro_compat(const struct lbs_case *c)
{
	return c->s->sb.feature_ro_compat & ~(u32)KERNEL_RO_COMPAT;
}

bool pred_feature_incompat(const struct lbs_case *c)
{
	return case_bad_incompat(c);
}

bool pred_feature_ro_compat(const struct lbs_case *c)
{
	return !c->m.read_only && case_bad_ro_compat(c);
}

/* Compat features do not hinder a mount; ro_compat ones only a writable. */
struct features case_new_features(const struct lbs_case *c)
{
	struct features have = super_features(&c->s->sb), newer = {0, 0, 0};
	const struct feature_row *row;

	for (size_t i = 0; (row = feature_row(i)); i++)
		if (row->word != FEAT_WORD_compat && features_has(&have, row) &&
		    !(row->word == FEAT_WORD_ro_compat && c->m.read_only) &&
		    row->since > c->f->kernel.version)
			*feature_word(&newer, row->word) |= row->bit;
	return newer;
}

bool pred_feature_newer(const struct lbs_case *c)
{
	struct features newer;

	if (!c->f->kernel.version)
		return false;
	newer = case_new_features(c);
	return newer.incompat || newer.ro_compat;
}

struct features case_type_features(const struct lbs_case *c)
{
	struct features have = super_features(&c->s->sb);
	struct features known = lbs_fs_type_features(c->rq->fs_type);

	return (struct features){
		0, have.incompat & ~known.incompat,
		c->m.read_only ? 0 : have.ro_compat & ~known.ro_compat};
}

bool pred_feature_type(const struct lbs_case *c)
{
	struct features odd = case_type_features(c);

	return odd.incompat || odd.ro_compat ||
	       (c->rq->fs_type == LBS_EXT3 &&
		c->s->journal == LBS_JOURNAL_NONE);
}

/* Only a kernel whose feature files could be read proves that one is absent. */
bool pred_casefold_config(const struct lbs_case *c)
{
	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_CASEFOLD) &&
	       c->f->kernel.nr_features &&
	       !facts_has_feature(&c->f->kernel, "casefold");
}

bool pred_casefold_encoding(const struct lbs_case *c)
{
	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_CASEFOLD) &&
	       c->s->sb.encoding != ENCODING_UTF8_12_1;
}

/* A read-only mount takes a wrong checksum, but not a wrong place. */
bool pred_desc_csum(const struct lbs_case *c)
{
	return c->s->descs_known && c->s->nr_bad_descs &&
	       (!c->m.read_only || c->s->nr_misplaced_descs);
}

bool pred_desc_csum_ro(const struct lbs_case *c)
{
	return c->s->descs_known && c->s->nr_bad_descs && !pred_desc_csum(c);
}

/* A read-only mount does not look at the block. */
bool pred_mmp_bad(const struct lbs_case *c)
{
	return c->s->mmp_is_bad && !c->m.read_only;
}

bool pred_mmp_fsck(const struct lbs_case *c)
{
	return c->s->mmp_is_fsck && !c->s->mmp_is_bad && !c->m.read_only;
}

bool pred_damaged_ro(const struct lbs_case *c)
{
	return c->m.read_only &&
	       (c->s->mmp_is_bad || c->s->mmp_is_fsck || c->s->bad_quota_inode);
}

bool pred_orphan_bad(const struct lbs_case *c)
{
	return c->s->orphan_is_bad;
}

bool pred_padding(const struct lbs_case *c)
{
	return c->s->padding_known && c->s->nr_bad_padding;
}

/*
 * The checksum lies in another block than the bitmap: while it is mounted, or
 * before the journal is replayed, they need not fit.
 */
bool pred_bitmap_csum(const struct lbs_case *c)
{
	return c->s->padding_known && c->s->nr_bad_bitmaps &&
	       c->s->sb.state & SUPER_STATE_CLEAN &&
	       !super_has_incompat(&c->s->sb, FEAT_INCOMPAT_NEEDS_RECOVERY);
}

bool pred_truncated(const struct lbs_case *c)
{
	return !c->s->geom_error && c->s->container_bytes &&
	       geom_bytes(&c->s->geom) > c->s->container_bytes;
}

/* A read-only mount with noload never looks at the journal. */
static bool journal_is_used(const struct lbs_case *c)
{
	return c->s->journal == LBS_JOURNAL_INTERNAL && c->s->journal_known &&
	       !c->m.noload;
}

bool pred_journal_invalid(const struct lbs_case *c)
{
	return journal_is_used(c) && !c->s->journal_is_valid;
}

static bool journal_is_readable(const struct lbs_case *c)
{
	return journal_is_used(c) && c->s->journal_is_valid;
}

bool pred_journal_block(const struct lbs_case *c)
{
	return journal_is_readable(c) && c->s->journal_block_bytes != c->bs;
}

bool pred_journal_short(const struct lbs_case *c)
{
	return journal_is_readable(c) &&
	       c->s->journal_blks < LBS_JOURNAL_BLKS_MIN;
}

u32 case_fast_blks(const struct lbs_case *c)
{
	return c->s->journal_fast_blks ? c->s->journal_fast_blks
				       : LBS_FAST_COMMIT_BLKS_DEFAULT;
}

/* Journaled data turns fast commits off before the space is looked at. */
bool pred_fast_commit_space(const struct lbs_case *c)
{
	return super_has_compat(&c->s->sb, FEAT_COMPAT_FAST_COMMIT) &&
	       journal_is_readable(c) && c->m.data != LBS_DATA_JOURNAL &&
	       c->s->journal_blks <
		       (u64)LBS_JOURNAL_BLKS_MIN + case_fast_blks(c);
}

bool pred_journal_external(const struct lbs_case *c)
{
	return c->s->journal == LBS_JOURNAL_EXTERNAL;
}

bool pred_recovery(const struct lbs_case *c)
{
	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_NEEDS_RECOVERY) &&
	       !c->m.noload;
}

bool pred_state_error(const struct lbs_case *c)
{
	return !c->s->planned &&
	       (c->s->sb.state & SUPER_STATE_ERROR || c->s->journal_errno);
}

bool pred_inode(const struct lbs_case *c)
{
	return c->s->bad_inode;
}

bool pred_quota_inode(const struct lbs_case *c)
{
	return c->s->bad_quota_inode && !c->m.read_only;
}

static bool has_orphan_file(const struct lbs_case *c)
{
	return c->bs && c->s->orphan_known &&
	       super_has_compat(&c->s->sb, FEAT_COMPAT_ORPHAN_FILE);
}

bool pred_orphan_size(const struct lbs_case *c)
{
	return has_orphan_file(c) &&
	       c->s->orphan_bytes > LBS_ORPHAN_BLKS_MAX * c->bs;
}

bool pred_orphan_8m(const struct lbs_case *c)
{
	return has_orphan_file(c) && !pred_orphan_size(c) &&
	       c->s->orphan_bytes > (u64)8 << 20;
}

bool pred_orphan_hole(const struct lbs_case *c)
{
	return has_orphan_file(c) && !c->s->planned && !pred_orphan_size(c) &&
	       c->s->orphan_mapped_bytes < c->s->orphan_bytes;
}

bool pred_no_backup(const struct lbs_case *c)
{
	return !c->s->geom_error && !geom_nr_backups(&c->s->geom);
}
