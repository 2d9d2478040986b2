/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded view of bytes, and little/big-endian getters that cannot read
 * outside it. This is the only pointer arithmetic on disk data. A getter
 * beyond the end returns 0; ask span_has() first where 0 would mislead.
 */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

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
u8 span_u8(struct span s, size_t off);
u16 span_le16(struct span s, size_t off);
u32 span_le32(struct span s, size_t off);
u64 span_le64(struct span s, size_t off);
u16 span_be16(struct span s, size_t off);
u32 span_be32(struct span s, size_t off);
u64 span_be64(struct span s, size_t off);
/* Copies a fixed-width, maybe unterminated string field; out is terminated. */
void span_text(struct span s, size_t off, size_t len, char *out);

#endif
