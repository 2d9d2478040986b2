/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs in files and on devices, and the journal superblock in them. */
#include "jbd2/log.h"

#include <errno.h>

#include "base/banned.h"
#include "ondisk/geom.h"

struct file_src {
	const struct image *img;
	u32 block_bytes;
	size_t nr_runs;
	struct run *by_lblk; /* owned */
	struct run *by_pblk; /* owned, the same runs */
};

static int cmp_pblk(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return (x->pblk > y->pblk) - (x->pblk < y->pblk);
}

/* The last of nr runs with key <= want, NULL if none; ascending by key. */
static const struct run *run_at(const struct run *runs, size_t nr, u64 want,
				u64 (*key)(const struct run *))
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (key(&runs[mid]) <= want)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &runs[lo - 1] : NULL;
}

static u64 key_lblk(const struct run *r)
{
	return r->lblk;
}

static u64 key_pblk(const struct run *r)
{
	return r->pblk;
}

static errcode_t file_read(const void *src, u32 logblk, void *block)
{
	const struct file_src *s = src;
	const struct run *r = run_at(s->by_lblk, s->nr_runs, logblk, key_lblk);
	u64 blk = r ? r->pblk + (logblk - r->lblk) : 0;
	errcode_t rc;

	if (r && logblk - r->lblk < r->nr_blks &&
	    blk <= UINT64_MAX / s->block_bytes) {
		rc = image_read(s->img, blk * s->block_bytes, block,
				s->block_bytes);
		if (rc != LB_E_IMAGE_SHORT)
			return rc;
	}
	return LB_E_JBD2_UNMAPPED;
}

static bool file_owns(const void *src, u64 blk)
{
	const struct file_src *s = src;
	const struct run *r = run_at(s->by_pblk, s->nr_runs, blk, key_pblk);

	return r && blk - r->pblk < r->nr_blks;
}

static void file_close(void *src)
{
	struct file_src *s = src;

	free(s->by_lblk);
	free(s->by_pblk);
	free(s);
}

static const struct jbd2_log_ops file_ops = {file_read, file_owns, file_close};
static const struct jbd2_log_ops device_ops = {file_read, NULL, file_close};

static struct run *copy_runs(const struct run *runs, size_t nr)
{
	struct run *copy;

	if (nr > PTRDIFF_MAX / sizeof(*copy))
		return NULL;
	copy = malloc(nr ? nr * sizeof(*copy) : 1);
	if (copy && nr)
		memcpy(copy, runs, nr * sizeof(*copy));
	return copy;
}

static errcode_t make_src(const struct image *img, u32 block_bytes,
			  const struct run *runs, size_t nr_runs, void **out)
{
	struct file_src *s = calloc(1, sizeof(*s));

	*out = NULL;
	if (!s)
		return ENOMEM;
	s->img = img;
	s->block_bytes = block_bytes;
	s->nr_runs = nr_runs;
	s->by_lblk = copy_runs(runs, nr_runs);
	s->by_pblk = copy_runs(runs, nr_runs);
	if (!s->by_lblk || !s->by_pblk) {
		file_close(s);
		return ENOMEM;
	}
	qsort(s->by_pblk, nr_runs, sizeof(*runs), cmp_pblk);
	*out = s;
	return 0;
}

errcode_t jbd2_log_open_runs(const struct image *img, u32 block_bytes,
			     const struct run *runs, size_t nr_runs,
			     struct jbd2_log *log)
{
	const struct run *last = nr_runs ? &runs[nr_runs - 1] : NULL;

	*log = (struct jbd2_log){
		.ops = &file_ops,
		.block_bytes = block_bytes,
		.nr_blks = last ? last->lblk + last->nr_blks : 0,
	};
	return make_src(img, block_bytes, runs, nr_runs, &log->src);
}

errcode_t jbd2_log_open_device(const struct image *img, struct jbd2_log *log)
{
	u8 raw[SUPER_BYTES];
	struct run all = {0};
	struct super sb;
	errcode_t rc;

	*log = (struct jbd2_log){.ops = &device_ops, .external = true};
	rc = image_read(img, SUPER_OFFSET, raw, sizeof(raw));
	if (!rc)
		rc = super_parse(span_of(raw, sizeof(raw)), &sb);
	if (rc)
		return rc;
	if (!super_is_ext(&sb) ||
	    !super_has_incompat(&sb, FEAT_INCOMPAT_JOURNAL_DEV) ||
	    sb.log_block_size > SUPER_LOG_BLOCK_MAX)
		return LB_E_JBD2_DEVICE;
	log->block_bytes = 1024u << sb.log_block_size;
	log->nr_blks = u64_min(super_nr_blocks(&sb),
			       image_bytes(img) / log->block_bytes);
	log->sb_blk = jsb_external_blk(log->block_bytes);
	memcpy(log->uuid, sb.uuid, sizeof(log->uuid));
	all.nr_blks = log->nr_blks;
	return make_src(img, log->block_bytes, &all, 1, &log->src);
}

void jbd2_log_close(struct jbd2_log *log)
{
	if (log->src && log->ops->close)
		log->ops->close(log->src);
	log->src = NULL;
}

errcode_t jbd2_log_read(const struct jbd2_log *log, u32 logblk, void *block)
{
	return log->ops->read(log->src, logblk, block);
}

errcode_t jbd2_journal_load(const struct jbd2_log *log, struct jbd2_journal *j)
{
	struct jsb_place place = {
		.block_bytes = log->block_bytes,
		.nr_blks = log->nr_blks,
		.external = log->external,
		.sb_blk = log->sb_blk,
	};
	u8 *block = malloc(log->block_bytes);
	errcode_t rc;

	*j = (struct jbd2_journal){.log = log};
	if (!block)
		return ENOMEM;
	rc = jbd2_log_read(log, log->sb_blk, block);
	/* What is not there reads as zeroes: no magic. */
	jsb_parse(span_of(block, rc ? 0 : JSB_BYTES), &j->sb);
	if (rc == LB_E_JBD2_UNMAPPED)
		rc = 0;
	free(block);
	j->defects = jsb_check(&j->sb, &place);
	j->format = jbd2_format_of(&j->sb);
	return rc;
}

bool jbd2_journal_is_usable(const struct jbd2_journal *j)
{
	return !(j->defects & JSB_UNUSABLE);
}

bool jbd2_journal_is_dirty(const struct jbd2_journal *j)
{
	return jbd2_journal_is_usable(j) && j->sb.start;
}
