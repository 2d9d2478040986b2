/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How large an ext4 block a kernel takes, whatever the filesystem. */
#ifndef LBS_KERNEL_MAX_H
#define LBS_KERNEL_MAX_H

#include "probe/facts.h"

/*
 * The largest block size this kernel mounts as ext4, in bytes:
 * LBS_BLOCK_BYTES_MAX where all are taken, its page size where larger ones are
 * refused, 0 where the facts do not tell.
 */
u64 lbs_kernel_max_block_bytes(const struct kernel_facts *k);

#endif
