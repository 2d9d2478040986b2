/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fstab and mountinfo, parsed by libmount. What the options mean to ext4 is not
 * known here.
 */
#include "probe/mounts.h"

#include <errno.h>
#include <libmount/libmount.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/banned.h"

/* What one reading needs beside the list. */
struct reader {
	const struct root *r;
	struct libmnt_table *table;
	struct libmnt_cache *cache; /* of resolved tags; NULL unless live */
	bool mounted;		    /* mountinfo, not fstab */
};

static bool is_our_type(const char *type, size_t len, bool mounted)
{
	static const char *const types[] = {"ext4", "ext3", "ext2", "auto"};
	size_t nr = ARRAY_LEN(types) - mounted;

	for (size_t i = 0; i < nr; i++)
		if (len == strlen(types[i]) && !memcmp(type, types[i], len))
			return true;
	return false;
}

/* fstab may list several types: "ext4,xfs". */
static bool has_our_type(const char *list, bool mounted)
{
	size_t len;

	for (; list && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (is_our_type(list, len, mounted))
			return true;
	}
	return false;
}

/* A copy in *copy; NULL of NULL. */
static errcode_t copy_text(const char *text, char **copy)
{
	*copy = text ? strdup(text) : NULL;
	return text && !*copy ? ENOMEM : 0;
}

/* The device node of a number, when udev named it as the kernel does. */
static errcode_t device_of_devno(const struct root *r, struct mount_entry *e)
{
	char path[64], dir[ROOT_PATH_MAX], node[ROOT_PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u",
		 major((dev_t)e->devno), minor((dev_t)e->devno));
	if (root_resolve(r, path, dir))
		return 0;
	if (snprintf(node, sizeof(node), "/dev%s", strrchr(dir, '/')) >=
		    (int)sizeof(node) ||
	    stat(node, &st) || !S_ISBLK(st.st_mode) ||
	    st.st_rdev != (dev_t)e->devno)
		return 0;
	return copy_text(node, &e->device);
}

static errcode_t resolve_live(const struct reader *rd, struct libmnt_fs *fs,
			      struct mount_entry *e)
{
	const char *path = NULL;
	struct stat st;

	if (rd->mounted)
		e->devno = mnt_fs_get_devno(fs);
	/* The spec belongs to the cache. */
	if (e->source)
		path = mnt_resolve_spec(e->source, rd->cache);
	if (path && path[0] == '/' && !stat(path, &st)) {
		if (S_ISBLK(st.st_mode))
			e->devno = st.st_rdev;
		return copy_text(path, &e->device);
	}
	return e->devno ? device_of_devno(rd->r, e) : 0;
}

static errcode_t fill_entry(const struct reader *rd, struct libmnt_fs *fs,
			    struct mount_entry *e)
{
	const char *options = mnt_fs_get_options(fs);
	errcode_t rc;

	rc = copy_text(mnt_fs_get_source(fs), &e->source);
	if (!rc)
		rc = copy_text(mnt_fs_get_target(fs), &e->target);
	if (!rc)
		rc = copy_text(mnt_fs_get_fstype(fs), &e->fs_type);
	if (!rc)
		rc = copy_text(options ? options : "", &e->options);
	if (rc)
		return rc;
	if (rd->cache)
		return resolve_live(rd, fs, e);
	if (e->source && e->source[0] == '/')
		return copy_text(e->source, &e->device);
	return 0;
}

static errcode_t add_entry(const struct reader *rd, struct libmnt_fs *fs,
			   struct mount_list *list)
{
	struct mount_entry *entries = realloc(
		list->entries, (list->nr_entries + 1) * sizeof(*entries));

	if (!entries)
		return ENOMEM;
	list->entries = entries;
	memset(&entries[list->nr_entries], 0, sizeof(*entries));
	return fill_entry(rd, fs, &entries[list->nr_entries++]);
}

static errcode_t add_all(const struct reader *rd, struct mount_list *list)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	errcode_t rc = 0;

	if (!iter)
		return ENOMEM;
	while (!rc && !mnt_table_next_fs(rd->table, iter, &fs))
		if (has_our_type(mnt_fs_get_fstype(fs), rd->mounted))
			rc = add_entry(rd, fs, list);
	mnt_free_iter(iter);
	return rc;
}

/* Where libmount finds the file; only a regular file will do. */
static errcode_t locate_file(const struct root *r, const char *path,
			     char *full)
{
	char real[ROOT_PATH_MAX];
	errcode_t rc = root_resolve(r, path, real);
	struct stat st;

	if (rc)
		return rc;
	if (snprintf(full, PATH_MAX, "%s%s", root_is_live(r) ? "" : r->dir,
		     real) >= PATH_MAX)
		return ENAMETOOLONG;
	if (stat(full, &st))
		return errno;
	return S_ISREG(st.st_mode) ? 0 : EINVAL;
}

static errcode_t read_table(struct reader *rd, const char *path,
			    struct mount_list *list)
{
	char full[PATH_MAX];
	errcode_t rc = locate_file(rd->r, path, full);
	int err;

	*list = (struct mount_list){NULL, 0};
	if (rc)
		return rc;
	rd->table = mnt_new_table();
	if (root_is_live(rd->r))
		rd->cache = mnt_new_cache();
	if (!rd->table || (root_is_live(rd->r) && !rd->cache)) {
		rc = ENOMEM;
		goto out;
	}
	err = mnt_table_parse_file(rd->table, full);
	rc = err < 0 ? -err : 0;
	if (!rc)
		rc = add_all(rd, list);
out:
	mnt_unref_table(rd->table);
	mnt_unref_cache(rd->cache);
	return rc;
}

errcode_t mounts_read_fstab(const struct root *r, struct mount_list *list)
{
	struct reader rd = {r, NULL, NULL, false};
	errcode_t rc = read_table(&rd, "/etc/fstab", list);

	return rc == ENOENT ? 0 : rc;
}

errcode_t mounts_read_mounted(const struct root *r, struct mount_list *list)
{
	struct reader rd = {r, NULL, NULL, true};

	return read_table(&rd, "/proc/self/mountinfo", list);
}

void mounts_free(struct mount_list *list)
{
	for (size_t i = 0; i < list->nr_entries; i++) {
		free(list->entries[i].source);
		free(list->entries[i].device);
		free(list->entries[i].target);
		free(list->entries[i].fs_type);
		free(list->entries[i].options);
	}
	free(list->entries);
	*list = (struct mount_list){NULL, 0};
}

const struct mount_entry *mounts_find(const struct mount_list *list,
				      const char *path)
{
	struct stat st;
	u64 devno = 0;

	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		devno = st.st_rdev;
	for (size_t i = 0; i < list->nr_entries; i++) {
		const struct mount_entry *e = &list->entries[i];

		if ((e->device && !strcmp(e->device, path)) ||
		    (devno && e->devno == devno))
			return e;
	}
	return NULL;
}
