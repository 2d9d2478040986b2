#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Journals a kernel left unclean at 64K, 16K and 4K blocks, and their damages:
# our replay against stock's, block by block, and our verdict against what is
# known of the damage. Skipped where the images are not at hand.
#
# Stock's side is "journal_run" of debugfs, because "e2fsck -E journal_only" does
# not stop before it has cleared orphaned inodes. Measured on these images: that
# e2fsck gives the same blocks whether it replays itself or finds it done by
# debugfs (but where it drops a journal whose superblock is bad). What differs by
# nature: the superblock (replayed, flags, times) and the journal's own.

# Stock waits for the disk after each of a hundred repairs; memory does not
# make it wait.
shm_kib=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "${shm_kib:-0}" -gt 524288 ]; then
	TMPDIR=/dev/shm
	export TMPDIR
fi
. "${SRCDIR:?}/tests/lib/tap.sh"

PATH=$PATH:/usr/sbin:/sbin
lbs=${LBS_CORPUS:-$SRCDIR/../shared/corpus/lbs}
[ -r "$lbs/U64.img.xz" ] || skip_all "no unclean journals at $lbs"
tools=$BUILD/tests/tools
unit=1024

# patch CASE IMAGE: lines of "offset hex" or "offset XX*count".
patch() {
	perl -e '
		open my $img, "+<", $ARGV[1] or die;
		open my $in, "<", $ARGV[0] or die;
		while (<$in>) {
			my ($off, $hex) = split;
			my $bytes = $hex =~ /^(..)\*(\d+)$/ ? chr(hex $1) x $2
				: pack("H*", $hex);
			seek $img, $off, 0;
			print $img $bytes;
		}
		close $img or die;' "$lbs/patches/$1.patch" "$2"
}

# expected CASE: state, transactions, lost blocks. "*" is any.
expected() {
	case $1 in
	*.base | *.jnl_none_unclean_base | *.sb_* | *.orph_*)
		echo 'complete * *' ;;
	# The next transaction, or nothing, is where this one should be.
	*.jnl_commit_seq | *.jnl_commit_magic | *.jnl_desc_seq | *.jnl_desc_magic)
		echo 'complete 0 0' ;;
	*.jnl_data_bitflip | *.jnl_data3_bitflip)
		echo 'complete * 1' ;;
	*.jnl_commit3_csum)
		echo 'cut 3 0' ;;
	*.jnl_commit_csum | *.jnl_commit_chksum_type)
		echo 'cut 0 0' ;;
	*.jnl_desc*)
		echo 'refused 0 0' ;;
	# Without features checksums are not looked at, and tags are smaller.
	*.jnl_sb_incompat_0)
		echo 'complete * *' ;;
	*.jnl_sb_*)
		echo 'unusable none 0' ;;
	*)
		echo 'nothing is known of it' ;;
	esac
}

verdict() {
	state=$(sed -n 's/^state: //p' "$TMP/ours.log")
	nr=$(sed -n 's/^transactions: \([0-9]*\) .*/\1/p' "$TMP/ours.log")
	echo "$state ${nr:-none} $(grep -c '^lost: ' "$TMP/ours.log")"
}

# matches GOT WANT: word by word.
matches() {
	# The words of WANT are patterns.
	# shellcheck disable=SC2254
	case $1 in
	$2) return 0 ;;
	esac
	return 1
}

# one CASE: $TMP/img is its image.
one() {
	cp "$TMP/img" "$TMP/stock"
	debugfs -w -R journal_run "$TMP/stock" >"$TMP/stock.log" 2>&1
	before=$(stat -c '%y %b' "$TMP/img")
	"$tools/replay" "$TMP/img" "$TMP/ours" >"$TMP/ours.log" 2>&1
	rc=$?
	got=$(verdict)
	if [ "$rc" -gt 1 ] || ! matches "$got" "$(expected "$1")"; then
		ok 1 "$1: what is found"
		note "got $got, expected $(expected "$1")"
		note "$(cat "$TMP/ours.log")"
		return
	fi
	"$tools/blockdiff" "$TMP/stock" "$TMP/ours" "$unit" >"$TMP/diff"
	other=$(grep -v -x -e 1 -e "$jsb" "$TMP/diff")
	[ "$before" = "$(stat -c '%y %b' "$TMP/img")" ] || other="the image itself"
	is "$other" "" "$1: $got, as stock" ||
		note "$(cat "$TMP/ours.log" "$TMP/stock.log")"
}

for base in U64 U16 U4 P64 P16 P4; do
	blocks=$((${base#?} * 1024 / unit))
	xz -dc "$lbs/$base.img.xz" >"$TMP/base"
	jsb=$(debugfs -R 'bmap <8> 0' "$TMP/base" 2>/dev/null)
	jsb=$((jsb * blocks))
	cp "$TMP/base" "$TMP/img"
	one "$base.base"
	for file in "$lbs/patches/$base".*.patch; do
		name=$(basename "$file" .patch)
		cp "$TMP/base" "$TMP/img"
		patch "$name" "$TMP/img"
		one "$name"
	done
done
done_testing
