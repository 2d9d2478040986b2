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
	const char *dir; /* borrowed; NULL or "" is this machine */
};

bool root_is_live(const struct root *r);
/* Whether path (absolute) exists below the root. */
bool root_has(const struct root *r, const char *path);
/*
 * Reads a small text file, without its final newline, cut at size - 1.
 * Errors: errno.
 */
errcode_t root_read(const struct root *r, const char *path, char *text,
		    size_t size) LB_MUST_CHECK;
/* Reads one decimal number. Errors: errno, EINVAL. */
errcode_t root_read_u64(const struct root *r, const char *path, u64 *value)
	LB_MUST_CHECK;

#endif
