/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json-c behind our own names; no other file includes it. */
#include "base/json.h"

#include <errno.h>
#include <json-c/json.h>

#include "base/banned.h"

json_t *json_new_object(void)
{
	return json_object_new_object();
}

json_t *json_new_array(void)
{
	return json_object_new_array();
}

void json_free(json_t *value)
{
	json_object_put(value);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	json_object_object_add(object, key, value);
}

void json_put_u64(json_t *object, const char *key, u64 value)
{
	json_put(object, key, json_object_new_uint64(value));
}

void json_put_bool(json_t *object, const char *key, bool value)
{
	json_put(object, key, json_object_new_boolean(value));
}

void json_put_text(json_t *object, const char *key, const char *text)
{
	json_put(object, key, text ? json_object_new_string(text) : NULL);
}

void json_put_null(json_t *object, const char *key)
{
	json_put(object, key, NULL);
}

void json_append(json_t *array, json_t *value)
{
	json_object_array_add(array, value);
}

void json_append_text(json_t *array, const char *text)
{
	json_append(array, json_object_new_string(text));
}

const char *json_text(json_t *value)
{
	return json_object_to_json_string_ext(
		value, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			       JSON_C_TO_STRING_NOSLASHESCAPE);
}

errcode_t json_parse(const char *text, json_t **value)
{
	struct json_tokener *tok = json_tokener_new_ex(32);
	size_t len = strlen(text);
	bool whole;

	if (!tok)
		return ENOMEM;
	*value = NULL;
	if (len < INT32_MAX)
		*value = json_tokener_parse_ex(tok, text, (int)len);
	whole = json_tokener_get_error(tok) == json_tokener_success &&
		text[json_tokener_get_parse_end(tok) +
		     strspn(text + json_tokener_get_parse_end(tok),
			    " \t\r\n")] == '\0';
	json_tokener_free(tok);
	if (*value && whole)
		return 0;
	json_free(*value);
	*value = NULL;
	return LB_E_JSON_SYNTAX;
}

/* The member if it has the type, NULL in *value if it is absent or null. */
static errcode_t get_member(json_t *object, const char *key,
			    enum json_type type, json_t **value)
{
	json_t *member = NULL;

	*value = NULL;
	if (!json_object_object_get_ex(object, key, &member) || !member)
		return 0;
	if (!json_object_is_type(member, type))
		return LB_E_JSON_TYPE;
	*value = member;
	return 0;
}

errcode_t json_get_u64(json_t *object, const char *key, u64 *value)
{
	json_t *member;
	errcode_t rc = get_member(object, key, json_type_int, &member);

	if (!rc && member)
		*value = json_object_get_uint64(member);
	return rc;
}

errcode_t json_get_bool(json_t *object, const char *key, bool *value)
{
	json_t *member;
	errcode_t rc = get_member(object, key, json_type_boolean, &member);

	if (!rc && member)
		*value = json_object_get_boolean(member);
	return rc;
}

errcode_t json_get_text(json_t *object, const char *key, const char **value)
{
	json_t *member;
	errcode_t rc = get_member(object, key, json_type_string, &member);

	if (!rc && member)
		*value = json_object_get_string(member);
	return rc;
}

errcode_t json_get_object(json_t *object, const char *key, json_t **value)
{
	return get_member(object, key, json_type_object, value);
}

errcode_t json_get_array(json_t *object, const char *key, json_t **value)
{
	return get_member(object, key, json_type_array, value);
}

size_t json_array_len(json_t *array)
{
	return json_object_array_length(array);
}

json_t *json_array_at(json_t *array, size_t idx)
{
	return json_object_array_get_idx(array, idx);
}

const char *json_string(json_t *value)
{
	if (!json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}
