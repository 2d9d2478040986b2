/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only place that opens a libext2fs filesystem handle. A new filesystem
 * is laid out without a device first, so that its numbers can be looked at and
 * judged before anything is touched, and gets its device afterwards.
 */
#ifndef IO_FSOPEN_H
#define IO_FSOPEN_H

#include <ext2fs/ext2fs.h>

#include "base/err.h"

/*
 * Lays out a new filesystem in memory; param as ext2fs_initialize() takes it.
 * Errors: libext2fs codes (EXT2_ET_TOOSMALL, ...). The caller frees *fs with
 * fsopen_drop() or gives it a device.
 */
errcode_t fsopen_layout(struct ext2_super_block *param,
			ext2_filsys *fs) LB_MUST_CHECK;
/*
 * Gives a laid-out filesystem its device or file, opened for writing and, on
 * a block device, exclusively. Errors: errno, libext2fs codes.
 */
errcode_t fsopen_attach(ext2_filsys fs, const char *path) LB_MUST_CHECK;
/*
 * Writes what is left, syncs and closes the device, and frees the handle, also
 * on error. Errors: errno, libext2fs codes.
 */
errcode_t fsopen_finish(ext2_filsys fs) LB_MUST_CHECK;
/*
 * The same error in words for the user: a full disk takes only a part of the
 * block at first, which libext2fs reports as a short write.
 */
errcode_t fsopen_error(errcode_t code);
/* Frees a handle without writing anything. */
void fsopen_drop(ext2_filsys fs);

#endif
