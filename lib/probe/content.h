/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a device or file holds already: a filesystem, partitions, anything. */
#ifndef PROBE_CONTENT_H
#define PROBE_CONTENT_H

#include "base/err.h"
#include "base/str.h"

/*
 * Appends what is found, such as "an ext4 filesystem labelled data" or "a gpt
 * partition table"; nothing when nothing is. Errors: errno.
 */
errcode_t content_probe(const char *path, struct str *what) LB_MUST_CHECK;
/*
 * Erases the signatures of all that content_probe() can find, and nothing
 * else. Errors: errno.
 */
errcode_t content_wipe(const char *path) LB_MUST_CHECK;
/*
 * Whether the device, or a loop device over the file, is mounted or held by
 * the system in another way; appends how. Errors: errno.
 */
errcode_t content_in_use(const char *path, struct str *how) LB_MUST_CHECK;

#endif
