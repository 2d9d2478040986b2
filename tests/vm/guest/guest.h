/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the test VM's init share: one case, its outcome, and the
 * calls between the rooms.  Runs in the guest only, as a static binary; knows
 * nothing of the project's libraries, so that it can judge them.
 */
#ifndef LBS_VM_GUEST_H
#define LBS_VM_GUEST_H

#include <stddef.h>
#include <stdint.h>

#define MNT_DIR "/m"
#define BACKING_FILE "/t/backing"
#define TOOL_LOG "/t/tool.log"

/* One line of the case list; the columns are explained in cases.tsv. */
struct vmcase {
	const char *id;
	const char *kind;
	const char *args;
	const char *size;
	const char *device;
	const char *fstype;
	const char *opts;
	const char *expect;
	const char *message;
	const char *prepare;
	const char *between;
	const char *check;
};

/* Why a case failed, in one line; empty as long as it has not. */
struct outcome {
	char why[512];
};

/* Sets the reason unless one is set already; always returns -1. */
int fail(struct outcome *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* case.c: runs one case; 0 = as expected, -1 = @out says why not. */
int case_run(const struct vmcase *vc, struct outcome *out);

/* device.c */
struct device {
	char path[32];
	int fd;
};
/* Attaches @file to a free loop device with @sector_bytes sectors. */
int device_attach(struct device *dev, const char *file, uint32_t sector_bytes,
		  struct outcome *out);
/* Lets a loop device go; it disappears with its last user. */
void device_release(struct device *dev);
/* Copies @from to @to and leaves its zero runs as holes. */
int device_copy_image(const char *from, const char *to, struct outcome *out);

/* kmsg.c */
/* Opens the kernel log at its end; -1 if there is none. */
int kmsg_open(void);
/* Reads what was logged since the last read into @buf, lines ended by \n. */
void kmsg_read(int fd, char *buf, size_t bufsz);
/* 1 if the extended regular expression @re matches a line of @text. */
int text_matches(const char *text, const char *re);
/* Appends the last line of @file to the reason. */
void fail_with_log(struct outcome *out, const char *what, int rc);

/* work.c: the work load, in directory @dir of a fs with @bs byte blocks. */
struct work {
	const char *dir;
	uint32_t bs;
	uint64_t budget_bytes;
	unsigned int nr_small;
};
/* Chooses how much work fits the free space of the fs at @dir. */
int work_plan(struct work *work, const char *dir, struct outcome *out);
/* Writes the files; sets @err_no to the errno of a failed call. */
int work_write(const struct work *work, int *err_no, struct outcome *out);
/* Reads all of it back and compares. */
int work_verify(const struct work *work, int *err_no, struct outcome *out);

#endif
