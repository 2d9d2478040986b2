/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The message sink: what reaches it, and that none is silent. */
#include "base/note.h"

#include <errno.h>

#include "tests/lib/tap.h"

struct heard {
	unsigned nr;
	enum note_level level;
	char text[4096];
};

static void hear(void *ctx, enum note_level level, const char *text)
{
	struct heard *h = ctx;

	h->nr++;
	h->level = level;
	snprintf(h->text, sizeof(h->text), "%s", text);
}

int main(void)
{
	struct heard h = {0};
	struct note_sink sink = {hear, &h}, deaf = {NULL, NULL};
	char big[5000];

	err_init();
	note_say(&sink, NOTE_WARN, "group %d of %s", 7, "img");
	tap_is_str(h.text, "group 7 of img", "the text");
	tap_is_u64(h.level, NOTE_WARN, "its level");
	tap_is_u64((u64)note_error(&sink, EIO, "reading group %d", 3), EIO,
		   "the code comes back");
	tap_is_str(h.text, "reading group 3: Input/output error",
		   "where and what");
	tap_is_u64(h.level, NOTE_ERROR, "as an error");
	tap_ok(note_error(&sink, LB_E_SB_MAGIC, "img") == LB_E_SB_MAGIC,
	       "a code of ours");
	tap_has_str(h.text, "img: no ext2/3/4 superblock", "has its text");
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	note_say(&sink, NOTE_INFO, "%s", big);
	tap_is_u64(strlen(h.text), 2047, "a huge text is cut");
	h.nr = 0;
	note_say(NULL, NOTE_INFO, "x");
	note_say(&deaf, NOTE_INFO, "x");
	tap_is_u64((u64)note_error(NULL, ENOMEM, "x"), ENOMEM,
		   "without a sink too");
	tap_is_u64(h.nr, 0, "and then nobody hears");
	return tap_done();
}
