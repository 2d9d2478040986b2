/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One image with every structure that lib/ondisk reads, at any block size:
 * a file of many extents, an htree of one or two levels, xattrs in the inode,
 * in a block and in EA inodes, symlinks, devices, a journal, an orphan file.
 */
#ifndef TESTS_STOCK_TREE_H
#define TESTS_STOCK_TREE_H

#include "stock.h"

enum { TREE_NR_EXTENTS = 23, TREE_NAME_LEN = 250, TREE_NR_BLKS = 6000 };

/* Names in /htree: with 1 KiB blocks enough for inner nodes. */
static inline unsigned tree_nr_names(u32 bs)
{
	return bs == 65536 ? 600 : 450;
}

static inline void tree_name(unsigned nr, char *name)
{
	snprintf(name, TREE_NAME_LEN + 1, "n%04u", nr);
	for (size_t i = strlen(name); i < TREE_NAME_LEN; i++)
		name[i] = (char)('a' + (nr + i) % 26);
	name[TREE_NAME_LEN] = '\0';
}

/* A file of data and holes in turn, and values of xattrs. */
static inline void tree_files(struct stock *s, u32 bs)
{
	FILE *out = stock_open_file(s, "holes");

	for (long i = 0; i < TREE_NR_EXTENTS; i++)
		if (fseek(out, 2 * i * (long)bs, SEEK_SET) ||
		    fprintf(out, "piece %ld", i) < 0)
			stock_die("holes");
	fclose(out);
	out = stock_open_file(s, "half");
	for (u32 i = 0; i < 300; i++)
		putc((int)(i * 7 & 0xFF), out);
	fclose(out);
	out = stock_open_file(s, "big");
	for (u32 i = 0; i < bs; i++)
		putc((int)(i * 11 >> 3 & 0xFF), out);
	fclose(out);
}

static inline void tree_script(struct stock *s, u32 bs)
{
	FILE *out = stock_open_file(s, "script");
	char name[TREE_NAME_LEN + 1];

	fputs("write holes holes\nwrite half small\n"
	      "symlink fast target\nmknod dev c 4 70\nmknod wide c 300 1000\n"
	      "mkdir sub\nmkdir sub/deeper\nmkdir htree\n"
	      "ea_set small user.in-inode value\n"
	      "ea_set holes user.a 1234567\nea_set holes user.bb 89\n"
	      "ea_set -f half holes user.half\n"
	      "ea_set -f half holes trusted.half\n"
	      "ea_set -f big sub user.big\nea_set -f half sub user.half\n"
	      "sif small atime @0x17fffffff\n",
	      out);
	fprintf(out, "symlink slow /%0100u\n", 7);
	/* debugfs does not make a directory larger by itself. */
	for (unsigned i = 0; i <= tree_nr_names(bs) * 264 / (bs - 300); i++)
		fputs("expand_dir htree\n", out);
	for (unsigned i = 0; i < tree_nr_names(bs); i++) {
		tree_name(i, name);
		fprintf(out, "ln small htree/%s\n", name);
	}
	fclose(out);
}

/* features: to add or take away, "" or ",^extent"... */
static inline void tree_make(struct stock *s, u32 bs, const char *features)
{
	char options[512], command[STOCK_CMD_MAX];

	snprintf(options, sizeof(options),
		 "-I 256 -g 2048 -N 2048 -J size=%u -O "
		 "has_journal,ext_attr,dir_index,extent,64bit,flex_bg,huge_file,extra_isize,"
		 "dir_nlink,metadata_csum,ea_inode,orphan_file%s",
		 bs / 1024, features);
	stock_make(s, bs, TREE_NR_BLKS, options);
	tree_files(s, bs);
	tree_script(s, bs);
	stock_script(s);
	/* Builds the htree and counts links; it has things to repair. */
	snprintf(command, sizeof(command), "e2fsck -fyD '%s'; test $? -lt 4",
		 s->img);
	stock_run(s, command);
	stock_load(s);
}

#endif
