/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a block of xattrs and as an inode with some: the walk ends,
 * values called fine lie behind the table and do not overlap.
 */
#include <assert.h>

#include "ondisk/csum.h"
#include "ondisk/xattr.h"
#include "tests/fuzz/fuzz.h"

static const struct geom geom = {
	.nr_inodes = 1000,
	.first_ino = 11,
	.features = {.incompat = FEAT_INCOMPAT_EA_INODE},
};

static void check_value(const struct xattr_area *area,
			const struct xattr_entry *e)
{
	if (e->defects || !e->value_bytes || e->value_ino)
		return;
	assert(e->value.len == e->value_bytes);
	assert(e->value_off >= area->table_end + 4);
	assert(e->value_off + e->value.len <= area->bytes.len);
}

static void walk(const struct xattr_area *area)
{
	struct xattr_iter it;
	struct xattr_entry e;
	size_t values = 0, nr = 0;

	xattr_iter_init(&it, area, &geom);
	while (xattr_next(&it, &e)) {
		assert(++nr <= area->bytes.len / XATTR_ENTRY_BYTES);
		assert(e.off + XATTR_ENTRY_BYTES + e.name_len <=
		       area->bytes.len);
		check_value(area, &e);
		values += e.defects ? 0 : e.value.len;
		(void)xattr_hash_ok(area, &e, 5);
	}
	assert(values <= area->bytes.len);
	(void)xattr_block_hash(area);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct span all = span_of(bytes, len);
	struct xattr_area area;

	if (len > 65536)
		return 0;
	xattr_block_parse(all, &area);
	walk(&area);
	(void)csum_xattr_block(all, 1, 1);
	for (u32 extra = 0; extra <= 128; extra += 32) {
		xattr_inode_parse(all, (u16)extra, &area);
		walk(&area);
	}
	return 0;
}
