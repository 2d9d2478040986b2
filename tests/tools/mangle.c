/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets superblock fields of an image by name, to make the extreme and broken
 * filesystems that tests want. The names are the rows of ondisk/fields.def.
 *
 *	mangle [--fix-csum|--keep-csum] [--at=BYTES] IMAGE [sb.FIELD=VALUE...]
 *	mangle --list
 * VALUE: decimal, 0x hexadecimal, or for byte fields hexadecimal digits, the
 * rest of the field becoming zero. --fix-csum computes the superblock's
 * checksum anew if the filesystem has one. Without fields the values are
 * printed in the same form.
 */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/banned.h"
#include "base/crc.h"
#include "base/units.h"
#include "io/image.h"
#include "ondisk/super.h"

enum {
	EXIT_BAD = 1,
	EXIT_USAGE = 2,
	CSUM_OFFSET = 0x3FC
};

struct mangle {
	const char *path;
	bool fix_csum;
	u64 at;
	u8 raw[SUPER_BYTES];
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "mangle: %s: %s\n", what, why);
	return EXIT_USAGE;
}

static const struct super_field *field_by_name(const char *name, size_t len)
{
	const struct super_field *f;

	for (size_t i = 0; (f = super_field(i)); i++)
		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	return NULL;
}

static void put_le(u8 *to, u64 value, size_t len)
{
	for (size_t i = 0; i < len; i++, value >>= 8)
		to[i] = (u8)value;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c | 0x20) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Hexadecimal digits into a byte field; false if they do not fit. */
static bool put_hex(u8 *to, const char *text, size_t len)
{
	size_t digits = strlen(text);

	if (digits % 2 || digits / 2 > len)
		return false;
	for (size_t i = 0; i < digits; i++)
		if (hex_digit(text[i]) < 0)
			return false;
	memset(to, 0, len);
	for (size_t i = 0; i < digits; i++)
		to[i / 2] = (u8)(to[i / 2] << 4 | hex_digit(text[i]));
	return true;
}

static int set_field(struct mangle *m, const char *arg)
{
	const char *eq = strchr(arg, '=');
	const struct super_field *f;
	u64 max, num;

	if (!eq || strncmp(arg, "sb.", 3))
		return complain(arg, "write it as sb.FIELD=VALUE");
	f = field_by_name(arg + 3, (size_t)(eq - arg) - 3);
	if (!f)
		return complain(arg, "no such field; --list names them");
	if (!f->number) {
		if (put_hex(m->raw + f->offset, eq + 1, f->len))
			return 0;
		return complain(arg, "not hexadecimal, or too long");
	}
	max = f->len == 8 ? UINT64_MAX : (1ULL << (8 * f->len)) - 1;
	if (units_parse_num(eq + 1, max, &num))
		return complain(arg, "not a number that fits");
	put_le(m->raw + f->offset, num, f->len);
	return 0;
}

static errcode_t fix_csum(struct mangle *m)
{
	struct super sb;
	errcode_t rc = super_parse(span_of(m->raw, sizeof(m->raw)), &sb);

	if (!rc && super_has_ro_compat(&sb, FEAT_RO_COMPAT_METADATA_CSUM))
		put_le(m->raw + CSUM_OFFSET, crc32c(~0u, m->raw, CSUM_OFFSET),
		       4);
	return rc;
}

static void print_field(const struct mangle *m, const struct super_field *f)
{
	u64 value = 0;

	printf("sb.%s=", f->name);
	for (size_t i = f->len; f->number && i-- > 0;)
		value = value << 8 | m->raw[f->offset + i];
	if (f->number)
		printf("%" PRIu64, value);
	for (size_t i = 0; !f->number && i < f->len; i++)
		printf("%02x", m->raw[f->offset + i]);
	putchar('\n');
}

static void print_all(const struct mangle *m)
{
	const struct super_field *f;

	for (size_t i = 0; (f = super_field(i)); i++)
		print_field(m, f);
}

static int list_fields(void)
{
	const struct super_field *f;

	for (size_t i = 0; (f = super_field(i)); i++)
		printf("sb.%s\t0x%03x\t%u\t%s\n", f->name, f->offset, f->len,
		       f->number ? "number" : "bytes");
	return 0;
}

static errcode_t write_raw(const struct image *img, const struct mangle *m)
{
	ssize_t n = pwrite(image_fd(img), m->raw, sizeof(m->raw), (off_t)m->at);

	if (n == (ssize_t)sizeof(m->raw))
		return 0;
	return n < 0 ? errno : EIO;
}

static int work(struct mangle *m, char **fields)
{
	struct image *img = NULL;
	errcode_t rc =
		image_open(m->path, *fields ? IMAGE_WRITE : IMAGE_READ, &img);
	int bad = 0;

	if (!rc)
		rc = image_read(img, m->at, m->raw, sizeof(m->raw));
	if (!rc && !*fields)
		print_all(m);
	for (; !rc && !bad && *fields; fields++) {
		bad = set_field(m, *fields);
		if (bad || fields[1])
			continue;
		rc = m->fix_csum ? fix_csum(m) : 0;
		if (!rc)
			rc = write_raw(img, m);
	}
	image_close(img);
	if (rc)
		complain(m->path, error_message(rc));
	return rc ? EXIT_BAD : bad;
}

int main(int argc, char **argv)
{
	struct mangle m = {.at = SUPER_OFFSET};
	int i = 1;

	err_init();
	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strcmp(argv[i], "--list"))
			return list_fields();
		if (!strcmp(argv[i], "--fix-csum"))
			m.fix_csum = true;
		else if (!strcmp(argv[i], "--keep-csum"))
			m.fix_csum = false;
		else if (strncmp(argv[i], "--at=", 5) ||
			 units_parse_num(argv[i] + 5, INT64_MAX, &m.at))
			return complain(argv[i], "no such option");
	}
	if (i >= argc)
		return complain("IMAGE", "missing");
	m.path = argv[i];
	return work(&m, argv + i + 1);
}
