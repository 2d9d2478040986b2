/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hashes of names: names of every length with and without high bytes, all
 * three hashes, seeded and not, against libext2fs's.
 */
#include "ondisk/dirhash.h"

#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext2fs.h>

#include "tests/lib/tap.h"

enum { NR_NAMES = 2000 };

static void make_name(unsigned nr, char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned byte = (nr * 31 + (unsigned)i * 17 + nr / 7) % 255 + 1;

		/* Every second name is plain text. */
		name[i] = (char)(nr % 2 ? byte : 'a' + byte % 26);
	}
}

static void test_version(enum htree_hash version, bool signed_bytes,
			 const u32 *seed, const char *what)
{
	struct dirhash_rules rules = {.signed_bytes = signed_bytes};
	int theirs = (int)version + (signed_bytes ? 0 : 3);
	u32 nr_same = 0, seed_copy[4];
	char name[256];

	memcpy(rules.seed, seed, sizeof(rules.seed));
	memcpy(seed_copy, seed, sizeof(seed_copy));
	for (unsigned i = 0; i < NR_NAMES; i++) {
		size_t len = 1 + i % 255;
		ext2_dirhash_t major = 0, minor = 0;
		struct dirhash hash;

		make_name(i, name, len);
		if (ext2fs_dirhash(theirs, name, (int)len, seed_copy, &major,
				   &minor) ||
		    !dirhash(version, span_of(name, len), &rules, &hash))
			exit(1);
		nr_same += hash.major == major && hash.minor == minor;
	}
	tap_is_u64(nr_same, NR_NAMES, what);
}

int main(void)
{
	static const u32 none[4], seed[4] = {0x11223344, 0xDEADBEEF, 7, ~0u};
	struct dirhash_rules rules = {.signed_bytes = true};
	struct dirhash hash;
	struct super sb;

	test_version(HTREE_HASH_LEGACY, false, none, "legacy, unsigned");
	test_version(HTREE_HASH_LEGACY, true, none, "legacy, signed");
	test_version(HTREE_HASH_HALF_MD4, false, none, "half MD4, unsigned");
	test_version(HTREE_HASH_HALF_MD4, true, seed, "half MD4, signed");
	test_version(HTREE_HASH_TEA, false, seed, "TEA, unsigned");
	test_version(HTREE_HASH_TEA, true, none, "TEA, signed");
	tap_ok(!dirhash(HTREE_HASH_SIPHASH, span_of("a", 1), &rules, &hash),
	       "siphash needs a key");
	tap_ok(dirhash(HTREE_HASH_TEA, span_of("", 0), &rules, &hash) &&
		       hash.major, "no name has the seed");
	memset(&sb, 0, sizeof(sb));
	sb.flags = 2;
	sb.hash_seed[4] = 1;
	rules = dirhash_rules_of(&sb);
	tap_ok(!rules.signed_bytes && rules.seed[1] == 1,
	       "flags and seed of a superblock");
	return tap_done();
}
