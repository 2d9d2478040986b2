/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where bytes come from: an image file or a block device, read-only unless
 * asked. Reads are whole or an error, and may run in parallel. With an overlay
 * they see the blocks kept there; then overlay.h says what may be parallel.
 */
#ifndef IO_IMAGE_H
#define IO_IMAGE_H

#include "base/err.h"
#include "base/types.h"
#include "io/overlay.h"

struct image;

enum image_flags {
	IMAGE_READ = 0,
	IMAGE_WRITE = 1,     /* open for writing too */
	IMAGE_EXCLUSIVE = 2, /* a block device nobody else may hold: EBUSY */
};

/*
 * Opens a regular file or block device. Errors: errno of open,
 * LB_E_IMAGE_DIR, LB_E_IMAGE_KIND. The caller closes *out.
 */
errcode_t image_open(const char *path, int flags,
		     struct image **out) LB_MUST_CHECK;
void image_close(struct image *img);
const char *image_path(const struct image *img);
u64 image_bytes(const struct image *img);
bool image_is_device(const struct image *img);
/* Device number of a block device, 0 for a file. */
u64 image_devno(const struct image *img);
int image_fd(const struct image *img);
/* Reads len bytes at off. Errors: errno, LB_E_IMAGE_SHORT beyond the end. */
errcode_t image_read(const struct image *img, u64 off, void *buf,
		     size_t len) LB_MUST_CHECK;
/*
 * From now on reads see the blocks of the overlay, until NULL is set. It is
 * borrowed, must outlive that, and is not shared by images.
 */
void image_set_overlay(struct image *img, struct overlay *overlay);
/*
 * Changes bytes in the overlay; the image itself is never written. Errors:
 * EROFS without an overlay, LB_E_IMAGE_KEEP beyond the end, of reading, of
 * overlay_put(). After an error a part may have been kept.
 */
errcode_t image_keep(struct image *img, u64 off, const void *bytes,
		     size_t len) LB_MUST_CHECK;

#endif
