/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thin typed face of json-c, the only user of that library. Sizes are
 * numbers in bytes; what is absent is null; an empty list is []. Writers never
 * fail one by one: out of memory ends in json_text() returning NULL.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/err.h"
#include "base/types.h"

struct json_object;
typedef struct json_object json_t;

json_t *json_new_object(void);
json_t *json_new_array(void);
void json_free(json_t *value);

/* Put a member into an object. A NULL text is written as null. */
void json_put_u64(json_t *object, const char *key, u64 value);
void json_put_bool(json_t *object, const char *key, bool value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_null(json_t *object, const char *key);
/* The object or array takes ownership of value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_append(json_t *array, json_t *value);
void json_append_text(json_t *array, const char *text);

/* Indented text with a final newline; owned by value. */
const char *json_text(json_t *value);

/* Parses one whole document; caller frees. Error: LB_E_JSON_SYNTAX. */
errcode_t json_parse(const char *text, json_t **value) LB_MUST_CHECK;
/*
 * Get a member of the right type. A missing member or null leaves *value as it
 * is and returns 0; another type is LB_E_JSON_TYPE. Texts and members are
 * borrowed from object.
 */
errcode_t json_get_u64(json_t *object, const char *key, u64 *value)
	LB_MUST_CHECK;
errcode_t json_get_bool(json_t *object, const char *key, bool *value)
	LB_MUST_CHECK;
errcode_t json_get_text(json_t *object, const char *key, const char **value)
	LB_MUST_CHECK;
errcode_t json_get_object(json_t *object, const char *key, json_t **value)
	LB_MUST_CHECK;
errcode_t json_get_array(json_t *object, const char *key, json_t **value)
	LB_MUST_CHECK;
size_t json_array_len(json_t *array);
json_t *json_array_at(json_t *array, size_t idx);
/* The text of a string value, or NULL when it is none. */
const char *json_string(json_t *value);

#endif
