/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit a kernel sets by itself; what one filesystem adds is rules.c. */
#include "lbs/kernel_max.h"

#include "lbs/limits.h"

u64 lbs_kernel_max_block_bytes(const struct kernel_facts *k)
{
	/* Pages as large as the largest block leave nothing to ask. */
	if (k->page_bytes >= LBS_BLOCK_BYTES_MAX ||
	    k->large_blocks.value == TRI_YES)
		return LBS_BLOCK_BYTES_MAX;
	return k->large_blocks.value == TRI_NO ? k->page_bytes : 0;
}
