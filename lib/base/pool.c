/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The worker pool: one shared counter hands out ranges; no queue, no locks. */
#ifdef HAVE_CONFIG_H
#include "config.h" /* asks for sched_getaffinity() */
#endif
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>

#include "base/banned.h"

enum {
	/* The default of small C libraries is too small for a block buffer. */
	STACK_BYTES = 1 << 20
};

struct run {
	const struct pool_task *task;
	u64 next;  /* atomic: first item not handed out */
	bool stop; /* atomic: an error has been seen */
};

struct worker {
	struct run *run;
	void *slot;
	pthread_t thread;
	bool started;
	errcode_t rc;
	u64 rc_item; /* where the range began in which rc came up */
};

/* Takes the next range; false when there is none. */
static bool take(struct run *run, u64 *first, u64 *nr)
{
	const struct pool_task *t = run->task;
	u64 step = t->step ? t->step : 1, at;

	if (__atomic_load_n(&run->stop, __ATOMIC_ACQUIRE))
		return false;
	at = __atomic_load_n(&run->next, __ATOMIC_RELAXED);
	do {
		if (at >= t->nr_items)
			return false;
		*nr = u64_min(step, t->nr_items - at);
	} while (!__atomic_compare_exchange_n(&run->next, &at, at + *nr, false,
					      __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	*first = at;
	return true;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	const struct pool_task *t = w->run->task;
	u64 first, nr;

	while (!w->rc && take(w->run, &first, &nr)) {
		w->rc = t->work(t->arg, w->slot, first, nr);
		w->rc_item = first;
	}
	if (w->rc)
		__atomic_store_n(&w->run->stop, true, __ATOMIC_RELEASE);
	return NULL;
}

static void start(struct worker *w)
{
	pthread_attr_t attr;

	if (pthread_attr_init(&attr))
		return;
	/* A system that refuses the size has a larger smallest one. */
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	w->started = !pthread_create(&w->thread, &attr, work, w);
	pthread_attr_destroy(&attr);
}

/*
 * The error of the lowest item. Ranges are handed out in ascending order and
 * every one that was handed out is finished, so it is always the same one.
 */
static errcode_t first_error(const struct worker *w, unsigned nr)
{
	const struct worker *first = NULL;

	for (unsigned i = 0; i < nr; i++)
		if (w[i].rc && (!first || w[i].rc_item < first->rc_item))
			first = &w[i];
	return first ? first->rc : 0;
}

errcode_t pool_run(const struct pool_task *task)
{
	struct worker workers[POOL_WORKERS_MAX];
	struct run run = {.task = task};
	unsigned nr = task->nr_workers;
	errcode_t rc;

	if (!nr || nr > POOL_WORKERS_MAX)
		return LB_E_POOL_WORKERS;
	for (unsigned i = 0; i < nr; i++)
		workers[i] = (struct worker){.run = &run,
					     .slot = task->slots[i]};
	for (unsigned i = 1; i < nr; i++)
		start(&workers[i]);
	work(&workers[0]);
	for (unsigned i = 1; i < nr; i++)
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
	rc = first_error(workers, nr);
	for (unsigned i = 0; !rc && task->merge && i < nr; i++)
		rc = task->merge(task->arg, task->slots[i]);
	return rc;
}

unsigned pool_nr_cpus(void)
{
	cpu_set_t set;
	int nr;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	nr = CPU_COUNT(&set);
	if (nr < 1)
		return 1;
	return nr > POOL_WORKERS_MAX ? POOL_WORKERS_MAX : (unsigned)nr;
}
