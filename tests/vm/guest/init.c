/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Init of the test VM: prepares the guest, then either runs /vm/script or
 * every line of /vm/cases.tsv, one child a case, and powers off.
 *
 * Knows: start and end of the guest, the format of the case list and of the
 * result lines.  Does not know what a case does (case.c).
 *
 * Result lines on the console, read by tests/vm/run:
 *	@@B <id>			a case begins
 *	@@R <id> TAB pass|fail TAB why	its result
 *	@@END <number of cases>		nothing was lost
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define CASES "/vm/cases.tsv"
#define SCRIPT "/vm/script"
#define MODULES "/vm/modules"
#define OUR_CONFIG "/e/ours/mke2fs.conf"
#define CASE_SECONDS 120

int fail(struct outcome *out, const char *fmt, ...)
{
	va_list ap;

	if (out->why[0])
		return -1;
	va_start(ap, fmt);
	vsnprintf(out->why, sizeof(out->why), fmt, ap);
	va_end(ap);
	for (char *p = out->why; *p; p++)
		if (*p == '\n' || *p == '\t' || *p == '\r')
			*p = ' ';
	return -1;
}

static void prepare_mounts(void)
{
	static const struct {
		const char *type, *dir, *opts;
	} mounts[] = {
		{ "proc", "/proc", NULL },
		{ "sysfs", "/sys", NULL },
		{ "devtmpfs", "/dev", NULL },
		/* several GB of sparse backing files, mostly holes */
		{ "tmpfs", "/t", "size=95%,huge=never" },
	};

	mkdir(MNT_DIR, 0755);
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].dir, 0755);
		if (mount(mounts[i].type, mounts[i].dir, mounts[i].type, 0,
			  mounts[i].opts))
			printf("@@NOTE mount %s: %s\n", mounts[i].dir,
			       strerror(errno));
	}
}

/* devtmpfs hides the console the kernel gave us, so open the new one. */
static void open_console(void)
{
	int fd = open("/dev/console", O_RDWR);

	for (int i = 0; fd >= 0 && i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	setvbuf(stdout, NULL, _IOLBF, 0);
}

/* Loads the modules in the order of the list, "file options" a line. */
static void load_modules(void)
{
	char line[512];
	FILE *f = fopen(MODULES, "re");

	while (f && fgets(line, sizeof(line), f)) {
		char *opts = strchr(line, ' ');
		int fd;

		line[strcspn(line, "\n")] = 0;
		if (opts)
			*opts++ = 0;
		fd = open(line, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || (syscall(SYS_finit_module, fd, opts ? opts : "", 0) &&
			       errno != EEXIST))
			printf("@@NOTE module %s: %s\n", line, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	if (f)
		fclose(f);
}

/* Splits a line at its tabs into @vc; -1 if columns are missing. */
static int parse_case(char *line, struct vmcase *vc)
{
	const char **col[] = { &vc->id,	    &vc->kind,	 &vc->args,
			       &vc->size,   &vc->device, &vc->fstype,
			       &vc->opts,   &vc->expect, &vc->message,
			       &vc->prepare, &vc->between, &vc->check };
	size_t n = 0;
	char *p = line;

	vc->prepare = "-";
	vc->between = "-";
	vc->check = "-";
	line[strcspn(line, "\n")] = 0;
	while (n < sizeof(col) / sizeof(col[0])) {
		char *tab = strchr(p, '\t');

		*col[n++] = p;
		if (!tab)
			break;
		*tab = 0;
		p = tab + 1;
	}
	return n >= 9 ? 0 : -1;
}

/* Body of the child; the reason goes to the parent through a pipe. */
static void child_run(const struct vmcase *vc, int fd)
{
	struct outcome out = { "" };
	int rc = case_run(vc, &out);

	if (rc && !out.why[0])
		fail(&out, "failed without a reason");
	if (write(fd, out.why, strlen(out.why)) < 0)
		_exit(3);
	_exit(rc ? 1 : 0);
}

/*
 * Waits for the child, at most CASE_SECONDS, and takes what it says.  The
 * closing of the pipe is the sign that it has ended.
 */
static void parent_wait(pid_t pid, int fd, struct outcome *out)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n = -1;
	int status = 0;

	while (poll(&pfd, 1, CASE_SECONDS * 1000) > 0) {
		n = read(fd, out->why + len, sizeof(out->why) - 1 - len);
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	out->why[len] = 0;
	if (n) {
		kill(pid, SIGKILL);
		fail(out, "no result after %d seconds", CASE_SECONDS);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		fail(out, "the runner died of signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) && !len)
		fail(out, "the runner ended with %d", WEXITSTATUS(status));
}

static void run_case(const struct vmcase *vc)
{
	struct outcome out = { "" };
	int pipefd[2];
	pid_t pid;

	printf("@@B %s\n", vc->id);
	if (pipe2(pipefd, O_CLOEXEC)) {
		fail(&out, "pipe: %s", strerror(errno));
	} else {
		pid = fork();
		if (pid == 0)
			child_run(vc, pipefd[1]);
		close(pipefd[1]);
		if (pid < 0)
			fail(&out, "fork: %s", strerror(errno));
		else
			parent_wait(pid, pipefd[0], &out);
		close(pipefd[0]);
	}
	/* a failed case may leave things behind that the next one needs */
	while (!umount2(MNT_DIR, MNT_DETACH))
		;
	unlink(BACKING_FILE);
	printf("@@R %s\t%s\t%s\n", vc->id, out.why[0] ? "fail" : "pass",
	       out.why);
}

static void run_cases(FILE *f)
{
	static char line[4096];
	unsigned int nr = 0;

	while (fgets(line, sizeof(line), f)) {
		struct vmcase vc = { 0 };

		if (line[0] == '#' || line[0] == '\n')
			continue;
		nr++;
		if (parse_case(line, &vc))
			printf("@@R %s\tfail\tthe case has fewer than 9 columns\n",
			       line);
		else
			run_case(&vc);
	}
	printf("@@END %u\n", nr);
}

static void run_script(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", SCRIPT, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	printf("@@END %d\n", pid > 0 && WIFEXITED(status) ?
	       WEXITSTATUS(status) : 255);
}

int main(void)
{
	FILE *f;

	setenv("PATH", "/bin", 1);
	setenv("OURS", "/e/ours", 1);
	setenv("STOCK", "/e/stock", 1);
	if (!access(OUR_CONFIG, F_OK))
		setenv("MKE2FS_CONFIG", OUR_CONFIG, 1);
	prepare_mounts();
	open_console();
	load_modules();
	printf("@@BOOT\n");
	f = fopen(CASES, "re");
	if (f)
		run_cases(f);
	else
		run_script();
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
