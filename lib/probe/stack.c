/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks what a block device sits on. A loop device over a plain file ends the
 * walk: the filesystem that holds the file is not looked into.
 */
#include "probe/stack.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/banned.h"
#include "base/str.h"

#define VDUSE_DIR "/sys/devices/virtual/vduse/"

enum { STACK_DEPTH_MAX = 8, STACK_NODES_MAX = 32 };

struct walk {
	const struct root *r;
	struct device_facts *d;
	struct str text;
	unsigned nr_nodes;
	bool stacked; /* more than a disk and its partition */
};

const char *stack_name(const char *dir)
{
	const char *slash = strrchr(dir, '/');

	return slash ? slash + 1 : dir;
}

/* dir/name into ROOT_PATH_MAX bytes; empty when it does not fit. */
static void join(char *path, const char *dir, const char *name)
{
	if (snprintf(path, ROOT_PATH_MAX, "%s/%s", dir, name) >= ROOT_PATH_MAX)
		path[0] = '\0';
}

static bool dir_has(const struct root *r, const char *dir, const char *name)
{
	char path[ROOT_PATH_MAX];

	join(path, dir, name);
	return path[0] && root_has(r, path);
}

void stack_disk_dir(const struct root *r, const char *dir, char *disk)
{
	char *slash;

	snprintf(disk, ROOT_PATH_MAX, "%s", dir);
	slash = strrchr(disk, '/');
	if (slash && slash != disk && dir_has(r, dir, "partition"))
		*slash = '\0';
}

void stack_max_io(const struct root *r, const char *disk,
		  struct device_facts *d)
{
	char path[ROOT_PATH_MAX];
	u64 kib = 0;

	d->max_io_bytes = 0;
	d->max_io_path[0] = '\0';
	join(path, disk, "queue/max_sectors_kb");
	if (!path[0] || root_read_u64(r, path, &kib) ||
	    __builtin_mul_overflow(kib, 1024, &d->max_io_bytes)) {
		d->max_io_bytes = 0;
		return;
	}
	snprintf(d->max_io_path, sizeof(d->max_io_path),
		 "/sys/block/%.64s/queue/max_sectors_kb", stack_name(disk));
}

/* The file that sets the bounce size of the VDUSE device above dir. */
static bool find_bounce(const struct root *r, const char *dir, u64 *bytes,
			char *path)
{
	const char *name = dir + strlen(VDUSE_DIR);
	int len = (int)strcspn(name, "/");
	const char *const forms[] = {"/sys/class/vduse/", VDUSE_DIR};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		if (snprintf(path, ROOT_PATH_MAX, "%s%.*s/bounce_size",
			     forms[i], len, name) < ROOT_PATH_MAX &&
		    !root_read_u64(r, path, bytes))
			return true;
	}
	*bytes = 0;
	path[0] = '\0';
	return false;
}

/* Whether a has less bounce room for each of its requests than b. */
static bool has_less_room(const struct device_facts *a,
			  const struct device_facts *b)
{
	if (!a->vduse_bounce_bytes || !b->vduse_bounce_bytes)
		return a->vduse_bounce_bytes != 0;
	return (long double)a->vduse_bounce_bytes *
		       (long double)b->max_io_bytes <
	       (long double)b->vduse_bounce_bytes *
		       (long double)a->max_io_bytes;
}

static void look_for_vduse(struct walk *w, const char *dir)
{
	struct device_facts *d = w->d, found = *d;
	char path[ROOT_PATH_MAX], disk[ROOT_PATH_MAX];

	if (strncmp(dir, VDUSE_DIR, strlen(VDUSE_DIR)) != 0)
		return;
	found.vduse = true;
	if (find_bounce(w->r, dir, &found.vduse_bounce_bytes, path) &&
	    strlen(path) < sizeof(found.vduse_bounce_path))
		memcpy(found.vduse_bounce_path, path, strlen(path) + 1);
	else
		found.vduse_bounce_path[0] = '\0';
	stack_disk_dir(w->r, dir, disk);
	stack_max_io(w->r, disk, &found);
	if (!d->vduse || has_less_room(&found, d))
		*d = found;
}

static void visit(struct walk *w, const char *dir, unsigned depth);

static void visit_slaves(struct walk *w, const char *dir,
			 const struct root_names *slaves, unsigned depth)
{
	char path[ROOT_PATH_MAX], real[ROOT_PATH_MAX];

	w->stacked = true;
	str_add(&w->text, slaves->nr > 1 ? " on [" : " on ");
	for (size_t i = 0; i < slaves->nr; i++) {
		if (i)
			str_add(&w->text, ", ");
		if (snprintf(path, sizeof(path), "%s/slaves/%s", dir,
			     slaves->names[i]) < (int)sizeof(path) &&
		    !root_resolve(w->r, path, real))
			visit(w, real, depth + 1);
		else
			str_add(&w->text, slaves->names[i]);
	}
	if (slaves->nr > 1)
		str_add(&w->text, "]");
}

/* The sysfs folder of a loop device's backing block device. */
static bool find_backing(const struct root *r, const char *backing, char *real)
{
	const char *name = stack_name(backing);
	char path[ROOT_PATH_MAX];
	struct stat st;

	if (strncmp(backing, "/dev/", 5) != 0)
		return false;
	/* A recorded tree has no /dev: the plain name must do. */
	if (!root_is_live(r) && !strchr(backing + 5, '/'))
		snprintf(path, sizeof(path), "/sys/class/block/%.64s", name);
	else if (root_is_live(r) && !stat(backing, &st) &&
		 S_ISBLK(st.st_mode))
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u",
			 major(st.st_rdev), minor(st.st_rdev));
	else
		return false;
	return !root_resolve(r, path, real);
}

static void visit_backing(struct walk *w, const char *backing, unsigned depth)
{
	char real[ROOT_PATH_MAX];

	w->stacked = true;
	str_add(&w->text, " on ");
	if (find_backing(w->r, backing, real))
		visit(w, real, depth + 1);
	else
		str_addf(&w->text, "file %s", backing);
}

static void visit(struct walk *w, const char *dir, unsigned depth)
{
	char path[ROOT_PATH_MAX], backing[256];
	struct root_names slaves;

	if (depth >= STACK_DEPTH_MAX || w->nr_nodes >= STACK_NODES_MAX) {
		str_add(&w->text, "...");
		return;
	}
	w->nr_nodes++;
	str_add(&w->text, stack_name(dir));
	look_for_vduse(w, dir);
	stack_disk_dir(w->r, dir, path);
	if (strcmp(path, dir) != 0) {
		str_add(&w->text, " on ");
		visit(w, path, depth + 1);
		return;
	}
	join(path, dir, "slaves");
	if (path[0] && !root_list(w->r, path, &slaves) && slaves.nr) {
		visit_slaves(w, dir, &slaves, depth);
		return;
	}
	join(path, dir, "loop/backing_file");
	if (path[0] && !root_read(w->r, path, backing, sizeof(backing)) &&
	    backing[0])
		visit_backing(w, backing, depth);
}

void stack_probe(const struct root *r, const char *dir, struct device_facts *d)
{
	struct walk w = {r, d, STR_INIT, 0, false};
	size_t room = sizeof(d->stack);
	const char *text;

	visit(&w, dir, 0);
	text = str_text(&w.text);
	if (!w.stacked)
		d->stack[0] = '\0';
	else if (strlen(text) < room)
		memcpy(d->stack, text, strlen(text) + 1);
	else
		snprintf(d->stack, room, "%.*s...", (int)room - 4, text);
	str_free(&w.text);
}
