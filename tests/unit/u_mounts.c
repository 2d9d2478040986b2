/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/probe/mounts.c: fstab and mountinfo of a made-up tree and this one. */
#include "probe/mounts.h"

#include "base/banned.h"
#include "sysroot.h"

static const char fstab[] =
	"# a comment\n"
	"/dev/sda1 / ext4 defaults,dax=always 0 1\n"
	"UUID=0a1b2c3d-0000-4000-8000-000000000001 /home ext3 noatime 0 2\n"
	"LABEL=data /srv/my\\040data auto defaults,data=journal 0 2\n"
	"/dev/sdb1 /mnt xfs,ext4 noauto 0 0\n"
	"/dev/sdb2 none swap sw 0 0\n"
	"tmpfs /tmp tmpfs size=1g 0 0\n"
	"/srv /export none bind 0 0\n"
	"/dev/sdc1 /ext ext4dev defaults 0 0\n"
	"broken\n"
	"/images/x.img /x ext2 loop,ro 0 0\n";

static const char mountinfo[] =
	"22 27 0:21 / /proc rw,relatime - proc proc rw\n"
	"27 1 8:1 / / rw,noatime shared:1 - ext4 /dev/sda1 rw,dax=always\n"
	"30 27 0:30 / /auto rw - autofs auto rw\n"
	"31 27 8:17 / /mnt/a\\040b ro,nosuid - ext2 /dev/sdb1 ro\n"
	"32 27 253:0 / /x rw - xfs /dev/mapper/x rw\n";

static void test_fstab(const struct sysroot *s)
{
	struct mount_list list;

	tap_is_u64((u64)mounts_read_fstab(&s->root, &list), 0,
		   "no fstab is no error");
	tap_is_u64(list.nr_entries, 0, "and no entry");
	mounts_free(&list);
	sysroot_put_text(s, "/etc/fstab", fstab);
	tap_is_u64((u64)mounts_read_fstab(&s->root, &list), 0,
		   "an fstab is read");
	if (!tap_is_u64(list.nr_entries, 5, "only what may be ext2/3/4"))
		return;
	tap_is_str(list.entries[0].source, "/dev/sda1", "a source");
	tap_is_str(list.entries[0].device, "/dev/sda1", "that is a device");
	tap_is_str(list.entries[0].target, "/", "a mount point");
	tap_is_str(list.entries[0].fs_type, "ext4", "a type");
	tap_is_str(list.entries[0].options, "defaults,dax=always", "options");
	tap_is_u64(list.entries[0].devno, 0, "no number of another machine");
	tap_is_str(list.entries[1].source,
		   "UUID=0a1b2c3d-0000-4000-8000-000000000001",
		   "a tag stays as written");
	tap_is_str(list.entries[1].device, NULL, "and is not resolved");
	tap_is_str(list.entries[2].target, "/srv/my data",
		   "blanks in a mount point");
	tap_is_str(list.entries[2].fs_type, "auto", "auto may be ext4");
	tap_is_str(list.entries[3].fs_type, "xfs,ext4", "so may a list");
	tap_is_str(list.entries[4].fs_type, "ext2",
		   "what follows a broken line is read");
	tap_ok(mounts_find(&list, "/dev/sda1") == &list.entries[0],
	       "an entry is found by its device");
	tap_ok(mounts_find(&list, "/images/x.img") == &list.entries[4],
	       "an image by its path");
	tap_ok(!mounts_find(&list, "/dev/sda"), "another device is not");
	mounts_free(&list);
	tap_ok(!list.entries && !list.nr_entries, "a freed list is empty");
}

static void test_mounted(const struct sysroot *s)
{
	struct mount_list list;

	tap_is_u64((u64)mounts_read_mounted(&s->root, &list), ENOENT,
		   "no mountinfo is an error");
	mounts_free(&list);
	sysroot_put_text(s, "/proc/self/mountinfo", mountinfo);
	tap_is_u64((u64)mounts_read_mounted(&s->root, &list), 0,
		   "mountinfo is read");
	if (!tap_is_u64(list.nr_entries, 2, "only what is ext2/3/4"))
		return;
	tap_is_str(list.entries[0].source, "/dev/sda1", "a source");
	tap_has_str(list.entries[0].options, "noatime", "mount options");
	tap_has_str(list.entries[0].options, "dax=always",
		    "and those of the filesystem");
	tap_is_str(list.entries[1].target, "/mnt/a b", "blanks");
	tap_ok(mounts_find(&list, "/dev/sdb1") == &list.entries[1],
	       "found by its device");
	mounts_free(&list);
}

static void test_hostile(const struct sysroot *s)
{
	struct mount_list list;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.4000s/etc/fstab", s->dir);
	tap_ok(!unlink(path) && !mkfifo(path, 0600), "fstab is a pipe");
	tap_is_u64((u64)mounts_read_fstab(&s->root, &list), EINVAL,
		   "which is not read");
	mounts_free(&list);
	tap_ok(!unlink(path) && !symlink("/etc/fstab", path),
	       "fstab is a link out of the tree");
	tap_is_u64((u64)mounts_read_fstab(&s->root, &list), EXDEV,
		   "which is not followed");
	mounts_free(&list);
	unlink(path);
	sysroot_put(s, "/etc/fstab", "\0\xff\n/dev/a /a ext4 x\0y\n\n", 22);
	tap_is_u64((u64)mounts_read_fstab(&s->root, &list), 0,
		   "odd bytes do no harm");
	mounts_free(&list);
}

/* Every ext4 mount of this machine must be found by its own device. */
static void test_live(void)
{
	struct root live = {NULL};
	struct mount_list list;
	bool all = true;

	tap_is_u64((u64)mounts_read_mounted(&live, &list), 0,
		   "this machine's mounts are read");
	for (size_t i = 0; i < list.nr_entries; i++) {
		const struct mount_entry *e = &list.entries[i];

		if (e->device && (!mounts_find(&list, e->device) || !e->devno))
			all = false;
	}
	tap_ok(all, "every resolved device is found again");
	mounts_free(&list);
	tap_is_u64((u64)mounts_read_fstab(&live, &list), 0,
		   "its fstab is read");
	mounts_free(&list);
}

int main(void)
{
	struct sysroot s;

	sysroot_make(&s);
	test_fstab(&s);
	test_mounted(&s);
	test_hostile(&s);
	test_live();
	sysroot_remove(&s);
	return tap_done();
}
