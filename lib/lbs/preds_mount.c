/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicates about the kernel, the device and the mount options: block size
 * against page size (compared nowhere else), DAX, sectors, option conflicts.
 */
#include "lbs/case.h"

#include "base/banned.h"

enum {
	PAGE_BYTES_MIN = 4096,
	VDUSE_RATIO = 4
};

bool pred_block_kernel_no(const struct lbs_case *c)
{
	return case_is_lbs(c) && c->f->kernel.large_blocks.value == TRI_NO;
}

bool pred_block_kernel_unknown(const struct lbs_case *c)
{
	return case_is_lbs(c) && c->f->kernel.large_blocks.value == TRI_UNKNOWN;
}

/* No Linux has pages below 4 KiB, so smaller blocks are always fine. */
bool pred_page_unknown(const struct lbs_case *c)
{
	return !c->ps && c->bs > PAGE_BYTES_MIN;
}

bool pred_fs_type_no_lbs(const struct lbs_case *c)
{
	return case_is_lbs(c) && c->rq->fs_type != LBS_EXT4;
}

bool pred_type_detected_no_lbs(const struct lbs_case *c)
{
	return case_is_lbs(c) && c->rq->fs_type == LBS_EXT4 &&
	       !c->rq->type_given &&
	       lbs_fs_type_detected(&c->s->sb) != LBS_EXT4;
}

bool pred_encrypt_lbs(const struct lbs_case *c)
{
	return case_is_lbs(c) &&
	       super_has_incompat(&c->s->sb, FEAT_INCOMPAT_ENCRYPT);
}

/* With an unknown page size the smallest page decides. */
bool pred_inline_page(const struct lbs_case *c)
{
	return super_has_incompat(&c->s->sb, FEAT_INCOMPAT_INLINE_DATA) &&
	       !c->s->geom_error &&
	       c->s->geom.inode_bytes > (c->ps ? c->ps : PAGE_BYTES_MIN);
}

static bool has_verity(const struct lbs_case *c)
{
	return super_has_ro_compat(&c->s->sb, FEAT_RO_COMPAT_VERITY);
}

bool pred_verity_not_page(const struct lbs_case *c)
{
	/* Only when the release is known: the rule is long gone. */
	return has_verity(c) && c->f->kernel.version && c->ps && c->bs != c->ps;
}

bool pred_verity_lbs(const struct lbs_case *c)
{
	return has_verity(c) && pred_lbs_mounts(c);
}

bool pred_lbs_mounts(const struct lbs_case *c)
{
	return case_is_lbs(c) && c->f->kernel.large_blocks.value == TRI_YES &&
	       c->rq->fs_type == LBS_EXT4 && !pred_encrypt_lbs(c);
}

bool pred_verity_small(const struct lbs_case *c)
{
	return has_verity(c) && c->bs && c->bs < PAGE_BYTES_MIN;
}

static bool dax_is_on(const struct lbs_case *c)
{
	return c->m.dax == LBS_DAX_ALWAYS;
}

bool pred_dax_block(const struct lbs_case *c)
{
	return dax_is_on(c) && c->ps && c->bs && c->bs != c->ps;
}

bool pred_dax_device(const struct lbs_case *c)
{
	return dax_is_on(c) && c->f->device.dax.value == TRI_NO;
}

bool pred_dax_device_unknown(const struct lbs_case *c)
{
	return dax_is_on(c) && c->f->device.dax.value == TRI_UNKNOWN;
}

bool pred_dax_inline(const struct lbs_case *c)
{
	return dax_is_on(c) &&
	       super_has_incompat(&c->s->sb, FEAT_INCOMPAT_INLINE_DATA);
}

bool pred_dax_message(const struct lbs_case *c)
{
	return !dax_is_on(c) && c->f->device.dax.value == TRI_YES && c->ps &&
	       c->bs && c->bs != c->ps;
}

bool pred_sector_too_large(const struct lbs_case *c)
{
	return c->bs && c->f->device.logical_bytes > c->bs;
}

bool pred_vduse_bounce(const struct lbs_case *c)
{
	const struct device_facts *d = &c->f->device;

	return d->vduse && d->vduse_bounce_bytes && d->max_io_bytes &&
	       d->vduse_bounce_bytes / VDUSE_RATIO < d->max_io_bytes;
}

bool pred_atomic_writes(const struct lbs_case *c)
{
	const struct device_facts *d = &c->f->device;

	return c->bs && d->atomic_max_bytes >= c->bs &&
	       d->atomic_min_bytes <= c->bs;
}

static bool has_journal(const struct lbs_case *c)
{
	return c->s->journal != LBS_JOURNAL_NONE;
}

bool pred_opt_unknown(const struct lbs_case *c)
{
	return c->m.unknown[0];
}

bool pred_opt_removed(const struct lbs_case *c)
{
	return c->m.removed[0];
}

bool pred_opt_value(const struct lbs_case *c)
{
	return c->m.bad_value[0];
}

bool pred_opt_ignored(const struct lbs_case *c)
{
	return c->m.ignored[0];
}

bool pred_opt_type(const struct lbs_case *c)
{
	return c->m.wrong_type[0];
}

bool pred_opt_needs_journal(const struct lbs_case *c)
{
	return !has_journal(c) &&
	       (c->m.data_given || c->m.commit_given || c->m.data_err_given ||
		c->m.async_commit_given || c->m.journal_checksum_given);
}

/* Journaled data is in force only where there is a journal. */
static bool data_is_journaled(const struct lbs_case *c)
{
	return has_journal(c) && c->m.data == LBS_DATA_JOURNAL;
}

bool pred_data_journal_delalloc(const struct lbs_case *c)
{
	return data_is_journaled(c) && c->m.delalloc_given;
}

bool pred_data_journal_dax(const struct lbs_case *c)
{
	return data_is_journaled(c) && dax_is_on(c);
}

bool pred_data_journal(const struct lbs_case *c)
{
	return data_is_journaled(c);
}

bool pred_async_commit_ordered(const struct lbs_case *c)
{
	return has_journal(c) && c->m.async_commit &&
	       c->m.data == LBS_DATA_ORDERED;
}

bool pred_prjquota(const struct lbs_case *c)
{
	return c->m.prjquota &&
	       !super_has_ro_compat(&c->s->sb, FEAT_RO_COMPAT_PROJECT);
}

/* With the quota feature the old options are ignored. */
bool pred_jqfmt(const struct lbs_case *c)
{
	return c->m.journaled_quota && !c->m.jqfmt_given &&
	       !super_has_ro_compat(&c->s->sb, FEAT_RO_COMPAT_QUOTA);
}

bool pred_dummy_encryption(const struct lbs_case *c)
{
	return c->m.dummy_encryption &&
	       !super_has_incompat(&c->s->sb, FEAT_INCOMPAT_ENCRYPT);
}

bool pred_super_options_bad(const struct lbs_case *c)
{
	return c->m.super_string_bad;
}

bool pred_sb_option(const struct lbs_case *c)
{
	return c->m.sb_kib && c->s->alt_super_known && !c->s->alt_super_found;
}

bool pred_stripe(const struct lbs_case *c)
{
	return c->m.stripe && !c->s->geom_error &&
	       c->m.stripe % c->s->geom.cluster_blks;
}

bool pred_noload_recovery(const struct lbs_case *c)
{
	return has_journal(c) && c->m.noload && !c->m.read_only &&
	       super_has_incompat(&c->s->sb, FEAT_INCOMPAT_NEEDS_RECOVERY);
}
