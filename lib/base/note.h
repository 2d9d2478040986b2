/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where libraries say things. A library calls note_*(); the tool chose what
 * happens with it (stderr, JSON, nothing). A NULL sink is silent.
 */
#ifndef BASE_NOTE_H
#define BASE_NOTE_H

#include "base/err.h"

enum note_level { NOTE_INFO, NOTE_WARN, NOTE_ERROR };

struct note_sink {
	void (*say)(void *ctx, enum note_level level, const char *text);
	void *ctx; /* owned by the tool */
};

/* One sentence without newline. */
void note_say(const struct note_sink *sink, enum note_level level,
	      const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/*
 * Adds where and what to a code, once, and returns the code unchanged:
 * "reading inode table of group 7: Input/output error".
 */
errcode_t note_error(const struct note_sink *sink, errcode_t code,
		     const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
