/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error lines, and the check that all of it was written. */
#include "cli/out.h"

#include <errno.h>

static void say_on_stderr(void *ctx, enum note_level level, const char *text)
{
	const char *kind = level == NOTE_WARN ? "warning: " : "";

	fprintf(stderr, "%s: %s%s\n", (const char *)ctx, kind, text);
}

struct note_sink out_stderr_sink(const char *prog)
{
	/* The sink only reads the name. */
	return (struct note_sink){say_on_stderr, (void *)(uintptr_t)prog};
}

errcode_t out_finish(void)
{
	if (fflush(stdout))
		return errno;
	return ferror(stdout) ? EIO : 0;
}
