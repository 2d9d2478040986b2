/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Images that stock mke2fs, debugfs and e2fsck make, mapped into memory for
 * tests of lib/ondisk, and what debugfs says about them. Header only. A step
 * that cannot be done stops the test.
 */
#ifndef TESTS_STOCK_H
#define TESTS_STOCK_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ondisk/extent.h"
#include "ondisk/gdesc.h"
#include "ondisk/indirect.h"
#include "ondisk/inode.h"
#include "tap.h"

enum { STOCK_CMD_MAX = 6 * PATH_MAX };

struct stock {
	char dir[PATH_MAX];
	char img[PATH_MAX + 8];
	u8 *map;
	struct span all;
	struct super sb;
	struct geom g;
	u32 seed; /* of checksums */
};

static inline void stock_die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Runs a command line of ours; its output goes to dir/log. */
static inline int stock_try(struct stock *s, const char *command)
{
	char full[STOCK_CMD_MAX];

	if (snprintf(full, sizeof(full), "(%s) >'%s/log' 2>&1 </dev/null",
		     command, s->dir) >= (int)sizeof(full))
		stock_die("a command that is too long");
	return system(full);
}

static inline void stock_run(struct stock *s, const char *command)
{
	if (stock_try(s, command)) {
		printf("# %s\n", command);
		stock_die("the command failed");
	}
}

/* A folder for images, and the tools in PATH. */
static inline void stock_start(struct stock *s)
{
	const char *tmp = getenv("TMPDIR"), *path = getenv("PATH");
	char longer[PATH_MAX];

	memset(s, 0, sizeof(*s));
	snprintf(s->dir, sizeof(s->dir), "%s/lbs-stock.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(s->dir))
		stock_die(s->dir);
	snprintf(longer, sizeof(longer), "%s:/usr/sbin:/sbin", path);
	setenv("PATH", longer, 1);
	setenv("MKE2FS_CONFIG", "/dev/null", 1);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC", 1);
	snprintf(s->img, sizeof(s->img), "%s/img", s->dir);
}

static inline void stock_unload(struct stock *s)
{
	if (s->map)
		munmap(s->map, s->all.len);
	s->map = NULL;
}

static inline void stock_end(struct stock *s)
{
	char command[STOCK_CMD_MAX];

	stock_unload(s);
	snprintf(command, sizeof(command), "rm -rf '%s'", s->dir);
	if (system(command))
		stock_die(command);
}

/* mke2fs with these options over nr_blks blocks. */
static inline void stock_make(struct stock *s, u32 bs, u64 nr_blks,
			      const char *options)
{
	char command[STOCK_CMD_MAX];

	stock_unload(s);
	snprintf(command, sizeof(command),
		 "rm -f '%s' && truncate -s %" PRIu64
		 " '%s' && mke2fs -q -F -b %u %s '%s'",
		 s->img, nr_blks * bs, s->img, bs, options, s->img);
	stock_run(s, command);
}

static inline FILE *stock_open_file(struct stock *s, const char *name)
{
	char path[PATH_MAX + 32];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	out = fopen(path, "w");
	if (!out)
		stock_die(path);
	return out;
}

/* Runs dir/script in debugfs, inside dir so that it may name files there. */
static inline void stock_script(struct stock *s)
{
	char command[STOCK_CMD_MAX];

	snprintf(command, sizeof(command),
		 "cd '%s' && debugfs -w -f script img", s->dir);
	stock_run(s, command);
}

/* Maps the image, privately so that a test may damage what it sees. */
static inline void stock_load(struct stock *s)
{
	int fd = open(s->img, O_RDONLY);
	struct stat st;

	stock_unload(s);
	if (fd < 0 || fstat(fd, &st))
		stock_die(s->img);
	s->map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE, fd, 0);
	if (s->map == MAP_FAILED)
		stock_die("mmap");
	close(fd);
	s->all = span_of(s->map, (size_t)st.st_size);
	if (super_parse(span_sub(s->all, SUPER_OFFSET, SUPER_BYTES), &s->sb) ||
	    geom_from_super(&s->sb, &s->g))
		stock_die("the image has no geometry");
	s->seed = super_csum_seed(&s->sb);
}

static inline struct span stock_block(const struct stock *s, u64 blk)
{
	return span_sub(s->all, (size_t)blk * s->g.block_bytes,
			s->g.block_bytes);
}

static inline struct span stock_desc(const struct stock *s, u32 grp)
{
	return span_sub(stock_block(s, geom_desc_blk(&s->g, grp)),
			geom_desc_offset(&s->g, grp), s->g.desc_bytes);
}

static inline struct span stock_inode_raw(const struct stock *s, u32 ino)
{
	struct gdesc gd;

	gdesc_parse(stock_desc(s, inode_group(&s->g, ino)), &s->g, &gd);
	return span_sub(s->all,
			(size_t)(gd.inode_table_blk * s->g.block_bytes +
				 inode_table_offset(&s->g, ino)),
			s->g.inode_bytes);
}

static inline struct inode stock_inode(const struct stock *s, u32 ino)
{
	struct inode inode;

	inode_parse(stock_inode_raw(s, ino), &s->g, &inode);
	return inode;
}

/* The physical block of a logical one in an extent tree, 0: none. */
static inline u64 stock_map_extents(const struct stock *s,
				    const struct inode *inode, u32 lblk)
{
	struct span node = span_of(inode->map, INODE_MAP_BYTES);
	struct extent_parent parent = {.is_root = true};
	struct extent_iter it;
	struct extent_entry e;
	u64 found;

	for (;;) {
		found = 0;
		if (extent_iter_init(&it, node, &parent, &s->g))
			return 0;
		while (extent_iter_next(&it, &e) && e.lblk <= lblk) {
			found = e.pblk + (e.is_index ? 0 : lblk - e.lblk);
			if (!e.is_index && lblk - e.lblk >= e.nr_blks)
				found = 0;
		}
		if (!found || !it.head.depth)
			return found;
		node = stock_block(s, found);
		parent = (struct extent_parent){.is_root = true};
	}
}

static inline u64 stock_map_indirect(const struct stock *s,
				     const struct inode *inode, u32 lblk)
{
	struct indirect_path path;
	u32 blk;

	if (!indirect_path(&s->g, lblk, &path))
		return 0;
	blk = span_le32(span_of(inode->map, INODE_MAP_BYTES), path.slot * 4);
	for (unsigned i = 0; blk && i < path.nr; i++)
		blk = span_le32(stock_block(s, blk), (size_t)path.idx[i] * 4);
	return blk;
}

static inline u64 stock_map(const struct stock *s, const struct inode *inode,
			    u32 lblk)
{
	return inode->flags & INODE_FLAG_EXTENTS
		       ? stock_map_extents(s, inode, lblk)
		       : stock_map_indirect(s, inode, lblk);
}

/* What one debugfs command prints; the caller closes it with pclose(). */
static inline FILE *stock_ask(const struct stock *s, const char *request)
{
	char command[STOCK_CMD_MAX];
	FILE *in;

	snprintf(command, sizeof(command),
		 "debugfs -c -R '%s' '%s' 2>/dev/null </dev/null", request,
		 s->img);
	in = popen(command, "r");
	if (!in)
		stock_die(command);
	return in;
}

/* The number behind key in the answer to a request; UINT64_MAX if none. */
static inline u64 stock_number(const struct stock *s, const char *request,
			       const char *key, int base)
{
	FILE *in = stock_ask(s, request);
	u64 number = UINT64_MAX;
	char line[1024];

	while (fgets(line, sizeof(line), in)) {
		const char *at = strstr(line, key);

		if (at && number == UINT64_MAX)
			number = strtoull(at + strlen(key), NULL, base);
	}
	pclose(in);
	return number;
}

/* Inode number of a path. */
static inline u32 stock_ino(const struct stock *s, const char *path)
{
	char request[PATH_MAX];

	snprintf(request, sizeof(request), "stat %s", path);
	return (u32)stock_number(s, request, "Inode: ", 10);
}

#endif
