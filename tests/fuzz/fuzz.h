/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one entry of a fuzz target, called by libFuzzer or by replay.c. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/banned.h"
#include "base/types.h"

#ifdef NDEBUG
#error "fuzz targets check with assert()"
#endif

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

#endif
