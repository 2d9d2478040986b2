#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Everything mke2fs makes is clean for the installed e2fsck: block sizes by
# types and features, and sizes from the smallest to 16 TiB. A filesystem that
# cannot be must be refused before its file is created. The target is declared,
# so that large blocks need no -F on any machine.
. "$(dirname "$0")/../lib/tap.sh"

MKE2FS=$BUILD/mke2fs
IMG=$TMP/a.img
TARGET=target_kernel=6.19,target_page_size=4096

# clean NAME MKE2FS-ARGUMENT...: made, and e2fsck has nothing to say.
clean() {
	name=$1
	shift
	rm -f "$IMG"
	if ! "$MKE2FS" -q -E $TARGET "$@" >"$TMP/make" 2>&1; then
		ok 1 "$name"
		note "mke2fs $*: $(cat "$TMP/make")"
		return
	fi
	e2fsck -fn "$IMG" >"$TMP/fsck" 2>&1
	ok $? "$name" || note "mke2fs $*" "$(head -8 "$TMP/fsck")"
}

# Features with every block size.
for b in 1024 2048 4096 8192 16384 32768 65536; do
	for type in ext2 ext3 ext4; do
		clean "$type, blocks of $b" -t $type -b $b "$IMG" 300M
	done
	for f in ^64bit ^metadata_csum bigalloc meta_bg,^resize_inode \
		^has_journal ^flex_bg ^metadata_csum,uninit_bg sparse_super2 \
		^extent,^64bit,^metadata_csum inline_data mmp fast_commit \
		^orphan_file verity,large_dir,ea_inode,stable_inodes \
		^sparse_super,^resize_inode none \
		bigalloc,^has_journal,^metadata_csum \
		meta_bg,^flex_bg,^64bit,sparse_super2; do
		clean "ext4 -O $f, blocks of $b" -t ext4 -b $b -O "$f" \
			"$IMG" 1300M
	done
	clean "clusters of 1 MiB, blocks of $b" -t ext4 -b $b -O bigalloc \
		-C 1M "$IMG" 3G
	clean "-I 512, blocks of $b" -t ext4 -b $b -I 512 "$IMG" 700M
	clean "-g 256, blocks of $b" -t ext4 -b $b -g 256 "$IMG" 140M
	clean "tables zeroed now, blocks of $b" -t ext4 -b $b \
		-E lazy_itable_init=0 "$IMG" 600M
done

# Extremes.
clean "clusters of 256 MiB" -t ext4 -b 64k -O bigalloc -C 256M "$IMG" 64G
clean "inodes of 32 KiB" -t ext4 -b 64k -I 32768 "$IMG" 2G
clean "few inodes" -t ext4 -b 64k -N 1 "$IMG" 2G
clean "many inodes" -t ext4 -b 64k -N 200000 "$IMG" 2G
clean "descriptors of 1024 bytes" -t ext4 -b 64k -E desc_size=1024 "$IMG" 9G
clean "room to grow" -t ext4 -b 16k -E resize=4000000 "$IMG" 2G
clean "no backup" -t ext4 -b 64k -O sparse_super2 -E num_backup_sb=0 "$IMG" 9G

# The default layout over the sizes.
for b in 1024 4096 16384 65536; do
	for size in 4M 130M 513M 5G 33G 100G 1100G; do
		[ $b = 1024 ] && [ $size = 1100G ] && continue
		clean "$size in blocks of $b" -t ext4 -b $b "$IMG" $size
	done
done

# Tiny ones: made and clean, or refused without a file.
for b in 1024 4096 65536; do
	bad=
	for n in 1 5 12 16 30 50 60 64 100 200 1000 2047 2048 2049 2300; do
		for f in dir_index bigalloc mmp none; do
			rm -f "$IMG"
			if "$MKE2FS" -q -E $TARGET -t ext4 -b $b -O $f "$IMG" \
				$n >"$TMP/make" 2>&1; then
				e2fsck -fn "$IMG" >/dev/null 2>&1 ||
					bad="$bad $n:$f"
			elif [ -e "$IMG" ]; then
				bad="$bad $n:$f"
			fi
		done
	done
	is "$bad" "" "tiny filesystems of $b-byte blocks are clean or refused"
done

# 16 TiB and more need a file system that holds such files.
rm -f "$IMG"
BIG=$(mktemp -d /dev/shm/lbs-test.XXXXXX 2>/dev/null) || BIG=
trap 'rm -rf "$TMP" "$BIG"' EXIT
IMG=${BIG:-$TMP}/a.img
if [ -n "$BIG" ] && truncate -s 64T "$IMG" 2>/dev/null; then
	clean "16 TiB in blocks of 4096" -t ext4 -b 4096 "$IMG" 16T
	clean "16 TiB in blocks of 65536" -t ext4 -b 64k "$IMG" 16T
	clean "1 TiB in blocks of 65536, ext3" -t ext3 -b 64k "$IMG" 1T
	clean "20 TiB in blocks of 8192" -t ext4 -b 8k "$IMG" 20T
	clean "64 TiB in blocks of 65536, bigalloc" -t ext4 -b 64k \
		-O bigalloc "$IMG" 64T
else
	skip "no tmpfs in /dev/shm that holds 64 TiB sparse" "16 TiB and more"
fi

done_testing
