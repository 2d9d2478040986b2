/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every checksum of images that stock tools made, at four block sizes, equals
 * what is computed; a changed byte makes a difference; hostile lengths.
 */
#include "ondisk/csum.h"

#include "base/crc.h"
#include "ondisk/mmp.h"
#include "ondisk/orphan.h"
#include "ondisk/xattr.h"
#include "tests/lib/stock_tree.h"

struct seen {
	u32 descs, bitmaps, inodes, extent_blks, leaves, roots, inners, xattrs,
		values, orphans;
	u32 wrong;
};

static void judge(struct seen *seen, u32 *kind, struct csum c, const char *what,
		  u64 where)
{
	(*kind)++;
	if (c.present && csum_ok(c))
		return;
	seen->wrong++;
	printf("# %s %" PRIu64 ": %s, stored %x, computed %x\n", what, where,
	       c.present ? "there" : "absent", c.stored, c.computed);
}

static void see_groups(const struct stock *s, struct seen *seen)
{
	for (u32 grp = 0; grp < s->g.nr_groups; grp++) {
		struct span raw = stock_desc(s, grp);
		struct gdesc gd;

		gdesc_parse(raw, &s->g, &gd);
		seen->descs++;
		seen->wrong += gd.csum != gdesc_csum(raw, &s->sb, &s->g, grp);
		if (!(gd.flags & GDESC_BLOCK_UNINIT))
			judge(seen, &seen->bitmaps,
			      csum_block_bitmap(
				      stock_block(s, gd.block_bitmap_blk),
				      s->seed, &s->g, &gd),
			      "block bitmap", grp);
		if (!(gd.flags & GDESC_INODE_UNINIT))
			judge(seen, &seen->bitmaps,
			      csum_inode_bitmap(
				      stock_block(s, gd.inode_bitmap_blk),
				      s->seed, &s->g, &gd),
			      "inode bitmap", grp);
	}
}

static void see_extents(const struct stock *s, const struct inode *inode,
			u32 seed, struct seen *seen)
{
	struct extent_parent parent = {.is_root = true};
	struct extent_iter it;
	struct extent_entry e;

	seen->wrong += extent_iter_init(&it,
					span_of(inode->map, INODE_MAP_BYTES),
					&parent, &s->g) != 0;
	while (extent_iter_next(&it, &e))
		if (e.is_index)
			judge(seen, &seen->extent_blks,
			      csum_extent_block(stock_block(s, e.pblk), seed),
			      "extent block", e.pblk);
}

static void see_dir(const struct stock *s, const struct inode *dir, u32 seed,
		    struct seen *seen)
{
	struct htree_rules rules = htree_rules_of(&s->g, dir);
	struct htree_node node;

	for (u32 lblk = 0; lblk < rules.nr_dir_blks; lblk++) {
		struct span block = stock_block(s, stock_map(s, dir, lblk));

		htree_inner_parse(block, &rules, &node);
		if (!lblk && dir->flags & INODE_FLAG_INDEX) {
			htree_root_parse(block, &rules, &node);
			judge(seen, &seen->roots, csum_htree_node(&node, seed),
			      "root", lblk);
		} else if (!dirent_has_tail(block)) {
			judge(seen, &seen->inners, csum_htree_node(&node, seed),
			      "inner node", lblk);
		} else {
			judge(seen, &seen->leaves, csum_dir_block(block, seed),
			      "directory block", lblk);
		}
	}
}

static void see_orphans(const struct stock *s, const struct inode *inode,
			u32 seed, struct seen *seen)
{
	for (u32 i = 0; i < inode->file_bytes / s->g.block_bytes; i++) {
		u64 blk = stock_map(s, inode, i);
		struct span block = stock_block(s, blk);

		seen->wrong += orphan_block_check(block) != 0;
		judge(seen, &seen->orphans, csum_orphan_block(block, seed, blk),
		      "orphan block", i);
	}
}

static void see_value(const struct stock *s, const struct inode *inode,
		      struct seen *seen)
{
	struct span value = stock_block(s, stock_map(s, inode, 0));
	struct xattr_ea_inode ea = xattr_ea_inode(inode);

	seen->values++;
	value.len = (size_t)inode->file_bytes;
	seen->wrong += csum_xattr_value(value, s->seed) != ea.value_crc;
}

static void see_inode(const struct stock *s, u32 ino, struct seen *seen)
{
	struct span raw = stock_inode_raw(s, ino);
	struct inode inode = stock_inode(s, ino);
	u32 seed = csum_inode_seed(s->seed, ino, inode.generation);

	if (inode_is_zero(raw))
		return;
	judge(seen, &seen->inodes, csum_inode(raw, s->seed, ino), "inode", ino);
	if (inode_map_kind(&inode) == INODE_MAP_EXTENTS)
		see_extents(s, &inode, seed, seen);
	if (inode_is_dir(&inode))
		see_dir(s, &inode, seed, seen);
	if (inode.file_acl)
		judge(seen, &seen->xattrs,
		      csum_xattr_block(stock_block(s, inode.file_acl), s->seed,
				       inode.file_acl),
		      "xattr block", ino);
	if (inode.flags & INODE_FLAG_EA_INODE)
		see_value(s, &inode, seen);
	if (ino == s->sb.orphan_file_inum)
		see_orphans(s, &inode, seed, seen);
}

static void test_tree(struct stock *s, u32 bs, const char *features)
{
	struct seen seen = {0};
	char name[100];

	tree_make(s, bs, features);
	see_groups(s, &seen);
	for (u32 ino = 1; ino <= s->g.nr_inodes; ino++)
		see_inode(s, ino, &seen);
	printf("# %u: %u descriptors, %u bitmaps, %u inodes, %u extent blocks, "
	       "%u+%u+%u directory blocks, %u xattr blocks, %u values, %u "
	       "orphan blocks\n",
	       bs, seen.descs, seen.bitmaps, seen.inodes, seen.extent_blks,
	       seen.leaves, seen.roots, seen.inners, seen.xattrs, seen.values,
	       seen.orphans);
	snprintf(name, sizeof(name), "%u%s: no checksum is wrong", bs, features);
	tap_is_u64(seen.wrong, 0, name);
	snprintf(name, sizeof(name), "%u%s: every kind was there", bs,
		 features);
	tap_ok(seen.descs == 3 && seen.bitmaps >= 3 && seen.inodes > 12 &&
		       seen.leaves > 3 && seen.roots == 1 &&
		       (seen.inners || bs > 1024) && seen.xattrs == 2 &&
		       seen.values == 1 && seen.orphans,
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
	see_groups(s, &seen);
	for (u32 ino = 1; ino <= s->g.nr_inodes; ino++)
		see_inode(s, ino, &seen);
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
