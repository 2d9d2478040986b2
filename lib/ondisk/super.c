/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the superblock by the rows of fields.def and knows its checksum.
 * Spec: "The Super Block" in the kernel's ext4 layout documentation.
 */
#include "ondisk/super.h"

#include "base/banned.h"
#include "base/crc.h"

enum {
	SUPER_CSUM_OFFSET = 0x3FC
};

#define SUPER_GET_u8   span_u8
#define SUPER_GET_le16 span_le16
#define SUPER_GET_le32 span_le32
#define SUPER_GET_le64 span_le64

errcode_t super_parse(struct span bytes, struct super *sb)
{
	if (!span_has(bytes, 0, SUPER_BYTES))
		return LB_E_SB_SHORT;
	memset(sb, 0, sizeof(*sb));
#define SB(offset, kind, name) sb->name = SUPER_GET_##kind(bytes, offset);
#define SB_BYTES(offset, len, name)                                            \
	memcpy(sb->name, bytes.bytes + (offset), len);
#include "ondisk/fields.def"
#undef SB
#undef SB_BYTES
	sb->computed_csum = crc32c(~0u, bytes.bytes, SUPER_CSUM_OFFSET);
	return 0;
}

bool super_is_ext(const struct super *sb)
{
	return sb->magic == SUPER_MAGIC;
}

struct features super_features(const struct super *sb)
{
	return (struct features){sb->feature_compat, sb->feature_incompat,
				 sb->feature_ro_compat};
}

bool super_has_compat(const struct super *sb, u32 bits)
{
	return sb->feature_compat & bits;
}

bool super_has_incompat(const struct super *sb, u32 bits)
{
	return sb->feature_incompat & bits;
}

bool super_has_ro_compat(const struct super *sb, u32 bits)
{
	return sb->feature_ro_compat & bits;
}

u64 super_nr_blocks(const struct super *sb)
{
	u64 hi = super_has_incompat(sb, FEAT_INCOMPAT_64BIT)
			 ? sb->blocks_count_hi
			 : 0;

	return hi << 32 | sb->blocks_count_lo;
}

bool super_csum_ok(const struct super *sb)
{
	return !super_has_ro_compat(sb, FEAT_RO_COMPAT_METADATA_CSUM) ||
	       sb->checksum == sb->computed_csum;
}

u32 super_csum_seed(const struct super *sb)
{
	if (super_has_incompat(sb, FEAT_INCOMPAT_CSUM_SEED))
		return sb->checksum_seed;
	return crc32c(~0u, sb->uuid, 16);
}

#define SUPER_LEN_u8		    1
#define SUPER_LEN_le16		    2
#define SUPER_LEN_le32		    4
#define SUPER_LEN_le64		    8
#define SB(offset, kind, name)	    {#name, offset, SUPER_LEN_##kind, true},
#define SB_BYTES(offset, len, name) {#name, offset, len, false},
static const struct super_field fields[] = {
#include "ondisk/fields.def"
};
#undef SB
#undef SB_BYTES

const struct super_field *super_field(size_t idx)
{
	return idx < ARRAY_LEN(fields) ? &fields[idx] : NULL;
}
