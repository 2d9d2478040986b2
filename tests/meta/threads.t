#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The worker pool, the shared bit set, and images read by many threads through
# an overlay, under ThreadSanitizer.
. "${SRCDIR:?}/tests/lib/tap.sh"

CC=$(sed -n 's/^CC = //p' "$BUILD/MCONFIG")
echo 'int main(void) { return 0; }' >"$TMP/empty.c"
# shellcheck disable=SC2086 # words
if ! $CC -fsanitize=thread -o "$TMP/empty" "$TMP/empty.c" 2>/dev/null ||
	! "$TMP/empty" 2>/dev/null; then
	skip_all "ThreadSanitizer does not run here"
fi
# race NAME TEST SOURCE...: builds a unit test with its sources and runs it.
race() {
	name=$1
	test=$2
	shift 2
	# shellcheck disable=SC2086 # words
	run_is 0 "$name: built" $CC -std=gnu11 -g -O1 -fsanitize=thread \
		-DHAVE_CONFIG_H -I"$BUILD" -I"$BUILD/lib" -I"$SRCDIR/lib" \
		-I"$SRCDIR" -DTESTS_SRCDIR='""' -o "$TMP/$test" \
		"$SRCDIR/tests/unit/$test.c" "$@" "$SRCDIR/lib/base/pool.c" -pthread
	run_is 0 "$name: no data race" "$TMP/$test" || note "$OUT"
}

race "pool and bits" u_pool "$SRCDIR/lib/base/bits.c"
race "image and overlay" u_overlay "$SRCDIR/lib/io/image.c" \
	"$SRCDIR/lib/io/overlay.c"
done_testing
