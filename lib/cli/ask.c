/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks on the terminal, and only there. */
#include "cli/ask.h"

#include <unistd.h>

#include "base/banned.h"

bool ask_is_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

bool ask_yes(const char *question)
{
	char line[64];

	if (!ask_is_possible())
		return false;
	fprintf(stderr, "%s (y/N) ", question);
	fflush(stderr);
	if (!fgets(line, sizeof(line), stdin))
		return false;
	return line[0] == 'y' || line[0] == 'Y';
}
