/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a block device's limits from its queue folder in sysfs; a partition has
 * none and takes its disk's. What the device sits on is in stack.c.
 */
#include "probe/device.h"

#include <errno.h>
#include <sys/sysmacros.h>

#include "base/banned.h"
#include "probe/stack.h"

/* A number of the queue folder, 0 when it is not there. */
static u64 queue_u64(const struct root *r, const char *disk, const char *name)
{
	char path[ROOT_PATH_MAX];
	u64 value = 0;

	if (snprintf(path, sizeof(path), "%s/queue/%s", disk, name) >=
		    (int)sizeof(path) ||
	    root_read_u64(r, path, &value))
		return 0;
	return value;
}

/* A sector size, 0 when what is there cannot be one. */
static u32 queue_sector(const struct root *r, const char *disk,
			const char *name)
{
	u64 bytes = queue_u64(r, disk, name);

	return u64_is_pow2(bytes) && bytes >= 512 && bytes <= 1u << 30
		       ? (u32)bytes
		       : 0;
}

static void probe_dax(const struct root *r, const char *disk, struct fact *f)
{
	char path[ROOT_PATH_MAX];
	u64 value;

	if (snprintf(path, sizeof(path), "%s/queue/dax", disk) >=
		    (int)sizeof(path) ||
	    root_read_u64(r, path, &value))
		fact_set(f, TRI_UNKNOWN, "/sys/block/%.64s/queue/dax cannot be"
					 " read", stack_name(disk));
	else
		fact_set(f, value ? TRI_YES : TRI_NO,
			 "/sys/block/%.64s/queue/dax is %u", stack_name(disk),
			 value != 0);
}

static bool probe_zoned(const struct root *r, const char *disk)
{
	char path[ROOT_PATH_MAX], text[32];

	return snprintf(path, sizeof(path), "%s/queue/zoned", disk) <
		       (int)sizeof(path) &&
	       !root_read(r, path, text, sizeof(text)) && text[0] &&
	       strcmp(text, "none") != 0;
}

static void probe_dir(const struct root *r, const char *dir,
		      struct device_facts *d)
{
	char disk[ROOT_PATH_MAX];

	snprintf(d->name, sizeof(d->name), "%.127s", stack_name(dir));
	stack_disk_dir(r, dir, disk);
	d->logical_bytes = queue_sector(r, disk, "logical_block_size");
	d->physical_bytes = queue_sector(r, disk, "physical_block_size");
	d->optimal_io_bytes = queue_u64(r, disk, "optimal_io_size");
	d->minimum_io_bytes = queue_u64(r, disk, "minimum_io_size");
	d->atomic_min_bytes =
		queue_u64(r, disk, "atomic_write_unit_min_bytes");
	d->atomic_max_bytes =
		queue_u64(r, disk, "atomic_write_unit_max_bytes");
	d->zoned = probe_zoned(r, disk);
	probe_dax(r, disk, &d->dax);
	stack_max_io(r, disk, d);
	stack_probe(r, dir, d);
}

void device_probe(const struct root *r, u64 devno, struct device_facts *d)
{
	char path[ROOT_PATH_MAX], dir[ROOT_PATH_MAX];

	memset(d, 0, sizeof(*d));
	fact_set(&d->dax, TRI_UNKNOWN, "there is no block device to ask");
	if (!devno)
		return;
	d->present = true;
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u",
		 major((dev_t)devno), minor((dev_t)devno));
	if (root_resolve(r, path, dir))
		fact_set(&d->dax, TRI_UNKNOWN, "%s cannot be seen here", path);
	else
		probe_dir(r, dir, d);
}

errcode_t device_probe_named(const struct root *r, const char *name,
			     struct device_facts *d)
{
	char path[ROOT_PATH_MAX], dir[ROOT_PATH_MAX];
	errcode_t rc;

	device_probe(r, 0, d);
	if (!name[0] || name[0] == '.' || strchr(name, '/') ||
	    strlen(name) >= FACT_NAME_MAX)
		return ENODEV;
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	rc = root_resolve(r, path, dir);
	if (rc)
		return rc;
	d->present = true;
	probe_dir(r, dir, d);
	return 0;
}
