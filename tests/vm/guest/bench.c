/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clock for measurements in the guest: does one thing, prints how fast.
 * A program of its own, because a shell cannot time below a process start.
 *
 *	bench direct FILE MIB	append with O_DIRECT, 64 KiB a call: KiB/s
 *	bench buffered FILE MIB	write 1 MiB a call, then fsync: KiB/s
 *	bench create DIR N	N small files in N/100 directories: files/s
 *	bench mount DEV DIR OPTS	mount as ext4: microseconds
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MIB (1UL << 20)
#define PER_DIR 100

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

static int complain(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	return 1;
}

static int write_file(const char *path, uint64_t bytes, size_t unit, int flags)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | flags, 0644);
	unsigned char *buf = NULL;
	uint64_t start;

	if (fd < 0 || posix_memalign((void **)&buf, MIB, unit))
		return complain(path);
	memset(buf, 0x5a, unit);
	start = now_us();
	for (uint64_t done = 0; done < bytes; done += unit)
		if (write(fd, buf, unit) != (ssize_t)unit)
			return complain("write");
	if (fsync(fd))
		return complain("fsync");
	printf("%llu\n", (unsigned long long)(bytes * 1000000 / 1024 /
					      (now_us() - start)));
	free(buf);
	return close(fd);
}

static int create_one(const char *dir, unsigned long nr)
{
	static const char text[900] = "small";
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%lu", dir, nr / PER_DIR);
	if (nr % PER_DIR == 0 && mkdir(path, 0755))
		return -1;
	snprintf(path, sizeof(path), "%s/%lu/%lu", dir, nr / PER_DIR, nr);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd < 0)
		return -1;
	if (write(fd, text, sizeof(text)) != (ssize_t)sizeof(text)) {
		close(fd);
		return -1;
	}
	return close(fd);
}

static int create_files(const char *dir, unsigned long nr)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY);
	uint64_t start = now_us();

	for (unsigned long i = 0; i < nr; i++)
		if (create_one(dir, i))
			return complain("create");
	if (fd < 0 || syncfs(fd))
		return complain("syncfs");
	printf("%llu\n", (unsigned long long)(nr * 1000000 /
					      (now_us() - start)));
	return close(fd);
}

static int mount_dev(const char *dev, const char *dir, const char *opts)
{
	uint64_t start = now_us();

	if (mount(dev, dir, "ext4", 0, opts))
		return complain("mount");
	printf("%llu\n", (unsigned long long)(now_us() - start));
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long n = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;

	if (n && !strcmp(argv[1], "direct"))
		return write_file(argv[2], n * MIB, 65536, O_DIRECT);
	if (n && !strcmp(argv[1], "buffered"))
		return write_file(argv[2], n * MIB, MIB, 0);
	if (n && !strcmp(argv[1], "create"))
		return create_files(argv[2], n);
	if (argc == 5 && !strcmp(argv[1], "mount"))
		return mount_dev(argv[2], argv[3], argv[4]);
	fprintf(stderr, "bench: wrong arguments\n");
	return 2;
}
