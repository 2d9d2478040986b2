/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel and the tools said: the kernel log since a point in time,
 * the last line of a tool's output, and matching both.
 */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

void kmsg_read(int fd, char *buf, size_t bufsz)
{
	char record[8192];
	size_t len = 0;

	buf[0] = 0;
	for (;;) {
		ssize_t n = read(fd, record, sizeof(record) - 1);
		char *text;
		size_t part;

		if (n < 0 && errno == EPIPE)
			continue;	/* overwritten records: go on */
		if (n <= 0)
			return;
		record[n] = 0;
		text = strchr(record, ';');
		text = text ? text + 1 : record;
		part = strcspn(text, "\n");
		if (len + part + 2 > bufsz)
			continue;
		memcpy(buf + len, text, part);
		len += part;
		buf[len++] = '\n';
		buf[len] = 0;
	}
}

int text_matches(const char *text, const char *re)
{
	regex_t compiled;
	int hit;

	if (regcomp(&compiled, re, REG_EXTENDED | REG_NOSUB | REG_NEWLINE))
		return 0;
	hit = !regexec(&compiled, text, 0, NULL, 0);
	regfree(&compiled);
	return hit;
}

void fail_with_log(struct outcome *out, const char *what, int rc)
{
	char line[256], last[256] = "";
	FILE *f = fopen(TOOL_LOG, "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (line[strspn(line, " \n")])
			snprintf(last, sizeof(last), "%s", line);
	}
	if (f)
		fclose(f);
	fail(out, "%s gave %d: %s", what, rc, last);
}
