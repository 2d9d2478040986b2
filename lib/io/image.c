/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens and reads images and devices with plain pread, through an overlay. */
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
	struct overlay *overlay; /* borrowed, may be NULL */
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

void image_set_overlay(struct image *img, struct overlay *overlay)
{
	img->overlay = overlay;
}

static errcode_t read_file(const struct image *img, u64 off, u8 *at, size_t len)
{
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

/* Kept blocks come from the overlay alone: the image may be unreadable there. */
static errcode_t read_layers(const struct image *img, u64 off, u8 *at,
			     size_t len)
{
	errcode_t rc = 0;

	while (len && !rc) {
		bool kept;
		size_t n = overlay_reach(img->overlay, off, len, &kept);

		rc = kept ? overlay_read(img->overlay, off, at, n)
			  : read_file(img, off, at, n);
		at += n;
		off += n;
		len -= n;
	}
	return rc;
}

errcode_t image_read(const struct image *img, u64 off, void *buf, size_t len)
{
	if (off > img->bytes || len > img->bytes - off)
		return LB_E_IMAGE_SHORT;
	if (img->overlay)
		return read_layers(img, off, buf, len);
	return read_file(img, off, buf, len);
}

/* One block, or a part of it, into the overlay. */
static errcode_t keep_part(struct image *img, u64 off, const u8 *from,
			   size_t len)
{
	u32 bs = overlay_block_bytes(img->overlay);
	u64 first = off - off % bs;
	u8 *block;
	errcode_t rc = 0;

	if (len == bs)
		return overlay_put(img->overlay, off / bs, from);
	block = calloc(1, bs);
	if (!block)
		return ENOMEM;
	/* The image may end inside its last block. */
	rc = image_read(img, first, block,
			(size_t)u64_min(bs, img->bytes - first));
	if (!rc) {
		memcpy(block + off % bs, from, len);
		rc = overlay_put(img->overlay, off / bs, block);
	}
	free(block);
	return rc;
}

errcode_t image_keep(struct image *img, u64 off, const void *bytes, size_t len)
{
	const u8 *from = bytes;
	errcode_t rc = 0;

	if (!img->overlay)
		return EROFS;
	if (off > img->bytes || len > img->bytes - off)
		return LB_E_IMAGE_KEEP;
	while (len && !rc) {
		u32 bs = overlay_block_bytes(img->overlay);
		size_t n = (size_t)u64_min(bs - off % bs, len);

		rc = keep_part(img, off, from, n);
		from += n;
		off += n;
		len -= n;
	}
	return rc;
}
