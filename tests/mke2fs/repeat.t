#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With SOURCE_DATE_EPOCH, a UUID and a hash seed two runs give the same bytes,
# whatever the clock, the name of the file and what was in it.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
UUID=0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
SEED=00112233-4455-6677-8899-aabbccddeeff

# One line a case.
cat >"$TMP/cases" <<END
-t ext2
-t ext3
-t ext4
-t ext4 -b 64k
-t ext4 -O mmp
-t ext4 -b 16k -O mmp,bigalloc
-t ext4 -O inline_data,encrypt -F
-t ext4 -O fast_commit
-t ext4 -E lazy_itable_init=0
-t ext4 -O ^metadata_csum,mmp
END

# make_all FOLDER: number 1 is the first case.
make_all() {
	mkdir "$1"
	number=0
	while read -r o; do
		number=$((number + 1))
		# shellcheck disable=SC2086 # options are words
		"$BUILD/mke2fs" -q $o -U $UUID \
			-E hash_seed=$SEED,target_kernel=6.19 \
			"$1/$number" 300M </dev/null >"$TMP/out" 2>&1
		ok $? "$o: made" || note "$(cat "$TMP/out")"
	done <"$TMP/cases"
}

make_all "$TMP/one"
# Past the second in which the first ones were made.
sleep 1.1
make_all "$TMP/another"
for n in $(seq $number); do
	cmp "$TMP/one/$n" "$TMP/another/$n" >"$TMP/cmp" 2>&1
	ok $? "case $n: the same bytes" || note "$(cat "$TMP/cmp")"
	e2fsck -fn "$TMP/one/$n" >/dev/null 2>&1
	ok $? "case $n: clean"
done

done_testing
