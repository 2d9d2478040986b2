/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A worker pool: the items 0 .. nr_items-1 are handed out in ascending ranges
 * to workers, each of which has one private slot. When all are done the slots
 * are merged in worker order, by the thread that called. One worker means no
 * threads at all. The only user of pthread in the project.
 *
 * Which worker gets which range is chance; so a result that does not depend on
 * the number of workers is the merge's duty (unions, sums, sorting).
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/err.h"
#include "base/types.h"

enum {
	POOL_WORKERS_MAX = 256
};

struct pool_task {
	u64 nr_items;
	u64 step; /* most items a call gets; 0: one */
	unsigned nr_workers; /* 1 .. POOL_WORKERS_MAX; as many slots */
	void **slots; /* borrowed; slots[w] is given to worker w only */
	void *arg; /* given to all; the workers may only read it */
	/* Items first .. first+nr-1. Called by many threads. */
	errcode_t (*work)(void *arg, void *slot, u64 first, u64 nr);
	/* Called once a slot, in order, when no work failed; may be NULL. */
	errcode_t (*merge)(void *arg, void *slot);
};

/*
 * Runs the task. After an error no further range is handed out; of several the
 * one of the lowest item is returned, so it does not depend on chance.
 * A thread that cannot be started is done without: its slot stays as it was.
 */
errcode_t pool_run(const struct pool_task *task) LB_MUST_CHECK;
/* Processors this process may use, 1 .. POOL_WORKERS_MAX. */
unsigned pool_nr_cpus(void);

#endif
