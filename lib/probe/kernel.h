/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running (or recorded) kernel says about itself and about ext4. */
#ifndef PROBE_KERNEL_H
#define PROBE_KERNEL_H

#include "probe/facts.h"
#include "probe/root.h"

/* Never fails: what cannot be learned stays unknown, with the reason. */
void kernel_probe(const struct root *r, struct kernel_facts *k);
/* "6.19", "6.19.3-foo", "v7.3" -> KVER(6, 19). Error: EINVAL. */
errcode_t kernel_parse_version(const char *text, u32 *version) LB_MUST_CHECK;

#endif
