#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A label is printed, and what a terminal would obey in it is not.
. "${SRCDIR:?}/tests/lib/tap.sh"

PATH=$PATH:/usr/sbin:/sbin
IMG=$TMP/fs.img
truncate -s 64M "$IMG"
MKE2FS_CONFIG=$SRCDIR/tests/lbs/upstream-mke2fs.conf \
	mke2fs -q -F -b 4096 -L "my disk" "$IMG" || exit 1

run "$BUILD/e2lbs" check "$IMG"
like "$OUT" 'label "my disk"' "a plain label"
# ESC ] 0 ; x BEL sets the title of a terminal.
run_is 0 "a hostile one is made" "$BUILD/tests/tools/mangle" --fix-csum "$IMG" \
	sb.volume_name=1b5d303b7807ff
run "$BUILD/e2lbs" check "$IMG"
like "$OUT" 'label "\x1b]0;x\x07\xff"' "it is escaped"
is "$(printf '%s' "$OUT" | tr -d '[:print:]\n' | wc -c)" 0 \
	"nothing that does not print is left"
run "$BUILD/e2lbs" check --json "$IMG"
like "$OUT" '"label": "\\x1b]0;x\\x07\\xff"' "in JSON the same"
done_testing
