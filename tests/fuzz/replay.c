/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A main for fuzz targets without libFuzzer: gives the target each file named,
 * whole, cut short at many lengths, and with each byte of its first part set
 * to a few telling values. Prints how many inputs that made; a target that
 * finds something wrong aborts.
 */
#include "tests/fuzz/fuzz.h"

enum { INPUT_MAX = 1 << 20, CUTS = 64, BYTES_CHANGED = 1024 };

static const u8 telling[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};

/* The bytes are copied, so that a read one byte beyond them is noticed. */
static void give(const u8 *bytes, size_t len)
{
	u8 *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static size_t replay(u8 *bytes, size_t len)
{
	size_t nr = 1, step = len / CUTS + 1;

	give(bytes, len);
	for (size_t cut = 0; cut < len; cut += step, nr++)
		give(bytes, cut);
	for (size_t i = 0; i < len && i < BYTES_CHANGED; i++) {
		u8 old = bytes[i];

		for (size_t k = 0; k < ARRAY_LEN(telling); k++, nr++) {
			bytes[i] = telling[k];
			give(bytes, len);
		}
		bytes[i] = old;
	}
	return nr;
}

static int replay_file(const char *path, u8 *bytes, size_t *nr)
{
	FILE *in = fopen(path, "rb");
	size_t len;

	if (!in) {
		perror(path);
		return 1;
	}
	len = fread(bytes, 1, INPUT_MAX, in);
	if (ferror(in)) {
		perror(path);
		fclose(in);
		return 1;
	}
	fclose(in);
	*nr += replay(bytes, len);
	return 0;
}

int main(int argc, char **argv)
{
	u8 *bytes = malloc(INPUT_MAX);
	int failed = !bytes;
	size_t nr = 0;

	for (int i = 1; i < argc && !failed; i++)
		failed = replay_file(argv[i], bytes, &nr);
	free(bytes);
	if (failed)
		return 1;
	printf("%zu inputs\n", nr);
	return 0;
}
