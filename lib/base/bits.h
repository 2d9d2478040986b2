/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of bits over u64 indexes. Memory comes in chunks of 64 Ki bits when a
 * bit in them is set first; a chunk filled by one range costs nothing. So the
 * blocks of a sparse 16 TiB filesystem cost what is used of it.
 *
 * Threads: the functions with "shared" in their name may run at the same time
 * as each other and as bits_test(). All others want the set for themselves.
 *
 * Errors: ENOMEM, after which the set holds what it held and maybe a part of
 * a range; LB_E_BITS_RANGE for an index that the set does not have.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/err.h"
#include "base/types.h"

struct bits {
	u64 nr_bits;
	struct bits_mid **top; /* owned, nr_top entries */
	size_t nr_top;
};

/* An empty set of indexes below nr_bits. Also ENOMEM for more than 2^48. */
errcode_t bits_init(struct bits *b, u64 nr_bits) LB_MUST_CHECK;
void bits_done(struct bits *b);

/* False beyond the end. */
bool bits_test(const struct bits *b, u64 idx);
errcode_t bits_set(struct bits *b, u64 idx) LB_MUST_CHECK;
errcode_t bits_clear(struct bits *b, u64 idx) LB_MUST_CHECK;
/* Sets a bit; *old says whether it was set. Of many callers one sees false. */
errcode_t bits_set_shared(struct bits *b, u64 idx, bool *old) LB_MUST_CHECK;

/* nr bits from first on; nr may be 0. */
errcode_t bits_set_range(struct bits *b, u64 first, u64 nr) LB_MUST_CHECK;
errcode_t bits_clear_range(struct bits *b, u64 first, u64 nr) LB_MUST_CHECK;
/* *nr_old: how many of them were set before. */
errcode_t bits_set_range_shared(struct bits *b, u64 first, u64 nr,
				u64 *nr_old) LB_MUST_CHECK;

/* How many of the nr bits from first on are set; beyond the end none are. */
u64 bits_count(const struct bits *b, u64 first, u64 nr);
/* The first set (clear) bit at or after from; nr_bits when there is none. */
u64 bits_next_set(const struct bits *b, u64 from);
u64 bits_next_clear(const struct bits *b, u64 from);
/* The first bit at or after from in which both differ; nr_bits of a if none. */
u64 bits_next_difference(const struct bits *a, const struct bits *b, u64 from);

/* to |= from. LB_E_BITS_RANGE when from has a bit that to does not have. */
errcode_t bits_merge(struct bits *to, const struct bits *from) LB_MUST_CHECK;

/*
 * A stretch as a bitmap of bytes, as on disk: bit i is bit i % 8 of byte i / 8.
 * Bits of the last byte beyond nr are stored as 0. bytes has (nr + 7) / 8.
 */
void bits_store(const struct bits *b, u64 first, u64 nr, u8 *bytes);
/* Adds the set bits of such a bitmap. */
errcode_t bits_load(struct bits *b, u64 first, u64 nr,
		    const u8 *bytes) LB_MUST_CHECK;
/* Memory in use, for reports and tests. */
u64 bits_memory_bytes(const struct bits *b);

#endif
