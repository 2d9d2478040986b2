/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as mount options, and any as the superblock's own option string:
 * parsing ends and its words are what the rest of the judge expects. Input:
 * 64 bytes for the superblock, then the options.
 */
#include <assert.h>

#include "lbs/mntopts.h"
#include "lbs/rules.h"
#include "tests/fuzz/fuzz.h"

enum { SB_OPTS_BYTES = 64 };

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct lbs_request rq = {.fs_type = LBS_EXT4};
	struct lbs_mntopts m;
	struct super sb;
	char *text;

	if (len < SB_OPTS_BYTES)
		return 0;
	memset(&sb, 0, sizeof(sb));
	memcpy(sb.mount_opts, bytes, SB_OPTS_BYTES);
	len -= SB_OPTS_BYTES;
	text = malloc(len + 1);
	assert(text);
	memcpy(text, bytes + SB_OPTS_BYTES, len);
	text[len] = '\0';
	rq.options = text;
	for (int type = LBS_EXT2; type <= LBS_EXT4; type++) {
		rq.fs_type = (enum lbs_fs_type)type;
		if (lbs_mntopts_parse(&sb, &rq, &m))
			continue;
		assert(memchr(m.unknown, 0, sizeof(m.unknown)));
		assert(memchr(m.bad_value, 0, sizeof(m.bad_value)));
		assert(memchr(m.super_string, 0, sizeof(m.super_string)));
		assert(m.stripe <= UINT32_MAX && m.sb_kib <= UINT32_MAX);
	}
	free(text);
	return 0;
}
