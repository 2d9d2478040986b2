/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides the journal and the orphan file. From 8K blocks up both count bytes
 * as they would at 4K, since counting blocks makes them sixteen times larger.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/banned.h"
#include "base/units.h"
#include "mkfs/plan.h"

enum {
	FAST_COMMIT_SHARE = 64,
	JOURNAL_SHARE_PERCENT = 25,
	EXTENT_BLKS_MAX = 32768,
};

static u64 blks_of(const struct mkfs_plan *plan, u64 bytes)
{
	return u64_div_up(bytes, plan->block_bytes);
}

static errcode_t asked_journal(const struct mkfs_request *rq,
			       struct mkfs_plan *plan, struct str *why)
{
	u64 min = plan->limits.journal_bytes_min;
	u64 max = (u64)LBS_JOURNAL_BLKS_MAX * plan->block_bytes;

	plan->journal_blks = rq->journal_bytes / plan->block_bytes;
	if (plan->journal_blks >= LBS_JOURNAL_BLKS_MIN &&
	    plan->journal_blks <= LBS_JOURNAL_BLKS_MAX &&
	    plan->journal_blks < plan->nr_blocks)
		return 0;
	if (plan->journal_blks >= plan->nr_blocks)
		str_addf(
			why,
			"-J size: the journal (%s) does not fit the filesystem "
			"(%s)",
			units_format(rq->journal_bytes).text,
			units_format(plan->nr_blocks * plan->block_bytes).text);
	else
		str_addf(why,
			 "-J size: with blocks of %s a journal has %" PRIu64
			 " to %" PRIu64 " MiB (%d to %d blocks)",
			 units_format(plan->block_bytes).text,
			 u64_div_up(min, 1 << 20), max >> 20,
			 LBS_JOURNAL_BLKS_MIN, LBS_JOURNAL_BLKS_MAX);
	return EINVAL;
}

/* Too small for a journal: ext4 was wanted, so say what is left. */
static void leave_journal_out(struct mkfs_plan *plan)
{
	struct ext2_super_block *sb = plan->fs->super;

	str_addf(&plan->notes,
		 "There is no journal: it needs at least 2048 blocks (%s), and "
		 "this filesystem has %" PRIu64 ".\n",
		 units_format(2048ULL * plan->block_bytes).text,
		 plan->nr_blocks);
	plan->features.compat &=
		~(u32)(FEAT_COMPAT_HAS_JOURNAL | FEAT_COMPAT_ORPHAN_FILE |
		       FEAT_COMPAT_FAST_COMMIT);
	sb->s_feature_compat = plan->features.compat;
}

static void note_journal(const struct mkfs_request *rq, struct mkfs_plan *plan)
{
	u64 bytes = (plan->journal_blks + plan->fast_blks) * plan->block_bytes;
	u64 stock = (u64)ext2fs_default_journal_size(plan->nr_blocks);

	if (!rq->journal_bytes && stock != plan->journal_blks)
		str_addf(&plan->notes,
			 "A journal of %s, as at 4K blocks, instead of %s; -J "
			 "size=%" PRIu64 " undoes it.\n",
			 units_format(bytes).text,
			 units_format(stock * plan->block_bytes).text,
			 stock * plan->block_bytes >> 20);
	if (plan->journal_blks * 100 > plan->nr_blocks * JOURNAL_SHARE_PERCENT)
		str_addf(&plan->notes,
			 "The journal takes %" PRIu64
			 " %% of the filesystem: the least a kernel takes is "
			 "1024 blocks, %s here; -O ^has_journal leaves it out, "
			 "smaller blocks make it smaller.\n",
			 plan->journal_blks * 100 / plan->nr_blocks,
			 units_format(plan->limits.journal_bytes_min).text);
}

static errcode_t decide_fast(const struct mkfs_request *rq,
			     struct mkfs_plan *plan, struct str *why)
{
	bool feature = plan->features.compat & FEAT_COMPAT_FAST_COMMIT;

	if (!feature && !rq->fast_commit.given)
		return 0;
	if (!feature) {
		str_add(why, "-J fast_commit_size needs the fast_commit "
			     "feature (-O fast_commit)");
		return EINVAL;
	}
	plan->fast_blks = plan->journal_blks / FAST_COMMIT_SHARE;
	if (rq->fast_commit.given)
		plan->fast_blks = blks_of(plan, rq->fast_commit.num);
	if (plan->fast_blks + plan->journal_blks <= LBS_JOURNAL_BLKS_MAX)
		return 0;
	str_add(why, "-J fast_commit_size: journal and fast-commit area are "
		     "too large together");
	return EINVAL;
}

static errcode_t decide_journal(const struct mkfs_request *rq,
				struct mkfs_plan *plan, struct str *why)
{
	errcode_t rc = 0;

	if (!(plan->features.compat & FEAT_COMPAT_HAS_JOURNAL)) {
		if (!rq->journal_bytes)
			return 0;
		str_add(why, "-J size needs a journal (-O has_journal)");
		return EINVAL;
	}
	if (rq->journal_bytes)
		rc = asked_journal(rq, plan, why);
	else
		plan->journal_blks = lbs_journal_default_blks(plan->block_bytes,
							      plan->nr_blocks);
	if (rc)
		return rc;
	if (!plan->journal_blks) {
		leave_journal_out(plan);
		return 0;
	}
	if (plan->cluster_bytes / plan->block_bytes > EXTENT_BLKS_MAX) {
		str_addf(why,
			 "-C %u: a journal needs clusters of at most %d "
			 "blocks; use smaller clusters or -O ^has_journal",
			 plan->cluster_bytes, EXTENT_BLKS_MAX);
		return EINVAL;
	}
	rc = decide_fast(rq, plan, why);
	if (!rc)
		note_journal(rq, plan);
	return rc;
}

static errcode_t asked_orphan(const struct mkfs_request *rq,
			      struct mkfs_plan *plan, struct str *why)
{
	u64 max = plan->limits.orphan_bytes_max / plan->block_bytes;

	plan->orphan_blks = rq->orphan_size.bytes
				    ? blks_of(plan, rq->orphan_size.num)
				    : rq->orphan_size.num;
	if (plan->orphan_blks <= max)
		return 0;
	str_addf(why,
		 "-E orphan_file_size: with blocks of %s at most %" PRIu64
		 " blocks (%s); some kernels refuse more",
		 units_format(plan->block_bytes).text, max,
		 units_format(plan->limits.orphan_bytes_max).text);
	return EINVAL;
}

/*
 * libext2fs makes the orphan file in whole clusters, and a kernel takes 512
 * blocks at most.
 */
static errcode_t fit_orphan_to_clusters(const struct mkfs_request *rq,
					struct mkfs_plan *plan, struct str *why)
{
	u64 ratio = plan->cluster_bytes / plan->block_bytes;
	u64 max = plan->limits.orphan_bytes_max / plan->block_bytes;
	u64 blks = u64_div_up(plan->orphan_blks, ratio) * ratio;

	if (blks <= max) {
		plan->orphan_blks = blks;
		return 0;
	}
	if (ratio <= max) {
		plan->orphan_blks = max / ratio * ratio;
		return 0;
	}
	if (rq->features.set.compat & FEAT_COMPAT_ORPHAN_FILE ||
	    rq->orphan_size.given) {
		str_addf(why,
			 "-O orphan_file: one cluster (%s) is more than the "
			 "largest orphan file (%s)",
			 units_format(plan->cluster_bytes).text,
			 units_format(plan->limits.orphan_bytes_max).text);
		return EINVAL;
	}
	str_addf(&plan->notes,
		 "The orphan_file feature is left out: one cluster is more "
		 "than the largest orphan file (%s).\n",
		 units_format(plan->limits.orphan_bytes_max).text);
	plan->orphan_blks = 0;
	plan->features.compat &= ~(u32)FEAT_COMPAT_ORPHAN_FILE;
	plan->fs->super->s_feature_compat = plan->features.compat;
	return 0;
}

static errcode_t decide_orphan(const struct mkfs_request *rq,
			       struct mkfs_plan *plan, struct str *why)
{
	u64 stock, ratio = plan->cluster_bytes / plan->block_bytes;
	errcode_t rc;

	if (!(plan->features.compat & FEAT_COMPAT_ORPHAN_FILE)) {
		if (!rq->orphan_size.given)
			return 0;
		str_add(why,
			"-E orphan_file_size needs the orphan_file feature");
		return EINVAL;
	}
	if (rq->orphan_size.given) {
		rc = asked_orphan(rq, plan, why);
		return rc ? rc : fit_orphan_to_clusters(rq, plan, why);
	}
	plan->orphan_blks =
		lbs_orphan_default_blks(plan->block_bytes, plan->nr_blocks);
	stock = (u64)ext2fs_default_orphan_file_blocks(plan->fs);
	if (stock != plan->orphan_blks && ratio == 1)
		str_addf(&plan->notes,
			 "An orphan file of %s, as at 4K blocks, instead of "
			 "%s; -E orphan_file_size= undoes it, up to %s.\n",
			 units_format(plan->orphan_blks * plan->block_bytes)
				 .text,
			 units_format(stock * plan->block_bytes).text,
			 units_format(plan->limits.orphan_bytes_max).text);
	return fit_orphan_to_clusters(rq, plan, why);
}

errcode_t mkfs_plan_journal(const struct mkfs_request *rq,
			    struct mkfs_plan *plan, struct str *why)
{
	errcode_t rc = decide_journal(rq, plan, why);

	return rc ? rc : decide_orphan(rq, plan, why);
}
