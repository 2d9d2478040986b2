/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic of the block map of ext2/3. */
#include "ondisk/indirect.h"

#include "base/banned.h"

unsigned indirect_slot_level(unsigned slot)
{
	return slot < INDIRECT_NR_DIRECT ? 0 : slot - INDIRECT_NR_DIRECT + 1;
}

u64 indirect_reach(const struct geom *g, unsigned level)
{
	u64 reach = 1;

	while (level--)
		reach *= indirect_ptrs(g);
	return reach;
}

u64 indirect_slot_lblk(const struct geom *g, unsigned slot)
{
	u64 lblk = slot;

	if (slot < INDIRECT_NR_DIRECT)
		return lblk;
	lblk = INDIRECT_NR_DIRECT;
	for (unsigned level = 1; level < indirect_slot_level(slot); level++)
		lblk += indirect_reach(g, level);
	return lblk;
}

u64 indirect_nr_map_blks(const struct geom *g, u64 nr_blks)
{
	u64 nr = 0;

	for (unsigned slot = INDIRECT_NR_DIRECT; slot < INDIRECT_NR_SLOTS;
	     slot++) {
		unsigned levels = indirect_slot_level(slot);
		u64 first = indirect_slot_lblk(g, slot), below;

		if (nr_blks <= first)
			break;
		below = u64_min(nr_blks - first, indirect_reach(g, levels));
		/* Each level of map blocks: what the one below needs. */
		for (unsigned level = 1; level <= levels; level++)
			nr += u64_div_up(below, indirect_reach(g, level));
	}
	return nr;
}

bool indirect_path(const struct geom *g, u64 lblk, struct indirect_path *path)
{
	u64 left;

	*path = (struct indirect_path){0};
	if (lblk < INDIRECT_NR_DIRECT) {
		path->slot = (unsigned)lblk;
		return true;
	}
	for (unsigned slot = INDIRECT_NR_DIRECT; slot < INDIRECT_NR_SLOTS;
	     slot++) {
		path->slot = slot;
		path->nr = indirect_slot_level(slot);
		left = lblk - indirect_slot_lblk(g, slot);
		if (left >= indirect_reach(g, path->nr))
			continue;
		for (unsigned i = 0; i < path->nr; i++) {
			u64 reach = indirect_reach(g, path->nr - 1 - i);

			path->idx[i] = (u32)(left / reach);
			left %= reach;
		}
		return true;
	}
	return false;
}

bool indirect_next(struct span map, const struct geom *g, u32 *idx,
		   struct indirect_ptr *ptr)
{
	for (u32 i = *idx; span_has(map, (size_t)i * 4, 4); i++) {
		u32 pblk = span_le32(map, (size_t)i * 4);

		if (!pblk)
			continue;
		*ptr = (struct indirect_ptr){
			.idx = i,
			.pblk = pblk,
			.is_inside = pblk > g->first_data_blk &&
				     pblk < g->nr_blocks,
		};
		*idx = i + 1;
		return true;
	}
	return false;
}
