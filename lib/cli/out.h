/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every program says to the outside in the same way: exit codes, error
 * lines, JSON on stdout.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include "base/json.h"
#include "base/note.h"

/* e2lbs (documented in e2lbs(8)) */
enum e2lbs_exit {
	E2LBS_OK = 0,	    /* supported; mounts and works */
	E2LBS_REFUSED = 1,  /* not supported; the mount is refused */
	E2LBS_LIMITED = 2,  /* mounts, but something named will not work */
	E2LBS_UNKNOWN = 3,  /* cannot be known */
	E2LBS_ERROR = 8,    /* could not look */
	E2LBS_USAGE = 16,   /* wrong command line */
};

/* mke2fs (documented in mke2fs(8)) */
enum mke2fs_exit {
	MKE2FS_OK = 0,
	MKE2FS_FAILED = 1, /* nothing was made, or it is not complete */
};

/* Sink that prints "prog: text" lines to stderr; prog is borrowed. */
struct note_sink out_stderr_sink(const char *prog);
/* Prints the value to stdout and frees it. Errors: ENOMEM, errno. */
errcode_t out_json(json_t *value) LB_MUST_CHECK;
/* Flushes stdout and says whether all of it went out. Errors: errno. */
errcode_t out_finish(void) LB_MUST_CHECK;

#endif
