/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes and checks journal superblocks. */
#include "ondisk/jsb.h"

#include "base/banned.h"
#include "base/crc.h"

enum {
	OFF_MAGIC = 0x00,
	OFF_TYPE = 0x04,
	OFF_BLOCK_BYTES = 0x0C,
	OFF_NR_BLKS = 0x10,
	OFF_FIRST = 0x14,
	OFF_SEQUENCE = 0x18,
	OFF_START = 0x1C,
	OFF_ERROR = 0x20,
	OFF_COMPAT = 0x24,
	OFF_INCOMPAT = 0x28,
	OFF_RO_COMPAT = 0x2C,
	OFF_UUID = 0x30,
	OFF_NR_USERS = 0x40,
	OFF_DYNAMIC_SUPER = 0x44,
	OFF_MAX_TRANSACTION = 0x48,
	OFF_MAX_TRANS_DATA = 0x4C,
	OFF_CSUM_TYPE = 0x50,
	OFF_NR_FAST_BLKS = 0x54,
	OFF_HEAD = 0x58,
	OFF_CSUM = 0xFC,
	OFF_USERS = 0x100,
};

static void parse_v2(struct span bytes, struct jsb *j)
{
	j->compat = span_be32(bytes, OFF_COMPAT);
	j->incompat = span_be32(bytes, OFF_INCOMPAT);
	j->ro_compat = span_be32(bytes, OFF_RO_COMPAT);
	j->nr_users = span_be32(bytes, OFF_NR_USERS);
	j->dynamic_super = span_be32(bytes, OFF_DYNAMIC_SUPER);
	j->max_transaction = span_be32(bytes, OFF_MAX_TRANSACTION);
	j->max_trans_data = span_be32(bytes, OFF_MAX_TRANS_DATA);
	j->csum_type = span_u8(bytes, OFF_CSUM_TYPE);
	j->nr_fast_blks = span_be32(bytes, OFF_NR_FAST_BLKS);
	j->head = span_be32(bytes, OFF_HEAD);
	j->csum = span_be32(bytes, OFF_CSUM);
	j->computed_csum = jsb_csum(bytes);
	if (span_has(bytes, OFF_UUID, sizeof(j->uuid)))
		memcpy(j->uuid, bytes.bytes + OFF_UUID, sizeof(j->uuid));
	if (span_has(bytes, OFF_USERS, sizeof(j->users)))
		memcpy(j->users, bytes.bytes + OFF_USERS, sizeof(j->users));
}

void jsb_parse(struct span bytes, struct jsb *j)
{
	*j = (struct jsb){
		.magic = span_be32(bytes, OFF_MAGIC),
		.type = span_be32(bytes, OFF_TYPE),
		.block_bytes = span_be32(bytes, OFF_BLOCK_BYTES),
		.nr_blks = span_be32(bytes, OFF_NR_BLKS),
		.first = span_be32(bytes, OFF_FIRST),
		.sequence = span_be32(bytes, OFF_SEQUENCE),
		.start = span_be32(bytes, OFF_START),
		.error = (s32)span_be32(bytes, OFF_ERROR),
	};
	if (j->type == JSB_TYPE_V2)
		parse_v2(bytes, j);
}

u32 jsb_csum(struct span bytes)
{
	const u8 zero[4] = {0, 0, 0, 0};
	u32 crc;

	if (!span_has(bytes, 0, JSB_BYTES))
		return 0;
	crc = crc32c(~0u, bytes.bytes, OFF_CSUM);
	crc = crc32c(crc, zero, sizeof(zero));
	return crc32c(crc, bytes.bytes + OFF_CSUM + sizeof(zero),
		      JSB_BYTES - OFF_CSUM - sizeof(zero));
}

bool jsb_has_csum(const struct jsb *j)
{
	return j->incompat & (JSB_INCOMPAT_CSUM_V2 | JSB_INCOMPAT_CSUM_V3);
}

static int nr_csum_kinds(const struct jsb *j)
{
	return !!(j->compat & JSB_COMPAT_CHECKSUM) +
	       !!(j->incompat & JSB_INCOMPAT_CSUM_V2) +
	       !!(j->incompat & JSB_INCOMPAT_CSUM_V3);
}

static u32 bad_if(bool bad, u32 bit)
{
	return bad ? bit : 0;
}

u32 jsb_check_self(const struct jsb *j)
{
	u32 bad = bad_if(j->magic != JSB_MAGIC, JSB_BAD_MAGIC);

	bad |= bad_if(j->type != JSB_TYPE_V1 && j->type != JSB_TYPE_V2,
		      JSB_BAD_TYPE);
	bad |= bad_if(j->incompat & ~(u32)JSB_INCOMPAT_KNOWN, JSB_BAD_INCOMPAT);
	bad |= bad_if(j->ro_compat, JSB_BAD_RO_COMPAT);
	bad |= bad_if(nr_csum_kinds(j) > 1, JSB_BAD_CSUM_KINDS);
	if (!jsb_has_csum(j))
		return bad;
	bad |= bad_if(j->csum_type != JSB_CSUM_CRC32C, JSB_BAD_CSUM_TYPE);
	return bad | bad_if(j->csum != j->computed_csum, JSB_BAD_CSUM);
}

u32 jsb_check(const struct jsb *j, const struct jsb_place *place)
{
	u32 bad = jsb_check_self(j), last = jsb_last(j);

	bad |= bad_if(j->block_bytes != place->block_bytes, JSB_BAD_BLOCK);
	bad |= bad_if(j->nr_blks > place->nr_blks, JSB_BAD_LENGTH);
	bad |= bad_if(jsb_fast_blks(j) && !last, JSB_BAD_FAST);
	bad |= bad_if(j->first <= place->sb_blk || j->first >= last,
		      JSB_BAD_FIRST);
	bad |= bad_if(j->start && (j->start < j->first || j->start >= last),
		      JSB_BAD_START);
	bad |= bad_if(last < JSB_LOG_BLKS_MIN, JSB_BAD_SHORT);
	return bad | bad_if(place->external && j->nr_users != 1, JSB_BAD_USERS);
}

u32 jsb_fast_blks(const struct jsb *j)
{
	if (!(j->incompat & JSB_INCOMPAT_FAST_COMMIT))
		return 0;
	return j->nr_fast_blks ? j->nr_fast_blks : JSB_FAST_BLKS_DEFAULT;
}

u32 jsb_last(const struct jsb *j)
{
	u32 fast = jsb_fast_blks(j);

	return j->nr_blks > fast ? j->nr_blks - fast : 0;
}

u32 jsb_external_blk(u32 block_bytes)
{
	return block_bytes == 1024 ? 2 : 1;
}

u32 jsb_csum_seed(const struct jsb *j)
{
	return crc32c(~0u, j->uuid, sizeof(j->uuid));
}
