/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The block map: ways to a block, counts of map blocks, a file of stock's. */
#include "ondisk/indirect.h"

#include "tests/lib/stock_tree.h"

static void test_arithmetic(void)
{
	struct geom g = {.block_bytes = 1024};
	struct indirect_path p;

	tap_ok(!indirect_slot_level(11) && indirect_slot_level(12) == 1 &&
		       indirect_slot_level(14) == 3, "levels of slots");
	tap_is_u64(indirect_slot_lblk(&g, 13), 12 + 256, "first of two levels");
	tap_is_u64(indirect_slot_lblk(&g, 14), 12 + 256 + 65536,
		   "first of three levels");
	tap_ok(indirect_path(&g, 11, &p) && p.slot == 11 && !p.nr, "direct");
	tap_ok(indirect_path(&g, 12 + 255, &p) && p.slot == 12 && p.nr == 1 &&
		       p.idx[0] == 255, "the last of one level");
	tap_ok(indirect_path(&g, 12 + 256 + 257, &p) && p.slot == 13 &&
		       p.nr == 2 && p.idx[0] == 1 && p.idx[1] == 1,
	       "in two levels");
	tap_ok(indirect_path(&g, 12 + 256 + 65536 + 16777215, &p) &&
		       p.slot == 14 && p.nr == 3 && p.idx[0] == 255 &&
		       p.idx[1] == 255 && p.idx[2] == 255,
	       "the last of three levels");
	tap_ok(!indirect_path(&g, 12 + 256 + 65536 + 16777216, &p),
	       "one more is not reached");
	g.block_bytes = 65536;
	tap_is_u64(indirect_reach(&g, 3), 1ull << 42, "64 KiB blocks reach far");
	tap_ok(indirect_path(&g, UINT32_MAX, &p) && p.slot == 14,
	       "every logical block is reached");
}

static void test_counts(void)
{
	struct geom g = {.block_bytes = 1024};

	tap_is_u64(indirect_nr_map_blks(&g, 12), 0, "12 blocks need no map");
	tap_is_u64(indirect_nr_map_blks(&g, 13), 1, "13 need one");
	tap_is_u64(indirect_nr_map_blks(&g, 12 + 256), 1, "268 need one");
	tap_is_u64(indirect_nr_map_blks(&g, 12 + 256 + 1), 3, "269 need three");
	tap_is_u64(indirect_nr_map_blks(&g, 12 + 256 + 65536), 1 + 1 + 256,
		   "all of two levels");
	tap_is_u64(indirect_nr_map_blks(&g, 12 + 256 + 65536 + 1),
		   1 + 257 + 3, "one more");
}

static void test_pointers(void)
{
	struct geom g = {.block_bytes = 1024,
			 .first_data_blk = 1,
			 .nr_blocks = 1000};
	u8 map[60] = {0};
	struct indirect_ptr ptr;
	u32 idx = 0;

	map[8] = 1;	/* the superblock's */
	map[12] = 2;
	map[56] = 0xE7; /* 999 */
	map[57] = 0x03;
	tap_ok(indirect_next(span_of(map, 60), &g, &idx, &ptr) &&
		       ptr.idx == 2 && !ptr.is_inside, "the superblock");
	tap_ok(indirect_next(span_of(map, 60), &g, &idx, &ptr) &&
		       ptr.idx == 3 && ptr.is_inside, "the first data block");
	tap_ok(indirect_next(span_of(map, 60), &g, &idx, &ptr) &&
		       ptr.idx == 14 && ptr.is_inside, "the last block");
	tap_ok(!indirect_next(span_of(map, 60), &g, &idx, &ptr), "no more");
	idx = 0;
	map[8] = 0xE8;
	map[9] = 0x03;
	tap_ok(indirect_next(span_of(map, 60), &g, &idx, &ptr) &&
		       !ptr.is_inside, "beyond the last block");
	idx = 0;
	tap_ok(!indirect_next(span_of(map, 2), &g, &idx, &ptr), "a short map");
}

/* Each piece that was written is found where the map leads. */
static void test_file(struct stock *s, u32 bs)
{
	struct inode inode;
	u32 nr = 0, nr_blks = 0;

	tree_make(s, bs, ",^extent,^64bit,^metadata_csum");
	inode = stock_inode(s, stock_ino(s, "/holes"));
	for (u32 i = 0; i < TREE_NR_EXTENTS; i++) {
		struct span block = stock_block(s, stock_map(s, &inode, 2 * i));
		char piece[20];

		snprintf(piece, sizeof(piece), "piece %u", i);
		nr += block.len && !strcmp((const char *)block.bytes, piece);
		nr_blks += !stock_map(s, &inode, 2 * i + 1);
	}
	tap_is_u64(nr, TREE_NR_EXTENTS, "every piece of a file");
	tap_is_u64(nr_blks, TREE_NR_EXTENTS, "every hole of it");
	/* 23 pieces, one map block, one block of xattrs. */
	tap_is_u64(inode.mapped_bytes, (TREE_NR_EXTENTS + 2) * (u64)bs,
		   "the blocks it counts");
}

int main(void)
{
	struct stock s;

	test_arithmetic();
	test_counts();
	test_pointers();
	stock_start(&s);
	test_file(&s, 1024);
	test_file(&s, 65536);
	stock_end(&s);
	return tap_done();
}
