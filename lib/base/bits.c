/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bit set: top -> mid (1024 chunks) -> chunk (64 Ki bits in words). A
 * missing chunk is all zeroes. A chunk that one range filled is the one
 * constant chunk of ones, copied when a bit in it is cleared. Chunks are put
 * in place with compare-and-swap, so shared setters need no lock.
 */
#include "base/bits.h"

#include <errno.h>

#include "base/banned.h"

enum {
	WORD_BITS = 64,
	CHUNK_WORDS = 1024,
	CHUNK_BITS = CHUNK_WORDS * WORD_BITS,
	CHUNK_BYTES = CHUNK_BITS / 8,
	MID_CHUNKS = 1024,
};
#define MID_BITS ((u64)MID_CHUNKS * CHUNK_BITS)
#define MAX_BITS (1ull << 48)

struct bits_mid {
	u64 *chunk[MID_CHUNKS];
};

static const u64 ones[CHUNK_WORDS] = {[0 ... CHUNK_WORDS - 1] = UINT64_MAX};
static const u64 zeroes[CHUNK_WORDS];

/* The part of a range that lies in one chunk. */
struct piece {
	u64 chunk_nr;
	u32 first; /* bit in the chunk */
	u32 nr;
};

static struct piece piece_at(u64 idx, u64 end)
{
	u32 first = (u32)(idx % CHUNK_BITS);

	return (struct piece){
		.chunk_nr = idx / CHUNK_BITS,
		.first = first,
		.nr = (u32)u64_min(end - idx, CHUNK_BITS - first),
	};
}

/* The bits of word w that the piece [first, first + nr) covers. */
static u64 word_mask(u32 w, u32 first, u32 nr)
{
	u32 lo = w * WORD_BITS, end = first + nr;
	u64 mask = UINT64_MAX;

	if (first > lo)
		mask <<= first - lo;
	if (end < lo + WORD_BITS)
		mask &= UINT64_MAX >> (lo + WORD_BITS - end);
	return mask;
}

static u64 word_load(const u64 *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

errcode_t bits_init(struct bits *b, u64 nr_bits)
{
	*b = (struct bits){.nr_bits = nr_bits};
	if (nr_bits > MAX_BITS)
		return ENOMEM;
	b->nr_top = (size_t)u64_div_up(nr_bits, MID_BITS);
	b->top = calloc(b->nr_top ? b->nr_top : 1, sizeof(*b->top));
	if (!b->top) {
		*b = (struct bits){0};
		return ENOMEM;
	}
	return 0;
}

static bool is_own(const u64 *chunk)
{
	return chunk && chunk != ones;
}

void bits_done(struct bits *b)
{
	for (size_t i = 0; i < b->nr_top; i++) {
		struct bits_mid *mid = b->top[i];

		for (u32 k = 0; mid && k < MID_CHUNKS; k++)
			if (is_own(mid->chunk[k]))
				free(mid->chunk[k]);
		free(mid);
	}
	free(b->top);
	*b = (struct bits){0};
}

u64 bits_memory_bytes(const struct bits *b)
{
	u64 bytes = b->nr_top * sizeof(*b->top);

	for (size_t i = 0; i < b->nr_top; i++) {
		if (!b->top[i])
			continue;
		bytes += sizeof(*b->top[i]);
		for (u32 k = 0; k < MID_CHUNKS; k++)
			bytes += is_own(b->top[i]->chunk[k]) ? CHUNK_BYTES : 0;
	}
	return bytes;
}

/* The words of a chunk for reading; constant ones for what is not there. */
static const u64 *chunk_read(const struct bits *b, u64 chunk_nr)
{
	u64 top = chunk_nr / MID_CHUNKS;
	const struct bits_mid *mid;
	const u64 *chunk;

	if (top >= b->nr_top)
		return zeroes;
	mid = __atomic_load_n(&b->top[top], __ATOMIC_ACQUIRE);
	if (!mid)
		return zeroes;
	chunk = __atomic_load_n(&mid->chunk[chunk_nr % MID_CHUNKS],
				__ATOMIC_ACQUIRE);
	return chunk ? chunk : zeroes;
}

/* Where the pointer to a chunk is kept; makes the mid. NULL: no memory. */
static u64 **chunk_place(struct bits *b, u64 chunk_nr)
{
	struct bits_mid **place = &b->top[chunk_nr / MID_CHUNKS];
	struct bits_mid *mid = __atomic_load_n(place, __ATOMIC_ACQUIRE);

	if (!mid) {
		struct bits_mid *made = calloc(1, sizeof(*made));

		if (!made)
			return NULL;
		if (__atomic_compare_exchange_n(place, &mid, made, false,
						__ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			mid = made;
		else
			free(made); /* another thread was faster */
	}
	return &mid->chunk[chunk_nr % MID_CHUNKS];
}

/* Puts made where was nothing; returns what is there then. */
static u64 *chunk_put(u64 **place, u64 *made)
{
	u64 *old = NULL;

	if (__atomic_compare_exchange_n(place, &old, made, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	return old;
}

/*
 * A chunk for setting bits in: its own words, or the constant ones, in which
 * there is nothing to set. NULL: no memory.
 */
static u64 *chunk_for_set(struct bits *b, const struct piece *p, bool *is_new)
{
	u64 **place = chunk_place(b, p->chunk_nr), *chunk, *made;

	*is_new = false;
	if (!place)
		return NULL;
	chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	if (chunk)
		return chunk;
	made = p->nr == CHUNK_BITS ? (u64 *)(uintptr_t)ones
				   : calloc(1, CHUNK_BYTES);
	if (!made)
		return NULL;
	chunk = chunk_put(place, made);
	*is_new = chunk == made;
	if (!*is_new && made != ones)
		free(made);
	return chunk;
}

/* One thread's, with the bits clear: replaces the constant ones by a copy. */
static errcode_t chunk_own(u64 **place)
{
	u64 *made;

	if (*place != ones)
		return 0;
	made = malloc(CHUNK_BYTES);
	if (!made)
		return ENOMEM;
	memcpy(made, ones, CHUNK_BYTES);
	*place = made;
	return 0;
}

static errcode_t check_range(const struct bits *b, u64 first, u64 nr)
{
	return first > b->nr_bits || nr > b->nr_bits - first ? LB_E_BITS_RANGE
							     : 0;
}

bool bits_test(const struct bits *b, u64 idx)
{
	u32 bit = (u32)(idx % CHUNK_BITS);

	return word_load(&chunk_read(b, idx / CHUNK_BITS)[bit / WORD_BITS]) >>
		       bit % WORD_BITS & 1;
}

errcode_t bits_set_shared(struct bits *b, u64 idx, bool *old)
{
	u64 nr_old = 0;
	errcode_t rc = bits_set_range_shared(b, idx, 1, &nr_old);

	*old = nr_old;
	return rc;
}

errcode_t bits_set(struct bits *b, u64 idx)
{
	return bits_set_range(b, idx, 1);
}

errcode_t bits_clear(struct bits *b, u64 idx)
{
	return bits_clear_range(b, idx, 1);
}

/* Sets a piece; the number of its bits that were set before. */
static u64 piece_set(u64 *chunk, const struct piece *p, bool shared)
{
	u32 last = (p->first + p->nr - 1) / WORD_BITS;
	u64 nr_old = 0;

	for (u32 w = p->first / WORD_BITS; w <= last; w++) {
		u64 mask = word_mask(w, p->first, p->nr), old;

		if (shared)
			old = __atomic_fetch_or(&chunk[w], mask,
						__ATOMIC_RELAXED);
		else
			old = chunk[w], chunk[w] |= mask;
		nr_old += (u64)__builtin_popcountll(old & mask);
	}
	return nr_old;
}

static errcode_t set_range(struct bits *b, u64 first, u64 nr, bool shared,
			   u64 *nr_old)
{
	errcode_t rc = check_range(b, first, nr);
	u64 end = first + nr;

	*nr_old = 0;
	if (rc)
		return rc;
	for (u64 idx = first; idx < end;) {
		struct piece p = piece_at(idx, end);
		bool is_new;
		u64 *chunk = chunk_for_set(b, &p, &is_new);

		if (!chunk)
			return ENOMEM;
		if (chunk != ones)
			*nr_old += piece_set(chunk, &p, shared);
		else if (!is_new)
			*nr_old += p.nr;
		idx += p.nr;
	}
	return 0;
}

errcode_t bits_set_range(struct bits *b, u64 first, u64 nr)
{
	u64 nr_old;

	return set_range(b, first, nr, false, &nr_old);
}

errcode_t bits_set_range_shared(struct bits *b, u64 first, u64 nr, u64 *nr_old)
{
	return set_range(b, first, nr, true, nr_old);
}

static errcode_t piece_clear(struct bits *b, const struct piece *p)
{
	u32 last = (p->first + p->nr - 1) / WORD_BITS;
	errcode_t rc;
	u64 **place;

	/* Nothing there is nothing to clear. */
	if (chunk_read(b, p->chunk_nr) == zeroes)
		return 0;
	place = chunk_place(b, p->chunk_nr);
	if (!place)
		return ENOMEM;
	rc = chunk_own(place);
	if (rc)
		return rc;
	for (u32 w = p->first / WORD_BITS; w <= last; w++)
		(*place)[w] &= ~word_mask(w, p->first, p->nr);
	return 0;
}

errcode_t bits_clear_range(struct bits *b, u64 first, u64 nr)
{
	errcode_t rc = check_range(b, first, nr);
	u64 end = first + nr;

	for (u64 idx = first; !rc && idx < end;) {
		struct piece p = piece_at(idx, end);

		rc = piece_clear(b, &p);
		idx += p.nr;
	}
	return rc;
}

u64 bits_count(const struct bits *b, u64 first, u64 nr)
{
	u64 end = first >= b->nr_bits ? first
				      : first + u64_min(nr, b->nr_bits - first);
	u64 count = 0;

	for (u64 idx = first; idx < end;) {
		struct piece p = piece_at(idx, end);
		const u64 *chunk = chunk_read(b, p.chunk_nr);
		u32 last = (p.first + p.nr - 1) / WORD_BITS;

		idx += p.nr;
		if (chunk == zeroes)
			continue;
		for (u32 w = p.first / WORD_BITS; w <= last; w++)
			count += (u64)__builtin_popcountll(
				word_load(&chunk[w]) &
				word_mask(w, p.first, p.nr));
	}
	return count;
}

/*
 * The first bit of the piece that differs between both chunks; CHUNK_BITS
 * when there is none.
 */
static u32 piece_difference(const u64 *a, const u64 *b, const struct piece *p)
{
	u32 last = (p->first + p->nr - 1) / WORD_BITS;

	if (a == b)
		return CHUNK_BITS;
	for (u32 w = p->first / WORD_BITS; w <= last; w++) {
		u64 differ = (word_load(&a[w]) ^ word_load(&b[w])) &
			     word_mask(w, p->first, p->nr);

		if (differ)
			return w * WORD_BITS + (u32)__builtin_ctzll(differ);
	}
	return CHUNK_BITS;
}

/* The first bit at or after from that differs from the chunk other. */
static u64 next_unlike(const struct bits *b, u64 from, const u64 *other)
{
	for (u64 idx = from; idx < b->nr_bits;) {
		struct piece p = piece_at(idx, b->nr_bits);
		u32 bit = piece_difference(chunk_read(b, p.chunk_nr), other, &p);

		if (bit != CHUNK_BITS)
			return p.chunk_nr * CHUNK_BITS + bit;
		idx += p.nr;
		/* A mid that is missing is skipped whole. */
		while (other == zeroes && idx % MID_BITS == 0 &&
		       idx < b->nr_bits && !b->top[idx / MID_BITS])
			idx += MID_BITS;
	}
	return b->nr_bits;
}

u64 bits_next_set(const struct bits *b, u64 from)
{
	return next_unlike(b, from, zeroes);
}

u64 bits_next_clear(const struct bits *b, u64 from)
{
	return next_unlike(b, from, ones);
}

u64 bits_next_difference(const struct bits *a, const struct bits *b, u64 from)
{
	for (u64 idx = from; idx < a->nr_bits;) {
		struct piece p = piece_at(idx, a->nr_bits);
		u32 bit = piece_difference(chunk_read(a, p.chunk_nr),
					   chunk_read(b, p.chunk_nr), &p);

		if (bit != CHUNK_BITS)
			return p.chunk_nr * CHUNK_BITS + bit;
		idx += p.nr;
	}
	return a->nr_bits;
}

static errcode_t chunk_merge(struct bits *to, const u64 *from, u64 chunk_nr)
{
	/* A piece of the whole chunk would make the constant ones of it. */
	struct piece p = {chunk_nr, 0, from == ones ? CHUNK_BITS : 1};
	bool is_new;
	u64 *chunk = chunk_for_set(to, &p, &is_new);

	if (!chunk)
		return ENOMEM;
	if (chunk == ones)
		return 0;
	for (u32 w = 0; w < CHUNK_WORDS; w++)
		chunk[w] |= from[w];
	return 0;
}

errcode_t bits_merge(struct bits *to, const struct bits *from)
{
	u64 beyond = bits_next_set(from, to->nr_bits);
	errcode_t rc;

	if (beyond < from->nr_bits) {
		rc = check_range(to, beyond, 1);
		if (rc)
			return rc;
	}
	for (u64 idx = bits_next_set(from, 0); idx < from->nr_bits;) {
		u64 chunk_nr = idx / CHUNK_BITS;

		rc = chunk_merge(to, chunk_read(from, chunk_nr), chunk_nr);
		if (rc)
			return rc;
		idx = bits_next_set(from, (chunk_nr + 1) * CHUNK_BITS);
	}
	return 0;
}
