/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short names for exact-width integers, and small arithmetic on them. */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/* A kernel release as one comparable number: KVER(6, 19). */
#define KVER(major, minor) ((u32)(major) << 16 | (u32)(minor))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static inline bool u64_is_pow2(u64 v)
{
	return v && !(v & (v - 1));
}

/* n / d rounded up; d must not be 0. Never overflows. */
static inline u64 u64_div_up(u64 n, u64 d)
{
	return n / d + (n % d != 0);
}

static inline u64 u64_min(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 u64_max(u64 a, u64 b)
{
	return a > b ? a : b;
}

/* floor(log2(v)); v must not be 0. */
static inline unsigned u64_log2(u64 v)
{
	return 63u - (unsigned)__builtin_clzll(v);
}

#endif
