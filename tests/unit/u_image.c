/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images: sizes, whole reads, the end, and what is no image. */
#include "io/image.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/tap.h"

static void test_file(const char *path)
{
	struct image *img = NULL;
	u8 buf[16];

	tap_ok(!image_open(path, IMAGE_READ, &img), "a file opens");
	tap_is_u64(image_bytes(img), 10, "its size");
	tap_ok(!image_is_device(img) && !image_devno(img), "no device");
	tap_is_str(image_path(img), path, "its path");
	tap_ok(!image_read(img, 0, buf, 10) && !memcmp(buf, "0123456789", 10),
	       "read whole");
	tap_ok(!image_read(img, 9, buf, 1) && buf[0] == '9', "the last byte");
	tap_ok(!image_read(img, 10, buf, 0), "nothing at the end");
	tap_ok(image_read(img, 9, buf, 2) == LB_E_IMAGE_SHORT,
	       "half beyond the end");
	tap_ok(image_read(img, UINT64_MAX, buf, 2) == LB_E_IMAGE_SHORT,
	       "an offset that overflows");
	tap_ok(write(image_fd(img), "x", 1) < 0, "read-only unless asked");
	image_close(img);
	tap_ok(!image_open(path, IMAGE_WRITE | IMAGE_EXCLUSIVE, &img),
	       "for writing; exclusive means nothing for a file");
	tap_is_u64((u64)pwrite(image_fd(img), "x", 1, 0), 1, "it writes");
	image_close(img);
	image_close(NULL);
}

static void test_refused(const char *dir)
{
	struct image *img = (struct image *)&img;
	char path[256];

	tap_ok(image_open(dir, IMAGE_READ, &img) == LB_E_IMAGE_DIR && !img,
	       "a directory");
	tap_ok(image_open("/dev/null", IMAGE_READ, &img) == LB_E_IMAGE_KIND,
	       "a character device");
	snprintf(path, sizeof(path), "%s/none", dir);
	tap_ok(image_open(path, IMAGE_READ, &img) == ENOENT, "not there");
	snprintf(path, sizeof(path), "%s/fifo", dir);
	if (mkfifo(path, 0600)) {
		tap_skip("a FIFO", "this filesystem makes none");
		return;
	}
	tap_ok(image_open(path, IMAGE_READ, &img) == LB_E_IMAGE_KIND,
	       "a FIFO, without waiting for a writer");
	unlink(path);
}

int main(void)
{
	char dir[200], path[256];
	const char *tmp = getenv("TMPDIR");
	FILE *out;

	snprintf(dir, sizeof(dir), "%s/lbs-u_image.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/img", dir);
	out = fopen(path, "w");
	if (!out || fputs("0123456789", out) < 0 || fclose(out))
		return 1;
	test_file(path);
	test_refused(dir);
	unlink(path);
	rmdir(dir);
	return tap_done();
}
