/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam that makes kernels testable: every path the probe reads goes
 * through a root, "/" or a tree recorded with scripts/record-sysroot.
 */
#ifndef PROBE_ROOT_H
#define PROBE_ROOT_H

#include "base/err.h"
#include "base/types.h"

struct root {
	const char *dir; /* borrowed; NULL, "" or "/" is this machine */
};

enum { ROOT_PATH_MAX = 512, ROOT_NAMES_MAX = 64 };

/* Names in a folder, sorted by byte; names that start with a dot left out. */
struct root_names {
	size_t nr;
	char names[ROOT_NAMES_MAX][64];
};

bool root_is_live(const struct root *r);
/*
 * Whether path (absolute) exists below the root. Here and below a recorded
 * tree ends at its root: a link that leads out of it counts as absent.
 */
bool root_has(const struct root *r, const char *path);
/*
 * Reads a small text file, without its final newline, cut at size - 1.
 * Bytes that are not printable ASCII, newline or tab are read as '?'. Errors:
 * errno; EINVAL when it is no regular file.
 */
errcode_t root_read(const struct root *r, const char *path, char *text,
		    size_t size) LB_MUST_CHECK;
/* Reads one decimal number. Errors: errno, EINVAL. */
errcode_t root_read_u64(const struct root *r, const char *path, u64 *value)
	LB_MUST_CHECK;
/*
 * Follows all links: the real path, still seen from the root ("/sys/..."), into
 * ROOT_PATH_MAX bytes. Errors: errno, EXDEV when it leads out of the tree.
 */
errcode_t root_resolve(const struct root *r, const char *path, char *real)
	LB_MUST_CHECK;
/*
 * Lists a folder; what does not fit or is not printable is left out. Errors:
 * errno.
 */
errcode_t root_list(const struct root *r, const char *path,
		    struct root_names *list) LB_MUST_CHECK;

#endif
