/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks a kernel what it is and whether its ext4 takes block sizes above the
 * page size. The kernel says so with one file in /sys/fs/ext4/features, which
 * is there only while ext4 is loaded and sysfs can be seen: its absence has
 * several meanings, told apart here. Block sizes themselves are not looked at.
 */
#include "probe/kernel.h"

#include <ctype.h>
#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/banned.h"

#define EXT4_DIR "/sys/fs/ext4"
#define FEATURES_DIR EXT4_DIR "/features"
#define LARGE_BLOCKS_FEATURE "blocksize_gt_pagesize"
#define HUGE_PAGES_DIR "/sys/kernel/mm/transparent_hugepage"
#define FILESYSTEMS "/proc/filesystems"

enum { KERNEL_PAGE_MIN = 4096, KERNEL_PAGE_MAX = 1 << 20 };

/* Reads digits up to 65535; *text is moved behind them. */
static bool scan_part(const char **text, u32 *part)
{
	const char *at = *text;
	u32 n = 0;

	if (!isdigit((unsigned char)*at))
		return false;
	for (; isdigit((unsigned char)*at); at++) {
		n = n * 10 + (u32)(*at - '0');
		if (n > 65535)
			return false;
	}
	*part = n;
	*text = at;
	return true;
}

errcode_t kernel_parse_version(const char *text, u32 *version)
{
	u32 major, minor;

	if (*text == 'v')
		text++;
	if (!scan_part(&text, &major) || *text != '.')
		return EINVAL;
	text++;
	if (!scan_part(&text, &minor))
		return EINVAL;
	/* What follows is a patch level or a vendor's mark, not a typo. */
	if (*text && !strchr(".-+_~", *text))
		return EINVAL;
	if (!KVER(major, minor))
		return EINVAL;
	*version = KVER(major, minor);
	return 0;
}

bool kernel_page_bytes_is_valid(u64 bytes)
{
	return u64_is_pow2(bytes) && bytes >= KERNEL_PAGE_MIN &&
	       bytes <= KERNEL_PAGE_MAX;
}

static void probe_release(const struct root *r, struct kernel_facts *k)
{
	struct utsname name;

	if (root_is_live(r) && !uname(&name))
		snprintf(k->release, sizeof(k->release), "%s", name.release);
	else if (root_read(r, "/proc/sys/kernel/osrelease", k->release,
			   sizeof(k->release)))
		k->release[0] = '\0';
	if (kernel_parse_version(k->release, &k->version))
		k->version = 0;
}

static void probe_page_size(const struct root *r, struct kernel_facts *k)
{
	u64 bytes = 0;
	long live;

	if (root_is_live(r)) {
		live = sysconf(_SC_PAGESIZE);
		bytes = live > 0 ? (u64)live : 0;
	} else if (root_read_u64(r, KERNEL_RECORDED_PAGE_SIZE, &bytes)) {
		bytes = 0;
	}
	k->page_bytes = kernel_page_bytes_is_valid(bytes) ? bytes : 0;
}

static void probe_features(const struct root *r, struct kernel_facts *k)
{
	struct root_names list;

	if (root_list(r, FEATURES_DIR, &list))
		return;
	for (size_t i = 0; i < list.nr && i < FACT_FEATURES_MAX; i++)
		memcpy(k->features[i], list.names[i], sizeof(list.names[i]));
	k->nr_features = (u32)u64_min(list.nr, FACT_FEATURES_MAX);
}

/* Whether a line of /proc/filesystems ("nodev\tproc", "\text4") ends so. */
static bool lists_fs(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *at = text;

	while ((at = strstr(at, name)) != NULL) {
		bool starts = at == text || at[-1] == '\t' || at[-1] == '\n';

		if (starts && (at[len] == '\n' || !at[len]))
			return true;
		at += len;
	}
	return false;
}

static void probe_ext4(const struct root *r, struct fact *f)
{
	char text[8192];

	if (root_has(r, EXT4_DIR))
		fact_set(f, TRI_YES, EXT4_DIR " is there");
	else if (root_read(r, FILESYSTEMS, text, sizeof(text)) || !text[0])
		fact_set(f, TRI_UNKNOWN,
			 "neither " EXT4_DIR " nor " FILESYSTEMS
			 " can be seen");
	else if (lists_fs(text, "ext4"))
		fact_set(f, TRI_YES, FILESYSTEMS " lists it");
	else
		fact_set(f, TRI_NO, FILESYSTEMS " does not list it");
}

static void probe_huge_pages(const struct root *r, struct fact *f)
{
	if (root_has(r, HUGE_PAGES_DIR))
		fact_set(f, TRI_YES, HUGE_PAGES_DIR " is there");
	else if (root_has(r, FEATURES_DIR "/" LARGE_BLOCKS_FEATURE))
		fact_set(f, TRI_YES,
			 "ext4 lists " LARGE_BLOCKS_FEATURE
			 ", which it does only then");
	else if (root_has(r, "/sys/kernel/mm"))
		fact_set(f, TRI_NO, HUGE_PAGES_DIR " is absent");
	else
		fact_set(f, TRI_UNKNOWN, "/sys/kernel/mm cannot be seen here");
}

/* ext4 listed its features, and this one is not among them. */
static void explain_no(const struct kernel_facts *k, struct fact *f)
{
	if (k->version && k->version < KERNEL_LARGE_BLOCKS_SINCE)
		fact_set(f, TRI_NO,
			 "Linux %u.%u does not list " LARGE_BLOCKS_FEATURE
			 " among ext4's features; it came with 6.19",
			 k->version >> 16, k->version & 0xffff);
	else if (k->huge_pages.value == TRI_NO)
		fact_set(f, TRI_NO,
			 "the kernel is built without transparent huge pages"
			 " (CONFIG_TRANSPARENT_HUGEPAGE), which larger blocks"
			 " need");
	else
		fact_set(f, TRI_NO,
			 FEATURES_DIR " does not list " LARGE_BLOCKS_FEATURE);
}

/* Nothing is proven; what the version makes likely is said all the same. */
static void explain_unknown(const struct root *r, const struct kernel_facts *k,
			    struct fact *f)
{
	const char *cause, *likely = "";

	if (k->version && k->version < KERNEL_LARGE_BLOCKS_SINCE)
		likely = "; most likely not, it came with Linux 6.19";
	else if (k->huge_pages.value == TRI_NO)
		likely = "; most likely not, there are no transparent huge"
			 " pages";
	if (!root_has(r, "/sys/fs"))
		cause = "/sys is not mounted or is hidden here, as in a"
			" container";
	else if (k->ext4_present.value == TRI_NO)
		cause = "ext4 is not loaded, so it cannot be asked";
	else if (k->ext4_present.value == TRI_YES)
		cause = "ext4 is there but " FEATURES_DIR
			" is hidden, as in a container";
	else
		cause = EXT4_DIR " is absent; ext4 may not be loaded";
	fact_set(f, TRI_UNKNOWN, "%s%s", cause, likely);
}

static void probe_large_blocks(const struct root *r, struct kernel_facts *k)
{
	struct fact *f = &k->large_blocks;

	if (root_has(r, FEATURES_DIR "/" LARGE_BLOCKS_FEATURE))
		fact_set(f, TRI_YES,
			 FEATURES_DIR "/" LARGE_BLOCKS_FEATURE " is there");
	else if (root_has(r, FEATURES_DIR))
		explain_no(k, f);
	else
		explain_unknown(r, k, f);
}

void kernel_probe(const struct root *r, struct kernel_facts *k)
{
	memset(k, 0, sizeof(*k));
	probe_release(r, k);
	probe_page_size(r, k);
	probe_features(r, k);
	probe_ext4(r, &k->ext4_present);
	probe_huge_pages(r, &k->huge_pages);
	probe_large_blocks(r, k);
}
