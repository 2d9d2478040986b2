/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into a program under test: from the FAULT_NTH call of FAULT_CALL
 * (write, sync, close, truncate) on the file FAULT_PATH on, calls fail with
 * FAULT_ERRNO; with FAULT_ONCE only that one call does, with FAULT_SHORT writes
 * of more than one byte store half; with FAULT_KILL the call kills the program
 * instead. FAULT_COUNT names a file that gets one byte
 * for each call seen.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

static int is_target(int fd)
{
	const char *path = getenv("FAULT_PATH");
	char link[64], real[4096];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, real, sizeof(real) - 1);
	if (!path || len < 0)
		return 0;
	real[len] = 0;
	return !strcmp(real, path);
}

static void count_call(void)
{
	const char *path = getenv("FAULT_COUNT");
	int fd;

	if (!path)
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, path,
			  O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd < 0)
		abort();
	if (syscall(SYS_write, fd, ".", 1) != 1)
		abort();
	syscall(SYS_close, fd);
}

/* Whether this call fails; errno says so then. */
static int fails(const char *call, int fd)
{
	static long seen;
	const char *want = getenv("FAULT_CALL");
	long nth = number("FAULT_NTH");

	if (!want || strcmp(want, call) || !is_target(fd))
		return 0;
	/* What was opened for reading loses nothing. */
	if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return 0;
	count_call();
	seen++;
	if (!nth || seen < nth || (getenv("FAULT_ONCE") && seen > nth))
		return 0;
	if (getenv("FAULT_KILL"))
		raise(SIGKILL);
	errno = (int)number("FAULT_ERRNO");
	return 1;
}

ssize_t pwrite64(int fd, const void *buf, size_t len, off64_t off)
{
	if (fails("write", fd)) {
		if (!getenv("FAULT_SHORT") || len < 2)
			return -1;
		len /= 2;
	}
	return syscall(SYS_pwrite64, fd, buf, len, off);
}

ssize_t pwrite(int fd, const void *buf, size_t len, off_t off)
{
	return pwrite64(fd, buf, len, off);
}

ssize_t write(int fd, const void *buf, size_t len)
{
	if (fails("write", fd)) {
		if (!getenv("FAULT_SHORT") || len < 2)
			return -1;
		len /= 2;
	}
	return syscall(SYS_write, fd, buf, len);
}

int fsync(int fd)
{
	return fails("sync", fd) ? -1 : (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
	int failed = fails("close", fd), saved = errno;
	int rc = (int)syscall(SYS_close, fd);

	if (failed)
		errno = saved;
	return failed ? -1 : rc;
}

int ftruncate64(int fd, off64_t len)
{
	return fails("truncate", fd) ? -1
				     : (int)syscall(SYS_ftruncate, fd, len);
}

int ftruncate(int fd, off_t len)
{
	return ftruncate64(fd, len);
}
