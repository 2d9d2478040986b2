#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Layouts that random.t found to be unclean, one line each and why.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin

# In memory where possible: these write and sync many small pieces.
BIG=$(mktemp -d /dev/shm/lbs-test.XXXXXX 2>/dev/null) || BIG=
trap 'rm -rf "$TMP" "$BIG"' EXIT
IMG=${BIG:-$TMP}/a.img

# clean NAME MKE2FS-ARGUMENT...: made, and e2fsck has nothing to say.
clean() {
	name=$1
	shift
	rm -f "$IMG"
	"$BUILD/mke2fs" -q -t ext4 -E target_kernel=6.19 "$@" 2>"$TMP/make" &&
		e2fsck -fn "$IMG" >"$TMP/fsck" 2>&1
	ok $? "$name" || note "mke2fs $*" "$(cat "$TMP/make")" \
		"$(head -8 "$TMP/fsck")"
}

clean "half reserved of a size that is no multiple of the cluster" \
	-b 1024 -O bigalloc -C 1048576 -m 50 "$IMG" 341385k
clean "half reserved, and the last group is dropped" \
	-b 1024 -m 50 "$IMG" 1048587k
clean "the orphan file needs a map block between the tables" \
	-b 2048 -I 512 -g 1024 -G 1048576 "$IMG" 128G
clean "the same with bigalloc" \
	-b 4096 -g 256 -O bigalloc -C 8192 -G 1048576 "$IMG" 100G
clean "the same with 16K blocks" \
	-b 16k -g 256 -G 1048576 -i 8192 "$IMG" 110G
clean "the same without extents" \
	-b 16k -g 256 -G 1048576 -i 8192 -O ^extent,^64bit "$IMG" 110G

done_testing
