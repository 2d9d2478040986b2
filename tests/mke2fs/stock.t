#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What dumpe2fs says of our filesystem is what it says of one made by the
# installed mke2fs with the same options, UUID, hash seed and time. Both get
# the numbers where our defaults from 8K blocks up are our own: -g, -J size and
# orphan_file_size. Lines that differ and why:
#   Lifetime writes   what a program happened to write, in KiB
#   Checksum          of the superblock, which covers the line above
#   mmp_device_name   the name of the image
#   mmp_update_*      the clock when it was written
# One default differs and is given here: with -J size the installed mke2fs takes
# 1/64 of the journal it would have made by itself as the fast-commit area; ours
# takes 1/64 of the journal it makes, as mke2fs(8) says.
. "$(dirname "$0")/../lib/tap.sh"

MKE2FS=$BUILD/mke2fs
STOCK=/sbin/mke2fs
UUID=0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
SEED=00112233-4455-6677-8899-aabbccddeeff
[ -x $STOCK ] || skip_all "no mke2fs is installed in /sbin"

E2FSPROGS_FAKE_TIME=1700000000
# Debian's own configuration differs from upstream's.
MKE2FS_CONFIG=$SRCDIR/tests/lbs/upstream-mke2fs.conf
export E2FSPROGS_FAKE_TIME MKE2FS_CONFIG

describe() {
	dumpe2fs "$1" 2>/dev/null | grep -v \
		-e '^Lifetime writes:' -e '^Checksum:' -e 'mmp_device_name:' \
		-e 'mmp_update_date:' -e 'mmp_update_time:'
}

# same TYPE SIZE KEYS [OPTION...]: KEYS go into -E, "-" is none. The image is
# given no -E but one: the installed mke2fs keeps only the last.
same() {
	type=$1
	size=$2
	keys=hash_seed=$SEED
	[ "$3" = - ] || keys=$keys,$3
	shift 3
	rm -f "$TMP/ours.img" "$TMP/stock.img"
	name="$type $size $* -E $keys"
	if ! "$MKE2FS" -qF -t "$type" -U $UUID -E "$keys" "$@" \
		"$TMP/ours.img" "$size" >"$TMP/ours.out" 2>&1; then
		ok 1 "$name"
		note "ours failed: $(cat "$TMP/ours.out")"
		return
	fi
	if ! $STOCK -qF -t "$type" -U $UUID -E "$keys" "$@" \
		"$TMP/stock.img" "$size" >"$TMP/stock.out" 2>&1; then
		ok 1 "$name"
		note "stock failed: $(cat "$TMP/stock.out")"
		return
	fi
	describe "$TMP/ours.img" >"$TMP/ours.txt"
	describe "$TMP/stock.img" >"$TMP/stock.txt"
	[ -s "$TMP/ours.txt" ] && cmp -s "$TMP/ours.txt" "$TMP/stock.txt"
	ok $? "$name" ||
		note "$(diff "$TMP/stock.txt" "$TMP/ours.txt" | head -20)"
}

# Sizes and types with stock's own defaults below 8K blocks.
for size in 2M 100M 1G 20G; do
	for type in ext2 ext3 ext4; do
		same $type "$size" -
	done
done
same ext4 5T -
same ext2 1M -
same ext3 3M -
same ext4 20M - -b 4096
same ext4 300G - -b 1024
same ext4 1T - -b 2048

# Features.
for features in ^flex_bg bigalloc meta_bg,^resize_inode sparse_super2 \
	uninit_bg,^metadata_csum,^metadata_csum_seed \
	^metadata_csum,^metadata_csum_seed ^64bit ^has_journal,^orphan_file \
	mmp encrypt,verity,large_dir,ea_inode,stable_inodes fast_commit \
	inline_data ^flex_bg,^resize_inode ^extent,^64bit \
	^dir_index,^huge_file ^orphan_file none ^sparse_super,^resize_inode \
	^ext_attr,^dir_nlink ^resize_inode,^64bit; do
	same ext4 9G - -O "$features"
done
same ext3 1G - -O 64bit,extent
same ext2 1G - -O has_journal

# Numbers.
same ext4 1G - -N 100
same ext4 1G - -I 1024
same ext4 1G - -I 128
same ext4 1G - -i 65536
same ext4 1G - -m 0
same ext4 1G - -m 1.5
same ext4 1G - -g 1024
same ext4 1G - -G 64
same ext4 1G - -O bigalloc -C 65536 -g 4096
same ext4 8G - -O bigalloc -C 262144
same ext4 1G - -J size=64
same ext4 1G - -J size=64,fast_commit_size=4096 -O fast_commit
same ext4 1G - -L label -M /mnt/x -e panic -o freebsd
same ext4 1G resize=10000000
same ext4 1G desc_size=128
same ext4 1G stride=4,stripe_width=16
same ext4 1G num_backup_sb=1 -O sparse_super2
same ext4 1G num_backup_sb=0 -O sparse_super2
same ext4 1G root_owner=1000:100000
same ext4 1G lazy_itable_init=0,lazy_journal_init=1
same ext4 1G nodiscard
same ext4 1G mmp_update_interval=7 -O mmp
same ext4 1G orphan_file_size=256

# Large blocks, with the numbers given.
large() {
	same ext4 20G orphan_file_size=80 -b "$1" -g 65528 -J size=512 "$2" "$3"
}
for b in 8192 16384 32768 65536; do
	large $b -O dir_index
	large $b -O ^flex_bg
	large $b -O ^metadata_csum,^metadata_csum_seed
	large $b -O meta_bg,^resize_inode
	large $b -O ^64bit
	large $b -O inline_data
	large $b -I 512
	same ext2 20G - -b $b -g 65528
	same ext3 20G - -b $b -g 65528 -J size=512
done
same ext4 20G orphan_file_size=128 -b 16384 -O bigalloc -C 1048576 -g 65528 \
	-J size=512
same ext4 20G orphan_file_size=80 -b 65536 -g 65528 -O fast_commit \
	-J size=512,fast_commit_size=8192
same ext4 500G orphan_file_size=64 -b 65536 -O bigalloc -C 2097152 -g 8192 \
	-J size=512
same ext4 5T orphan_file_size=128 -b 65536 -g 65528 -J size=1024
same ext4 5T orphan_file_size=128 -b 65536 -g 8192 -G 16 -J size=1024

# An old file: what was there is thrown away, and the size is taken from it.
truncate -s $((10 * 1048576 + 3 * 1024 + 17)) "$TMP/a.img"
cp "$TMP/a.img" "$TMP/b.img"
"$MKE2FS" -qF -U $UUID -E hash_seed=$SEED "$TMP/a.img"
$STOCK -qF -U $UUID -E hash_seed=$SEED "$TMP/b.img"
describe "$TMP/a.img" >"$TMP/ours.txt"
describe "$TMP/b.img" >"$TMP/stock.txt"
cmp -s "$TMP/ours.txt" "$TMP/stock.txt"
ok $? "the size of an odd file is taken as stock does"

done_testing
