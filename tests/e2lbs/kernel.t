#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# e2lbs kernel over every recorded kernel, over targets, and over wrong command
# lines: exit statuses and the lines people and scripts read.
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

E2LBS=$BUILD/e2lbs
TREES=$SRCDIR/tests/lbs/sysroots
[ -x "$E2LBS" ] || { echo "Bail out! $E2LBS is not built"; exit 1; }

first() {
	printf '%s\n' "$OUT" | sed -n 1p
}

# json_value KEY: the text behind a top-level key that is no list or object.
json_value() {
	printf '%s\n' "$OUT" | sed -n "s/^  \"$1\": \\(.*[^,]\\),\\{0,1\\}\$/\\1/p"
}

# tree NAME STATUS MAX FIRST WHY: what one recorded kernel must answer.
tree() {
	covered="$covered$1 "
	run "$E2LBS" kernel --sysroot "$TREES/$1"
	is "$RC" "$2" "$1: exit status"
	is "$(first)" "$4" "$1: the answer"
	if [ -n "$5" ]; then
		like "$OUT" "$5" "$1: why"
	else
		unlike "$OUT" "Why:" "$1: no why is needed"
	fi
	is "$ERR" "" "$1: nothing on stderr"
	run "$E2LBS" kernel --json --sysroot "$TREES/$1"
	is "$RC" "$2" "$1: exit status with --json"
	case $2 in
	0) word=yes ;;
	1) word=no ;;
	*) word=unknown ;;
	esac
	is "$(json_value supported)" "\"$word\"" "$1: supported"
	is "$(json_value max_block_bytes)" "$3" "$1: max_block_bytes"
	is "$(json_value schema)" 1 "$1: schema"
}

covered=' '
old='it came with 6.19'
there='/sys/fs/ext4/features/blocksize_gt_pagesize is there'
can='can mount ext4 with blocks larger than its pages, up to 64 KiB.'
told='It cannot be told from here whether the recorded kernel'
deb73=7.3.4+deb13-cloud-amd64
deb61=6.1.0-50-cloud-amd64
tree linux-6.1-4k 1 4096 \
	"The recorded kernel ($deb61, 4 KiB pages) cannot mount ext4 with blocks larger than 4 KiB." "$old"
tree linux-6.18-4k 1 4096 \
	"The recorded kernel (6.18.44-fc-v669, 4 KiB pages) cannot mount ext4 with blocks larger than 4 KiB." "$old"
tree linux-7.3-4k 0 65536 "The recorded kernel ($deb73, 4 KiB pages) $can" \
	"$there"
tree devices-7.3-4k 0 65536 "The recorded kernel ($deb73, 4 KiB pages) $can" \
	"$there"
tree devices-by-hand 0 65536 "The recorded kernel ($deb73, 4 KiB pages) $can" \
	"$there"
tree no-thp 1 4096 \
	"The recorded kernel (7.3.4, 4 KiB pages) cannot mount ext4 with blocks larger than 4 KiB." \
	"built without transparent huge pages"
tree ext4-not-loaded 3 null \
	"$told ($deb73, 4 KiB pages) mounts ext4 with blocks larger than 4 KiB." \
	"Why: ext4 is not loaded, so it cannot be asked."
tree ext4-not-loaded-6.1 3 null \
	"$told ($deb61, 4 KiB pages) mounts ext4 with blocks larger than 4 KiB." \
	"most likely not, it came with Linux 6.19"
tree linux-7.3-16k 0 65536 \
	"The recorded kernel (7.3.4+deb13-arm64-16k, 16 KiB pages) $can" \
	"$there"
tree linux-6.1-16k 1 16384 \
	"The recorded kernel (6.1.0-rpi-16k, 16 KiB pages) cannot mount ext4 with blocks larger than 16 KiB." "$old"
tree linux-6.1-64k 0 65536 \
	"The recorded kernel (6.1.0-64k, 64 KiB pages) can mount ext4 with every block size: none is larger than its pages." ""
tree linux-7.3-64k 0 65536 \
	"The recorded kernel (7.3.4-64k, 64 KiB pages) $can" "$there"
tree container 3 null \
	"$told ($deb73, 4 KiB pages) mounts ext4 with blocks larger than 4 KiB." \
	"/sys is not mounted or is hidden here, as in a container"
tree sysfs-hidden 3 null \
	"$told ($deb73, 4 KiB pages) mounts ext4 with blocks larger than 4 KiB." \
	"ext4 is there but /sys/fs/ext4/features is hidden"
tree unnamed-no-proc 1 4096 \
	"The recorded kernel (version unknown, 4 KiB pages) cannot mount ext4 with blocks larger than 4 KiB." \
	"does not list blocksize_gt_pagesize"
for dir in "$TREES"/*/; do
	name=$(basename "$dir")
	like "$covered" " $name " "$name has a case"
done

# What to do is said when the answer is not yes.
run "$E2LBS" kernel --sysroot "$TREES/linux-6.1-4k"
like "$OUT" "What to do: use Linux 6.19 or newer" "an old kernel: newer"
run "$E2LBS" kernel --sysroot "$TREES/no-thp"
like "$OUT" "What to do: use a kernel built with CONFIG_TRANSPARENT_HUGEPAGE" \
	"no huge pages: another build"
run "$E2LBS" kernel --sysroot "$TREES/ext4-not-loaded"
like "$OUT" "modprobe ext4" "not loaded: load it"
run "$E2LBS" kernel --sysroot "$TREES/linux-7.3-4k"
unlike "$OUT" "What to do" "a yes: nothing"

# The page size may be missing from a tree.
cp -R "$TREES/linux-6.1-4k" "$TMP/nopage" && rm -r "$TMP/nopage/lbsprogs"
run_is 1 "an old kernel of unknown page size" \
	"$E2LBS" kernel --sysroot "$TMP/nopage"
is "$(first)" "The recorded kernel ($deb61, page size unknown) cannot mount ext4 with blocks larger than its pages." \
	"the page size is left open"

# target STATUS FIRST OPTION...: a declared kernel.
target() {
	target_want=$1
	target_first=$2
	shift 2
	run_is "$target_want" "$*: exit status" "$E2LBS" kernel "$@"
	is "$(first)" "The declared kernel $target_first" "$*: the answer"
}
target 1 "(6.12, 4 KiB pages) cannot mount ext4 with blocks larger than 4 KiB." \
	--target-kernel 6.12
like "$OUT" "4096-byte pages assumed" "an assumed page size is said"
target 0 "(6.19, 4 KiB pages) $can" --target-kernel 6.19
target 0 "(7.3, 16 KiB pages) $can" --target-kernel v7.3 --target-page-size 16k
target 1 "(6.12, 16 KiB pages) cannot mount ext4 with blocks larger than 16 KiB." \
	--target-kernel 6.12 --target-page-size 16384
target 0 "(version unknown, 64 KiB pages) can mount ext4 with every block size: none is larger than its pages." \
	--target-page-size 64k
target 1 "(7.3, 4 KiB pages) cannot mount ext4 with blocks larger than 4 KiB." \
	--target-kernel 7.3 --target-lbs no
target 0 "(6.1, 4 KiB pages) $can" --target-kernel 6.1 --target-lbs yes
run_is 3 "a page size alone is not enough" \
	"$E2LBS" kernel --target-page-size 16k
like "$OUT" "--target-kernel VERSION" "and what is missing is named"

# usage TEXT OPTION...: refused with one sentence that holds TEXT.
usage() {
	usage_text=$1
	shift
	run "$E2LBS" "$@"
	is "$RC" 16 "'$*' is refused"
	like "$ERR" "$usage_text" "'$*': why"
	is "$(printf '%s\n' "$ERR" | wc -l | tr -d ' ')" 1 "'$*': in one line"
	is "$OUT" "" "'$*': nothing on stdout"
}
usage "name a verb"
usage "there is no verb or option 'kern'" kern
usage "there is no verb or option '--json'" --json
usage "no such option" kernel --jsno
usage "takes no operand" kernel /dev/sda
usage "needs a value" kernel --sysroot
usage "name a folder" kernel --sysroot ""
usage "not a Linux version" kernel --target-kernel six
usage "not a size" kernel --target-page-size big
usage "no Linux has such pages" kernel --target-page-size 12k
usage "no Linux has such pages" kernel --target-page-size 0
usage "say yes or no" kernel --target-lbs unknown
usage "exclude each other" kernel --sysroot "$TREES/container" \
	--target-kernel 6.19

# What cannot be looked at is neither yes nor no.
run_is 8 "a missing tree" "$E2LBS" kernel --sysroot "$TMP/none"
like "$ERR" "$TMP/none: No such file or directory" "is named"
mkdir "$TMP/empty"
run_is 8 "an empty tree" "$E2LBS" kernel --sysroot "$TMP/empty"
like "$ERR" "holds no recorded kernel" "says so"
: >"$TMP/file"
run_is 8 "a file for a tree" "$E2LBS" kernel --sysroot "$TMP/file"
if [ -w /dev/full ]; then
	RC=0
	"$E2LBS" kernel --target-kernel 6.19 >/dev/full 2>/dev/null || RC=$?
	is "$RC" 8 "an answer that cannot be written"
	RC=0
	"$E2LBS" --help >/dev/full 2>/dev/null || RC=$?
	is "$RC" 8 "help that cannot be written"
else
	skip "no /dev/full" "an answer that cannot be written"
fi

for args in --help --version "kernel --help"; do
	# shellcheck disable=SC2086 # two words
	run_is 0 "$args" "$E2LBS" $args
	like "$OUT" e2lbs "$args says what it is"
	is "$ERR" "" "$args is silent on stderr"
done

# Recording this machine must not change the answer.
if command -v getconf >/dev/null; then
	run_is 0 "this machine is recorded" \
		"$SRCDIR/scripts/record-sysroot" "$TMP/here"
	run "$E2LBS" kernel --json
	live=$OUT
	live_rc=$RC
	run "$E2LBS" kernel --json --sysroot "$TMP/here"
	is "$RC" "$live_rc" "the recorded tree: same exit status"
	# What to do may differ: one cannot load ext4 in a tree.
	is "$(printf '%s\n' "$OUT" | grep -v '^  "do"')" \
		"$(printf '%s\n' "$live" | grep -v '^  "do"')" \
		"the recorded tree: same facts"
	run "$SRCDIR/scripts/record-sysroot" "$TMP/here"
	is "$RC" 1 "an existing folder is not recorded into"
	run "$SRCDIR/scripts/record-sysroot" "$TMP/more" no-such-device
	is "$RC" 1 "a device that is not there is refused"
else
	skip "no getconf" "this machine is recorded"
fi
done_testing
