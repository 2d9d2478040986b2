#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guest part of scripts/measure-groups: formats, measures, prints
#	@@W block_size group round direct buffered create	(KiB/s, KiB/s, files/s)
#	@@T block_size group round mount_us memfree_kb slab_kb
# /vm/params sets ROUNDS BIG_ROUNDS SIZE BIG_SIZE DIRECT_MIB
# BUFFERED_MIB FILES LAYOUTS BIG_LAYOUTS;
# a layout is "block_size:clusters_per_group", or "block_size:ours" for all the
# defaults of this project's mke2fs.

# shellcheck source=/dev/null
. /vm/params
export MKE2FS_CONFIG=/e/stock/mke2fs.conf

note()
{
	echo "@@NOTE $*"
}

# make_fs SIZE BLOCK GROUP: on loop0 over a sparse file in memory
make_fs()
{
	rm -f /t/f
	if ! truncate -s "$1" /t/f || ! losetup /dev/loop0 /t/f; then
		note "no loop device of $1"
		return 1
	fi
	if [ "$3" = ours ]; then
		set -- "$1" "$2" "$3" /e/ours/mke2fs
	else
		set -- "$1" "$2" "$3" /e/stock/mke2fs -g "$3"
	fi
	"$4" -q -F -t ext4 -b "$2" ${5:+"$5" "$6"} \
		-E lazy_itable_init=1,lazy_journal_init=1 \
		/dev/loop0 >/t/log 2>&1 </dev/null && return 0
	note "mke2fs -b $2 -g $3: $(tail -n 1 /t/log)"
	losetup -d /dev/loop0
	return 1
}

drop_fs()
{
	umount /m 2>/dev/null
	losetup -d /dev/loop0
	rm -f /t/f
	sync
	echo 3 >/proc/sys/vm/drop_caches
}

meminfo()
{
	sed -n "s/^$1: *\([0-9]*\) kB/\1/p" /proc/meminfo
}

work()
{
	make_fs "$SIZE" "$1" "$2" || return
	if /bench mount /dev/loop0 /m noinit_itable >/dev/null; then
		direct=$(/bench direct /m/direct "$DIRECT_MIB")
		buffered=$(/bench buffered /m/buffered "$BUFFERED_MIB")
		create=$(/bench create /m "$FILES")
		echo "@@W $1 $2 $3 ${direct:-nan} ${buffered:-nan} ${create:-nan}"
	fi
	drop_fs
}

# Memory: what a mount takes, caches emptied before and after
big()
{
	make_fs "$BIG_SIZE" "$1" "$2" || return
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1		# pages freed late are counted late
	free=$(meminfo MemFree) slab=$(meminfo Slab)
	time=$(/bench mount /dev/loop0 /m noinit_itable)
	sleep 1
	free=$((free - $(meminfo MemFree)))
	slab=$(($(meminfo Slab) - slab))
	echo "@@T $1 $2 $3 ${time:-nan} $free $slab"
	drop_fs
}

# Every round has an order of its own, so that no layout always comes first;
# the order follows from the number of the round and can be repeated.
in_turn()
{
	for word in $2; do echo "$word"; done |
		awk -v seed="$1" 'BEGIN { srand(seed) } { print rand(), $0 }' |
		sort -n | cut -d ' ' -f 2 | tr '\n' ' '
}

round=1
while [ "$round" -le "$ROUNDS" ]; do
	for layout in $(in_turn "$round" "$LAYOUTS"); do
		work "${layout%:*}" "${layout#*:}" "$round"
	done
	round=$((round + 1))
done
round=1
while [ "$round" -le "$BIG_ROUNDS" ]; do
	for layout in $(in_turn "$round" "$BIG_LAYOUTS"); do
		big "${layout%:*}" "${layout#*:}" "$round"
	done
	round=$((round + 1))
done
