/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every checksum of images that stock tools made, at four block sizes, equals
 * what is computed; a changed byte makes a difference; hostile lengths.
 */
#include "ondisk/csum.h"

#include "base/crc.h"
#include "ondisk/mmp.h"
#include "tests/lib/stock_scan.h"
#include "tests/lib/stock_tree.h"

static void test_tree(struct stock *s, u32 bs, const char *features)
{
	struct seen seen = {0};
	char name[100];

	tree_make(s, bs, features);
	stock_scan(s, &seen);
	snprintf(name, sizeof(name), "%u%s: no checksum is wrong, no defect", bs, features);
	tap_is_u64(seen.wrong + seen.defects, 0, name);
	snprintf(name, sizeof(name), "%u%s: every kind was there", bs,
		 features);
	tap_ok(seen.descs == 3 && seen.bitmaps >= 3 && seen.inodes > 12 &&
		       seen.leaves > 3 && seen.roots == 1 &&
		       (seen.inners || bs > 1024) && seen.xattrs == 2 &&
		       seen.values == 1 && seen.orphans &&
		       (seen.hashed || bs == 1024),
	       name);
	tap_ok(seen.extent_blks || strstr(features, "^extent"),
	       "and extent blocks");
}

/* One flipped bit at any of these places has to show. */
static bool notices(const struct stock *s, u32 ino, size_t off)
{
	struct span raw = stock_inode_raw(s, ino);
	u8 *byte = s->map + (raw.bytes - s->map) + off;
	bool noticed;

	*byte ^= 0x10;
	noticed = !csum_ok(csum_inode(raw, s->seed, ino));
	*byte ^= 0x10;
	return noticed && csum_ok(csum_inode(raw, s->seed, ino));
}

static void test_changes(struct stock *s)
{
	u8 copy[128];
	struct csum c;

	tap_ok(notices(s, 2, 0) && notices(s, 2, 0x63) && notices(s, 2, 0x7C) &&
		       notices(s, 2, 0x82) && notices(s, 2, 0x9F) &&
		       notices(s, 2, 255),
	       "a changed byte of an inode is noticed");
	tap_ok(!csum_ok(csum_inode(stock_inode_raw(s, 2), s->seed, 3)),
	       "so is another inode's number");
	memcpy(copy, stock_inode_raw(s, 2).bytes, 128);
	c = csum_inode(span_of(copy, 128), s->seed, 2);
	tap_ok(c.present && c.computed <= 0xFFFF, "128 bytes: 16 bits");
}

static void test_small_inodes(struct stock *s)
{
	struct seen seen = {0};

	stock_make(s, 4096, 1000, "-I 128 -O metadata_csum,extent -N 64");
	stock_load(s);
	stock_scan(s, &seen);
	tap_ok(!seen.wrong && seen.inodes > 1 && !gdesc_is_64bit(&s->g),
	       "128-byte inodes, 32-byte descriptors: halves are right");
}

static void test_mmp(struct stock *s, u32 bs)
{
	struct csum c;

	stock_make(s, bs, 1000, "-O metadata_csum,extent,mmp -N 64");
	stock_load(s);
	c = csum_mmp(stock_block(s, s->sb.mmp_block), s->seed);
	tap_ok(c.present && csum_ok(c) && c.stored, "MMP block");
}

static void test_hostile(void)
{
	u8 block[1024];
	struct htree_node node = {.entries_off = 8};
	struct geom g = {.desc_bytes = 64,
			 .clusters_per_group = 65528,
			 .inodes_per_group = 65528};
	struct gdesc gd = {0};
	u32 present = 0;

	memset(block, 0xFF, sizeof(block));
	for (size_t len = 0; len <= sizeof(block); len += 4) {
		struct span s = span_of(block, len);

		node.block = s;
		node.limit = node.count = (u16)(len * 7);
		present += csum_extent_block(s, 1).present;
		present += csum_dir_block(s, 1).present;
		present += csum_block_bitmap(s, 1, &g, &gd).present;
		present += csum_inode_bitmap(s, 1, &g, &gd).present;
		(void)csum_htree_node(&node, 1);
		(void)csum_inode(s, 1, 1);
		(void)csum_xattr_block(s, 1, 1);
		(void)csum_orphan_block(s, 1, 1);
		(void)csum_mmp(s, 1);
	}
	tap_is_u64(present, 0, "no sum where its place is not inside");
	tap_is_u64(csum_inode_seed(~0u, 0x34333231, 0x38373635),
		   crc32c(~0u, "12345678", 8), "a seed is two numbers");
}

/* At 64 KiB no stock tool makes an inner node; the layout is the same. */
static void test_inner_64k(void)
{
	struct htree_rules rules = {.dir = {.block_bytes = 65536,
					    .has_tail = true},
				    .nr_dir_blks = 9000};
	u8 *block = calloc(1, 65536);
	struct htree_node node;
	struct csum c;
	u32 want;

	if (!block)
		exit(1);
	block[4] = block[5] = 0xFF;
	block[8] = 8190 & 0xFF;
	block[9] = 8190 >> 8;
	block[10] = 3;
	memcpy(block + 12, "abcdefghijklmnopqrst", 20);
	htree_inner_parse(span_of(block, 65536), &rules, &node);
	tap_is_u64(node.defects, 0, "an inner node of 64 KiB");
	c = csum_htree_node(&node, 77);
	want = crc32c(77, block, 8 + 3 * 8);
	want = crc32c(want, "\0\0\0\0\0\0\0\0", 8);
	tap_ok(c.present && c.off == 65532 && c.computed == want,
	       "its checksum: entries in use and an empty tail");
	free(block);
}

int main(void)
{
	static const u32 sizes[] = {1024, 4096, 16384, 65536};
	struct stock s;

	stock_start(&s);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		test_tree(&s, sizes[i], "");
		test_mmp(&s, sizes[i]);
	}
	test_tree(&s, 4096, ",metadata_csum_seed");
	test_changes(&s);
	test_small_inodes(&s);
	stock_end(&s);
	test_inner_64k();
	test_hostile();
	return tap_done();
}
