/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow: contents, and sizes that cannot be. */
#include "base/vec.h"

#include "tests/lib/tap.h"

struct pair {
	u64 a;
	u32 b;
};

int main(void)
{
	VEC(u64) numbers = VEC_INIT;
	VEC(struct pair) pairs = VEC_INIT;
	bool same = true;
	u64 *old;
	size_t room;

	for (u64 i = 0; i < 1000; i++) {
		if (vec_reserve(&numbers, 1))
			return 1;
		vec_add(&numbers, i * i);
	}
	for (u64 i = 0; i < numbers.nr; i++)
		same &= numbers.at[i] == i * i;
	tap_ok(same && numbers.nr == 1000, "a thousand numbers stay");
	tap_ok(!vec_reserve(&pairs, 2), "room for structures");
	vec_add(&pairs, (struct pair){1, 2});
	vec_add(&pairs, (struct pair){3, 4});
	tap_ok(pairs.nr == 2 && pairs.at[1].a == 3 && pairs.at[0].b == 2,
	       "structures are kept");
	old = numbers.at;
	room = numbers.room;
	tap_ok(vec_reserve(&numbers, SIZE_MAX) == ENOMEM, "a count overflows");
	tap_ok(vec_reserve(&numbers, SIZE_MAX / 8) == ENOMEM, "bytes overflow");
	tap_ok(vec_reserve(&numbers, SIZE_MAX / 16) == ENOMEM,
	       "more than can be addressed");
	tap_ok(numbers.at == old && numbers.room == room && old[999] == 998001,
	       "after an error it is as before");
	vec_clear(&numbers);
	tap_ok(!numbers.nr && numbers.room == room, "clearing keeps the room");
	vec_free(&numbers);
	vec_free(&pairs);
	tap_ok(!numbers.at && !numbers.room, "freed");
	return tap_done();
}
