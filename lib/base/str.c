/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The string builder: one growing buffer, doubled when full. */
#include "base/str.h"

#include <stdarg.h>

#include "base/banned.h"

/* Room for len more bytes and the terminator. */
static bool reserve(struct str *s, size_t len)
{
	size_t need, room = s->room ? s->room : 64;
	char *text;

	if (s->broken)
		return false;
	if (__builtin_add_overflow(s->len, len, &need) || need >= SIZE_MAX / 2)
		goto broken;
	while (room <= need)
		room *= 2;
	if (room == s->room)
		return true;
	text = realloc(s->text, room);
	if (!text)
		goto broken;
	s->text = text;
	s->room = room;
	return true;
broken:
	s->broken = true;
	return false;
}

void str_add_len(struct str *s, const char *text, size_t len)
{
	if (!reserve(s, len))
		return;
	memcpy(s->text + s->len, text, len);
	s->len += len;
	s->text[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_len(s, text, strlen(text));
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0 || !reserve(s, (size_t)len))
		return;
	va_start(ap, fmt);
	vsnprintf(s->text + s->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	s->len += (size_t)len;
}

const char *str_text(const struct str *s)
{
	if (s->broken)
		return "(out of memory)";
	return s->text ? s->text : "";
}

char *str_take(struct str *s)
{
	char *text = s->broken ? NULL : s->text;

	if (s->broken)
		free(s->text);
	else if (!text)
		text = strdup("");
	*s = STR_INIT;
	return text;
}

void str_free(struct str *s)
{
	free(s->text);
	*s = STR_INIT;
}
