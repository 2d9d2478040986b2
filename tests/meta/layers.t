#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-layers passes this tree and catches each kind of offence in a made-up
# one.
. "${SRCDIR:?}/tests/lib/tap.sh"

CHECK=$SRCDIR/scripts/check-layers
TREE=$TMP/tree

# file PATH LINE...: a file of the made-up tree.
file() {
	path=$TREE/$1
	shift
	mkdir -p "$(dirname "$path")"
	printf '%s\n' "$@" >"$path"
}

# good NAME PATH LINE...: a tree of this one file passes.
good() {
	name=$1
	shift
	rm -rf "$TREE"
	file "$@"
	run "$CHECK" "$TREE"
	is "$RC" 0 "allowed: $name" || note "$OUT"
}

# bad PART PATH LINE...: its first line is at fault and PART is in the report.
bad() {
	part=$1
	shift
	rm -rf "$TREE"
	file "$@"
	run "$CHECK" "$TREE"
	is "$RC" 1 "caught: $1: $2"
	like "$OUT" "$1:1: " "  it names file and line"
	like "$OUT" "$part" "  and says where it may go"
}

run "$CHECK" "$SRCDIR"
is "$RC" 0 "this tree keeps to the floors" || note "$OUT"

good "down" lib/lbs/a.c '#include "ondisk/geom.h"' '#include "base/err.h"'
good "its own room" lib/lbs/a.c '#include "lbs/rules.h"'
good "ISA-L in base/crc.c" lib/base/crc.c '#include <isa-l/crc.h>'
good "libext2fs in io" lib/io/fsopen.c '#include <ext2fs/ext2fs.h>'
good "its structs in ondisk" lib/ondisk/a.c '#include <ext2fs/ext2_fs.h>'
good "main program to engine" misc/mke2fs.c '#include "mkfs/plan.h"'
good "fix to finding" e2fsck/fix/a.c '#include "e2fsck/finding.h"'
good "phases to scan" e2fsck/phases.c '#include "e2fsck/scan/scan.h"'
good "pages compared in lbs" lib/lbs/a.c 'bool f(void) { return bs > f->page_bytes; }'
good "is the page size known" misc/a.c 'if (f->page_bytes == 0)'
good "pages in a comment" misc/a.c '/* bs > page_bytes */'

bad 'may include: base' lib/ondisk/a.c '#include "lbs/limits.h"'
bad 'may include: base' lib/ondisk/a.c '#include "io/image.h"'
bad 'may include: none' lib/base/a.c '#include "ondisk/geom.h"'
bad 'may be included from: misc' lib/mkfs/a.c '#include "misc/e2lbs.h"'
bad 'mkfs (floor 3)' lib/mkfs/a.c '#include "tune/change.h"'
bad 'names no room' lib/lbs/a.c '#include "rules.h"'
bad 'e2fsck' misc/a.c '#include "e2fsck/finding.h"'
bad 'only from: lib/base/crc.c, io, mkfs' lib/lbs/a.c '#include <ext2fs/ext2fs.h>'
bad 'only from: lib/base/crc.c, io, mkfs' lib/ondisk/a.c '#include <ext2fs/ext2fs.h>'
bad 'only from: ondisk' lib/probe/a.c '#include <ext2fs/ext2_fs.h>'
bad 'only from: probe, misc' lib/io/a.c '#include <blkid/blkid.h>'
bad 'only from: probe, misc' lib/cli/a.c '#include <libmount/libmount.h>'
bad 'only from: lib/base/json.c' lib/base/str.c '#include <json-c/json.h>'
bad 'only from: lib/base/pool.c' lib/io/a.c '#include <pthread.h>'
bad 'e2fsck/scan includes' e2fsck/scan/a.c '#include "e2fsck/fix/fix.h"'
bad 'e2fsck/cross includes' e2fsck/cross/a.c '#include "e2fsck/scan/scan.h"'
bad 'config.h is for' lib/lbs/a.c '#include "config.h"'
bad 'only lib/lbs' misc/a.c '	if (bs > f->page_bytes)'
bad 'only lib/lbs' lib/mkfs/a.c 'x = facts->kernel.page_bytes < plan->geom.block_bytes;'
bad 'only lib/lbs' misc/a.c 'return ps != bs;'
bad 'is no room' lib/attic/a.c 'int x;'
done_testing
