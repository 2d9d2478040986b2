/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three keyless hashes of directory names: a multiplicative one, MD4 cut
 * to three rounds of eight steps (RFC 1320 has the functions), and TEA with 16
 * rounds over 16 bytes at a time.
 */
#include "ondisk/dirhash.h"

#include "base/banned.h"

enum {
	FLAG_SIGNED = 1, /* of the superblock's flags */
	FLAG_UNSIGNED = 2,
	HALF_MD4_WORDS = 8,
	TEA_WORDS = 4,
	TEA_ROUNDS = 16,
};

static const u32 END_OF_DIR = 0x7FFFFFFF;
static const u32 TEA_DELTA = 0x9E3779B9;
static const u32 MD4_START[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE,
				 0x10325476};
static const u32 MD4_ROUND2 = 0x5A827999; /* sqrt(2) */
static const u32 MD4_ROUND3 = 0x6ED9EBA1; /* sqrt(3) */

static u32 rol32(u32 v, unsigned n)
{
	return v << n | v >> (32 - n);
}

/* A byte of a name as an int of 32 bits. */
static u32 widen(u8 byte, bool signed_bytes)
{
	return signed_bytes && byte & 0x80 ? byte | 0xFFFFFF00 : byte;
}

static u32 legacy(struct span name, bool signed_bytes)
{
	u32 hash = 0x12A3FE2D, before = 0x37ABE8F9;

	for (size_t i = 0; i < name.len; i++) {
		u32 next = before +
			   (hash ^ widen(name.bytes[i], signed_bytes) * 7152373);

		if (next & 0x80000000)
			next -= 0x7FFFFFFF;
		before = hash;
		hash = next;
	}
	return hash << 1;
}

/*
 * The next words of the input: bytes from high to low, each added to the word
 * moved up, so that a signed byte borrows; words that the name does not fill
 * start from its length.
 */
static void take_words(struct span name, u32 *words, size_t nr,
		       bool signed_bytes)
{
	u32 pad = (u32)name.len | (u32)name.len << 8, word;
	size_t len = name.len < nr * 4 ? name.len : nr * 4, w = 0;

	pad |= pad << 16;
	word = pad;
	for (size_t i = 0; i < len; i++) {
		word = widen(name.bytes[i], signed_bytes) + (word << 8);
		if (i % 4 == 3) {
			words[w++] = word;
			word = pad;
		}
	}
	if (w < nr)
		words[w++] = word;
	while (w < nr)
		words[w++] = pad;
}

static u32 choose(u32 x, u32 y, u32 z)
{
	return z ^ (x & (y ^ z));
}

static u32 majority(u32 x, u32 y, u32 z)
{
	return (x & y) | (z & (x | y));
}

static u32 parity(u32 x, u32 y, u32 z)
{
	return x ^ y ^ z;
}

struct md4_round {
	u32 (*mix)(u32 x, u32 y, u32 z);
	u32 constant;
	u8 order[HALF_MD4_WORDS];
	u8 turns[4];
};

static void half_md4_block(u32 *state, const u32 *words)
{
	const struct md4_round rounds[] = {
		{choose, 0, {0, 1, 2, 3, 4, 5, 6, 7}, {3, 7, 11, 19}},
		{majority, MD4_ROUND2, {1, 3, 5, 7, 0, 2, 4, 6}, {3, 5, 9, 13}},
		{parity, MD4_ROUND3, {3, 7, 2, 6, 1, 5, 0, 4}, {3, 9, 11, 15}},
	};
	u32 v[4] = {state[0], state[1], state[2], state[3]};

	for (size_t r = 0; r < ARRAY_LEN(rounds); r++) {
		const struct md4_round *round = &rounds[r];

		/* The word that changes goes a, d, c, b. */
		for (unsigned i = 0; i < HALF_MD4_WORDS; i++) {
			unsigned a = (4 - i % 4) % 4;

			v[a] += round->mix(v[(a + 1) % 4], v[(a + 2) % 4],
					   v[(a + 3) % 4]) +
				words[round->order[i]] + round->constant;
			v[a] = rol32(v[a], round->turns[i % 4]);
		}
	}
	for (unsigned i = 0; i < 4; i++)
		state[i] += v[i];
}

static void tea_block(u32 *state, const u32 *words)
{
	u32 sum = 0, y = state[0], z = state[1];

	for (unsigned i = 0; i < TEA_ROUNDS; i++) {
		sum += TEA_DELTA;
		y += ((z << 4) + words[0]) ^ (z + sum) ^ ((z >> 5) + words[1]);
		z += ((y << 4) + words[2]) ^ (y + sum) ^ ((y >> 5) + words[3]);
	}
	state[0] += y;
	state[1] += z;
}

static void blocks(struct span name, u32 *state, bool is_tea, bool signed_bytes)
{
	const size_t nr = is_tea ? TEA_WORDS : HALF_MD4_WORDS;

	for (size_t at = 0; at < name.len; at += nr * 4) {
		u32 words[HALF_MD4_WORDS];

		take_words(span_sub(name, at, name.len - at), words, nr,
			   signed_bytes);
		if (is_tea)
			tea_block(state, words);
		else
			half_md4_block(state, words);
	}
}

struct dirhash_rules dirhash_rules_of(const struct super *sb)
{
	struct span seed = span_of(sb->hash_seed, 16);
	struct dirhash_rules rules = {
		.signed_bytes = !(sb->flags & FLAG_UNSIGNED)};

	for (size_t i = 0; i < 4; i++)
		rules.seed[i] = span_le32(seed, i * 4);
	return rules;
}

bool dirhash(enum htree_hash version, struct span name,
	     const struct dirhash_rules *rules, struct dirhash *hash)
{
	const u32 *seed = rules->seed;
	bool seeded = seed[0] | seed[1] | seed[2] | seed[3];
	u32 state[4];

	*hash = (struct dirhash){0};
	memcpy(state, seeded ? seed : MD4_START, sizeof(state));
	switch (version) {
	case HTREE_HASH_LEGACY:
		hash->major = legacy(name, rules->signed_bytes);
		break;
	case HTREE_HASH_HALF_MD4:
		blocks(name, state, false, rules->signed_bytes);
		hash->major = state[1];
		hash->minor = state[2];
		break;
	case HTREE_HASH_TEA:
		blocks(name, state, true, rules->signed_bytes);
		hash->major = state[0];
		hash->minor = state[1];
		break;
	default:
		return false;
	}
	hash->major &= ~1u;
	/* The largest position in a directory means its end. */
	if (hash->major == END_OF_DIR << 1)
		hash->major = (END_OF_DIR - 1) << 1;
	return true;
}
