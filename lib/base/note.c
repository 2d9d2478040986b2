/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats a message and hands it to the sink the tool chose. */
#include "base/note.h"

#include <stdarg.h>

#include "base/banned.h"
#include "base/types.h"

enum {
	NOTE_MAX = 2048
};

void note_say(const struct note_sink *sink, enum note_level level,
	      const char *fmt, ...)
{
	char text[NOTE_MAX];
	va_list ap;

	if (!sink || !sink->say)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	sink->say(sink->ctx, level, text);
}

errcode_t note_error(const struct note_sink *sink, errcode_t code,
		     const char *fmt, ...)
{
	char text[NOTE_MAX];
	va_list ap;

	if (!sink || !sink->say)
		return code;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note_say(sink, NOTE_ERROR, "%s: %s", text, error_message(code));
	return code;
}
