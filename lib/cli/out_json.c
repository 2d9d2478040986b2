/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON to stdout, apart so that only who prints JSON links it. */
#include <errno.h>

#include "base/banned.h"
#include "cli/out.h"

errcode_t out_json(json_t *value)
{
	const char *text = value ? json_text(value) : NULL;

	if (!text) {
		json_free(value);
		return ENOMEM;
	}
	printf("%s\n", text);
	json_free(value);
	return out_finish();
}
