/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and judges extent tree nodes, one at a time. */
#include "ondisk/extent.h"

#include "base/banned.h"
#include "ondisk/defect.h"

enum {
	OFF_ENTRIES = 2,
	OFF_MAX = 4,
	OFF_DEPTH = 6,
	OFF_GENERATION = 8,
	/* in an entry of a leaf */
	OFF_LEN = 4,
	OFF_LEAF_BLK_HI = 6,
	OFF_LEAF_BLK_LO = 8,
	/* in an entry of an index */
	OFF_INDEX_BLK_LO = 4,
	OFF_INDEX_BLK_HI = 8,
};

/* Logical blocks are below this: the last number means "no block". */
static const u64 END_LBLK = UINT32_MAX;

u16 extent_room(size_t node_bytes)
{
	if (node_bytes < EXTENT_HEAD_BYTES)
		return 0;
	return (u16)((node_bytes - EXTENT_HEAD_BYTES) / EXTENT_ENTRY_BYTES);
}

static u32 head_defects(const struct extent_head *head, struct span node)
{
	if (span_le16(node, 0) != EXTENT_MAGIC)
		return EXTENT_BAD_MAGIC;
	return defect_if(!head->max || head->max > extent_room(node.len),
			 EXTENT_BAD_MAX) |
	       defect_if(head->entries > head->max, EXTENT_BAD_ENTRIES) |
	       defect_if(head->depth > EXTENT_DEPTH_MAX, EXTENT_BAD_DEPTH);
}

struct extent_head extent_head_parse(struct span node)
{
	struct extent_head head = {
		.entries = span_le16(node, OFF_ENTRIES),
		.max = span_le16(node, OFF_MAX),
		.depth = span_le16(node, OFF_DEPTH),
		.generation = span_le32(node, OFF_GENERATION),
	};

	head.is_valid = !head_defects(&head, node);
	return head;
}

static struct extent_entry parse_entry(struct span entry, bool is_index)
{
	struct extent_entry e = {
		.lblk = span_le32(entry, 0),
		.is_index = is_index,
	};
	u32 len = span_le16(entry, OFF_LEN);

	if (is_index) {
		e.pblk = span_le32(entry, OFF_INDEX_BLK_LO) |
			 (u64)span_le16(entry, OFF_INDEX_BLK_HI) << 32;
		return e;
	}
	e.pblk = span_le32(entry, OFF_LEAF_BLK_LO) |
		 (u64)span_le16(entry, OFF_LEAF_BLK_HI) << 32;
	e.unwritten = len > EXTENT_LEN_MAX;
	e.nr_blks = e.unwritten ? len - EXTENT_LEN_MAX : len;
	return e;
}

static struct span entry_span(struct span node, u32 idx)
{
	return span_sub(node,
			EXTENT_HEAD_BYTES + (size_t)idx * EXTENT_ENTRY_BYTES,
			EXTENT_ENTRY_BYTES);
}

u64 extent_first_blk(struct span node, const struct extent_head *head)
{
	return parse_entry(entry_span(node, 0), head->depth).pblk;
}

u32 extent_iter_init(struct extent_iter *it, struct span node,
		     const struct extent_parent *parent, const struct geom *g)
{
	struct extent_head head = extent_head_parse(node);
	u32 defects = head_defects(&head, node);
	u16 room = extent_room(node.len);

	*it = (struct extent_iter){
		.node = node, .geom = g, .head = head, .parent = *parent};
	if (parent->is_root)
		it->parent.end_lblk = END_LBLK;
	if (defects & EXTENT_BAD_MAGIC)
		return defects;
	it->nr = head.entries < room ? head.entries : room;
	if (head.depth && !head.entries)
		defects |= EXTENT_BAD_ENTRIES;
	if (!parent->is_root && head.depth + 1 != parent->depth)
		defects |= EXTENT_BAD_DEPTH;
	return defects;
}

static u32 check_blk(const struct extent_entry *e, const struct geom *g)
{
	u64 nr = e->is_index ? 1 : e->nr_blks;
	bool inside = e->pblk > g->first_data_blk && e->pblk < g->nr_blocks &&
		      nr <= g->nr_blocks - e->pblk;
	u32 in_cluster = g->cluster_blks - 1;

	if (!inside)
		return EXTENT_BAD_BLK;
	return defect_if(!e->is_index && ((e->lblk ^ e->pblk) & in_cluster),
			 EXTENT_BAD_CLUSTER);
}

static u32 check_lblk(const struct extent_iter *it,
		      const struct extent_entry *e)
{
	u64 end = e->lblk + (u64)(e->is_index ? 1 : e->nr_blks);
	u32 defects = defect_if(!e->is_index && !e->nr_blks, EXTENT_BAD_LEN) |
		      defect_if(end > it->parent.end_lblk, EXTENT_BAD_RANGE);

	if (it->next)
		return defects |
		       (e->lblk <= it->prev_lblk
				? (u32)EXTENT_BAD_ORDER
				: defect_if(e->lblk < it->min_lblk,
					    EXTENT_BAD_OVERLAP));
	if (it->parent.is_root)
		return defects;
	return defects | defect_if(e->lblk != it->parent.first_lblk,
				   EXTENT_BAD_KEY);
}

bool extent_iter_next(struct extent_iter *it, struct extent_entry *e)
{
	u64 end;

	if (it->next >= it->nr)
		return false;
	*e = parse_entry(entry_span(it->node, it->next), it->head.depth);
	e->defects = check_lblk(it, e) | check_blk(e, it->geom);
	/* An entry out of place does not make its neighbours so. */
	end = e->lblk + (u64)(e->is_index ? 1 : e->nr_blks);
	if (!(e->defects &
	      (EXTENT_BAD_ORDER | EXTENT_BAD_OVERLAP | EXTENT_BAD_RANGE))) {
		it->min_lblk = end;
		it->prev_lblk = e->lblk;
	}
	it->next++;
	return true;
}

struct extent_parent extent_iter_child(const struct extent_iter *it)
{
	struct extent_parent p = {
		.depth = it->head.depth,
		.end_lblk = it->parent.end_lblk,
	};

	if (it->next)
		p.first_lblk =
			span_le32(entry_span(it->node, it->next - 1u), 0);
	if (it->next < it->nr) {
		u32 next = span_le32(entry_span(it->node, it->next), 0);

		/* A neighbour out of order bounds nothing. */
		if (next > p.first_lblk)
			p.end_lblk = u64_min(p.end_lblk, next);
	}
	return p;
}
