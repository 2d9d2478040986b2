/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orphan file: entries, tails, the file itself, stock's file. */
#include "ondisk/orphan.h"

#include "tests/lib/stock.h"

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

static void test_entries(void)
{
	struct geom g = {
		.block_bytes = 1024, .nr_inodes = 100, .first_ino = 11};
	struct orphan_entry e;
	u8 block[1024] = {0};
	u32 idx = 0;

	tap_is_u64(orphan_nr_entries(&g), 254, "entries of 1 KiB");
	tap_is_u64(orphan_block_check(span_of(block, 1024)), ORPHAN_BAD_MAGIC,
		   "no magic");
	put_le(block + 1016, ORPHAN_MAGIC, 4);
	tap_is_u64(orphan_block_check(span_of(block, 1024)), 0, "a tail");
	tap_is_u64(orphan_block_check(span_of(block, 4)), ORPHAN_BAD_MAGIC,
		   "a short block");
	tap_ok(!orphan_next(span_of(block, 1024), &g, &idx, &e),
	       "the tail is no entry");
	put_le(block + 8, 12, 4);
	put_le(block + 400, 10, 4);
	put_le(block + 253 * 4, 101, 4);
	idx = 0;
	tap_ok(orphan_next(span_of(block, 1024), &g, &idx, &e) && e.idx == 2 &&
		       e.ino == 12 && !e.defects, "an entry behind a hole");
	tap_ok(orphan_next(span_of(block, 1024), &g, &idx, &e) &&
		       e.defects == ORPHAN_BAD_INO, "a reserved inode");
	tap_ok(orphan_next(span_of(block, 1024), &g, &idx, &e) &&
		       e.idx == 253 && e.defects == ORPHAN_BAD_INO,
	       "no such inode, in the last entry");
	tap_ok(!orphan_next(span_of(block, 1024), &g, &idx, &e), "no more");
}

static void test_file(void)
{
	struct geom g = {.block_bytes = 65536};
	struct inode ino = {.mode = INODE_TYPE_FILE,
			    .file_bytes = 512 * 65536};

	tap_is_u64(orphan_file_check(&ino, &g), 0, "512 blocks");
	ino.file_bytes += 65536;
	tap_is_u64(orphan_file_check(&ino, &g), ORPHAN_BAD_FILE_SIZE,
		   "one more");
	ino.file_bytes = 1024;
	tap_is_u64(orphan_file_check(&ino, &g), ORPHAN_BAD_FILE_SIZE,
		   "part of a block");
	ino.file_bytes = 65536;
	ino.mode = INODE_TYPE_DIR;
	tap_is_u64(orphan_file_check(&ino, &g), ORPHAN_BAD_FILE_TYPE,
		   "a directory");
}

static void test_stock(u32 bs)
{
	struct stock s;
	struct inode ino;
	struct orphan_entry e;
	u32 nr_bad = 0, nr_entries = 0;

	stock_start(&s);
	stock_make(&s, bs, 4000,
		   "-O has_journal,extent,metadata_csum,orphan_file -N 64");
	stock_load(&s);
	ino = stock_inode(&s, s.sb.orphan_file_inum);
	for (u32 i = 0; i < ino.file_bytes / bs; i++) {
		struct span block = stock_block(&s, stock_map(&s, &ino, i));
		u32 idx = 0;

		nr_bad += orphan_block_check(block) != 0;
		nr_entries += orphan_next(block, &s.g, &idx, &e);
	}
	tap_ok(!orphan_file_check(&ino, &s.g) && !nr_bad && !nr_entries &&
		       ino.file_bytes >= 2 * bs,
	       "stock's orphan file is fine and empty");
	stock_end(&s);
}

int main(void)
{
	test_entries();
	test_file();
	test_stock(1024);
	test_stock(65536);
	return tap_done();
}
