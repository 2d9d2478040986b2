#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# .ci/run is as honest as ./runtests, and fails on a skip nobody expects. A
# stand-in for ./runtests says what came out.
. "${SRCDIR:?}/tests/lib/tap.sh"

TREE=$TMP/tree
mkdir -p "$TREE/.ci"
cp "$SRCDIR/.ci/run" "$TREE/.ci/run"
printf '# Why.\n\n^tests/a\\.t: .*: no device$\n' >"$TREE/.ci/expected-skips"
cat >"$TREE/runtests" <<'END'
#!/bin/sh
[ "$1" = --counts ] && [ "$LBS_VM_REQUIRED" = 1 ] || exit 9
printf "$SKIPS" >"$2"
echo "some output"
echo "$CLOSING"
exit "$STATUS"
END
chmod +x "$TREE/runtests"

# ci STATUS SKIPS CLOSING: LAST is the last line of .ci/run.
ci() {
	run env STATUS="$1" SKIPS="$2" CLOSING="$3" "$TREE/.ci/run"
	LAST=$(printf '%s\n' "$OUT" | tail -n 1)
}

ci 0 '7 0 0\n' '7 passed, 0 failed, 0 skipped'
is "$RC" 0 "all passed"
is "$LAST" '7 passed, 0 failed, 0 skipped' "the closing line is passed on"
like "$OUT" "some output" "and the output"
is "$(printf '%s\n' "$OUT" | grep -c ' passed, ')" 1 "once"
ci 1 '6 1 0\n' '6 passed, 1 failed, 0 skipped'
is "$RC" 1 "a failure is a failure"
is "$LAST" '6 passed, 1 failed, 0 skipped' "with its line"
ci 0 '6 0 1\nskip tests/a.t: x: no device\n' '6 passed, 0 failed, 1 skipped'
is "$RC" 0 "an expected skip"
ci 0 '6 0 1\nskip tests/b.t: x: no device\n' '6 passed, 0 failed, 1 skipped'
is "$RC" 1 "an unexpected skip"
is "$LAST" '6 passed, 1 failed, 0 skipped' "counts as failed"
like "$OUT" "tests/b.t: x: no device" "and is named"
ci 3 '' 'died somewhere'
is "$RC" 1 "no closing line"
is "$LAST" '0 passed, 1 failed, 0 skipped' "is a failure"
done_testing
