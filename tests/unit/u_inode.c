/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes: size and block count in their units, their place. */
#include "ondisk/inode.h"

#include "tests/lib/tap.h"

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

int main(void)
{
	test_counts();
	test_place();
	return tap_done();
}
