/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of logs for tests. Sums are taken over a copy with zeroed fields. */
#include "tests/lib/jlog.h"

#include <stdlib.h>

#include "base/banned.h"
#include "base/crc.h"

enum { HEAD = 12, UUID = 16, FIRST = 1, COMMIT_SUM = 16 };

static void *must(void *p)
{
	if (!p) {
		printf("Bail out! no memory\n");
		exit(1);
	}
	return p;
}

void jlog_put_be(u8 *at, u64 value, size_t width)
{
	while (width--) {
		at[width] = (u8)value;
		value >>= 8;
	}
}

void jlog_put_le(u8 *at, u64 value, size_t width)
{
	for (size_t i = 0; i < width; i++, value >>= 8)
		at[i] = (u8)value;
}

u8 *jlog_block(const struct jlog *l, u32 logblk)
{
	return l->blocks + (size_t)logblk * l->args.bs;
}

static u32 last_of(const struct jlog *l)
{
	return l->args.nr_blks - l->args.nr_fast;
}

u32 jlog_at(const struct jlog *l, u32 n)
{
	return FIRST + (l->args.start - FIRST + n) % (last_of(l) - FIRST);
}

static bool has_tail(const struct jlog *l)
{
	return l->args.csum >= JBD2_CSUM_V2;
}

static u32 seed(const struct jlog *l)
{
	return crc32c(~0u, jlog_block(l, 0) + 0x30, UUID);
}

/* The sum over a block whose bytes at off count as zeroes. */
static u32 sum_without(const struct jlog *l, const u8 *block, size_t off)
{
	u8 *copy = must(malloc(l->args.bs));
	u32 sum;

	memcpy(copy, block, l->args.bs);
	memset(copy + off, 0, 4);
	sum = crc32c(seed(l), copy, l->args.bs);
	free(copy);
	return sum;
}

void jlog_seal(struct jlog *l, u32 logblk)
{
	u8 *block = jlog_block(l, logblk);
	size_t off = block[7] == 2 ? COMMIT_SUM : l->args.bs - 4;

	if (has_tail(l))
		jlog_put_be(block + off, sum_without(l, block, off), 4);
}

static u32 incompat(const struct jlog *l)
{
	return 1u | (l->args.is_64bit ? 2u : 0) | (l->args.is_async ? 4u : 0) |
	       (l->args.csum == JBD2_CSUM_V2 ? 8u : 0) |
	       (l->args.csum == JBD2_CSUM_V3 ? 16u : 0) |
	       (l->args.nr_fast ? 32u : 0);
}

static void put_super(struct jlog *l)
{
	u8 *sb = jlog_block(l, 0);

	memset(sb, 0, 1024);
	jlog_put_be(sb + 0x00, 0xC03B3998, 4);
	jlog_put_be(sb + 0x04, 4, 4);
	jlog_put_be(sb + 0x0C, l->args.bs, 4);
	jlog_put_be(sb + 0x10, l->args.nr_blks, 4);
	jlog_put_be(sb + 0x14, FIRST, 4);
	jlog_put_be(sb + 0x18, l->args.sequence, 4);
	jlog_put_be(sb + 0x1C, l->args.start, 4);
	jlog_put_be(sb + 0x24, l->args.csum == JBD2_CSUM_V1, 4);
	jlog_put_be(sb + 0x28, incompat(l), 4);
	memcpy(sb + 0x30, "journal of a tst", UUID);
	jlog_put_be(sb + 0x40, 1, 4);
	jlog_put_be(sb + 0x54, l->args.nr_fast, 4);
	sb[0x50] = 4;
	if (has_tail(l))
		jlog_put_be(sb + 0xFC, crc32c(~0u, sb, 1024), 4);
}

void jlog_open(struct jlog *l, const struct jlog_args *args)
{
	*l = (struct jlog){.args = *args, .tid = args->sequence, .sec = 1000,
			   .v1_sum = ~0u};
	if (!l->args.start)
		l->args.start = FIRST;
	l->next = l->args.start;
	l->blocks = must(calloc(args->nr_blks, args->bs));
	put_super(l);
}

void jlog_close(struct jlog *l)
{
	free(l->blocks);
}

static errcode_t mem_read(const void *src, u32 logblk, void *block)
{
	/* The counter is the test's own. */
	struct jlog *l = (struct jlog *)(uintptr_t)src;

	l->nr_reads++;
	if (logblk >= l->args.nr_blks || (l->hole && logblk == l->hole))
		return LB_E_JBD2_UNMAPPED;
	memcpy(block, jlog_block(l, logblk), l->args.bs);
	return 0;
}

/* The log's own blocks, as far as the filesystem knows, are 7000 and on. */
static bool mem_owns(const void *src, u64 blk)
{
	const struct jlog *l = src;

	return blk >= 7000 && blk - 7000 < l->args.nr_blks;
}

struct jbd2_log jlog_log(struct jlog *l)
{
	static const struct jbd2_log_ops ops = {mem_read, mem_owns, NULL};

	put_super(l);
	return (struct jbd2_log){
		.ops = &ops,
		.src = l,
		.block_bytes = l->args.bs,
		.nr_blks = l->args.nr_blks,
	};
}

static u32 take(struct jlog *l)
{
	u32 logblk = l->next++;

	if (l->next == last_of(l))
		l->next = FIRST;
	return logblk;
}

static u8 *begin(struct jlog *l, u32 *logblk, u32 type)
{
	u8 *block;

	*logblk = take(l);
	block = jlog_block(l, *logblk);
	memset(block, 0, l->args.bs);
	jlog_put_be(block, 0xC03B3998, 4);
	jlog_put_be(block + 4, type, 4);
	jlog_put_be(block + 8, l->tid, 4);
	return block;
}

void jlog_content(u8 *block, u32 bs, u64 blk, u32 tid)
{
	for (u32 i = 0; i < bs; i++)
		block[i] = (u8)(blk * 131 + tid * 29 + i + (i >> 8));
	if (blk % 5 == 3)
		jlog_put_be(block, 0xC03B3998, 4);
}

static u32 tag_bytes(const struct jlog *l)
{
	static const u32 bytes[4][2] = {{8, 12}, {8, 12}, {10, 14}, {16, 16}};

	return bytes[l->args.csum][l->args.is_64bit];
}

/* One tag at *off of a descriptor; *off becomes the next one's. */
static void put_tag(struct jlog *l, u8 *at, u64 blk, u32 flags, const u8 *data)
{
	u8 seq[4];
	u32 sum;

	jlog_put_be(seq, l->tid, 4);
	sum = crc32c(crc32c(seed(l), seq, 4), data, l->args.bs);
	jlog_put_be(at, blk & UINT32_MAX, 4);
	jlog_put_be(at + 4, flags, 4);
	if (l->args.csum == JBD2_CSUM_V2)
		jlog_put_be(at + 4, sum & 0xFFFF, 2);
	if (l->args.is_64bit)
		jlog_put_be(at + 8, blk >> 32, 4);
	if (l->args.csum == JBD2_CSUM_V3)
		jlog_put_be(at + 12, sum, 4);
}

/* Fills one descriptor; how many blocks it took. */
static size_t write_some(struct jlog *l, const u64 *blks, size_t nr)
{
	u32 logblk, off = HEAD, tail = has_tail(l) ? 4 : 0, flags;
	u8 *desc = begin(l, &logblk, 1);
	u32 first = l->next;
	size_t i = 0;

	do {
		u8 *data = jlog_block(l, take(l));

		jlog_content(data, l->args.bs, blks[i], l->tid);
		flags = i ? 2 : 0;
		if (blks[i] % 5 == 3) {
			memset(data, 0, 4);
			flags |= 1;
		}
		i++;
		/* Is there room for another, maybe with its UUID? */
		if (i == nr || off + 2 * tag_bytes(l) + 2 * UUID + tail >
				       l->args.bs)
			flags |= 8;
		put_tag(l, desc + off, blks[i - 1], flags, data);
		off += tag_bytes(l) + (flags & 2 ? 0 : UUID);
	} while (!(flags & 8));
	jlog_seal(l, logblk);
	l->v1_sum = crc32_be(l->v1_sum, desc, l->args.bs);
	for (size_t k = 0; k < i; k++) {
		l->v1_sum = crc32_be(l->v1_sum, jlog_block(l, first),
				     l->args.bs);
		if (++first == last_of(l))
			first = FIRST;
	}
	return i;
}

void jlog_write(struct jlog *l, const u64 *blks, size_t nr)
{
	while (nr) {
		size_t done = write_some(l, blks, nr);

		blks += done;
		nr -= done;
	}
}

void jlog_revoke(struct jlog *l, const u64 *blks, size_t nr)
{
	size_t width = l->args.is_64bit ? 8 : 4;
	u32 logblk;
	u8 *block = begin(l, &logblk, 5);

	jlog_put_be(block + 12, 16 + nr * width, 4);
	for (size_t i = 0; i < nr; i++)
		jlog_put_be(block + 16 + i * width, blks[i], width);
	jlog_seal(l, logblk);
}

void jlog_commit(struct jlog *l)
{
	u32 logblk;
	u8 *block = begin(l, &logblk, 2);

	jlog_put_be(block + 0x30, l->sec++, 8);
	jlog_put_be(block + 0x38, 999, 4);
	if (l->args.csum == JBD2_CSUM_V1) {
		block[12] = 1;
		block[13] = 4;
		jlog_put_be(block + COMMIT_SUM, l->v1_sum, 4);
	}
	jlog_seal(l, logblk);
	l->v1_sum = ~0u;
	l->tid++;
}
