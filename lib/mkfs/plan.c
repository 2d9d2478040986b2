/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts the plan together: features, sizes, a layout in memory by libext2fs,
 * journal and orphan file, and the subject that lib/lbs judges.
 */
#include "mkfs/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <uuid/uuid.h>

#include "base/banned.h"
#include "base/units.h"
#include "io/fsopen.h"
#include "mkfs/features.h"

enum {
	RESERVED_PERCENT_DEFAULT = 5,
	GROWTH_MAX = 1024, /* times the size */
	GROWTH_MIN = 4,
	MOUNT_OPTS_DEFAULT = 0x000C, /* user_xattr, acl */
	MMP_INTERVAL_DEFAULT = 5,
	HASH_HALF_MD4 = 1,
	REV_DYNAMIC = 1,
	ENCRYPT_AES_256_XTS = 1,
	ENCRYPT_AES_256_CTS = 4,
	FLAG_SIGNED_HASH = 1,
	FLAG_UNSIGNED_HASH = 2,
};

#define GROWTH_BYTES ((u64)16 << 40)

/*
 * SOURCE_DATE_EPOCH makes every timestamp that moment; 0 is not expressible
 * in libext2fs and means the clock.
 */
static errcode_t decide_time(struct mkfs_plan *plan, struct str *why)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");

	plan->now = 0;
	if (!text || !*text)
		return 0;
	if (!units_parse_num(text, INT32_MAX, &plan->now) && plan->now)
		return 0;
	str_addf(why, "SOURCE_DATE_EPOCH=%s: must be seconds from 1 to %d",
		 text, INT32_MAX);
	return EINVAL;
}

/* A device's I/O sizes count when they are more than one block. */
static u64 blks_of_hint(u64 bytes, u32 block_bytes)
{
	return bytes > block_bytes ? bytes / block_bytes : 0;
}

static void set_raid(const struct mkfs_request *rq, const struct facts *facts,
		     const struct mkfs_plan *plan,
		     struct ext2_super_block *param)
{
	const struct device_facts *d = &facts->device;
	u64 stride = rq->stride_blks, width = rq->stripe_blks;

	if (!stride)
		stride = blks_of_hint(d->minimum_io_bytes, plan->block_bytes);
	if (!width)
		width = blks_of_hint(d->optimal_io_bytes, plan->block_bytes);
	param->s_raid_stride = (u16)u64_min(stride, UINT16_MAX);
	param->s_raid_stripe_width = (u32)u64_min(width, UINT32_MAX);
}

static errcode_t set_backups(const struct mkfs_request *rq,
			     const struct mkfs_plan *plan,
			     struct ext2_super_block *param, struct str *why)
{
	u64 nr = rq->nr_backups_given ? rq->nr_backups : 2;

	if (!(plan->features.compat & FEAT_COMPAT_SPARSE_SUPER2)) {
		if (!rq->nr_backups_given)
			return 0;
		str_add(why,
			"-E num_backup_sb needs the sparse_super2 feature");
		return EINVAL;
	}
	if (nr >= 1)
		param->s_backup_bgs[0] = 1;
	if (nr >= 2)
		param->s_backup_bgs[1] = ~0u; /* the last group */
	return 0;
}

/* Descriptor blocks to keep free for growing to so many blocks. */
static u64 growth_descs(const struct mkfs_plan *plan,
			const struct ext2_super_block *param, u64 blks)
{
	u64 desc_bytes = param->s_desc_size ? param->s_desc_size : 32, have;

	if (!param->s_desc_size &&
	    plan->features.incompat & FEAT_INCOMPAT_64BIT)
		desc_bytes = 64;
	have = u64_div_up(plan->asked_blks, param->s_blocks_per_group);
	have = u64_div_up(have * desc_bytes, plan->block_bytes);
	blks = u64_div_up(blks, param->s_blocks_per_group);
	return u64_div_up(blks * desc_bytes, plan->block_bytes) - have;
}

/*
 * From 8K blocks up, room to grow to what a filesystem of 4K blocks would
 * have room for, 16 TiB, and to four times the size at least. libext2fs
 * reserves for 2^32 blocks, 256 TiB at 64K, in every copy of the descriptors.
 */
static void default_growth(const struct mkfs_request *rq,
			   struct mkfs_plan *plan,
			   struct ext2_super_block *param)
{
	u64 cap = GROWTH_BYTES / plan->block_bytes, blks, descs;

	if (rq->group_clusters || plan->block_bytes < LBS_LARGE_BLOCK_BYTES ||
	    !(plan->features.compat & FEAT_COMPAT_RESIZE_INODE))
		return;
	blks = u64_min(plan->asked_blks * GROWTH_MAX, cap);
	blks = u64_min(u64_max(blks, plan->asked_blks * GROWTH_MIN),
		       UINT32_MAX);
	descs = u64_max(growth_descs(plan, param, blks), 1);
	param->s_reserved_gdt_blocks =
		(u16)u64_min(descs, plan->limits.reserved_gdt_blks_max);
	str_addf(&plan->notes,
		 "Room in the descriptor table to grow to %s instead of %s; "
		 "-E resize= chooses.\n",
		 units_format(blks * plan->block_bytes).text,
		 units_format(u64_min(plan->asked_blks * GROWTH_MAX,
				      UINT32_MAX + 1ULL) *
			      plan->block_bytes)
			 .text);
}

/* -E resize=: room in the descriptor table to grow to that many blocks. */
static errcode_t set_growth(const struct mkfs_request *rq,
			    struct mkfs_plan *plan,
			    struct ext2_super_block *param, struct str *why)
{
	u64 blks = rq->resize.num, descs;

	if (!rq->resize.given) {
		default_growth(rq, plan, param);
		return 0;
	}
	if (rq->resize.bytes)
		blks /= plan->block_bytes;
	if (blks <= plan->asked_blks || blks > UINT32_MAX ||
	    !(plan->features.compat & FEAT_COMPAT_RESIZE_INODE)) {
		str_add(why,
			"-E resize: needs the resize_inode feature and more "
			"blocks than the filesystem has, fewer than 2^32");
		return EINVAL;
	}
	descs = growth_descs(plan, param, blks);
	if (descs > plan->limits.reserved_gdt_blks_max) {
		str_addf(why,
			 "-E resize: more than %u descriptor blocks cannot be "
			 "kept free",
			 plan->limits.reserved_gdt_blks_max);
		return EINVAL;
	}
	param->s_reserved_gdt_blocks = (u16)descs;
	return 0;
}

static void set_reserved(const struct mkfs_request *rq,
			 const struct mkfs_plan *plan,
			 struct ext2_super_block *param)
{
	double percent = rq->reserved_given ? rq->reserved_percent
					    : RESERVED_PERCENT_DEFAULT;

	ext2fs_r_blocks_count_set(
		param, (u64)(percent * (double)plan->asked_blks / 100.0));
}

static void set_features(const struct mkfs_plan *plan,
			 struct ext2_super_block *param)
{
	param->s_feature_compat = plan->features.compat;
	param->s_feature_incompat = plan->features.incompat;
	param->s_feature_ro_compat = plan->features.ro_compat;
	param->s_rev_level = REV_DYNAMIC;
}

static errcode_t lay_out(struct mkfs_plan *plan, struct ext2_super_block *param,
			 struct str *why)
{
	errcode_t rc = fsopen_layout(param, &plan->fs);

	if (rc == EXT2_ET_TOOSMALL)
		str_addf(why,
			 "%s is too small for a filesystem with these options",
			 units_format(plan->asked_blks * plan->block_bytes)
				 .text);
	else if (rc)
		str_addf(why, "cannot be laid out: %s", error_message(rc));
	if (rc)
		return rc;
	plan->nr_blocks = ext2fs_blocks_count(plan->fs->super);
	/* Of the blocks asked for; the layout may have dropped some of them. */
	ext2fs_r_blocks_count_set(
		plan->fs->super, u64_min(ext2fs_r_blocks_count(plan->fs->super),
					 plan->nr_blocks / 2));
	if (plan->now)
		plan->fs->now = (time_t)plan->now;
	return 0;
}

static void set_identity(const struct mkfs_request *rq, struct mkfs_plan *plan)
{
	struct ext2_super_block *sb = plan->fs->super;

	switch (rq->uuid_kind) {
	case MKFS_UUID_RANDOM:
		uuid_generate(sb->s_uuid);
		break;
	case MKFS_UUID_TIME:
		uuid_generate_time(sb->s_uuid);
		break;
	case MKFS_UUID_CLEAR:
		uuid_clear(sb->s_uuid);
		break;
	case MKFS_UUID_GIVEN:
		memcpy(sb->s_uuid, rq->uuid, sizeof(sb->s_uuid));
		break;
	}
	if (rq->hash_seed_given)
		memcpy(sb->s_hash_seed, rq->hash_seed, 16);
	else
		uuid_generate((u8 *)sb->s_hash_seed);
	if (rq->label)
		memcpy(sb->s_volume_name, rq->label,
		       u64_min(strlen(rq->label), MKFS_LABEL_MAX));
	if (rq->mount_dir)
		memcpy(sb->s_last_mounted, rq->mount_dir,
		       u64_min(strlen(rq->mount_dir), MKFS_MOUNT_DIR_MAX));
	if (plan->features.incompat & FEAT_INCOMPAT_CSUM_SEED)
		sb->s_checksum_seed = ext2fs_crc32c_le(~0u, sb->s_uuid, 16);
	ext2fs_init_csum_seed(plan->fs);
}

static void set_behaviour(const struct mkfs_request *rq, struct mkfs_plan *plan)
{
	struct ext2_super_block *sb = plan->fs->super;

	if (plan->now) {
		sb->s_mkfs_time = sb->s_wtime = sb->s_lastcheck =
			(u32)plan->now;
	}
	if (plan->features.ro_compat & FEAT_RO_COMPAT_METADATA_CSUM)
		sb->s_checksum_type = EXT2_CRC32C_CHKSUM;
	sb->s_checkinterval = 0;
	sb->s_max_mnt_count = -1;
	sb->s_creator_os = rq->creator_os;
	if (rq->errors)
		sb->s_errors = rq->errors;
	sb->s_default_mount_opts |= MOUNT_OPTS_DEFAULT;
	sb->s_def_hash_version =
		rq->hash_version ? (u8)(rq->hash_version - 1) : HASH_HALF_MD4;
	/* The directory hash is computed with this machine's char. */
	sb->s_flags |= (char)255 < 0 ? FLAG_SIGNED_HASH : FLAG_UNSIGNED_HASH;
	if (plan->features.incompat & FEAT_INCOMPAT_ENCRYPT) {
		sb->s_encrypt_algos[0] = ENCRYPT_AES_256_XTS;
		sb->s_encrypt_algos[1] = ENCRYPT_AES_256_CTS;
	}
	if (plan->features.incompat & FEAT_INCOMPAT_MMP)
		sb->s_mmp_update_interval =
			(u16)(rq->mmp_interval ? rq->mmp_interval
					       : MMP_INTERVAL_DEFAULT);
}

static bool is_on(enum mkfs_flag flag, bool by_default)
{
	return flag == MKFS_DEFAULT ? by_default : flag == MKFS_ON;
}

static void set_work(const struct mkfs_request *rq, const struct facts *facts,
		     struct mkfs_plan *plan)
{
	bool csum = plan->features.ro_compat &
		    (FEAT_RO_COMPAT_METADATA_CSUM | FEAT_RO_COMPAT_GDT_CSUM);

	plan->lazy_itable =
		csum &&
		is_on(rq->lazy_itable,
		      facts_has_feature(&facts->kernel, "lazy_itable_init"));
	plan->lazy_journal = is_on(rq->lazy_journal, false);
	plan->discard = is_on(rq->discard, true);
}

/* All blocks that no file content can use. */
static void count_metadata(struct mkfs_plan *plan)
{
	const struct geom *g = &plan->subject.geom;
	u64 copies = geom_nr_backups(g) + 1;
	u64 itable = (u64)g->inodes_per_group * g->inode_bytes / g->block_bytes;
	u64 blks = g->nr_groups * (itable + 2) + copies;

	if (g->features.incompat & FEAT_INCOMPAT_META_BG)
		blks += (u64)g->nr_desc_blks * 3;
	else
		blks += copies * (g->nr_desc_blks + g->reserved_gdt_blks);
	blks += plan->journal_blks + plan->fast_blks + plan->orphan_blks;
	plan->metadata_bytes = blks * g->block_bytes;
}

/* The planned superblock as the judge reads it. */
static errcode_t set_subject(struct mkfs_plan *plan, const char *name,
			     struct str *why)
{
	struct lbs_subject *s = &plan->subject;
	struct ext2_super_block *raw = plan->fs->super;
	errcode_t rc;

	memset(s, 0, sizeof(*s));
	s->name = name;
	s->planned = true;
	rc = super_parse(span_of(raw, SUPER_BYTES), &s->sb);
	if (rc)
		return rc;
	lbs_subject_set_geom(s);
	if (s->geom_error) {
		str_addf(why, "cannot be laid out: %s",
			 error_message(s->geom_error));
		return s->geom_error;
	}
	if (plan->journal_blks) {
		s->journal_known = true;
		s->journal_is_valid = true;
		s->journal_block_bytes = plan->block_bytes;
		s->journal_blks = plan->journal_blks + plan->fast_blks;
		s->journal_fast_blks = (u32)plan->fast_blks;
	}
	s->orphan_known = true;
	s->orphan_bytes = plan->orphan_blks * plan->block_bytes;
	s->orphan_mapped_bytes = s->orphan_bytes;
	count_metadata(plan);
	return 0;
}

static void note_consequences(struct mkfs_plan *plan)
{
	u64 lost = mkfs_plan_lost_bytes(plan);

	if (!geom_nr_backups(&plan->subject.geom))
		str_add(&plan->notes,
			"There is no backup superblock: one block group only; "
			"a smaller -g makes more groups.\n");
	if (lost >= plan->block_bytes)
		str_addf(&plan->notes,
			 "%s at the end stay unused: a last group that small "
			 "could not hold its own metadata.\n",
			 units_format(lost).text);
}

/*
 * Blocks that writing takes besides the tables: root, lost+found, the double
 * indirect block of the resize inode, MMP, and the journal's own map.
 */
static u64 start_blks(const struct mkfs_plan *plan)
{
	u64 ratio = plan->cluster_bytes / plan->block_bytes;
	u64 lost_found = mkfs_lost_found_blks(plan->block_bytes);
	u64 map = 1;

	if (!(plan->features.incompat & FEAT_INCOMPAT_EXTENTS))
		map = 3 + plan->journal_blks / (plan->block_bytes / 4);
	return (3 + map + u64_div_up(lost_found, ratio)) * ratio;
}

static errcode_t check_room(const struct mkfs_plan *plan, struct str *why)
{
	u64 all = plan->nr_blocks * plan->block_bytes;
	u64 need = plan->metadata_bytes + start_blks(plan) * plan->block_bytes;

	if (need <= all)
		return 0;
	str_addf(why,
		 "an empty filesystem already takes %s and there are %s; use "
		 "fewer inodes (-N), a smaller journal, or smaller blocks",
		 units_format(need).text, units_format(all).text);
	return EINVAL;
}

static errcode_t decide(const struct mkfs_request *rq,
			const struct facts *facts, struct mkfs_plan *plan,
			struct ext2_super_block *param, struct str *why)
{
	errcode_t rc = decide_time(plan, why);

	if (!rc)
		rc = mkfs_features_decide(rq, &plan->features, &plan->notes,
					  why);
	/* libext2fs keeps high halves of counts only with 64bit set. */
	set_features(plan, param);
	if (!rc)
		rc = mkfs_plan_sizes(rq, facts, plan, param, why);
	if (!rc)
		rc = set_backups(rq, plan, param, why);
	if (!rc)
		rc = set_growth(rq, plan, param, why);
	if (rc)
		return rc;
	set_raid(rq, facts, plan, param);
	set_reserved(rq, plan, param);
	set_features(plan, param);
	return lay_out(plan, param, why);
}

errcode_t mkfs_plan_make(const struct mkfs_request *rq,
			 const struct facts *facts,
			 const struct mkfs_place *place, struct mkfs_plan *plan,
			 struct str *why)
{
	struct ext2_super_block param;
	errcode_t rc;

	memset(&param, 0, sizeof(param));
	*plan = (struct mkfs_plan){.place = *place};
	rc = decide(rq, facts, plan, &param, why);
	if (!rc)
		rc = mkfs_plan_journal(rq, plan, why);
	if (rc)
		return rc;
	set_identity(rq, plan);
	set_behaviour(rq, plan);
	set_work(rq, facts, plan);
	rc = set_subject(plan, rq->path, why);
	if (!rc)
		rc = check_room(plan, why);
	if (!rc)
		note_consequences(plan);
	return rc;
}

void mkfs_plan_free(struct mkfs_plan *plan)
{
	fsopen_drop(plan->fs);
	plan->fs = NULL;
	str_free(&plan->notes);
}

u64 mkfs_plan_lost_bytes(const struct mkfs_plan *plan)
{
	return (plan->asked_blks - plan->nr_blocks) * plan->block_bytes;
}
