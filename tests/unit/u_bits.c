/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bit sets against a plain array of bools, over chunk borders; sparse sets of
 * 16 TiB; memory that runs out.
 */
#include "base/bits.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/tap.h"

enum { CHUNK = 65536, SMALL = 4 * CHUNK + 77 };
static const u64 TIB16_BLKS = 1ull << 32;

static u64 rnd(u64 *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Whether set and model agree, asked in every way there is. */
static bool agrees(const struct bits *b, const bool *model)
{
	u64 count = 0, at_set = bits_next_set(b, 0),
	    at_clear = bits_next_clear(b, 0);

	for (u64 i = 0; i < SMALL; i++) {
		count += model[i];
		if (bits_test(b, i) != model[i])
			return false;
		if (model[i] ? at_set != i : at_clear != i)
			return false;
		if (model[i])
			at_set = bits_next_set(b, i + 1);
		else
			at_clear = bits_next_clear(b, i + 1);
	}
	return count == bits_count(b, 0, UINT64_MAX) && at_set == SMALL &&
	       at_clear == SMALL;
}

static bool change(struct bits *b, bool *model, u64 *seed)
{
	u64 first = rnd(seed) % SMALL, nr = rnd(seed) % (SMALL - first), old = 0,
	    nr_old;
	unsigned what = rnd(seed) % 4;
	errcode_t rc;

	if (what > 1)
		nr %= 100;
	if (rnd(seed) % 5 == 0) {
		first -= first % CHUNK;
		nr = u64_min(2 * CHUNK, SMALL - first);
	}
	for (u64 i = first; i < first + nr; i++) {
		old += model[i];
		model[i] = what != 1;
	}
	if (bits_count(b, first, nr) != old)
		return false;
	if (what == 1)
		return !bits_clear_range(b, first, nr);
	if (what == 2)
		return !bits_set_range(b, first, nr);
	rc = bits_set_range_shared(b, first, nr, &nr_old);
	return !rc && nr_old == old;
}

static void test_model(void)
{
	bool *model = calloc(SMALL, 1), fine = true;
	u64 seed = 1;
	struct bits b;

	if (!model || bits_init(&b, SMALL))
		exit(1);
	for (int i = 0; i < 200 && fine; i++) {
		fine = change(&b, model, &seed);
		if (i % 10 == 9)
			fine = fine && agrees(&b, model);
	}
	tap_ok(fine, "200 random changes agree with an array of bools");
	bits_done(&b);
	free(model);
}

static void test_ends(void)
{
	bool old = true;
	u64 nr_old;
	struct bits b;

	tap_ok(!bits_init(&b, 100), "a small set");
	tap_ok(bits_set(&b, 100) == LB_E_BITS_RANGE, "no bit at the end");
	tap_ok(bits_set_range(&b, 99, 2) == LB_E_BITS_RANGE, "nor a range");
	tap_ok(bits_clear_range(&b, 1, UINT64_MAX) == LB_E_BITS_RANGE,
	       "nor one that overflows");
	tap_ok(bits_set_range_shared(&b, UINT64_MAX, 2, &nr_old) ==
		       LB_E_BITS_RANGE && !nr_old, "nor one far away");
	tap_is_u64(bits_count(&b, 0, UINT64_MAX), 0, "nothing was set");
	tap_ok(!bits_set_shared(&b, 99, &old) && !old, "the last was clear");
	tap_ok(!bits_set_shared(&b, 99, &old) && old, "then it was set");
	tap_ok(!bits_clear(&b, 99) && !bits_test(&b, 99), "cleared");
	tap_ok(!bits_test(&b, 1000) && !bits_test(&b, UINT64_MAX),
	       "beyond the end is nothing");
	tap_is_u64(bits_next_set(&b, 0), 100, "no set bit: the end");
	tap_is_u64(bits_next_clear(&b, UINT64_MAX), 100, "nor beyond it");
	bits_done(&b);
	tap_ok(!bits_init(&b, 0) && !bits_set_range(&b, 0, 0), "an empty set");
	tap_is_u64(bits_next_clear(&b, 0), 0, "has nothing clear");
	bits_done(&b);
	tap_ok(bits_init(&b, UINT64_MAX) == ENOMEM, "more than 2^48");
	bits_done(&b);
}

static void test_sparse(void)
{
	struct bits b, c;

	if (bits_init(&b, TIB16_BLKS) || bits_init(&c, TIB16_BLKS))
		exit(1);
	for (u64 i = 0; i < 64; i++)
		if (bits_set(&b, i * (TIB16_BLKS / 64)))
			exit(1);
	tap_ok(bits_memory_bytes(&b) < 2 << 20, "64 bits in 2^32: below 2 MiB");
	tap_is_u64(bits_count(&b, 0, TIB16_BLKS), 64, "counted");
	tap_is_u64(bits_next_set(&b, 1), TIB16_BLKS / 64, "the next one");
	tap_ok(!bits_set_range(&c, 5, TIB16_BLKS - 10), "nearly all set");
	tap_ok(bits_memory_bytes(&c) < 2 << 20, "costs below 2 MiB too");
	tap_is_u64(bits_next_clear(&c, 5), TIB16_BLKS - 5, "its end is found");
	tap_is_u64(bits_next_difference(&b, &c, 0), 0, "they differ");
	tap_ok(!bits_merge(&b, &c), "merged");
	tap_is_u64(bits_count(&b, 0, TIB16_BLKS), TIB16_BLKS - 9,
		   "a union: bit 0 is new");
	tap_is_u64(bits_next_difference(&b, &c, 0), 0, "bit 0 differs");
	tap_is_u64(bits_next_difference(&b, &c, 1), TIB16_BLKS, "only that");
	tap_ok(!bits_clear(&c, CHUNK * 1000 + 1) &&
		       bits_next_clear(&c, 5) == CHUNK * 1000 + 1,
	       "a bit of a full chunk is cleared");
	tap_is_u64(bits_next_difference(&b, &c, 1), CHUNK * 1000 + 1,
		   "and not in the other set");
	bits_done(&b);
	bits_done(&c);
}

static void test_merge_sizes(void)
{
	struct bits small, large;

	if (bits_init(&small, 70000) || bits_init(&large, 200000) ||
	    bits_set_range(&large, 65000, 5000))
		exit(1);
	tap_ok(!bits_merge(&small, &large), "a larger set, its bits fit");
	tap_is_u64(bits_count(&small, 0, 70000), 5000, "they are there");
	tap_ok(!bits_set(&large, 70000) &&
		       bits_merge(&small, &large) == LB_E_BITS_RANGE,
	       "one bit more does not");
	tap_ok(!bits_merge(&large, &small), "the small one fits the large");
	bits_done(&small);
	bits_done(&large);
}

static void test_bytes(void)
{
	u8 bytes[40], back[40];
	bool same = true;
	struct bits b;
	u64 seed = 7;

	for (int round = 0; round < 2000 && same; round++) {
		u64 nr = 1 + rnd(&seed) % 300, first = CHUNK - 150;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			unsigned kind = rnd(&seed) % 3;

			bytes[i] = kind ? (u8)-(kind - 1) : (u8)rnd(&seed);
		}
		if (bits_init(&b, 2 * CHUNK) || bits_load(&b, first, nr, bytes))
			exit(1);
		for (u64 i = 0; i < nr; i++)
			same &= bits_test(&b, first + i) ==
				(bytes[i / 8] >> i % 8 & 1);
		memset(back, 0x55, sizeof(back));
		bits_store(&b, first, nr, back);
		if (nr % 8)
			bytes[nr / 8] &= (u8)((1u << nr % 8) - 1);
		same &= !memcmp(bytes, back, (nr + 7) / 8) &&
			back[(nr + 7) / 8] == 0x55;
		bits_done(&b);
	}
	tap_ok(same, "2000 bitmaps of bytes go in and come out");
	if (bits_init(&b, 100))
		exit(1);
	bytes[0] = 1;
	tap_ok(bits_load(&b, 101, 1, bytes) == LB_E_BITS_RANGE,
	       "bytes beyond the end");
	bits_done(&b);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_MALLOC 1
#endif
#endif

#ifndef OWN_MALLOC
/* In a child with little memory: an error, and what was set stays set. */
static int child_runs_out(void)
{
	struct rlimit limit = {24 << 20, 24 << 20};
	u64 nr = 0;
	errcode_t rc = 0;
	struct bits b;

	if (bits_init(&b, TIB16_BLKS) || setrlimit(RLIMIT_AS, &limit))
		return 1;
	while (!rc && nr < TIB16_BLKS / CHUNK) {
		rc = bits_set(&b, nr * CHUNK);
		nr += !rc;
	}
	if (rc != ENOMEM || bits_count(&b, 0, TIB16_BLKS) != nr)
		return 2;
	if (bits_clear(&b, 0) || bits_set(&b, 1) || !bits_test(&b, 1))
		return 3;
	bits_done(&b);
	return 0;
}
#endif

static void test_no_memory(void)
{
#ifdef OWN_MALLOC
	tap_ok(true, "memory that runs out: only without a sanitizer");
#else
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(child_runs_out());
	tap_ok(pid > 0 && waitpid(pid, &status, 0) == pid &&
		       WIFEXITED(status),
	       "memory that runs out ends nothing");
	tap_is_u64((u64)WEXITSTATUS(status), 0, "it is an error");
#endif
}

int main(void)
{
	test_model();
	test_ends();
	test_sparse();
	test_merge_sizes();
	test_bytes();
	test_no_memory();
	return tap_done();
}
