/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The worker pool: every item once, merge in order, errors that do not depend
 * on chance, and a bit set shared by all workers.
 */
#include "base/pool.h"

#include <pthread.h>

#include "base/bits.h"
#include "tests/lib/tap.h"

enum { NR_ITEMS = 20000, NR_WORKERS = 8 };

struct shared {
	u8 seen[NR_ITEMS]; /* each item is one worker's */
	u64 fail_from;
	struct bits bits;
	struct slot *first_slot;
	unsigned nr_merged;
	u64 sum;
	bool in_order;
	pthread_t caller;
	bool only_caller;
};

struct slot {
	u64 sum;
	u64 nr_old;
	u64 nr_calls;
};

static errcode_t work(void *arg, void *slot, u64 first, u64 nr)
{
	struct shared *s = arg;
	struct slot *mine = slot;

	mine->nr_calls++;
	for (u64 i = first; i < first + nr; i++) {
		s->seen[i]++;
		mine->sum += i;
		if (i >= s->fail_from)
			return (errcode_t)(1000 + i);
	}
	return 0;
}

static errcode_t merge(void *arg, void *slot)
{
	struct shared *s = arg;
	struct slot *mine = slot;

	s->in_order &= mine == s->first_slot + s->nr_merged++;
	s->sum += mine->sum;
	return 0;
}

struct run {
	struct shared shared;
	struct slot slots[NR_WORKERS];
	void *at[NR_WORKERS];
	struct pool_task task;
};

static void prepare(struct run *r, unsigned nr_workers)
{
	memset(r, 0, sizeof(*r));
	r->shared.fail_from = UINT64_MAX;
	r->shared.in_order = true;
	r->shared.first_slot = r->slots;
	for (unsigned i = 0; i < NR_WORKERS; i++)
		r->at[i] = &r->slots[i];
	r->task = (struct pool_task){
		.nr_items = NR_ITEMS,
		.step = 7,
		.nr_workers = nr_workers,
		.slots = r->at,
		.arg = &r->shared,
		.work = work,
		.merge = merge,
	};
}

static void test_all_items(struct run *r, unsigned nr_workers)
{
	bool once = true;

	prepare(r, nr_workers);
	tap_ok(!pool_run(&r->task), "it runs");
	for (size_t i = 0; i < NR_ITEMS; i++)
		once &= r->shared.seen[i] == 1;
	tap_ok(once, "every item once");
	tap_is_u64(r->shared.sum, (u64)NR_ITEMS * (NR_ITEMS - 1) / 2,
		   "the merged sum");
	tap_ok(r->shared.in_order && r->shared.nr_merged == nr_workers,
	       "slots merged in order");
}

static void test_errors(struct run *r)
{
	bool same = true;

	for (int round = 0; round < 200; round++) {
		prepare(r, NR_WORKERS);
		r->task.step = 3;
		r->shared.fail_from = 5000;
		same &= pool_run(&r->task) == 6000 && !r->shared.nr_merged;
	}
	tap_ok(same, "200 times the error of the lowest item, no merge");
	prepare(r, 0);
	tap_ok(pool_run(&r->task) == LB_E_POOL_WORKERS, "no worker");
	prepare(r, POOL_WORKERS_MAX + 1);
	tap_ok(pool_run(&r->task) == LB_E_POOL_WORKERS, "too many");
	prepare(r, 4);
	r->task.nr_items = 0;
	tap_ok(!pool_run(&r->task) && r->shared.nr_merged == 4,
	       "no items: only merged");
	prepare(r, 3);
	r->task.step = UINT64_MAX;
	tap_ok(!pool_run(&r->task) &&
		       r->slots[0].nr_calls + r->slots[1].nr_calls +
				       r->slots[2].nr_calls == 1,
	       "a huge step is one call");
}

static errcode_t note_thread(void *arg, void *slot, u64 first, u64 nr)
{
	struct shared *s = arg;

	(void)slot, (void)first, (void)nr;
	s->only_caller &= pthread_equal(s->caller, pthread_self());
	return 0;
}

static void test_inline(struct run *r)
{
	prepare(r, 1);
	r->shared.caller = pthread_self();
	r->shared.only_caller = true;
	r->task.work = note_thread;
	tap_ok(!pool_run(&r->task) && r->shared.only_caller,
	       "one worker: no thread but the caller's");
}

/* Every worker marks overlapping ranges; each bit is new to exactly one. */
static errcode_t mark(void *arg, void *slot, u64 first, u64 nr)
{
	struct shared *s = arg;
	struct slot *mine = slot;
	errcode_t rc = 0;

	for (u64 i = first; !rc && i < first + nr; i++) {
		u64 nr_old, len = i % 500 == 0 ? 3 * 65536 : 100;

		rc = bits_set_range_shared(&s->bits, i * 50, len, &nr_old);
		mine->nr_old += nr_old;
		mine->sum += len;
		(void)bits_test(&s->bits, i * 50 + 1);
	}
	return rc;
}

static void test_shared_bits(struct run *r)
{
	u64 nr_old = 0, nr_all = 0;

	prepare(r, NR_WORKERS);
	if (bits_init(&r->shared.bits, 50 * NR_ITEMS + 4 * 65536))
		exit(1);
	r->task.work = mark;
	r->task.merge = NULL;
	tap_ok(!pool_run(&r->task), "all mark in one bit set");
	for (unsigned i = 0; i < NR_WORKERS; i++) {
		nr_old += r->slots[i].nr_old;
		nr_all += r->slots[i].sum;
	}
	tap_is_u64(bits_count(&r->shared.bits, 0, UINT64_MAX), nr_all - nr_old,
		   "each bit was new to exactly one");
	bits_done(&r->shared.bits);
}

int main(void)
{
	struct run *r = malloc(sizeof(*r));

	if (!r)
		return 1;
	test_all_items(r, 1);
	test_all_items(r, NR_WORKERS);
	test_errors(r);
	test_inline(r);
	test_shared_bits(r);
	tap_ok(pool_nr_cpus() >= 1 && pool_nr_cpus() <= POOL_WORKERS_MAX,
	       "processors");
	free(r);
	return tap_done();
}
