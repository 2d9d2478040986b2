/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and judges nodes of a directory's hash tree, one at a time. */
#include "ondisk/htree.h"

#include "base/banned.h"
#include "ondisk/defect.h"

enum {
	OFF_DOT_REC_LEN = 4,
	OFF_DOTDOT = 12,
	OFF_INFO = 24,
	OFF_HASH_VERSION = OFF_INFO + 4,
	OFF_INFO_LEN = OFF_INFO + 5,
	OFF_LEVELS = OFF_INFO + 6,
	OFF_FLAGS = OFF_INFO + 7,
	OFF_INNER_ENTRIES = 8,
	LEVELS_MAX = 1,
	LEVELS_MAX_LARGE = 2,
	FLAG_UNKNOWN = 1,
};

struct htree_rules htree_rules_of(const struct geom *g,
				  const struct inode *dir)
{
	u64 nr = dir->file_bytes / g->block_bytes;

	return (struct htree_rules){
		.dir = dirent_rules_of(g, dir),
		.nr_dir_blks = nr < UINT32_MAX ? (u32)nr : UINT32_MAX,
		.large_dir = g->features.incompat & FEAT_INCOMPAT_LARGE_DIR,
	};
}

u16 htree_limit(const struct htree_rules *rules, bool is_root)
{
	u32 before = OFF_INNER_ENTRIES;

	/* An inner node is counted as if its free entry had a hash. */
	if (is_root)
		before = OFF_INFO + HTREE_INFO_BYTES;
	else if (rules->dir.hashed)
		before += DIRENT_HASH_BYTES;
	if (rules->dir.has_tail)
		before += HTREE_TAIL_BYTES;
	return (u16)((rules->dir.block_bytes - before) / HTREE_ENTRY_BYTES);
}

static void parse_counts(struct htree_node *node,
			 const struct htree_rules *rules)
{
	u32 room = 0;

	node->limit = span_le16(node->block, node->entries_off);
	node->count = span_le16(node->block, node->entries_off + 2u);
	if (node->block.len > node->entries_off)
		room = (u32)((node->block.len - node->entries_off) /
			     HTREE_ENTRY_BYTES);
	node->nr = node->count < room ? node->count : room;
	node->defects |= defect_if(node->limit !=
					   htree_limit(rules, node->is_root),
				   HTREE_BAD_LIMIT) |
			 defect_if(!node->count || node->count > node->limit,
				   HTREE_BAD_COUNT);
}

static u32 check_dots(struct span block, const struct htree_rules *rules)
{
	u32 bs = rules->dir.block_bytes;
	u32 dot = dirent_rec_decode(span_le16(block, OFF_DOT_REC_LEN), bs);
	u32 dotdot = dirent_rec_decode(
		span_le16(block, OFF_DOTDOT + OFF_DOT_REC_LEN), bs);

	return defect_if(dot != OFF_DOTDOT || dotdot != bs - OFF_DOTDOT,
			 HTREE_BAD_DOTS);
}

static bool hash_is_possible(u8 version, const struct htree_rules *rules)
{
	if (rules->dir.hashed)
		return version == HTREE_HASH_SIPHASH;
	return version <= HTREE_HASH_TEA;
}

void htree_root_parse(struct span block, const struct htree_rules *rules,
		      struct htree_node *node)
{
	u8 max = rules->large_dir ? LEVELS_MAX_LARGE : LEVELS_MAX;
	u8 info_len = span_u8(block, OFF_INFO_LEN);

	*node = (struct htree_node){
		.block = block,
		.is_root = true,
		.hash_version = span_u8(block, OFF_HASH_VERSION),
		.levels = span_u8(block, OFF_LEVELS),
		.entries_off = OFF_INFO + HTREE_INFO_BYTES,
	};
	node->defects = check_dots(block, rules) |
			defect_if(span_le32(block, OFF_INFO), HTREE_BAD_ZERO) |
			defect_if(!hash_is_possible(node->hash_version, rules),
				  HTREE_BAD_HASH) |
			defect_if(info_len != HTREE_INFO_BYTES,
				  HTREE_BAD_INFO) |
			defect_if(node->levels > max, HTREE_BAD_LEVELS) |
			defect_if(span_u8(block, OFF_FLAGS) & FLAG_UNKNOWN,
				  HTREE_BAD_FLAGS);
	parse_counts(node, rules);
}

void htree_inner_parse(struct span block, const struct htree_rules *rules,
		       struct htree_node *node)
{
	u32 bs = rules->dir.block_bytes;
	u32 rec = dirent_rec_decode(span_le16(block, OFF_DOT_REC_LEN), bs);

	*node = (struct htree_node){
		.block = block,
		.entries_off = OFF_INNER_ENTRIES,
	};
	node->defects =
		defect_if(span_le32(block, 0) || rec != bs, HTREE_BAD_FAKE);
	parse_counts(node, rules);
}

/* The hash of an entry; the first has the lowest of its parent's entry. */
static u32 hash_at(const struct htree_node *node, u32 idx)
{
	size_t off = node->entries_off + (size_t)idx * HTREE_ENTRY_BYTES;

	return idx ? span_le32(node->block, off) : 0;
}

struct htree_entry htree_entry(const struct htree_node *node, u32 idx,
			       const struct htree_rules *rules,
			       const struct htree_bounds *bounds)
{
	size_t off = node->entries_off + (size_t)idx * HTREE_ENTRY_BYTES;
	struct htree_entry e = {
		.hash = hash_at(node, idx),
		.blk = span_le32(node->block, off + 4) & HTREE_BLK_MASK,
	};

	e.defects = defect_if(!e.blk || e.blk >= rules->nr_dir_blks,
			      HTREE_BAD_BLK);
	if (!idx)
		return e;
	/* Equal hashes: a chain of one hash over several blocks. */
	e.defects |= defect_if(e.hash < hash_at(node, idx - 1),
			       HTREE_BAD_ORDER) |
		     defect_if(e.hash < bounds->min || e.hash >= bounds->end,
			       HTREE_BAD_BOUNDS);
	return e;
}

struct htree_bounds htree_bounds_whole(void)
{
	return (struct htree_bounds){0, 1ull << 32};
}

struct htree_bounds htree_bounds_child(const struct htree_node *node, u32 idx,
				       const struct htree_bounds *bounds)
{
	struct htree_bounds b = *bounds;

	if (idx)
		b.min = hash_at(node, idx) & ~(u32)HTREE_CONTINUED;
	if (idx + 1 < node->nr) {
		u32 next = hash_at(node, idx + 1);

		/* A chain that goes on there has its hash in both children. */
		b.end = (u64)next + (next & HTREE_CONTINUED);
	}
	return b;
}

u32 htree_tail_offset(const struct htree_node *node)
{
	size_t off =
		node->entries_off + (size_t)node->limit * HTREE_ENTRY_BYTES;

	return span_has(node->block, off, HTREE_TAIL_BYTES) ? (u32)off : 0;
}
