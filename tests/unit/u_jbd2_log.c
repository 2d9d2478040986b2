/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where logs are: scattered in an image, on a device of their own. */
#include "jbd2/log.h"

#include <unistd.h>

#include "tests/lib/jlog.h"
#include "tests/lib/tap.h"

enum { BS = 1024, NR = 40 };

static char path[200];
static u8 disk[NR * BS];

static struct image *written(void)
{
	struct image *img = NULL;
	FILE *f = fopen(path, "w");

	if (!f || fwrite(disk, 1, sizeof(disk), f) != sizeof(disk) ||
	    fclose(f) || image_open(path, IMAGE_READ, &img)) {
		printf("Bail out! cannot make %s\n", path);
		exit(1);
	}
	return img;
}

static void put_jsb(u8 *at, u32 nr_blks, u32 first)
{
	jlog_put_be(at, 0xC03B3998, 4);
	jlog_put_be(at + 4, 4, 4);
	jlog_put_be(at + 0x0C, BS, 4);
	jlog_put_be(at + 0x10, nr_blks, 4);
	jlog_put_be(at + 0x14, first, 4);
	jlog_put_be(at + 0x1C, first, 4);
	jlog_put_be(at + 0x40, 1, 4);
}

static u8 first_byte(const struct jbd2_log *log, u32 logblk)
{
	u8 block[BS];

	return jbd2_log_read(log, logblk, block) ? 0xFF : block[0];
}

static void test_runs(void)
{
	/* Out of order on disk, a hole at 3, the last beyond the image. */
	static const struct run runs[] = {
		{0, 30, 2, false}, {2, 10, 1, false}, {4, 7, 3, false},
		{7, NR - 1, 2, false}, {9, UINT64_MAX / 2, 1, false}};
	struct jbd2_log log;
	struct jbd2_journal j;
	struct image *img;
	u8 block[BS];

	for (u32 i = 0; i < NR; i++)
		memset(disk + i * BS, (int)i, BS);
	memset(disk + 30 * BS, 0, BS);
	put_jsb(disk + 30 * BS, 10, 1);
	img = written();
	tap_ok(!jbd2_log_open_runs(img, BS, runs, ARRAY_LEN(runs), &log) &&
	       log.nr_blks == 10 && !log.sb_blk, "opened");
	tap_ok(first_byte(&log, 1) == 31 && first_byte(&log, 2) == 10 &&
	       first_byte(&log, 4) == 7 && first_byte(&log, 6) == 9 &&
	       first_byte(&log, 7) == NR - 1, "each block is where it is");
	tap_ok(jbd2_log_read(&log, 3, block) == LB_E_JBD2_UNMAPPED &&
	       jbd2_log_read(&log, 8, block) == LB_E_JBD2_UNMAPPED &&
	       jbd2_log_read(&log, 9, block) == LB_E_JBD2_UNMAPPED &&
	       jbd2_log_read(&log, 10, block) == LB_E_JBD2_UNMAPPED,
	       "holes, and what lies beyond the image or the file");
	tap_ok(log.ops->owns(log.src, 31) && log.ops->owns(log.src, 9) &&
	       !log.ops->owns(log.src, 32) && !log.ops->owns(log.src, 6) &&
	       !log.ops->owns(log.src, 11), "which blocks are the log's");
	tap_ok(!jbd2_journal_load(&log, &j) && j.defects == JSB_BAD_SHORT &&
	       jbd2_journal_is_usable(&j) && jbd2_journal_is_dirty(&j),
	       "its superblock");
	jbd2_log_close(&log);
	tap_ok(!jbd2_log_open_runs(img, BS, runs, 0, &log) && !log.nr_blks &&
	       !jbd2_journal_load(&log, &j) && !jbd2_journal_is_usable(&j) &&
	       j.defects & JSB_BAD_MAGIC, "a file without blocks");
	jbd2_log_close(&log);
	image_close(img);
}

static void put_super(u32 incompat)
{
	memset(disk, 0, sizeof(disk));
	jlog_put_le(disk + 1024 + 0x04, NR, 4);
	jlog_put_le(disk + 1024 + 0x38, 0xEF53, 2);
	jlog_put_le(disk + 1024 + 0x4C, 1, 4);
	jlog_put_le(disk + 1024 + 0x60, incompat, 4);
	memset(disk + 1024 + 0x68, 0x77, 16);
}

static void test_device(void)
{
	struct jbd2_log log;
	struct jbd2_journal j;
	struct image *img;

	put_super(8);
	put_jsb(disk + 2 * BS, NR, 3);
	disk[3 * BS] = 0x42;
	img = written();
	tap_ok(!jbd2_log_open_device(img, &log) && log.external &&
	       log.nr_blks == NR && log.sb_blk == 2 && log.uuid[15] == 0x77,
	       "a device");
	tap_ok(!jbd2_journal_load(&log, &j) && j.defects == JSB_BAD_SHORT &&
	       first_byte(&log, 3) == 0x42 && first_byte(&log, NR) == 0xFF,
	       "log blocks are its blocks");
	jbd2_log_close(&log);
	image_close(img);
	put_super(0);
	img = written();
	tap_ok(jbd2_log_open_device(img, &log) == LB_E_JBD2_DEVICE,
	       "a filesystem is none");
	jbd2_log_close(&log);
	image_close(img);
	put_super(8);
	disk[1024 + 0x18] = 7;
	img = written();
	tap_ok(jbd2_log_open_device(img, &log) == LB_E_JBD2_DEVICE,
	       "nor is one with an impossible block size");
	jbd2_log_close(&log);
	image_close(img);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	snprintf(path, sizeof(path), "%s/lbs-u_log.XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	test_runs();
	test_device();
	unlink(path);
	return tap_done();
}
