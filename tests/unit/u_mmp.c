/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MMP block: states, waiting, defects, stock's block. */
#include "ondisk/mmp.h"

#include "tests/lib/stock.h"

static void test_states(void)
{
	struct mmp mmp = {.magic = MMP_MAGIC, .seq = 0xFF4D4D50};

	tap_ok(mmp_state(&mmp) == MMP_CLEAN && !mmp_check(&mmp), "clean");
	mmp.seq = 0xE24D4D50;
	tap_ok(mmp_state(&mmp) == MMP_FSCK && !mmp_check(&mmp), "a check");
	mmp.seq = 0xE24D4D4F;
	tap_ok(mmp_state(&mmp) == MMP_LIVE && !mmp_check(&mmp), "the last live");
	mmp.seq = 0;
	tap_ok(mmp_state(&mmp) == MMP_LIVE, "0 is live");
	mmp.seq = 0xE24D4D51;
	tap_ok(mmp_state(&mmp) == MMP_UNKNOWN &&
		       mmp_check(&mmp) == MMP_BAD_SEQ, "what nobody writes");
	mmp.seq = 1;
	mmp.check_interval = 301;
	tap_is_u64(mmp_check(&mmp), MMP_BAD_INTERVAL, "a long interval");
	mmp.magic++;
	tap_is_u64(mmp_check(&mmp), MMP_BAD_MAGIC, "no magic");
}

static void test_waiting(void)
{
	struct mmp mmp = {0};

	tap_is_u64(mmp_wait_seconds(&mmp, 0), 11, "the shortest wait");
	mmp.check_interval = 20;
	tap_is_u64(mmp_wait_seconds(&mmp, 10), 41, "the block's interval");
	tap_is_u64(mmp_wait_seconds(&mmp, 100), 160, "the superblock's");
	mmp.check_interval = 0xFFFF;
	tap_is_u64(mmp_wait_seconds(&mmp, 0), 0xFFFF + 60, "a hostile one");
}

static void test_stock(void)
{
	struct stock s;
	struct mmp mmp;
	struct geom g = {.first_data_blk = 1, .nr_blocks = 100};

	stock_start(&s);
	stock_make(&s, 65536, 1000, "-O extent,mmp -E mmp_update_interval=7");
	stock_load(&s);
	mmp_parse(stock_block(&s, s.sb.mmp_block), &mmp);
	tap_ok(!mmp_check(&mmp) && mmp_state(&mmp) == MMP_CLEAN &&
		       mmp_blk_is_possible(&s.g, s.sb.mmp_block),
	       "stock's block");
	tap_is_u64(mmp.check_interval, 7, "its interval");
	tap_ok(mmp.time > 1000000000, "its time");
	stock_end(&s);
	mmp_parse(span_of("", 0), &mmp);
	tap_is_u64(mmp_check(&mmp), MMP_BAD_MAGIC, "a short span");
	tap_ok(!mmp_blk_is_possible(&g, 1) && mmp_blk_is_possible(&g, 99) &&
		       !mmp_blk_is_possible(&g, 100), "where it may be");
}

int main(void)
{
	test_states();
	test_waiting();
	test_stock();
	return tap_done();
}
