/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/probe/root.c: a tree is read, and never left. */
#include <string.h>

#include "base/banned.h"
#include "probe/root.h"
#include "sysroot.h"

static void test_reading(const struct sysroot *s)
{
	char text[64];
	u64 value = 7;

	sysroot_put_text(s, "/a/text", "two\nlines\n");
	tap_is_u64((u64)root_read(&s->root, "/a/text", text, sizeof(text)), 0,
		   "a file can be read");
	tap_is_str(text, "two\nlines", "only the last newline goes");
	tap_ok(!root_read(&s->root, "/a/text", text, 4), "a long file is cut");
	tap_is_str(text, "two", "at size - 1");
	sysroot_put(s, "/a/bytes", "a\0b\x1b[31m\xff", 9);
	tap_ok(!root_read(&s->root, "/a/bytes", text, sizeof(text)),
	       "raw bytes can be read");
	tap_is_str(text, "a?b?[31m?", "and are made printable");
	tap_is_u64((u64)root_read(&s->root, "/a/none", text, sizeof(text)),
		   ENOENT, "a missing file is ENOENT");
	tap_is_u64((u64)root_read(&s->root, "/a", text, sizeof(text)), EINVAL,
		   "a folder is no file");
	sysroot_put_text(s, "/a/num", "4096\n");
	tap_ok(!root_read_u64(&s->root, "/a/num", &value) && value == 4096,
	       "a number can be read");
	sysroot_put_text(s, "/a/big", "18446744073709551615");
	tap_ok(!root_read_u64(&s->root, "/a/big", &value) &&
	       value == UINT64_MAX, "the largest number can be read");
}

static void test_bad_numbers(const struct sysroot *s)
{
	static const char *const bad[] = {"", "\n", "-1", "4k", "0x10", " 4",
					  "18446744073709551616", "4 4", "+4"};
	u64 value = 0;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char name[64];

		sysroot_put_text(s, "/a/bad", bad[i]);
		snprintf(name, sizeof(name), "no number: '%.30s'",
			 bad[i][0] == '\n' ? "newline" : bad[i]);
		tap_is_u64((u64)root_read_u64(&s->root, "/a/bad", &value),
			   EINVAL, name);
	}
}

static void test_leaving(const struct sysroot *s)
{
	char text[64], real[ROOT_PATH_MAX], fifo[PATH_MAX];
	struct root_names list;

	sysroot_link(s, "/out/file", "/proc/version");
	sysroot_link(s, "/out/dir", "/proc");
	sysroot_link(s, "/out/up", "../../../../../../../../../../etc");
	tap_ok(!root_has(&s->root, "/out/file"), "a link out is absent");
	tap_is_u64((u64)root_read(&s->root, "/out/file", text, sizeof(text)),
		   EXDEV, "and cannot be read");
	tap_is_u64((u64)root_list(&s->root, "/out/dir", &list), EXDEV,
		   "nor listed");
	tap_is_u64((u64)root_resolve(&s->root, "/out/up", real), EXDEV,
		   "nor resolved");
	tap_ok(!root_has(&s->root, "/../etc"), "dots do not lead out");
	sysroot_link(s, "/loop/a", "b");
	sysroot_link(s, "/loop/b", "a");
	tap_is_u64((u64)root_resolve(&s->root, "/loop/a", real), ELOOP,
		   "links in a circle end");
	snprintf(fifo, sizeof(fifo), "%.4000s/a/fifo", s->dir);
	tap_ok(!mkfifo(fifo, 0600), "a pipe is made");
	tap_is_u64((u64)root_read(&s->root, "/a/fifo", text, sizeof(text)),
		   EINVAL, "a pipe is not read");
}

static void test_folders(const struct sysroot *s)
{
	char path[64], real[ROOT_PATH_MAX];
	struct root_names list;

	sysroot_put_text(s, "/list/b", "");
	sysroot_put_text(s, "/list/B", "");
	sysroot_put_text(s, "/list/.folder", "");
	sysroot_put_text(s, "/list/a\x1b", "");
	tap_ok(!root_list(&s->root, "/list", &list), "a folder is listed");
	tap_is_u64(list.nr, 2, "without hidden and odd names");
	tap_is_str(list.names[0], "B", "in the order of bytes");
	for (int i = 0; i < 80; i++) {
		snprintf(path, sizeof(path), "/many/%02d", i);
		sysroot_put_text(s, path, "");
	}
	tap_ok(!root_list(&s->root, "/many", &list), "many names are listed");
	tap_is_u64(list.nr, ROOT_NAMES_MAX, "up to the limit");
	tap_is_str(list.names[63], "63", "the first of them");
	sysroot_link(s, "/link", "list/b");
	tap_ok(!root_resolve(&s->root, "/link", real), "a link is followed");
	tap_is_str(real, "/list/b", "to a path seen from the root");
}

int main(void)
{
	struct sysroot s;
	struct root live = {NULL}, slash = {"/"};
	char real[ROOT_PATH_MAX];

	tap_ok(root_is_live(&live) && root_is_live(&slash),
	       "no folder and / are this machine");
	tap_ok(!root_resolve(&live, "/proc/../proc", real), "live paths resolve");
	tap_is_str(real, "/proc", "to themselves");
	sysroot_make(&s);
	tap_ok(!root_is_live(&s.root), "a folder is not");
	test_reading(&s);
	test_bad_numbers(&s);
	test_leaving(&s);
	test_folders(&s);
	sysroot_remove(&s);
	tap_ok(!root_has(&s.root, "/a"), "a tree that is gone has nothing");
	return tap_done();
}
