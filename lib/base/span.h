/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded view of bytes, and little/big-endian getters that cannot read
 * outside it. This is the only pointer arithmetic on disk data. A getter
 * beyond the end returns 0; ask span_has() first where 0 would mislead.
 */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <endian.h>
#include <string.h>

#include "base/types.h"

struct span {
	const u8 *bytes; /* borrowed */
	size_t len;
};

static inline struct span span_of(const void *bytes, size_t len)
{
	return (struct span){bytes, len};
}

/* Whether len bytes lie at off. */
static inline bool span_has(struct span s, size_t off, size_t len)
{
	return off <= s.len && len <= s.len - off;
}

/* The part at off, len bytes long; empty when it is not wholly inside. */
struct span span_sub(struct span s, size_t off, size_t len);

static inline u8 span_u8(struct span s, size_t off)
{
	return off < s.len ? s.bytes[off] : 0;
}

/* In the header, because scans of whole filesystems consist of little else. */
#define SPAN_GETTER(name, type, to_host)                                       \
	static inline type name(struct span s, size_t off)                     \
	{                                                                      \
		type raw;                                                      \
                                                                               \
		if (!span_has(s, off, sizeof(raw)))                            \
			return 0;                                              \
		memcpy(&raw, s.bytes + off, sizeof(raw));                      \
		return to_host(raw);                                           \
	}

SPAN_GETTER(span_le16, u16, le16toh)
SPAN_GETTER(span_le32, u32, le32toh)
SPAN_GETTER(span_le64, u64, le64toh)
SPAN_GETTER(span_be16, u16, be16toh)
SPAN_GETTER(span_be32, u32, be32toh)
SPAN_GETTER(span_be64, u64, be64toh)
#undef SPAN_GETTER

/* Copies a fixed-width, maybe unterminated string field; out is terminated. */
void span_text(struct span s, size_t off, size_t len, char *out);

#endif
