/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bit sets to and from bitmaps of bytes as they are on disk. */
#include "base/banned.h"
#include "base/bits.h"

static u8 byte_bit(u64 idx)
{
	return (u8)(1u << idx % 8);
}

/* Works by runs: bitmaps on disk mostly are long runs of equal bits. */
static void store_run(u8 *bytes, u64 from, u64 end)
{
	while (from < end && from % 8)
		bytes[from / 8] |= byte_bit(from), from++;
	if (end - from >= 8) {
		memset(bytes + from / 8, 0xFF, (size_t)((end - from) / 8));
		from += (end - from) / 8 * 8;
	}
	while (from < end)
		bytes[from / 8] |= byte_bit(from), from++;
}

void bits_store(const struct bits *b, u64 first, u64 nr, u8 *bytes)
{
	u64 end = first + u64_min(nr, UINT64_MAX - first);

	memset(bytes, 0, (size_t)u64_div_up(nr, 8));
	for (u64 idx = first; idx < end;) {
		u64 from = bits_next_set(b, idx);

		if (from >= end || from >= b->nr_bits)
			return;
		idx = u64_min(bits_next_clear(b, from), end);
		store_run(bytes, from - first, idx - first);
	}
}

/* The end of the run of equal bits that starts at i. */
static u64 run_end(const u8 *bytes, u64 i, u64 nr)
{
	bool set = bytes[i / 8] & byte_bit(i);
	u8 whole = set ? 0xFF : 0;

	for (i++; i < nr; i++) {
		while (i % 8 == 0 && nr - i >= 8 && bytes[i / 8] == whole)
			i += 8;
		if (i >= nr || (bool)(bytes[i / 8] & byte_bit(i)) != set)
			break;
	}
	return u64_min(i, nr);
}

errcode_t bits_load(struct bits *b, u64 first, u64 nr, const u8 *bytes)
{
	errcode_t rc = bits_set_range(b, first, 0);

	for (u64 i = 0; !rc && i < nr;) {
		u64 end = run_end(bytes, i, nr);

		if (bytes[i / 8] & byte_bit(i))
			rc = bits_set_range(b, first + i, end - i);
		i = end;
	}
	return rc;
}
