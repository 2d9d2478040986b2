/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/probe/facts.c: facts to JSON and back, and JSON nobody should write. */
#include "probe/facts.h"

#include "base/banned.h"
#include "base/str.h"
#include "probe/device.h"
#include "probe/kernel.h"
#include "probe/target.h"
#include "sysroot.h"

static void test_tri(void)
{
	static const enum tri all[] = {TRI_UNKNOWN, TRI_NO, TRI_YES};
	enum tri back;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		tap_ok(!tri_parse(tri_text(all[i]), &back) && back == all[i],
		       tri_text(all[i]));
	tap_ok(tri_parse("", &back) == EINVAL &&
	       tri_parse("Yes", &back) == EINVAL &&
	       tri_parse("yes ", &back) == EINVAL, "other words are refused");
}

static void test_set(void)
{
	struct fact f;
	char text[2 * FACT_WHY_MAX];

	fact_set(&f, TRI_NO, "%s %d", "Linux", 6);
	tap_ok(f.value == TRI_NO, "a fact has a value");
	tap_is_str(f.why, "Linux 6", "and a reason");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	fact_set(&f, TRI_YES, "%s", text);
	tap_is_u64(strlen(f.why), FACT_WHY_MAX - 1, "which is cut when long");
}

/* Writes, parses, reads, writes again: both texts must be the same. */
static void check_round_trip(const struct facts *f, const char *name)
{
	json_t *first = facts_to_json(f), *parsed = NULL, *second = NULL;
	struct facts back;
	errcode_t rc;

	rc = json_parse(json_text(first), &parsed);
	if (!rc)
		rc = facts_from_json(parsed, &back);
	tap_is_u64((u64)rc, 0, name);
	second = facts_to_json(&back);
	tap_is_str(json_text(second), json_text(first), "comes back the same");
	tap_is_u64(back.kernel.version, f->kernel.version, "with its version");
	tap_ok(!memcmp(&back.device, &f->device, sizeof(back.device)),
	       "and all of its device");
	json_free(first);
	json_free(parsed);
	json_free(second);
}

static void test_round_trips(void)
{
	static const char *const names[] = {"vdg", "loop0", "pmem0", "vde"};
	struct target t = {"6.12", 16384, TRI_YES, 4096, TRI_YES};
	struct sysroot s;
	const struct root *r = sysroot_recorded(&s, "devices-7.3-4k");
	struct facts f;

	facts_init(&f);
	check_round_trip(&f, "nothing known");
	kernel_probe(r, &f.kernel);
	check_round_trip(&f, "a kernel without a device");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		tap_ok(!device_probe_named(r, names[i], &f.device), names[i]);
		check_round_trip(&f, "a kernel with a device");
	}
	tap_ok(!target_apply(&t, &f), "a target");
	check_round_trip(&f, "a declared target");
}

static errcode_t read_text(const char *text, struct facts *f)
{
	json_t *value = NULL;
	errcode_t rc = json_parse(text, &value);

	if (rc)
		return rc;
	rc = facts_from_json(value, f);
	json_free(value);
	return rc;
}

static void test_sparse(void)
{
	struct facts f;

	tap_ok(!read_text("{}", &f), "an empty object is allowed");
	tap_ok(f.kernel.large_blocks.value == TRI_UNKNOWN &&
	       f.kernel.large_blocks.why[0] && f.device.dax.why[0] &&
	       !f.device.present, "everything is unknown, with a reason");
	tap_ok(!read_text("{\"kernel\": {\"release\": \"7.3.4\", \"features\":"
			  " [\"verity\"], \"large_blocks\": {\"value\": \"yes\"}"
			  "}, \"device\": {\"logical_bytes\": 65536}}", &f),
	       "a sparse one too");
	tap_is_u64(f.kernel.version, KVER(7, 3), "the version is read");
	tap_ok(facts_has_feature(&f.kernel, "verity") &&
	       !facts_has_feature(&f.kernel, "verit") &&
	       !facts_has_feature(&f.kernel, "casefold"),
	       "features are found whole");
	tap_ok(f.kernel.large_blocks.value == TRI_YES &&
	       f.kernel.large_blocks.why[0], "a missing reason gets one");
	tap_ok(f.device.present && f.device.logical_bytes == 65536,
	       "a device is there when it is named");
	tap_is_str(tri_text(f.kernel.huge_pages.value), "unknown",
		   "what is absent is unknown");
	tap_ok(!read_text("{\"kernel\": {\"release\": \"weird\"}}", &f) &&
	       !f.kernel.version, "a release need not be a version");
	tap_ok(!read_text("{\"kernel\": null, \"device\": null}", &f) &&
	       !f.device.present, "null is absent");
}

static void test_bad(void)
{
	static const struct {
		const char *text;
		errcode_t rc;
	} rows[] = {
		{"[]", 0},
		{"{\"kernel\": 1}", LB_E_JSON_TYPE},
		{"{\"kernel\": {\"release\": 6}}", LB_E_JSON_TYPE},
		{"{\"kernel\": {\"page_bytes\": \"4K\"}}", LB_E_JSON_TYPE},
		{"{\"kernel\": {\"declared\": \"yes\"}}", LB_E_JSON_TYPE},
		{"{\"kernel\": {\"features\": {}}}", LB_E_JSON_TYPE},
		{"{\"kernel\": {\"features\": [1]}}", LB_E_FACT_VALUE},
		{"{\"kernel\": {\"features\": [null]}}", LB_E_FACT_VALUE},
		{"{\"kernel\": {\"ext4\": true}}", LB_E_JSON_TYPE},
		{"{\"kernel\": {\"ext4\": {\"value\": \"maybe\"}}}",
		 LB_E_FACT_VALUE},
		{"{\"kernel\": {\"ext4\": {\"value\": 1}}}", LB_E_JSON_TYPE},
		{"{\"device\": {\"logical_bytes\": 4294967296}}",
		 LB_E_FACT_VALUE},
		{"{\"device\": {\"zoned\": 1}}", LB_E_JSON_TYPE},
		{"{\"device\": {\"dax\": {\"why\": []}}}", LB_E_JSON_TYPE},
	};
	struct facts f;

	/* A document that is no object holds no member: nothing known. */
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		tap_is_u64((u64)read_text(rows[i].text, &f), (u64)rows[i].rc,
			   rows[i].text);
}

static void test_too_much(void)
{
	struct str text = STR_INIT;
	struct facts f;

	str_add(&text, "{\"kernel\": {\"features\": [");
	for (int i = 0; i < FACT_FEATURES_MAX + 1; i++)
		str_addf(&text, "%s\"f%d\"", i ? "," : "", i);
	str_add(&text, "]}}");
	tap_is_u64((u64)read_text(str_text(&text), &f), LB_E_FACT_VALUE,
		   "too many features");
	str_free(&text);
	str_add(&text, "{\"device\": {\"name\": \"");
	for (int i = 0; i < FACT_NAME_MAX; i++)
		str_add(&text, "x");
	str_add(&text, "\"}}");
	tap_is_u64((u64)read_text(str_text(&text), &f), LB_E_FACT_VALUE,
		   "too long a name");
	str_free(&text);
}

int main(void)
{
	err_init();
	test_tri();
	test_set();
	test_round_trips();
	test_sparse();
	test_bad();
	test_too_much();
	return tap_done();
}
