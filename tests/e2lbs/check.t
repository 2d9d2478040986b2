#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# e2lbs check over recorded kernels: every verdict, the words that matter to
# people, fstab, and the shape of the JSON.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin
trees=$SRCDIR/tests/lbs/sysroots

for bs in 1024 4096 16384 65536; do
	mke2fs -Fq -t ext4 -b $bs "$TMP/$bs" 512M </dev/null >/dev/null 2>&1
done

check() {
	"$BUILD/e2lbs" check "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
}

says() {
	grep -q -- "$1" "$TMP/out"
	ok $? "$2"
}

# tree, exit codes at 1K 4K 16K 64K
while read -r tree c1 c4 c16 c64; do
	for pair in 1024:$c1 4096:$c4 16384:$c16 65536:$c64; do
		check --sysroot "$trees/$tree" "$TMP/${pair%:*}"
		is $? "${pair#*:}" "$tree: blocks of ${pair%:*}"
	done
done <<TREES
linux-6.1-4k 0 0 1 1
linux-6.1-16k 0 0 0 1
linux-6.1-64k 0 0 0 0
linux-6.18-4k 0 0 1 1
linux-7.3-4k 0 0 0 0
linux-7.3-16k 0 0 0 0
linux-7.3-64k 0 0 0 0
no-thp 0 0 1 1
ext4-not-loaded 0 0 3 3
ext4-not-loaded-6.1 0 0 3 3
container 0 0 3 3
sysfs-hidden 0 0 3 3
unnamed-no-proc 0 0 1 1
TREES

check --sysroot "$trees/linux-6.1-4k" "$TMP/65536"
says "looks healthy, but this kernel (6.1" "the 64K disk: healthy, and the kernel named"
says "Nothing is broken: only this kernel cannot mount it" "the 64K disk: the sentence users needed"
says "debugfs -c -R \"rdump / DIRECTORY\" $TMP/65536" "the 64K disk: how to get the files"
is "$(head -1 "$TMP/out" | grep -c healthy)" 1 "health comes first"
mkdir "$TMP/files"
debugfs -w -R "write $SRCDIR/LICENSE licence" "$TMP/65536" >/dev/null 2>&1
debugfs -c -R "rdump / $TMP/files" "$TMP/65536" >/dev/null 2>&1
cmp "$TMP/files/licence" "$SRCDIR/LICENSE"
ok $? "the command it names does get the files"
check --sysroot "$trees/no-thp" "$TMP/65536"
says "transparent huge pages" "no huge pages: says so"
check --sysroot "$trees/ext4-not-loaded" "$TMP/65536"
says "modprobe ext4" "ext4 not loaded: says what would tell"

# A declared target takes the place of the machine.
check --target-kernel 6.12 "$TMP/65536"
is $? 1 "target 6.12: refused"
check --target-kernel 6.19 "$TMP/65536"
is $? 0 "target 6.19: mounts"
check --target-page-size 64k "$TMP/65536"
is $? 0 "target with 64K pages: mounts"
check --target-page-size 16k "$TMP/65536"
is $? 3 "target with 16K pages and no more said: unknown"
check --target-lbs yes -t ext3 "$TMP/65536"
is $? 1 "type ext3: refused"
says "mount -t ext4" "type ext3: says which type works"
check --target-lbs yes --target-sector-size 64k "$TMP/16384"
is $? 1 "sectors above blocks: refused"
check --target-lbs yes -o data=journal -o delalloc "$TMP/65536"
is $? 1 "options of several -o are joined"
mke2fs -Fq -t ext3 -b 65536 "$TMP/ext3" 512M </dev/null >/dev/null 2>&1
check --target-lbs yes "$TMP/ext3"
is $? 2 "an ext3 layout without -t: mounts only with -t ext4"
says "Always mount it with '-t ext4'" "and says so"

# fstab
mkdir -p "$TMP/root/etc"
cp -R "$trees/linux-7.3-4k/." "$TMP/root/"
cat >"$TMP/root/etc/fstab" <<FSTAB
$TMP/65536 /a ext4 defaults,data=journal 0 2
$TMP/16384 /b ext4 delalloc,data=journal 0 2
$TMP/random /c auto defaults 0 0
tmpfs /d tmpfs defaults 0 0
FSTAB
head -c 65536 /dev/urandom >"$TMP/random"
check --sysroot "$TMP/root" --fstab
is $? 1 "fstab: the worst entry decides"
says "^$TMP/65536: .* mounts it" "fstab: the good entry is there"
says "^$TMP/16384: .* refuses" "fstab: the bad entry is there"
check --sysroot "$TMP/root" --fstab "$TMP/16384"
is $? 1 "fstab with a device: its options count"
(cd "$TMP" && check --sysroot "$TMP/root" --fstab 16384)
is $? 1 "fstab with a relative path"
echo "$TMP/1024 /e ext3,ext4 defaults 0 0" >>"$TMP/root/etc/fstab"
check --sysroot "$TMP/root" --fstab "$TMP/1024"
is $? 0 "fstab with a list of types: one of them mounts"
check --sysroot "$TMP/root" --fstab "$TMP/4096"
is $? 8 "fstab with a device it does not have"
mkdir -p "$TMP/odd/etc/fstab"
cp -R "$trees/linux-7.3-4k/." "$TMP/odd/"
check --sysroot "$TMP/odd" --fstab
is $? 8 "fstab is a folder"
grep -q "$TMP/odd/etc/fstab" "$TMP/err"
ok $? "and its path is named"
check --fstab -t ext4 "$TMP/4096"
is $? 16 "fstab and -t exclude each other"

# JSON: shape, and types
check --json --sysroot "$trees/linux-6.1-4k" "$TMP/65536"
is $? 1 "JSON: same exit code"
perl -MJSON::PP -e '
	local $/;
	my $text = <STDIN>;
	my $o = decode_json($text);
	die "a number is a text\n" if $text =~ /"block_size": "/;
	die "schema\n" unless $o->{schema} == 1;
	die "verdict\n" unless $o->{verdict} eq "refuse";
	die "healthy\n" unless $o->{healthy} == JSON::PP::true;
	my ($r) = grep { $_->{id} eq "LBS_BLOCK_KERNEL" } @{$o->{rules}};
	die "rule\n" unless $r && $r->{outcome} eq "refuse" && $r->{why} && $r->{do};
	die "size\n" unless $o->{filesystem}{block_size} == 65536;
	die "facts\n" unless $o->{facts}{kernel}{page_bytes} == 4096;
	die "device\n" if $o->{facts}{device};
' <"$TMP/out" 2>"$TMP/why"
ok $? "JSON: keys and types $(cat "$TMP/why")"
check --json --sysroot "$TMP/root" --fstab
perl -MJSON::PP -e 'local $/; my $o = decode_json(<STDIN>);
	exit(@{$o->{entries}} == 3 ? 0 : 1)' <"$TMP/out"
ok $? "JSON: fstab is a list of entries"
done_testing
