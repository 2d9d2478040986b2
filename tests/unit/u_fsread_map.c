/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps of files: trees and indirect blocks, sound, damaged and endless. */
#include "fsread/map.h"

#include <limits.h>
#include <unistd.h>

#include "ondisk/extent.h"
#include "tests/lib/jlog.h"
#include "tests/lib/tap.h"

enum { BS = 1024, NR = 2000, NR_FILE = 1500 };

static char path[200];
static u8 disk[NR_FILE * BS];
static struct geom g = {.block_bytes = BS, .cluster_bytes = BS,
			.cluster_blks = 1, .first_data_blk = 1,
			.nr_blocks = NR};
static struct inode ino;
static struct fsread_map map;

static u8 *block(u32 blk)
{
	return disk + (size_t)blk * BS;
}

static void start(u32 flags)
{
	memset(disk, 0, sizeof(disk));
	ino = (struct inode){.mode = INODE_TYPE_FILE, .flags = flags};
}

static void head(u8 *node, u32 entries, u32 max, u32 depth)
{
	jlog_put_le(node, 0xF30A, 2);
	jlog_put_le(node + 2, entries, 2);
	jlog_put_le(node + 4, max, 2);
	jlog_put_le(node + 6, depth, 2);
}

static void leaf(u8 *node, u32 i, u32 lblk, u32 len, u64 pblk)
{
	u8 *at = node + 12 + (size_t)i * 12;

	jlog_put_le(at, lblk, 4);
	jlog_put_le(at + 4, len, 2);
	jlog_put_le(at + 6, pblk >> 32, 2);
	jlog_put_le(at + 8, pblk, 4);
}

static void idx(u8 *node, u32 i, u32 lblk, u64 pblk)
{
	u8 *at = node + 12 + (size_t)i * 12;

	jlog_put_le(at, lblk, 4);
	jlog_put_le(at + 4, pblk, 4);
	jlog_put_le(at + 8, pblk >> 32, 2);
}

/* Writes the disk and reads the map of ino. */
static bool read_map(void)
{
	struct image *img = NULL;
	struct fsread fs = {NULL, &g};
	FILE *f = fopen(path, "w");
	errcode_t rc;

	if (!f || fwrite(disk, BS, NR_FILE, f) != NR_FILE || fclose(f) ||
	    image_open(path, IMAGE_READ, &img)) {
		printf("Bail out! cannot make %s\n", path);
		exit(1);
	}
	fs.img = img;
	rc = fsread_map(&fs, &ino, &map);
	image_close(img);
	return !rc;
}

/* Reads, compares the runs as text, forgets. */
static void is_map(const char *name, u32 defects, const char *runs)
{
	char text[4096] = "";
	size_t at = 0;

	if (!read_map())
		printf("Bail out! no map\n");
	for (size_t i = 0; i < map.runs.nr && at < sizeof(text) - 64; i++) {
		const struct run *r = &map.runs.at[i];

		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s%" PRIu64 ":%" PRIu64 "+%" PRIu64 "%s",
				       i ? " " : "", r->lblk, r->pblk,
				       r->nr_blks, r->unwritten ? "u" : "");
	}
	tap_is_str(text, runs, name);
	tap_is_u64(map.defects, defects, "... and what is wrong with it");
	fsread_map_done(&map);
}

static void test_root(void)
{
	start(INODE_FLAG_EXTENTS);
	head(ino.map, 4, 4, 0);
	leaf(ino.map, 0, 0, 5, 100);
	leaf(ino.map, 1, 5, 5, 105);
	leaf(ino.map, 2, 10, 32768 + 3, 110);
	leaf(ino.map, 3, 20, 1, 90);
	is_map("runs that go on are joined", 0, "0:100+10 10:110+3u 20:90+1");
	leaf(ino.map, 1, 4, 5, 105);
	is_map("an overlap is left out", FSREAD_MAP_ENTRY,
	       "0:100+5 10:110+3u 20:90+1");
	leaf(ino.map, 1, 5, 0, 105);
	is_map("so is one of no blocks", FSREAD_MAP_ENTRY,
	       "0:100+5 10:110+3u 20:90+1");
	leaf(ino.map, 1, 5, 5, NR - 4);
	is_map("and one that leaves the filesystem", FSREAD_MAP_ENTRY,
	       "0:100+5 10:110+3u 20:90+1");
	head(ino.map, 4, 4, 6);
	is_map("too deep", FSREAD_MAP_NODE, "");
	ino.map[0] = 0;
	is_map("no magic", FSREAD_MAP_NODE, "");
	ino.flags = INODE_FLAG_INLINE_DATA;
	is_map("contents in the inode", FSREAD_MAP_NONE, "");
	ino = (struct inode){.mode = INODE_TYPE_CHAR};
	is_map("a device", FSREAD_MAP_NONE, "");
}

/* Root, two index blocks, a leaf each and one more. */
static void make_tree(void)
{
	start(INODE_FLAG_EXTENTS);
	head(ino.map, 2, 4, 2);
	idx(ino.map, 0, 0, 10);
	idx(ino.map, 1, 100, 11);
	head(block(10), 2, 84, 1);
	idx(block(10), 0, 0, 12);
	idx(block(10), 1, 50, 13);
	head(block(11), 1, 84, 1);
	idx(block(11), 0, 100, 14);
	head(block(12), 1, 84, 0);
	leaf(block(12), 0, 0, 50, 200);
	head(block(13), 1, 84, 0);
	leaf(block(13), 0, 50, 50, 250);
	head(block(14), 1, 84, 0);
	leaf(block(14), 0, 100, 7, 400);
}

static void test_tree(void)
{
	make_tree();
	is_map("a tree", 0, "0:200+100 100:400+7");
	make_tree();
	if (!read_map())
		printf("Bail out! no map\n");
	tap_ok(map.nr_map_blks == 5 && map.nr_blks == 107, "counts");
	fsread_map_done(&map);
	make_tree();
	idx(block(11), 0, 100, 13);
	is_map("a leaf of two parents", FSREAD_MAP_TWICE, "0:200+100");
	make_tree();
	head(block(13), 1, 84, 1);
	is_map("a leaf that says it is an index", FSREAD_MAP_NODE,
	       "0:200+50 100:400+7");
	make_tree();
	leaf(block(12), 0, 0, 60, 200);
	is_map("a leaf beyond its parent's range", FSREAD_MAP_ENTRY,
	       "50:250+50 100:400+7");
	make_tree();
	leaf(block(13), 0, 40, 60, 250);
	is_map("a leaf before its parent's range", FSREAD_MAP_ENTRY,
	       "0:200+50 100:400+7");
	make_tree();
	idx(ino.map, 1, 100, NR_FILE + 1);
	is_map("a node that the image lacks", FSREAD_MAP_UNREADABLE,
	       "0:200+100");
	make_tree();
	idx(ino.map, 1, 100, NR + 1);
	is_map("a node outside the filesystem", FSREAD_MAP_ENTRY, "0:200+100");
}

static void test_endless(void)
{
	start(INODE_FLAG_EXTENTS);
	head(ino.map, 4, 4, 5);
	for (u32 i = 0; i < 4; i++)
		idx(ino.map, i, i, 10);
	/* Four levels of nodes that all lead to the same ones. */
	for (u32 depth = 4; depth > 0; depth--) {
		head(block(14 - depth), 84, 84, depth);
		for (u32 i = 0; i < 84; i++)
			idx(block(14 - depth), i, i, 15 - depth);
	}
	head(block(14), 1, 84, 0);
	leaf(block(14), 0, 0, 1, 99);
	if (!read_map())
		printf("Bail out! no map\n");
	tap_ok(map.defects & FSREAD_MAP_TWICE && map.nr_map_blks == 5 &&
	       map.nr_blks == 1, "each node is read once");
	fsread_map_done(&map);
	start(INODE_FLAG_EXTENTS);
	head(ino.map, 1, 4, 1);
	idx(ino.map, 0, 0, 10);
	head(block(10), 1, 84, 1);
	idx(block(10), 0, 0, 10);
	is_map("a node that leads to itself", FSREAD_MAP_NODE, "");
}

static void test_indirect(void)
{
	u32 ptrs = BS / 4;
	char want[200];

	start(0);
	for (u32 i = 0; i < 12; i++)
		jlog_put_le(ino.map + i * 4, 300 + i, 4);
	jlog_put_le(ino.map + 4, 0, 4);
	jlog_put_le(ino.map + 12 * 4, 20, 4);
	jlog_put_le(block(20), 312, 4);
	jlog_put_le(block(20) + BS - 4, 500, 4);
	jlog_put_le(ino.map + 13 * 4, 21, 4);
	jlog_put_le(block(21), 22, 4);
	jlog_put_le(block(22), 501, 4);
	jlog_put_le(ino.map + 14 * 4, 23, 4);
	jlog_put_le(block(23) + 4, 24, 4);
	jlog_put_le(block(24), 25, 4);
	jlog_put_le(block(25) + 8, 600, 4);
	snprintf(want, sizeof(want), "0:300+1 2:302+11 %u:500+2 %u:600+1",
		 11 + ptrs,
		 12 + ptrs + ptrs * ptrs + ptrs * ptrs + 2);
	is_map("three levels, with holes", 0, want);
	jlog_put_le(block(20) + BS - 4, NR, 4);
	jlog_put_le(block(24), 24, 4);
	snprintf(want, sizeof(want), "0:300+1 2:302+11 %u:501+1", 12 + ptrs);
	is_map("a pointer outside, and one to its own block",
	       FSREAD_MAP_ENTRY | FSREAD_MAP_TWICE, want);
	jlog_put_le(ino.map + 13 * 4, NR_FILE + 1, 4);
	jlog_put_le(ino.map + 14 * 4, 1, 4);
	jlog_put_le(ino.map + 12 * 4, 0, 4);
	is_map("a map block that the image lacks, and the superblock's",
	       FSREAD_MAP_ENTRY | FSREAD_MAP_UNREADABLE, "0:300+1 2:302+10");
}

static void test_backup(void)
{
	struct super sb;
	struct inode found;

	memset(&sb, 0, sizeof(sb));
	tap_ok(!fsread_journal_backup(&sb, &found), "no copy of the journal's map");
	sb.jnl_backup_type = 1;
	head(sb.jnl_blocks, 1, 4, 0);
	leaf(sb.jnl_blocks, 0, 0, 5, 77);
	jlog_put_le(sb.jnl_blocks + 64, 5 * BS, 4);
	tap_ok(fsread_journal_backup(&sb, &found) &&
	       found.file_bytes == 5 * BS &&
	       found.flags == INODE_FLAG_EXTENTS, "one with extents");
	ino = found;
	is_map("its map", 0, "0:77+5");
	memset(sb.jnl_blocks, 0, 60);
	jlog_put_le(sb.jnl_blocks, 88, 4);
	tap_ok(fsread_journal_backup(&sb, &found) && !found.flags,
	       "one without");
	ino = found;
	is_map("its map", 0, "0:88+1");
}

/* A filesystem of stock's: the journal's inode, and numbers that are none. */
static void test_inode(void)
{
	char cmd[1024];
	u8 raw[SUPER_BYTES];
	struct image *img = NULL;
	struct super sb;
	struct geom real;
	struct fsread fs = {NULL, &real};
	struct inode found_ino, backup;
	bool found;

	snprintf(cmd, sizeof(cmd),
		 "PATH=$PATH:/usr/sbin:/sbin; rm -f %s; truncate -s 64M %s && "
		 "MKE2FS_CONFIG=/dev/null mke2fs -q -F -b 1024 -J size=4 "
		 "-O extent,has_journal,metadata_csum %s >/dev/null 2>&1",
		 path, path, path);
	if (system(cmd) || image_open(path, IMAGE_READ, &img) ||
	    image_read(img, SUPER_OFFSET, raw, sizeof(raw)) ||
	    super_parse(span_of(raw, sizeof(raw)), &sb) ||
	    geom_from_super(&sb, &real)) {
		printf("Bail out! no filesystem\n");
		exit(1);
	}
	fs.img = img;
	tap_ok(!fsread_inode(&fs, sb.journal_inum, &found_ino, &found) &&
	       found && found_ino.file_bytes == 4 << 20, "the journal's inode");
	tap_ok(!fsread_map(&fs, &found_ino, &map) && !map.defects &&
	       map.nr_blks == 4096, "its map is whole");
	fsread_map_done(&map);
	tap_ok(fsread_journal_backup(&sb, &backup) &&
	       backup.file_bytes == found_ino.file_bytes &&
	       !memcmp(backup.map, found_ino.map, INODE_MAP_BYTES),
	       "the superblock's copy is the same");
	tap_ok(!fsread_inode(&fs, 0, &found_ino, &found) && !found &&
	       !fsread_inode(&fs, sb.inodes_count + 1, &found_ino, &found) &&
	       !found, "numbers that no inode has");
	tap_ok(!fsread_inode(&fs, sb.inodes_count, &found_ino, &found) && found,
	       "the last one");
	image_close(img);
	if (truncate(path, 3 * BS) || image_open(path, IMAGE_READ, &img))
		printf("Bail out! cannot cut %s\n", path);
	fs.img = img;
	tap_ok(!fsread_inode(&fs, sb.journal_inum, &found_ino, &found) &&
	       !found, "a table that the image lacks");
	image_close(img);
	if (truncate(path, BS) || image_open(path, IMAGE_READ, &img))
		printf("Bail out! cannot cut %s\n", path);
	fs.img = img;
	tap_ok(!fsread_inode(&fs, sb.journal_inum, &found_ino, &found) &&
	       !found, "a descriptor that it lacks");
	image_close(img);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	snprintf(path, sizeof(path), "%s/lbs-u_map.XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	test_root();
	test_tree();
	test_endless();
	test_indirect();
	test_backup();
	test_inode();
	unlink(path);
	return tap_done();
}
