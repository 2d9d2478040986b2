/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc32c and crc16 against published values and a bit-by-bit computation. */
#include "base/crc.h"

#include "tests/lib/tap.h"

/* The definition: reflected polynomial 0x1EDC6F41, one bit at a time. */
static u32 crc32c_slow(u32 seed, const u8 *bytes, size_t len)
{
	while (len--) {
		seed ^= *bytes++;
		for (int bit = 0; bit < 8; bit++)
			seed = seed & 1 ? seed >> 1 ^ 0x82F63B78 : seed >> 1;
	}
	return seed;
}

static void test_known(void)
{
	static const u8 zeroes[32];

	tap_is_u64(crc32c(~0u, "123456789", 9), 0x1CF96D7C, "check value");
	tap_is_u64(~crc32c(~0u, zeroes, 32), 0x8A9136AA,
		   "32 zeroes (RFC 3720)");
	tap_is_u64(crc32c(0x12345678, "", 0), 0x12345678,
		   "nothing leaves the seed");
	tap_is_u64(crc16(0, "123456789", 9), 0xBB3D, "crc16 check value");
	tap_is_u64(crc16(0xFFFF, "", 0), 0xFFFF, "crc16 of nothing");
	tap_is_u64(crc32_be(~0u, "123456789", 9), 0x0376E6E7,
		   "crc32 with the highest bit first");
}

static void test_lengths(void)
{
	u8 bytes[1100];
	unsigned bad = 0, bad_split = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (u8)(i * 167 + 13);
	for (size_t len = 0; len < 1000; len++) {
		size_t off = len % 17, half = len / 3;
		u32 seed = (u32)len * 2654435761u;
		u32 want = crc32c_slow(seed, bytes + off, len);
		u32 split = crc32c(seed, bytes + off, half);

		bad += crc32c(seed, bytes + off, len) != want;
		split = crc32c(split, bytes + off + half, len - half);
		bad_split += split != want;
	}
	tap_is_u64(bad, 0, "1000 lengths at odd offsets and seeds");
	tap_is_u64(bad_split, 0, "in two pieces the same");
}

int main(void)
{
	test_known();
	test_lengths();
	return tap_done();
}
