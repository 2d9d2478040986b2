/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scanimg IMAGE: reads a whole image with lib/ondisk and says what it saw.
 * Exit 1 when a checksum is wrong or something has a defect.
 */
#include "tests/lib/stock_scan.h"

int main(int argc, char **argv)
{
	struct stock s = {0};
	struct seen seen;

	if (argc != 2 || strlen(argv[1]) >= sizeof(s.img)) {
		fprintf(stderr, "usage: scanimg IMAGE\n");
		return 2;
	}
	memcpy(s.img, argv[1], strlen(argv[1]) + 1);
	stock_load(&s);
	stock_scan(&s, &seen);
	printf("%u wrong checksums, %u defects\n", seen.wrong, seen.defects);
	stock_unload(&s);
	return seen.wrong || seen.defects ? 1 : 0;
}
