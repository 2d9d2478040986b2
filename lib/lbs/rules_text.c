/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills the {words} of a rule's texts with the numbers of the case. A word
 * that no row knows is left as it stands, which the tests look for.
 */
#include <inttypes.h>

#include "base/banned.h"
#include "base/units.h"
#include "lbs/case.h"
#include "lbs/limits.h"
#include "ondisk/mmp.h"

typedef void (*word_fn)(const struct lbs_case *c, struct str *out);

static void add_size(struct str *out, u64 bytes)
{
	str_add(out, units_format(bytes).text);
}

static void add_num(struct str *out, u64 num)
{
	str_addf(out, "%" PRIu64, num);
}

/* A word that is one number of the case. */
#define NUM_WORD(word, expr)                                                   \
	static void word_##word(const struct lbs_case *c, struct str *out)     \
	{                                                                      \
		add_num(out, expr);                                            \
	}
/* A word that is one size in bytes. */
#define SIZE_WORD(word, expr)                                                  \
	static void word_##word(const struct lbs_case *c, struct str *out)     \
	{                                                                      \
		add_size(out, expr);                                           \
	}
/* A word that is one text. */
#define TEXT_WORD(word, expr)                                                  \
	static void word_##word(const struct lbs_case *c, struct str *out)     \
	{                                                                      \
		str_add(out, expr);                                            \
	}

SIZE_WORD(bs, c->bs)
SIZE_WORD(sector, c->f->device.logical_bytes)
SIZE_WORD(cluster, c->s->geom.cluster_bytes)
SIZE_WORD(inode_bytes, c->s->geom.inode_bytes)
SIZE_WORD(bounce, c->f->device.vduse_bounce_bytes)
SIZE_WORD(max_io, c->f->device.max_io_bytes)
SIZE_WORD(atomic_min, c->f->device.atomic_min_bytes)
SIZE_WORD(atomic_max, c->f->device.atomic_max_bytes)
SIZE_WORD(fs_bytes, geom_bytes(&c->s->geom))
SIZE_WORD(container, c->s->container_bytes)
SIZE_WORD(jmin, LBS_JOURNAL_BLKS_MIN * c->bs)
SIZE_WORD(orphan, c->s->orphan_bytes)
SIZE_WORD(orphan_512, LBS_ORPHAN_BLKS_MAX * c->bs)
/* Seconds between updates. */
static u16 mmp_interval(const struct lbs_case *c)
{
	return (u16)u64_max(c->s->sb.mmp_update_interval, MMP_INTERVAL_MIN);
}

NUM_WORD(csum_type, c->s->sb.checksum_type)
NUM_WORD(log_block, c->s->sb.log_block_size)
NUM_WORD(log_cluster, c->s->sb.log_cluster_size)
NUM_WORD(bits, c->bs * 8)
NUM_WORD(bpg, c->s->sb.blocks_per_group)
NUM_WORD(cpg, c->s->sb.clusters_per_group)
NUM_WORD(isize, c->s->sb.inode_size)
NUM_WORD(first_ino, c->s->sb.first_ino)
NUM_WORD(min_extra, c->s->sb.min_extra_isize)
NUM_WORD(want_extra, c->s->sb.want_extra_isize)
NUM_WORD(ipg, c->s->sb.inodes_per_group)
NUM_WORD(inodes, c->s->sb.inodes_count)
NUM_WORD(groups, c->s->geom.nr_groups)
NUM_WORD(dsize, c->s->sb.desc_size)
NUM_WORD(fdb, c->s->sb.first_data_block)
NUM_WORD(fdb_right, case_first_data_block(c))
NUM_WORD(rgdt, c->s->sb.reserved_gdt_blocks)
NUM_WORD(rgdt_max, c->bs / 4)
NUM_WORD(first_meta, c->s->sb.first_meta_bg)
NUM_WORD(enc_level, c->s->sb.encryption_level)
NUM_WORD(mmp_block, c->s->sb.mmp_block)
NUM_WORD(encoding, c->s->sb.encoding)
NUM_WORD(nr_bad_descs, c->s->nr_bad_descs)
NUM_WORD(pad_group, c->s->first_bad_padding)
NUM_WORD(pad_more, c->s->nr_bad_padding - 1)
NUM_WORD(bad_inode, c->s->bad_inode)
NUM_WORD(bad_quota_inode, c->s->bad_quota_inode)
NUM_WORD(bitmap_group, c->s->first_bad_bitmap)
NUM_WORD(bitmap_nr, c->s->nr_bad_bitmaps)
NUM_WORD(jbs, c->s->journal_block_bytes)
NUM_WORD(jblks, c->s->journal_blks)
NUM_WORD(jfast, case_fast_blks(c))
NUM_WORD(sb, c->m.sb_kib)
NUM_WORD(bs_kib, c->bs / 1024)
NUM_WORD(stripe, c->m.stripe)
NUM_WORD(bs_num, c->bs)
NUM_WORD(mmp_wait, 2ULL * mmp_interval(c) + 1)
TEXT_WORD(name, c->s->name)
TEXT_WORD(lbs_why, c->f->kernel.large_blocks.why)
TEXT_WORD(dax_why, c->f->device.dax.why)
TEXT_WORD(type, lbs_fs_type_text(c->rq->fs_type))
TEXT_WORD(detected, lbs_fs_type_text(lbs_fs_type_detected(&c->s->sb)))
TEXT_WORD(bounce_path, c->f->device.vduse_bounce_path)
TEXT_WORD(max_io_path, c->f->device.max_io_path)
TEXT_WORD(opt_unknown, c->m.unknown)
TEXT_WORD(opt_removed, c->m.removed)
TEXT_WORD(opt_value, c->m.bad_value)
TEXT_WORD(opt_ignored, c->m.ignored)
TEXT_WORD(opt_type, c->m.wrong_type)
TEXT_WORD(super_string, c->m.super_string)
TEXT_WORD(dax_from, c->m.dax_from_super ? "in the superblock's options " : "")
TEXT_WORD(data_from,
	  c->m.data_from_super ? "(a default in the superblock) " : "")

static void word_inode_role(const struct lbs_case *c, struct str *out)
{
	const struct super *sb = &c->s->sb;

	if (c->s->bad_inode == sb->journal_inum)
		str_add(out, "the journal");
	else if (c->s->bad_inode == sb->orphan_file_inum)
		str_add(out, "the orphan file");
	else
		str_add(out, "the root directory");
}

static void word_ps(const struct lbs_case *c, struct str *out)
{
	if (c->ps)
		add_size(out, c->ps);
	else
		str_add(out, "of unknown size");
}

static void word_cluster_raw(const struct lbs_case *c, struct str *out)
{
	if (c->s->sb.log_cluster_size < 22)
		add_size(out, 1024ULL << c->s->sb.log_cluster_size);
	else
		str_addf(out, "2^%u KiB", c->s->sb.log_cluster_size);
}

/* "this kernel (6.18.44)", "the declared kernel (6.12)" */
static void word_kernel(const struct lbs_case *c, struct str *out)
{
	const struct kernel_facts *k = &c->f->kernel;

	str_add(out, k->declared ? "the declared kernel" : "this kernel");
	if (k->release[0])
		str_addf(out, " (%s)", k->release);
}

static void word_kernel_cap(const struct lbs_case *c, struct str *out)
{
	const struct kernel_facts *k = &c->f->kernel;

	str_addf(out, "%s kernel (%s)", k->declared ? "The declared" : "This",
		 k->release);
}

static void word_dax_undo(const struct lbs_case *c, struct str *out)
{
	if (c->m.dax_from_super)
		str_addf(out,
			 "; take it out of the superblock with: tune2fs -E "
			 "mount_opts= %s",
			 c->s->name);
}

static void word_bad_incompat(const struct lbs_case *c, struct str *out)
{
	struct features f = {0, case_bad_incompat(c), 0};

	features_print(&f, out);
}

static void word_bad_ro_compat(const struct lbs_case *c, struct str *out)
{
	struct features f = {0, 0, case_bad_ro_compat(c)};

	features_print(&f, out);
}

static void word_new_features(const struct lbs_case *c, struct str *out)
{
	struct features f = case_new_features(c);

	features_print(&f, out);
}

static void word_type_features(const struct lbs_case *c, struct str *out)
{
	struct features f = case_type_features(c);

	if (f.incompat || f.ro_compat)
		features_print(&f, out);
	else
		str_add(out, "it needs a journal and there is none");
}

/* How to get the files without a mount; a plan has none yet. */
static void word_rescue(const struct lbs_case *c, struct str *out)
{
	if (!c->s->planned)
		str_addf(out,
			 " Without mounting, copy the files out "
			 "read-only: debugfs -c -R \"rdump / "
			 "DIRECTORY\" %s",
			 c->s->name);
}

/* How to name the backup superblock of this very filesystem. */
static void word_backup_hint(const struct lbs_case *c, struct str *out)
{
	u64 blk = c->s->geom_error ? 0 : geom_first_backup_blk(&c->s->geom);

	if (c->s->geom_error)
		str_add(out, "the geometry is too damaged to name one");
	else if (blk)
		str_addf(out,
			 "the first backup is block %" PRIu64
			 " (e2fsck -b %" PRIu64 " -B %" PRIu64
			 ", mount -o sb=%" PRIu64 ")",
			 blk, blk, c->bs, blk * (c->bs / 1024));
	else
		str_add(out, "this filesystem has no backup superblock");
}

#define WORD(word)                                                             \
	{                                                                      \
#word, word_##word                                             \
	}
static const struct {
	const char *word;
	word_fn fill;
} words[] = {
	WORD(bs),	    WORD(sector),	 WORD(cluster),
	WORD(inode_bytes),  WORD(bounce),	 WORD(max_io),
	WORD(atomic_min),   WORD(atomic_max),	 WORD(fs_bytes),
	WORD(container),    WORD(jmin),		 WORD(orphan),
	WORD(orphan_512),   WORD(csum_type),	 WORD(log_block),
	WORD(log_cluster),  WORD(bits),		 WORD(bpg),
	WORD(cpg),	    WORD(isize),	 WORD(first_ino),
	WORD(min_extra),    WORD(want_extra),	 WORD(ipg),
	WORD(inodes),	    WORD(groups),	 WORD(dsize),
	WORD(fdb),	    WORD(fdb_right),	 WORD(rgdt),
	WORD(rgdt_max),	    WORD(first_meta),	 WORD(enc_level),
	WORD(mmp_block),    WORD(encoding),	 WORD(nr_bad_descs),
	WORD(pad_group),    WORD(pad_more),	 WORD(jbs),
	WORD(jblks),	    WORD(jfast),	 WORD(sb),
	WORD(bs_kib),	    WORD(stripe),	 WORD(name),
	WORD(lbs_why),	    WORD(dax_why),	 WORD(type),
	WORD(detected),	    WORD(bounce_path),	 WORD(max_io_path),
	WORD(opt_unknown),  WORD(opt_removed),	 WORD(opt_value),
	WORD(opt_ignored),  WORD(opt_type),	 WORD(super_string),
	WORD(dax_from),	    WORD(data_from),	 WORD(ps),
	WORD(cluster_raw),  WORD(kernel),	 WORD(kernel_cap),
	WORD(dax_undo),	    WORD(bad_incompat),	 WORD(bad_ro_compat),
	WORD(new_features), WORD(type_features), WORD(backup_hint),
	WORD(rescue),	    WORD(bs_num),	 WORD(mmp_wait),
	WORD(bad_inode),    WORD(inode_role),	 WORD(bad_quota_inode),
	WORD(bitmap_group), WORD(bitmap_nr),
};

/* Fills the word of len characters at text; false when no row knows it. */
static bool fill_word(const struct lbs_case *c, const char *text, size_t len,
		      struct str *out)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i].word) == len &&
		    !memcmp(words[i].word, text, len)) {
			words[i].fill(c, out);
			return true;
		}
	return false;
}

void case_fill(const struct lbs_case *c, const char *text, struct str *out)
{
	while (*text) {
		size_t plain = strcspn(text, "{");
		const char *end;

		str_add_len(out, text, plain);
		text += plain;
		end = *text ? strchr(text, '}') : NULL;
		if (!end) {
			str_add(out, text);
			return;
		}
		if (!fill_word(c, text + 1, (size_t)(end - text - 1), out))
			str_add_len(out, text, (size_t)(end - text + 1));
		text = end + 1;
	}
}
