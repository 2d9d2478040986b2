/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a quota file: following every pointer that is called fine
 * stays inside the file, and leaves have at most their 14 entries.
 */
#include <assert.h>

#include "ondisk/quota.h"
#include "tests/fuzz/fuzz.h"

struct walk {
	struct span file;
	struct quota_head head;
	u32 budget; /* pointers may share blocks and form rings */
};

static struct span block_at(const struct walk *w, u32 blk)
{
	return span_sub(w->file, (size_t)blk * QUOTA_BLOCK_BYTES,
			QUOTA_BLOCK_BYTES);
}

static void walk_leaf(struct span block, const struct quota_head *head)
{
	struct quota_leaf leaf;
	struct quota_entry e;
	u32 nr = 0;

	quota_leaf_parse(block, &leaf);
	for (u32 i = 0; i < QUOTA_LEAF_ENTRIES + 2; i++)
		nr += quota_entry_parse(block, i, &e);
	assert(nr == leaf.nr_used && nr <= QUOTA_LEAF_ENTRIES);
	if (!quota_leaf_check(&leaf, head))
		assert(leaf.nr_entries == nr);
}

/* NOLINTNEXTLINE(misc-no-recursion) level ends it */
static void walk_tree(struct walk *w, u32 blk, unsigned level)
{
	struct span block = block_at(w, blk);

	assert(block.len == QUOTA_BLOCK_BYTES);
	if (level == QUOTA_LEVELS) {
		walk_leaf(block, &w->head);
		return;
	}
	for (u32 i = 0; i < QUOTA_PTRS && w->budget; i++) {
		u32 ptr = quota_ptr(block, i);

		if (!ptr || quota_ptr_check(ptr, &w->head))
			continue;
		w->budget--;
		walk_tree(w, ptr, level + 1);
	}
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct walk w = {.file = span_of(bytes, len), .budget = 500};

	quota_head_parse(w.file, &w.head);
	walk_leaf(w.file, &w.head);
	if (!(quota_head_check(&w.head, QUOTA_USER, len) & QUOTA_BAD_BLKS))
		walk_tree(&w, QUOTA_ROOT_BLK, 0);
	return 0;
}
