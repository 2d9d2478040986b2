/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits and defaults at every block size, and at the edges of size. */
#include "lbs/limits.h"

#include "tests/lib/tap.h"

static void test_valid(void)
{
	unsigned nr = 0;

	for (u64 bs = 0; bs <= 262144; bs++)
		nr += lbs_block_bytes_is_valid(bs);
	tap_is_u64(nr, 7, "seven block sizes are possible");
	tap_ok(!lbs_block_bytes_is_valid(512) &&
	       lbs_block_bytes_is_valid(1024) &&
	       lbs_block_bytes_is_valid(65536) &&
	       !lbs_block_bytes_is_valid(131072), "1 KiB to 64 KiB");
}

static void test_every_size(void)
{
	unsigned bad_groups = 0, bad_orphan = 0, bad_inodes = 0;
	struct lbs_limits l;

	for (u32 bs = 1024; bs <= 65536; bs *= 2) {
		u32 inodes = lbs_inodes_per_group_max(bs, 256);

		lbs_limits_get(bs, &l);
		bad_groups += l.clusters_per_group > l.clusters_per_group_max ||
			      l.clusters_per_group % 8 ||
			      l.clusters_per_group_max > bs * 8 ||
			      l.clusters_per_group_max > 65528;
		bad_orphan += l.orphan_bytes_max > 8u << 20 ||
			      l.orphan_bytes_max > 512ull * bs;
		bad_inodes += inodes > bs * 8 ||
			      inodes >= 65536 ||
			      l.inode_bytes_max > bs;
	}
	tap_is_u64(bad_groups, 0, "groups fit a bitmap and 16 bits");
	tap_is_u64(bad_orphan, 0, "orphan files fit both caps");
	tap_is_u64(bad_inodes, 0, "inodes fit");
}

static void test_64k(void)
{
	struct lbs_limits l;

	lbs_limits_get(65536, &l);
	tap_is_u64(l.clusters_per_group * 65536ull, 512u << 20,
		   "64 KiB: a group is 512 MiB");
	tap_is_u64(l.journal_bytes_min, 64u << 20, "least journal 64 MiB");
	tap_is_u64(l.orphan_bytes_max, 8u << 20, "orphan file 8 MiB");
	tap_is_u64(l.inode_bytes_max, 32768, "inodes of 32 KiB");
	lbs_limits_get(4096, &l);
	tap_is_u64(l.clusters_per_group, 32768, "4 KiB as always");
	tap_is_u64(lbs_inodes_per_group_max(4096, 256), 32768,
		   "4 KiB inodes a group");
}

static void test_journal(void)
{
	unsigned falls = 0, bad_min = 0;

	tap_is_u64(lbs_journal_default_blks(4096, 2047), 0, "too small");
	tap_is_u64(lbs_journal_default_blks(4096, 2048), 1024, "smallest");
	tap_is_u64(lbs_journal_default_blks(4096, 1u << 25), 262144,
		   "1 GiB journal at 4 KiB");
	tap_is_u64(lbs_journal_default_blks(65536, 1u << 21), 16384,
		   "the same 1 GiB at 64 KiB");
	tap_ok(lbs_journal_default_blks(65536, UINT64_MAX) <=
	       LBS_JOURNAL_BLKS_MAX, "2^64 blocks do not overflow");
	for (u32 bs = 8192; bs <= 65536; bs *= 2)
		for (u64 n = 2048, last = 0; n < 1ull << 40; n *= 2) {
			u64 blks = lbs_journal_default_blks(bs, n);

			falls += blks < last;
			bad_min += blks < LBS_JOURNAL_BLKS_MIN;
			last = blks;
		}
	tap_is_u64(falls, 0, "a larger filesystem never has a smaller one");
	tap_is_u64(bad_min, 0, "never below the kernel's minimum");
}

static void test_orphan(void)
{
	struct lbs_limits l;
	unsigned bad = 0;

	for (u32 bs = 1024; bs <= 65536; bs *= 2) {
		lbs_limits_get(bs, &l);
		for (u64 n = 1; n; n *= 2) {
			u64 blks = lbs_orphan_default_blks(bs, n);

			bad += !blks || blks * bs > l.orphan_bytes_max;
		}
	}
	tap_is_u64(bad, 0, "the default orphan file is never over the cap");
}

int main(void)
{
	test_valid();
	test_every_size();
	test_64k();
	test_journal();
	test_orphan();
	return tap_done();
}
