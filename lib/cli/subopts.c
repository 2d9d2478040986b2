/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits "key=value,key" lists. Quotes keep a comma inside a value. */
#include <errno.h>

#include "base/banned.h"
#include "cli/opts.h"

/* Length of the item at text: up to a comma outside double quotes. */
static size_t item_len(const char *text)
{
	bool quoted = false;
	size_t n = 0;

	for (; text[n] && (quoted || text[n] != ','); n++)
		if (text[n] == '"')
			quoted = !quoted;
	return n;
}

/* A copy of len characters without the double quotes. */
static char *copy_unquoted(const char *text, size_t len)
{
	struct str out = STR_INIT;

	for (size_t i = 0; i < len; i++)
		if (text[i] != '"')
			str_add_len(&out, text + i, 1);
	return str_take(&out);
}

static errcode_t add_item(struct subopts *out, const char *text, size_t len)
{
	struct subopt *items =
		realloc(out->items, (out->nr_items + 1) * sizeof(*items));
	const char *eq = memchr(text, '=', len);
	size_t key_len = eq ? (size_t)(eq - text) : len;
	struct subopt *item;

	if (!items)
		return ENOMEM;
	out->items = items;
	item = &items[out->nr_items++];
	item->key = copy_unquoted(text, key_len);
	item->value = eq ? copy_unquoted(eq + 1, len - key_len - 1) : NULL;
	return !item->key || (eq && !item->value) ? ENOMEM : 0;
}

errcode_t subopts_parse(const char *text, struct subopts *out)
{
	errcode_t rc = 0;

	*out = (struct subopts){NULL, 0};
	while (!rc && *text) {
		size_t len = item_len(text);

		if (len)
			rc = add_item(out, text, len);
		text += len + (text[len] == ',');
	}
	if (rc)
		subopts_free(out);
	return rc;
}

void subopts_free(struct subopts *s)
{
	for (size_t i = 0; i < s->nr_items; i++) {
		free(s->items[i].key);
		free(s->items[i].value);
	}
	free(s->items);
	*s = (struct subopts){NULL, 0};
}
