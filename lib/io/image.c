/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens and reads images and devices with plain pread. */
#include "io/image.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

struct image {
	int fd;
	bool device;
	u64 bytes;
	u64 devno;
	char *path;
};

static errcode_t learn_size(struct image *img, bool writable)
{
	int read_only = 0;
	struct stat st;

	if (fstat(img->fd, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return LB_E_IMAGE_DIR;
	img->device = S_ISBLK(st.st_mode);
	if (!img->device && !S_ISREG(st.st_mode))
		return LB_E_IMAGE_KIND;
	img->bytes = (u64)st.st_size;
	if (!img->device)
		return 0;
	img->devno = st.st_rdev;
	/* A read-only device may be opened for writing and fails only then. */
	if (writable && (ioctl(img->fd, BLKROGET, &read_only) || read_only))
		return LB_E_IMAGE_READ_ONLY;
	if (ioctl(img->fd, BLKGETSIZE64, &img->bytes))
		return errno;
	return 0;
}

errcode_t image_open(const char *path, int flags, struct image **out)
{
	int mode = flags & IMAGE_WRITE ? O_RDWR : O_RDONLY;
	struct image *img = calloc(1, sizeof(*img));
	errcode_t rc = ENOMEM;
	struct stat st;

	if (!img)
		return ENOMEM;
	img->fd = -1;
	img->path = strdup(path);
	if (!img->path)
		goto out;
	/* O_EXCL without O_CREAT is defined for block devices only. */
	if (flags & IMAGE_EXCLUSIVE && !stat(path, &st) && S_ISBLK(st.st_mode))
		mode |= O_EXCL;
	/* O_NONBLOCK: a FIFO must not make us wait before we can refuse it. */
	img->fd = open(path, mode | O_CLOEXEC | O_NONBLOCK);
	rc = img->fd < 0 ? (errcode_t)errno
			 : learn_size(img, flags & IMAGE_WRITE);
out:
	if (rc)
		image_close(img);
	*out = rc ? NULL : img;
	return rc;
}

void image_close(struct image *img)
{
	if (!img)
		return;
	if (img->fd >= 0)
		close(img->fd);
	free(img->path);
	free(img);
}

const char *image_path(const struct image *img)
{
	return img->path;
}

u64 image_bytes(const struct image *img)
{
	return img->bytes;
}

bool image_is_device(const struct image *img)
{
	return img->device;
}

u64 image_devno(const struct image *img)
{
	return img->devno;
}

int image_fd(const struct image *img)
{
	return img->fd;
}

errcode_t image_read(const struct image *img, u64 off, void *buf, size_t len)
{
	unsigned char *at = buf;

	if (off > img->bytes || len > img->bytes - off)
		return LB_E_IMAGE_SHORT;
	while (len) {
		ssize_t n = pread(img->fd, at, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		at += n;
		off += (u64)n;
		len -= (size_t)n;
	}
	return 0;
}
