#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No images in the repository: tests make what they need. What fuzzing found
# may be kept in tests/fuzz/corpus, small.
. "${SRCDIR:?}/tests/lib/tap.sh"

# offences TREE: binary files over 4 KiB, and any file over 256 KiB.
offences() {
	"$SRCDIR/scripts/list-sources" "$1" | while IFS= read -r file; do
		bytes=$(wc -c <"$1/$file")
		limit=262144
		if [ "$bytes" -gt 4096 ] && ! grep -qI . "$1/$file"; then
			limit=4096
			case $file in
			tests/fuzz/corpus/*) limit=65536 ;;
			esac
		fi
		[ "$bytes" -le "$limit" ] || echo "$file: $bytes bytes"
	done
}

is "$(offences "$SRCDIR")" "" "this tree stores no images"

mkdir -p "$TMP/tree/tests/fuzz/corpus/super"
head -c 5000 /dev/zero >"$TMP/tree/disk.img"
like "$(offences "$TMP/tree")" "disk.img: 5000 bytes" "a small image is caught"
mv "$TMP/tree/disk.img" "$TMP/tree/tests/fuzz/corpus/super/x"
is "$(offences "$TMP/tree")" "" "a fuzz find of that size is fine"
seq 100000 >"$TMP/tree/text"
like "$(offences "$TMP/tree")" "text: " "a huge text is caught"
done_testing
