/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work load: a fixed set of files whose every byte follows from the name
 * of the file, so that reading back needs no stored copy.
 *
 * A file is a list of segments; what no segment covers must read as zeros.
 * How a file came to be (buffered, direct, mapped, preallocated) is of no
 * interest when it is read back.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "guest.h"

#define CHUNK_BYTES 262144
#define DIRECT_UNIT 65536
#define MAX_SEG 3
#define XATTR_NAME "user.lbs"

enum how { BUFFERED, DIRECT, MAPPED, PREALLOCATED, CUT };

struct seg {
	uint64_t at, len;
};

struct wfile {
	const char *name;
	const char *seed;	/* what the content follows from */
	enum how how;
	uint64_t size_bytes;
	struct seg seg[MAX_SEG];
};

static int io_fail(const char *what, const char *path, int *err_no,
		   struct outcome *out)
{
	*err_no = errno;
	return fail(out, "%s %s: %s", what, path, strerror(errno));
}

static uint64_t seed_of(const char *name)
{
	uint64_t h = 1469598103934665603ULL;

	while (*name)
		h = (h ^ (unsigned char)*name++) * 1099511628211ULL;
	return h;
}

/* Content at byte @at (a multiple of 8 is not needed) of the file @seed. */
static void pattern(unsigned char *buf, size_t len, uint64_t seed, uint64_t at)
{
	for (size_t i = 0; i < len;) {
		uint64_t word = (seed + (at + i) / 8) * 0x9e3779b97f4a7c15ULL;
		unsigned int skip = (unsigned int)((at + i) % 8);

		word ^= word >> 29;
		for (word >>= 8 * skip; skip < 8 && i < len; skip++, i++) {
			buf[i] = (unsigned char)word;
			word >>= 8;
		}
	}
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The plan is kept in the fs, so that the second mount checks the same files
 * although less space is free then.
 */
int work_plan(struct work *work, const char *dir, struct outcome *out)
{
	char path[256], line[64] = "";
	unsigned long long budget;
	struct statfs st;
	FILE *f;

	work->dir = dir;
	snprintf(path, sizeof(path), "%s/plan", dir);
	if (statfs(dir, &st))
		return fail(out, "statfs %s: %s", dir, strerror(errno));
	work->bs = (uint32_t)st.f_bsize;
	f = fopen(path, "re");
	if (f) {
		if (!fgets(line, sizeof(line), f) ||
		    sscanf(line, "%llu %u", &budget, &work->nr_small) != 2)
			fail(out, "%s cannot be read back", path);
		work->budget_bytes = budget;
		fclose(f);
		return out->why[0] ? -1 : 0;
	}
	work->budget_bytes = min_u64(st.f_bavail * (uint64_t)st.f_bsize / 2,
				     24 << 20);
	work->nr_small = (unsigned int)min_u64(
		min_u64(st.f_ffree / 3, 240),
		work->budget_bytes / 4 / (uint64_t)st.f_bsize);
	f = fopen(path, "we");
	if (!f || fprintf(f, "%llu %u\n",
			  (unsigned long long)work->budget_bytes,
			  work->nr_small) < 0 || fclose(f))
		return fail(out, "%s: %s", path, strerror(errno));
	return 0;
}

static int write_range(int fd, const struct wfile *wf, const struct seg *seg)
{
	size_t max = wf->how == DIRECT ? DIRECT_UNIT : CHUNK_BYTES;
	unsigned char *buf = NULL;
	int rc = -1;

	if (posix_memalign((void **)&buf, DIRECT_UNIT, CHUNK_BYTES))
		return -1;
	for (uint64_t pos = 0; pos < seg->len;) {
		size_t part = (size_t)min_u64(max, seg->len - pos);

		pattern(buf, part, seed_of(wf->seed), seg->at + pos);
		if (pwrite(fd, buf, part, (off_t)(seg->at + pos)) !=
		    (ssize_t)part)
			goto out;
		pos += part;
	}
	rc = 0;
out:
	free(buf);
	return rc;
}

static int write_mapped(int fd, const struct wfile *wf)
{
	size_t len = (size_t)wf->size_bytes;
	unsigned char *map;
	int rc;

	/* space first: a full fs would be a signal instead of an error */
	if (ftruncate(fd, (off_t)len))
		return -1;
	if (fallocate(fd, 0, 0, (off_t)len) && errno != EOPNOTSUPP)
		return -1;
	map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -1;
	pattern(map, len, seed_of(wf->seed), 0);
	rc = msync(map, len, MS_SYNC);
	return munmap(map, len) ? -1 : rc;
}

/* Cuts a longer file to its size; the tail of the last block must be zero. */
static int write_cut(int fd, const struct wfile *wf)
{
	struct seg longer = { 0, wf->seg[0].len * 2 + 12345 };

	if (write_range(fd, wf, &longer) ||
	    ftruncate(fd, (off_t)wf->seg[0].len))
		return -1;
	return ftruncate(fd, (off_t)wf->size_bytes);
}

static int make_file(const struct work *work, const struct wfile *wf,
		     int *err_no, struct outcome *out)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
	char path[256];
	int fd, rc = 0;

	if (wf->how == DIRECT)
		flags |= O_DIRECT;
	snprintf(path, sizeof(path), "%s/%s", work->dir, wf->name);
	fd = open(path, flags, 0644);
	if (fd < 0)
		return io_fail("create", path, err_no, out);
	if (wf->how == PREALLOCATED &&
	    fallocate(fd, 0, 0, (off_t)wf->size_bytes) && errno != EOPNOTSUPP)
		rc = -1;
	if (wf->how == MAPPED)
		rc = write_mapped(fd, wf);
	else if (wf->how == CUT)
		rc = write_cut(fd, wf);
	for (int i = 0; !rc && i < MAX_SEG && wf->how != MAPPED &&
			wf->how != CUT; i++)
		rc = write_range(fd, wf, &wf->seg[i]);
	if (!rc)
		rc = ftruncate(fd, (off_t)wf->size_bytes);
	if (rc)
		io_fail("write", path, err_no, out);
	if (close(fd) && !rc)
		rc = io_fail("close", path, err_no, out);
	return rc;
}

/* 1 if byte range [at, at+len) lies in a segment, 0 if in none. */
static uint64_t piece_at(const struct wfile *wf, uint64_t at, int *covered)
{
	uint64_t end = wf->size_bytes;

	*covered = 0;
	for (int i = 0; i < MAX_SEG; i++) {
		const struct seg *seg = &wf->seg[i];

		if (at >= seg->at && at < seg->at + seg->len) {
			*covered = 1;
			return min_u64(seg->at + seg->len - at, end - at);
		}
		if (seg->len && seg->at > at)
			end = min_u64(end, seg->at);
	}
	return end - at;
}

static int compare_file(int fd, const struct wfile *wf, uint64_t *bad_at)
{
	unsigned char *buf = malloc(2 * CHUNK_BYTES);
	unsigned char *want = buf ? buf + CHUNK_BYTES : NULL;
	int rc = -1, covered;

	for (uint64_t at = 0; buf && at < wf->size_bytes;) {
		size_t part = (size_t)min_u64(piece_at(wf, at, &covered),
					      CHUNK_BYTES);

		*bad_at = at;
		if (pread(fd, buf, part, (off_t)at) != (ssize_t)part)
			goto out;
		if (covered)
			pattern(want, part, seed_of(wf->seed), at);
		else
			memset(want, 0, part);
		errno = 0;
		if (memcmp(buf, want, part))
			goto out;
		at += part;
	}
	rc = buf ? 0 : -1;
out:
	free(buf);
	return rc;
}

static int verify_file(const struct work *work, const struct wfile *wf,
		       int *err_no, struct outcome *out)
{
	uint64_t bad_at = 0;
	char path[256];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", work->dir, wf->name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return io_fail("open", path, err_no, out);
	if (fstat(fd, &st) || (uint64_t)st.st_size != wf->size_bytes) {
		fail(out, "%s has a wrong size", path);
	} else if (compare_file(fd, wf, &bad_at)) {
		*err_no = errno;
		fail(out, "%s: %s near byte %llu", path,
		     errno ? strerror(errno) : "wrong content",
		     (unsigned long long)bad_at);
	}
	close(fd);
	return out->why[0] ? -1 : 0;
}

typedef int (*file_fn)(const struct work *, const struct wfile *, int *,
		       struct outcome *);

/* Files of the sizes where blocks, pages and inline data begin and end. */
static int each_plain(const struct work *work, file_fn fn, int *err_no,
		      struct outcome *out)
{
	const uint64_t bs = work->bs, big = work->budget_bytes / 6;
	const uint64_t sizes[] = { 0,	   1,	    100,   3000,  4097,
				   7000,   15000,   30000, bs - 1, bs,
				   bs + 1, 3 * bs + 17, big, big / 3 };
	static const char *const names[] = { "f0", "f1", "f2", "f3",  "f4",
					     "f5", "f6", "f7", "f8",  "f9",
					     "fa", "fb", "fc", "fd" };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct wfile wf = { names[i], names[i], BUFFERED, sizes[i],
				    { { 0, sizes[i] } } };

		if (sizes[i] > work->budget_bytes / 5)
			continue;
		if (fn(work, &wf, err_no, out))
			return -1;
	}
	return 0;
}

static int each_special(const struct work *work, file_fn fn, int *err_no,
			struct outcome *out)
{
	const uint64_t bs = work->bs;
	const uint64_t direct = work->budget_bytes / 8 / DIRECT_UNIT *
				DIRECT_UNIT;
	const struct wfile files[] = {
		{ "sparse", "sparse", BUFFERED, 900 * bs,
		  { { 0, bs }, { 7 * bs + 5, 2 * bs }, { 300 * bs + 1, 99 } } },
		{ "cut", "cut", CUT, 4 * bs, { { 0, bs + bs / 2 + 1 } } },
		{ "direct", "direct", DIRECT, direct, { { 0, direct } } },
		{ "mapped", "mapped", MAPPED, 2 * bs + 4096,
		  { { 0, 2 * bs + 4096 } } },
		{ "prealloc", "prealloc", PREALLOCATED, 8 * bs,
		  { { 2 * bs + 7, bs } } },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (16 * bs > work->budget_bytes / 2)
			continue;
		if (fn(work, &files[i], err_no, out))
			return -1;
	}
	return 0;
}

/* Small files: every third is renamed, every fifth of the rest removed. */
static int is_renamed(unsigned int i)
{
	return i % 3 == 0;
}

static int is_removed(unsigned int i)
{
	return !is_renamed(i) && i % 5 == 0;
}

static int each_small(const struct work *work, file_fn fn, int *err_no,
		      struct outcome *out)
{
	for (unsigned int i = 0; i < work->nr_small; i++) {
		char seed[64], moved[64];
		uint64_t size = (i * 37) % 3001;
		struct wfile wf = { seed, seed, BUFFERED, size,
				    { { 0, size } } };

		snprintf(seed, sizeof(seed), "many/small-file-number-%04u", i);
		snprintf(moved, sizeof(moved), "moved/%04u", i);
		if (fn == verify_file && is_removed(i))
			continue;
		if (fn == verify_file && is_renamed(i))
			wf.name = moved;
		if (fn(work, &wf, err_no, out))
			return -1;
	}
	return 0;
}

static int rename_and_unlink(const struct work *work, int *err_no,
			     struct outcome *out)
{
	for (unsigned int i = 0; i < work->nr_small; i++) {
		char from[256], to[256];

		snprintf(from, sizeof(from), "%s/many/small-file-number-%04u",
			 work->dir, i);
		snprintf(to, sizeof(to), "%s/moved/%04u", work->dir, i);
		if (is_renamed(i) && rename(from, to))
			return io_fail("rename", from, err_no, out);
		if (is_removed(i) && unlink(from))
			return io_fail("unlink", from, err_no, out);
	}
	return 0;
}

/* What was renamed or removed must not be found by its old name. */
static int verify_names(const struct work *work, struct outcome *out)
{
	for (unsigned int i = 0; i < work->nr_small; i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/many/small-file-number-%04u",
			 work->dir, i);
		if ((is_renamed(i) || is_removed(i)) && !access(path, F_OK))
			return fail(out, "%s is still there", path);
	}
	return 0;
}

/* Links and attributes: "link" is f3 by another name, "symlink" is long. */
static int make_links(const struct work *work, int *err_no,
		      struct outcome *out)
{
	char path[256], other[256], target[201];
	size_t len = min_u64(work->bs / 2, 1500);
	unsigned char value[1500];

	snprintf(path, sizeof(path), "%s/f3", work->dir);
	snprintf(other, sizeof(other), "%s/link", work->dir);
	if (link(path, other))
		return io_fail("link", other, err_no, out);
	pattern(value, len, seed_of("xattr"), 0);
	if (setxattr(path, XATTR_NAME, value, len, 0) && errno != EOPNOTSUPP)
		return io_fail("setxattr", path, err_no, out);
	memset(target, 'x', sizeof(target) - 1);
	target[sizeof(target) - 1] = 0;
	snprintf(path, sizeof(path), "%s/symlink", work->dir);
	if (symlink(target, path))
		return io_fail("symlink", path, err_no, out);
	return 0;
}

static int verify_links(const struct work *work, int *err_no,
			struct outcome *out)
{
	size_t len = min_u64(work->bs / 2, 1500);
	unsigned char value[1500], want[1500];
	char path[256], target[512];
	struct stat st;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/link", work->dir);
	if (stat(path, &st) || st.st_nlink != 2)
		return fail(out, "%s does not have two links", path);
	pattern(want, len, seed_of("xattr"), 0);
	n = getxattr(path, XATTR_NAME, value, sizeof(value));
	if (n < 0 && errno != EOPNOTSUPP && errno != ENODATA)
		return io_fail("getxattr", path, err_no, out);
	if (n >= 0 && ((size_t)n != len || memcmp(value, want, len)))
		return fail(out, "the attribute of %s has changed", path);
	snprintf(path, sizeof(path), "%s/symlink", work->dir);
	if (readlink(path, target, sizeof(target)) != 200)
		return fail(out, "%s has a wrong length", path);
	return 0;
}

static int make_dirs(const struct work *work, int *err_no, struct outcome *out)
{
	static const char *const dirs[] = { "many", "moved", "empty",
					    "empty/deep" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/%s", work->dir, dirs[i]);
		if (mkdir(path, 0755))
			return io_fail("mkdir", path, err_no, out);
		if (i == 3 && rmdir(path))
			return io_fail("rmdir", path, err_no, out);
	}
	return 0;
}

int work_write(const struct work *work, int *err_no, struct outcome *out)
{
	if (make_dirs(work, err_no, out) ||
	    each_plain(work, make_file, err_no, out) ||
	    each_small(work, make_file, err_no, out) ||
	    each_special(work, make_file, err_no, out))
		return -1;
	if (rename_and_unlink(work, err_no, out))
		return -1;
	return make_links(work, err_no, out);
}

int work_verify(const struct work *work, int *err_no, struct outcome *out)
{
	if (each_plain(work, verify_file, err_no, out) ||
	    each_small(work, verify_file, err_no, out) ||
	    each_special(work, verify_file, err_no, out))
		return -1;
	if (verify_names(work, out))
		return -1;
	return verify_links(work, err_no, out);
}
