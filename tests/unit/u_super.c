/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock decoder: offsets against libext2fs, checksum, short input. */
#include "ondisk/super.h"

#include <ext2fs/ext2fs.h>

#include "base/crc.h"
#include "tests/lib/tap.h"

/* The declaration of the same bytes by others: the offsets must agree. */
static void test_offsets(void)
{
	struct ext2_super_block disk;
	struct super sb;

	memset(&disk, 0, sizeof(disk));
	disk.s_inodes_count = ext2fs_cpu_to_le32(0x01020304);
	disk.s_log_cluster_size = ext2fs_cpu_to_le32(7);
	disk.s_magic = ext2fs_cpu_to_le16(EXT2_SUPER_MAGIC);
	disk.s_inode_size = ext2fs_cpu_to_le16(0x0180);
	disk.s_desc_size = ext2fs_cpu_to_le16(64);
	disk.s_reserved_gdt_blocks = ext2fs_cpu_to_le16(0x1234);
	disk.s_first_meta_bg = ext2fs_cpu_to_le32(99);
	disk.s_blocks_count_hi = ext2fs_cpu_to_le32(3);
	disk.s_mmp_block = 0;
	disk.s_log_groups_per_flex = 4;
	disk.s_backup_bgs[1] = ext2fs_cpu_to_le32(77);
	disk.s_checksum_seed = ext2fs_cpu_to_le32(0xCAFE);
	disk.s_orphan_file_inum = ext2fs_cpu_to_le32(12);
	disk.s_checksum = ext2fs_cpu_to_le32(0xDEADBEEF);
	memcpy(disk.s_volume_name, "sixteen chars ok", 16);
	tap_ok(!super_parse(span_of(&disk, sizeof(disk)), &sb), "decodes");
	tap_is_u64(sb.inodes_count, 0x01020304, "inodes_count");
	tap_is_u64(sb.log_cluster_size, 7, "log_cluster_size");
	tap_ok(super_is_ext(&sb), "magic");
	tap_is_u64(sb.inode_size, 0x0180, "inode_size");
	tap_is_u64(sb.desc_size, 64, "desc_size");
	tap_is_u64(sb.reserved_gdt_blocks, 0x1234, "reserved_gdt_blocks");
	tap_is_u64(sb.first_meta_bg, 99, "first_meta_bg");
	tap_is_u64(sb.blocks_count_hi, 3, "blocks_count_hi");
	tap_is_u64(sb.log_groups_per_flex, 4, "log_groups_per_flex");
	tap_is_u64(sb.backup_bgs_1, 77, "backup_bgs");
	tap_is_u64(sb.checksum_seed, 0xCAFE, "checksum_seed");
	tap_is_u64(sb.orphan_file_inum, 12, "orphan_file_inum");
	tap_is_u64(sb.checksum, 0xDEADBEEF, "checksum");
	tap_is_str((char *)sb.volume_name, "sixteen chars ok",
		   "a full text field is terminated");
}

static void test_counts(void)
{
	struct super sb;

	memset(&sb, 0, sizeof(sb));
	sb.blocks_count_lo = 5;
	sb.blocks_count_hi = 1;
	tap_is_u64(super_nr_blocks(&sb), 5, "the high half needs 64bit");
	sb.feature_incompat = FEAT_INCOMPAT_64BIT;
	tap_is_u64(super_nr_blocks(&sb), 0x100000005, "and counts with it");
	tap_ok(!super_is_ext(&sb), "no magic");
	tap_ok(super_has_incompat(&sb, FEAT_INCOMPAT_64BIT) &&
	       !super_has_compat(&sb, ~0u) && !super_has_ro_compat(&sb, ~0u),
	       "words are told apart");
}

static void test_csum(void)
{
	u8 raw[SUPER_BYTES] = {0};
	struct super sb;
	u32 crc;

	raw[0x38] = 0x53;
	raw[0x39] = 0xEF;
	raw[0x65] = 0x04; /* metadata_csum */
	raw[0x68] = 0xAA; /* uuid */
	tap_ok(!super_parse(span_of(raw, sizeof(raw)), &sb) &&
	       !super_csum_ok(&sb), "a wrong checksum");
	crc = crc32c(~0u, raw, 0x3FC);
	for (int i = 0; i < 4; i++)
		raw[0x3FC + i] = (u8)(crc >> (8 * i));
	tap_ok(!super_parse(span_of(raw, sizeof(raw)), &sb) &&
	       super_csum_ok(&sb), "the right one");
	tap_is_u64(super_csum_seed(&sb), crc32c(~0u, raw + 0x68, 16),
		   "seed from the UUID");
	sb.feature_incompat |= FEAT_INCOMPAT_CSUM_SEED;
	sb.checksum_seed = 4711;
	tap_is_u64(super_csum_seed(&sb), 4711, "or the stored seed");
	sb.feature_ro_compat = 0;
	sb.checksum++;
	tap_ok(super_csum_ok(&sb), "without the feature any is fine");
	tap_ok(super_parse(span_of(raw, SUPER_BYTES - 1), &sb) == LB_E_SB_SHORT,
	       "one byte short");
}

static void test_fields(void)
{
	const struct super_field *f, *before = NULL;
	unsigned outside = 0, overlap = 0;

	for (size_t i = 0; (f = super_field(i)); i++) {
		outside += f->offset + f->len > SUPER_BYTES;
		overlap += before && before->offset + before->len > f->offset;
		before = f;
	}
	tap_is_u64(outside, 0, "no field reaches outside");
	tap_is_u64(overlap, 0, "fields are in order and do not overlap");
}

int main(void)
{
	test_offsets();
	test_counts();
	test_csum();
	test_fields();
	return tap_done();
}
