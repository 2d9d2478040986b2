/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request and facts into a plan: the numbers it decides, at every block
 * size, and that nothing but memory is used for it.
 */
#include "mkfs/plan.h"

#include <errno.h>

#include "base/banned.h"
#include "mkfs/features.h"
#include "tests/lib/tap.h"

#define GIB(n) ((u64)(n) << 30)
#define TIB(n) ((u64)(n) << 40)

/* A request for an ext4 of so many bytes in a file that is not there. */
static struct mkfs_request ext4_of(u32 block_bytes, u64 bytes)
{
	return (struct mkfs_request){
		.path = "/nonexistent/image",
		.type_given = true,
		.type = LBS_EXT4,
		.block_bytes = block_bytes,
		.size = {true, true, bytes},
	};
}

struct planned {
	struct mkfs_plan plan;
	struct str why;
	errcode_t rc;
};

static struct planned make(const struct mkfs_request *rq)
{
	const struct mkfs_place place = {false, false, 0};
	struct facts facts = {0};
	struct planned p = {.why = STR_INIT};

	p.rc = mkfs_plan_make(rq, &facts, &place, &p.plan, &p.why);
	return p;
}

static void drop(struct planned *p)
{
	mkfs_plan_free(&p->plan);
	str_free(&p->why);
}

static void refused(const struct mkfs_request *rq, const char *part)
{
	struct planned p = make(rq);
	struct str name = STR_INIT;

	str_addf(&name, "refused: %s", str_text(&p.why));
	tap_ok(p.rc && strstr(str_text(&p.why), part), str_text(&name));
	str_free(&name);
	drop(&p);
}

static bool says(const struct planned *p, const char *part)
{
	return strstr(str_text(&p->plan.notes), part);
}

static void test_stock_defaults(void)
{
	static const struct {
		u64 bytes;
		u32 block_bytes, inodes, journal, orphan;
	} rows[] = {
		{2 << 20, 1024, 256, 1024, 32},
		{GIB(1), 4096, 65536, 8192, 64},
		{GIB(100), 4096, 6553600, 131072, 512},
		{TIB(5), 4096, 163840 * 1024, 262144, 512},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mkfs_request rq = ext4_of(0, rows[i].bytes);
		struct planned p = make(&rq);
		const struct geom *g = &p.plan.subject.geom;

		tap_is_u64((u64)p.rc, 0, "planned");
		tap_is_u64(g->block_bytes, rows[i].block_bytes, "block size");
		tap_is_u64(g->nr_inodes, rows[i].inodes, "inodes");
		tap_is_u64(p.plan.journal_blks, rows[i].journal, "journal");
		tap_is_u64(p.plan.orphan_blks, rows[i].orphan, "orphan file");
		tap_ok(!says(&p, "undoes"), "nothing differs from stock");
		drop(&p);
	}
}

static void test_large_defaults(void)
{
	for (u32 bs = 8192; bs <= 65536; bs *= 2) {
		struct mkfs_request rq = ext4_of(bs, GIB(64));
		struct planned p = make(&rq);
		const struct geom *g = &p.plan.subject.geom;

		tap_is_u64((u64)p.rc, 0, "planned");
		tap_is_u64(g->clusters_per_group,
			   p.plan.limits.clusters_per_group, "our groups");
		tap_is_u64(p.plan.journal_blks * bs, GIB(1) / 2,
			   "the journal has the bytes it has at 4K");
		tap_is_u64(p.plan.orphan_blks * bs, 2 << 20,
			   "and so has the orphan file");
		tap_is_u64(mkfs_plan_lost_bytes(&p.plan), 0, "no tail is lost");
		tap_ok(says(&p, "-g 65528 undoes it"),
		       "and it is said how to undo the groups");
		tap_ok(says(&p, "-J size=1024 undoes it") == (bs == 65536),
		       "and the journal where stock's is another");
		drop(&p);
	}
}

static void test_subject(void)
{
	struct mkfs_request rq = ext4_of(65536, GIB(8));
	struct planned p;
	const struct lbs_subject *s = &p.plan.subject;

	rq.features.set.compat = FEAT_COMPAT_FAST_COMMIT;
	p = make(&rq);
	tap_ok(s->planned && !s->geom_error, "the judge gets a subject");
	tap_is_u64(super_nr_blocks(&s->sb), p.plan.nr_blocks, "its blocks");
	tap_is_u64(s->journal_blks, p.plan.journal_blks + p.plan.fast_blks,
		   "its journal, the fast-commit area included");
	tap_is_u64(s->journal_fast_blks, p.plan.journal_blks / 64,
		   "which is 1/64 of it");
	tap_is_u64(s->orphan_bytes, p.plan.orphan_blks * 65536,
		   "its orphan file");
	tap_ok(p.plan.metadata_bytes > p.plan.journal_blks * 65536 &&
		       p.plan.metadata_bytes < GIB(8),
	       "and how much is metadata");
	drop(&p);
}

static void test_given_up(void)
{
	struct mkfs_request rq = ext4_of(65536, 100 << 20);
	struct planned p = make(&rq);

	tap_ok(!p.plan.journal_blks && says(&p, "There is no journal"),
	       "too small for a journal is said");
	tap_ok(!p.plan.orphan_blks &&
		       !(p.plan.features.compat & FEAT_COMPAT_ORPHAN_FILE),
	       "without a journal no orphan file");
	tap_ok(says(&p, "no backup"), "one group is said");
	drop(&p);
	rq = ext4_of(4096, TIB(16));
	p = make(&rq);
	tap_ok(!p.rc && says(&p, "resize_inode"),
	       "2^32 blocks go without the resize inode");
	tap_is_u64(p.plan.nr_blocks, 1ULL << 32, "and are all there");
	drop(&p);
	rq = ext4_of(4096, GIB(1));
	rq.features.clear.compat = FEAT_COMPAT_HAS_JOURNAL;
	p = make(&rq);
	tap_ok(!p.rc && says(&p, "orphan_file"),
	       "without journal the default orphan file goes, and is named");
	drop(&p);
	rq.features.set.compat = FEAT_COMPAT_ORPHAN_FILE;
	refused(&rq, "has_journal");
}

static void test_refusals(void)
{
	struct mkfs_request rq = ext4_of(65536, GIB(8));

	rq.inode_bytes = 65536;
	refused(&rq, "32768");
	rq = ext4_of(65536, GIB(8));
	rq.group_clusters = 65536;
	refused(&rq, "65528");
	rq = ext4_of(65536, GIB(8));
	rq.journal_bytes = 16 << 20;
	refused(&rq, "64 to 640000 MiB");
	rq = ext4_of(65536, GIB(64));
	rq.orphan_size = (struct mkfs_amount){true, false, 129};
	refused(&rq, "128 blocks");
	rq = ext4_of(65536, GIB(8));
	rq.features.set.ro_compat = FEAT_RO_COMPAT_BIGALLOC;
	rq.cluster_bytes = GIB(1) / 2;
	refused(&rq, "268435456");
	rq = ext4_of(4096, GIB(1));
	rq.nr_inodes = 4000000;
	refused(&rq, "at most");
	rq = ext4_of(4096, 0);
	rq.size.given = false;
	refused(&rq, "does not exist");
	rq = ext4_of(65536, 600 << 10);
	refused(&rq, "too small");
}

static void test_device(void)
{
	const struct mkfs_place place = {true, true, GIB(10)};
	struct mkfs_request rq = ext4_of(0, 0);
	struct facts facts = {0};
	struct mkfs_plan plan;
	struct str why = STR_INIT;

	rq.size.given = false;
	facts.device.present = true;
	facts.device.logical_bytes = 16384;
	facts.device.minimum_io_bytes = 65536;
	facts.device.optimal_io_bytes = 262144;
	tap_ok(!mkfs_plan_make(&rq, &facts, &place, &plan, &why), "planned");
	tap_is_u64(plan.block_bytes, 16384, "no block below a sector");
	tap_is_u64(plan.fs->super->s_raid_stride, 4, "stride of the device");
	tap_is_u64(plan.fs->super->s_raid_stripe_width, 16, "stripe width");
	mkfs_plan_free(&plan);
	/* A hint is no reason for large blocks; only a sector is. */
	facts.device.logical_bytes = 512;
	facts.device.physical_bytes = 8192;
	tap_ok(!mkfs_plan_make(&rq, &facts, &place, &plan, &why), "planned");
	tap_is_u64(plan.block_bytes, 4096, "a physical sector is a hint only");
	mkfs_plan_free(&plan);
	rq.size = (struct mkfs_amount){true, true, GIB(11)};
	tap_ok(mkfs_plan_make(&rq, &facts, &place, &plan, &why) == EINVAL &&
		       strstr(str_text(&why), "larger than the device"),
	       "no filesystem is larger than its device");
	mkfs_plan_free(&plan);
	str_free(&why);
}

static void test_time(void)
{
	struct mkfs_request rq = ext4_of(4096, GIB(1));
	struct planned p;

	setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
	p = make(&rq);
	tap_is_u64(p.plan.fs->super->s_mkfs_time, 1700000000,
		   "SOURCE_DATE_EPOCH is the time");
	drop(&p);
	setenv("SOURCE_DATE_EPOCH", "soon", 1);
	refused(&rq, "SOURCE_DATE_EPOCH");
	unsetenv("SOURCE_DATE_EPOCH");
}

int main(void)
{
	err_init();
	initialize_ext2_error_table();
	test_stock_defaults();
	test_large_defaults();
	test_subject();
	test_given_up();
	test_refusals();
	test_device();
	test_time();
	return tap_done();
}
