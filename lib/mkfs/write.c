/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps that write a filesystem, in order; each is a row of a table with
 * the words for its failure. The layout they produce is the one libext2fs
 * tools have always produced, so that others recognise it.
 */
#include "mkfs/write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"
#include "io/fsopen.h"

enum {
	BOOT_SECTORS_BYTES = 1024, /* in front of the superblock */
	WIPE_BYTES = 131072,	   /* btrfs at 64K; md in the last 128K */
};

struct job {
	const struct mkfs_request *rq;
	struct mkfs_plan *plan;
	ext2_filsys fs;
	bool discarded; /* and reads back as zeroes */
};

/* A new file is created at its size; an old one is only ever extended. */
static errcode_t make_file(const struct job *j)
{
	u64 bytes = j->plan->asked_blks * j->plan->block_bytes;
	errcode_t rc = 0;
	struct stat st;
	int fd;

	if (j->plan->place.device)
		return 0;
	fd = open(j->rq->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return errno;
	if (fstat(fd, &st) ||
	    ((u64)st.st_size < bytes && ftruncate(fd, (off_t)bytes)))
		rc = errno;
	if (close(fd) && !rc)
		rc = errno;
	return rc;
}

static errcode_t attach(struct job *j)
{
	return fsopen_attach(j->fs, j->rq->path);
}

/*
 * Throws away what the device held. That is a favour to SSDs and sparse files,
 * so failing it is no failure.
 */
static errcode_t discard(struct job *j)
{
	u64 nr = ext2fs_blocks_count(j->fs->super);
	bool fresh = !j->plan->place.device && !j->plan->place.exists;

	if (fresh) {
		j->discarded = true;
		return 0;
	}
	if (!j->plan->discard || io_channel_discard(j->fs->io, 0, nr))
		return 0;
	j->discarded = io_channel_discard_zeroes_data(j->fs->io);
	return 0;
}

/*
 * No old superblock or signature may outlive its filesystem: the start is
 * cleared up to where the superblocks of other formats lie, also inside our own
 * block 0, of which only 1 KiB is written later; then the end. This comes
 * before all other writing, so that what an interruption leaves is nothing.
 */
static errcode_t wipe_ends(struct job *j)
{
	u64 blks = ext2fs_blocks_count(j->fs->super);
	u64 wipe = u64_min(u64_max(WIPE_BYTES / j->fs->blocksize, 1), blks);
	static const char zero[BOOT_SECTORS_BYTES];
	errcode_t rc = 0;

	if (!j->discarded)
		rc = ext2fs_zero_blocks2(j->fs, 0, (int)wipe, NULL, NULL);
	if (!rc && !j->discarded)
		rc = ext2fs_zero_blocks2(j->fs, blks - wipe, (int)wipe, NULL,
					 NULL);
	if (rc)
		return rc;
	rc = io_channel_set_blksize(j->fs->io, BOOT_SECTORS_BYTES);
	if (!rc)
		rc = io_channel_write_blk64(j->fs->io, 0, 1, zero);
	if (!rc)
		rc = io_channel_set_blksize(j->fs->io, (int)j->fs->blocksize);
	return rc;
}

static errcode_t allocate(struct job *j)
{
	ext2_filsys fs = j->fs;
	errcode_t rc = ext2fs_allocate_tables(fs);
	blk64_t used = 0;

	if (!rc)
		rc = ext2fs_convert_subcluster_bitmap(fs, &fs->block_map);
	if (!rc)
		rc = ext2fs_count_used_clusters(
			fs, fs->super->s_first_data_block,
			ext2fs_blocks_count(fs->super) - 1, &used);
	if (rc)
		return rc;
	/* What statfs must not count as space: tables, boot block, journal. */
	used += EXT2FS_NUM_B2C(fs, fs->super->s_first_data_block);
	used += EXT2FS_NUM_B2C(fs, j->plan->journal_blks + j->plan->fast_blks);
	fs->super->s_overhead_clusters = (u32)used;
	return 0;
}

/* Blocks of a group's inode table that must be zero now. */
static u64 itable_blks(const struct job *j, dgrp_t grp)
{
	ext2_filsys fs = j->fs;
	u32 inodes = fs->super->s_inodes_per_group;

	if (!j->plan->lazy_itable)
		return fs->inode_blocks_per_group;
	inodes -= ext2fs_bg_itable_unused(fs, grp);
	return u64_div_up((u64)inodes * fs->super->s_inode_size, fs->blocksize);
}

static errcode_t zero_inode_tables(struct job *j)
{
	ext2_filsys fs = j->fs;
	/*
	 * A hole in an image file reads as zeroes here, but copying the image
	 * to a device may skip it; only a device's own word is believed.
	 */
	bool zeroed = !j->plan->lazy_itable ||
		      (j->discarded && j->plan->place.device);
	errcode_t rc = 0;

	for (dgrp_t grp = 0; !rc && grp < fs->group_desc_count; grp++) {
		u64 blks = itable_blks(j, grp);

		if (zeroed) {
			ext2fs_bg_flags_set(fs, grp, EXT2_BG_INODE_ZEROED);
			ext2fs_group_desc_csum_set(fs, grp);
		}
		if (blks && !j->discarded)
			rc = ext2fs_zero_blocks2(
				fs, ext2fs_inode_table_loc(fs, grp), (int)blks,
				NULL, NULL);
	}
	ext2fs_zero_blocks2(NULL, 0, 0, NULL, NULL); /* frees its buffer */
	return rc;
}

/* With checksums even an unused reserved inode must carry a right one. */
static errcode_t write_reserved_inodes(struct job *j)
{
	ext2_filsys fs = j->fs;
	errcode_t rc = 0;
	void *inode;

	if (!ext2fs_has_feature_metadata_csum(fs->super))
		return 0;
	inode = calloc(1, fs->super->s_inode_size);
	if (!inode)
		return ENOMEM;
	for (ext2_ino_t ino = 1; !rc && ino < EXT2_FIRST_INO(fs->super); ino++)
		rc = ext2fs_write_inode_full(fs, ino, inode,
					     fs->super->s_inode_size);
	free(inode);
	return rc;
}

static errcode_t make_root(struct job *j)
{
	ext2_filsys fs = j->fs;
	struct ext2_inode inode;
	errcode_t rc = ext2fs_mkdir(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, NULL);

	if (rc || !j->rq->root_given)
		return rc;
	rc = ext2fs_read_inode(fs, EXT2_ROOT_INO, &inode);
	if (rc)
		return rc;
	inode.i_uid = (u16)j->rq->root_uid;
	inode.osd2.linux2.l_i_uid_high = (u16)(j->rq->root_uid >> 16);
	inode.i_gid = (u16)j->rq->root_gid;
	inode.osd2.linux2.l_i_gid_high = (u16)(j->rq->root_gid >> 16);
	return ext2fs_write_inode(fs, EXT2_ROOT_INO, &inode);
}

/* Big enough that e2fsck can use it when no block can be allocated. */
static errcode_t make_lost_found(struct job *j)
{
	ext2_filsys fs = j->fs;
	u32 want = mkfs_lost_found_blks(fs->blocksize);
	ext2_ino_t ino = 0;
	errcode_t rc;

	fs->umask = 077;
	rc = ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "lost+found");
	if (!rc)
		rc = ext2fs_lookup(fs, EXT2_ROOT_INO, "lost+found", 10, NULL,
				   &ino);
	for (u32 blks = 1; !rc && blks < want; blks++)
		rc = ext2fs_expand_dir(fs, ino);
	return rc;
}

static errcode_t reserve_inodes(struct job *j)
{
	ext2_filsys fs = j->fs;

	for (ext2_ino_t ino = EXT2_ROOT_INO + 1;
	     ino < EXT2_FIRST_INO(fs->super); ino++)
		ext2fs_inode_alloc_stats2(fs, ino, +1, 0);
	ext2fs_mark_inode_bitmap2(fs->inode_map, EXT2_BAD_INO);
	ext2fs_inode_alloc_stats2(fs, EXT2_BAD_INO, +1, 0);
	ext2fs_mark_ib_dirty(fs);
	return ext2fs_update_bb_inode(fs, NULL);
}

static errcode_t make_resize_inode(struct job *j)
{
	if (!ext2fs_has_feature_resize_inode(j->fs->super))
		return 0;
	return ext2fs_create_resize_inode(j->fs);
}

static errcode_t make_journal(struct job *j)
{
	struct ext2fs_journal_params params = {
		.num_journal_blocks = (blk_t)j->plan->journal_blks,
		.num_fc_blocks = (blk_t)j->plan->fast_blks,
	};
	int flags = EXT2_MKJOURNAL_NO_MNT_CHECK;

	if (!j->plan->journal_blks)
		return 0;
	/* What was discarded is zero already. */
	if (j->plan->lazy_journal || j->discarded)
		flags |= EXT2_MKJOURNAL_LAZYINIT;
	return ext2fs_add_journal_inode3(j->fs, &params, ~0ULL, flags);
}

/*
 * libext2fs notes the clock, the host and the device in the block. Where the
 * time is given, two runs are to give the same bytes.
 */
static errcode_t make_mmp_repeatable(struct job *j)
{
	struct mmp_struct *mmp = j->fs->mmp_buf;
	errcode_t rc;

	mmp->mmp_time = j->plan->now;
	memset(mmp->mmp_nodename, 0, sizeof(mmp->mmp_nodename));
	memset(mmp->mmp_bdevname, 0, sizeof(mmp->mmp_bdevname));
	rc = ext2fs_mmp_csum_set(j->fs, mmp);
	if (rc)
		return rc;
	/* Or closing would write it once more. */
	j->fs->flags |= EXT2_FLAG_SKIP_MMP;
	return io_channel_write_blk64(j->fs->io, j->fs->super->s_mmp_block,
				      -(int)sizeof(*mmp), mmp);
}

static errcode_t make_mmp(struct job *j)
{
	errcode_t rc;

	if (!ext2fs_has_feature_mmp(j->fs->super))
		return 0;
	rc = ext2fs_mmp_init(j->fs);
	return rc || !j->plan->now ? rc : make_mmp_repeatable(j);
}

/*
 * With bigalloc libext2fs counts the blocks it allocated for tables, where
 * clusters are meant; the counters are made to say what the bitmap says.
 */
static errcode_t recount_clusters(struct job *j)
{
	ext2_filsys fs = j->fs;
	u64 all_free = 0;
	errcode_t rc = 0;

	if (!ext2fs_has_feature_bigalloc(fs->super))
		return 0;
	for (dgrp_t grp = 0; !rc && grp < fs->group_desc_count; grp++) {
		blk64_t used = 0;
		u64 nr = geom_group_nr_clusters(&j->plan->subject.geom, grp);

		rc = ext2fs_count_used_clusters(
			fs, ext2fs_group_first_block2(fs, grp),
			ext2fs_group_last_block2(fs, grp), &used);
		ext2fs_bg_free_blocks_count_set(fs, grp, (u32)(nr - used));
		ext2fs_group_desc_csum_set(fs, grp);
		all_free += nr - used;
	}
	ext2fs_free_blocks_count_set(fs->super, EXT2FS_C2B(fs, all_free));
	return rc;
}

static LB_CALLBACK int count_map_block(ext2_filsys fs, blk64_t *blk,
				       e2_blkcnt_t at, blk64_t parent,
				       int offset, void *nr)
{
	(void)fs;
	(void)blk;
	(void)parent;
	(void)offset;
	*(u64 *)nr += at < 0;
	return 0;
}

/*
 * libext2fs counts the data of the orphan file only; in pieces, between the
 * tables of small groups, it has map blocks too, each in a cluster of its own.
 */
static errcode_t recount_orphan_file(struct job *j)
{
	ext2_ino_t ino = j->fs->super->s_orphan_file_inum;
	u64 ratio = j->plan->cluster_bytes / j->plan->block_bytes;
	u64 clusters = j->plan->orphan_blks / ratio;
	struct ext2_inode inode;
	errcode_t rc = ext2fs_block_iterate3(j->fs, ino, BLOCK_FLAG_READ_ONLY,
					     NULL, count_map_block, &clusters);

	if (!rc)
		rc = ext2fs_read_inode(j->fs, ino, &inode);
	if (!rc)
		rc = ext2fs_iblk_set(j->fs, &inode, clusters);
	return rc ? rc : ext2fs_write_inode(j->fs, ino, &inode);
}

static errcode_t make_orphan_file(struct job *j)
{
	errcode_t rc;

	if (!j->plan->orphan_blks)
		return 0;
	rc = ext2fs_create_orphan_file(j->fs, (blk_t)j->plan->orphan_blks);
	return rc ? rc : recount_orphan_file(j);
}

static errcode_t finish(struct job *j)
{
	errcode_t rc;

	ext2fs_mark_valid(j->fs);
	ext2fs_mark_super_dirty(j->fs);
	rc = fsopen_finish(j->fs);
	j->plan->fs = NULL;
	return rc;
}

struct step {
	errcode_t (*run)(struct job *j);
	const char *doing;
};

static const struct step steps[] = {
	{attach, "opening the device for writing"},
	{discard, "discarding the old content"},
	{wipe_ends, "wiping old signatures"},
	{allocate, "allocating bitmaps and inode tables"},
	{zero_inode_tables, "clearing inode tables"},
	{write_reserved_inodes, "writing the reserved inodes"},
	{make_root, "making the root directory"},
	{make_lost_found, "making lost+found"},
	{reserve_inodes, "reserving inodes"},
	{make_resize_inode, "reserving room for growth"},
	{make_journal, "making the journal"},
	{make_mmp, "making the multi-mount protection block"},
	{recount_clusters, "counting clusters"},
	{make_orphan_file, "making the orphan file"},
	{finish, "writing superblocks and bitmaps"},
};

errcode_t mkfs_write(const struct mkfs_request *rq, struct mkfs_plan *plan,
		     const struct note_sink *sink)
{
	struct job j = {.rq = rq, .plan = plan, .fs = plan->fs};
	errcode_t rc = make_file(&j);

	if (rc)
		return note_error(sink, rc, "%s: not made", rq->path);
	for (size_t i = 0; !rc && i < ARRAY_LEN(steps); i++) {
		rc = steps[i].run(&j);
		if (rc)
			note_error(sink, fsopen_error(rc),
				   "%s: not made, %s failed", rq->path,
				   steps[i].doing);
	}
	return rc;
}
