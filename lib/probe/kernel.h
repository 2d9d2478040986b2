/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running (or recorded) kernel says about itself and about ext4. */
#ifndef PROBE_KERNEL_H
#define PROBE_KERNEL_H

#include "probe/facts.h"
#include "probe/root.h"

/* Whether it is a page size some Linux has. */
bool kernel_page_bytes_is_valid(u64 bytes);
/* Never fails: what cannot be learned stays unknown, with the reason. */
void kernel_probe(const struct root *r, struct kernel_facts *k);
/*
 * The release that brought block sizes above the page size to ext4, when built
 * with transparent huge pages.
 */
#define KERNEL_LARGE_BLOCKS_SINCE KVER(6, 19)

/* The file a recorded tree holds for what no kernel file says. */
#define KERNEL_RECORDED_PAGE_SIZE "/lbsprogs/page_size"

/* "6.19", "6.19.3-foo", "v7.3" -> KVER(6, 19). Error: EINVAL. */
errcode_t kernel_parse_version(const char *text, u32 *version) LB_MUST_CHECK;

#endif
