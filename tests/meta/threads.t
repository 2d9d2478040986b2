#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The worker pool and the shared bit set under ThreadSanitizer.
. "${SRCDIR:?}/tests/lib/tap.sh"

CC=$(sed -n 's/^CC = //p' "$BUILD/MCONFIG")
echo 'int main(void) { return 0; }' >"$TMP/empty.c"
# shellcheck disable=SC2086 # words
if ! $CC -fsanitize=thread -o "$TMP/empty" "$TMP/empty.c" 2>/dev/null ||
	! "$TMP/empty" 2>/dev/null; then
	skip_all "ThreadSanitizer does not run here"
fi
# shellcheck disable=SC2086 # words
run_is 0 "built" $CC -std=gnu11 -g -O1 -fsanitize=thread -DHAVE_CONFIG_H \
	-I"$BUILD" -I"$BUILD/lib" -I"$SRCDIR/lib" -I"$SRCDIR" \
	-DTESTS_SRCDIR='""' -o "$TMP/u_pool" "$SRCDIR/tests/unit/u_pool.c" \
	"$SRCDIR/lib/base/pool.c" "$SRCDIR/lib/base/bits.c" -pthread
run_is 0 "no data race" "$TMP/u_pool" || note "$OUT"
done_testing
