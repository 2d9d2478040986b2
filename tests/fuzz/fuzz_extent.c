/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as an extent tree node: the walk ends, and what it calls fine is
 * ordered, inside the filesystem and inside what the parent says. The first 8
 * bytes choose parent and geometry.
 */
#include <assert.h>

#include "ondisk/csum.h"
#include "ondisk/extent.h"
#include "tests/fuzz/fuzz.h"

static void check_entry(const struct extent_iter *it,
			const struct extent_entry *e, u64 from)
{
	u64 nr = e->is_index ? 1 : e->nr_blks;

	assert(nr && nr <= EXTENT_LEN_MAX);
	assert(e->lblk >= from && e->lblk + nr <= it->parent.end_lblk);
	assert(e->pblk && e->pblk + nr <= it->geom->nr_blocks);
}

static void walk(struct span node, const struct extent_parent *parent,
		 const struct geom *g)
{
	struct extent_iter it;
	struct extent_entry e;
	u32 defects = extent_iter_init(&it, node, parent, g), nr = 0;
	u64 from = 0;

	if (!defects)
		assert(extent_head_parse(node).is_valid);
	while (extent_iter_next(&it, &e)) {
		struct extent_parent child = extent_iter_child(&it);

		assert(++nr <= extent_room(node.len));
		assert(child.first_lblk == e.lblk);
		if (e.defects)
			continue;
		check_entry(&it, &e, from);
		from = e.lblk + (e.is_index ? 1u : e.nr_blks);
	}
	assert(nr == it.nr);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct geom g = {.first_data_blk = 1, .cluster_blks = 1};
	struct extent_parent parent = {.end_lblk = UINT32_MAX};
	struct span all = span_of(bytes, len), node;

	if (len < 8)
		return 0;
	parent.is_root = bytes[0] & 1;
	parent.depth = 1 + (bytes[0] >> 1 & 3);
	g.cluster_blks = 1u << (bytes[0] >> 4);
	parent.first_lblk = span_le16(all, 2);
	g.nr_blocks = 2 + (u64)span_le32(all, 4) * 5;
	node = span_sub(all, 8, len - 8);
	walk(node, &parent, &g);
	assert(csum_extent_block(node, 1).off <= node.len);
	return 0;
}
