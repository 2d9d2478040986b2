/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a block device sits on: partitions, dm, md, loop, down to VDUSE. */
#ifndef PROBE_STACK_H
#define PROBE_STACK_H

#include "probe/facts.h"
#include "probe/root.h"

/*
 * Walks down from a device's folder ("/sys/devices/...", links resolved). Sets
 * d->stack and, when a VDUSE device is below, the vduse and max_io members; of
 * several VDUSE devices the one with the least room counts. Bounded in depth
 * and number; where it stopped the text says "...".
 */
void stack_probe(const struct root *r, const char *dir, struct device_facts *d);
/*
 * The folder of the whole disk of a partition, or dir itself; into
 * ROOT_PATH_MAX bytes.
 */
void stack_disk_dir(const struct root *r, const char *dir, char *disk);
/* The last part of a path. */
const char *stack_name(const char *dir);
/*
 * Reads max_sectors_kb of a whole disk into bytes, and names the file as
 * people know it. 0 and "" when it cannot be read.
 */
void stack_max_io(const struct root *r, const char *disk,
		  struct device_facts *d);

#endif
