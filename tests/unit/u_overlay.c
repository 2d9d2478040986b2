/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Overlays: newest copy, spilling, order, and images read through one. */
#include "io/overlay.h"

#include <errno.h>
#include <unistd.h>

#include "base/pool.h"
#include "io/image.h"
#include "tests/lib/tap.h"

enum { BS = 1024, NR = 200 };

static const u8 *block_of(u64 blk, unsigned version)
{
	static u8 bytes[BS];

	for (size_t i = 0; i < BS; i++)
		bytes[i] = (u8)(blk * 31 + version * 7 + i);
	return bytes;
}

static struct overlay *opened(u64 memory_max)
{
	struct overlay_args args = {BS, memory_max, getenv("TMPDIR")};
	struct overlay *o = NULL;

	if (overlay_open(&args, &o))
		printf("Bail out! no overlay\n");
	return o;
}

/* The k-th block put: scattered, with a far one. */
static u64 nth(u64 k)
{
	return k == 7 ? 1ull << 40 : k * 37 % 1009;
}

static bool all_put(struct overlay *o, unsigned version)
{
	for (u64 k = 0; k < NR; k++)
		if (overlay_put(o, nth(k), block_of(nth(k), version)))
			return false;
	return true;
}

static bool all_there(const struct overlay *o, unsigned version)
{
	u8 buf[BS];

	for (u64 k = 0; k < NR; k++)
		if (!overlay_has(o, nth(k)) || overlay_get(o, nth(k), buf) ||
		    memcmp(buf, block_of(nth(k), version), BS))
			return false;
	return true;
}

struct walk {
	u64 nr;
	u64 last;
	u64 stop_at;
	bool good;
};

static errcode_t visit(void *arg, u64 blk, const u8 *bytes)
{
	struct walk *w = arg;

	if ((w->nr && blk <= w->last) || memcmp(bytes, block_of(blk, 2), BS))
		w->good = false;
	w->last = blk;
	return ++w->nr == w->stop_at ? EINTR : 0;
}

static void test_cap(u64 memory_max, u64 want_spilled, const char *name)
{
	struct overlay *o = opened(memory_max);
	struct walk w = {.good = true};

	printf("# %s\n", name);
	tap_ok(!overlay_each(o, visit, &w) && !w.nr, "nothing in it");
	tap_ok(all_put(o, 1) && all_there(o, 1), "blocks come back");
	tap_ok(all_put(o, 2) && all_there(o, 2), "the newest copy wins");
	tap_is_u64(overlay_nr_blks(o), NR, "each block counts once");
	tap_is_u64(overlay_nr_spilled(o), want_spilled, "how many are in the file");
	tap_is_u64(overlay_memory_bytes(o), (NR - want_spilled) * BS,
		   "memory stays below the cap");
	tap_ok(!overlay_each(o, visit, &w) && w.good && w.nr == NR,
	       "visited in order, each once");
	w = (struct walk){.good = true, .stop_at = 3};
	tap_ok(overlay_each(o, visit, &w) == EINTR && w.nr == 3,
	       "a visitor's error ends it");
	overlay_clear(o);
	tap_ok(!overlay_nr_blks(o) && !overlay_has(o, nth(1)) &&
	       !overlay_memory_bytes(o), "dropped");
	tap_ok(all_put(o, 2) && all_there(o, 2), "and usable again");
	overlay_close(o);
}

static void test_errors(void)
{
	struct overlay_args args = {BS, 0, "/nonexistent/folder"};
	struct overlay *o = NULL;
	u8 buf[BS];

	tap_ok(!overlay_open(&args, &o), "no file is made before it is needed");
	tap_ok(overlay_put(o, 1, block_of(1, 1)) == ENOENT && !overlay_has(o, 1),
	       "no place for the file: an error, and nothing kept");
	tap_ok(overlay_read(o, 0, buf, 1) == EINVAL, "reading what is not here");
	overlay_close(o);
	args.block_bytes = 0;
	tap_ok(overlay_open(&args, &o) == EINVAL && !o, "block size 0");
	overlay_close(NULL);
	o = opened(1 << 20);
	tap_ok(overlay_put(o, UINT64_MAX / BS, buf) == EINVAL,
	       "a block no file can have");
	overlay_close(o);
}

/* What the image and its overlay should read as. */
struct model {
	struct image *img;
	u8 *bytes;
	size_t len;
};

static bool same_everywhere(const struct model *m)
{
	u8 *buf = malloc(m->len);
	bool same = true;

	for (size_t off = 0; off < m->len && same; off += 317)
		for (size_t len = 0; off + len <= m->len && same;
		     len = len * 2 + 1)
			same = !image_read(m->img, off, buf, len) &&
			       !memcmp(buf, m->bytes + off, len);
	same = same && !image_read(m->img, 0, buf, m->len) &&
	       !memcmp(buf, m->bytes, m->len);
	free(buf);
	return same;
}

static bool kept(struct model *m, size_t off, size_t len)
{
	u8 *change = malloc(len + 1);
	errcode_t rc;

	memset(change, 0xA5, len);
	rc = image_keep(m->img, off, change, len);
	if (!rc)
		memset(m->bytes + off, 0xA5, len);
	free(change);
	return !rc && same_everywhere(m);
}

enum { NR_WORKERS = 4, NR_READS = 4000 };

/* One worker's reads; slot counts the wrong ones. */
static errcode_t read_some(void *arg, void *slot, u64 first, u64 nr)
{
	const struct model *m = arg;
	u64 *bad = slot;
	u8 buf[3 * BS];

	for (u64 i = first; i < first + nr; i++) {
		size_t off = (size_t)(i * 131 % (m->len - sizeof(buf)));

		*bad += image_read(m->img, off, buf, sizeof(buf)) ||
			memcmp(buf, m->bytes + off, sizeof(buf));
	}
	return 0;
}

/* Many threads read at once, from image, memory and temporary file. */
static void test_parallel(struct model *m)
{
	u64 bad[NR_WORKERS] = {0}, sum = 0;
	void *slots[NR_WORKERS];
	struct pool_task task = {.nr_items = NR_READS, .step = 10,
				 .nr_workers = NR_WORKERS, .slots = slots,
				 .arg = m, .work = read_some};

	for (unsigned i = 0; i < NR_WORKERS; i++)
		slots[i] = &bad[i];
	tap_ok(!pool_run(&task), "many readers at once");
	for (unsigned i = 0; i < NR_WORKERS; i++)
		sum += bad[i];
	tap_is_u64(sum, 0, "read the same");
}

static void test_image(const char *path)
{
	struct model m = {.len = 10 * BS + 100};
	struct overlay *o = opened(3 * BS);
	u8 *disk = malloc(m.len);
	FILE *f = fopen(path, "w");

	m.bytes = malloc(m.len);
	for (size_t i = 0; i < m.len; i++)
		m.bytes[i] = (u8)(i / 3 + i / BS);
	if (!f || fwrite(m.bytes, 1, m.len, f) != m.len || fclose(f) ||
	    image_open(path, IMAGE_READ, &m.img))
		printf("Bail out! cannot make %s\n", path);
	tap_ok(image_keep(m.img, 0, "x", 1) == EROFS, "no overlay, no change");
	image_set_overlay(m.img, o);
	tap_ok(same_everywhere(&m), "an empty overlay hides nothing");
	tap_ok(kept(&m, 2 * BS, BS), "a whole block");
	tap_ok(kept(&m, 5 * BS + 10, 20), "a part of one");
	tap_ok(kept(&m, 5 * BS + 100, 5), "another part of it");
	tap_ok(kept(&m, 7 * BS - 1, 2 * BS), "across blocks");
	tap_ok(kept(&m, 10 * BS + 98, 2), "the image ends inside a block");
	tap_ok(kept(&m, 3, 0), "nothing at all");
	tap_ok(image_keep(m.img, m.len - 1, "xx", 2) == LB_E_IMAGE_KEEP &&
	       image_read(m.img, m.len - 1, disk, 2) == LB_E_IMAGE_SHORT &&
	       same_everywhere(&m), "nothing beyond the end");
	tap_is_u64(overlay_nr_blks(o), 6, "only these blocks are kept");
	tap_ok(overlay_nr_spilled(o) == 3, "half of them in the file");
	test_parallel(&m);
	image_set_overlay(m.img, NULL);
	tap_ok(!image_read(m.img, 2 * BS, disk, BS) &&
	       memcmp(disk, m.bytes + 2 * BS, BS), "the image is as it was");
	image_close(m.img);
	overlay_close(o);
	free(m.bytes);
	free(disk);
	unlink(path);
}

/* A kept block is read even where the image itself cannot be. */
static void test_unreadable(const char *path)
{
	struct overlay *o = opened(1 << 20);
	struct image *img = NULL;
	FILE *f = fopen(path, "w");
	u8 buf[2 * BS];

	if (!f || ftruncate(fileno(f), 4 * BS) || fclose(f) ||
	    image_open(path, IMAGE_READ, &img) || truncate(path, 2 * BS) ||
	    overlay_put(o, 3, block_of(3, 1)))
		printf("Bail out! cannot make %s\n", path);
	image_set_overlay(img, o);
	tap_ok(image_read(img, 2 * BS, buf, BS) == EIO, "a hole in the medium");
	tap_ok(!image_read(img, 3 * BS, buf, BS) &&
	       !memcmp(buf, block_of(3, 1), BS), "covered by a kept block");
	tap_ok(image_read(img, 2 * BS, buf, 2 * BS) == EIO, "not wholly");
	image_close(img);
	overlay_close(o);
	unlink(path);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[200];
	int fd;

	snprintf(path, sizeof(path), "%s/lbs-u_overlay.XXXXXX",
		 tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	test_cap(1 << 20, 0, "all in memory");
	test_cap(50 * BS + 1, NR - 50, "most in the file");
	test_cap(0, NR, "all in the file");
	test_errors();
	test_image(path);
	test_unreadable(path);
	return tap_done();
}
