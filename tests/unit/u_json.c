/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON in and out: types, absent members, 64-bit numbers, bad documents. */
#include "base/json.h"

#include "tests/lib/tap.h"

static void test_write(void)
{
	json_t *o = json_new_object(), *list = json_new_array();

	json_put_u64(o, "big", UINT64_MAX);
	json_put_bool(o, "yes", true);
	json_put_text(o, "path", "/dev/sda");
	json_put_text(o, "none", NULL);
	json_put_null(o, "nothing");
	json_put(o, "list", list);
	tap_ok(strstr(json_text(o), "\"list\": []") ||
	       strstr(json_text(o), "\"list\": [\n  ]"),
	       "an empty list is a list");
	json_append_text(list, "a\"b");
	tap_has_str(json_text(o), "18446744073709551615",
		    "the largest number stays a number");
	tap_has_str(json_text(o), "\"/dev/sda\"", "slashes stay");
	tap_has_str(json_text(o), "\"none\": null", "no text is null");
	tap_has_str(json_text(o), "a\\\"b", "quotes are escaped");
	json_free(o);
}

static void test_read(void)
{
	json_t *o = NULL, *list = NULL, *absent = NULL;
	const char *text = "kept";
	u64 num = 7;
	bool flag = false;

	tap_ok(!json_parse(" {\"n\": 18446744073709551615, \"b\": true, "
			   "\"t\": \"x\", \"l\": [1, \"two\"], \"z\": null} \n",
			   &o),
	       "a document");
	tap_ok(!json_get_u64(o, "absent", &num) && num == 7,
	       "an absent member leaves the value");
	tap_ok(!json_get_text(o, "z", &text) && !strcmp(text, "kept"),
	       "so does null");
	tap_ok(!json_get_u64(o, "n", &num), "a number");
	tap_is_u64(num, UINT64_MAX, "of 64 bits");
	tap_ok(!json_get_bool(o, "b", &flag) && flag, "a bool");
	tap_ok(json_get_u64(o, "t", &num) == LB_E_JSON_TYPE,
	       "a text is no number");
	tap_ok(json_get_text(o, "n", &text) == LB_E_JSON_TYPE,
	       "a number is no text");
	tap_ok(json_get_bool(o, "n", &flag) == LB_E_JSON_TYPE,
	       "a number is no bool");
	tap_ok(json_get_object(o, "l", &absent) == LB_E_JSON_TYPE,
	       "a list is no object");
	tap_ok(!json_get_array(o, "l", &list), "a list");
	tap_is_u64(json_array_len(list), 2, "its length");
	tap_is_str(json_string(json_array_at(list, 1)), "two", "its member");
	tap_ok(!json_string(json_array_at(list, 0)), "a number has no text");
	json_free(o);
}

static void test_bad(void)
{
	static const char *const bad[] = {
		"", " ", "{", "{\"a\": }", "{} x", "[1,2", "nonsense", "{}{}",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		json_t *o = (json_t *)&o;

		tap_ok(json_parse(bad[i], &o) == LB_E_JSON_SYNTAX && !o,
		       *bad[i] ? bad[i] : "(empty)");
	}
}

static void test_deep(void)
{
	char deep[401];
	json_t *o = NULL;

	memset(deep, '[', 200);
	memset(deep + 200, ']', 200);
	deep[400] = '\0';
	tap_ok(json_parse(deep, &o) == LB_E_JSON_SYNTAX,
	       "200 nested lists are refused");
}

int main(void)
{
	test_write();
	test_read();
	test_bad();
	test_deep();
	return tap_done();
}
