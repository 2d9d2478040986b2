/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/probe/kernel.c: versions, and what each recorded kernel says. */
#include "probe/kernel.h"

#include <sys/utsname.h>

#include "base/banned.h"
#include "sysroot.h"

static void test_versions(void)
{
	static const struct {
		const char *text;
		u32 version; /* 0: refused */
	} rows[] = {
		{"6.19", KVER(6, 19)},
		{"v7.3", KVER(7, 3)},
		{"6.19.3-foo", KVER(6, 19)},
		{"6.1.0-53-cloud-amd64", KVER(6, 1)},
		{"7.3.4+deb13-arm64-16k", KVER(7, 3)},
		{"6.19-rc1", KVER(6, 19)},
		{"6.12_custom", KVER(6, 12)},
		{"0.1", KVER(0, 1)},
		{"65535.65535", KVER(65535, 65535)},
		{"", 0}, {"6", 0}, {"6.", 0}, {".1", 0}, {"six.one", 0},
		{"vv6.1", 0}, {"-6.1", 0}, {"6.1x", 0}, {"6.-1", 0},
		{"65536.1", 0}, {"6.65536", 0}, {"0.0", 0}, {" 6.1", 0},
		{"99999999999999999999.1", 0}, {"6.1 ", 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char name[64];
		u32 version = 0;
		errcode_t rc = kernel_parse_version(rows[i].text, &version);

		snprintf(name, sizeof(name), "version '%s'", rows[i].text);
		tap_ok(rows[i].version ? !rc && version == rows[i].version
				       : rc == EINVAL && !version, name);
	}
}

struct expected {
	const char *tree;
	u32 version;
	u64 page_bytes;
	enum tri large_blocks;
	const char *why;
	enum tri huge_pages;
	enum tri ext4;
	u32 nr_features;
};

static const struct expected trees[] = {
	{"linux-6.1-4k", KVER(6, 1), 4096, TRI_NO, "it came with 6.19",
	 TRI_YES, TRI_YES, 10},
	{"linux-6.18-4k", KVER(6, 18), 4096, TRI_NO, "it came with 6.19",
	 TRI_YES, TRI_YES, 7},
	{"linux-7.3-4k", KVER(7, 3), 4096, TRI_YES, "is there",
	 TRI_YES, TRI_YES, 11},
	{"no-thp", KVER(7, 3), 4096, TRI_NO, "without transparent huge pages",
	 TRI_NO, TRI_YES, 10},
	{"ext4-not-loaded", KVER(7, 3), 4096, TRI_UNKNOWN, "not loaded",
	 TRI_YES, TRI_NO, 0},
	{"ext4-not-loaded-6.1", KVER(6, 1), 4096, TRI_UNKNOWN,
	 "not loaded, so it cannot be asked; most likely not",
	 TRI_YES, TRI_NO, 0},
	{"linux-7.3-16k", KVER(7, 3), 16384, TRI_YES, "is there",
	 TRI_YES, TRI_YES, 11},
	{"linux-6.1-16k", KVER(6, 1), 16384, TRI_NO, "it came with 6.19",
	 TRI_YES, TRI_YES, 10},
	{"linux-6.1-64k", KVER(6, 1), 65536, TRI_NO, "it came with 6.19",
	 TRI_YES, TRI_YES, 10},
	{"linux-7.3-64k", KVER(7, 3), 65536, TRI_YES, "is there",
	 TRI_YES, TRI_YES, 11},
	{"container", KVER(7, 3), 4096, TRI_UNKNOWN,
	 "/sys is not mounted or is hidden here", TRI_UNKNOWN, TRI_YES, 0},
	{"sysfs-hidden", KVER(7, 3), 4096, TRI_UNKNOWN,
	 "ext4 is there but /sys/fs/ext4/features is hidden",
	 TRI_UNKNOWN, TRI_YES, 0},
	{"unnamed-no-proc", 0, 4096, TRI_NO, "does not list", TRI_YES, TRI_YES,
	 10},
};

static void test_tree(const struct expected *e)
{
	struct kernel_facts k;
	struct sysroot s;

	printf("# %s\n", e->tree);
	kernel_probe(sysroot_recorded(&s, e->tree), &k);
	tap_ok(!k.declared, "it is not declared");
	tap_is_u64(k.version, e->version, "version");
	tap_is_u64(k.page_bytes, e->page_bytes, "page size");
	tap_is_str(tri_text(k.large_blocks.value), tri_text(e->large_blocks),
		   "large blocks");
	tap_has_str(k.large_blocks.why, e->why, "and why");
	tap_is_str(tri_text(k.huge_pages.value), tri_text(e->huge_pages),
		   "huge pages");
	tap_is_str(tri_text(k.ext4_present.value), tri_text(e->ext4), "ext4");
	tap_is_u64(k.nr_features, e->nr_features, "number of features");
	tap_ok(facts_has_feature(&k, "blocksize_gt_pagesize") ==
		       (e->large_blocks == TRI_YES), "the feature itself");
	tap_ok(k.huge_pages.why[0] && k.ext4_present.why[0],
	       "every fact has a reason");
}

/* What no real kernel says. */
static void test_odd_trees(void)
{
	struct kernel_facts k;
	struct sysroot s;
	char path[64];

	sysroot_make(&s);
	kernel_probe(&s.root, &k);
	tap_ok(!k.release[0] && !k.version && !k.page_bytes,
	       "an empty tree says nothing");
	tap_is_str(tri_text(k.ext4_present.value), "unknown",
		   "not even whether ext4 is there");
	tap_is_str(tri_text(k.large_blocks.value), "unknown",
		   "nor about large blocks");
	sysroot_put_text(&s, "/lbsprogs/page_size", "4097");
	sysroot_put_text(&s, "/proc/sys/kernel/osrelease", "6.19\x1b[2J");
	sysroot_put_text(&s, "/proc/filesystems",
			 "nodev\tmyext4\n\text4dev\n\text4x\nnodev\text4\n");
	for (int i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "/sys/fs/other/%d", i);
		sysroot_put_text(&s, path, "");
	}
	kernel_probe(&s.root, &k);
	tap_is_u64(k.page_bytes, 0, "an odd page size counts as unknown");
	tap_is_str(k.release, "6.19?[2J", "a release is made printable");
	tap_is_str(tri_text(k.ext4_present.value), "yes",
		   "the last line of /proc/filesystems counts");
	sysroot_put_text(&s, "/proc/filesystems",
			 "nodev\tmyext4\n\text4dev\n\text4x\n");
	kernel_probe(&s.root, &k);
	tap_is_str(tri_text(k.ext4_present.value), "no",
		   "names that only look like ext4 do not");
	for (int i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "/sys/fs/ext4/features/f%02d", i);
		sysroot_put_text(&s, path, "supported\n");
	}
	kernel_probe(&s.root, &k);
	tap_is_u64(k.nr_features, FACT_FEATURES_MAX, "features have a limit");
	tap_has_str(k.large_blocks.why, "/sys/fs/ext4/features does not list",
		    "a new kernel with unknown huge pages");
	tap_is_str(tri_text(k.large_blocks.value), "no", "is a no all the same");
	sysroot_put_text(&s, "/sys/fs/ext4/features/blocksize_gt_pagesize", "");
	kernel_probe(&s.root, &k);
	tap_is_str(tri_text(k.large_blocks.value), "yes",
		   "the file decides, also beyond the list's limit");
	tap_is_str(tri_text(k.huge_pages.value), "yes",
		   "and tells about huge pages");
	sysroot_remove(&s);
}

static void test_live(void)
{
	struct root live = {NULL};
	struct kernel_facts k;
	struct utsname name;

	kernel_probe(&live, &k);
	tap_ok(!uname(&name), "this machine has a name");
	tap_is_str(k.release, name.release, "and it is found");
	tap_is_u64(k.page_bytes, (u64)sysconf(_SC_PAGESIZE),
		   "as its page size is");
	tap_ok(k.large_blocks.why[0], "its large blocks have a reason");
}

int main(void)
{
	test_versions();
	for (size_t i = 0; i < ARRAY_LEN(trees); i++)
		test_tree(&trees[i]);
	test_odd_trees();
	test_live();
	tap_ok(kernel_page_bytes_is_valid(4096) &&
	       kernel_page_bytes_is_valid(65536), "usual page sizes are valid");
	tap_ok(!kernel_page_bytes_is_valid(0) &&
	       !kernel_page_bytes_is_valid(2048) &&
	       !kernel_page_bytes_is_valid(12288) &&
	       !kernel_page_bytes_is_valid(2 << 20), "others are not");
	return tap_done();
}
