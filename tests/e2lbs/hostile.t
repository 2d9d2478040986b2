#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# e2lbs check on what is no filesystem, and on damaged ones: one sentence, a
# documented exit code, no crash, nothing written.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin

check() {
	"$BUILD/e2lbs" check "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
}

# refused NAME CODE TEXT ARG...: exit CODE and one line on stderr with TEXT.
refused() {
	name=$1 code=$2 text=$3
	shift 3
	check "$@"
	is $? "$code" "$name: exit $code"
	is "$(wc -l <"$TMP/err")" 1 "$name: one sentence"
	grep -q "$text" "$TMP/err"
	ok $? "$name: says '$text'"
	[ ! -s "$TMP/out" ]
	ok $? "$name: nothing on stdout"
}

: >"$TMP/empty"
head -c 1024 /dev/zero >"$TMP/short"
head -c 1048576 /dev/urandom >"$TMP/random"
mkfifo "$TMP/fifo"
refused "folder" 8 "is a directory" "$TMP"
refused "missing" 8 "No such file" "$TMP/none"
refused "character device" 8 "neither a regular file" /dev/null
refused "fifo" 8 "neither a regular file" "$TMP/fifo"
refused "empty file" 8 "too short" "$TMP/empty"
refused "superblock cut off" 8 "too short" "$TMP/short"
refused "random bytes" 8 "no ext2/3/4 superblock" "$TMP/random"
refused "no operand" 16 "name an image" --json
refused "two operands" 16 "one image" a b
refused "unknown option" 16 "no such option" --bogus x
refused "page size" 16 "target-page-size" --target-page-size 5000 x
refused "kernel" 16 "target-kernel" --target-kernel banana x
refused "lbs" 16 "yes or no" --target-lbs maybe x
refused "sector size" 16 "target-sector-size" --target-sector-size 513 x
refused "type" 16 "ext2, ext3 or ext4" -t xfs x

for bs in 1024 4096 16384 65536; do
	img=$TMP/$bs.img
	mke2fs -Fq -t ext4 -b $bs "$img" 128M </dev/null >/dev/null 2>&1
	sum=$(sha256sum <"$img")
	chmod 444 "$img"
	check "$img"
	status=$?
	is "$((status <= 3))" 1 "bs $bs: a read-only image is judged (exit $status)"
	is "$(sha256sum <"$img")" "$sum" "bs $bs: nothing was written"
	chmod 644 "$img"
	out=$("$BUILD/tests/tools/extremes" "$img" 300 2>"$TMP/err")
	ok $? "bs $bs: extremes and random damage: $out"
	[ -s "$TMP/err" ] && note "$(cat "$TMP/err")"
	is "$(sha256sum <"$img")" "$sum" "bs $bs: the image is as it was"
	for cut in 1500 2048 70000 200000 1000000; do
		head -c $cut "$img" >"$TMP/cut"
		check "$TMP/cut"
		status=$?
		[ $status -eq 1 ] || [ $status -eq 8 ]
		ok $? "bs $bs: cut at $cut bytes: exit $status"
	done
done
done_testing
