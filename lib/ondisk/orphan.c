/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and judges blocks of the orphan file. */
#include "ondisk/orphan.h"

#include "base/banned.h"
#include "ondisk/defect.h"

u32 orphan_nr_entries(const struct geom *g)
{
	return (g->block_bytes - ORPHAN_TAIL_BYTES) / 4;
}

u32 orphan_block_check(struct span block)
{
	if (block.len < ORPHAN_TAIL_BYTES)
		return ORPHAN_BAD_MAGIC;
	return defect_if(span_le32(block, block.len - ORPHAN_TAIL_BYTES) !=
				 ORPHAN_MAGIC,
			 ORPHAN_BAD_MAGIC);
}

u32 orphan_file_check(const struct inode *ino, const struct geom *g)
{
	u64 max = (u64)ORPHAN_FILE_BLKS_MAX * g->block_bytes;

	return defect_if(inode_type(ino) != INODE_TYPE_FILE ||
				 ino->flags & (INODE_FLAG_INLINE_DATA |
					       INODE_FLAG_ENCRYPT),
			 ORPHAN_BAD_FILE_TYPE) |
	       defect_if(!ino->file_bytes || ino->file_bytes > max ||
				 ino->file_bytes % g->block_bytes,
			 ORPHAN_BAD_FILE_SIZE);
}

bool orphan_ino_is_possible(const struct geom *g, u32 ino)
{
	return ino && ino >= g->first_ino && ino <= g->nr_inodes;
}

bool orphan_next(struct span block, const struct geom *g, u32 *idx,
		 struct orphan_entry *e)
{
	u32 nr = orphan_nr_entries(g);

	for (u32 i = *idx; i < nr; i++) {
		u32 ino = span_le32(block, (size_t)i * 4);

		if (!ino)
			continue;
		*e = (struct orphan_entry){
			i, ino,
			defect_if(!orphan_ino_is_possible(g, ino),
				  ORPHAN_BAD_INO)};
		*idx = i + 1;
		return true;
	}
	return false;
}
