/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files, links and folders of this machine or of a recorded tree. It
 * knows no path by itself: which ones matter is in kernel.c and device.c.
 */
#include "probe/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"
#include "base/units.h"

bool root_is_live(const struct root *r)
{
	return !r->dir || !r->dir[0] || !strcmp(r->dir, "/");
}

/* Where path really is on this machine; full has PATH_MAX bytes. */
static errcode_t locate(const struct root *r, const char *path, char *full)
{
	char dir[PATH_MAX], joined[PATH_MAX];
	size_t len;
	int n;

	if (root_is_live(r)) {
		n = snprintf(full, PATH_MAX, "%s", path);
		return n >= PATH_MAX ? ENAMETOOLONG : 0;
	}
	if (!realpath(r->dir, dir))
		return errno;
	n = snprintf(joined, sizeof(joined), "%s%s", r->dir, path);
	if (n >= (int)sizeof(joined))
		return ENAMETOOLONG;
	if (!realpath(joined, full))
		return errno;
	len = strlen(dir);
	return strncmp(full, dir, len) != 0 || full[len] != '/' ? EXDEV : 0;
}

bool root_has(const struct root *r, const char *path)
{
	char full[PATH_MAX];

	return !locate(r, path, full) && !access(full, F_OK);
}

errcode_t root_resolve(const struct root *r, const char *path, char *real)
{
	char full[PATH_MAX], dir[PATH_MAX];
	const char *below = full;
	errcode_t rc;

	if (root_is_live(r)) {
		if (!realpath(path, full))
			return errno;
	} else {
		rc = locate(r, path, full);
		if (rc)
			return rc;
		if (!realpath(r->dir, dir))
			return errno;
		below += strlen(dir);
	}
	if (snprintf(real, ROOT_PATH_MAX, "%s", below) >= ROOT_PATH_MAX)
		return ENAMETOOLONG;
	return 0;
}

static bool is_printable(char c)
{
	return c >= ' ' && c <= '~';
}

/* Reads up to size - 1 bytes; a pipe or device in a tree is not touched. */
static errcode_t read_file(int fd, char *text, size_t size)
{
	struct stat st;
	size_t len = 0;
	ssize_t got;

	if (fstat(fd, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	while (len < size - 1) {
		got = read(fd, text + len, size - 1 - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (!got)
			break;
		len += (size_t)got;
	}
	if (len && text[len - 1] == '\n')
		len--;
	for (size_t i = 0; i < len; i++)
		if (!is_printable(text[i]) && text[i] != '\n' &&
		    text[i] != '\t')
			text[i] = '?';
	text[len] = '\0';
	return 0;
}

errcode_t root_read(const struct root *r, const char *path, char *text,
		    size_t size)
{
	char full[PATH_MAX];
	errcode_t rc;
	int fd;

	text[0] = '\0';
	rc = locate(r, path, full);
	if (rc)
		return rc;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno;
	rc = read_file(fd, text, size);
	if (rc)
		text[0] = '\0';
	close(fd);
	return rc;
}

errcode_t root_read_u64(const struct root *r, const char *path, u64 *value)
{
	char text[32];
	errcode_t rc = root_read(r, path, text, sizeof(text));

	if (rc)
		return rc;
	if (strspn(text, "0123456789") != strlen(text))
		return EINVAL;
	return units_parse_num(text, UINT64_MAX, value) ? EINVAL : 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Whether a folder entry is one we can hold and show. */
static int is_listed(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	if (entry->d_name[0] == '.' ||
	    len >= sizeof(((struct root_names *)NULL)->names[0]))
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!is_printable(entry->d_name[i]))
			return 0;
	return 1;
}

errcode_t root_list(const struct root *r, const char *path,
		    struct root_names *list)
{
	char full[PATH_MAX];
	struct dirent **entries;
	errcode_t rc;
	int nr;

	list->nr = 0;
	rc = locate(r, path, full);
	if (rc)
		return rc;
	nr = scandir(full, &entries, is_listed, by_name);
	if (nr < 0)
		return errno;
	for (int i = 0; i < nr; i++) {
		if (list->nr < ROOT_NAMES_MAX) {
			/* is_listed() made sure that it fits. */
			memcpy(list->names[list->nr++], entries[i]->d_name,
			       strlen(entries[i]->d_name) + 1);
		}
		free(entries[i]);
	}
	free(entries);
	return 0;
}
