#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The build in the ways people do it: another folder, the source tree itself,
# gcc, clang, without ISA-L; install with DESTDIR; clean leaves nothing behind.
. "${SRCDIR:?}/tests/lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL

# configure_make DIR TARGETS ARGUMENT...: leaves RC, OUT and ERR.
configure_make() {
	dir=$1
	targets=$2
	shift 2
	mkdir -p "$dir"
	# shellcheck disable=SC2016 # for the inner shell
	run sh -c 'cd "$1" && conf=$2 && targets=$3 && shift 3 &&
		"$conf" -q "$@" && make -s $targets' \
		sh "$dir" "$CONFIGURE" "$targets" "$@"
}

# A copy of what belongs to the project, so that nothing here is touched.
COPY=$TMP/copy
mkdir "$COPY"
(cd "$SRCDIR" && scripts/list-sources . | tar cf - -T -) | tar xf - -C "$COPY"
run_is 0 "bootstrap makes configure" "$COPY/scripts/bootstrap" || note "$OUT"
CONFIGURE=$COPY/configure

configure_make "$TMP/gcc" "all tests" --enable-werror CC=gcc
is "$RC" 0 "gcc without warnings" || note "$ERR"
run "$TMP/gcc/tests/unit/u_crc"
is "$RC" 0 "crc as built"
is "$(cd "$COPY" && find . -name '*.o')" "" "the source tree stays clean"
run make -q -C "$TMP/gcc" all
is "$RC" 0 "nothing to do the second time"
run sh -c 'touch "$1"/lib/base/span.h && make -s -C "$2" V=0 all' sh "$COPY" "$TMP/gcc"
like "$OUT" "ondisk/super.o" "a changed header builds what includes it"

run make -s -C "$TMP/gcc" install "DESTDIR=$TMP/dest"
is "$RC" 0 "make install DESTDIR=" || note "$ERR"
run "$TMP/dest/usr/local/sbin/e2lbs" --version
is "$RC" 0 "the installed program runs"
for page in "$COPY"/misc/*.[58].in; do
	[ -f "$page" ] || continue
	name=$(basename "$page" .in)
	file=$TMP/dest/usr/local/share/man/man${name##*.}/$name
	is "$(find "$file" -size +0)" "$file" "manual page $name is installed"
	unlike "$(cat "$file")" "@VERSION@" "  with its version"
done
if [ -f "$COPY/misc/mke2fs.c" ]; then
	run "$TMP/dest/usr/local/sbin/mkfs.ext4" --help
	is "$RC" 0 "mkfs.ext4 is installed too"
fi

run make -s -C "$TMP/gcc" clean
is "$RC" 0 "make clean"
is "$(cd "$TMP/gcc" && find . -type f | sort | tr '\n' ' ')" \
	"./MCONFIG ./Makefile ./config.h ./config.log ./config.status " \
	"leaves what configure made and nothing else"
run make -s -C "$TMP/gcc" distclean
is "$(find "$TMP/gcc" -type f)" "" "make distclean leaves nothing"

configure_make "$TMP/noisal" "tests/unit/u_crc" --without-isal
is "$RC" 0 "--without-isal builds" || note "$ERR"
unlike "$(cat "$TMP/noisal/MCONFIG")" -lisal "and is not linked with it"
run "$TMP/noisal/tests/unit/u_crc"
is "$RC" 0 "crc is the same without ISA-L" || note "$OUT"

if command -v clang >/dev/null; then
	configure_make "$TMP/clang" "all tests" --enable-werror CC=clang
	is "$RC" 0 "clang without warnings" || note "$ERR"
else
	skip "clang is not installed" "clang without warnings"
fi

# configure in the tree itself, as ./configure && make.
configure_make "$COPY" all
is "$RC" 0 "a build inside the source tree" || note "$ERR"
run "$COPY/e2lbs" --version
is "$RC" 0 "it runs"
mkdir "$TMP/after"
run sh -c 'cd "$1" && "$2" -q && make -s V=0 all' sh "$TMP/after" "$CONFIGURE"
is "$RC" 0 "another folder after that" || note "$ERR"
like "$OUT" "lib/base/span.o" "compiles its own objects"
done_testing
