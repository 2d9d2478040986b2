/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fstab and the mounts of now, read with libmount. */
#ifndef PROBE_MOUNTS_H
#define PROBE_MOUNTS_H

#include "base/err.h"
#include "base/types.h"
#include "probe/root.h"

struct mount_entry {
	char *source; /* as written: /dev/sda1, UUID=..., LABEL=... */
	/*
	 * Resolved path, NULL when it cannot be. In a recorded tree only a
	 * source that is a path by itself has one.
	 */
	char *device;
	u64 devno; /* of a block device of this machine, else 0 */
	char *target; /* mount point */
	char *fs_type;
	char *options;
};

struct mount_list {
	struct mount_entry *entries; /* owned */
	size_t nr_entries;
};

/*
 * All ext2/3/4 (and "auto") entries of fstab; none when there is no fstab.
 * Errors: errno. The caller frees the list, also after an error.
 */
errcode_t mounts_read_fstab(const struct root *r, struct mount_list *list)
	LB_MUST_CHECK;
/* All mounted ext2/3/4 filesystems. Errors: errno. Freed likewise. */
errcode_t mounts_read_mounted(const struct root *r, struct mount_list *list)
	LB_MUST_CHECK;
void mounts_free(struct mount_list *list);
/* The entry whose resolved device is path (or the same devno), or NULL. */
const struct mount_entry *mounts_find(const struct mount_list *list,
				      const char *path);

#endif
