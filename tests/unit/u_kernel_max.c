/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/lbs/kernel_max.c: every pair of page size and large-block support. */
#include "lbs/kernel_max.h"

#include "base/banned.h"
#include "tap.h"

int main(void)
{
	static const struct {
		u64 page_bytes;
		enum tri large_blocks;
		u64 max;
		const char *name;
	} rows[] = {
		{4096, TRI_NO, 4096, "4K pages, no"},
		{4096, TRI_YES, 65536, "4K pages, yes"},
		{4096, TRI_UNKNOWN, 0, "4K pages, unknown"},
		{16384, TRI_NO, 16384, "16K pages, no"},
		{65536, TRI_NO, 65536, "64K pages, no"},
		{65536, TRI_UNKNOWN, 65536, "64K pages, unknown"},
		{262144, TRI_NO, 65536, "256K pages, no"},
		{0, TRI_NO, 0, "unknown pages, no"},
		{0, TRI_YES, 65536, "unknown pages, yes"},
		{0, TRI_UNKNOWN, 0, "nothing known"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct kernel_facts k = {.page_bytes = rows[i].page_bytes};

		fact_set(&k.large_blocks, rows[i].large_blocks, "a test");
		tap_is_u64(lbs_kernel_max_block_bytes(&k), rows[i].max,
			   rows[i].name);
	}
	return tap_done();
}
