/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes small logs into memory, with checksums computed apart from lib/jbd2,
 * and gives them to it as a jbd2_log. For tests; running out of memory ends
 * them.
 */
#ifndef TESTS_JLOG_H
#define TESTS_JLOG_H

#include "jbd2/log.h"

struct jlog_args {
	u32 bs;
	u32 nr_blks; /* fast-commit area included */
	u32 nr_fast; /* its size; 0: the feature is off */
	u32 start;   /* first transaction; 0: log block 1 */
	u32 sequence;
	enum jbd2_csum_kind csum;
	bool is_64bit;
	bool is_async;
};

struct jlog {
	struct jlog_args args;
	u8 *blocks;
	u32 next; /* log block */
	u32 tid;
	u64 sec; /* of the next commit; raised by one by each */
	u32 v1_sum;
	u32 hole;     /* this block cannot be read; 0: none */
	u32 nr_reads; /* by lib/jbd2 */
};

void jlog_open(struct jlog *l, const struct jlog_args *args);
void jlog_close(struct jlog *l);
/* Also makes the superblock anew, with start and sequence of args. */
struct jbd2_log jlog_log(struct jlog *l);
u8 *jlog_block(const struct jlog *l, u32 logblk);
/* The log block n after the start. */
u32 jlog_at(const struct jlog *l, u32 n);
/* Descriptor blocks for nr filesystem blocks, and their contents. */
void jlog_write(struct jlog *l, const u64 *blks, size_t nr);
void jlog_revoke(struct jlog *l, const u64 *blks, size_t nr);
void jlog_commit(struct jlog *l);
/* Computes the sum of a descriptor, revoke or (v2, v3) commit block anew. */
void jlog_seal(struct jlog *l, u32 logblk);
/*
 * What transaction tid writes to blk. Every fifth block begins with the magic
 * and must be escaped.
 */
void jlog_content(u8 *block, u32 bs, u64 blk, u32 tid);

void jlog_put_be(u8 *at, u64 value, size_t width);
void jlog_put_le(u8 *at, u64 value, size_t width);

#endif
