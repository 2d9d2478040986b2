/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes of hash trees: limits, every defect alone, and the whole tree of
 * stock's e2fsck -D against what debugfs dumps.
 */
#include "ondisk/htree.h"

#include "tests/lib/stock_tree.h"

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

static struct htree_rules rules_of(u32 bs, bool has_tail)
{
	return (struct htree_rules){
		.dir = {.block_bytes = bs, .has_tail = has_tail},
		.nr_dir_blks = 1000};
}

static void test_limits(void)
{
	struct htree_rules rules = rules_of(1024, false);

	tap_ok(htree_limit(&rules, true) == 124 &&
		       htree_limit(&rules, false) == 127, "1 KiB");
	rules = rules_of(4096, true);
	tap_ok(htree_limit(&rules, true) == 507 &&
		       htree_limit(&rules, false) == 510, "4 KiB, checksums");
	rules = rules_of(65536, true);
	tap_ok(htree_limit(&rules, true) == 8187 &&
		       htree_limit(&rules, false) == 8190, "64 KiB, checksums");
	rules.dir.has_tail = false;
	tap_ok(htree_limit(&rules, true) == 8188 &&
		       htree_limit(&rules, false) == 8191, "64 KiB");
	rules.dir.hashed = true;
	tap_ok(htree_limit(&rules, true) == 8188 &&
		       htree_limit(&rules, false) == 8190,
	       "an encrypted and casefolded directory");
}

/* A root with three entries. */
static void make_root(u8 *block, u32 bs, u16 limit)
{
	memset(block, 0, bs);
	put_le(block + 4, 12, 2);
	put_le(block + 16, bs - 12, 2);
	block[28] = HTREE_HASH_HALF_MD4;
	block[29] = 8;
	put_le(block + 32, limit, 2);
	put_le(block + 34, 3, 2);
	put_le(block + 36, 1, 4);
	put_le(block + 40, 0x1000, 4);
	put_le(block + 44, 2, 4);
	put_le(block + 48, 0x2000, 4);
	put_le(block + 52, 3, 4);
}

struct row {
	const char *name;
	u32 defects;
	u32 off, value, len;
};

static const struct row roots[] = {
	{"nothing changed", 0, 0, 0, 0},
	{"dot is longer", HTREE_BAD_DOTS, 4, 16, 2},
	{"dotdot is shorter", HTREE_BAD_DOTS, 16, 12, 2},
	{"the reserved word", HTREE_BAD_ZERO, 24, 1, 4},
	{"TEA", 0, 28, HTREE_HASH_TEA, 1},
	{"an unsigned form, never on disk", HTREE_BAD_HASH, 28, 4, 1},
	{"siphash without its key", HTREE_BAD_HASH, 28, 6, 1},
	{"a longer info", HTREE_BAD_INFO, 29, 9, 1},
	{"two levels", 0, 30, 1, 1},
	{"three levels", HTREE_BAD_LEVELS, 30, 2, 1},
	{"an unknown flag", HTREE_BAD_FLAGS, 31, 1, 1},
	{"a smaller limit", HTREE_BAD_LIMIT, 32, 123, 2},
	{"count 0", HTREE_BAD_COUNT, 34, 0, 2},
	{"count above the limit", HTREE_BAD_COUNT, 34, 125, 2},
	{"count is the limit", 0, 34, 124, 2},
};

static void test_roots(void)
{
	struct htree_rules rules = rules_of(1024, false);
	struct htree_node node;
	u8 block[1024];

	for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
		const struct row *r = &roots[i];

		make_root(block, 1024, 124);
		put_le(block + r->off, r->value, r->len);
		htree_root_parse(span_of(block, 1024), &rules, &node);
		tap_is_u64(node.defects, r->defects, r->name);
	}
	make_root(block, 1024, 124);
	block[30] = 2;
	rules.large_dir = true;
	htree_root_parse(span_of(block, 1024), &rules, &node);
	tap_is_u64(node.defects, 0, "three levels with large_dir");
	rules.dir.hashed = true;
	block[28] = 6;
	htree_root_parse(span_of(block, 1024), &rules, &node);
	tap_is_u64(node.defects, 0, "siphash where it has to be");
	htree_root_parse(span_of(block, 30), &rules, &node);
	tap_ok(node.defects & HTREE_BAD_COUNT && !node.nr, "a short block");
	put_le(block + 34, 0xFFFF, 2);
	htree_root_parse(span_of(block, 1024), &rules, &node);
	tap_is_u64(node.nr, 124, "entries never leave the block");
}

static void test_entries(void)
{
	struct htree_rules rules = rules_of(1024, false);
	struct htree_bounds whole = htree_bounds_whole(), b;
	struct htree_node node;
	u8 block[1024];

	make_root(block, 1024, 124);
	put_le(block + 48, 0x1001, 4);
	htree_root_parse(span_of(block, 1024), &rules, &node);
	b = htree_bounds_child(&node, 0, &whole);
	tap_ok(!b.min && b.end == 0x1000, "bounds of the first child");
	b = htree_bounds_child(&node, 1, &whole);
	tap_ok(b.min == 0x1000 && b.end == 0x1002,
	       "a hash that goes on is in both");
	b = htree_bounds_child(&node, 2, &whole);
	tap_ok(b.min == 0x1000 && b.end == 1ull << 32, "and in the last");
	tap_ok(!htree_entry(&node, 2, &rules, &whole).defects, "a fine entry");
	b = (struct htree_bounds){0, 0x1001};
	tap_is_u64(htree_entry(&node, 2, &rules, &b).defects, HTREE_BAD_BOUNDS,
		   "above what the parent says");
	put_le(block + 48, 0xFFF, 4);
	tap_is_u64(htree_entry(&node, 2, &rules, &whole).defects,
		   HTREE_BAD_ORDER, "below its neighbour");
	put_le(block + 44, 0, 4);
	tap_is_u64(htree_entry(&node, 1, &rules, &whole).defects, HTREE_BAD_BLK,
		   "block 0 is the root");
	put_le(block + 44, 1000, 4);
	tap_is_u64(htree_entry(&node, 1, &rules, &whole).defects, HTREE_BAD_BLK,
		   "beyond the directory");
	put_le(block + 44, 0xF00003E7, 4);
	tap_ok(htree_entry(&node, 1, &rules, &whole).blk == 999, "28 bits");
}

static void test_inner(void)
{
	struct htree_rules rules = rules_of(65536, false);
	u8 *block = calloc(1, 65536);
	struct htree_node node;

	if (!block)
		exit(1);
	put_le(block + 8, 8191, 2);
	put_le(block + 10, 8191, 2);
	htree_inner_parse(span_of(block, 65536), &rules, &node);
	tap_ok(!node.defects && node.nr == 8191, "64 KiB, its length as 0");
	put_le(block + 4, 0xFFFF, 2);
	htree_inner_parse(span_of(block, 65536), &rules, &node);
	tap_ok(!node.defects, "its length as 65535");
	put_le(block + 4, 0xFFF4, 2);
	htree_inner_parse(span_of(block, 65536), &rules, &node);
	tap_is_u64(node.defects, HTREE_BAD_FAKE, "a shorter length");
	put_le(block + 4, 0xFFFF, 2);
	block[0] = 1;
	htree_inner_parse(span_of(block, 65536), &rules, &node);
	tap_is_u64(node.defects, HTREE_BAD_FAKE, "an entry that is not free");
	free(block);
}

enum { NR_MAX = 4096 };

struct dump {
	u32 nr, nr_bad, nr_leaves;
	struct {
		u32 idx, hash, blk;
		bool seen;
	} at[NR_MAX];
};

struct level {
	const struct stock *s;
	const struct inode *dir;
	const struct htree_rules *rules;
	struct dump *dump;
};

static void collect(const struct level *l, const struct htree_node *node,
		    const struct htree_bounds *bounds, unsigned levels)
{
	l->dump->nr_bad += node->defects != 0;
	for (u32 i = 0; i < node->nr && l->dump->nr < NR_MAX; i++) {
		struct htree_entry e = htree_entry(node, i, l->rules, bounds);
		struct htree_bounds below = htree_bounds_child(node, i, bounds);
		struct htree_node child;

		l->dump->at[l->dump->nr].idx = i;
		l->dump->at[l->dump->nr].hash = e.hash;
		l->dump->at[l->dump->nr++].blk = e.blk;
		l->dump->nr_bad += e.defects != 0;
		l->dump->nr_leaves += !levels;
		if (!levels)
			continue;
		htree_inner_parse(stock_block(l->s, stock_map(l->s, l->dir,
							      e.blk)),
				  l->rules, &child);
		collect(l, &child, &below, levels - 1);
	}
}

/* "Entry #1: Hash 0x0486b5ac, block 2": finds it in ours. */
static bool is_known(struct dump *dump, const char *line)
{
	u32 idx = (u32)strtoul(line + 7, NULL, 10);
	u32 hash = (u32)strtoul(strstr(line, "0x"), NULL, 16);
	u32 blk = (u32)strtoul(strstr(line, "block ") + 6, NULL, 10);

	for (u32 i = 0; i < dump->nr; i++) {
		if (dump->at[i].idx != idx || dump->at[i].blk != blk ||
		    dump->at[i].hash != hash)
			continue;
		dump->at[i].seen = true;
		return true;
	}
	return false;
}

static void test_stock(struct stock *s, u32 bs)
{
	struct inode dir = stock_inode(s, stock_ino(s, "/htree"));
	struct htree_rules rules = htree_rules_of(&s->g, &dir);
	struct htree_bounds whole = htree_bounds_whole();
	struct dump *dump = calloc(1, sizeof(*dump));
	struct level level = {s, &dir, &rules, dump};
	u32 nr_lines = 0, nr_unknown = 0, nr_unseen = 0;
	struct htree_node root;
	char line[1024];
	FILE *in;

	if (!dump)
		exit(1);
	htree_root_parse(stock_block(s, stock_map(s, &dir, 0)), &rules, &root);
	collect(&level, &root, &whole, root.levels);
	in = stock_ask(s, "htree_dump /htree");
	while (fgets(line, sizeof(line), in)) {
		if (strncmp(line, "Entry #", 7))
			continue;
		nr_lines++;
		nr_unknown += !is_known(dump, line);
	}
	pclose(in);
	for (u32 i = 0; i < dump->nr; i++)
		nr_unseen += !dump->at[i].seen;
	printf("# %u: level %u, %u entries, %u leaves, %u lines of debugfs\n",
	       bs, root.levels, dump->nr, dump->nr_leaves, nr_lines);
	tap_ok(dir.flags & INODE_FLAG_INDEX && !dump->nr_bad,
	       "a tree of stock's has no defect");
	tap_ok(nr_lines && !nr_unknown && !nr_unseen, "as debugfs dumps it");
	/* At 1 KiB one level could not hold them. */
	tap_is_u64(root.levels, bs == 1024, "levels");
	tap_is_u64(dump->nr_leaves + 1 + (root.levels ? root.count : 0),
		   rules.nr_dir_blks, "every block is root, inner or leaf");
	free(dump);
}

int main(void)
{
	static const u32 sizes[] = {1024, 4096, 16384, 65536};
	struct stock s;

	test_limits();
	test_roots();
	test_entries();
	test_inner();
	stock_start(&s);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		tree_make(&s, sizes[i], i % 2 ? ",^metadata_csum" : "");
		test_stock(&s, sizes[i]);
	}
	tree_make(&s, 1024, ",^metadata_csum");
	test_stock(&s, 1024);
	stock_end(&s);
	return tap_done();
}
