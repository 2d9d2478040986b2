/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a root and as an inner node of an htree: entries stay inside
 * the block, and a tree called fine keeps order and bounds. The first 8 bytes
 * choose the rules.
 */
#include <assert.h>

#include "ondisk/csum.h"
#include "ondisk/htree.h"
#include "tests/fuzz/fuzz.h"

static void check_node(const struct htree_node *node,
		       const struct htree_rules *rules,
		       const struct htree_bounds *bounds)
{
	u32 tail = htree_tail_offset(node), last = 0;

	assert((size_t)node->nr * HTREE_ENTRY_BYTES <= node->block.len);
	assert(!tail || tail + HTREE_TAIL_BYTES <= node->block.len);
	for (u32 i = 0; i < node->nr; i++) {
		struct htree_entry e = htree_entry(node, i, rules, bounds);
		struct htree_bounds b = htree_bounds_child(node, i, bounds);

		assert(e.blk <= HTREE_BLK_MASK && b.end <= 1ull << 32);
		if (e.defects)
			continue;
		assert(e.blk && e.blk < rules->nr_dir_blks);
		assert(!i || (e.hash >= bounds->min && e.hash < bounds->end));
		/* A wrong neighbour may be what it is compared with. */
		if (i && e.hash < last)
			assert(htree_entry(node, i - 1, rules, bounds).defects);
		last = e.hash;
	}
	if (csum_htree_node(node, 1).present)
		assert(csum_htree_node(node, 1).off + 4 <= node->block.len);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct htree_rules rules = {.dir = {.block_bytes = 1024}};
	struct htree_bounds whole = htree_bounds_whole(), part;
	struct span all = span_of(bytes, len), block;
	struct htree_node node;

	if (len < 8 || len > 8 + 65536)
		return 0;
	rules.dir.block_bytes = bytes[0] & 1 ? 65536 : 1024;
	rules.dir.has_tail = bytes[0] & 4;
	rules.dir.hashed = bytes[0] & 8;
	rules.large_dir = bytes[0] & 16;
	rules.nr_dir_blks = span_le16(all, 2);
	part = (struct htree_bounds){span_le16(all, 4), 0x10000000};
	block = span_sub(all, 8, len - 8);
	htree_root_parse(block, &rules, &node);
	check_node(&node, &rules, &whole);
	htree_inner_parse(block, &rules, &node);
	check_node(&node, &rules, &part);
	return 0;
}
