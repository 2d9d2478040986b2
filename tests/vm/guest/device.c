/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block devices for the guest: loop devices with a chosen sector size over a
 * file in memory.  Does not know what is written to them.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "guest.h"

#define COPY_BYTES (1 << 20)
#define HOLE_BYTES 4096

/*
 * The block size of the device's page cache is chosen at its first open and
 * stays while anybody has it open.  So the opener who gives it larger sectors
 * must close it again before it is used.
 */
static int configure(const char *path, int backing, uint32_t sector_bytes)
{
	struct loop_config config = { .fd = (uint32_t)backing,
				      .block_size = sector_bytes };
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int rc = fd < 0 ? -1 : ioctl(fd, LOOP_CONFIGURE, &config);
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
	return rc;
}

/* Opens it for good; from now on it disappears with its last user. */
static int open_autoclear(const char *path)
{
	struct loop_info64 info;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, LOOP_GET_STATUS64, &info))
		return fd;
	info.lo_flags |= LO_FLAGS_AUTOCLEAR;
	ioctl(fd, LOOP_SET_STATUS64, &info);
	return fd;
}

int device_attach(struct device *dev, const char *file, uint32_t sector_bytes,
		  struct outcome *out)
{
	int ctl = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int backing = open(file, O_RDWR | O_CLOEXEC);
	int nr = ctl < 0 ? -1 : ioctl(ctl, LOOP_CTL_GET_FREE);

	dev->fd = -1;
	if (ctl < 0 || backing < 0 || nr < 0) {
		fail(out, "no loop device for %s: %s", file, strerror(errno));
		goto out;
	}
	snprintf(dev->path, sizeof(dev->path), "/dev/loop%d", nr);
	if (configure(dev->path, backing, sector_bytes)) {
		fail(out, "loop device with %u byte sectors: %s", sector_bytes,
		     strerror(errno));
		goto out;
	}
	dev->fd = open_autoclear(dev->path);
	if (dev->fd < 0)
		fail(out, "%s: %s", dev->path, strerror(errno));
out:
	if (ctl >= 0)
		close(ctl);
	if (backing >= 0)
		close(backing);
	return dev->fd < 0 ? -1 : 0;
}

void device_release(struct device *dev)
{
	if (dev->fd >= 0)
		close(dev->fd);
	dev->fd = -1;
}

/* Writes the parts of the chunk that are not zero. */
static int copy_chunk(int to, const char *buf, size_t len, off_t at)
{
	static const char zero[HOLE_BYTES];

	for (size_t pos = 0; pos < len; pos += HOLE_BYTES) {
		size_t part = len - pos < HOLE_BYTES ? len - pos : HOLE_BYTES;

		if (!memcmp(buf + pos, zero, part))
			continue;
		if (pwrite(to, buf + pos, part, at + (off_t)pos) !=
		    (ssize_t)part)
			return -1;
	}
	return 0;
}

int device_copy_image(const char *from, const char *to, struct outcome *out)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int fd = open(to, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *buf = malloc(COPY_BYTES);
	off_t at = 0;
	ssize_t n = -1;

	while (in >= 0 && fd >= 0 && buf) {
		n = read(in, buf, COPY_BYTES);
		if (n <= 0)
			break;
		if (copy_chunk(fd, buf, (size_t)n, at)) {
			n = -1;
			break;
		}
		at += n;
	}
	if (!n && ftruncate(fd, at))
		n = -1;
	if (n)
		fail(out, "copy of %s: %s", from, strerror(errno));
	free(buf);
	if (in >= 0)
		close(in);
	if (fd >= 0)
		close(fd);
	return n ? -1 : 0;
}
