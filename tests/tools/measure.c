/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs two commands in turn, A B A B, and prints the medians of wall time,
 * processor time and largest memory, and A's share of B's. The file both make
 * is removed before each run, so that neither finds the other's.
 *
 *	measure NAME RUNS FILE A-COMMAND... -- B-COMMAND...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"
#include "base/units.h"

enum {
	RUNS_MAX = 101,
	MEASURES = 3
};

/* [measure][run]: seconds, seconds, KiB */
struct samples {
	double of[MEASURES][RUNS_MAX];
};

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double of_timeval(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

static void become(char **command)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	execvp(command[0], command);
	_exit(127);
}

/* One run into the samples; false when the command failed. */
static bool run_once(char **command, struct samples *s, size_t run)
{
	double start = seconds();
	struct rusage use;
	int status;
	pid_t pid = fork();

	if (!pid)
		become(command);
	if (pid < 0 || wait4(pid, &status, 0, &use) != pid)
		return false;
	s->of[0][run] = seconds() - start;
	s->of[1][run] = of_timeval(use.ru_utime) + of_timeval(use.ru_stime);
	s->of[2][run] = (double)use.ru_maxrss;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare);
	return nr % 2 ? values[nr / 2]
		      : (values[nr / 2 - 1] + values[nr / 2]) / 2;
}

static void print_row(const char *name, size_t nr, struct samples s[2])
{
	printf("%-30s", name);
	for (size_t m = 0; m < MEASURES; m++) {
		double a = median(s[0].of[m], nr), b = median(s[1].of[m], nr);
		double unit = m == 2 ? 1024 : 1e-3;

		printf("  %8.1f %8.1f %5.2f", a / unit, b / unit,
		       b > 0 ? a / b : 0);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	static struct samples samples[2];
	char **commands[2];
	u64 nr = 0;
	int i = 4;

	while (i < argc && strcmp(argv[i], "--"))
		i++;
	if (i < 5 || i >= argc - 1 || units_parse_num(argv[2], RUNS_MAX, &nr) ||
	    !nr) {
		fprintf(stderr, "usage: measure NAME RUNS FILE A... -- B...\n");
		return 2;
	}
	commands[0] = argv + 4;
	commands[1] = argv + i + 1;
	argv[i] = NULL;
	for (size_t n = 0; n < 2 * nr; n++) {
		unlink(argv[3]);
		if (!run_once(commands[n % 2], &samples[n % 2], n / 2)) {
			fprintf(stderr, "measure: %s failed\n",
				commands[n % 2][0]);
			return 1;
		}
	}
	unlink(argv[3]);
	print_row(argv[1], nr, samples);
	return 0;
}
