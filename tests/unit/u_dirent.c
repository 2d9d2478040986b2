/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directory blocks: lengths at all block sizes, every defect alone, the way
 * back into a damaged block, and what debugfs lists.
 */
#include "ondisk/dirent.h"

#include "tests/lib/stock_tree.h"

enum { BLOCK = 65536 };

static const struct dirent_rules plain = {
	.block_bytes = 1024,
	.nr_inodes = 1000,
	.first_ino = 11,
	.filetype = true,
};

static void put_le(u8 *at, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		at[i] = (u8)value;
}

/* Writes an entry; the next one's offset. */
static u32 put(u8 *block, u32 off, u32 ino, u32 rec, const char *name)
{
	put_le(block + off, ino, 4);
	put_le(block + off + 4, rec, 2);
	block[off + 6] = (u8)strlen(name);
	block[off + 7] = 1;
	memcpy(block + off + 8, name, strlen(name));
	return off + rec;
}

static void test_lengths(void)
{
	static const u32 sizes[] = {1024, 4096, 32768, 65536};
	bool same = true;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (u32 rec = 12; rec <= sizes[i]; rec += 4)
			same &= dirent_rec_decode(dirent_rec_encode(rec),
						  sizes[i]) == rec;
	tap_ok(same, "every length comes back");
	tap_is_u64(dirent_rec_encode(65536), 0xFFFF, "64 KiB is 65535");
	tap_is_u64(dirent_rec_decode(0, 65536), 65536, "or 0");
	tap_is_u64(dirent_rec_decode(0, 4096), 0, "but not in small blocks");
	tap_ok(dirent_rec_decode(0xFFFD, 65536) > 65536,
	       "a strange one is out of range");
	tap_is_u64(dirent_need_bytes(&plain, 1), 12, "a name of 1 byte");
	tap_is_u64(dirent_need_bytes(&plain, 255), 264, "of 255 bytes");
}

struct row {
	const char *name;
	u32 defects;
	u32 ino, rec;
	const char *text;
};

static const struct row rows[] = {
	{"an entry", 0, 12, 16, "abc"},
	{"the last inode", 0, 1000, 16, "abc"},
	{"the root", 0, 2, 16, "abc"},
	{"up to the end", 0, 12, 1024, "abc"},
	{"too short", DIRENT_BAD_REC_LEN, 12, 8, "abc"},
	{"length 0", DIRENT_BAD_REC_LEN, 12, 0, "abc"},
	{"odd", DIRENT_BAD_REC_LEN, 12, 17, "abc"},
	{"beyond the end", DIRENT_BAD_REC_LEN, 12, 1028, "abc"},
	{"too close to the end", DIRENT_BAD_REC_LEN, 12, 1016, "abc"},
	{"free and beyond the end", DIRENT_BAD_REC_LEN, 0, 1028, "abc"},
	{"name longer than the entry", DIRENT_BAD_NAME_LEN, 12, 16, "abcdefghi"},
	{"no name", DIRENT_BAD_NAME_LEN, 12, 16, ""},
	{"free without a name", 0, 0, 16, ""},
	{"a slash", DIRENT_BAD_NAME, 12, 16, "a/c"},
	{"no such inode", DIRENT_BAD_INO, 1001, 16, "abc"},
	{"a reserved inode", DIRENT_BAD_RESERVED, 8, 16, "abc"},
	{"a dot", DIRENT_BAD_DOT, 12, 16, "."},
	{"two dots", DIRENT_BAD_DOT, 12, 16, ".."},
	{"three dots", 0, 12, 16, "..."},
};

static void test_rows(void)
{
	u8 block[1024];
	struct dirent_iter it;
	struct dirent d;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];

		memset(block, 0, sizeof(block));
		put(block, 0, r->ino, r->rec, r->text);
		dirent_iter_init(&it, span_of(block, 1024), &plain, false);
		if (!dirent_next(&it, &d))
			exit(1);
		tap_is_u64(d.defects, r->defects & (r->ino ? ~0u : 1),
			   r->name);
	}
	put(block, 0, 12, 1024, "a\n");
	block[9] = 0;
	dirent_iter_init(&it, span_of(block, 1024), &plain, false);
	tap_ok(dirent_next(&it, &d) && d.defects == DIRENT_BAD_NAME,
	       "a name with a 0");
	block[9] = 'b';
	block[7] = 8;
	dirent_iter_init(&it, span_of(block, 1024), &plain, false);
	tap_ok(dirent_next(&it, &d) && d.defects == DIRENT_BAD_TYPE,
	       "no such type");
}

/* Encrypted and casefolded: a hash pair, any bytes; old: long lengths. */
static void test_kinds(void)
{
	struct dirent_rules rules = plain;
	u8 block[1024] = {0};
	struct dirent_iter it;
	struct dirent d;

	rules.hashed = rules.encrypted = true;
	put(block, 0, 12, 16, "a/c");
	dirent_iter_init(&it, span_of(block, 1024), &rules, false);
	tap_ok(dirent_next(&it, &d) && d.defects == DIRENT_BAD_NAME_LEN,
	       "no room for the hash");
	put(block, 0, 12, 1024, "a/c");
	dirent_iter_init(&it, span_of(block, 1024), &rules, false);
	tap_ok(dirent_next(&it, &d) && !d.defects,
	       "any byte in an encrypted name");
	put(block, put(block, 0, 12, 12, "."), 2, 1012, "..");
	dirent_iter_init(&it, span_of(block, 1024), &rules, true);
	tap_ok(dirent_next(&it, &d) && !d.defects && dirent_next(&it, &d) &&
		       !d.defects,
	       "dots have no hash");
	rules = plain;
	rules.filetype = false;
	put(block, 0, 12, 1024, "abc");
	dirent_iter_init(&it, span_of(block, 1024), &rules, false);
	tap_ok(dirent_next(&it, &d) && d.defects == DIRENT_BAD_NAME_LEN,
	       "without types a length of 256 + 3");
}

static void test_dots(void)
{
	u8 block[1024] = {0};
	struct dir_dots dots;

	put(block, put(block, 0, 12, 12, "."), 2, 1012, "..");
	block[7] = block[19] = 2;
	dots = dirent_dots(span_of(block, 1024), &plain, 12);
	tap_ok(!dots.defects && dots.parent_ino == 2, "a fine pair");
	dots = dirent_dots(span_of(block, 1024), &plain, 13);
	tap_is_u64(dots.defects, DIR_DOT_BAD_INO, "another directory's");
	put_le(block + 12, 2000, 4);
	dots = dirent_dots(span_of(block, 1024), &plain, 12);
	tap_ok(dots.defects == DIR_DOTDOT_BAD_INO && !dots.parent_ino,
	       "no such parent");
	put_le(block + 12, 2, 4);
	put_le(block + 4, 0, 2);
	dots = dirent_dots(span_of(block, 1024), &plain, 12);
	tap_ok(dots.defects == DIR_DOT_BAD_REC_LEN && dots.parent_ino == 2,
	       "a broken dot still leads to its parent");
	put_le(block + 4, 24, 2);
	dots = dirent_dots(span_of(block, 1024), &plain, 12);
	tap_ok(dots.defects == DIR_DOT_BAD_REC_LEN && dots.parent_ino == 2,
	       "a long dot too");
	memset(block, 0, sizeof(block));
	dots = dirent_dots(span_of(block, 1024), &plain, 12);
	tap_is_u64(dots.defects, DIR_DOT_MISSING | DIR_DOTDOT_MISSING,
		   "nothing at all");
}

/* Names found in a block of 64 KiB, walking over what is broken. */
static u32 count_names(const u8 *block, const struct dirent_rules *rules)
{
	struct dirent_iter it;
	struct dirent d;
	u32 nr = 0;

	dirent_iter_init(&it, span_of(block, BLOCK), rules, false);
	do {
		while (dirent_next(&it, &d))
			nr += d.ino && !(d.defects & DIRENT_BAD_REC_LEN);
	} while (it.broken && dirent_resync(&it));
	return nr;
}

static void test_resync(void)
{
	struct dirent_rules rules = plain;
	u8 *block = calloc(1, BLOCK);
	u32 off = 0, nr = 0;
	struct dirent_iter it;
	struct dirent d;

	if (!block)
		exit(1);
	rules.block_bytes = BLOCK;
	for (; off + 400 < BLOCK; nr++) {
		char name[40];

		snprintf(name, sizeof(name), "a name of some length %u", nr);
		off = put(block, off, 12 + nr % 900, 40, name);
	}
	put(block, off, 12, BLOCK - off, "last");
	nr++;
	tap_is_u64(count_names(block, &rules), nr, "all names of a fine block");
	put_le(block + 4, 0, 2);
	tap_is_u64(count_names(block, &rules), 1,
		   "length 0 at first is 64 KiB, so it hides all");
	dirent_iter_init(&it, span_of(block, BLOCK), &rules, false);
	tap_ok(dirent_next(&it, &d) && d.defects == DIRENT_ZERO_REC_LEN &&
		       dirent_find(&it, 4, BLOCK) == 40,
	       "which is noticed, and what is hidden is found");
	put_le(block + 4, 40, 2);
	for (u32 i = 1; i <= 10; i++)
		put_le(block + i * 4000 + 4, i * 7777 | 1, 2);
	tap_is_u64(count_names(block, &rules), nr - 10,
		   "ten broken lengths lose ten names");
	memset(block + 20000, 0xA5, 4096);
	tap_ok(count_names(block, &rules) > nr - 120,
	       "a page of noise loses that page");
	memset(block, 0x41, BLOCK);
	tap_is_u64(count_names(block, &rules), 0, "nothing in only noise");
	free(block);
}

static void test_tails(void)
{
	struct dirent_rules rules = plain;
	u8 block[1024] = {0};
	struct dirent_iter it;
	struct dirent d;

	rules.has_tail = true;
	put(block, 0, 12, 1012, "abc");
	put(block, 1012, 0, 12, "");
	tap_ok(!dirent_has_tail(span_of(block, 1024)), "a free entry is none");
	block[1019] = DIRENT_TAIL_TYPE;
	tap_ok(dirent_has_tail(span_of(block, 1024)), "a tail");
	tap_ok(!dirent_has_tail(span_of(block, 8)), "a short block has none");
	dirent_iter_init(&it, span_of(block, 1024), &rules, false);
	tap_ok(dirent_next(&it, &d) && !d.defects && !dirent_next(&it, &d),
	       "the walk ends before it");
	put_le(block + 4, 1024, 2);
	dirent_iter_init(&it, span_of(block, 1024), &rules, false);
	tap_ok(dirent_next(&it, &d) && d.defects == DIRENT_BAD_REC_LEN &&
		       d.name_len == 3 && !dirent_next(&it, &d) &&
		       !dirent_resync(&it),
	       "an entry over the tail is broken, its name is known");
	put(block, put(block, 0, 12, 12, "."), 2, 1012, "..");
	rules.indexed = true;
	dirent_iter_init(&it, span_of(block, 1024), &rules, true);
	tap_ok(dirent_next(&it, &d) && dirent_next(&it, &d) && !d.defects,
	       "the root of an htree may end in an old tail");
	put(block, 0, 0, 1024, "");
	dirent_iter_init(&it, span_of(block, 1024), &rules, false);
	tap_ok(dirent_next(&it, &d) && !d.defects && !dirent_next(&it, &d),
	       "so may an inner node");
}

/* The next line about an entry in use; inner htree nodes are listed too. */
static bool next_line(FILE *in, char *line, int room)
{
	while (fgets(line, room, in))
		if (line[0] == '/' && strncmp(line, "/0/", 3) != 0)
			return true;
	return false;
}

/* The same names with the same inodes in the same order. */
static void test_stock(struct stock *s, u32 bs, const char *path)
{
	struct inode dir = stock_inode(s, stock_ino(s, path));
	struct dirent_rules rules = dirent_rules_of(&s->g, &dir);
	char request[100], line[1024], want[1024];
	u32 nr = 0, nr_same = 0, nr_bad = 0;
	FILE *in;

	snprintf(request, sizeof(request), "ls -p %s", path);
	in = stock_ask(s, request);
	for (u32 lblk = 0; lblk < dir.file_bytes / bs; lblk++) {
		struct dirent_iter it;
		struct dirent d;

		dirent_iter_init(&it, stock_block(s, stock_map(s, &dir, lblk)),
				 &rules, !lblk);
		while (dirent_next(&it, &d)) {
			nr_bad += d.defects != 0;
			if (!d.ino || !next_line(in, line, sizeof(line)))
				continue;
			nr++;
			snprintf(want, sizeof(want), "/%u/%06o/0/0/%.*s/",
				 d.ino, stock_inode(s, d.ino).mode, d.name_len,
				 (const char *)d.name);
			nr_same += !strncmp(line, want, strlen(want));
		}
	}
	tap_ok(nr_same == nr && nr > 2 && !nr_bad, path);
	printf("# %u: %u of %u entries as debugfs lists them\n", bs, nr_same,
	       nr);
	tap_ok(!next_line(in, line, sizeof(line)), "and no others");
	pclose(in);
}

int main(void)
{
	static const u32 sizes[] = {1024, 4096, 16384, 65536};
	struct stock s;

	test_lengths();
	test_rows();
	test_kinds();
	test_dots();
	test_resync();
	test_tails();
	stock_start(&s);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		tree_make(&s, sizes[i], i % 2 ? ",^metadata_csum" : "");
		test_stock(&s, sizes[i], "/");
		test_stock(&s, sizes[i], "/htree");
	}
	stock_end(&s);
	return tap_done();
}
