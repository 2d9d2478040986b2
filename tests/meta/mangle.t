#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# mangle sets what it is told, where stock tools read it, and nothing else.
. "${SRCDIR:?}/tests/lib/tap.sh"

PATH=$PATH:/usr/sbin:/sbin
MANGLE=$BUILD/tests/tools/mangle
IMG=$TMP/fs.img
truncate -s 64M "$IMG"
MKE2FS_CONFIG=/dev/null mke2fs -q -F -b 4096 -O extent,metadata_csum,64bit "$IMG" \
	2>/dev/null || exit 1

# field NAME: as stock dumpe2fs names it.
field() {
	dumpe2fs -h "$IMG" 2>/dev/null | sed -n "s/^$1: *//p"
}

run_is 0 "sets three fields" "$MANGLE" --fix-csum "$IMG" sb.max_mnt_count=77 \
	sb.volume_name=6c6f7564 sb.reserved_gdt_blocks=0x1F
is "$(field 'Maximum mount count')" 77 "a decimal number"
is "$(field 'Filesystem volume name')" loud "bytes"
is "$(field 'Reserved GDT blocks')" 31 "a hexadecimal number"
run "$MANGLE" "$IMG"
like "$OUT" "sb.max_mnt_count=77" "prints them"
like "$OUT" "sb.volume_name=6c6f7564000000000000000000000000" "in full"
before=$OUT
run_is 0 "writes back what it printed" "$MANGLE" --keep-csum "$IMG" "$(
	echo "$OUT" | grep volume_name)"
run "$MANGLE" "$IMG"
is "$OUT" "$before" "and nothing has changed"

run_is 0 "a change that leaves the checksum" "$MANGLE" "$IMG" sb.mnt_count=9
run dumpe2fs -h "$IMG"
like "$ERR" "checksum" "stock sees that it is wrong"
run_is 0 "and that is repaired" "$MANGLE" --fix-csum "$IMG" sb.mnt_count=9
run dumpe2fs -h "$IMG"
unlike "$ERR" "checksum" "by --fix-csum"

cp "$IMG" "$TMP/before"
run_is 2 "an unknown field" "$MANGLE" "$IMG" sb.mnt_count=1 sb.nonsense=1
run_is 2 "a number that does not fit" "$MANGLE" "$IMG" sb.mnt_count=65536
run_is 2 "bytes that do not fit" "$MANGLE" "$IMG" \
	sb.volume_name=0000000000000000000000000000000000
run_is 2 "no hexadecimal" "$MANGLE" "$IMG" sb.volume_name=xy
ok "$(cmp -s "$IMG" "$TMP/before"; echo $?)" "errors write nothing"
run_is 1 "no such image" "$MANGLE" "$TMP/none" sb.mnt_count=1
run "$MANGLE" --list
like "$OUT" "sb.blocks_count_lo" "--list names fields"
done_testing
