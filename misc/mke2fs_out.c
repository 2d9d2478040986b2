/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What mke2fs prints: the plan in numbers, and the verdict in sentences. */
#include <inttypes.h>
#include <uuid/uuid.h>

#include "base/banned.h"
#include "base/units.h"
#include "misc/mke2fs.h"

enum {
	LIST_COLUMNS = 76
};

static void print_size_row(const char *name, u64 bytes, u64 blks)
{
	printf("  %-16s%s (%" PRIu64 " blocks)\n", name,
	       units_format(bytes).text, blks);
}

/* The list people copy block numbers for "e2fsck -b" from. */
static void print_backups(const struct geom *g)
{
	int column = 0;

	if (!geom_nr_backups(g))
		return;
	printf("Superblock backups stored on blocks:");
	for (u32 grp = 1; grp < g->nr_groups; grp++) {
		struct str text = STR_INIT;

		if (!geom_group_has_super(g, grp))
			continue;
		str_addf(&text, "%s%" PRIu64, column ? ", " : "",
			 geom_group_first_blk(g, grp));
		if (!column || column + (int)text.len > LIST_COLUMNS) {
			printf("%s\n\t%" PRIu64, column ? "," : "",
			       geom_group_first_blk(g, grp));
			column = 8;
		} else {
			fputs(str_text(&text), stdout);
		}
		column += (int)text.len;
		str_free(&text);
	}
	printf("\n");
}

static void print_uuid(const struct mkfs_plan *plan)
{
	char text[37];

	uuid_unparse(plan->fs->super->s_uuid, text);
	printf("Filesystem UUID: %s\n", text);
}

static void print_groups(const struct mkfs_plan *plan)
{
	const struct geom *g = &plan->subject.geom;
	u32 backups = geom_nr_backups(g);

	printf("  %-16s%" PRIu32 ", of %" PRIu32 " clusters (%s) each\n",
	       "groups", g->nr_groups, g->clusters_per_group,
	       units_format((u64)g->clusters_per_group * g->cluster_bytes)
		       .text);
	if (backups)
		printf("  %-16s%" PRIu32 ", the first in block %" PRIu64 "\n",
		       "backups", backups, geom_first_backup_blk(g));
	else
		printf("  %-16snone\n", "backups");
}

static void print_metadata(const struct mkfs_plan *plan)
{
	u64 bytes = geom_bytes(&plan->subject.geom);

	printf("  %-16s%s, %.1f %%\n", "metadata",
	       units_format(plan->metadata_bytes).text,
	       100.0 * (double)plan->metadata_bytes / (double)bytes);
}

void mke2fs_print_plan(const struct mkfs_request *rq,
		       const struct mkfs_plan *plan)
{
	const struct geom *g = &plan->subject.geom;
	struct str features = STR_INIT;

	printf("%s: %s, %" PRIu64 " bytes (%s)\n", rq->path,
	       lbs_fs_type_text(rq->type), geom_bytes(g),
	       units_format(geom_bytes(g)).text);
	printf("  %-16s%s, %" PRIu64 " of them\n", "blocks",
	       units_format(g->block_bytes).text, g->nr_blocks);
	if (g->cluster_blks > 1)
		printf("  %-16s%s\n", "clusters",
		       units_format(g->cluster_bytes).text);
	printf("  %-16s%" PRIu32 " of %" PRIu32 " bytes\n", "inodes",
	       g->nr_inodes, g->inode_bytes);
	print_groups(plan);
	if (plan->journal_blks)
		print_size_row("journal",
			       (plan->journal_blks + plan->fast_blks) *
				       g->block_bytes,
			       plan->journal_blks + plan->fast_blks);
	else
		printf("  %-16snone\n", "journal");
	if (plan->orphan_blks)
		print_size_row("orphan file",
			       plan->orphan_blks * g->block_bytes,
			       plan->orphan_blks);
	print_metadata(plan);
	features_print(&plan->features, &features);
	printf("  %-16s%s\n", "features", str_text(&features));
	str_free(&features);
	print_uuid(plan);
	print_backups(g);
	fputs(str_text(&plan->notes), stdout);
}

void mke2fs_print_verdict(const struct mkfs_request *rq,
			  const struct verdict *v)
{
	for (size_t i = 0; i < v->nr_rulings; i++) {
		const struct lbs_ruling *r = &v->rulings[i];
		bool bad = r->outcome != LBS_OK;

		/* The plan has said how many backups there are. */
		if (!bad && (rq->quiet || !rq->verbose))
			continue;
		fprintf(bad ? stderr : stdout, "%s%s%s%s [%s]\n",
			bad ? "mke2fs: " : "", r->why, r->todo[0] ? " " : "",
			r->todo, r->id);
	}
}
