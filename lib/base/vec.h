/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growable array of any type, checked for overflow:
 *
 *	VEC(u64) blks = VEC_INIT;
 *	rc = vec_reserve(&blks, 1);
 *	if (!rc)
 *		vec_add(&blks, 17);
 *	vec_free(&blks);
 *
 * Room is reserved in one step that can fail, so that adding cannot.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <errno.h>

#include "base/err.h"
#include "base/types.h"

#define VEC(type)                                                              \
	struct {                                                               \
		type *at; /* owned, nr items */                                \
		size_t nr;                                                     \
		size_t room;                                                   \
	}
#define VEC_INIT {NULL, 0, 0}

/* The work of vec_reserve(): at is where the array's pointer is kept. */
static inline errcode_t vec_grow(void *at, size_t *room, size_t want,
				 size_t item_bytes)
{
	size_t grown = *room + *room / 2, bytes;
	void *old, *moved;

	if (want <= *room)
		return 0;
	if (grown < want)
		grown = want;
	/* Eight at least; half as much again makes appending linear. */
	if (grown < 8)
		grown = 8;
	if (__builtin_mul_overflow(grown, item_bytes, &bytes) ||
	    bytes > PTRDIFF_MAX)
		return ENOMEM;
	memcpy(&old, at, sizeof(old));
	moved = realloc(old, bytes);
	if (!moved)
		return ENOMEM;
	memcpy(at, &moved, sizeof(moved));
	*room = grown;
	/* The copy of the pointer owns it now. */
	/* cppcheck-suppress memleak */
	return 0;
}

/* Makes room for extra more items. Error: ENOMEM, the array stays as it is. */
#define vec_reserve(v, extra)                                                  \
	((size_t)(extra) > SIZE_MAX - (v)->nr                                  \
		 ? (errcode_t)ENOMEM                                           \
		 : vec_grow(&(v)->at, &(v)->room, (v)->nr + (size_t)(extra),   \
			    sizeof(*(v)->at)))

/* Appends; there must be room. */
#define vec_add(v, ...) ((void)((v)->at[(v)->nr++] = (__VA_ARGS__)))

#define vec_clear(v) ((void)((v)->nr = 0))

#define vec_free(v)                                                            \
	do {                                                                   \
		free((v)->at);                                                 \
		(v)->at = NULL;                                                \
		(v)->nr = (v)->room = 0;                                       \
	} while (0)

#endif
