/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a directory block: walking and finding the way back in end,
 * entries do not overlap, and what is called fine lies inside and has a name.
 * The first 8 bytes choose the rules.
 */
#include <assert.h>

#include "ondisk/csum.h"
#include "ondisk/dirent.h"
#include "tests/fuzz/fuzz.h"

static void check_entry(const struct dirent_iter *it, const struct dirent *d)
{
	const u8 *end = it->block.bytes + it->end;

	if (!(d->defects & DIRENT_BAD_REC_LEN)) {
		assert(d->rec_bytes >= DIRENT_MIN_BYTES);
		assert(d->rec_bytes <= it->end - d->off);
	}
	assert(d->name_len <= end - d->name);
	if (!d->ino || d->defects)
		return;
	assert(d->name_len && d->name_len <= DIRENT_NAME_MAX);
	assert(d->ino <= it->rules->nr_inodes);
	if (!it->rules->encrypted)
		assert(!memchr(d->name, '/', d->name_len));
}

static void walk(struct span block, const struct dirent_rules *rules)
{
	struct dirent_iter it;
	struct dirent d;
	u32 from = 0, nr = 0;

	dirent_iter_init(&it, block, rules, true);
	do {
		while (dirent_next(&it, &d)) {
			assert(d.off >= from);
			check_entry(&it, &d);
			from = d.off + d.rec_bytes;
			assert(++nr <= block.len / 4 + 1);
		}
	} while (it.broken && dirent_resync(&it));
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct dirent_rules rules = {.first_ino = 11};
	struct span all = span_of(bytes, len), block;

	/* Blocks are 64 KiB at most. */
	if (len < 8 || len > 8 + 65536)
		return 0;
	rules.block_bytes = bytes[0] & 1 ? 65536 : 1024;
	rules.filetype = !(bytes[0] & 2);
	rules.has_tail = bytes[0] & 4;
	rules.hashed = bytes[0] & 8;
	rules.encrypted = bytes[0] & 16;
	rules.indexed = bytes[0] & 32;
	rules.nr_inodes = span_le32(all, 4);
	block = span_sub(all, 8, len - 8);
	walk(block, &rules);
	(void)dirent_dots(block, &rules, 12);
	assert(csum_dir_block(block, 1).present == dirent_has_tail(block));
	return 0;
}
