#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Logs that stock debugfs writes, with each kind of checksum and tag: our
# replay and stock's give the same blocks. One of the blocks begins with the
# magic of the log; some are revoked, one of them written again.
. "${SRCDIR:?}/tests/lib/tap.sh"

PATH=$PATH:/usr/sbin:/sbin
MKE2FS_CONFIG=/dev/null
export MKE2FS_CONFIG
tools=$BUILD/tests/tools
unit=1024

# write_log OPTIONS REVOKE: three transactions; the second revokes.
write_log() {
	{
		echo "journal_open $1"
		echo "journal_write -b 3003,3001,3002,3000 $TMP/data"
		if [ "$2" = yes ]; then
			echo "journal_write -r 3001,3002"
		fi
		echo "journal_write -b 3001 $TMP/data"
		echo "journal_close"
	} | debugfs -w "$TMP/img" >"$TMP/log" 2>&1
}

# one NAME FEATURES OPTIONS REVOKE COPIES: at block size $bs.
one() {
	rm -f "$TMP/img"
	truncate -s "$((5000 * bs))" "$TMP/img"
	if ! mke2fs -q -F -t ext4 -b "$bs" -O "$2" "$TMP/img" >"$TMP/log" 2>&1 ||
		! write_log "$3" "$4"; then
		ok 1 "$bs $1: the log is made"
		note "$(cat "$TMP/log")"
		return
	fi
	cp "$TMP/img" "$TMP/stock"
	debugfs -w -R journal_run "$TMP/stock" >"$TMP/log" 2>&1
	run "$tools/replay" "$TMP/img" "$TMP/ours"
	is "$RC $(echo "$OUT" | sed -n 's/^copies: //p')" "0 $5" \
		"$bs $1: everything is replayed" || note "$OUT"
	jsb=$(debugfs -R 'bmap <8> 0' "$TMP/img" 2>/dev/null)
	"$tools/blockdiff" "$TMP/stock" "$TMP/ours" "$unit" >"$TMP/diff"
	is "$(grep -v -x -e 1 -e "$((jsb * bs / unit))" "$TMP/diff")" "" \
		"$bs $1: as stock"
	"$tools/blockdiff" "$TMP/img" "$TMP/ours" "$bs" >"$TMP/diff"
	like "$(tr '\n' ' ' <"$TMP/diff")" " 3003 " "$bs $1: the escaped block too"
}

# part FILE BLOCK: a checksum of it.
part() {
	dd if="$1" bs="$bs" skip="$2" count=1 2>/dev/null | cksum
}

# A log on a device of its own, which stock cannot replay without a device.
external() {
	rm -f "$TMP/img" "$TMP/dev"
	truncate -s "$((2000 * bs))" "$TMP/dev"
	truncate -s "$((5000 * bs))" "$TMP/img"
	mke2fs -q -F -O journal_dev -b "$bs" "$TMP/dev" >"$TMP/log" 2>&1
	mke2fs -q -F -b "$bs" -O extent,^resize_inode "$TMP/img" >>"$TMP/log" 2>&1
	uuid=$(dumpe2fs -h "$TMP/dev" 2>/dev/null | sed -n 's/^Filesystem UUID: *//p')
	{
		echo "feature has_journal"
		echo "set_super_value journal_uuid $uuid"
		echo "set_super_value journal_inum 0"
		echo "set_super_value journal_dev 0x801"
		echo "journal_open -f $TMP/dev"
		echo "journal_write -b 3003,3001,3002 $TMP/data"
		echo "journal_write -r 3001,3002"
		echo "journal_write -b 3002 $TMP/data"
		echo "journal_close"
	} | debugfs -w "$TMP/img" >>"$TMP/log" 2>&1
	run "$tools/replay" "$TMP/img" "$TMP/ours" "$TMP/dev"
	is "$RC $(echo "$OUT" | sed -n 's/^copies: //p')" "0 2, revoked: 2" \
		"$bs external: everything is replayed" ||
		note "$OUT$ERR $(cat "$TMP/log")"
	"$tools/blockdiff" "$TMP/img" "$TMP/ours" "$bs" >"$TMP/diff"
	is "$(tr '\n' ' ' <"$TMP/diff")" "3002 3003 " "$bs external: blocks changed"
	is "$(part "$TMP/ours" 3003) $(part "$TMP/ours" 3002)" \
		"$(part "$TMP/data" 0) $(part "$TMP/data" 0)" \
		"$bs external: to what was written last"
	run "$tools/replay" "$TMP/img" "$TMP/ours" "$TMP/img"
	like "$RC $ERR" "2 replay: " "$bs: a filesystem is no journal device"
}

for bs in 1024 4096 65536; do
	{
		printf '\300\073\071\230 begins like a log block'
		seq 1 60000
	} | head -c "$((4 * bs))" >"$TMP/data"
	base=has_journal,extent,^resize_inode
	one "no sums" "$base,^metadata_csum,^64bit" '' yes '3, revoked: 2'
	one "no sums, 64bit" "$base,^metadata_csum,64bit" '' yes '3, revoked: 2'
	# Stock's own v1 sum of a transaction that revokes is wrong.
	one "v1" "$base,^metadata_csum,^64bit" '-c' no '5, revoked: 0'
	one "v1, 64bit" "$base,^metadata_csum,64bit" '-c' no '5, revoked: 0'
	one "v2" "$base,metadata_csum,^64bit" '-c -v 2' yes '3, revoked: 2'
	one "v2, 64bit" "$base,metadata_csum,64bit" '-c -v 2' yes '3, revoked: 2'
	one "v3" "$base,metadata_csum,^64bit" '-c -v 3' yes '3, revoked: 2'
	one "v3, 64bit" "$base,metadata_csum,64bit" '-c -v 3' yes '3, revoked: 2'
	one "indirect map" "has_journal,^resize_inode,^extent,^64bit,^metadata_csum" '' yes \
		'3, revoked: 2'
	external
done
done_testing
