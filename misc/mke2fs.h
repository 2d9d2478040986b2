/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the front door of mke2fs shares with its two side rooms. */
#ifndef MISC_MKE2FS_H
#define MISC_MKE2FS_H

#include "cli/opts.h"
#include "lbs/rules.h"
#include "mkfs/plan.h"

extern const struct opt mke2fs_opts[];

/* The whole command line into a request; EINVAL with a sentence in *why. */
errcode_t mke2fs_read_args(const struct opts *o, const char *argv0,
			   struct mkfs_request *rq,
			   struct str *why) LB_MUST_CHECK;
void mke2fs_print_help(void);
/* What will be made, and what the verdict says of it, to stdout. */
void mke2fs_print_plan(const struct mkfs_request *rq,
		       const struct mkfs_plan *plan);
void mke2fs_print_verdict(const struct mkfs_request *rq,
			  const struct verdict *v);

#endif
