/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees for tests of lib/probe: the recorded ones, and small made-up ones. */
#ifndef TESTS_SYSROOT_H
#define TESTS_SYSROOT_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/root.h"
#include "tap.h"

struct sysroot {
	char dir[PATH_MAX];
	struct root root;
};

/* tests/lbs/sysroots/name; s stays where it is, the root points into it. */
static inline const struct root *sysroot_recorded(struct sysroot *s,
						  const char *name)
{
	snprintf(s->dir, sizeof(s->dir), "%s/tests/lbs/sysroots/%s",
		 tap_srcdir(), name);
	s->root.dir = s->dir;
	return &s->root;
}

/* Stops the test: a tree that cannot be made tests nothing. */
static inline void sysroot_die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void sysroot_make(struct sysroot *s)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(s->dir, sizeof(s->dir), "%s/lbs-unit.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(s->dir))
		sysroot_die(s->dir);
	s->root.dir = s->dir;
}

static inline void sysroot_path(const struct sysroot *s, const char *path,
				char *full)
{
	if (snprintf(full, PATH_MAX, "%s%s", s->dir, path) >= PATH_MAX)
		sysroot_die(path);
	for (char *at = full + strlen(s->dir) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		if (mkdir(full, 0700) && errno != EEXIST)
			sysroot_die(full);
		*at = '/';
	}
}

/* Writes a file and the folders above it. */
static inline void sysroot_put(const struct sysroot *s, const char *path,
			       const void *bytes, size_t len)
{
	char full[PATH_MAX];
	int fd;

	sysroot_path(s, path, full);
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || close(fd))
		sysroot_die(full);
}

static inline void sysroot_put_text(const struct sysroot *s, const char *path,
				    const char *text)
{
	sysroot_put(s, path, text, strlen(text));
}

static inline void sysroot_link(const struct sysroot *s, const char *path,
				const char *to)
{
	char full[PATH_MAX];

	sysroot_path(s, path, full);
	if (symlink(to, full))
		sysroot_die(full);
}

/* Removes a tree sysroot_make() made. */
static inline void sysroot_remove(const struct sysroot *s)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", s->dir);
	if (system(command))
		sysroot_die(command);
}

#endif
