/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts and texts of a bounded view. The getters are in the header. */
#include "base/span.h"

#include "base/banned.h"

struct span span_sub(struct span s, size_t off, size_t len)
{
	if (!span_has(s, off, len))
		return span_of(NULL, 0);
	return span_of(s.bytes + off, len);
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
