/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libblkid's low-level probe, put into words; mounts through libmount. */
#include "probe/content.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/banned.h"
#include "probe/mounts.h"

static const char *value_of(blkid_probe probe, const char *name)
{
	const char *value = NULL;

	if (blkid_probe_lookup_value(probe, name, &value, NULL))
		return NULL;
	return value;
}

static void describe(blkid_probe probe, struct str *what)
{
	const char *table = value_of(probe, "PTTYPE");
	const char *type = value_of(probe, "TYPE");
	const char *label = value_of(probe, "LABEL");

	if (type) {
		str_addf(what, "a filesystem or volume of type %s", type);
		if (label)
			str_addf(what, " labelled '%s'", label);
	}
	if (table)
		str_addf(what, "%sa %s partition table", type ? " and " : "",
			 table);
}

errcode_t content_probe(const char *path, struct str *what)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);
	int found;

	if (!probe)
		return errno ? errno : EIO;
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(
		probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, 1);
	/* 1: nothing found; -2: several things, which is something too. */
	found = blkid_do_safeprobe(probe);
	if (!found)
		describe(probe, what);
	else if (found == -2)
		str_add(what, "several formats at once");
	blkid_free_probe(probe);
	return found == -1 ? (errno ? errno : EIO) : 0;
}

errcode_t content_in_use(const char *path, struct str *how)
{
	const struct root live = {NULL};
	const struct mount_entry *e;
	struct mount_list mounts;
	errcode_t rc = mounts_read_mounted(&live, &mounts);

	if (rc)
		return rc;
	e = mounts_find(&mounts, path);
	if (e)
		str_addf(how, "it is mounted on %s", e->target);
	mounts_free(&mounts);
	return 0;
}
