/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The front door of e2lbs: finds the verb and hands over. What a verb does is
 * in e2lbs_<verb>.c.
 */
#include "misc/e2lbs.h"

#include "base/banned.h"
#include "base/err.h"
#include "base/types.h"
#include "cli/out.h"
#include "config.h"

struct verb {
	const char *name;
	const char *help; /* one line */
	int (*run)(int argc, char **argv);
};

static const struct verb verbs[] = {
	{"kernel", "say whether a kernel takes blocks larger than its pages",
	 e2lbs_kernel},
	{"check", "say what a kernel will do with a filesystem, and why",
	 e2lbs_check},
};

static int finish(void)
{
	return out_finish() ? E2LBS_ERROR : E2LBS_OK;
}

static int say_version(void)
{
	printf("e2lbs (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
	return finish();
}

static int say_help(void)
{
	printf("Usage: e2lbs VERB [OPTION...]\n"
	       "Answers questions about ext4 with large block sizes.\n\n"
	       "Verbs ('e2lbs VERB --help' lists their options):\n");
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].help);
	printf("\n  -h, --help     print this\n"
	       "  -V, --version  print the version\n"
	       "\nExit status: 0 yes, 1 no, 2 yes but limited, 3 unknown, 8"
	       " could not look,\n16 wrong command line.\n");
	return finish();
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	err_init();
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return say_help();
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		return say_version();
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (!strcmp(name, verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	if (!*name)
		fprintf(stderr, "e2lbs: name a verb; 'e2lbs --help' lists"
				" them\n");
	else
		fprintf(stderr, "e2lbs: there is no verb or option '%s';"
				" 'e2lbs --help' lists them\n", name);
	return E2LBS_USAGE;
}
