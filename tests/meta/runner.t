#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/run counts single tests, goes on after a crash, names skips with their
# reason, and its last line and exit status are honest.
. "${SRCDIR:?}/tests/lib/tap.sh"

# What a caller asks of the real runner is not meant for this one.
unset LBS_VM_REQUIRED

TREE=$TMP/tree
mkdir -p "$TREE/tests/made" "$TREE/tests/vm" "$TREE/build"

# made NAME LINE...: a test script of the made-up tree.
made() {
	file=$TREE/tests/$1
	shift
	{ echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$file"
	chmod +x "$file"
}

# runner ARGUMENT...: the real runner on the made-up tree; LAST is its last line.
runner() {
	run env SRCDIR="$TREE" BUILD="$TREE/build" "$SRCDIR/tests/run" "$@"
	LAST=$(printf '%s\n' "$OUT" | tail -n 1)
}

made made/good.t 'echo "ok 1 - a"' 'echo "ok 2 - b # SKIP no device"' 'echo 1..2'
runner
is "$LAST" "1 passed, 0 failed, 1 skipped" "a skip is not a pass"
is "$RC" 0 "all well is 0"
like "$OUT" "tests/made/good.t: - b: no device" "the reason is named"

made made/bad.t 'echo "not ok 1 - wrong"' 'echo "#   got 7"' 'echo "ok 2"' \
	'echo 1..2' 'exit 1'
made made/crash.t 'echo "ok 1"' 'kill -SEGV $$'
made made/short.t 'echo 1..3' 'echo "ok 1"'
made made/silent.t 'exit 0'
made made/none.t 'echo "1..0 # SKIP not here"'
runner
is "$RC" 1 "failures are 1"
is "$LAST" "4 passed, 4 failed, 2 skipped" "everything is counted"
like "$OUT" "#   got 7" "what a failed test says is shown"
for name in bad crash short silent; do
	like "$OUT" "failed: tests/made/$name.t" "$name.t is named"
done
like "$OUT" "tests/made/none.t: all of it: not here" "a skipped file too"

made made/bail.t 'echo "ok 1"' 'echo "Bail out! no space"'
runner
is "$LAST" "5 passed, 5 failed, 2 skipped" "a bail-out ends only its own file"
like "$OUT" "bailed out: no space" "and is named"

runner "$TREE/tests/made/good.t"
is "$LAST" "1 passed, 0 failed, 1 skipped" "one file by name"
rm -f "$TREE"/tests/made/*
runner
is "$RC" 1 "nothing run is a failure"

made made/good.t 'echo "ok 1"' 'echo 1..1'
made vm/run 'echo "ok 1"' 'echo "ok 2"' 'echo 1..2'
runner --counts="$TMP/counts"
is "$LAST" "3 passed, 0 failed, 0 skipped" "the virtual machines count"
is "$(cat "$TMP/counts")" "3 0 0" "numbers for the caller"
runner --no-vm
is "$LAST" "1 passed, 0 failed, 0 skipped" "--no-vm"
runner --only-vm
is "$LAST" "2 passed, 0 failed, 0 skipped" "--only-vm"
made vm/run 'echo "1..0 # SKIP no qemu"'
runner --only-vm
is "$LAST" "0 passed, 0 failed, 1 skipped" "no machine is a skip"
LBS_VM_REQUIRED=1
export LBS_VM_REQUIRED
runner --only-vm
is "$LAST" "0 passed, 1 failed, 0 skipped" "but a failure where required"
is "$RC" 1 "with its exit status"
done_testing
