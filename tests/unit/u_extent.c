/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extent tree nodes: what debugfs says of a file, every defect alone, and
 * damage that must not stop a walk.
 */
#include "ondisk/extent.h"

#include "ondisk/defect.h"
#include "tests/lib/stock_tree.h"

static struct geom geom_64k(void)
{
	return (struct geom){.block_bytes = 65536,
			     .cluster_blks = 1,
			     .nr_blocks = 1ull << 40};
}

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

static void put_head(u8 *node, u16 entries, u16 max, u16 depth)
{
	put_le(node, EXTENT_MAGIC, 2);
	put_le(node + 2, entries, 2);
	put_le(node + 4, max, 2);
	put_le(node + 6, depth, 2);
}

static void put_extent(u8 *node, u32 idx, u32 lblk, u16 len, u64 pblk)
{
	u8 *at = node + 12 + idx * 12;

	put_le(at, lblk, 4);
	put_le(at + 4, len, 2);
	put_le(at + 6, pblk >> 32, 2);
	put_le(at + 8, pblk, 4);
}

static void put_index(u8 *node, u32 idx, u32 lblk, u64 pblk)
{
	u8 *at = node + 12 + idx * 12;

	put_le(at, lblk, 4);
	put_le(at + 4, pblk, 4);
	put_le(at + 8, pblk >> 32, 2);
}

static struct extent_head head_of(u8 *node, size_t len, u16 magic, u16 max,
				  u16 depth)
{
	put_head(node, 1, max, depth);
	put_le(node, magic, 2);
	return extent_head_parse(span_of(node, len));
}

static void test_heads(void)
{
	u8 node[60] = {0};
	struct extent_head head = head_of(node, 60, 0xF30A, 4, 0);

	tap_ok(head.is_valid && head.entries == 1 && !head.depth, "a leaf");
	put_extent(node, 0, 0, 1, 0x100002345);
	tap_is_u64(extent_first_blk(span_of(node, 60), &head), 0x100002345,
		   "its block of 48 bits");
	memset(node + 12, 0, 12);
	head = head_of(node, 60, 0xF30A, 4, 2);
	put_index(node, 0, 0, 0x100002345);
	tap_is_u64(extent_first_blk(span_of(node, 60), &head), 0x100002345,
		   "an index keeps it elsewhere");
	tap_ok(!head_of(node, 60, 0xF30B, 4, 0).is_valid, "wrong magic");
	tap_ok(!head_of(node, 60, 0xF30A, 5, 0).is_valid, "max beyond node");
	tap_ok(!head_of(node, 60, 0xF30A, 0, 0).is_valid, "more than max");
	tap_ok(!head_of(node, 60, 0xF30A, 4, 6).is_valid, "too deep");
	tap_ok(!head_of(node, 8, 0xF30A, 4, 0).is_valid, "a short node");
	tap_ok(extent_room(60) == 4 && extent_room(1024) == 84 &&
		       extent_room(4096) == 340 && extent_room(65536) == 5460 &&
		       !extent_room(3),
	       "room of a root and of blocks");
}

/* Walks one node; defects of it and of all entries, or-ed. */
static u32 walk(u8 *node, const struct extent_parent *parent,
		const struct geom *g, u32 *nr)
{
	struct extent_iter it;
	struct extent_entry e;
	u32 defects = extent_iter_init(&it, span_of(node, 60), parent, g);

	*nr = 0;
	while (extent_iter_next(&it, &e)) {
		defects |= e.defects;
		(*nr)++;
	}
	return defects;
}

struct row {
	const char *name;
	u32 defects;
	u32 lblk, len;
	u64 pblk;
};

/* The second extent; the first is 10..19 at 100. */
static const struct row rows[] = {
	{"next to it", 0, 20, 1, 110},
	{"as long as can be", 0, 20, 32768, 110},
	{"unwritten, as long as can be", 0, 20, 65535, 110},
	{"a length of 0", EXTENT_BAD_LEN, 20, 0, 110},
	{"the same start", EXTENT_BAD_ORDER, 10, 1, 200},
	{"an earlier start", EXTENT_BAD_ORDER, 3, 1, 200},
	{"an overlap", EXTENT_BAD_OVERLAP, 19, 1, 200},
	{"up to the last logical block", 0, 0xFFFFFFFE, 1, 200},
	{"beyond the last logical block", EXTENT_BAD_RANGE, 0xFFFFFFFE, 2, 200},
	{"at the number for no block", EXTENT_BAD_RANGE, 0xFFFFFFFF, 1, 200},
	{"block 0", EXTENT_BAD_BLK, 20, 1, 0},
	{"up to the last block", 0, 20, 2, (1ull << 40) - 2},
	{"beyond the last block", EXTENT_BAD_BLK, 20, 3, (1ull << 40) - 2},
	{"far outside", EXTENT_BAD_BLK, 20, 1, 0xFFFFFFFFFFFF},
};

static void test_leaves(void)
{
	const struct extent_parent root = {.is_root = true};
	struct geom g = geom_64k();
	u8 node[60] = {0};
	u32 nr;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		put_head(node, 2, 4, 0);
		put_extent(node, 0, 10, 10, 100);
		put_extent(node, 1, rows[i].lblk, (u16)rows[i].len,
			   rows[i].pblk);
		tap_is_u64(walk(node, &root, &g, &nr), rows[i].defects,
			   rows[i].name);
	}
	put_extent(node, 1, 20, 1, 111);
	g.cluster_blks = 16;
	tap_is_u64(walk(node, &root, &g, &nr), EXTENT_BAD_CLUSTER,
		   "another place in its cluster");
	put_extent(node, 0, 10, 10, 106);
	put_extent(node, 1, 20, 1, 132);
	tap_is_u64(walk(node, &root, &g, &nr), 0, "the same place");
}

static void test_unwritten(void)
{
	const struct extent_parent root = {.is_root = true};
	struct geom g = geom_64k();
	struct extent_iter it;
	struct extent_entry a, b;
	u8 node[60] = {0};

	put_head(node, 2, 4, 0);
	put_extent(node, 0, 0, 32768, 100);
	put_extent(node, 1, 40000, 32769, 200);
	tap_ok(!extent_iter_init(&it, span_of(node, 60), &root, &g) &&
		       extent_iter_next(&it, &a) && extent_iter_next(&it, &b) &&
		       !extent_iter_next(&it, &b),
	       "two extents");
	tap_ok(!a.unwritten && a.nr_blks == 32768, "32768 is written");
	tap_ok(b.unwritten && b.nr_blks == 1, "32769 is one, unwritten");
}

static void test_nodes(void)
{
	const struct extent_parent root = {.is_root = true};
	struct extent_parent parent = {
		.depth = 1, .first_lblk = 10, .end_lblk = 100};
	struct geom g = geom_64k();
	u8 node[60] = {0};
	u32 nr;

	put_head(node, 1, 4, 0);
	put_extent(node, 0, 10, 90, 100);
	tap_is_u64(walk(node, &parent, &g, &nr), 0, "as the parent says");
	put_extent(node, 0, 10, 91, 100);
	tap_is_u64(walk(node, &parent, &g, &nr), EXTENT_BAD_RANGE,
		   "into the parent's next");
	put_extent(node, 0, 11, 1, 100);
	tap_is_u64(walk(node, &parent, &g, &nr), EXTENT_BAD_KEY,
		   "not where the parent says");
	put_extent(node, 0, 10, 1, 100);
	parent.depth = 2;
	tap_is_u64(walk(node, &parent, &g, &nr), EXTENT_BAD_DEPTH,
		   "a leaf two below");
	put_head(node, 0, 4, 1);
	tap_is_u64(walk(node, &root, &g, &nr), EXTENT_BAD_ENTRIES,
		   "an index without entries");
	put_head(node, 9, 200, 0);
	tap_is_u64(walk(node, &root, &g, &nr) &
			   (EXTENT_BAD_MAX | EXTENT_BAD_ENTRIES),
		   EXTENT_BAD_MAX, "more room than there is");
	tap_is_u64(nr, 4, "yet the four inside are walked");
	put_le(node, 0, 2);
	tap_is_u64(walk(node, &root, &g, &nr), EXTENT_BAD_MAGIC, "no magic");
	tap_is_u64(nr, 0, "no entries");
}

static void test_children(void)
{
	const struct extent_parent root = {.is_root = true};
	struct geom g = geom_64k();
	struct extent_iter it;
	struct extent_entry e;
	struct extent_parent p;
	u8 node[60] = {0};

	put_head(node, 2, 4, 3);
	put_index(node, 0, 5, 100);
	put_index(node, 1, 900, 101);
	tap_is_u64(extent_iter_init(&it, span_of(node, 60), &root, &g), 0,
		   "an index");
	tap_ok(extent_iter_next(&it, &e) && e.is_index && e.pblk == 100 &&
		       !e.defects, "its first child");
	p = extent_iter_child(&it);
	tap_ok(!p.is_root && p.depth == 3 && p.first_lblk == 5 &&
		       p.end_lblk == 900, "is bounded by the second");
	tap_ok(extent_iter_next(&it, &e) && !e.defects, "its second child");
	p = extent_iter_child(&it);
	tap_ok(p.first_lblk == 900 && p.end_lblk == UINT32_MAX,
	       "is bounded by the last number");
}

/* Damage of one entry is reported once and does not spread. */
static void test_damage(void)
{
	const struct extent_parent root = {.is_root = true};
	struct geom g = geom_64k();
	struct extent_iter it;
	struct extent_entry e;
	u8 node[60] = {0};
	u32 nr_bad = 0, defects = EXTENT_BAD_LEN | EXTENT_BAD_BLK;

	put_head(node, 4, 4, 0);
	put_extent(node, 0, 0, 5, 100);
	put_extent(node, 1, 0xFFFFFFF0, 100, 110);
	put_extent(node, 2, 10, 5, 120);
	put_extent(node, 3, 15, 5, 130);
	tap_ok(!extent_iter_init(&it, span_of(node, 60), &root, &g), "a node");
	while (extent_iter_next(&it, &e))
		nr_bad += e.defects != 0;
	tap_is_u64(nr_bad, 1, "one bad entry makes one bad entry");
	tap_is_u64((u64)defect_take(&defects), 4, "the lower bit of two");
	tap_is_u64((u64)defect_take(&defects), 8, "the upper one");
	tap_ok(defect_take(&defects) == -1, "none is left");
}

/* "(0):752, (2-5):753-756, (ETB0):757, (8[u]):99": the nth mapped piece. */
static bool same_as_debugfs(const struct stock *s, const char *path)
{
	struct inode inode = stock_inode(s, stock_ino(s, path));
	char request[100], line[8192];
	u32 nr = 0, nr_same = 0;
	FILE *in;

	snprintf(request, sizeof(request), "stat %s", path);
	in = stock_ask(s, request);
	while (fgets(line, sizeof(line), in)) {
		if (line[0] != '(')
			continue;
		for (char *at = line; (at = strchr(at, '(')); at++) {
			u32 lblk = (u32)strtoul(at + 1, NULL, 10);
			u64 pblk = strtoull(strchr(at, ':') + 1, NULL, 10);

			if (at[1] == 'E' || at[1] == 'I' || at[1] == 'D')
				continue;
			nr++;
			nr_same += stock_map(s, &inode, lblk) == pblk;
		}
	}
	pclose(in);
	printf("# %s: %u of %u pieces\n", path, nr_same, nr);
	return nr >= TREE_NR_EXTENTS && nr == nr_same;
}

int main(void)
{
	static const u32 sizes[] = {1024, 4096, 16384, 65536};
	struct stock s;

	test_heads();
	test_leaves();
	test_unwritten();
	test_nodes();
	test_children();
	test_damage();
	stock_start(&s);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		tree_make(&s, sizes[i], "");
		tap_ok(same_as_debugfs(&s, "/holes"), "as debugfs says");
	}
	stock_end(&s);
	return tap_done();
}
