/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Group descriptors: 32 and 64 bytes, and both kinds of checksum. */
#include "ondisk/gdesc.h"

#include "base/crc.h"
#include "tests/lib/tap.h"

static u8 raw[64];

static void fill(void)
{
	for (size_t i = 0; i < sizeof(raw); i++)
		raw[i] = (u8)(i + 1);
}

static void test_parse(void)
{
	struct geom g = {.desc_bytes = 64};
	struct gdesc gd;

	fill();
	gdesc_parse(span_of(raw, 64), &g, &gd);
	tap_is_u64(gd.block_bitmap_blk, 0x2423222104030201, "both halves");
	tap_is_u64(gd.inode_bitmap_blk, 0x2827262508070605, "inode bitmap");
	tap_is_u64(gd.inode_table_blk, 0x2c2b2a290c0b0a09, "inode table");
	tap_is_u64(gd.flags, 0x1413, "flags");
	tap_is_u64(gd.csum, 0x201f, "checksum");
	tap_is_u64(gd.free_clusters, 0x2e2d0e0d, "free clusters");
	tap_is_u64(gd.free_inodes, 0x302f100f, "free inodes");
	tap_is_u64(gd.used_dirs, 0x32311211, "directories");
	tap_is_u64(gd.itable_unused, 0x34331e1d, "unused inodes");
	tap_is_u64(gd.block_bitmap_csum, 0x3a391a19, "of the block bitmap");
	tap_is_u64(gd.inode_bitmap_csum, 0x3c3b1c1b, "of the inode bitmap");
	g.desc_bytes = 32;
	gdesc_parse(span_of(raw, 32), &g, &gd);
	tap_is_u64(gd.block_bitmap_blk, 0x04030201, "32 bytes have one half");
	tap_ok(gd.free_clusters == 0x0e0d && gd.inode_bitmap_csum == 0x1c1b &&
		       gd.block_bitmap_csum == 0x1a19, "of all numbers");
	gdesc_parse(span_of(raw, 0), &g, &gd);
	tap_is_u64(gd.block_bitmap_blk, 0, "a short span gives zeroes");
}

/* The checksum computed over one joined buffer, as the layout says. */
static u8 *join(u8 *to, const void *from, size_t len)
{
	memcpy(to, from, len);
	return to + len;
}

static void test_csum(void)
{
	static const u8 grp[4] = {0x78, 0x56, 0x34, 0x12}, zero[2];
	struct geom g = {.desc_bytes = 64};
	struct super sb;
	u8 buf[128], *at;

	fill();
	memset(&sb, 0, sizeof(sb));
	memcpy(sb.uuid, "0123456789abcdef", 16);
	tap_ok(!gdesc_has_csum(&g), "none without a feature");
	tap_is_u64(gdesc_csum(span_of(raw, 64), &sb, &g, 1), 0, "then it is 0");

	g.features.ro_compat = FEAT_RO_COMPAT_METADATA_CSUM;
	at = join(join(buf, grp, 4), raw, 0x1E);
	at = join(join(at, zero, 2), raw + 0x20, 32);
	tap_is_u64(gdesc_csum(span_of(raw, 64), &sb, &g, 0x12345678),
		   crc32c(super_csum_seed(&sb), buf, (size_t)(at - buf)) &
			   0xFFFF, "crc32c with its own field as 0");
	g.features.ro_compat = FEAT_RO_COMPAT_GDT_CSUM;
	at = join(join(join(buf, sb.uuid, 16), grp, 4), raw, 0x1E);
	at = join(at, raw + 0x20, 32);
	tap_is_u64(gdesc_csum(span_of(raw, 64), &sb, &g, 0x12345678),
		   crc16(0xFFFF, buf, (size_t)(at - buf)),
		   "crc16 without its own field");
	tap_ok(gdesc_has_csum(&g), "has one");
	tap_is_u64(gdesc_csum(span_of(raw, 63), &sb, &g, 1), 0,
		   "a short span gives 0");
}

int main(void)
{
	test_parse();
	test_csum();
	return tap_done();
}
