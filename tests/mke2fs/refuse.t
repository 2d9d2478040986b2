#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What mke2fs does not do: one sentence that names what is wrong, exit status
# 1, nothing created and not a byte changed. Without a terminal nothing asks.
. "$(dirname "$0")/../lib/tap.sh"

MKE2FS=$BUILD/mke2fs
IMG=$TMP/old.img
NEW=$TMP/new.img
LARGE=target_kernel=6.19

# An old file with something in it that no probe knows.
truncate -s 64M "$IMG"
echo "precious" | dd of="$IMG" bs=1 seek=5000 conv=notrunc 2>/dev/null
BEFORE=$(sha256sum <"$IMG")

# refused PART ARGUMENT...: "@" among them is the old file, "%" a new one.
refused() {
	part=$1
	shift
	name=$*
	for word; do
		shift
		case $word in
		@) word=$IMG ;;
		%) word=$NEW ;;
		esac
		set -- "$@" "$word"
	done
	run "$MKE2FS" "$@"
	case $RC:$ERR in
	1:*"$part"*) good=0 ;;
	*) good=1 ;;
	esac
	[ "$(printf '%s\n' "$ERR" | wc -l)" = 1 ] || good=1
	case $ERR in
	mke2fs:\ *) ;;
	*) good=1 ;;
	esac
	[ ! -e "$NEW" ] || good=1
	[ "$BEFORE" = "$(sha256sum <"$IMG")" ] || good=1
	ok $good "refused: $name" || note "exit $RC, stderr:" "$ERR" "want: $part"
	rm -f "$NEW"
}

# Sizes.
refused "8192 or 16384" -b 12288 @
refused "8192 or 16384" -b 12k % 1G
refused "4096 or 8192" -b 8129 @
refused "power of two" -b 512 @
refused "power of two" -b 128k @
refused "power of two" -b 0 @
refused "not a size" -b big @
refused "not a size" -b -1 @
refused "32768" -E $LARGE -b 64k -I 65536 @
refused "4096" -b 4096 -I 8192 @
refused "-I 300" -I 300 @
refused "-I 64" -I 64 @
refused "268435456" -O bigalloc,extent -C 512M % 8G
refused "-C 2048" -b 4096 -O bigalloc,extent -C 2048 @
refused "-C 20480" -b 4096 -O bigalloc,extent -C 20k @
refused "bigalloc" -C 64k @
refused "32768 blocks" -t ext4 -b 4096 -O bigalloc -C 256M % 64G
refused "65528" -E $LARGE -b 64k -g 65536 % 8G
refused "32768" -b 4096 -g 65528 % 8G
refused "multiple of 8" -b 4096 -g 1001 @
refused "256" -b 4096 -g 128 @
refused "power of two" -t ext4 -G 3 @
refused "flex_bg" -t ext2 -G 16 @
refused "between 1024" -i 100 @
refused "between 1024" -i 1G @
refused "exclude each other" -i 8192 -N 100 @
refused "at most" -N 4000000 @
refused "-N 0" -N 0 @
refused "inodes of 4096 bytes" -b 4096 -I 4096 -N 16384 @
refused "percent" -m 51 @
refused "percent" -m -1 @
refused "percent" -m nan @
refused "percent" -m 5x @
refused "8 EiB" -b 64k -E $LARGE % 200000000000000
refused "too large" -b 64k -E $LARGE % 999999999999999999
refused "block groups are more" -t ext4 -b 4096 % 7000P
refused "64bit" -t ext2 -b 1024 % 5T
refused "is smaller than one block" -E $LARGE -b 64k % 32k
refused "too small" % 10k
refused "give a size" %
refused "give a number of blocks" @ 0
refused "give a number of blocks" @ 12Q
refused "one device or file" @ 1000 2000
refused "one device or file"

# Journal and orphan file.
refused "has_journal" -t ext2 -O orphan_file @
refused "64 to 640000 MiB" -E $LARGE -t ext4 -b 64k -J size=16 % 8G
refused "does not fit" -t ext4 -J size=64 @
refused "-J size" -t ext4 -J size=99999999 % 8T
refused "device is not here yet" -J device=/dev/sdx1 @
refused "location is not here yet" -J location=7 @
refused "bogus is not known" -J bogus=1 @
refused "needs a number" -J size @
refused "fast_commit" -t ext4 -J fast_commit_size=1024 % 1G
refused "8 MiB" -E $LARGE -t ext4 -b 64k -E orphan_file_size=9M % 64G
refused "512 blocks" -t ext4 -b 4096 -E orphan_file_size=513 % 8G
refused "orphan_file" -t ext3 -E orphan_file_size=1M % 8G
refused "-J size needs" -t ext4 -O ^has_journal -J size=64 % 8G

# Features.
refused "no such feature" -O bogus @
refused "not here yet" -O quota @
refused "not here yet" -O project @
refused "not here yet" -O casefold @
refused "not here yet" -O journal_dev @
refused "extent" -t ext2 -O bigalloc @
refused "extent" -t ext4 -O 64bit,^extent @
refused "metadata_csum" -t ext4 -O metadata_csum_seed,^metadata_csum @
refused "sparse_super" -O resize_inode,^sparse_super @
refused "meta_bg" -O resize_inode,meta_bg @
refused "2^32" -t ext4 -b 1024 -O resize_inode % 6T

# -E and other values.
refused "bogus is not known" -E bogus @
refused "bogus is not known" -E stride=4,bogus=3 @
refused "packed_meta_blocks is not here yet" -E packed_meta_blocks=1 @
refused "stride" -E stride=0 @
refused "stripe_width" -E stripe_width=x @
refused "must be 0 or 1" -E lazy_itable_init=2 @
refused "takes no value" -E nodiscard=1 @
refused "UUID" -E hash_seed=12 @
refused "UID:GID" -E root_owner=me @
refused "num_backup_sb" -E num_backup_sb=3 -O sparse_super2 @
refused "sparse_super2" -E num_backup_sb=1 @
refused "desc_size" -t ext4 -E desc_size=100 @
refused "-E resize" -E resize=10 @
refused "target_lbs" -E target_lbs=maybe @
refused "target" -E target_kernel=six @
refused "target" -E target_page_size=5000 @
refused "16 bytes" -L "a label of seventeen" @
refused "-U not-a-uuid" -U not-a-uuid @
refused "-t xfs" -t xfs @
refused "-e maybe" -e maybe @
refused "Hurd" -o hurd @
refused "-o plan9" -o plan9 @
refused "no such option" -Y @
refused "needs a value" @ -b
for letter in c S D; do
	refused "-$letter is not here yet" -$letter @
done
for letter in d l T z; do
	refused "-$letter is not here yet" -$letter x @
done

# Places.
refused "No such file" -q "$TMP/none/x.img" 10M
refused "directory" "$TMP"
refused "neither a regular file" /dev/null
refused "neither a regular file" /dev/null 10M
mkfifo "$TMP/fifo"
refused "neither a regular file" "$TMP/fifo" 10M
SOURCE_DATE_EPOCH=never
export SOURCE_DATE_EPOCH
refused "SOURCE_DATE_EPOCH" @
unset SOURCE_DATE_EPOCH

# What is there already.
held() {
	label=$1
	BEFORE=$(sha256sum <"$IMG")
	refused "$label" @
	refused "$label" -q -t ext4 @ 32M
}
/sbin/mke2fs -qF -t ext4 -L mine "$IMG" 2>/dev/null
held "ext4 labelled 'mine'"
/sbin/mkswap "$IMG" >/dev/null 2>&1 && held "swap"
# One Linux partition from sector 2048, by hand.
dd if=/dev/zero of="$IMG" bs=1M count=1 conv=notrunc 2>/dev/null
printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\100\0\0' |
	dd of="$IMG" bs=1 seek=446 conv=notrunc 2>/dev/null
printf '\125\252' | dd of="$IMG" bs=1 seek=510 conv=notrunc 2>/dev/null
held "partition table"
run_is 0 "-F goes over what is there" "$MKE2FS" -qF -t ext4 "$IMG"
run_is 0 "and the result is clean" e2fsck -fn "$IMG"

# -n touches nothing and creates nothing.
BEFORE=$(sha256sum <"$IMG")
run_is 0 "-n with an old file" "$MKE2FS" -n -t ext4 "$IMG"
is "$(sha256sum <"$IMG")" "$BEFORE" "-n leaves the file alone"
run_is 0 "-n with a new file" "$MKE2FS" -n -t ext4 "$NEW" 1G
ok "$([ ! -e "$NEW" ]; echo $?)" "-n creates no file"

# A file that may not be written. Root may write any, so it is made immutable.
chmod 444 "$IMG"
if [ ! -w "$IMG" ]; then
	refused "Permission denied" -F @
elif chattr +i "$IMG" 2>/dev/null; then
	refused "Operation not permitted" -F @
	chattr -i "$IMG"
else
	skip "root may write it, and this filesystem has no immutable files" \
		"a read-only file"
fi
chmod 644 "$IMG"

# Loop devices: larger than the device, mounted, behind a mounted file.
loop=
[ -w /dev/loop-control ] && loop=$(losetup --show -f "$IMG" 2>/dev/null)
if [ -n "$loop" ]; then
	trap 'umount "$TMP/mnt" 2>/dev/null; losetup -d "$loop"; rm -rf "$TMP"' EXIT
	/sbin/mke2fs -qF -t ext4 "$loop"
	sync
	BEFORE=$(sha256sum <"$IMG")
	refused "larger than the device" -F "$loop" 65M
	mkdir "$TMP/mnt"
	if mount -t ext4 "$loop" "$TMP/mnt" 2>/dev/null; then
		sync
		BEFORE=$(sha256sum <"$IMG")
		refused "mount" -FF "$loop"
		refused "mount" -FF @
		umount "$TMP/mnt"
	else
		skip "cannot mount here" "a mounted loop device"
		skip "cannot mount here" "a file behind a mounted device"
	fi
	run_is 0 "an unmounted loop device is made" "$MKE2FS" -qF -t ext4 "$loop"
	run_is 0 "and is clean" e2fsck -fn "$loop"
	losetup -r -f "$IMG" 2>/dev/null
	ro=$(losetup -j "$IMG" -n -O NAME,RO | awk '$2 == 1 { print $1 }')
	if [ -n "$ro" ]; then
		BEFORE=$(sha256sum <"$IMG")
		refused "is a read-only device" -F "$ro"
		losetup -d "$ro"
	fi
else
	skip "no loop devices here" "devices"
fi

done_testing
