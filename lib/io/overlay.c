/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of block copies. A block stays where its first copy went, in
 * memory or in a slot of the temporary file; later copies replace it there.
 */
#include "io/overlay.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/banned.h"

struct kept {
	u64 blk;
	u8 *bytes; /* owned; NULL: in the file */
	u64 slot;  /* of the file, in blocks */
	UT_hash_handle hh;
};

struct overlay {
	struct overlay_args args;
	char *tmp_dir;
	struct kept *table;
	u64 nr_blks;
	u64 memory_bytes;
	int fd; /* of the temporary file, -1: none yet */
	u64 nr_slots;
};

errcode_t overlay_open(const struct overlay_args *args, struct overlay **out)
{
	struct overlay *o;

	*out = NULL;
	if (!args->block_bytes)
		return EINVAL;
	o = calloc(1, sizeof(*o));
	if (!o)
		return ENOMEM;
	o->args = *args;
	o->fd = -1;
	o->tmp_dir = strdup(args->tmp_dir ? args->tmp_dir : P_tmpdir);
	if (!o->tmp_dir) {
		free(o);
		return ENOMEM;
	}
	*out = o;
	return 0;
}

void overlay_clear(struct overlay *o)
{
	struct kept *k, *next;

	HASH_ITER (hh, o->table, k, next) {
		HASH_DEL(o->table, k);
		free(k->bytes);
		free(k);
	}
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	o->nr_blks = o->memory_bytes = o->nr_slots = 0;
}

void overlay_close(struct overlay *o)
{
	if (!o)
		return;
	overlay_clear(o);
	free(o->tmp_dir);
	free(o);
}

static struct kept *find(const struct overlay *o, u64 blk)
{
	struct kept *k;

	HASH_FIND(hh, o->table, &blk, sizeof(blk), k);
	return k;
}

static errcode_t open_file(struct overlay *o)
{
	char path[4096];
	int len;

	if (o->fd >= 0)
		return 0;
	len = snprintf(path, sizeof(path), "%s/lbsprogs.XXXXXX", o->tmp_dir);
	if (len < 0 || (size_t)len >= sizeof(path))
		return ENAMETOOLONG;
	o->fd = mkstemp(path);
	if (o->fd < 0)
		return errno;
	unlink(path);
	if (fcntl(o->fd, F_SETFD, FD_CLOEXEC))
		return errno;
	return 0;
}

static errcode_t write_slot(struct overlay *o, u64 slot, const u8 *bytes)
{
	size_t left = o->args.block_bytes;
	u64 off = slot * left;

	while (left) {
		ssize_t n = pwrite(o->fd, bytes, left, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		bytes += n;
		off += (u64)n;
		left -= (size_t)n;
	}
	return 0;
}

/* len bytes of a kept block from its byte at on. */
static errcode_t read_kept(const struct overlay *o, const struct kept *k,
			   size_t at, u8 *buf, size_t len)
{
	u64 off = k->slot * o->args.block_bytes + at;

	if (k->bytes) {
		memcpy(buf, k->bytes + at, len);
		return 0;
	}
	while (len) {
		ssize_t n = pread(o->fd, buf, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		buf += n;
		off += (u64)n;
		len -= (size_t)n;
	}
	return 0;
}

static errcode_t store(struct overlay *o, struct kept *k, const u8 *bytes)
{
	if (!k->bytes)
		return write_slot(o, k->slot, bytes);
	memcpy(k->bytes, bytes, o->args.block_bytes);
	return 0;
}

/* Finds room for a new block, in memory or in the file. */
static errcode_t place(struct overlay *o, struct kept *k)
{
	u32 bs = o->args.block_bytes;
	errcode_t rc;

	if (o->memory_bytes + bs <= o->args.memory_max_bytes) {
		k->bytes = malloc(bs);
		if (!k->bytes)
			return ENOMEM;
		o->memory_bytes += bs;
		return 0;
	}
	rc = open_file(o);
	if (!rc)
		k->slot = o->nr_slots++;
	return rc;
}

static errcode_t add(struct overlay *o, u64 blk, const u8 *bytes)
{
	struct kept *k = calloc(1, sizeof(*k));
	errcode_t rc;

	if (!k)
		return ENOMEM;
	k->blk = blk;
	rc = place(o, k);
	if (!rc)
		rc = store(o, k, bytes);
	if (rc)
		goto fail;
	HASH_ADD(hh, o->table, blk, sizeof(k->blk), k);
	/* Out of memory, uthash has taken the entry out again. */
	if (!k->hh.tbl) {
		rc = ENOMEM;
		goto fail;
	}
	o->nr_blks++;
	return 0;
fail:
	if (k->bytes)
		o->memory_bytes -= o->args.block_bytes;
	free(k->bytes);
	free(k);
	return rc;
}

errcode_t overlay_put(struct overlay *o, u64 blk, const void *bytes)
{
	struct kept *k = find(o, blk);

	/* Offsets in bytes must be possible. */
	if (blk > (u64)INT64_MAX / o->args.block_bytes - 1)
		return EINVAL;
	return k ? store(o, k, bytes) : add(o, blk, bytes);
}

bool overlay_has(const struct overlay *o, u64 blk)
{
	return find(o, blk);
}

errcode_t overlay_get(const struct overlay *o, u64 blk, void *bytes)
{
	return overlay_read(o, blk * o->args.block_bytes, bytes,
			    o->args.block_bytes);
}

size_t overlay_reach(const struct overlay *o, u64 off, size_t len,
		     bool *is_here)
{
	u32 bs = o->args.block_bytes;
	size_t n = bs - (size_t)(off % bs);
	u64 blk = off / bs;

	*is_here = find(o, blk);
	if (!o->nr_blks)
		return len;
	while (n < len && !!find(o, ++blk) == *is_here)
		n += bs;
	return n < len ? n : len;
}

errcode_t overlay_read(const struct overlay *o, u64 off, void *buf, size_t len)
{
	u32 bs = o->args.block_bytes;
	u8 *to = buf;
	errcode_t rc = 0;

	while (len && !rc) {
		const struct kept *k = find(o, off / bs);
		size_t at = (size_t)(off % bs);
		size_t n = bs - at < len ? bs - at : len;

		if (!k)
			return EINVAL;
		rc = read_kept(o, k, at, to, n);
		to += n;
		off += n;
		len -= n;
	}
	return rc;
}

static int by_blk(const void *a, const void *b)
{
	const struct kept *const *x = a, *const *y = b;

	return ((*x)->blk > (*y)->blk) - ((*x)->blk < (*y)->blk);
}

/* All blocks in order; the caller frees *out. */
static errcode_t sorted(const struct overlay *o, struct kept ***out)
{
	struct kept **list, *k, *next;
	size_t nr = 0;

	list = o->nr_blks > SIZE_MAX / sizeof(struct kept *)
		       ? NULL
		       : malloc((size_t)o->nr_blks * sizeof(struct kept *));
	*out = list;
	if (!list)
		return ENOMEM;
	HASH_ITER (hh, o->table, k, next)
		list[nr++] = k;
	qsort(list, nr, sizeof(struct kept *), by_blk);
	return 0;
}

errcode_t overlay_each(const struct overlay *o, overlay_visit_fn *visit,
		       void *arg)
{
	struct kept **list = NULL;
	u8 *block = NULL;
	errcode_t rc;

	if (!o->nr_blks)
		return 0;
	rc = sorted(o, &list);
	if (rc)
		return rc;
	block = malloc(o->args.block_bytes);
	if (!block)
		rc = ENOMEM;
	for (u64 i = 0; !rc && i < o->nr_blks; i++) {
		rc = read_kept(o, list[i], 0, block, o->args.block_bytes);
		if (!rc)
			rc = visit(arg, list[i]->blk, block);
	}
	free(block);
	free(list);
	return rc;
}

u64 overlay_nr_blks(const struct overlay *o)
{
	return o->nr_blks;
}

u32 overlay_block_bytes(const struct overlay *o)
{
	return o->args.block_bytes;
}

u64 overlay_memory_bytes(const struct overlay *o)
{
	return o->memory_bytes;
}

u64 overlay_nr_spilled(const struct overlay *o)
{
	return o->nr_slots;
}
