/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes and judges the MMP block. */
#include "ondisk/mmp.h"

#include "base/banned.h"
#include "ondisk/defect.h"

enum {
	OFF_SEQ = 4,
	OFF_TIME = 8,
	OFF_NODE = 0x10,
	OFF_DEVICE = 0x50,
	OFF_INTERVAL = 0x70,
	WAIT_EXTRA = 60,
};

static const u32 SEQ_CLEAN = 0xFF4D4D50;
static const u32 SEQ_FSCK = 0xE24D4D50;
static const u32 SEQ_LIVE_MAX = 0xE24D4D4F;

void mmp_parse(struct span block, struct mmp *mmp)
{
	*mmp = (struct mmp){
		.magic = span_le32(block, 0),
		.seq = span_le32(block, OFF_SEQ),
		.time = span_le64(block, OFF_TIME),
		.check_interval = span_le16(block, OFF_INTERVAL),
	};
	span_text(block, OFF_NODE, MMP_NODE_BYTES, mmp->node);
	span_text(block, OFF_DEVICE, MMP_DEVICE_BYTES, mmp->device);
}

enum mmp_state mmp_state(const struct mmp *mmp)
{
	if (mmp->seq == SEQ_CLEAN)
		return MMP_CLEAN;
	if (mmp->seq == SEQ_FSCK)
		return MMP_FSCK;
	return mmp->seq <= SEQ_LIVE_MAX ? MMP_LIVE : MMP_UNKNOWN;
}

u32 mmp_check(const struct mmp *mmp)
{
	if (mmp->magic != MMP_MAGIC)
		return MMP_BAD_MAGIC;
	return defect_if(mmp_state(mmp) == MMP_UNKNOWN, MMP_BAD_SEQ) |
	       defect_if(mmp->check_interval > MMP_INTERVAL_MAX,
			 MMP_BAD_INTERVAL);
}

u32 mmp_wait_seconds(const struct mmp *mmp, u16 sb_interval)
{
	u64 check = u64_max(u64_max(sb_interval, MMP_INTERVAL_MIN),
			    mmp->check_interval);

	return (u32)u64_min(2 * check + 1, check + WAIT_EXTRA);
}

bool mmp_blk_is_possible(const struct geom *g, u64 blk)
{
	return blk > g->first_data_blk && blk < g->nr_blocks;
}
