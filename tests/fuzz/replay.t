#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every fuzz target takes its seeds, what was found earlier, and small changes
# of them.
. "${SRCDIR:?}/tests/lib/tap.sh"

for src in "$SRCDIR"/tests/fuzz/fuzz_*.c; do
	name=$(basename "$src" .c)
	name=${name#fuzz_}
	if ! "$SRCDIR/tests/fuzz/seeds" "$name" "$TMP/$name" 2>"$TMP/why"; then
		ok 1 "$name: seeds"
		note "$(cat "$TMP/why")"
		continue
	fi
	run "$BUILD/tests/fuzz/replay_$name" "$TMP/$name"/*
	is "$RC" 0 "$name: $OUT replayed" || note "$ERR"
done
done_testing
