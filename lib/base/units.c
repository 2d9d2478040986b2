/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing and printing of byte sizes. */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

#include "base/banned.h"

static const char unit_letters[] = "KMGTP";

/* Bytes a unit letter stands for, 0 if it is none. */
static u64 unit_bytes_of(char letter)
{
	const char *at;

	if (letter == 's')
		return 512;
	if (!letter)
		return 0;
	at = strchr(unit_letters, toupper((unsigned char)letter));
	return at ? 1ULL << (10 * (at - unit_letters + 1)) : 0;
}

/* Digits at text to *num; *end is what follows. False when there is none. */
static bool scan_digits(const char *text, int base, u64 *num, char **end)
{
	bool digit = base == 16 ? isxdigit((unsigned char)*text)
				: isdigit((unsigned char)*text);

	errno = 0;
	*num = strtoull(text, end, base);
	return digit;
}

errcode_t units_parse(const char *text, u64 unit_bytes, u64 *bytes)
{
	char *end = NULL;
	u64 num, unit = unit_bytes;
	bool syntax_ok = scan_digits(text, 10, &num, &end);
	bool range_ok = errno != ERANGE;

	if (syntax_ok && *end) {
		unit = unit_bytes_of(*end);
		syntax_ok = unit && !end[1];
	}
	if (!syntax_ok)
		return LB_E_UNITS_SYNTAX;
	if (!range_ok || __builtin_mul_overflow(num, unit, bytes))
		return LB_E_UNITS_RANGE;
	return 0;
}

errcode_t units_parse_num(const char *text, u64 max, u64 *num)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end = NULL;

	if (!scan_digits(hex ? text + 2 : text, hex ? 16 : 10, num, &end) ||
	    *end)
		return EINVAL;
	return errno == ERANGE || *num > max ? ERANGE : 0;
}

struct units_text units_format(u64 bytes)
{
	struct units_text out;
	int n = 0;
	u64 unit;

	while (n < 5 && bytes >> (10 * (n + 1)))
		n++;
	unit = 1ULL << (10 * n);
	if (!n)
		snprintf(out.text, sizeof(out.text), "%" PRIu64 " bytes",
			 bytes);
	else if (bytes % unit == 0)
		snprintf(out.text, sizeof(out.text), "%" PRIu64 " %ciB",
			 bytes / unit, unit_letters[n - 1]);
	else
		snprintf(out.text, sizeof(out.text), "%.1f %ciB",
			 (double)bytes / (double)unit, unit_letters[n - 1]);
	return out;
}

struct units_text units_short(u64 bytes)
{
	struct units_text out;
	int n = 0;

	while (n < 5 && bytes && bytes % (1ULL << (10 * (n + 1))) == 0)
		n++;
	if (n)
		snprintf(out.text, sizeof(out.text), "%" PRIu64 "%c",
			 bytes >> (10 * n), unit_letters[n - 1]);
	else
		snprintf(out.text, sizeof(out.text), "%" PRIu64, bytes);
	return out;
}
