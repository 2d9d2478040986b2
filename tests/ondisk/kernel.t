#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Images that a kernel wrote, at 4, 16 and 64 KiB: lib/ondisk finds every
# checksum right and no defect. E: checksums and most features, N: none, I:
# block maps, O: orphan file and MMP.
. "${SRCDIR:?}/tests/lib/tap.sh"

corpus=${LBS_CORPUS:-$SRCDIR/../shared/corpus/lbs}
[ -d "$corpus" ] || skip_all "no images at $corpus (LBS_CORPUS names another folder)"
command -v xz >/dev/null || skip_all "xz is missing"
for name in E64 E16 E4 N64 N16 N4 I64 I16 I4 O64 O16 O4; do
	xz -dc "$corpus/$name.img.xz" | dd of="$TMP/img" bs=64k conv=sparse 2>/dev/null
	run_is 0 "$name" "$BUILD/tests/tools/scanimg" "$TMP/img"
	note "$(echo "$OUT" | tail -n 20)"
done
# With another generation the sums of the root's blocks do not fit any more.
PATH=$PATH:/usr/sbin:/sbin
run_is 0 "damage" debugfs -w -R "sif <2> generation 5" "$TMP/img"
run_is 1 "is seen" "$BUILD/tests/tools/scanimg" "$TMP/img"
like "$OUT" "1 wrong checksums, 0 defects" "once"
done_testing
