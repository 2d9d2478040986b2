/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words and the JSON of e2lbs check. Judges nothing. */
#include <inttypes.h>

#include "base/banned.h"
#include "base/str.h"
#include "base/units.h"
#include "misc/e2lbs_check.h"

/* Damage is a ruling about the filesystem itself that is not mere information.
 */
static bool is_damaged(const struct check_result *r)
{
	for (size_t i = 0; i < r->verdict.nr_rulings; i++)
		if (r->verdict.rulings[i].about == LBS_FS &&
		    r->verdict.rulings[i].outcome != LBS_OK)
			return true;
	return verdict_find(&r->verdict, "LBS_STATE_ERROR");
}

/* Whether the kernel, and nothing else, stands in the way. */
static bool only_kernel_refuses(const struct check_result *r)
{
	for (size_t i = 0; i < r->verdict.nr_rulings; i++)
		if (r->verdict.rulings[i].outcome == LBS_REFUSE &&
		    r->verdict.rulings[i].about != LBS_KERNEL)
			return false;
	return true;
}

static void add_kernel(const struct check_result *r, struct str *out)
{
	const struct kernel_facts *k = &r->facts->kernel;

	str_add(out, k->declared ? "the declared kernel" : "this kernel");
	if (k->release[0])
		str_addf(out, " (%s)", k->release);
}

static const char *health_text(const struct check_result *r)
{
	if (is_damaged(r))
		return "the filesystem is damaged";
	if (verdict_find(&r->verdict, "LBS_RECOVERY"))
		return "the filesystem looks healthy (not unmounted cleanly)";
	return "the filesystem looks healthy";
}

static void add_headline(const struct check_result *r, struct str *out)
{
	bool damaged = is_damaged(r);

	str_addf(out, "%s: %s", r->subject->name, health_text(r));
	switch (r->verdict.outcome) {
	case LBS_OK:
		str_addf(out, "%s ", damaged ? ", but" : ", and");
		add_kernel(r, out);
		str_add(out, " mounts it.");
		break;
	case LBS_WARN:
		str_addf(out, "%s ", damaged ? ";" : ", and");
		add_kernel(r, out);
		str_add(out, " mounts it, but not everything will work.");
		break;
	case LBS_UNKNOWN:
		str_addf(out, "%s whether ", damaged ? ";" : ", but");
		add_kernel(r, out);
		str_add(out, " mounts it cannot be known from here.");
		break;
	case LBS_REFUSE:
		str_addf(out, "%s ", damaged ? ", and" : ", but");
		add_kernel(r, out);
		str_add(out, " refuses to mount it.");
		if (!damaged && only_kernel_refuses(r))
			str_add(out, " Nothing is broken: only this kernel "
				     "cannot mount it, and the files can be "
				     "had all the same.");
		break;
	}
}

/*
 * A label is bytes, and a terminal obeys some: what is not printable ASCII is
 * escaped. JSON wants UTF-8, so it is the same there.
 */
static void add_label(const u8 *label, struct str *out)
{
	for (; *label; label++) {
		if (*label >= 0x20 && *label < 0x7F)
			str_add_len(out, (const char *)label, 1);
		else
			str_addf(out, "\\x%02x", *label);
	}
}

static void print_summary(const struct check_result *r)
{
	const struct lbs_subject *s = r->subject;
	struct str out = STR_INIT;

	if (s->geom_error)
		return;
	str_addf(&out, "  %s, blocks of %s, %s in %" PRIu32 " group%s",
		 lbs_fs_type_text(lbs_fs_type_detected(&s->sb)),
		 units_format(s->geom.block_bytes).text,
		 units_format(geom_bytes(&s->geom)).text, s->geom.nr_groups,
		 s->geom.nr_groups == 1 ? "" : "s");
	if (s->sb.volume_name[0]) {
		str_add(&out, ", label \"");
		add_label(s->sb.volume_name, &out);
		str_add(&out, "\"");
	}
	printf("%s\n", str_text(&out));
	str_free(&out);
}

/* Whether a ruling belongs under the heading that lists this outcome. */
static bool is_listed(const struct lbs_ruling *r, bool notes)
{
	return (r->outcome == LBS_OK) == notes;
}

static void print_list(const struct verdict *v, const char *heading, bool notes)
{
	bool first = true;

	for (size_t i = 0; i < v->nr_rulings; i++) {
		if (!is_listed(&v->rulings[i], notes))
			continue;
		if (first)
			printf("%s:\n", heading);
		first = false;
		printf("  - %s [%s]\n", v->rulings[i].why, v->rulings[i].id);
	}
}

/* A regular file needs a loop device to be mounted. */
static bool is_image_file(const struct check_result *r)
{
	return !r->facts->device.present || r->facts->device.declared;
}

static void print_mount(const struct check_result *r)
{
	const char *options = r->request->options ? r->request->options : "";
	bool loop = is_image_file(r);

	printf("  - mount -t %s%s%s%s%s %s DIRECTORY\n",
	       lbs_fs_type_text(r->request->fs_type),
	       loop || *options ? " -o " : "", loop ? "loop" : "",
	       loop && *options ? "," : "", options, r->subject->name);
}

static void print_todo(const struct check_result *r)
{
	bool first = true;

	for (size_t i = 0; i < r->verdict.nr_rulings; i++) {
		const struct lbs_ruling *ruling = &r->verdict.rulings[i];

		if (!ruling->todo[0])
			continue;
		if (first)
			printf("What to do:\n");
		first = false;
		printf("  - %s\n", ruling->todo);
	}
	if (r->verdict.outcome != LBS_OK && r->verdict.outcome != LBS_WARN)
		return;
	if (first)
		printf("What to do:\n");
	print_mount(r);
}

void check_print_text(const struct check_result *r)
{
	struct str headline = STR_INIT;

	add_headline(r, &headline);
	printf("%s\n", str_text(&headline));
	str_free(&headline);
	print_summary(r);
	print_list(&r->verdict, "Why", false);
	print_todo(r);
	print_list(&r->verdict, "Good to know", true);
}

static void put_bytes_text(json_t *o, const char *key, const u8 *text)
{
	struct str out = STR_INIT;

	add_label(text, &out);
	json_put_text(o, key, str_text(&out));
	str_free(&out);
}

static void put_uuid(json_t *o, const u8 *uuid)
{
	struct str out = STR_INIT;

	for (int i = 0; i < 16; i++)
		str_addf(&out, "%s%02x",
			 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			 uuid[i]);
	json_put_text(o, "uuid", str_text(&out));
	str_free(&out);
}

static json_t *features_to_json(const struct features *f)
{
	json_t *list = json_new_array();
	struct str names = STR_INIT;
	const char *at;

	features_print(f, &names);
	at = str_text(&names);
	while (*at) {
		size_t len = strcspn(at, " ");
		struct str one = STR_INIT;

		str_add_len(&one, at, len);
		json_append_text(list, str_text(&one));
		str_free(&one);
		at += len + (at[len] == ' ');
	}
	str_free(&names);
	return list;
}

static json_t *journal_to_json(const struct lbs_subject *s)
{
	static const char *const kinds[] = {
		[LBS_JOURNAL_NONE] = "none",
		[LBS_JOURNAL_INTERNAL] = "internal",
		[LBS_JOURNAL_EXTERNAL] = "external",
	};
	json_t *o = json_new_object();

	json_put_text(o, "kind", kinds[s->journal]);
	if (s->journal_known && s->journal_is_valid) {
		json_put_u64(o, "blocks", s->journal_blks);
		json_put_u64(o, "block_size", s->journal_block_bytes);
		json_put_u64(o, "fast_commit_blocks", s->journal_fast_blks);
	}
	json_put_bool(o, "needs_recovery",
		      super_has_incompat(&s->sb, FEAT_INCOMPAT_NEEDS_RECOVERY));
	return o;
}

static void put_geometry(json_t *o, const struct geom *g)
{
	json_put_u64(o, "block_size", g->block_bytes);
	json_put_u64(o, "cluster_size", g->cluster_bytes);
	json_put_u64(o, "bytes", geom_bytes(g));
	json_put_u64(o, "blocks", g->nr_blocks);
	json_put_u64(o, "groups", g->nr_groups);
	json_put_u64(o, "blocks_per_group", g->blks_per_group);
	json_put_u64(o, "clusters_per_group", g->clusters_per_group);
	json_put_u64(o, "inodes", g->nr_inodes);
	json_put_u64(o, "inode_size", g->inode_bytes);
	json_put_u64(o, "backup_superblocks", geom_nr_backups(g));
	if (geom_nr_backups(g))
		json_put_u64(o, "first_backup_block", geom_first_backup_blk(g));
	else
		json_put_null(o, "first_backup_block");
	json_put_u64(o, "bitmap_padding_bits", geom_bitmap_padding_bits(g));
	json_put_u64(o, "bitmap_checksum_bytes", geom_bitmap_csum_bytes(g));
}

static json_t *subject_to_json(const struct lbs_subject *s)
{
	struct features f = super_features(&s->sb);
	json_t *o = json_new_object();

	json_put_text(o, "type",
		      lbs_fs_type_text(lbs_fs_type_detected(&s->sb)));
	put_uuid(o, s->sb.uuid);
	put_bytes_text(o, "label", s->sb.volume_name);
	json_put(o, "features", features_to_json(&f));
	json_put_bool(o, "geometry_valid", !s->geom_error);
	if (!s->geom_error)
		put_geometry(o, &s->geom);
	json_put(o, "journal", journal_to_json(s));
	if (s->orphan_known)
		json_put_u64(o, "orphan_file_bytes", s->orphan_bytes);
	else
		json_put_null(o, "orphan_file_bytes");
	json_put_bool(o, "errors_recorded", s->sb.state & SUPER_STATE_ERROR);
	return o;
}

json_t *check_to_json(const struct check_result *r)
{
	json_t *o = json_new_object();

	json_put_u64(o, "schema", 1);
	json_put_text(o, "path", r->subject->name);
	json_put_text(o, "verdict", lbs_outcome_text(r->verdict.outcome));
	json_put_bool(o, "healthy", !is_damaged(r));
	json_put_text(o, "mount_type", lbs_fs_type_text(r->request->fs_type));
	json_put_text(o, "mount_options", r->request->options);
	json_put(o, "rules", verdict_rules_to_json(&r->verdict));
	json_put(o, "filesystem", subject_to_json(r->subject));
	json_put(o, "facts", facts_to_json(r->facts));
	return o;
}
