#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# TAP for tests in POSIX sh: source it, call ok, is, like, run_is and skip, and
# end with done_testing. SRCDIR and BUILD come from the runner; by hand they
# default to the tree of the test and its build folder. TMP is a folder of the
# test's own, removed at the end.

TAP_NR=0
TAP_FAILED=0
# The folder of the test that sources this.
TAP_HERE=$(cd "$(dirname "$0")" && pwd)
if [ -z "${SRCDIR:-}" ]; then
	SRCDIR=$TAP_HERE
	while [ ! -f "$SRCDIR/configure.ac" ] && [ "$SRCDIR" != / ]; do
		SRCDIR=$(dirname "$SRCDIR")
	done
fi
BUILD=${BUILD:-$SRCDIR/build}
export SRCDIR BUILD
LC_ALL=C
export LC_ALL
TMP=$(mktemp -d "${TMPDIR:-/tmp}/lbs-test.XXXXXX") || exit 1
trap 'rm -rf "$TMP"' EXIT
trap 'exit 1' HUP INT TERM

# plan N: says how many tests there will be; done_testing says it otherwise.
plan() {
	TAP_PLAN=$1
	echo "1..$1"
}

# skip_all REASON: nothing of this file can be run here.
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# note TEXT: a comment, every line of it.
note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

tap_result() {
	TAP_NR=$((TAP_NR + 1))
	if [ "$1" = 0 ]; then
		echo "ok $TAP_NR - $2"
		return 0
	fi
	TAP_FAILED=$((TAP_FAILED + 1))
	echo "not ok $TAP_NR - $2"
	return 1
}

# ok STATUS NAME: passes when STATUS is 0. Often as: cmd; ok $? "name"
ok() {
	tap_result "$1" "$2"
}

# is GOT WANT NAME: passes when both texts are the same.
is() {
	if [ "$1" = "$2" ]; then
		tap_result 0 "$3"
	else
		tap_result 1 "$3"
		note "got:      $1"
		note "expected: $2"
		return 1
	fi
}

# like TEXT PART NAME: passes when PART (plain text) is in TEXT.
like() {
	case $1 in
	*"$2"*)
		tap_result 0 "$3" ;;
	*)
		tap_result 1 "$3"
		note "not found: $2"
		note "in: $1"
		return 1 ;;
	esac
}

# unlike TEXT PART NAME: passes when PART is not in TEXT.
unlike() {
	case $1 in
	*"$2"*)
		tap_result 1 "$3"
		note "found: $2"
		note "in: $1"
		return 1 ;;
	*)
		tap_result 0 "$3" ;;
	esac
}

# run CMD...: runs it without input; leaves OUT, ERR (texts) and RC. Like any
# helper that only prepares, it is no test by itself.
run() {
	RC=0
	"$@" </dev/null >"$TMP/out" 2>"$TMP/err" || RC=$?
	# shellcheck disable=SC2034 # for the test that sources this
	OUT=$(cat "$TMP/out")
	ERR=$(cat "$TMP/err")
}

# run_is WANT NAME CMD...: runs it; passes when its exit status is WANT.
run_is() {
	tap_want=$1
	tap_name=$2
	shift 2
	run "$@"
	is "$RC" "$tap_want" "$tap_name" || note "stderr: $ERR"
}

# skip REASON NAME: counts as passed, the reason is shown.
skip() {
	TAP_NR=$((TAP_NR + 1))
	echo "ok $TAP_NR - $2 # SKIP $1"
}

# done_testing: prints the plan unless plan did; the exit status of the test.
done_testing() {
	if [ -z "${TAP_PLAN:-}" ]; then
		echo "1..$TAP_NR"
	elif [ "$TAP_PLAN" != "$TAP_NR" ]; then
		note "planned $TAP_PLAN tests but ran $TAP_NR"
		exit 1
	fi
	[ "$TAP_FAILED" = 0 ] && [ "$TAP_NR" -gt 0 ]
	exit $?
}
