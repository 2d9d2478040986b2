/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Xattrs: every defect alone, hashes, and what debugfs lists and reads, in
 * inodes, in blocks and in EA inodes.
 */
#include "ondisk/xattr.h"

#include "tests/lib/stock_tree.h"

static const struct geom geom = {
	.nr_inodes = 1000,
	.first_ino = 11,
	.features = {.incompat = FEAT_INCOMPAT_EA_INODE},
};

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

struct row {
	const char *name;
	u32 defects;
	u8 index;
	const char *text;
	u32 off, bytes, ino;
};

/* The second entry of a block of 1 KiB; the first is user.b at 1000..1009. */
static const struct row rows[] = {
	{"a value below it", 0, 1, "c", 996, 4, 0},
	{"no value", 0, 1, "c", 0, 0, 0},
	{"no such prefix", XATTR_BAD_INDEX, 11, "c", 996, 4, 0},
	{"no name", XATTR_BAD_NAME, 4, "", 996, 4, 0},
	{"an ACL has no name", 0, 2, "", 996, 4, 0},
	{"a value in the table", XATTR_BAD_VALUE, 1, "c", 72, 4, 0},
	{"right behind the table", 0, 1, "c", 76, 4, 0},
	{"up to the end", 0, 1, "c", 1012, 12, 0},
	{"beyond the end", XATTR_BAD_VALUE, 1, "c", 1012, 13, 0},
	{"a size that overflows", XATTR_BAD_VALUE, 1, "c", 996, ~0u, 0},
	{"the other's value", XATTR_BAD_OVERLAP, 1, "c", 1000, 10, 0},
	{"the other's last bytes", XATTR_BAD_OVERLAP, 1, "c", 1008, 4, 0},
	{"not sorted", XATTR_BAD_ORDER, 1, "a", 996, 4, 0},
	{"twice", XATTR_BAD_ORDER, 1, "b", 996, 4, 0},
	{"an EA inode", 0, 1, "c", 0, 70000, 12},
	{"a reserved one", XATTR_BAD_EA_INO, 1, "c", 0, 70000, 10},
	{"no such one", XATTR_BAD_EA_INO, 1, "c", 0, 70000, 1001},
	{"too large", XATTR_BAD_EA_SIZE, 1, "c", 0, (16 << 20) + 1, 12},
	{"at an offset", XATTR_BAD_EA_SIZE, 1, "c", 4, 70000, 12},
};

static void put_entry(u8 *at, const struct row *r)
{
	at[0] = (u8)strlen(r->text);
	at[1] = r->index;
	put_le(at + 2, r->off, 2);
	put_le(at + 4, r->ino, 4);
	put_le(at + 8, r->bytes, 4);
	memcpy(at + 16, r->text, strlen(r->text));
}

static void make_block(u8 *block, const struct row *second)
{
	static const struct row first = {"", 0, 1, "b", 1000, 10, 0};

	memset(block, 0, 1024);
	put_le(block, 0xEA020000, 4);
	put_le(block + 4, 1, 4);
	put_le(block + 8, 1, 4);
	put_entry(block + 32, &first);
	put_entry(block + 52, second);
}

static void test_rows(void)
{
	struct xattr_area area;
	struct xattr_iter it;
	struct xattr_entry e;
	u8 block[1024];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		make_block(block, &rows[i]);
		xattr_block_parse(span_of(block, 1024), &area);
		xattr_iter_init(&it, &area, &geom);
		if (area.defects || !xattr_next(&it, &e) || e.defects ||
		    !xattr_next(&it, &e))
			exit(1);
		tap_ok(e.defects == rows[i].defects && !xattr_next(&it, &e),
		       rows[i].name);
	}
}

static void test_areas(void)
{
	struct xattr_area area;
	struct xattr_iter it;
	struct xattr_entry e;
	u8 block[1024], *inode = block;

	make_block(block, &rows[0]);
	put_le(block + 4, 1025, 4);
	xattr_block_parse(span_of(block, 1024), &area);
	tap_is_u64(area.defects, XATTR_BAD_REFCOUNT, "too many references");
	put_le(block + 4, 1024, 4);
	put_le(block + 8, 2, 4);
	xattr_block_parse(span_of(block, 1024), &area);
	tap_is_u64(area.defects, XATTR_BAD_NR_BLKS, "two blocks");
	xattr_block_parse(span_of(block, 50), &area);
	tap_ok(area.defects & XATTR_BAD_TABLE, "the table runs out");
	block[0] = 1;
	xattr_block_parse(span_of(block, 1024), &area);
	xattr_iter_init(&it, &area, &geom);
	tap_ok(area.defects == XATTR_BAD_MAGIC && !xattr_next(&it, &e),
	       "no magic, no entries");
	memset(inode, 0, 256);
	put_le(inode + 160, 0xEA020000, 4);
	put_entry(inode + 164, &(struct row){"", 0, 1, "x", 88, 4, 0});
	xattr_inode_parse(span_of(inode, 256), 32, &area);
	xattr_iter_init(&it, &area, &geom);
	tap_ok(area.present && !area.defects && xattr_next(&it, &e) &&
		       !e.defects && e.value.bytes == inode + 252,
	       "in an inode offsets count from the first entry");
	xattr_inode_parse(span_of(inode, 256), 28, &area);
	tap_ok(!area.present, "elsewhere is no magic");
	xattr_inode_parse(span_of(inode, 256), 0xFFFF, &area);
	tap_ok(!area.present, "an extra size beyond the inode");
	xattr_inode_parse(span_of(inode, 128), 32, &area);
	tap_ok(!area.present, "an inode of 128 bytes has none");
}

static void test_hashes(void)
{
	struct xattr_area area = {.is_block = true};
	struct xattr_entry e = {.name = (const u8 *)"\xC3", .name_len = 1};

	e.value = span_of("abcde", 5);
	e.hash = xattr_hash(&e, 0, false);
	/* 0xC3, turned by 16, with "abcd"; turned by 16, with "e". */
	tap_is_u64(e.hash, 0x626164C5, "a hash");
	tap_ok(xattr_hash_ok(&area, &e, 0), "it fits");
	e.hash = xattr_hash(&e, 0, true);
	tap_ok(e.hash != xattr_hash(&e, 0, false) && xattr_hash_ok(&area, &e, 0),
	       "the signed form fits too");
	e.hash ^= 1;
	tap_ok(!xattr_hash_ok(&area, &e, 0), "another does not");
	e.hash = 0;
	tap_ok(!xattr_hash_ok(&area, &e, 0), "nor none in a block");
	area.is_block = false;
	tap_ok(xattr_hash_ok(&area, &e, 0), "but none in an inode");
}

static const char *prefix(u8 index)
{
	return index == 1 ? "user." : index == 4 ? "trusted." : "?";
}

struct listing {
	u32 nr, nr_same, nr_bad;
};

static u32 value_crc(const struct stock *s, const struct xattr_entry *e)
{
	struct inode ea;

	if (!e->value_ino)
		return 0;
	ea = stock_inode(s, e->value_ino);
	return ea.file_bytes == e->value_bytes ? xattr_ea_inode(&ea).value_crc
					       : 0;
}

/* Every entry is a line "  user.a (7)..." of debugfs. */
static void compare(const struct stock *s, const struct xattr_area *area,
		    const char *text, struct listing *l)
{
	struct xattr_iter it;
	struct xattr_entry e;
	char want[300];

	xattr_iter_init(&it, area, &s->g);
	l->nr_bad += area->defects != 0;
	while (xattr_next(&it, &e)) {
		snprintf(want, sizeof(want), "  %s%.*s (%u)", prefix(e.index),
			 e.name_len, (const char *)e.name, e.value_bytes);
		l->nr++;
		l->nr_same += strstr(text, want) != NULL;
		l->nr_bad += e.defects ||
			     !xattr_hash_ok(area, &e, value_crc(s, &e));
	}
}

static void test_stock(struct stock *s, const char *path, u32 nr, u32 nr_block)
{
	u32 ino = stock_ino(s, path);
	struct inode inode = stock_inode(s, ino);
	struct listing l = {0};
	struct xattr_area area;
	char request[100], text[4096] = "";
	FILE *in;

	snprintf(request, sizeof(request), "ea_list %s", path);
	in = stock_ask(s, request);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	pclose(in);
	xattr_inode_parse(stock_inode_raw(s, ino), inode.extra_bytes, &area);
	compare(s, &area, text, &l);
	tap_is_u64(l.nr, nr - nr_block, "entries in the inode");
	if (nr_block) {
		xattr_block_parse(stock_block(s, inode.file_acl), &area);
		compare(s, &area, text, &l);
	}
	tap_ok(l.nr == nr && l.nr_same == nr && !l.nr_bad, path);
}

/* The kernel's block hash needs no kernel: entries that all have a hash. */
static void test_block_hash(void)
{
	struct xattr_area area;
	u8 block[1024];

	make_block(block, &rows[0]);
	put_le(block + 32 + 12, 0x11223344, 4);
	xattr_block_parse(span_of(block, 1024), &area);
	tap_is_u64(xattr_block_hash(&area), 0, "an entry without: 0");
	put_le(block + 52 + 12, 0x55667788, 4);
	tap_is_u64(xattr_block_hash(&area), 0x33441122 ^ 0x55667788,
		   "the hash of a block");
}

int main(void)
{
	static const u32 sizes[] = {1024, 4096, 16384, 65536};
	struct stock s;

	test_rows();
	test_areas();
	test_hashes();
	test_block_hash();
	stock_start(&s);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		tree_make(&s, sizes[i], i % 2 ? ",^metadata_csum" : "");
		test_stock(&s, "/small", 1, 0);
		test_stock(&s, "/holes", 4, 2);
		test_stock(&s, "/sub", 2, 1);
	}
	stock_end(&s);
	return tap_done();
}
