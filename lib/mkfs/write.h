/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out a plan: everything that touches the device. Nothing is decided
 * here.
 */
#ifndef MKFS_WRITE_H
#define MKFS_WRITE_H

#include "base/note.h"
#include "mkfs/plan.h"

/*
 * Makes the filesystem on rq->path, creating or extending a regular file.
 * The plan's layout is used up. What fails is said through sink, with the step;
 * errors are errno and libext2fs codes.
 */
errcode_t mkfs_write(const struct mkfs_request *rq, struct mkfs_plan *plan,
		     const struct note_sink *sink) LB_MUST_CHECK;

#endif
