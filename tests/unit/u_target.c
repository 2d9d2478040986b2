/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/probe/target.c: a declaration replaces what was measured, wholly. */
#include "probe/target.h"

#include "base/banned.h"
#include "probe/device.h"
#include "probe/kernel.h"
#include "sysroot.h"

/* Facts of a machine that takes large blocks, on a DAX device. */
static void machine(struct facts *f)
{
	struct sysroot s;
	const struct root *r = sysroot_recorded(&s, "devices-7.3-4k");

	facts_init(f);
	kernel_probe(r, &f->kernel);
	tap_ok(!device_probe_named(r, "pmem0", &f->device), "a machine");
}

static void test_kernels(void)
{
	static const struct {
		struct target t;
		u32 version;
		u64 page_bytes;
		enum tri large_blocks;
		const char *why;
	} rows[] = {
		{{.kernel = "6.12"}, KVER(6, 12), 4096, TRI_NO,
		 "since Linux 6.19; 4096-byte pages assumed"},
		{{.kernel = "v6.18.99"}, KVER(6, 18), 4096, TRI_NO,
		 "since Linux 6.19"},
		{{.kernel = "6.19"}, KVER(6, 19), 4096, TRI_YES,
		 "when built with transparent huge pages"},
		{{.kernel = "7.3", .page_bytes = 16384}, KVER(7, 3), 16384,
		 TRI_YES, "distribution kernels are"},
		{{.kernel = "6.1", .large_blocks = TRI_YES}, KVER(6, 1), 4096,
		 TRI_YES, "declared so; 4096-byte pages assumed"},
		{{.kernel = "7.3", .large_blocks = TRI_NO}, KVER(7, 3), 4096,
		 TRI_NO, "declared so"},
		{{.page_bytes = 65536}, 0, 65536, TRI_UNKNOWN,
		 "version was not given"},
		{{.large_blocks = TRI_NO}, 0, 4096, TRI_NO, "declared so"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct facts f;

		machine(&f);
		tap_ok(target_is_declared(&rows[i].t) &&
		       !target_apply(&rows[i].t, &f), "a target is declared");
		tap_ok(f.kernel.declared, "and the facts say so");
		tap_is_u64(f.kernel.version, rows[i].version, "version");
		tap_is_u64(f.kernel.page_bytes, rows[i].page_bytes,
			   "page size");
		tap_is_str(tri_text(f.kernel.large_blocks.value),
			   tri_text(rows[i].large_blocks), "large blocks");
		tap_has_str(f.kernel.large_blocks.why, rows[i].why, "and why");
		tap_ok(!f.kernel.nr_features &&
		       !strstr(f.kernel.release, "deb13"),
		       "nothing is left of the machine's kernel");
		tap_ok(f.kernel.huge_pages.why[0] &&
		       f.kernel.ext4_present.value == TRI_YES,
		       "the other facts are set");
		tap_is_str(f.device.name, "pmem0", "the device stays");
	}
}

static void test_assumed_pages(void)
{
	struct target t = {.kernel = "6.19", .page_bytes = 4096};
	struct facts f;

	facts_init(&f);
	tap_ok(!target_apply(&t, &f), "a page size is declared");
	tap_ok(!strstr(f.kernel.large_blocks.why, "assumed"),
	       "then none is assumed");
	t.kernel = "v6.19.1";
	tap_ok(!target_apply(&t, &f), "a v is allowed");
	tap_is_str(f.kernel.release, "6.19.1", "and left out of the release");
}

static void test_devices(void)
{
	struct target t = {.sector_bytes = 65536};
	struct facts f;

	machine(&f);
	tap_ok(target_is_declared(&t) && !target_apply(&t, &f),
	       "a sector size is declared");
	tap_ok(f.device.present && f.device.declared, "it makes a device");
	tap_is_u64(f.device.logical_bytes, 65536, "with those sectors");
	tap_ok(!f.device.name[0] && !f.device.max_io_bytes &&
	       f.device.dax.value == TRI_UNKNOWN,
	       "nothing is left of the machine's device");
	tap_ok(!f.kernel.declared && f.kernel.nr_features == 11,
	       "the kernel stays");
	t = (struct target){.dax = TRI_NO};
	tap_ok(target_is_declared(&t) && !target_apply(&t, &f),
	       "no DAX is declared");
	tap_is_str(tri_text(f.device.dax.value), "no", "and taken");
	tap_is_u64(f.device.logical_bytes, 0, "its sectors are unknown");
}

static void test_refused(void)
{
	static const struct {
		struct target t;
		const char *name;
	} rows[] = {
		{{.kernel = "six"}, "a kernel that is no version"},
		{{.kernel = ""}, "an empty kernel"},
		{{.page_bytes = 2048}, "pages of 2 KiB"},
		{{.page_bytes = 12288}, "pages of 12 KiB"},
		{{.page_bytes = 1ULL << 40}, "pages of 1 TiB"},
		{{.sector_bytes = 256}, "sectors of 256 bytes"},
		{{.sector_bytes = 131072}, "sectors of 128 KiB"},
		{{.sector_bytes = 4097}, "sectors of 4097 bytes"},
		{{.kernel = "6.19", .sector_bytes = 3}, "the second of two"},
	};
	struct facts f, before;

	machine(&f);
	before = f;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tap_is_u64((u64)target_apply(&rows[i].t, &f), EINVAL,
			   rows[i].name);
		tap_ok(!memcmp(&f, &before, sizeof(f)), "changes nothing");
	}
}

static void test_long_kernel(void)
{
	char text[FACT_NAME_MAX + 1] = "6.1-";
	struct target t = {.kernel = text};
	struct facts f;

	facts_init(&f);
	memset(text + 4, 'x', sizeof(text) - 5);
	text[sizeof(text) - 1] = '\0';
	tap_is_u64((u64)target_apply(&t, &f), EINVAL, "too long a version");
	text[FACT_NAME_MAX - 1] = '\0';
	tap_ok(!target_apply(&t, &f), "the longest version");
	tap_is_str(f.kernel.release, text, "is kept whole");
}

int main(void)
{
	struct target none = {NULL, 0, TRI_UNKNOWN, 0, TRI_UNKNOWN};
	struct facts f, before;

	machine(&f);
	before = f;
	tap_ok(!target_is_declared(&none) && !target_apply(&none, &f) &&
	       !memcmp(&f, &before, sizeof(f)), "nothing said, nothing changed");
	test_kernels();
	test_assumed_pages();
	test_devices();
	test_refused();
	test_long_kernel();
	return tap_done();
}
