/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides block, cluster, group, descriptor and inode sizes and counts. What
 * the user asked for is taken as it is or refused with a sentence, never
 * rounded.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/banned.h"
#include "base/units.h"
#include "mkfs/plan.h"

#define MIB(n) ((u64)(n) << 20)
#define TIB(n) ((u64)(n) << 40)

enum {
	BLOCK_BYTES_DEFAULT = 4096,
	BLOCK_BYTES_SMALL = 1024,
	INODE_BYTES_DEFAULT = 256,
	INODE_BYTES_MIN = 128,
	BIGALLOC_CLUSTER_BLKS = 16,
	FLEX_GROUPS_DEFAULT = 16,
	GROUP_BLKS_MIN = 256,
	/* Ten reserved inodes, lost+found, the orphan file; in eights. */
	INODES_MIN = 16,
	/* 2 GiB of descriptors in memory. */
	GROUPS_MAX = 1 << 25,
	/* Without a size a file or device is used in steps of this. */
	CONTAINER_STEP_BYTES = 4096,
	LOST_FOUND_BYTES = 16384,
	LOST_FOUND_BLKS_MIN = 2,
	LOST_FOUND_BLKS_MAX = 12, /* without indirect blocks */
};

/* Defaults by size of the filesystem, as upstream's configuration has them. */
static const struct {
	u64 bytes_below;
	u32 block_bytes;
	u64 inode_ratio;
} size_classes[] = {
	{MIB(3), BLOCK_BYTES_SMALL, 8192},
	{MIB(512), BLOCK_BYTES_SMALL, 4096},
	{TIB(4), BLOCK_BYTES_DEFAULT, 16384},
	{TIB(16), BLOCK_BYTES_DEFAULT, 32768},
	{UINT64_MAX, BLOCK_BYTES_DEFAULT, 65536},
};

u32 mkfs_lost_found_blks(u32 block_bytes)
{
	u64 blks = u64_div_up(LOST_FOUND_BYTES, block_bytes);

	return (u32)u64_min(u64_max(blks, LOST_FOUND_BLKS_MIN),
			    LOST_FOUND_BLKS_MAX);
}

static size_t size_class_of(u64 bytes)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(size_classes) &&
	       bytes >= size_classes[i].bytes_below)
		i++;
	return i;
}

/* Bytes asked for; a bare number counts blocks, or KiB without -b. */
static errcode_t asked_bytes(const struct mkfs_request *rq,
			     const struct mkfs_plan *plan, u64 *bytes,
			     struct str *why)
{
	u64 unit = rq->size.bytes    ? 1
		   : rq->block_bytes ? rq->block_bytes
				     : 1024;
	u64 have = plan->place.container_bytes;

	*bytes = have;
	if (rq->size.given &&
	    __builtin_mul_overflow(rq->size.num, unit, bytes)) {
		str_add(why, "the filesystem size is too large");
		return EINVAL;
	}
	if (!*bytes) {
		str_addf(why, "%s; give a size, such as 20G",
			 plan->place.exists ? "it is empty"
					    : "it does not exist");
		return EINVAL;
	}
	if (*bytes > INT64_MAX) {
		str_add(why, "the filesystem size is larger than a file can be "
			     "(8 EiB)");
		return EINVAL;
	}
	if (!rq->size.given && !rq->block_bytes && have > CONTAINER_STEP_BYTES)
		*bytes -= have % CONTAINER_STEP_BYTES;
	if (!plan->place.device || *bytes <= have)
		return 0;
	str_addf(why, "the filesystem size (%s) is larger than the device (%s)",
		 units_format(*bytes).text, units_format(have).text);
	return EINVAL;
}

static errcode_t decide_block(const struct mkfs_request *rq,
			      const struct facts *facts, u64 bytes,
			      struct mkfs_plan *plan, struct str *why)
{
	u64 sector = facts->device.logical_bytes;

	plan->block_bytes = (u32)rq->block_bytes;
	if (!plan->block_bytes) {
		plan->block_bytes =
			size_classes[size_class_of(bytes)].block_bytes;
		/* A block cannot be smaller than a sector. */
		if (sector > plan->block_bytes &&
		    lbs_block_bytes_is_valid(sector)) {
			plan->block_bytes = (u32)sector;
			str_addf(&plan->notes,
				 "Blocks are %s because the device's sectors "
				 "are.\n",
				 units_format(sector).text);
		}
	}
	plan->asked_blks = bytes / plan->block_bytes;
	if (plan->asked_blks)
		return 0;
	str_addf(why, "%s is smaller than one block of %s",
		 units_format(bytes).text,
		 units_format(plan->block_bytes).text);
	return EINVAL;
}

static errcode_t decide_cluster(const struct mkfs_request *rq,
				struct mkfs_plan *plan, struct str *why)
{
	bool bigalloc = plan->features.ro_compat & FEAT_RO_COMPAT_BIGALLOC;
	u64 bytes = rq->cluster_bytes;

	if (bytes && !bigalloc) {
		str_add(why, "-C needs the bigalloc feature (-O bigalloc)");
		return EINVAL;
	}
	if (!bytes)
		bytes = (u64)plan->block_bytes *
			(bigalloc ? BIGALLOC_CLUSTER_BLKS : 1);
	plan->cluster_bytes = (u32)bytes;
	if (u64_is_pow2(bytes) && bytes >= plan->block_bytes &&
	    bytes <= plan->limits.cluster_bytes_max)
		return 0;
	str_addf(why,
		 "-C %" PRIu64
		 ": clusters must be a power of two from the block size (%u) "
		 "to 268435456 bytes; kernels refuse larger ones",
		 bytes, plan->block_bytes);
	return EINVAL;
}

static errcode_t decide_group(const struct mkfs_request *rq,
			      struct mkfs_plan *plan,
			      struct ext2_super_block *param, struct str *why)
{
	const struct lbs_limits *lim = &plan->limits;
	u64 clusters = rq->group_clusters ? rq->group_clusters
					  : lim->clusters_per_group;

	if (clusters < GROUP_BLKS_MIN ||
	    clusters > lim->clusters_per_group_max || clusters % 8) {
		str_addf(why,
			 "-g %" PRIu64 ": a group of %u-byte blocks has %d to "
			 "%u clusters, a multiple of 8",
			 clusters, plan->block_bytes, GROUP_BLKS_MIN,
			 lim->clusters_per_group_max);
		return EINVAL;
	}
	/* libext2fs wants blocks here, also with bigalloc. */
	clusters *= plan->cluster_bytes / plan->block_bytes;
	if (clusters > UINT32_MAX) {
		str_addf(why,
			 "-C %u: clusters that large need smaller groups (-g)",
			 plan->cluster_bytes);
		return EINVAL;
	}
	param->s_blocks_per_group = (u32)clusters;
	if (!rq->group_clusters &&
	    lim->clusters_per_group != lim->clusters_per_group_max)
		str_addf(&plan->notes,
			 "Groups of %u clusters (%s) instead of %u: bitmap "
			 "checksums cover less, backups exist from two groups "
			 "on, and power-of-two sizes lose nothing; -g %u "
			 "undoes it.\n",
			 lim->clusters_per_group,
			 units_format((u64)lim->clusters_per_group *
				      plan->cluster_bytes)
				 .text,
			 lim->clusters_per_group_max,
			 lim->clusters_per_group_max);
	return 0;
}

static errcode_t decide_desc(const struct mkfs_request *rq,
			     struct mkfs_plan *plan,
			     struct ext2_super_block *param, struct str *why)
{
	u64 bytes = rq->desc_bytes;

	if (!bytes)
		return 0;
	if (plan->features.incompat & FEAT_INCOMPAT_64BIT &&
	    u64_is_pow2(bytes) && bytes >= 64 && bytes <= 1024) {
		param->s_desc_size = (u16)bytes;
		return 0;
	}
	str_add(why, "-E desc_size: needs the 64bit feature and a power of two "
		     "from 64 to 1024");
	return EINVAL;
}

/*
 * A flex group keeps the metadata of its groups together. With smaller groups
 * it takes more of them, so that it spans as many bytes as before.
 */
static errcode_t decide_flex(const struct mkfs_request *rq,
			     struct mkfs_plan *plan,
			     struct ext2_super_block *param, struct str *why)
{
	const struct lbs_limits *lim = &plan->limits;
	u64 nr = rq->flex_groups;

	if (!(plan->features.incompat & FEAT_INCOMPAT_FLEX_BG)) {
		if (!nr)
			return 0;
		str_add(why, "-G needs the flex_bg feature");
		return EINVAL;
	}
	if (!nr) {
		nr = FLEX_GROUPS_DEFAULT;
		if (!rq->group_clusters)
			nr *= u64_div_up(lim->clusters_per_group_max,
					 lim->clusters_per_group);
		if (nr != FLEX_GROUPS_DEFAULT)
			str_addf(&plan->notes,
				 "Flex groups of %" PRIu64
				 " groups, which span as many bytes, instead "
				 "of %d; -G %d undoes it.\n",
				 nr, FLEX_GROUPS_DEFAULT, FLEX_GROUPS_DEFAULT);
	}
	if (!u64_is_pow2(nr) || nr > 1u << 31) {
		str_addf(why, "-G %" PRIu64 ": must be a power of two", nr);
		return EINVAL;
	}
	param->s_log_groups_per_flex = (u8)u64_log2(nr);
	return 0;
}

static errcode_t check_64bit(struct mkfs_plan *plan, struct str *why)
{
	u64 max = UINT32_MAX;

	if (plan->features.incompat & FEAT_INCOMPAT_64BIT ||
	    plan->asked_blks <= max)
		return 0;
	str_addf(why,
		 "%" PRIu64 " blocks of %u bytes are too many without the "
		 "64bit feature; use -O 64bit or larger blocks",
		 plan->asked_blks, plan->block_bytes);
	return EINVAL;
}

/* The resize inode counts blocks in 32 bits. */
static errcode_t check_resize(const struct mkfs_request *rq,
			      struct mkfs_plan *plan, struct str *why)
{
	if (plan->asked_blks <= UINT32_MAX ||
	    !(plan->features.compat & FEAT_COMPAT_RESIZE_INODE))
		return 0;
	if (rq->features.set.compat & FEAT_COMPAT_RESIZE_INODE) {
		str_add(why,
			"-O resize_inode: cannot be with 2^32 blocks or more");
		return EINVAL;
	}
	plan->features.compat &= ~(u32)FEAT_COMPAT_RESIZE_INODE;
	str_add(&plan->notes, "The resize_inode feature is left out: it cannot "
			      "be with 2^32 blocks or more.\n");
	return 0;
}

static errcode_t check_nr_groups(const struct mkfs_plan *plan,
				 const struct ext2_super_block *param,
				 struct str *why)
{
	u64 nr = u64_div_up(plan->asked_blks, param->s_blocks_per_group);

	if (nr <= GROUPS_MAX)
		return 0;
	str_addf(why,
		 "%" PRIu64
		 " block groups are more than this program makes (%d); use "
		 "larger blocks or, with bigalloc, larger clusters",
		 nr, GROUPS_MAX);
	return EINVAL;
}

errcode_t mkfs_plan_sizes(const struct mkfs_request *rq,
			  const struct facts *facts, struct mkfs_plan *plan,
			  struct ext2_super_block *param, struct str *why)
{
	u64 bytes;
	errcode_t rc = asked_bytes(rq, plan, &bytes, why);

	if (!rc)
		rc = decide_block(rq, facts, bytes, plan, why);
	if (rc)
		return rc;
	lbs_limits_get(plan->block_bytes, &plan->limits);
	rc = decide_cluster(rq, plan, why);
	if (!rc)
		rc = decide_group(rq, plan, param, why);
	if (!rc)
		rc = decide_desc(rq, plan, param, why);
	if (!rc)
		rc = check_64bit(plan, why);
	if (!rc)
		rc = check_nr_groups(plan, param, why);
	if (!rc)
		rc = check_resize(rq, plan, why);
	if (!rc)
		rc = mkfs_plan_inodes(rq, plan, param, why);
	if (!rc)
		rc = decide_flex(rq, plan, param, why);
	if (rc)
		return rc;
	param->s_log_block_size = u64_log2(plan->block_bytes) - 10;
	param->s_log_cluster_size = u64_log2(plan->cluster_bytes) - 10;
	ext2fs_blocks_count_set(param, plan->asked_blks);
	return 0;
}

static errcode_t decide_inode_bytes(const struct mkfs_request *rq,
				    struct mkfs_plan *plan,
				    struct ext2_super_block *param,
				    struct str *why)
{
	u64 bytes = rq->inode_bytes ? rq->inode_bytes : INODE_BYTES_DEFAULT;

	param->s_inode_size = (u16)bytes;
	if (u64_is_pow2(bytes) && bytes >= INODE_BYTES_MIN &&
	    bytes <= plan->limits.inode_bytes_max)
		return 0;
	str_addf(why,
		 "-I %" PRIu64 ": inodes must be a power of two from 128 to %u "
		 "bytes with blocks of %u",
		 bytes, plan->limits.inode_bytes_max, plan->block_bytes);
	return EINVAL;
}

static u64 default_nr_inodes(const struct mkfs_request *rq,
			     const struct mkfs_plan *plan)
{
	u64 ratio = rq->inode_ratio, bytes;

	if (__builtin_mul_overflow(plan->asked_blks, (u64)plan->block_bytes,
				   &bytes))
		bytes = UINT64_MAX;
	/* By default no more inodes than clusters: they could not be used. */
	if (!ratio)
		ratio = u64_max(size_classes[size_class_of(bytes)].inode_ratio,
				plan->cluster_bytes);
	return u64_min(bytes / ratio, UINT32_MAX);
}

/* Most inodes that all groups together can hold. */
static u64 inodes_max(const struct mkfs_plan *plan,
		      const struct ext2_super_block *param)
{
	u64 groups = u64_div_up(plan->asked_blks, param->s_blocks_per_group);
	u64 per_group = lbs_inodes_per_group_max(plan->block_bytes,
						 param->s_inode_size);

	return u64_min(groups * per_group, UINT32_MAX);
}

errcode_t mkfs_plan_inodes(const struct mkfs_request *rq,
			   struct mkfs_plan *plan,
			   struct ext2_super_block *param, struct str *why)
{
	errcode_t rc = decide_inode_bytes(rq, plan, param, why);
	u64 nr = rq->nr_inodes, max;

	if (rc)
		return rc;
	if (rq->nr_inodes && rq->inode_ratio) {
		str_add(why, "-N and -i exclude each other");
		return EINVAL;
	}
	max = inodes_max(plan, param);
	if (!nr)
		nr = u64_min(default_nr_inodes(rq, plan), max);
	if (nr > max) {
		str_addf(why, "-N %" PRIu64 ": at most %" PRIu64 " inodes fit",
			 nr, max);
		return EINVAL;
	}
	if (nr * param->s_inode_size >= plan->asked_blks * plan->block_bytes) {
		str_addf(why,
			 "%" PRIu64 " inodes of %u bytes take the whole "
			 "filesystem; ask for fewer (-N, -i)",
			 nr, param->s_inode_size);
		return EINVAL;
	}
	param->s_inodes_count = (u32)u64_max(nr, INODES_MIN);
	return 0;
}
