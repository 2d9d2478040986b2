/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays the journal of an image into a copy, and says what it found.
 *
 *	replay IMAGE OUT [JOURNAL-DEVICE]
 * IMAGE is only read. OUT is made anew: IMAGE with the blocks of the log; the
 * journal itself and the superblock's flags stay as they are. Exit: 0 all was
 * replayed or nothing was to do, 1 something was lost, 2 it could not be done.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"
#include "fsread/map.h"
#include "jbd2/fastcommit.h"
#include "jbd2/replay.h"

enum {
	EXIT_LOST = 1,
	EXIT_BAD = 2,
	CHUNK_BYTES = 1 << 20,
	MEMORY_MAX_BYTES = 16 << 20,
};

struct job {
	struct image *img;
	struct image *device; /* NULL: the journal is inside */
	struct super sb;
	struct geom geom;
	struct jbd2_log log;
	struct overlay *overlay;
	int out;
	bool lost;
	u8 chunk[CHUNK_BYTES];
};

static errcode_t open_log(struct job *job)
{
	struct fsread fs = {job->img, &job->geom};
	struct fsread_map map;
	struct inode inode;
	bool found;
	errcode_t rc;

	if (job->device)
		return jbd2_log_open_device(job->device, &job->log);
	rc = fsread_inode(&fs, job->sb.journal_inum, &inode, &found);
	if (!rc && !found)
		rc = ENOENT;
	if (rc)
		return rc;
	rc = fsread_map(&fs, &inode, &map);
	if (rc)
		return rc;
	if (map.defects)
		printf("map: defects 0x%x at block %" PRIu64 "\n", map.defects,
		       map.bad_blk);
	rc = jbd2_log_open_runs(job->img, job->geom.block_bytes, map.runs.at,
				map.runs.nr, &job->log);
	fsread_map_done(&map);
	return rc;
}

static void report(struct job *job, const struct jbd2_plan *plan)
{
	static const char *const state[] = {"clean", "complete", "cut",
					    "refused"};
	const struct jbd2_scan *s = &plan->scan;

	printf("state: %s\n", state[s->state]);
	printf("transactions: %u from %u, next %u\n", s->nr_txns, s->first_tid,
	       s->next_sequence);
	if (s->end)
		printf("end: %s\n", jbd2_end_text(s->end));
	if (s->failure)
		printf("failure: %s, transaction %u, log block %u\n",
		       jbd2_failure_text(s->failure), s->failed_tid,
		       s->failed_logblk);
	printf("copies: %zu, revoked: %" PRIu64 "\n", plan->writes.nr,
	       plan->nr_revoked);
	for (size_t i = 0; i < plan->losses.nr; i++)
		printf("lost: block %" PRIu64 ": %s\n", plan->losses.at[i].blk,
		       jbd2_loss_text(plan->losses.at[i].why));
	job->lost = s->failure || plan->losses.nr;
}

static errcode_t report_fast(struct job *job, const struct jbd2_journal *j,
			     u32 tid)
{
	struct jbd2_fc_limits limits = {job->geom.nr_blocks,
					job->geom.nr_inodes,
					job->geom.inode_bytes};
	struct jbd2_fc fc;
	errcode_t rc = jbd2_fc_scan(j, tid, &limits, &fc);

	if (rc)
		return rc;
	printf("fast: %u commits, %zu records, %" PRIu64 " dropped, %s\n",
	       fc.nr_commits, fc.recs.nr, fc.nr_dropped,
	       jbd2_fc_end_text(fc.end));
	jbd2_fc_done(&fc);
	return 0;
}

static errcode_t replay(struct job *job)
{
	struct jbd2_journal j;
	struct jbd2_plan plan;
	errcode_t rc = jbd2_journal_load(&job->log, &j);

	if (rc)
		return rc;
	if (j.defects)
		printf("superblock: defects 0x%x\n", j.defects);
	if (!jbd2_journal_is_usable(&j)) {
		printf("state: unusable\n");
		job->lost = true;
		return 0;
	}
	rc = jbd2_plan_make(&j, job->geom.nr_blocks, &plan);
	if (rc)
		return rc;
	report(job, &plan);
	rc = jbd2_plan_apply(&j, &plan, job->overlay);
	if (!rc && j.sb.start && jsb_fast_blks(&j.sb))
		rc = report_fast(job, &j, plan.scan.end_tid);
	jbd2_plan_done(&plan);
	return rc;
}

static errcode_t write_all(int fd, const u8 *bytes, size_t len, u64 off)
{
	while (len) {
		ssize_t n = pwrite(fd, bytes, len, (off_t)off);

		if (n <= 0)
			return n ? errno : EIO;
		bytes += n;
		off += (u64)n;
		len -= (size_t)n;
	}
	return 0;
}

static errcode_t put_block(void *arg, u64 blk, const u8 *bytes)
{
	struct job *job = arg;

	return write_all(job->out, bytes, job->geom.block_bytes,
			 blk * job->geom.block_bytes);
}

/* What IMAGE has, holes staying holes, then what the log has. */
static errcode_t write_copy(struct job *job)
{
	u64 bytes = image_bytes(job->img), off = 0;
	errcode_t rc = ftruncate(job->out, (off_t)bytes) ? errno : 0;

	while (!rc) {
		off_t data = lseek(image_fd(job->img), (off_t)off, SEEK_DATA);
		size_t n;

		if (data < 0)
			break;
		off = (u64)data;
		n = (size_t)u64_min(CHUNK_BYTES, bytes - off);
		rc = image_read(job->img, off, job->chunk, n);
		if (!rc)
			rc = write_all(job->out, job->chunk, n, off);
		off += n;
	}
	return rc ? rc : overlay_each(job->overlay, put_block, job);
}

static errcode_t run(struct job *job)
{
	struct overlay_args args = {0, MEMORY_MAX_BYTES, getenv("TMPDIR")};
	u8 raw[SUPER_BYTES];
	errcode_t rc = image_read(job->img, SUPER_OFFSET, raw, sizeof(raw));

	if (!rc)
		rc = super_parse(span_of(raw, sizeof(raw)), &job->sb);
	if (!rc)
		rc = geom_from_super(&job->sb, &job->geom);
	if (rc)
		return rc;
	args.block_bytes = job->geom.block_bytes;
	rc = overlay_open(&args, &job->overlay);
	if (!rc)
		rc = open_log(job);
	if (!rc)
		rc = replay(job);
	return rc ? rc : write_copy(job);
}

static bool same_file(const struct image *img, int fd)
{
	struct stat a, b;

	return fstat(image_fd(img), &a) || fstat(fd, &b) ||
	       (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static errcode_t open_all(struct job *job, char **argv)
{
	errcode_t rc = image_open(argv[1], IMAGE_READ, &job->img);

	if (!rc && argv[3])
		rc = image_open(argv[3], IMAGE_READ, &job->device);
	if (rc)
		return rc;
	job->out = open(argv[2], O_RDWR | O_CREAT, 0600);
	if (job->out < 0)
		return errno;
	if (same_file(job->img, job->out) ||
	    (job->device && same_file(job->device, job->out)))
		return EEXIST;
	return ftruncate(job->out, 0) ? errno : 0;
}

int main(int argc, char **argv)
{
	static struct job job = {.out = -1};
	errcode_t rc;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: replay IMAGE OUT [JOURNAL-DEVICE]\n");
		return EXIT_BAD;
	}
	err_init();
	rc = open_all(&job, argv);
	if (!rc)
		rc = run(&job);
	if (rc)
		fprintf(stderr, "replay: %s: %s\n", argv[1], error_message(rc));
	jbd2_log_close(&job.log);
	overlay_close(job.overlay);
	image_close(job.img);
	image_close(job.device);
	if (job.out >= 0)
		close(job.out);
	return rc ? EXIT_BAD : job.lost ? EXIT_LOST : 0;
}
