/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crc32c comes from ISA-L, which picks the fastest code for the processor at
 * run time; without ISA-L it comes from libext2fs, as crc32_be always does.
 */
#include "base/crc.h"

#include "base/banned.h"
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <ext2fs/ext2fs.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>

/* ISA-L takes an int length; longer runs are cut. */
enum {
	CRC_STEP = 1 << 30
};

u32 crc32c(u32 seed, const void *bytes, size_t len)
{
	/* ISA-L's prototype lacks const; it only reads. */
	unsigned char *at = (unsigned char *)(uintptr_t)bytes;

	while (len) {
		size_t n = len < CRC_STEP ? len : CRC_STEP;

		seed = crc32_iscsi(at, (int)n, seed);
		at += n;
		len -= n;
	}
	return seed;
}
#else
u32 crc32c(u32 seed, const void *bytes, size_t len)
{
	return ext2fs_crc32c_le(seed, bytes, len);
}
#endif

u16 crc16(u16 seed, const void *bytes, size_t len)
{
	const u8 *at = bytes;

	while (len--) {
		seed ^= *at++;
		for (int bit = 0; bit < 8; bit++)
			seed = (u16)(seed & 1 ? seed >> 1 ^ 0xA001 : seed >> 1);
	}
	return seed;
}

u32 crc32_be(u32 seed, const void *bytes, size_t len)
{
	return ext2fs_crc32_be(seed, bytes, len);
}
