/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts to JSON and back. What they mean is in facts.c. */
#include "base/banned.h"
#include "probe/facts.h"
#include "probe/kernel.h"

json_t *fact_to_json(const struct fact *f)
{
	json_t *value = json_new_object();

	json_put_text(value, "value", tri_text(f->value));
	json_put_text(value, "why", f->why);
	return value;
}

/* An absent text is null, never "". */
static void put_name(json_t *object, const char *key, const char *name)
{
	json_put_text(object, key, name[0] ? name : NULL);
}

/* A size that is not known is null, never 0. */
static void put_size(json_t *object, const char *key, u64 bytes)
{
	if (bytes)
		json_put_u64(object, key, bytes);
	else
		json_put_null(object, key);
}

json_t *facts_features_to_json(const struct kernel_facts *k)
{
	json_t *list = json_new_array();

	for (u32 i = 0; i < k->nr_features; i++)
		json_append_text(list, k->features[i]);
	return list;
}

static json_t *kernel_to_json(const struct kernel_facts *k)
{
	json_t *value = json_new_object();

	json_put_bool(value, "declared", k->declared);
	put_name(value, "release", k->release);
	put_size(value, "page_bytes", k->page_bytes);
	json_put(value, "large_blocks", fact_to_json(&k->large_blocks));
	json_put(value, "huge_pages", fact_to_json(&k->huge_pages));
	json_put(value, "ext4", fact_to_json(&k->ext4_present));
	json_put(value, "features", facts_features_to_json(k));
	return value;
}

static json_t *device_to_json(const struct device_facts *d)
{
	json_t *value = json_new_object();

	json_put_bool(value, "declared", d->declared);
	put_name(value, "name", d->name);
	put_size(value, "logical_bytes", d->logical_bytes);
	put_size(value, "physical_bytes", d->physical_bytes);
	put_size(value, "optimal_io_bytes", d->optimal_io_bytes);
	put_size(value, "minimum_io_bytes", d->minimum_io_bytes);
	put_size(value, "max_io_bytes", d->max_io_bytes);
	put_name(value, "max_io_path", d->max_io_path);
	put_size(value, "atomic_min_bytes", d->atomic_min_bytes);
	put_size(value, "atomic_max_bytes", d->atomic_max_bytes);
	json_put(value, "dax", fact_to_json(&d->dax));
	json_put_bool(value, "zoned", d->zoned);
	put_name(value, "stack", d->stack);
	json_put_bool(value, "vduse", d->vduse);
	put_size(value, "vduse_bounce_bytes", d->vduse_bounce_bytes);
	put_name(value, "vduse_bounce_path", d->vduse_bounce_path);
	return value;
}

json_t *facts_to_json(const struct facts *f)
{
	json_t *value = json_new_object();

	if (!value)
		return NULL;
	json_put_u64(value, "schema", 1);
	json_put(value, "kernel", kernel_to_json(&f->kernel));
	if (f->device.present)
		json_put(value, "device", device_to_json(&f->device));
	else
		json_put_null(value, "device");
	return value;
}

/* The one place that calls a recorded fact impossible. */
static errcode_t check_value(bool possible)
{
	return possible ? 0 : LB_E_FACT_VALUE;
}

/* Where a row of the tables below puts what it reads. */
struct name_slot {
	const char *key;
	char *text;
	size_t size;
};

struct size_slot {
	const char *key;
	u64 *bytes;
	u64 max;
};

struct bool_slot {
	const char *key;
	bool *value;
};

struct fact_slot {
	const char *key;
	struct fact *fact;
};

static errcode_t get_names(json_t *object, const struct name_slot *slots)
{
	errcode_t rc = 0;

	for (; !rc && slots->key; slots++) {
		const char *text = NULL;

		rc = json_get_text(object, slots->key, &text);
		if (!rc && text)
			rc = check_value(strlen(text) < slots->size);
		if (!rc && text)
			snprintf(slots->text, slots->size, "%s", text);
	}
	return rc;
}

static errcode_t get_sizes(json_t *object, const struct size_slot *slots)
{
	errcode_t rc = 0;

	for (; !rc && slots->key; slots++) {
		rc = json_get_u64(object, slots->key, slots->bytes);
		if (!rc)
			rc = check_value(*slots->bytes <= slots->max);
	}
	return rc;
}

static errcode_t get_bools(json_t *object, const struct bool_slot *slots)
{
	errcode_t rc = 0;

	for (; !rc && slots->key; slots++)
		rc = json_get_bool(object, slots->key, slots->value);
	return rc;
}

static errcode_t get_fact(json_t *object, const char *key, struct fact *f)
{
	json_t *member = NULL;
	const char *value = "unknown", *why = NULL;
	enum tri tri;
	errcode_t rc;

	rc = json_get_object(object, key, &member);
	if (rc || !member)
		return rc;
	rc = json_get_text(member, "value", &value);
	if (!rc)
		rc = json_get_text(member, "why", &why);
	if (!rc)
		rc = check_value(!tri_parse(value, &tri));
	if (!rc)
		fact_set(f, tri, "%s", why && *why ? why : "recorded so");
	return rc;
}

static errcode_t get_facts(json_t *object, const struct fact_slot *slots)
{
	errcode_t rc = 0;

	for (; !rc && slots->key; slots++) {
		fact_set(slots->fact, TRI_UNKNOWN, "not recorded");
		rc = get_fact(object, slots->key, slots->fact);
	}
	return rc;
}

static errcode_t get_features(json_t *object, struct kernel_facts *k)
{
	json_t *list = NULL;
	errcode_t rc = json_get_array(object, "features", &list);
	size_t nr = list ? json_array_len(list) : 0;

	if (!rc)
		rc = check_value(nr <= FACT_FEATURES_MAX);
	for (size_t i = 0; !rc && i < nr; i++) {
		const char *name = json_string(json_array_at(list, i));

		rc = check_value(name && strlen(name) < sizeof(k->features[0]));
		if (rc)
			break;
		snprintf(k->features[i], sizeof(k->features[i]), "%s", name);
		k->nr_features++;
	}
	return rc;
}

static errcode_t kernel_from_json(json_t *object, struct kernel_facts *k)
{
	const struct bool_slot bools[] = {{"declared", &k->declared}, {0}};
	const struct name_slot names[] = {
		{"release", k->release, sizeof(k->release)}, {0}};
	const struct size_slot sizes[] = {
		{"page_bytes", &k->page_bytes, UINT64_MAX}, {0}};
	const struct fact_slot slots[] = {{"large_blocks", &k->large_blocks},
					  {"huge_pages", &k->huge_pages},
					  {"ext4", &k->ext4_present},
					  {0}};
	errcode_t rc = get_facts(object, slots);

	if (!rc)
		rc = get_bools(object, bools);
	if (!rc)
		rc = get_names(object, names);
	if (!rc)
		rc = get_sizes(object, sizes);
	if (!rc)
		rc = get_features(object, k);
	/* A release without a readable version is allowed: version unknown. */
	if (!rc && kernel_parse_version(k->release, &k->version))
		k->version = 0;
	return rc;
}

static errcode_t device_from_json(json_t *object, struct device_facts *d)
{
	u64 logical = 0, physical = 0;
	const struct bool_slot bools[] = {{"declared", &d->declared},
					  {"zoned", &d->zoned},
					  {"vduse", &d->vduse},
					  {0}};
	const struct name_slot names[] = {
		{"name", d->name, sizeof(d->name)},
		{"stack", d->stack, sizeof(d->stack)},
		{"max_io_path", d->max_io_path, sizeof(d->max_io_path)},
		{"vduse_bounce_path", d->vduse_bounce_path,
		 sizeof(d->vduse_bounce_path)},
		{0}};
	const struct size_slot sizes[] = {
		{"logical_bytes", &logical, UINT32_MAX},
		{"physical_bytes", &physical, UINT32_MAX},
		{"optimal_io_bytes", &d->optimal_io_bytes, UINT64_MAX},
		{"minimum_io_bytes", &d->minimum_io_bytes, UINT64_MAX},
		{"max_io_bytes", &d->max_io_bytes, UINT64_MAX},
		{"atomic_min_bytes", &d->atomic_min_bytes, UINT64_MAX},
		{"atomic_max_bytes", &d->atomic_max_bytes, UINT64_MAX},
		{"vduse_bounce_bytes", &d->vduse_bounce_bytes, UINT64_MAX},
		{0}};
	const struct fact_slot slots[] = {{"dax", &d->dax}, {0}};
	errcode_t rc;

	d->present = true;
	rc = get_facts(object, slots);
	if (!rc)
		rc = get_bools(object, bools);
	if (!rc)
		rc = get_names(object, names);
	if (!rc)
		rc = get_sizes(object, sizes);
	d->logical_bytes = (u32)logical;
	d->physical_bytes = (u32)physical;
	return rc;
}

errcode_t facts_from_json(json_t *value, struct facts *f)
{
	json_t *kernel = NULL, *device = NULL;
	errcode_t rc;

	facts_init(f);
	rc = json_get_object(value, "kernel", &kernel);
	if (!rc)
		rc = json_get_object(value, "device", &device);
	if (!rc && kernel)
		rc = kernel_from_json(kernel, &f->kernel);
	if (!rc && device)
		rc = device_from_json(device, &f->device);
	return rc;
}

void facts_init(struct facts *f)
{
	memset(f, 0, sizeof(*f));
	fact_set(&f->kernel.large_blocks, TRI_UNKNOWN, "not recorded");
	fact_set(&f->kernel.huge_pages, TRI_UNKNOWN, "not recorded");
	fact_set(&f->kernel.ext4_present, TRI_UNKNOWN, "not recorded");
	fact_set(&f->device.dax, TRI_UNKNOWN, "no device was looked at");
}
