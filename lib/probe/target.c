/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns what a person says about a target into facts, without looking at it. */
#include "probe/target.h"

#include <errno.h>

#include "base/banned.h"
#include "probe/kernel.h"

enum { SECTOR_MIN = 512, SECTOR_MAX = 65536 };

static bool kernel_is_declared(const struct target *t)
{
	return t->kernel || t->page_bytes || t->large_blocks != TRI_UNKNOWN;
}

static bool device_is_declared(const struct target *t)
{
	return t->sector_bytes || t->dax != TRI_UNKNOWN;
}

bool target_is_declared(const struct target *t)
{
	return kernel_is_declared(t) || device_is_declared(t);
}

bool target_sector_bytes_is_valid(u64 bytes)
{
	return u64_is_pow2(bytes) && bytes >= SECTOR_MIN && bytes <= SECTOR_MAX;
}

static errcode_t check_target(const struct target *t, u32 *version)
{
	*version = 0;
	if (t->kernel && (kernel_parse_version(t->kernel, version) ||
			  strlen(t->kernel) >= FACT_NAME_MAX))
		return EINVAL;
	if (t->page_bytes && !kernel_page_bytes_is_valid(t->page_bytes))
		return EINVAL;
	if (t->sector_bytes && !target_sector_bytes_is_valid(t->sector_bytes))
		return EINVAL;
	return 0;
}

static void derive_large_blocks(const struct target *t, struct kernel_facts *k)
{
	const char *pages = t->page_bytes ? "" : "; 4096-byte pages assumed";
	struct fact *f = &k->large_blocks;

	if (t->large_blocks != TRI_UNKNOWN)
		fact_set(f, t->large_blocks, "declared so%s", pages);
	else if (!k->version)
		fact_set(f, TRI_UNKNOWN,
			 "the target's kernel version was not given");
	else if (k->version < KERNEL_LARGE_BLOCKS_SINCE)
		fact_set(f, TRI_NO,
			 "ext4 takes blocks larger than the page since Linux"
			 " 6.19%s", pages);
	else
		fact_set(f, TRI_YES,
			 "ext4 takes blocks larger than the page since Linux"
			 " 6.19, when built with transparent huge pages as"
			 " distribution kernels are%s", pages);
}

static void declare_kernel(const struct target *t, u32 version,
			   struct kernel_facts *k)
{
	memset(k, 0, sizeof(*k));
	k->declared = true;
	k->version = version;
	if (t->kernel)
		snprintf(k->release, sizeof(k->release), "%s",
			 t->kernel + (t->kernel[0] == 'v'));
	k->page_bytes = t->page_bytes ? t->page_bytes : TARGET_PAGE_BYTES;
	fact_set(&k->ext4_present, TRI_YES, "a declared kernel is taken to"
					    " have it");
	if (t->large_blocks == TRI_YES)
		fact_set(&k->huge_pages, TRI_YES,
			 "larger blocks, which need them, are declared");
	else
		fact_set(&k->huge_pages, TRI_UNKNOWN, "not declared");
	derive_large_blocks(t, k);
}

static void declare_device(const struct target *t, struct device_facts *d)
{
	memset(d, 0, sizeof(*d));
	d->present = true;
	d->declared = true;
	d->logical_bytes = t->sector_bytes;
	fact_set(&d->dax, t->dax,
		 t->dax == TRI_UNKNOWN ? "not declared" : "declared so");
}

errcode_t target_apply(const struct target *t, struct facts *f)
{
	u32 version;
	errcode_t rc = check_target(t, &version);

	if (rc)
		return rc;
	if (kernel_is_declared(t))
		declare_kernel(t, version, &f->kernel);
	if (device_is_declared(t))
		declare_device(t, &f->device);
	return 0;
}
