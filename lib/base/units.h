/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes as people write them: "64k" <-> 65536. One parser for all tools. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/err.h"
#include "base/types.h"

/*
 * Parses "N" or "N<unit>"; units k M G T P (powers of 1024, any case) and s
 * (512-byte sectors). A bare N is multiplied by unit_bytes. Errors:
 * LB_E_UNITS_SYNTAX, LB_E_UNITS_RANGE.
 */
errcode_t units_parse(const char *text, u64 unit_bytes, u64 *bytes)
	LB_MUST_CHECK;

/* A plain decimal (or 0x hexadecimal) number up to max. Errors: as above. */
errcode_t units_parse_num(const char *text, u64 max, u64 *num) LB_MUST_CHECK;

struct units_text {
	char text[32];
};

/* "64 KiB", "1.5 GiB", "1023 bytes": for people, never for scripts. */
struct units_text units_format(u64 bytes);
/* "64K", "1536M", "1023": the shortest text units_parse() reads back. */
struct units_text units_short(u64 bytes);

#endif
