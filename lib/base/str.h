/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A string builder. Memory running out makes it "broken": further appends do
 * nothing and str_text() gives a fixed text, so callers check only at the end
 * (or not at all when the text is for a person).
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/types.h"

struct str {
	char *text; /* owned; NULL while empty */
	size_t len;
	size_t room;
	bool broken;
};

#define STR_INIT ((struct str){NULL, 0, 0, false})

void str_add(struct str *s, const char *text);
void str_add_len(struct str *s, const char *text, size_t len);
void str_addf(struct str *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The text so far, never NULL; owned by s, valid until the next append. */
const char *str_text(const struct str *s);
/* Gives the text to the caller, who frees it; NULL when out of memory. */
char *str_take(struct str *s);
void str_free(struct str *s);

#endif
