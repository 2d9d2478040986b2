/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Option values that need more than a number check. The lists of -E, -J and
 * -O are in request_lists.c.
 */
#include "mkfs/request.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <uuid/uuid.h>

#include "base/banned.h"
#include "base/units.h"
#include "lbs/limits.h"

errcode_t mkfs_amount_parse(const char *text, struct mkfs_amount *amount)
{
	size_t len = strlen(text);
	bool unit = len && !isdigit((unsigned char)text[len - 1]);

	if (units_parse(text, 1, &amount->num) || !amount->num)
		return EINVAL;
	amount->given = true;
	amount->bytes = unit;
	return 0;
}

errcode_t mkfs_request_size(struct mkfs_request *rq, const char *text,
			    struct str *why)
{
	if (!mkfs_amount_parse(text, &rq->size))
		return 0;
	str_addf(why,
		 "filesystem size %s: give a number of blocks or a size such "
		 "as 20G",
		 text);
	return EINVAL;
}

errcode_t mkfs_request_block(struct mkfs_request *rq, u64 bytes,
			     struct str *why)
{
	u64 below;

	rq->block_bytes = bytes;
	if (lbs_block_bytes_is_valid(bytes))
		return 0;
	if (bytes < LBS_BLOCK_BYTES_MIN || bytes > LBS_BLOCK_BYTES_MAX) {
		str_addf(why,
			 "-b %" PRIu64 ": the block size must be a power of "
			 "two from %d to %d bytes",
			 bytes, LBS_BLOCK_BYTES_MIN, LBS_BLOCK_BYTES_MAX);
		return EINVAL;
	}
	below = 1ULL << u64_log2(bytes);
	str_addf(why,
		 "-b %" PRIu64 ": the block size must be a power of two, "
		 "such as %" PRIu64 " or %" PRIu64,
		 bytes, below, below * 2);
	return EINVAL;
}

errcode_t mkfs_request_uuid(struct mkfs_request *rq, const char *text,
			    struct str *why)
{
	static const struct {
		const char *word;
		enum mkfs_uuid_kind kind;
	} words[] = {
		{"random", MKFS_UUID_RANDOM},
		{"time", MKFS_UUID_TIME},
		{"clear", MKFS_UUID_CLEAR},
		{"null", MKFS_UUID_CLEAR},
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!strcmp(text, words[i].word)) {
			rq->uuid_kind = words[i].kind;
			return 0;
		}
	rq->uuid_kind = MKFS_UUID_GIVEN;
	if (!uuid_parse(text, rq->uuid))
		return 0;
	str_addf(why, "-U %s: give a UUID, random, time or clear", text);
	return EINVAL;
}

errcode_t mkfs_request_percent(struct mkfs_request *rq, const char *text,
			       struct str *why)
{
	char *end = NULL;

	errno = 0;
	rq->reserved_percent = strtod(text, &end);
	rq->reserved_given = true;
	/* The comparison is written so that "nan" fails it. */
	if (end != text && !*end && !errno && rq->reserved_percent >= 0 &&
	    rq->reserved_percent <= 50)
		return 0;
	str_addf(why, "-m %s: reserved blocks must be 0 to 50 percent", text);
	return EINVAL;
}

errcode_t mkfs_request_creator(struct mkfs_request *rq, const char *text,
			       struct str *why)
{
	/* s_creator_os by number; 1 is the Hurd. */
	static const char *const names[] = {"linux", NULL, "masix", "freebsd",
					    "lites"};

	for (u32 i = 0; i < ARRAY_LEN(names); i++)
		if (names[i] && !strcasecmp(text, names[i])) {
			rq->creator_os = i;
			return 0;
		}
	str_addf(why, "-o %s: %s", text,
		 !strcasecmp(text, "hurd")
			 ? "filesystems for the Hurd are not here yet"
			 : "the creator must be linux, masix, freebsd or "
			   "lites");
	return EINVAL;
}

errcode_t mkfs_request_errors(struct mkfs_request *rq, const char *text,
			      struct str *why)
{
	static const char *const names[] = {"continue", "remount-ro", "panic"};

	for (u16 i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(text, names[i])) {
			rq->errors = (u16)(i + 1);
			return 0;
		}
	str_addf(why, "-e %s: must be continue, remount-ro or panic", text);
	return EINVAL;
}

void mkfs_request_program(struct mkfs_request *rq, const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const char *name = slash ? slash + 1 : argv0;

	if (!strncmp(name, "mkfs.", 5) &&
	    lbs_fs_type_parse(name + 5, &rq->type))
		rq->type_given = true;
}
