/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes: units, times, kinds of map, what cannot be, and stock's stat. */
#include "ondisk/inode.h"

#include "tests/lib/stock_tree.h"

static struct geom geom_64k(void)
{
	struct geom g;

	memset(&g, 0, sizeof(g));
	g.block_bytes = 65536;
	g.inode_bytes = 256;
	g.inodes_per_group = 8192;
	return g;
}

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

static void test_counts(void)
{
	struct geom g = geom_64k();
	struct inode ino;
	u8 raw[256] = {0};

	put_le(raw + 0x00, 0100644, 2);
	put_le(raw + 0x04, 0x10, 4);
	put_le(raw + 0x6C, 0x2, 4);
	put_le(raw + 0x1A, 3, 2);
	put_le(raw + 0x1C, 1000, 4);
	put_le(raw + 0x74, 1, 2);
	raw[0x28] = 0x0A;
	raw[0x28 + 59] = 0xF3;
	inode_parse(span_of(raw, sizeof(raw)), &g, &ino);
	tap_is_u64(ino.mode, 0100644, "mode");
	tap_is_u64(ino.links, 3, "links");
	tap_is_u64(ino.file_bytes, 0x200000010, "size of 64 bits");
	tap_is_u64(ino.mapped_bytes, 512000, "sectors of 512");
	g.features.ro_compat = FEAT_RO_COMPAT_HUGE_FILE;
	inode_parse(span_of(raw, sizeof(raw)), &g, &ino);
	tap_is_u64(ino.mapped_bytes, ((1ull << 32) + 1000) * 512,
		   "huge_file: 48 bits");
	put_le(raw + 0x20, INODE_FLAG_HUGE, 4);
	inode_parse(span_of(raw, sizeof(raw)), &g, &ino);
	tap_is_u64(ino.mapped_bytes, ((1ull << 32) + 1000) * 65536,
		   "with the flag in blocks");
	tap_ok(ino.map[0] == 0x0A && ino.map[59] == 0xF3, "the whole map");
	inode_parse(span_of(raw, 0), &g, &ino);
	tap_ok(!ino.mode && !ino.file_bytes && !ino.map[0],
	       "a short span gives zeroes");
}

static void test_place(void)
{
	struct geom g = geom_64k();

	tap_is_u64(inode_group(&g, 1), 0, "inode 1 is in group 0");
	tap_is_u64(inode_group(&g, 8192), 0, "so is the last of it");
	tap_is_u64(inode_group(&g, 8193), 1, "the next is in group 1");
	tap_is_u64(inode_table_offset(&g, 8193), 0, "first in the table");
	tap_is_u64(inode_table_offset(&g, 8192), 8191 * 256, "last in it");
}


static void test_times(void)
{
	struct geom g = geom_64k();
	struct inode ino;
	u8 raw[256] = {0};

	put_le(raw + 0x08, 0x80000000, 4);
	put_le(raw + 0x0C, 0xFFFFFFFF, 4);
	put_le(raw + 0x90, 5, 4);
	inode_parse(span_of(raw, 256), &g, &ino);
	tap_ok(ino.atime.sec == INT32_MIN && ino.ctime.sec == -1 &&
		       !ino.crtime.sec,
	       "without extra fields: signed 32 bits, no creation time");
	put_le(raw + 0x80, 32, 2);
	put_le(raw + 0x8C, 2, 4);
	put_le(raw + 0x84, 3 | 999999999u << 2, 4);
	put_le(raw + 0x98, 7, 4);
	put_le(raw + 0x9C, 8, 4);
	inode_parse(span_of(raw, 256), &g, &ino);
	tap_is_u64((u64)ino.atime.sec, 0x180000000, "epoch 2");
	tap_is_u64(ino.ctime.nsec, 999999999, "nanoseconds");
	tap_is_u64(ino.version, 7ull << 32, "upper half of the version");
	tap_ok(ino.project == 8 && ino.crtime.sec == 5,
	       "project and creation time");
	put_le(raw + 0x80, 28, 2);
	inode_parse(span_of(raw, 256), &g, &ino);
	tap_is_u64(ino.project, 0, "a field that is not covered is 0");
	put_le(raw + 0x80, 0xFFFC, 2);
	inode_parse(span_of(raw, 256), &g, &ino);
	tap_is_u64(ino.project, 8, "an extra size beyond the inode is cut");
}

static void test_kinds(void)
{
	struct inode ino = {.mode = INODE_TYPE_SYMLINK, .file_bytes = 59};
	u32 major, minor;

	tap_ok(inode_map_kind(&ino) == INODE_MAP_FAST_SYMLINK, "59 bytes");
	ino.file_bytes = 60;
	tap_ok(inode_map_kind(&ino) == INODE_MAP_INDIRECT, "60 bytes");
	ino.file_bytes = 59;
	ino.flags = INODE_FLAG_EXTENTS;
	tap_ok(inode_map_kind(&ino) == INODE_MAP_EXTENTS, "with extents");
	ino.flags |= INODE_FLAG_INLINE_DATA;
	tap_ok(inode_map_kind(&ino) == INODE_MAP_INLINE, "inline");
	ino.mode = INODE_TYPE_CHAR;
	tap_ok(inode_map_kind(&ino) == INODE_MAP_NONE, "a device");
	put_le(ino.map, 0x0446, 4);
	inode_device(&ino, &major, &minor);
	tap_ok(major == 4 && minor == 70, "its old numbers");
	put_le(ino.map, 0, 4);
	put_le(ino.map + 4, 0x12345678, 4);
	inode_device(&ino, &major, &minor);
	tap_ok(major == 0x456 && minor == 0x12378, "its new numbers");
}

struct row {
	const char *name;
	u32 defects;
	struct inode ino;
};

#define DIR_ INODE_TYPE_DIR
#define REG_ INODE_TYPE_FILE
#define LNK_ INODE_TYPE_SYMLINK

/* On 64 KiB blocks with extents, huge_file and dir_index, 2^20 of them. */
static const struct row rows[] = {
	{"a file", 0, {.mode = REG_ | 0644, .links = 1, .file_bytes = 77}},
	{"no type", INODE_BAD_TYPE, {.mode = 0644}},
	{"odd extra size", INODE_BAD_EXTRA, {.mode = REG_, .extra_bytes = 30}},
	{"all extra size", 0, {.mode = REG_, .extra_bytes = 128}},
	{"too much of it", INODE_BAD_EXTRA, {.mode = REG_, .extra_bytes = 132}},
	{"deleted", INODE_BAD_DTIME, {.mode = REG_, .links = 1, .dtime = 5}},
	{"an orphan", 0, {.mode = REG_, .dtime = 5}},
	{"the largest", 0, {.mode = REG_, .file_bytes = 0xFFFFFFFFull << 16}},
	{"one more", INODE_BAD_SIZE,
	 {.mode = REG_, .file_bytes = (0xFFFFFFFFull << 16) + 1}},
	{"a directory", 0, {.mode = DIR_, .file_bytes = 65536}},
	{"an empty one", INODE_BAD_DIR_SIZE, {.mode = DIR_}},
	{"half a block", INODE_BAD_DIR_SIZE, {.mode = DIR_, .file_bytes = 512}},
	{"a huge one", INODE_BAD_SIZE_HI,
	 {.mode = DIR_, .file_bytes = 1ull << 32}},
	{"a symlink", 0, {.mode = LNK_, .file_bytes = 3, .map = "abc"}},
	{"its text is short", INODE_BAD_SYMLINK_TEXT,
	 {.mode = LNK_, .file_bytes = 4, .map = "abc"}},
	{"no target", INODE_BAD_SYMLINK_SIZE, {.mode = LNK_}},
	{"a long target", INODE_BAD_SYMLINK_SIZE,
	 {.mode = LNK_, .flags = INODE_FLAG_EXTENTS, .file_bytes = 65537}},
	{"a FIFO with a size", INODE_BAD_SPECIAL_SIZE,
	 {.mode = INODE_TYPE_FIFO, .file_bytes = 1}},
	{"xattrs in the last block", 0, {.mode = REG_, .file_acl = 0xFFFFF}},
	{"xattrs outside", INODE_BAD_FILE_ACL,
	 {.mode = REG_, .file_acl = 0x100000}},
	{"a billion", INODE_BAD_NSEC,
	 {.mode = REG_, .mtime = {.nsec = 1000000000}}},
	{"before 1970, old kernel", INODE_BAD_EPOCH,
	 {.mode = REG_, .crtime = {.sec = (3ll << 32) - 1}}},
	{"before 1970", 0, {.mode = REG_, .crtime = {.sec = -1}}},
	{"times of an EA inode", INODE_BAD_FLAG_FEATURE,
	 {.mode = REG_, .flags = INODE_FLAG_EA_INODE,
	  .atime = {.nsec = 1000000000}}},
	{"an index in a file", INODE_BAD_FLAG_TYPE,
	 {.mode = REG_, .flags = INODE_FLAG_INDEX}},
	{"inline data without its feature", INODE_BAD_FLAG_FEATURE,
	 {.mode = REG_, .flags = INODE_FLAG_INLINE_DATA}},
	{"inline data and extents", INODE_BAD_FLAG_FEATURE | INODE_BAD_FLAG_MAP,
	 {.mode = REG_, .flags = INODE_FLAG_INLINE_DATA | INODE_FLAG_EXTENTS}},
};

static void test_rows(void)
{
	struct geom g = geom_64k();
	struct inode ino = {.mode = REG_, .blocks_hi = 1};

	g.nr_blocks = 1 << 20;
	g.features = (struct features){FEAT_COMPAT_DIR_INDEX,
				       FEAT_INCOMPAT_EXTENTS,
				       FEAT_RO_COMPAT_HUGE_FILE};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		tap_is_u64(inode_check(&rows[i].ino, &g), rows[i].defects,
			   rows[i].name);
	tap_is_u64(inode_check(&ino, &g), 0, "48 bits of blocks");
	g.features.ro_compat = 0;
	tap_is_u64(inode_check(&ino, &g), INODE_BAD_BLOCKS_HI,
		   "without huge_file");
	tap_ok(inode_is_file(&ino) && !inode_is_dir(&ino), "a file");
	g.block_bytes = 1024;
	tap_is_u64(inode_size_max(&g, INODE_MAP_INDIRECT),
		   (12 + 256 + 65536 + 16777216ull) * 1024,
		   "what a block map of 1 KiB reaches");
}

/* debugfs stat, and no defect in any inode. */
static void test_stock(struct stock *s, u32 bs)
{
	struct inode ino;
	u32 major, minor, nr_bad = 0;

	tree_make(s, bs, "");
	for (u32 i = 1; i <= s->g.nr_inodes; i++) {
		ino = stock_inode(s, i);
		if (ino.mode && inode_check(&ino, &s->g)) {
			printf("# inode %u: %x\n", i, inode_check(&ino, &s->g));
			nr_bad++;
		}
	}
	tap_is_u64(nr_bad, 0, "stock's inodes have no defect");
	tap_is_u64(s->g.first_ino, 11, "the first that is not reserved");
	tap_ok(inode_is_intact(stock_inode_raw(s, 2), &s->sb, &s->g, 2) &&
		       !inode_is_intact(stock_inode_raw(s, 2), &s->sb, &s->g, 3),
	       "the root is intact, but only as the root");
	ino = stock_inode(s, stock_ino(s, "/small"));
	tap_is_u64((u64)ino.atime.sec, 0x17fffffff, "a time after 2038");
	tap_is_u64(ino.links, stock_number(s, "stat /small", "Links: ", 10),
		   "links");
	tap_is_u64(ino.nr_blocks,
		   stock_number(s, "stat /small", "Blockcount: ", 10),
		   "blocks");
	tap_is_u64((u64)ino.crtime.sec,
		   stock_number(s, "stat /small", "crtime: 0x", 16),
		   "creation time");
	ino = stock_inode(s, stock_ino(s, "/holes"));
	tap_is_u64(ino.file_acl,
		   stock_number(s, "stat /holes", "File ACL: ", 10), "xattrs");
	ino = stock_inode(s, stock_ino(s, "/fast"));
	tap_ok(inode_map_kind(&ino) == INODE_MAP_FAST_SYMLINK &&
		       !strcmp((char *)ino.map, "target"), "a fast symlink");
	ino = stock_inode(s, stock_ino(s, "/slow"));
	tap_ok(inode_map_kind(&ino) == INODE_MAP_EXTENTS, "a slow one");
	ino = stock_inode(s, stock_ino(s, "/dev"));
	inode_device(&ino, &major, &minor);
	tap_ok(major == 4 && minor == 70, "a device");
	ino = stock_inode(s, stock_ino(s, "/wide"));
	inode_device(&ino, &major, &minor);
	tap_ok(major == 300 && minor == 1000, "one with large numbers");
}

int main(void)
{
	struct stock s;

	test_counts();
	test_place();
	test_times();
	test_kinds();
	test_rows();
	stock_start(&s);
	test_stock(&s, 1024);
	test_stock(&s, 65536);
	stock_end(&s);
	return tap_done();
}
