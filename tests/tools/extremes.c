/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extremes IMAGE ROUNDS: puts every superblock field at its extremes, with a
 * right and a wrong checksum, then damages random metadata bytes ROUNDS times,
 * and has each result read and judged. The image is restored at the end.
 * Prints how many filesystems were judged; crashing is the failure.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/banned.h"
#include "base/crc.h"
#include "base/units.h"
#include "lbs/rules.h"

enum {
	CSUM_OFFSET = 0x3FC,
	META_MAX = 4 << 20,
	FLIPS = 24
};

struct lab {
	const char *path;
	int fd;
	u8 *meta; /* the first bytes of the image, as they were */
	size_t meta_len;
	u64 nr_judged;
	u64 random;
};

/* xorshift64: the same sequence on every run. */
static u64 next_random(struct lab *lab)
{
	lab->random ^= lab->random << 13;
	lab->random ^= lab->random >> 7;
	lab->random ^= lab->random << 17;
	return lab->random;
}

static int judge(struct lab *lab)
{
	static const struct facts facts = {
		.kernel = {.page_bytes = 4096, .large_blocks = {TRI_YES, "t"}},
	};
	static const struct lbs_request rq = {.fs_type = LBS_EXT4};
	struct lbs_subject s;
	struct verdict v;
	struct image *img;

	if (image_open(lab->path, IMAGE_READ, &img))
		return 1;
	/* No superblock any more is an error, and a fine answer. */
	if (!lbs_subject_read(img, &s)) {
		if (lbs_check(&facts, &s, &rq, &v))
			return 1;
		verdict_free(&v);
	}
	image_close(img);
	lab->nr_judged++;
	return 0;
}

static int put(struct lab *lab, const u8 *bytes, size_t len, off_t off)
{
	return pwrite(lab->fd, bytes, len, off) != (ssize_t)len;
}

static int try_super(struct lab *lab, u8 *sb, bool fix_csum)
{
	if (fix_csum) {
		u32 crc = crc32c(~0u, sb, CSUM_OFFSET);

		for (int i = 0; i < 4; i++)
			sb[CSUM_OFFSET + i] = (u8)(crc >> (8 * i));
	}
	return put(lab, sb, SUPER_BYTES, SUPER_OFFSET) || judge(lab);
}

static int try_field(struct lab *lab, const struct super_field *f)
{
	static const u64 values[] = {0,		 1,	     2,
				     3,		 0x7F,	     0xFF,
				     0x7FFF,	 0xFFFF,     0x7FFFFFFF,
				     0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF,
				     UINT64_MAX};
	u8 sb[SUPER_BYTES];

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		for (int fix = 0; fix < 2; fix++) {
			memcpy(sb, lab->meta + SUPER_OFFSET, sizeof(sb));
			for (u16 b = 0; b < f->len; b++)
				sb[f->offset + b] =
					(u8)(values[i] >> (8 * (b % 8)));
			if (try_super(lab, sb, fix))
				return 1;
		}
	return 0;
}

static int try_random(struct lab *lab)
{
	u8 *copy = malloc(lab->meta_len);
	int bad;

	if (!copy)
		return 1;
	memcpy(copy, lab->meta, lab->meta_len);
	for (int i = 0; i < FLIPS; i++) {
		size_t at = SUPER_OFFSET +
			    next_random(lab) % (lab->meta_len - SUPER_OFFSET);

		/* Most damage goes where the reader looks first. */
		if (i % 2)
			at = SUPER_OFFSET + at % 65536;
		if (at < lab->meta_len)
			copy[at] = (u8)next_random(lab);
	}
	bad = put(lab, copy, lab->meta_len, 0) || judge(lab);
	free(copy);
	return bad;
}

static int run(struct lab *lab, u64 rounds)
{
	const struct super_field *f;
	int bad = 0;

	for (size_t i = 0; !bad && (f = super_field(i)); i++)
		bad = try_field(lab, f);
	for (u64 i = 0; !bad && i < rounds; i++)
		bad = try_random(lab);
	return put(lab, lab->meta, lab->meta_len, 0) || bad;
}

int main(int argc, char **argv)
{
	struct lab lab = {.random = 0x9E3779B97F4A7C15};
	u64 rounds;
	ssize_t len;
	int bad;

	err_init();
	if (argc != 3 || units_parse_num(argv[2], 1000000, &rounds)) {
		fprintf(stderr, "usage: extremes IMAGE ROUNDS\n");
		return 16;
	}
	lab.path = argv[1];
	lab.fd = open(argv[1], O_RDWR | O_CLOEXEC);
	lab.meta = malloc(META_MAX);
	len = lab.fd < 0 || !lab.meta ? -1
				      : pread(lab.fd, lab.meta, META_MAX, 0);
	if (len < SUPER_OFFSET + SUPER_BYTES + 65536) {
		fprintf(stderr, "extremes: %s: cannot be used\n", argv[1]);
		return 8;
	}
	lab.meta_len = (size_t)len;
	bad = run(&lab, rounds);
	printf("%llu judged\n", (unsigned long long)lab.nr_judged);
	close(lab.fd);
	free(lab.meta);
	return bad;
}
