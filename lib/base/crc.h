/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crc32c and crc16 as ext4 uses them, behind one call each. The seed is
 * passed raw and the result is not inverted: crc32c(~0, "123456789") is
 * 0x1CF96D7C, the inverse of the published 0xE3069283.
 */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include "base/types.h"

u32 crc32c(u32 seed, const void *bytes, size_t len);
/* CRC-16/ARC with the seed passed raw (group descriptors with uninit_bg). */
u16 crc16(u16 seed, const void *bytes, size_t len);
/* CRC-32 with the highest bit first (jbd2 v1), poly 0x04C11DB7. */
u32 crc32_be(u32 seed, const void *bytes, size_t len);

#endif
