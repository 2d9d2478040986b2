/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two more walks over the good part of a log: revokes, then copies. */
#include "jbd2/replay.h"

#include <errno.h>

#include "base/banned.h"
#include "jbd2/csum.h"
#include "jbd2/revoke.h"

struct planner {
	const struct jbd2_journal *j;
	u64 nr_fs_blks;
	struct jbd2_plan *plan;
	struct jbd2_revoke_table revokes;
	u8 *block; /* owned */
};

/* What is done with each transaction of a walk. */
typedef errcode_t txn_fn(struct planner *p, const struct jbd2_txn *txn);

const char *jbd2_loss_text(enum jbd2_loss_why why)
{
	static const char *const text[] = {
		[JBD2_LOSS_CSUM] = "its copy in the log has a wrong checksum",
		[JBD2_LOSS_OUTSIDE] = "it lies beyond the filesystem",
		[JBD2_LOSS_IN_LOG] = "it is a block of the journal itself",
		[JBD2_LOSS_UNMAPPED] = "the log has a hole where its copy was",
	};

	return text[why];
}

static errcode_t walk(struct planner *p, txn_fn *fn)
{
	struct jbd2_txn txn = {0};
	struct jbd2_reader r;
	bool found = true;
	errcode_t rc = jbd2_reader_init(&r, p->j, false);

	for (u32 i = 0; !rc && found && i < p->plan->scan.nr_txns; i++) {
		rc = jbd2_reader_next(&r, &txn, &found);
		if (!rc && found)
			rc = fn(p, &txn);
	}
	jbd2_txn_done(&txn);
	jbd2_reader_done(&r);
	return rc;
}

static errcode_t add_revokes(struct planner *p, const struct jbd2_txn *txn)
{
	return jbd2_revoke_add_txn(&p->revokes, p->j, txn);
}

static errcode_t lose(struct planner *p, const struct jbd2_txn *txn,
		      const struct jbd2_tag *tag, enum jbd2_loss_why why)
{
	struct jbd2_loss loss = {tag->blk, tag->logblk, txn->tid, why};
	errcode_t rc = vec_reserve(&p->plan->losses, 1);

	if (!rc)
		vec_add(&p->plan->losses, loss);
	return rc;
}

static bool log_owns(const struct jbd2_log *log, u64 blk)
{
	return log->ops->owns && log->ops->owns(log->src, blk);
}

/* Whether the copy in the log can be had and is right. */
static errcode_t check_copy(struct planner *p, const struct jbd2_txn *txn,
			    const struct jbd2_tag *tag, bool *lost)
{
	const struct jbd2_log *log = p->j->log;
	errcode_t rc = jbd2_log_read(log, tag->logblk, p->block);

	*lost = true;
	if (rc == LB_E_JBD2_UNMAPPED)
		return lose(p, txn, tag, JBD2_LOSS_UNMAPPED);
	if (rc)
		return rc;
	if (!jbd2_data_csum_ok(&p->j->format, txn->tid, tag,
			       span_of(p->block, log->block_bytes)))
		return lose(p, txn, tag, JBD2_LOSS_CSUM);
	*lost = false;
	return 0;
}

static errcode_t add_write(struct planner *p, const struct jbd2_txn *txn,
			   const struct jbd2_tag *tag)
{
	struct jbd2_write write = {
		.blk = tag->blk,
		.logblk = tag->logblk,
		.tid = txn->tid,
		.escaped = tag->flags & JBD2_TAG_ESCAPED,
	};
	bool lost;
	errcode_t rc;

	if (jbd2_revoke_hits(&p->revokes, tag->blk, txn->tid)) {
		p->plan->nr_revoked++;
		return 0;
	}
	if (tag->blk >= p->nr_fs_blks)
		return lose(p, txn, tag, JBD2_LOSS_OUTSIDE);
	if (log_owns(p->j->log, tag->blk))
		return lose(p, txn, tag, JBD2_LOSS_IN_LOG);
	rc = check_copy(p, txn, tag, &lost);
	if (rc || lost)
		return rc;
	rc = vec_reserve(&p->plan->writes, 1);
	if (!rc)
		vec_add(&p->plan->writes, write);
	return rc;
}

static errcode_t add_writes(struct planner *p, const struct jbd2_txn *txn)
{
	errcode_t rc = 0;

	for (size_t i = 0; !rc && i < txn->tags.nr; i++)
		rc = add_write(p, txn, &txn->tags.at[i]);
	return rc;
}

errcode_t jbd2_plan_make(const struct jbd2_journal *j, u64 nr_fs_blks,
			 struct jbd2_plan *plan)
{
	struct planner p = {.j = j, .nr_fs_blks = nr_fs_blks, .plan = plan};
	errcode_t rc;

	memset(plan, 0, sizeof(*plan));
	rc = jbd2_scan(j, &plan->scan);
	if (rc || !plan->scan.nr_txns)
		return rc;
	p.block = malloc(j->log->block_bytes);
	rc = p.block ? walk(&p, add_revokes) : ENOMEM;
	jbd2_revoke_sort(&p.revokes);
	if (!rc)
		rc = walk(&p, add_writes);
	jbd2_revoke_done(&p.revokes);
	free(p.block);
	if (rc)
		jbd2_plan_done(plan);
	return rc;
}

void jbd2_plan_done(struct jbd2_plan *plan)
{
	vec_free(&plan->writes);
	vec_free(&plan->losses);
}

/* By block, the latest copy last: writes of one block keep the log's order. */
static int compare(const void *a, const void *b)
{
	const struct jbd2_write *const *x = a, *const *y = b;

	if ((*x)->blk != (*y)->blk)
		return (*x)->blk > (*y)->blk ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

static errcode_t put_write(const struct jbd2_journal *j,
			   const struct jbd2_write *w, u8 *block,
			   struct overlay *overlay)
{
	errcode_t rc = jbd2_log_read(j->log, w->logblk, block);

	if (rc)
		return rc;
	if (w->escaped)
		jbd2_unescape(block);
	return overlay_put(overlay, w->blk, block);
}

errcode_t jbd2_plan_apply(const struct jbd2_journal *j,
			  const struct jbd2_plan *plan, struct overlay *overlay)
{
	const struct jbd2_write **order = NULL;
	size_t nr = plan->writes.nr;
	u8 *block = NULL;
	errcode_t rc = ENOMEM;

	if (overlay_block_bytes(overlay) != j->log->block_bytes)
		return EINVAL;
	if (!nr)
		return 0;
	block = malloc(j->log->block_bytes);
	if (nr <= PTRDIFF_MAX / sizeof(*order))
		order = malloc(nr * sizeof(*order));
	if (!block || !order)
		goto out;
	for (size_t i = 0; i < nr; i++)
		order[i] = &plan->writes.at[i];
	qsort(order, nr, sizeof(*order), compare);
	rc = 0;
	for (size_t i = 0; !rc && i < nr; i++)
		if (i + 1 == nr || order[i + 1]->blk != order[i]->blk)
			rc = put_write(j, order[i], block, overlay);
out:
	free(order);
	free(block);
	return rc;
}
