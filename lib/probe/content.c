/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libblkid's low-level probe, put into words, and who holds a device. */
#include "probe/content.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"
#include "probe/root.h"

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
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE |
							 BLKID_SUBLKS_LABEL);
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

/* Every signature blkid knows, wherever it lies: md and GPT are at the end. */
static errcode_t wipe_all(blkid_probe probe, int fd)
{
	int found = 0;

	if (blkid_probe_set_device(probe, fd, 0, 0))
		return EIO;
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_MAGIC |
							 BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(probe, 1);
	blkid_probe_set_partitions_flags(probe, BLKID_PARTS_MAGIC |
							BLKID_PARTS_FORCE_GPT);
	errno = 0;
	while (!found) {
		found = blkid_do_probe(probe);
		if (!found && blkid_do_wipe(probe, 0))
			return errno ? errno : EIO;
	}
	return found == 1 ? 0 : (errno ? errno : EIO);
}

errcode_t content_wipe(const char *path)
{
	blkid_probe probe;
	errcode_t rc = ENOMEM;
	struct stat st;
	int fd;

	if (stat(path, &st))
		return errno;
	fd = open(path,
		  O_RDWR | O_CLOEXEC | (S_ISBLK(st.st_mode) ? O_EXCL : 0));
	if (fd < 0)
		return errno;
	probe = blkid_new_probe();
	if (probe)
		rc = wipe_all(probe, fd);
	blkid_free_probe(probe);
	if (close(fd) && !rc)
		rc = errno;
	return rc;
}

/* The loop device over the file with this real path; false: none. */
static bool find_loop(const char *real, char *name, size_t size)
{
	const struct root live = {NULL};
	struct root_names *disks = malloc(sizeof(*disks));
	bool found = false;

	if (disks && !root_list(&live, "/sys/block", disks))
		for (size_t i = 0; !found && i < disks->nr; i++) {
			char at[160], file[ROOT_PATH_MAX];

			snprintf(at, sizeof(at),
				 "/sys/block/%s/loop/backing_file",
				 disks->names[i]);
			found = !root_read(&live, at, file, sizeof(file)) &&
				!strcmp(file, real);
			if (found)
				snprintf(name, size, "/dev/%s",
					 disks->names[i]);
		}
	free(disks);
	return found;
}

/* The kernel lends a device exclusively only while nobody else holds it. */
static bool is_held(const char *device)
{
	int fd = open(device, O_RDONLY | O_EXCL | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EBUSY;
}

errcode_t content_in_use(const char *path, struct str *how)
{
	char name[96], *real;
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (S_ISBLK(st.st_mode)) {
		if (is_held(path))
			str_add(how, "the system holds it: it is mounted, "
				     "swap, or part of a RAID or volume "
				     "group");
		return 0;
	}
	real = realpath(path, NULL);
	if (!real)
		return errno;
	if (find_loop(real, name, sizeof(name)) && is_held(name))
		str_addf(how, "it is behind %s, which is mounted or in use",
			 name);
	free(real);
	return 0;
}
