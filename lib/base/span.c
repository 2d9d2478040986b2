/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounded getters on raw bytes. Knows byte order, no structure. */
#include "base/span.h"

#include "base/banned.h"

struct span span_sub(struct span s, size_t off, size_t len)
{
	if (!span_has(s, off, len))
		return span_of(NULL, 0);
	return span_of(s.bytes + off, len);
}

static u64 get_le(struct span s, size_t off, size_t width)
{
	u64 v = 0;

	if (!span_has(s, off, width))
		return 0;
	for (size_t i = width; i-- > 0;)
		v = v << 8 | s.bytes[off + i];
	return v;
}

static u64 get_be(struct span s, size_t off, size_t width)
{
	u64 v = 0;

	if (!span_has(s, off, width))
		return 0;
	for (size_t i = 0; i < width; i++)
		v = v << 8 | s.bytes[off + i];
	return v;
}

u8 span_u8(struct span s, size_t off)
{
	return (u8)get_le(s, off, 1);
}

u16 span_le16(struct span s, size_t off)
{
	return (u16)get_le(s, off, 2);
}

u32 span_le32(struct span s, size_t off)
{
	return (u32)get_le(s, off, 4);
}

u64 span_le64(struct span s, size_t off)
{
	return get_le(s, off, 8);
}

u16 span_be16(struct span s, size_t off)
{
	return (u16)get_be(s, off, 2);
}

u32 span_be32(struct span s, size_t off)
{
	return (u32)get_be(s, off, 4);
}

u64 span_be64(struct span s, size_t off)
{
	return get_be(s, off, 8);
}

void span_text(struct span s, size_t off, size_t len, char *out)
{
	size_t n = 0;

	if (span_has(s, off, len))
		while (n < len && s.bytes[off + n])
			n++;
	if (n)
		memcpy(out, s.bytes + off, n);
	out[n] = '\0';
}
