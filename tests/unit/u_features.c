/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The feature table: names, aliases, unknown bits, no bit twice. */
#include "ondisk/features.h"

#include <strings.h>

#include "tests/lib/tap.h"

static void test_table(void)
{
	const struct feature_row *a, *b;
	unsigned bad_bits = 0, twice = 0, unfound = 0;

	for (size_t i = 0; (a = feature_row(i)); i++) {
		bad_bits += !u64_is_pow2(a->bit);
		unfound += feature_by_name(a->name) != a;
		for (size_t k = 0; k < i; k++) {
			b = feature_row(k);
			twice += (b->word == a->word && b->bit == a->bit) ||
				 !strcasecmp(a->name, b->name);
		}
	}
	tap_is_u64(bad_bits, 0, "every row is one bit");
	tap_is_u64(twice, 0, "no bit and no name twice");
	tap_is_u64(unfound, 0, "every name finds its row");
	tap_ok(!feature_row(SIZE_MAX), "no row beyond the end");
}

static void test_names(void)
{
	tap_is_u64(feature_by_name("extents")->bit, FEAT_INCOMPAT_EXTENTS,
		   "extents is an alias");
	tap_is_u64(feature_by_name("HAS_JOURNAL")->bit, FEAT_COMPAT_HAS_JOURNAL,
		   "names in any case");
	tap_ok(!feature_by_name("no_such"), "an unknown name");
	tap_ok(!feature_by_name(""), "an empty name");
	tap_is_u64(feature_by_name("orphan_file")->since, KVER(5, 15),
		   "the kernel that first took it");
}

static void test_print(void)
{
	struct features f = {
		.compat = FEAT_COMPAT_HAS_JOURNAL,
		.incompat = FEAT_INCOMPAT_EXTENTS | 1u << 31,
		.ro_compat = 1u << 20,
	};
	struct features none = {0, 0, 0};
	struct str out = STR_INIT;

	features_print(&f, &out);
	tap_is_str(str_text(&out),
		   "has_journal extent FEATURE_I31 FEATURE_R20",
		   "known by name, unknown by number");
	tap_is_u64(features_unknown(&f, FEAT_WORD_incompat), 1u << 31,
		   "unknown bits");
	tap_is_u64(features_unknown(&f, FEAT_WORD_compat), 0, "none unknown");
	str_free(&out);
	features_print(&none, &out);
	tap_is_str(str_text(&out), "", "no feature, no text");
	tap_ok(features_has(&f, feature_by_name("extent")) &&
	       !features_has(&f, feature_by_name("64bit")), "has");
	*feature_word(&f, FEAT_WORD_ro_compat) = 5;
	tap_is_u64(f.ro_compat, 5, "feature_word is the word itself");
	str_free(&out);
}

int main(void)
{
	test_table();
	test_names();
	test_print();
	return tap_done();
}
