/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a superblock: it decodes, and a geom made from it keeps its
 * promises (no division by zero, every group and descriptor inside).
 */
#include <assert.h>

#include "ondisk/features.h"
#include "ondisk/geom.h"
#include "tests/fuzz/fuzz.h"

static void check_group(const struct geom *g, u32 grp)
{
	u64 first = geom_group_first_blk(g, grp);
	u32 nr = geom_group_nr_blks(g, grp);

	assert(first < g->nr_blocks);
	assert(nr && nr <= g->blks_per_group);
	assert(first + nr <= g->nr_blocks);
	assert(geom_group_nr_clusters(g, grp) <= g->clusters_per_group);
	assert(geom_desc_offset(g, grp) + g->desc_bytes <= g->block_bytes);
}

static void check_geom(const struct geom *g)
{
	u32 last = g->nr_groups - 1;

	assert(u64_is_pow2(g->block_bytes) && g->block_bytes >= 1024 &&
	       g->block_bytes <= 65536);
	assert(g->nr_groups);
	assert(geom_bytes(g) >= g->nr_blocks);
	check_group(g, 0);
	check_group(g, last);
	check_group(g, last / 2);
	assert(geom_group_nr_blks(g, last) ==
	       g->nr_blocks - geom_group_first_blk(g, last));
	assert(geom_nr_backups(g) < g->nr_groups);
	assert(geom_first_backup_blk(g) < g->nr_blocks);
	assert(g->clusters_per_group + geom_bitmap_padding_bits(g) ==
	       geom_bits_per_block(g));
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct super sb;
	struct geom g;
	struct features f;
	struct str text = STR_INIT;

	if (super_parse(span_of(bytes, len), &sb))
		return 0;
	f = super_features(&sb);
	features_print(&f, &text);
	str_free(&text);
	if (!geom_from_super(&sb, &g))
		check_geom(&g);
	return 0;
}
