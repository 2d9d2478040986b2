/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks maps. Depth is bounded by the format (5 or 3), each level has a block
 * of its own, and a map block that was seen is not followed again, so the work
 * is bounded by the blocks that the map itself takes.
 */
#include "fsread/map.h"

#include <errno.h>

#include "base/banned.h"
#include "base/bits.h"
#include "ondisk/extent.h"
#include "ondisk/indirect.h"

struct walk {
	const struct fsread *fs;
	struct fsread_map *map;
	struct bits seen;
	u64 next_lblk; /* no run may start before it */
	u8 *levels;    /* owned: one block a level */
};

static struct span level_span(const struct walk *w, unsigned level)
{
	size_t bs = w->fs->geom->block_bytes;

	return span_of(w->levels + level * bs, bs);
}

static void note(struct walk *w, u32 defect, u64 blk)
{
	if (!w->map->defects)
		w->map->bad_blk = blk;
	w->map->defects |= defect;
}

/* Adds to the last run if it goes on there. */
static errcode_t add_run(struct walk *w, struct run run, u64 blk)
{
	struct fsread_map *map = w->map;
	struct run *last = map->runs.nr ? &map->runs.at[map->runs.nr - 1] : NULL;
	errcode_t rc;

	if (run.lblk < w->next_lblk) {
		note(w, FSREAD_MAP_ENTRY, blk);
		return 0;
	}
	w->next_lblk = run.lblk + run.nr_blks;
	map->nr_blks += run.nr_blks;
	if (last && last->lblk + last->nr_blks == run.lblk &&
	    last->pblk + last->nr_blks == run.pblk &&
	    last->unwritten == run.unwritten) {
		last->nr_blks += run.nr_blks;
		return 0;
	}
	rc = vec_reserve(&map->runs, 1);
	if (!rc)
		vec_add(&map->runs, run);
	return rc;
}

/* Reads a map block the first time it is met. */
static bool read_node(struct walk *w, u64 blk, unsigned level, errcode_t *rc)
{
	size_t bs = w->fs->geom->block_bytes;

	if (bits_test(&w->seen, blk)) {
		note(w, FSREAD_MAP_TWICE, blk);
		return false;
	}
	*rc = bits_set(&w->seen, blk);
	if (!*rc)
		*rc = image_read(w->fs->img, blk * bs, w->levels + level * bs,
				 bs);
	if (*rc == LB_E_IMAGE_SHORT) {
		*rc = 0;
		note(w, FSREAD_MAP_UNREADABLE, blk);
		return false;
	}
	w->map->nr_map_blks += !*rc;
	return !*rc;
}

/* Defects that make an entry useless; the others leave its blocks known. */
static bool entry_is_usable(const struct extent_entry *e)
{
	return !(e->defects & (EXTENT_BAD_LEN | EXTENT_BAD_RANGE |
			       EXTENT_BAD_ORDER | EXTENT_BAD_OVERLAP |
			       EXTENT_BAD_BLK));
}

/* level: of the block that a child is read into. blk: the node's own. */
static errcode_t walk_extents(struct walk *w, struct span node,
			      const struct extent_parent *parent, u64 blk,
			      unsigned level)
{
	struct extent_iter it;
	struct extent_entry e;
	u32 defects = extent_iter_init(&it, node, parent, w->fs->geom);
	errcode_t rc = 0;

	w->map->extent_defects |= defects;
	if (defects)
		note(w, FSREAD_MAP_NODE, blk);
	/* Entries are believed only when the kind of node is certain. */
	if (defects & (EXTENT_BAD_MAGIC | EXTENT_BAD_DEPTH))
		return 0;
	while (!rc && extent_iter_next(&it, &e)) {
		struct extent_parent child = extent_iter_child(&it);

		w->map->extent_defects |= e.defects;
		if (e.defects)
			note(w, FSREAD_MAP_ENTRY, blk);
		if (!entry_is_usable(&e))
			continue;
		if (!e.is_index)
			rc = add_run(w,
				     (struct run){e.lblk, e.pblk, e.nr_blks,
						  e.unwritten},
				     blk);
		else if (read_node(w, e.pblk, level, &rc))
			rc = walk_extents(w, level_span(w, level), &child,
					  e.pblk, level + 1);
	}
	return rc;
}

/* Pointers of one map block, height levels above the data. */
static errcode_t walk_ptrs(struct walk *w, unsigned height, u64 lblk, u64 blk)
{
	const struct geom *g = w->fs->geom;
	u64 reach = indirect_reach(g, height - 1);
	struct indirect_ptr ptr;
	errcode_t rc = 0;
	u32 idx = 0;

	while (!rc && indirect_next(level_span(w, height), g, &idx, &ptr)) {
		u64 at = lblk + ptr.idx * reach;

		if (!ptr.is_inside)
			note(w, FSREAD_MAP_ENTRY, blk);
		else if (height == 1)
			rc = add_run(w, (struct run){at, ptr.pblk, 1, false},
				     blk);
		else if (read_node(w, ptr.pblk, height - 1, &rc))
			rc = walk_ptrs(w, height - 1, at, ptr.pblk);
	}
	return rc;
}

static errcode_t walk_indirect(struct walk *w, const struct inode *inode)
{
	const struct geom *g = w->fs->geom;
	struct indirect_ptr ptr;
	errcode_t rc = 0;
	u32 idx = 0;

	while (!rc && indirect_next(span_of(inode->map, INODE_MAP_BYTES), g,
				    &idx, &ptr)) {
		unsigned height = indirect_slot_level(ptr.idx);
		u64 lblk = indirect_slot_lblk(g, ptr.idx);

		if (!ptr.is_inside)
			note(w, FSREAD_MAP_ENTRY, 0);
		else if (!height)
			rc = add_run(w, (struct run){lblk, ptr.pblk, 1, false},
				     0);
		else if (read_node(w, ptr.pblk, height, &rc))
			rc = walk_ptrs(w, height, lblk, ptr.pblk);
	}
	return rc;
}

errcode_t fsread_map(const struct fsread *fs, const struct inode *inode,
		     struct fsread_map *map)
{
	struct walk w = {.fs = fs, .map = map};
	struct extent_parent none = {.is_root = true};
	enum inode_map_kind kind = inode_map_kind(inode);
	errcode_t rc;

	memset(map, 0, sizeof(*map));
	if (kind != INODE_MAP_EXTENTS && kind != INODE_MAP_INDIRECT) {
		map->defects = FSREAD_MAP_NONE;
		return 0;
	}
	rc = bits_init(&w.seen, fs->geom->nr_blocks);
	if (rc)
		return rc;
	w.levels = malloc((size_t)fs->geom->block_bytes *
			  (EXTENT_DEPTH_MAX + 1));
	if (!w.levels)
		rc = ENOMEM;
	else if (kind == INODE_MAP_EXTENTS)
		rc = walk_extents(&w, span_of(inode->map, INODE_MAP_BYTES),
				  &none, 0, 0);
	else
		rc = walk_indirect(&w, inode);
	free(w.levels);
	bits_done(&w.seen);
	if (rc)
		fsread_map_done(map);
	return rc;
}

void fsread_map_done(struct fsread_map *map)
{
	vec_free(&map->runs);
}
