#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Signatures of what a device held must not outlive it: a former swap area, CD
# image or RAID member would still be found, or "several formats at once", and
# the new filesystem not be mounted by its UUID. -E nodiscard stands for the
# many devices that cannot discard.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin

IMG=$TMP/a.img
command -v blkid >/dev/null || skip_all "no blkid"

# put BYTES-IN-PRINTF-FORM OFFSET
put() {
	# shellcheck disable=SC2059 # the bytes are the format
	printf "$1" | dd of="$IMG" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# at OFFSET LENGTH: those bytes, zeroes left out.
at() {
	dd if="$IMG" bs=1 skip="$1" count="$2" 2>/dev/null | tr -d '\0'
}

# A length that is a multiple of 64 KiB, and two that are not: md's place in the
# last 128 KiB, and the end that the last group leaves unused, depend on it.
for size in 209715200 209719296 1048596480; do
	gpt=$((size - 512))
	md=$(((size / 512 - 16) / 8 * 8 * 512))
	md_old=$((size / 65536 * 65536 - 65536))
	for b in 1024 4096 65536; do
		rm -f "$IMG"
		truncate -s $size "$IMG"
		put XFSB 0
		put LABELONE 512
		put SWAPSPACE2 4086
		put CD001 32769
		put SWAPSPACE2 65526
		put _BHRfS_M 65600
		put ReIsEr2Fs 65588
		put '\374N+\251' "$md_old"
		put '\374N+\251' "$md"
		"$BUILD/mke2fs" -qF -t ext4 -b $b \
			-E target_kernel=6.19,nodiscard "$IMG" 2>"$TMP/err"
		ok $? "size $size, blocks of $b: made"
		left=
		for sign in XFSB:0 LABELONE:512 SWAPSPACE2:4086 CD001:32769 \
			SWAPSPACE2:65526 _BHRfS_M:65600 ReIsEr2Fs:65588; do
			at "${sign#*:}" 10 | grep -aq "^${sign%:*}" &&
				left="$left $sign"
		done
		is "$left" "" "size $size, blocks of $b: nothing at the start"
		is "$(at "$md_old" 4)" "" \
			"size $size, blocks of $b: nothing in the last 128 KiB"
		is "$(blkid -p -s TYPE -o value "$IMG")" ext4 \
			"size $size, blocks of $b: blkid finds ext4"
		e2fsck -fn "$IMG" >/dev/null 2>&1
		ok $? "size $size, blocks of $b: it is clean"
	done
done

# What is only found at the end, beyond the filesystem's last group.
if command -v sfdisk >/dev/null; then
	rm -f "$IMG"
	truncate -s 1048596480 "$IMG"
	printf 'label: gpt\n,\n' | sfdisk -q "$IMG" >/dev/null 2>&1
	is "$(at "$gpt" 8)" "EFI PART" "a GPT has a copy in the last sector"
	"$BUILD/mke2fs" -qF -t ext4 -b 64k \
		-E target_kernel=6.19,nodiscard "$IMG" 2>"$TMP/err"
	is "$(at "$gpt" 8)" "" "the copy does not survive"
else
	skip "no sfdisk" "the copy of a GPT"
fi
rm -f "$IMG"
truncate -s 1048596480 "$IMG"
# An md superblock of version 1.0 that blkid believes: magic, version, UUID, place.
put '\374N+\251\001' "$md"
put '\001\002\003\004\005\006\007\010' $((md + 16))
sector=$((md / 512))
put "$(printf '\\%03o\\%03o\\%03o' $((sector % 256)) \
	$((sector / 256 % 256)) $((sector / 65536)))" $((md + 144))
# And its checksum, which blkid of Debian 13 looks at: the sum of all words.
sum=$((0xa92b4efc + 1 + 0x04030201 + 0x08070605 + sector))
sum=$(((sum & 0xffffffff) + (sum >> 32)))
put "$(printf '\\%03o\\%03o\\%03o\\%03o' $((sum & 255)) \
	$((sum >> 8 & 255)) $((sum >> 16 & 255)) $((sum >> 24 & 255)))" \
	$((md + 216))
is "$(blkid -p -s TYPE -o value "$IMG")" linux_raid_member "a RAID member"
"$BUILD/mke2fs" -q -t ext4 -b 64k -E target_kernel=6.19,nodiscard "$IMG" \
	2>"$TMP/err" </dev/null
is $? 1 "is refused"
like "$(cat "$TMP/err")" linux_raid_member "and named"
"$BUILD/mke2fs" -qF -t ext4 -b 64k -E target_kernel=6.19,nodiscard "$IMG" \
	2>"$TMP/err"
is "$(blkid -p -s TYPE -o value "$IMG")" ext4 "with -F it is one no more"

done_testing
