/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which features a new filesystem gets: the defaults of its type, the user's
 * edits, and what one feature needs of another.
 */
#ifndef MKFS_FEATURES_H
#define MKFS_FEATURES_H

#include "mkfs/request.h"

/* Defaults of upstream's current release for the type. */
struct features mkfs_features_default(enum lbs_fs_type type);
/*
 * Defaults, then edits. A default whose need was taken away goes with it, one
 * sentence each in *dropped; a feature that was asked for without its need is
 * EINVAL with a sentence in *why.
 */
errcode_t mkfs_features_decide(const struct mkfs_request *rq,
			       struct features *out, struct str *dropped,
			       struct str *why) LB_MUST_CHECK;

#endif
