/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/probe/device.c and stack.c over recorded and made-up trees. */
#include "probe/device.h"

#include <sys/sysmacros.h>

#include "base/banned.h"
#include "sysroot.h"

#define VIRTIO "/sys/devices/pci0000:00/0000:00:05.0/virtio1/block/vda"

static void get(const char *tree, const char *name, struct device_facts *d)
{
	struct sysroot s;

	printf("# %s %s\n", tree, name);
	tap_ok(!device_probe_named(sysroot_recorded(&s, tree), name, d) &&
	       d->present && !d->declared, "it is there");
	tap_is_str(d->name, name, "by its name");
}

static void test_sectors(void)
{
	static const struct {
		const char *name;
		u32 bytes;
	} rows[] = {{"vdb", 512}, {"vdb1", 512}, {"vdc", 4096}, {"vdd", 16384},
		    {"vde", 65536}};
	struct device_facts d;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		get("devices-7.3-4k", rows[i].name, &d);
		tap_is_u64(d.logical_bytes, rows[i].bytes, "logical sector");
		tap_is_u64(d.physical_bytes, rows[i].bytes, "physical sector");
		tap_is_u64(d.minimum_io_bytes, rows[i].bytes, "minimum I/O");
		tap_is_u64(d.max_io_bytes, 4 << 20, "largest request");
		tap_is_str(tri_text(d.dax.value), "no", "no DAX");
		tap_ok(!d.zoned && !d.vduse && !d.stack[0], "a plain disk");
	}
	get("devices-7.3-4k", "vdb1", &d);
	tap_is_str(d.max_io_path, "/sys/block/vdb/queue/max_sectors_kb",
		   "a partition's limits are its disk's");
	get("devices-7.3-4k", "pmem0", &d);
	tap_is_str(tri_text(d.dax.value), "yes", "pmem has DAX");
	tap_is_str(d.dax.why, "/sys/block/pmem0/queue/dax is 1", "and why");
	tap_is_u64(d.physical_bytes, 4096, "its physical sector differs");
}

static void test_by_number(void)
{
	struct device_facts d;
	struct sysroot s;
	const struct root *r = sysroot_recorded(&s, "devices-7.3-4k");

	device_probe(r, makedev(254, 64), &d);
	tap_is_str(d.name, "vde", "a device is found by its number");
	tap_is_u64(d.logical_bytes, 65536, "with its sectors");
	device_probe(r, makedev(254, 17), &d);
	tap_is_str(d.name, "vdb1", "so is a partition");
	tap_is_u64(d.logical_bytes, 512, "with its disk's sectors");
	device_probe(r, makedev(99, 1), &d);
	tap_ok(d.present && !d.name[0] && !d.logical_bytes,
	       "a number sysfs does not know is there, and unknown");
	tap_is_str(d.dax.why, "/sys/dev/block/99:1 cannot be seen here",
		   "with the reason");
	device_probe(r, 0, &d);
	tap_ok(!d.present && d.dax.value == TRI_UNKNOWN && d.dax.why[0],
	       "an image file has no device");
}

static void test_names(void)
{
	static const char *const bad[] = {"", "none", "../block/vdb", ".",
					  "vdb/queue"};
	struct device_facts d;
	struct sysroot s;
	const struct root *r = sysroot_recorded(&s, "devices-7.3-4k");

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		tap_ok(device_probe_named(r, bad[i], &d) && !d.present,
		       "a name that is no device");
}

static void test_limits(void)
{
	struct device_facts d;

	get("devices-by-hand", "nvme0n1", &d);
	tap_is_u64(d.atomic_min_bytes, 4096, "atomic write unit, smallest");
	tap_is_u64(d.atomic_max_bytes, 65536, "and largest");
	tap_is_u64(d.optimal_io_bytes, 131072, "optimal I/O");
	tap_is_u64(d.max_io_bytes, 2 << 20, "largest request");
	get("devices-by-hand", "sdc", &d);
	tap_ok(d.zoned, "zones are noticed");
}

static void test_stacks(void)
{
	static const struct {
		const char *tree, *name, *stack;
	} rows[] = {
		{"devices-7.3-4k", "dm-0", "dm-0 on vdb1 on vdb"},
		{"devices-7.3-4k", "dm-1", "dm-1 on vdg"},
		{"devices-7.3-4k", "loop0", "loop0 on dm-0 on vdb1 on vdb"},
		{"devices-7.3-4k", "loop1", "loop1 on file /img"},
		{"devices-by-hand", "md0",
		 "md0 on [sda1 on sda, sdb1 on sdb]"},
		{"devices-by-hand", "dm-0",
		 "dm-0 on md0 on [sda1 on sda, sdb1 on sdb]"},
		{"devices-by-hand", "dm-1", "dm-1 on [vda1 on vda, vdb]"},
		{"devices-by-hand", "sda1", ""},
	};
	struct device_facts d;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		get(rows[i].tree, rows[i].name, &d);
		tap_is_str(d.stack, rows[i].stack, "what it sits on");
	}
}

static void check_vduse(const char *tree, const char *name, u64 bounce,
			const char *path, const char *max_io_path)
{
	struct device_facts d;

	get(tree, name, &d);
	tap_ok(d.vduse, "VDUSE is found");
	tap_is_u64(d.vduse_bounce_bytes, bounce, "with its bounce area");
	tap_is_str(d.vduse_bounce_path, path, "the file that sets it");
	tap_is_u64(d.max_io_bytes, 4 << 20, "the largest request it gets");
	tap_is_str(d.max_io_path, max_io_path, "and the file that sets that");
}

static void test_vduse(void)
{
	const char *vdf = "/sys/block/vdf/queue/max_sectors_kb";
	const char *vdg = "/sys/block/vdg/queue/max_sectors_kb";
	const char *vda = "/sys/block/vda/queue/max_sectors_kb";
	const char *small = "/sys/devices/virtual/vduse/small/bounce_size";

	check_vduse("devices-7.3-4k", "vdf", 64 << 20,
		    "/sys/class/vduse/vd0/bounce_size", vdf);
	check_vduse("devices-7.3-4k", "vdg", 1 << 20,
		    "/sys/class/vduse/vd1/bounce_size", vdg);
	check_vduse("devices-7.3-4k", "dm-1", 1 << 20,
		    "/sys/class/vduse/vd1/bounce_size", vdg);
	check_vduse("devices-by-hand", "vda1", 8 << 20, small, vda);
	/* The other half's bounce area is unknown. */
	check_vduse("devices-by-hand", "dm-1", 8 << 20, small, vda);
	check_vduse("devices-by-hand", "vdb", 0, "",
		    "/sys/block/vdb/queue/max_sectors_kb");
}

/* Of two VDUSE devices the one with less room per request counts. */
static void test_least_room(void)
{
	static const char *const slaves[] = {"a", "b", "c"};
	static const char *const bounce[] = {"8388608", "4194304", "67108864"};
	static const char *const kib[] = {"4096", "512", "4096"};
	struct device_facts d;
	struct sysroot s;
	char path[256], to[256];

	sysroot_make(&s);
	for (size_t i = 0; i < ARRAY_LEN(slaves); i++) {
		snprintf(path, sizeof(path), "/sys/devices/virtual/vduse/%s/"
			 "bounce_size", slaves[i]);
		sysroot_put_text(&s, path, bounce[i]);
		snprintf(path, sizeof(path), "/sys/devices/virtual/vduse/%s/v/"
			 "block/v%s/queue/max_sectors_kb", slaves[i],
			 slaves[i]);
		sysroot_put_text(&s, path, kib[i]);
		snprintf(path, sizeof(path), "/sys/devices/virtual/block/dm-0/"
			 "slaves/v%s", slaves[i]);
		snprintf(to, sizeof(to), "../../../vduse/%s/v/block/v%s",
			 slaves[i], slaves[i]);
		sysroot_link(&s, path, to);
	}
	sysroot_link(&s, "/sys/class/block/dm-0",
		     "../../devices/virtual/block/dm-0");
	tap_ok(!device_probe_named(&s.root, "dm-0", &d), "three under one");
	tap_is_str(d.stack, "dm-0 on [va, vb, vc]", "are all seen");
	tap_is_u64(d.vduse_bounce_bytes, 8 << 20,
		   "the least room is not the smallest area");
	tap_is_str(d.max_io_path, "/sys/block/va/queue/max_sectors_kb",
		   "the request limit comes from the same device");
	sysroot_remove(&s);
}

/* Values and links no kernel writes. */
static void test_hostile(void)
{
	struct device_facts d;
	struct sysroot s;
	char path[256];

	sysroot_make(&s);
	sysroot_put_text(&s, VIRTIO "/queue/logical_block_size", "513");
	sysroot_put_text(&s, VIRTIO "/queue/physical_block_size",
			 "9223372036854775808");
	sysroot_put_text(&s, VIRTIO "/queue/max_sectors_kb",
			 "18446744073709551615");
	sysroot_put_text(&s, VIRTIO "/queue/optimal_io_size", "-1");
	sysroot_link(&s, "/sys/class/block/vda",
		     "../../devices/pci0000:00/0000:00:05.0/virtio1/block/vda");
	sysroot_link(&s, VIRTIO "/slaves/vda", "../../vda");
	tap_ok(!device_probe_named(&s.root, "vda", &d), "a device on itself");
	tap_ok(!d.logical_bytes && !d.physical_bytes && !d.max_io_bytes &&
	       !d.optimal_io_bytes, "impossible numbers count as unknown");
	tap_is_str(d.stack, "vda on vda on vda on vda on vda on vda on vda on"
			    " vda on ...", "the walk ends");
	sysroot_link(&s, VIRTIO "/slaves/out", "../../../../../../../..");
	for (int i = 0; i < 50; i++) {
		snprintf(path, sizeof(path), VIRTIO "/slaves/s%02d", i);
		sysroot_link(&s, path, "../../vda");
	}
	tap_ok(!device_probe_named(&s.root, "vda", &d), "a wide stack");
	tap_is_u64(strlen(d.stack), FACT_NAME_MAX - 1, "its text is cut");
	tap_is_str(d.stack + strlen(d.stack) - 3, "...", "and says so");
	sysroot_link(&s, "/sys/class/block/out", "/sys/class/block");
	tap_is_u64((u64)device_probe_named(&s.root, "out", &d), EXDEV,
		   "a device outside of the tree is none");
	sysroot_remove(&s);
}

int main(void)
{
	test_sectors();
	test_by_number();
	test_names();
	test_limits();
	test_stacks();
	test_vduse();
	test_least_room();
	test_hostile();
	return tap_done();
}
