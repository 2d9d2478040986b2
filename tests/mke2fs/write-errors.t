#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A write, sync, truncation or close that fails, each in turn: exit status 1 and
# one sentence, never a filesystem that is said to be made. And a run that is
# killed.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin

FAULT=$TMP/fault.so
${CC:-cc} -shared -fPIC -o "$FAULT" "$SRCDIR/tests/lib/fault.c" \
	2>"$TMP/cc" || skip_all "no compiler that makes a shared object"
IMG=$TMP/a.img
FAULT_PATH=$(cd "$TMP" && pwd -P)/a.img
FAULT_COUNT=$TMP/count
export FAULT_PATH FAULT_COUNT

# make_it OLD ARGUMENT...: mke2fs with the shim, on an old file or a new one.
make_it() {
	old=$1
	shift
	rm -f "$IMG" "$FAULT_COUNT"
	[ "$old" = new ] || cp --sparse=always "$TMP/old.img" "$IMG"
	RC=0
	# A sanitizer wants to be loaded first; the shim does not mind.
	ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$FAULT \
		timeout 20 "$BUILD/mke2fs" -qF "$@" "$IMG" 70M \
		>"$TMP/out" 2>"$TMP/err" </dev/null || RC=$?
	SEEN=0
	[ -e "$FAULT_COUNT" ] && SEEN=$(wc -c <"$FAULT_COUNT")
}

# A filesystem of ours with its superblock in place, to be written over.
"$BUILD/mke2fs" -q -t ext4 -b 4096 -L before "$TMP/old.img" 70M

# each CALL OLD ARGUMENT...: fails the first call, the second and so on.
each() {
	FAULT_CALL=$1
	where=$2
	shift 2
	export FAULT_CALL
	nth=0
	bad=
	while nth=$((nth + 1)) && [ $nth -lt 300 ]; do
		# The first dozen one by one, then in steps.
		[ $nth -gt 12 ] && nth=$((nth + 16))
		FAULT_NTH=$nth make_it "$where" "$@"
		[ "$SEEN" -lt $nth ] && break
		[ $RC = 1 ] && [ "$(wc -l <"$TMP/err")" = 1 ] ||
			bad="$bad $nth:exit-$RC"
	done
	is "$bad" "" "$FAULT_CALL fails, $where, $*: every time it is said"
	# One call at least must have been seen, or nothing was tested.
	[ $nth -gt 1 ]
	ok $? "$FAULT_CALL, $where, $*: there was something to fail"
}

FAULT_ERRNO=5
export FAULT_ERRNO
make_it new -t ext4
if FAULT_CALL=write FAULT_NTH=1 make_it new -t ext4; [ "$SEEN" = 0 ]; then
	skip_all "the shim is not preloaded here"
fi
for where in new old; do
	each write "$where" -t ext4 -b 1024
	each write "$where" -t ext4 -b 64k -E target_kernel=6.19 -O mmp
	each write "$where" -t ext2 -b 4096
	each close "$where" -t ext4 -b 4096
done
each write old -t ext3 -b 4096 -E nodiscard
each truncate new -t ext4 -b 4096
FAULT_ERRNO=28
each write new -t ext4 -b 4096 -O bigalloc
FAULT_SHORT=1
export FAULT_SHORT
FAULT_CALL=write FAULT_NTH=1 make_it new -t ext4 -b 4096
is $RC 1 "half a block is written"
like "$(cat "$TMP/err")" "the disk is full or fails" "and it says what that is"
unset FAULT_SHORT

# A kernel reports lost data to one sync only; the next one succeeds.
FAULT_CALL=sync
FAULT_ONCE=1
export FAULT_CALL FAULT_ONCE
FAULT_NTH=0 make_it new -t ext4
all=$SEEN
FAULT_NTH=$all make_it new -t ext4
is $RC 1 "the last sync fails"
FAULT_NTH=$((all - 1)) make_it new -t ext4
is $RC 1 "the sync before it fails"
unset FAULT_ONCE

# Killed at any write: the old filesystem is not found any more, and a second
# run makes a clean one.
killed() {
	FAULT_CALL=write FAULT_KILL=1
	export FAULT_CALL FAULT_KILL
	bad=
	for nth in 2 3 4 5 7 9 12 15 20 30 45 60; do
		FAULT_NTH=$nth make_it old "$@"
		[ "$SEEN" -lt $nth ] && break
		[ $RC = 137 ] || bad="$bad $nth:exit-$RC"
		label=$(blkid -p -s LABEL -o value "$IMG" 2>/dev/null)
		[ "$label" = before ] && bad="$bad $nth:old-label"
		"$BUILD/mke2fs" -qF "$@" "$IMG" 2>"$TMP/err" &&
			e2fsck -fn "$IMG" >/dev/null 2>&1 ||
			bad="$bad $nth:second-run"
	done
	is "$bad" "" "killed at a write: $*"
	[ $nth -gt 2 ]
	ok $? "killed at a write: $*: there was one"
	unset FAULT_CALL FAULT_KILL
}
killed -t ext4 -b 64k -E target_kernel=6.19
killed -t ext4 -b 1024 -E nodiscard
killed -t ext2 -b 4096 -E nodiscard

done_testing
