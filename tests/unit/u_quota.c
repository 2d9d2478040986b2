/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quota files: defects, ids, and the trees that stock mke2fs writes. */
#include "ondisk/quota.h"

#include "tests/lib/stock.h"

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

static void test_heads(void)
{
	u8 block[1024] = {0};
	struct quota_head head;

	put_le(block, 0xD9C03F14, 4);
	put_le(block + 4, 1, 4);
	put_le(block + 20, 8, 4);
	put_le(block + 24, 7, 4);
	quota_head_parse(span_of(block, 1024), &head);
	tap_is_u64(quota_head_check(&head, QUOTA_PROJECT, 8192), 0, "a header");
	tap_is_u64(quota_head_check(&head, QUOTA_USER, 8192), QUOTA_BAD_MAGIC,
		   "another kind");
	tap_is_u64(quota_head_check(&head, QUOTA_PROJECT, 8191), QUOTA_BAD_BLKS,
		   "a file cut short");
	head.free_blk = 8;
	head.version = 0;
	tap_is_u64(quota_head_check(&head, QUOTA_PROJECT, 8192),
		   QUOTA_BAD_FREE | QUOTA_BAD_VERSION,
		   "free block outside, old version");
	head.free_blk = 0;
	head.free_entry_blk = 1;
	head.version = 1;
	tap_is_u64(quota_head_check(&head, QUOTA_PROJECT, 8192), QUOTA_BAD_FREE,
		   "the root is no leaf");
	tap_ok(quota_ptr_check(1, &head) && quota_ptr_check(8, &head) &&
		       !quota_ptr_check(7, &head) && !quota_ptr_check(0, &head),
	       "pointers");
	tap_ok(quota_ptr_idx(0x01020304, 0) == 1 &&
		       quota_ptr_idx(0x01020304, 3) == 4, "the way to an id");
}

static void test_leaves(void)
{
	struct quota_head head = {.nr_blks = 8};
	u8 block[1024] = {0};
	struct quota_leaf leaf;
	struct quota_entry e;

	put_le(block + 8, 1, 2);
	put_le(block + 16 + 13 * 72, 1000, 4);
	put_le(block + 16 + 13 * 72 + 32, 500, 8);
	quota_leaf_parse(span_of(block, 1024), &leaf);
	tap_is_u64(quota_leaf_check(&leaf, &head), 0, "a leaf");
	tap_ok(!quota_entry_parse(span_of(block, 1024), 0, &e), "a free entry");
	tap_ok(quota_entry_parse(span_of(block, 1024), 13, &e) &&
		       e.id == 1000 && e.block_hard == 500, "the last entry");
	tap_ok(!quota_entry_parse(span_of(block, 1024), 14, &e), "no more");
	put_le(block + 16 + 64, 1, 8);
	quota_leaf_parse(span_of(block, 1024), &leaf);
	tap_is_u64(quota_leaf_check(&leaf, &head), QUOTA_BAD_ENTRIES,
		   "a count that is not right");
	tap_ok(quota_entry_parse(span_of(block, 1024), 0, &e) && !e.inode_time,
	       "id 0 without anything is told by a time of 1");
	put_le(block + 8, 2, 2);
	put_le(block, 8, 4);
	quota_leaf_parse(span_of(block, 1024), &leaf);
	tap_is_u64(quota_leaf_check(&leaf, &head), QUOTA_BAD_LINK,
		   "a list that leads outside");
}

/* Block blk of a quota file, which has 1 to 64 in a filesystem block. */
static struct span file_block(const struct stock *s, const struct inode *ino,
			      u32 blk)
{
	u64 off = (u64)blk * QUOTA_BLOCK_BYTES;
	u32 bs = s->g.block_bytes;

	return span_sub(stock_block(s, stock_map(s, ino, (u32)(off / bs))),
			off % bs, QUOTA_BLOCK_BYTES);
}

/* Walks to id; false when it has no entry. */
static bool find(const struct stock *s, const struct inode *ino,
		 const struct quota_head *head, struct quota_entry *e)
{
	u32 blk = QUOTA_ROOT_BLK, id = e->id;
	struct quota_leaf leaf;

	for (unsigned level = 0; level < QUOTA_LEVELS; level++) {
		blk = quota_ptr(file_block(s, ino, blk),
				quota_ptr_idx(id, level));
		if (!blk || quota_ptr_check(blk, head))
			return false;
	}
	quota_leaf_parse(file_block(s, ino, blk), &leaf);
	if (quota_leaf_check(&leaf, head))
		return false;
	for (u32 i = 0; i < QUOTA_LEAF_ENTRIES; i++)
		if (quota_entry_parse(file_block(s, ino, blk), i, e) &&
		    e->id == id)
			return true;
	return false;
}

/* "         0     215040        0        0          11        0        0" */
static bool is_listed(const struct stock *s, const char *request,
		      const struct quota_entry *e)
{
	FILE *in = stock_ask(s, request);
	char line[256];
	bool found = false;

	while (fgets(line, sizeof(line), in)) {
		char *at = line;
		u64 id = strtoull(at, &at, 10);
		u64 space = strtoull(at, &at, 10);
		u64 soft = strtoull(at, &at, 10);
		u64 hard = strtoull(at, &at, 10);
		u64 inodes = strtoull(at, &at, 10);

		found |= id == e->id && space == e->space_bytes &&
			 inodes == e->inodes && inodes && !soft && !hard;
	}
	pclose(in);
	return found;
}

static void test_stock(u32 bs)
{
	static const char *const requests[] = {
		"list_quota user", "list_quota group", "list_quota project"};
	struct quota_entry e = {.id = 0};
	struct quota_head head;
	struct stock s;

	stock_start(&s);
	stock_make(&s, bs, 4000,
		   "-I 256 -O extent,quota,project -E quotatype="
		   "usrquota:grpquota:prjquota");
	stock_load(&s);
	for (unsigned kind = QUOTA_USER; kind <= QUOTA_PROJECT; kind++) {
		const u32 inos[] = {s.sb.usr_quota_inum, s.sb.grp_quota_inum,
				    s.sb.prj_quota_inum};
		struct inode ino = stock_inode(&s, inos[kind]);

		quota_head_parse(file_block(&s, &ino, 0), &head);
		tap_is_u64(quota_head_check(&head, kind, ino.file_bytes), 0,
			   requests[kind]);
		tap_ok(find(&s, &ino, &head, &e) &&
			       is_listed(&s, requests[kind], &e),
		       "the root's usage as debugfs lists it");
	}
	stock_end(&s);
}

int main(void)
{
	test_heads();
	test_leaves();
	test_stock(1024);
	test_stock(65536);
	return tap_done();
}
