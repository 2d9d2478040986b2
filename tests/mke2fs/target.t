#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The verdict of mke2fs: for this machine, or for the target that is declared
# with -E target_*; what is said, what stops, what -F may override, and what
# the plan names where its numbers are not stock's.
. "$(dirname "$0")/../lib/tap.sh"

IMG=$TMP/a.img
NEW619=target_kernel=6.19,target_page_size=4096

# make WANT NAME ARGUMENT...: in a new file of 20 GiB
make_is() {
	tap_exit=$1
	tap_title=$2
	shift 2
	rm -f "$IMG"
	run_is "$tap_exit" "$tap_title" "$BUILD/mke2fs" "$@" "$IMG" 20G
}
none() {
	[ ! -e "$IMG" ]
	ok $? "$1: nothing is created"
}

make_is 0 "a declared kernel that can" -q -t ext4 -b 64k -E $NEW619
is "$OUT$ERR" "" "-q and nothing wrong: not a word"
run_is 0 "it is clean" e2fsck -fn "$IMG"
make_is 0 "pages as large as the blocks" -q -t ext4 -b 64k \
	-E target_page_size=65536
is "$ERR" "" "no word about this machine"
make_is 0 "large blocks declared" -q -t ext4 -b 64k -E target_lbs=yes

make_is 1 "a declared kernel that cannot" -t ext4 -b 64k \
	-E target_kernel=6.12
none "old kernel"
like "$ERR" "6.12" "the kernel is named"
like "$ERR" "64 KiB" "the block size is named"
like "$ERR" "4 KiB" "the page size is named"
like "$ERR" "blocksize_gt_pagesize" "the file that tells is named"
like "$ERR" "declared target" "it is the target that cannot"
unlike "$ERR" "this machine" "and not this machine"
like "$ERR" "-F" "the override is named"
make_is 1 "4K pages without large blocks" -t ext4 -b 16k \
	-E target_page_size=4096,target_lbs=no
none "no large blocks"
make_is 0 "-F makes it all the same" -qF -t ext4 -b 64k -E target_kernel=6.12
like "$ERR" "6.12" "and the reason is still said"
run_is 0 "it is clean too" e2fsck -fn "$IMG"

# This machine, whatever it is: made, or refused with both ways out.
rm -f "$IMG"
run "$BUILD/mke2fs" -q -t ext4 -b 64k "$IMG" 20G
page=$(getconf PAGESIZE)
if [ "$page" -lt 65536 ] && [ ! -e /sys/fs/ext4/features/blocksize_gt_pagesize ]
then
	is "$RC" 1 "a kernel without large blocks"
	none "this kernel"
	like "$ERR" "$(uname -r)" "the running kernel is named"
	like "$ERR" "-E target_kernel" "declaring a target is offered"
	like "$ERR" "-F makes it anyway" "and -F"
	unlike "$ERR" "(y/N)" "nobody is asked without a terminal"
else
	is "$RC" 0 "a kernel that takes 64K blocks"
fi

# Rules about features.
make_is 1 "encrypt with blocks above the page" -q -t ext4 -b 64k -O encrypt \
	-E $NEW619
like "$ERR" "encrypt" "the feature is named"
none "encrypt"
make_is 0 "encrypt where blocks are pages" -q -t ext4 -b 64k -O encrypt \
	-E target_page_size=65536
make_is 1 "inline data above a page" -q -t ext4 -b 64k -O inline_data \
	-I 8192 -E $NEW619
none "inline data"
make_is 0 "ext2 with large blocks is made" -q -t ext2 -b 64k -E $NEW619
like "$ERR" "'-t ext4'" "and it is said how to mount it"

# -n prints all of it and makes nothing.
make_is 0 "-n" -n -t ext4 -b 64k -E $NEW619
none "-n"
like "$OUT" "21474836480 bytes" "the size in bytes"
like "$OUT" "Filesystem UUID: " "the UUID"
like "$OUT" "Superblock backups stored on blocks:" "the backups"
like "$OUT" "-g 65528 undoes it" "the groups, and the way back"
like "$OUT" "-J size=512 undoes it" "the journal, and the way back"
like "$OUT" "-E orphan_file_size=" "the orphan file, and the way back"
like "$OUT" "-E resize=" "the room to grow, and the way back"
like "$OUT" "metadata" "how much is metadata"
make_is 0 "-n at 4K" -n -t ext4 -b 4096
unlike "$OUT" "undoes" "at 4K every default is stock's"

# Small ones.
rm -f "$IMG"
run "$BUILD/mke2fs" -n -t ext4 -b 64k -E $NEW619 "$IMG" 100M
like "$OUT" "There is no journal" "too small for a journal is said"
like "$OUT" "There is no backup superblock" "one group only is said"
run "$BUILD/mke2fs" -n -t ext4 -b 64k -E $NEW619 "$IMG" 160M
like "$OUT" "The journal takes 40 %" "a large share is said"
like "$OUT" "-O ^has_journal" "with the way to leave it out"

# Reproducible: the same request gives the same bytes.
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
for n in 1 2; do
	rm -f "$TMP/$n.img"
	"$BUILD/mke2fs" -q -t ext4 -U 01234567-89ab-cdef-0123-456789abcdef \
		-E hash_seed=01234567-89ab-cdef-0123-456789abcdef \
		"$TMP/$n.img" 64M
done
cmp "$TMP/1.img" "$TMP/2.img"
ok $? "with UUID, hash seed and SOURCE_DATE_EPOCH given, equal images"
like "$(LC_ALL=C TZ=UTC dumpe2fs -h "$TMP/1.img" 2>/dev/null)" \
	"Filesystem created:       Tue Nov 14 22:13:20 2023" "of that moment"

# By its other names.
ln -s "$BUILD/mke2fs" "$TMP/mkfs.ext3"
rm -f "$IMG"
run_is 0 "mkfs.ext3" "$TMP/mkfs.ext3" -q "$IMG" 64M
like "$(dumpe2fs -h "$IMG" 2>/dev/null)" "has_journal" "makes ext3"

done_testing
