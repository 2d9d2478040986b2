/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the block layer says of the device a filesystem is (to be) on. */
#ifndef PROBE_DEVICE_H
#define PROBE_DEVICE_H

#include "probe/facts.h"
#include "probe/root.h"

/*
 * devno is the st_rdev of a block device; 0 (an image file) leaves the device
 * absent. Never fails: what sysfs does not tell stays unknown or 0.
 */
void device_probe(const struct root *r, u64 devno, struct device_facts *d);
/*
 * The same for a kernel name ("sda1", "dm-0") of a recorded tree or of this
 * machine. Errors: errno when sysfs has no such device; *d is absent then.
 */
errcode_t device_probe_named(const struct root *r, const char *name,
			     struct device_facts *d) LB_MUST_CHECK;

#endif
