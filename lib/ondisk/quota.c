/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes and judges blocks of quota files, one at a time. */
#include "ondisk/quota.h"

#include "base/banned.h"
#include "ondisk/defect.h"

enum {
	VERSION = 1,
	OFF_VERSION = 4,
	OFF_BLOCK_GRACE = 8,
	OFF_INODE_GRACE = 12,
	OFF_HEAD_FLAGS = 16,
	OFF_NR_BLKS = 20,
	OFF_FREE_BLK = 24,
	OFF_FREE_ENTRY = 28,
	LEAF_HEAD_BYTES = 16,
	OFF_LEAF_PREV = 4,
	OFF_LEAF_ENTRIES = 8,
	OFF_INODE_HARD = 8,
	OFF_INODE_SOFT = 16,
	OFF_INODES = 24,
	OFF_BLOCK_HARD = 32,
	OFF_BLOCK_SOFT = 40,
	OFF_SPACE = 48,
	OFF_BLOCK_TIME = 56,
	OFF_INODE_TIME = 64,
};

void quota_head_parse(struct span block, struct quota_head *head)
{
	*head = (struct quota_head){
		.magic = span_le32(block, 0),
		.version = span_le32(block, OFF_VERSION),
		.block_grace = span_le32(block, OFF_BLOCK_GRACE),
		.inode_grace = span_le32(block, OFF_INODE_GRACE),
		.flags = span_le32(block, OFF_HEAD_FLAGS),
		.nr_blks = span_le32(block, OFF_NR_BLKS),
		.free_blk = span_le32(block, OFF_FREE_BLK),
		.free_entry_blk = span_le32(block, OFF_FREE_ENTRY),
	};
}

/* 0, or a block behind the root. */
static bool link_is_possible(u32 blk, const struct quota_head *head)
{
	return !blk || (blk > QUOTA_ROOT_BLK && blk < head->nr_blks);
}

u32 quota_head_check(const struct quota_head *head, enum quota_kind kind,
		     u64 file_bytes)
{
	static const u32 magics[] = {
		[QUOTA_USER] = 0xD9C01F11,
		[QUOTA_GROUP] = 0xD9C01927,
		[QUOTA_PROJECT] = 0xD9C03F14,
	};

	return defect_if(head->magic != magics[kind], QUOTA_BAD_MAGIC) |
	       defect_if(head->version != VERSION, QUOTA_BAD_VERSION) |
	       defect_if(head->nr_blks <= QUOTA_ROOT_BLK ||
				 head->nr_blks > file_bytes / QUOTA_BLOCK_BYTES,
			 QUOTA_BAD_BLKS) |
	       defect_if(!link_is_possible(head->free_blk, head) ||
				 !link_is_possible(head->free_entry_blk, head),
			 QUOTA_BAD_FREE);
}

u32 quota_ptr_idx(u32 id, unsigned level)
{
	return id >> 8 * (QUOTA_LEVELS - 1 - level) & 0xFF;
}

u32 quota_ptr(struct span block, u32 idx)
{
	return span_le32(block, (size_t)idx * 4);
}

u32 quota_ptr_check(u32 ptr, const struct quota_head *head)
{
	return defect_if(!link_is_possible(ptr, head), QUOTA_BAD_PTR);
}

static struct span entry_span(struct span block, u32 idx)
{
	return span_sub(block,
			LEAF_HEAD_BYTES + (size_t)idx * QUOTA_ENTRY_BYTES,
			QUOTA_ENTRY_BYTES);
}

static bool entry_is_used(struct span raw)
{
	u64 any = 0;

	for (size_t off = 0; off < QUOTA_ENTRY_BYTES; off += 8)
		any |= span_le64(raw, off);
	return any;
}

void quota_leaf_parse(struct span block, struct quota_leaf *leaf)
{
	*leaf = (struct quota_leaf){
		.next_free = span_le32(block, 0),
		.prev_free = span_le32(block, OFF_LEAF_PREV),
		.nr_entries = span_le16(block, OFF_LEAF_ENTRIES),
	};
	for (u32 i = 0; i < QUOTA_LEAF_ENTRIES; i++)
		if (entry_is_used(entry_span(block, i)))
			leaf->nr_used++;
}

u32 quota_leaf_check(const struct quota_leaf *leaf,
		     const struct quota_head *head)
{
	return defect_if(!link_is_possible(leaf->next_free, head) ||
				 !link_is_possible(leaf->prev_free, head),
			 QUOTA_BAD_LINK) |
	       defect_if(leaf->nr_entries != leaf->nr_used, QUOTA_BAD_ENTRIES);
}

bool quota_entry_parse(struct span block, u32 idx, struct quota_entry *e)
{
	struct span raw = entry_span(block, idx);

	*e = (struct quota_entry){0};
	if (idx >= QUOTA_LEAF_ENTRIES || !entry_is_used(raw))
		return false;
	*e = (struct quota_entry){
		.id = span_le32(raw, 0),
		.inode_hard = span_le64(raw, OFF_INODE_HARD),
		.inode_soft = span_le64(raw, OFF_INODE_SOFT),
		.inodes = span_le64(raw, OFF_INODES),
		.block_hard = span_le64(raw, OFF_BLOCK_HARD),
		.block_soft = span_le64(raw, OFF_BLOCK_SOFT),
		.space_bytes = span_le64(raw, OFF_SPACE),
		.block_time = span_le64(raw, OFF_BLOCK_TIME),
		.inode_time = span_le64(raw, OFF_INODE_TIME),
	};
	/* How an entry of id 0 without limits or usage tells it is used. */
	if (e->inode_time == 1 && !e->id && !e->inodes && !e->space_bytes)
		e->inode_time = 0;
	return true;
}
