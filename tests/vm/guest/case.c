/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One case from format to e2fsck: what is done in which order, and what has
 * to come out.  The files themselves are work.c's affair.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define RESIZE_FS_IOCTL _IOW('f', 16, uint64_t)
#define KMSG_BYTES 65536
#define COMMAND_BYTES 4096

/* Lines the kernel must not log while everything is expected to go well. */
#define BAD_LINES                                                      \
	"EXT4-fs error|EXT4-fs \\(.*\\): .*([Cc]orrupt|error count)|"  \
	"JBD2: .*([Ee]rror|invalid)|I/O error|BUG:|WARNING:|Oops"

struct run {
	const struct vmcase *vc;
	struct device dev;
	uint64_t from_bytes;	/* size to format */
	uint64_t to_bytes;	/* size of the device */
	uint32_t format_sector;
	uint32_t mount_sector;
	int io_errno;		/* of the work load */
	int kmsg;
	char log[KMSG_BYTES];
};

struct shape {
	uint32_t bs;
	uint64_t nr_blocks;
	uint32_t blocks_per_group;
};

static int is_set(const char *column)
{
	return strcmp(column, "-") != 0;
}

/* "512M" or "64M:512M"; one number means both. */
static int parse_pair(const char *text, uint64_t *first, uint64_t *second)
{
	for (int i = 0; i < 2; i++) {
		char *end;
		uint64_t n = strtoull(text, &end, 10);

		if (end == text)
			return -1;
		switch (*end) {
		case 'T':
			n <<= 10; /* fallthrough */
		case 'G':
			n <<= 10; /* fallthrough */
		case 'M':
			n <<= 10; /* fallthrough */
		case 'k':
			n <<= 10;
			end++;
		}
		*(i ? second : first) = n;
		if (i == 0)
			*second = n;
		if (!*end)
			return 0;
		if (*end != ':')
			return -1;
		text = end + 1;
	}
	return -1;
}

/* Runs a shell command with its output in TOOL_LOG; gives the exit code. */
static int shell(const struct run *run, const char *command)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int log = open(TOOL_LOG, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int null = open("/dev/null", O_RDONLY);

		setenv("DX", run->dev.path, 1);
		setenv("MNT", MNT_DIR, 1);
		dup2(null, 0);
		dup2(log, 1);
		dup2(log, 2);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int run_tool(const struct run *run, const char *command,
		    struct outcome *out)
{
	int rc = shell(run, command);

	if (rc)
		fail_with_log(out, command, rc);
	return rc ? -1 : 0;
}

/* The device before the format: a loop device, unless one is named. */
static int open_device(struct run *run, struct outcome *out)
{
	const char *args = run->vc->args;
	int fd;

	run->dev.fd = -1;
	if (!run->format_sector) {
		snprintf(run->dev.path, sizeof(run->dev.path), "/dev/%s",
			 run->vc->device);
		if (access(run->dev.path, F_OK))
			return fail(out, "the guest has no %s", run->dev.path);
		return 0;
	}
	if (!strncmp(args, "image:", 6)) {
		char path[256];

		snprintf(path, sizeof(path), "/img/%s", args + 6);
		if (device_copy_image(path, BACKING_FILE, out))
			return -1;
	}
	fd = open(BACKING_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || (is_set(run->vc->size) &&
		       ftruncate(fd, (off_t)run->to_bytes)))
		fail(out, "backing file: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	if (out->why[0])
		return -1;
	return device_attach(&run->dev, BACKING_FILE, run->format_sector, out);
}

/* Formats unless the case brings an image; a refusal may be what is wanted. */
static int format_device(struct run *run, int *rc, struct outcome *out)
{
	char command[COMMAND_BYTES];
	const char *args = run->vc->args, *dir = "$OURS";
	int n;

	*rc = 0;
	if (!is_set(args) || !strncmp(args, "image:", 6))
		return 0;
	if (!strncmp(args, "@stock ", 7)) {
		args += 7;
		dir = "MKE2FS_CONFIG=$STOCK/mke2fs.conf $STOCK";
	}
	n = snprintf(command, sizeof(command), "%s/mke2fs %s $DX", dir, args);
	if (n < 0 || (size_t)n + 32 > sizeof(command))
		return fail(out, "the mke2fs arguments are too long");
	if (run->from_bytes != run->to_bytes)
		snprintf(command + n, sizeof(command) - (size_t)n, " %lluk",
			 (unsigned long long)run->from_bytes >> 10);
	*rc = shell(run, command);
	if (!strcmp(run->vc->expect, "mkfs-fail"))
		return 0;
	if (*rc)
		fail_with_log(out, "mke2fs", *rc);
	return *rc ? -1 : 0;
}

/* Gives the device other sectors than the ones it was formatted with. */
static int change_sectors(struct run *run, struct outcome *out)
{
	if (run->format_sector == run->mount_sector)
		return 0;
	device_release(&run->dev);
	return device_attach(&run->dev, BACKING_FILE, run->mount_sector, out);
}

static uint32_t get_le32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

/* What the superblock on the device says, independent of any tool. */
static int read_shape(const struct run *run, struct shape *shape,
		      struct outcome *out)
{
	unsigned char sb[1024];
	int fd = open(run->dev.path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, sb, sizeof(sb), 1024);

	if (fd >= 0)
		close(fd);
	if (n != (ssize_t)sizeof(sb) || sb[0x38] != 0x53 || sb[0x39] != 0xef)
		return fail(out, "no superblock on %s", run->dev.path);
	shape->bs = 1024U << (get_le32(sb + 0x18) & 31);
	shape->nr_blocks = get_le32(sb + 0x04);
	if (get_le32(sb + 0x60) & 0x80)
		shape->nr_blocks |= (uint64_t)get_le32(sb + 0x150) << 32;
	shape->blocks_per_group = get_le32(sb + 0x20);
	return 0;
}

/* The block size asked for with -b, 0 if none was. */
static uint32_t asked_block_size(const char *args)
{
	const char *b = strstr(args, "-b ");
	uint64_t first, second;
	char word[16];

	if (!b)
		return 0;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(b + 3, " "), b + 3);
	return parse_pair(word, &first, &second) ? 0 : (uint32_t)first;
}

static int mount_fs(const struct run *run)
{
	const char *opts = run->vc->opts;
	unsigned long flags = 0;

	if (!strncmp(opts, "ro,", 3) || !strcmp(opts, "ro")) {
		flags = MS_RDONLY;
		opts += opts[2] ? 3 : 2;
	}
	if (!is_set(opts))
		opts = "";
	return mount(run->dev.path, MNT_DIR, run->vc->fstype, flags, opts) ?
	       errno : 0;
}

static int unmount_fs(struct outcome *out)
{
	if (umount(MNT_DIR))
		return fail(out, "umount: %s", strerror(errno));
	return 0;
}

static int check_statfs(const struct run *run, struct outcome *out)
{
	uint32_t asked = asked_block_size(run->vc->args);
	struct shape shape;
	struct statfs st;

	if (read_shape(run, &shape, out))
		return -1;
	if (statfs(MNT_DIR, &st))
		return fail(out, "statfs: %s", strerror(errno));
	if (st.f_bsize != (long)shape.bs)
		return fail(out, "statfs says block size %ld, superblock %u",
			    (long)st.f_bsize, shape.bs);
	if (asked && asked != shape.bs)
		return fail(out, "block size %u was asked for, %u made", asked,
			    shape.bs);
	return 0;
}

static int grow_fs(const struct run *run, struct outcome *out)
{
	struct shape shape;
	uint64_t target;
	int fd, rc;

	if (read_shape(run, &shape, out))
		return -1;
	target = run->to_bytes / shape.bs;
	fd = open(MNT_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = fd < 0 ? -1 : ioctl(fd, RESIZE_FS_IOCTL, &target);
	if (rc)
		fail(out, "online grow to %llu blocks: %s",
		     (unsigned long long)target, strerror(errno));
	if (fd >= 0)
		close(fd);
	sync();
	if (rc || read_shape(run, &shape, out))
		return -1;
	/* the kernel leaves out a last group too small for its own tables */
	if (shape.nr_blocks + shape.blocks_per_group <= target)
		return fail(out, "grown to %llu of %llu blocks only",
			    (unsigned long long)shape.nr_blocks,
			    (unsigned long long)target);
	return 0;
}

static int work_in(struct run *run, const char *dir, int verify,
		   struct outcome *out)
{
	struct work work;

	if (!verify && mkdir(dir, 0755)) {
		run->io_errno = errno;
		return fail(out, "mkdir %s: %s", dir, strerror(errno));
	}
	if (work_plan(&work, dir, out))
		return -1;
	return verify ? work_verify(&work, &run->io_errno, out) :
	       work_write(&work, &run->io_errno, out);
}

static int is_kind(const struct run *run, const char *kind)
{
	return !strcmp(run->vc->kind, kind);
}

/* First mount: write, grow, write into the new part. */
static int first_mount(struct run *run, struct outcome *out)
{
	int rc = check_statfs(run, out);

	if (!rc && !is_kind(run, "mount"))
		rc = work_in(run, MNT_DIR "/one", 0, out);
	if (!rc && is_kind(run, "grow"))
		rc = grow_fs(run, out);
	if (!rc && is_kind(run, "grow"))
		rc = work_in(run, MNT_DIR "/two", 0, out);
	sync();
	if (!rc)
		rc = check_statfs(run, out);
	return unmount_fs(out) ? -1 : rc;
}

/* Second mount: nothing in memory any more, so everything comes from disk. */
static int second_mount(struct run *run, struct outcome *out)
{
	int rc;

	if (is_set(run->vc->between) && run_tool(run, run->vc->between, out))
		return -1;
	rc = mount_fs(run);
	if (rc) {
		run->io_errno = rc;
		return fail(out, "second mount: %s", strerror(rc));
	}
	if (!is_kind(run, "mount"))
		rc = work_in(run, MNT_DIR "/one", 1, out);
	if (!rc && is_kind(run, "grow"))
		rc = work_in(run, MNT_DIR "/two", 1, out);
	if (!rc && is_set(run->vc->check))
		rc = run_tool(run, run->vc->check, out);
	return unmount_fs(out) ? -1 : rc;
}

static int check_fsck(const struct run *run, struct outcome *out)
{
	if (run_tool(run, "$STOCK/e2fsck -fn $DX", out))
		return -1;
	if (access("/e/ours/e2fsck", X_OK))
		return 0;
	return run_tool(run, "$OURS/e2fsck -fn $DX", out);
}

static int expect_message(struct run *run, struct outcome *out)
{
	const char *re = run->vc->message;
	size_t len = strlen(run->log);

	kmsg_read(run->kmsg, run->log + len, sizeof(run->log) - len);
	if (!is_set(re) || text_matches(run->log, re))
		return 0;
	fail(out, "the kernel did not say '%s' but '%.200s'", re, run->log);
	return -1;
}

static int expect_fail(struct run *run, int mount_errno, struct outcome *out)
{
	if (!mount_errno)
		return fail(out, "mounted, but must be refused");
	return expect_message(run, out);
}

static int expect_ok(struct run *run, int mount_errno, struct outcome *out)
{
	if (mount_errno) {
		kmsg_read(run->kmsg, run->log, sizeof(run->log));
		return fail(out, "mount: %s; the kernel says '%.300s'",
			    strerror(mount_errno), run->log);
	}
	if (first_mount(run, out) || second_mount(run, out) ||
	    check_fsck(run, out)) {
		kmsg_read(run->kmsg, run->log, sizeof(run->log));
		return -1;
	}
	if (expect_message(run, out))
		return -1;
	if (text_matches(run->log, BAD_LINES))
		return fail(out, "all read back, but the kernel says '%.300s'",
			    run->log);
	return 0;
}

/* The mount works, a file does not: only the work load may fail. */
static int expect_io_error(struct run *run, int mount_errno,
			   struct outcome *out)
{
	if (mount_errno)
		return fail(out, "mount: %s", strerror(mount_errno));
	if (!first_mount(run, out))
		second_mount(run, out);
	if (!run->io_errno)
		return fail(out, "everything could be read back");
	out->why[0] = 0;
	return expect_message(run, out);
}

static int judge(struct run *run, struct outcome *out)
{
	const char *expect = run->vc->expect;
	int mount_errno;

	if (is_set(run->vc->prepare) && run_tool(run, run->vc->prepare, out))
		return -1;
	if (change_sectors(run, out))
		return -1;
	mount_errno = mount_fs(run);
	if (!strcmp(expect, "ok"))
		return expect_ok(run, mount_errno, out);
	if (!strcmp(expect, "fail"))
		return expect_fail(run, mount_errno, out);
	if (!strcmp(expect, "io-error"))
		return expect_io_error(run, mount_errno, out);
	return fail(out, "unknown expectation '%s'", expect);
}

/* The tool has to refuse, and to say why. */
static int judge_refusal(const struct run *run, int rc, struct outcome *out)
{
	char command[COMMAND_BYTES];

	if (!rc)
		return fail(out, "mke2fs made it, but must refuse");
	if (!is_set(run->vc->message))
		return 0;
	snprintf(command, sizeof(command), "grep -E -q -- '%s' " TOOL_LOG,
		 run->vc->message);
	if (!system(command))
		return 0;
	fail_with_log(out, "mke2fs refused with other words and", rc);
	return -1;
}

static int parse_columns(struct run *run, struct outcome *out)
{
	static const char *const kinds[] = { "work", "mount", "grow" };
	const struct vmcase *vc = run->vc;
	uint64_t first, second;
	size_t i = 0;

	while (i < 3 && strcmp(vc->kind, kinds[i]))
		i++;
	if (i == 3)
		return fail(out, "unknown kind '%s'", vc->kind);
	if (is_set(vc->size) &&
	    parse_pair(vc->size, &run->from_bytes, &run->to_bytes))
		return fail(out, "'%s' is not a size", vc->size);
	if (vc->device[0] < '0' || vc->device[0] > '9')
		return 0;
	if (parse_pair(vc->device, &first, &second))
		return fail(out, "'%s' is not a sector size", vc->device);
	run->format_sector = (uint32_t)first;
	run->mount_sector = (uint32_t)second;
	return 0;
}

int case_run(const struct vmcase *vc, struct outcome *out)
{
	static struct run run;
	int rc = 0;

	run.vc = vc;
	run.dev.fd = -1;
	run.kmsg = kmsg_open();
	if (run.kmsg < 0)
		fail(out, "/dev/kmsg: %s", strerror(errno));
	else if (parse_columns(&run, out) || open_device(&run, out) ||
		 format_device(&run, &rc, out))
		;
	else if (!strcmp(vc->expect, "mkfs-fail"))
		judge_refusal(&run, rc, out);
	else
		judge(&run, out);
	device_release(&run.dev);
	if (run.kmsg >= 0)
		close(run.kmsg);
	return out->why[0] ? -1 : 0;
}
