/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two files block by block: blockdiff A B BLOCK-BYTES prints the
 * numbers of the blocks that differ. Exit: 0 equal, 1 different, 2 neither.
 */
#include <inttypes.h>

#include "base/banned.h"
#include "base/units.h"
#include "io/image.h"

enum { CHUNK_BYTES = 1 << 20 };

static u8 chunk[2][CHUNK_BYTES];

static int compare(struct image **img, u64 bs)
{
	u64 bytes = image_bytes(img[0]);
	int different = 0;

	for (u64 off = 0; off < bytes; off += CHUNK_BYTES) {
		size_t n = (size_t)u64_min(CHUNK_BYTES, bytes - off);

		if (image_read(img[0], off, chunk[0], n) ||
		    image_read(img[1], off, chunk[1], n))
			return 2;
		if (!memcmp(chunk[0], chunk[1], n))
			continue;
		different = 1;
		for (size_t at = 0; at < n; at += bs)
			if (memcmp(chunk[0] + at, chunk[1] + at,
				   (size_t)u64_min(bs, n - at)))
				printf("%" PRIu64 "\n", (off + at) / bs);
	}
	return different;
}

int main(int argc, char **argv)
{
	struct image *img[2] = {NULL, NULL};
	int rc = 2;
	u64 bs;

	if (argc == 4 && !units_parse_num(argv[3], CHUNK_BYTES, &bs) && bs &&
	    CHUNK_BYTES % bs == 0 && !image_open(argv[1], IMAGE_READ, &img[0]) &&
	    !image_open(argv[2], IMAGE_READ, &img[1]) &&
	    image_bytes(img[0]) == image_bytes(img[1]))
		rc = compare(img, bs);
	if (rc == 2)
		fprintf(stderr, "blockdiff: cannot compare\n");
	image_close(img[0]);
	image_close(img[1]);
	return rc;
}
