/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors for everybody: errcode_t is the one return type. 0 is success; errno
 * values and libext2fs codes pass through untouched; our own codes come from
 * lb_err.et. A corrupt image is not an error: it is a finding or a verdict.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <et/com_err.h>

#include "base/banned.h"
#include "base/lb_err.h"

#define LB_MUST_CHECK __attribute__((warn_unused_result))

/* Marks a callback whose parameters a library dictates. */
#define LB_CALLBACK

/* Makes our own codes printable with error_message(). Call once in main. */
void err_init(void);

#endif
