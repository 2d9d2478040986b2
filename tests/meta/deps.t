#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# install-deps asks for what is missing and for nothing else. dpkg-query and
# apt-get are stand-ins that this test controls; nothing is installed.
. "${SRCDIR:?}/tests/lib/tap.sh"

DEPS=$SRCDIR/scripts/install-deps
FAKE=$TMP/bin
mkdir "$FAKE"
# The programs the script itself needs, and no other.
for prog in sh sort tr awk env id grep; do
	ln -s "$(command -v "$prog")" "$FAKE/$prog" 2>/dev/null || :
done

# fake NAME: a program that does what stdin says.
fake() {
	# Never through a link: that would write the machine's own program.
	rm -f "$FAKE/$1"
	{ echo '#!/bin/sh'; cat; } >"$FAKE/$1"
	chmod +x "$FAKE/$1"
}

deps() {
	rm -f "$TMP/calls"
	touch "$TMP/calls"
	run env PATH="$FAKE" CALLS="$TMP/calls" MISSING="$1" "$DEPS" build
	CALLS=$(cat "$TMP/calls")
}

deps ''
is "$RC" 1 "without dpkg and apt it fails"
like "$ERR" "libext2fs-dev" "and names the packages"
is "$(printf '%s\n' "$ERR" | wc -l)" 1 "in one sentence"

fake id <<'END'
echo 0
END
fake apt-get <<'END'
echo "$*" >>"$CALLS"
[ "$1" != install ] || [ -z "$FAIL_ALWAYS" ] || exit 100
[ "$1" != install ] || [ -z "$FAIL_ONCE" ] || [ "$(grep -c update "$CALLS")" = 1 ]
END
fake dpkg-query <<'END'
case $# in
3) for p in gcc make; do echo "installed $p "; done; exit 0 ;;
esac
case " $MISSING " in
*" $4 "*) exit 1 ;;
esac
echo installed
END
deps ''
is "$RC" 0 "nothing is missing"
is "$CALLS" "" "so apt is not called at all"
mv "$FAKE/apt-get" "$TMP/apt-get"
deps ''
is "$RC" 0 "nothing is missing, and apt is not needed"
deps 'uthash-dev'
is "$RC" 1 "one is missing, and so is apt"
is "${ERR##*hold: }" "uthash-dev" "that one is named, and no other"
mv "$TMP/apt-get" "$FAKE/apt-get"
deps 'uthash-dev libisal-dev'
is "$RC" 0 "two are missing"
like "$CALLS" "libisal-dev uthash-dev" "they are installed"
unlike "$CALLS" "libext2fs-dev" "the others are not asked for"
unlike "$CALLS" "update" "and the lists are left alone"
FAIL_ONCE=1
export FAIL_ONCE
deps 'uthash-dev'
is "$RC" 0 "where that fails"
like "$CALLS" "update" "the lists are fetched and it is tried again"
FAIL_ALWAYS=1
export FAIL_ALWAYS
deps 'uthash-dev'
is "$RC" 1 "where apt cannot install at all, it fails"
like "$ERR" "apt-get install uthash-dev" "and says what root has to do"
FAIL_ALWAYS=
FAIL_ONCE=

fake id <<'END'
echo 1000
END
deps 'uthash-dev'
is "$RC" 1 "no root and no sudo"
like "$ERR" "apt-get install uthash-dev" "says what root has to do"
fake sudo <<'END'
echo "sudo $*" >>"$CALLS"
exit 1
END
deps 'uthash-dev'
is "$RC" 1 "sudo refuses"
is "$CALLS" "sudo true" "it is asked once"
like "$ERR" "apt-get install uthash-dev" "and what root has to do is said"
fake sudo <<'END'
echo "sudo $*" >>"$CALLS"
[ "$1" = true ] || exec "$@"
END
deps 'uthash-dev'
is "$RC" 0 "sudo lets it"
like "$CALLS" "sudo env DEBIAN_FRONTEND=noninteractive apt-get install" "as root"
run "$DEPS" nonsense
is "$RC" 2 "an unknown group"
run "$DEPS" --list
like "$OUT" "automake" "aclocal is in automake, which autoconf does not bring"
run "$DEPS" --list demo
is "$OUT" "e2fsprogs" "the demonstration needs e2fsprogs, not the test tools"
run "$DEPS" --list build test vm
like "$OUT" "qemu-system-x86" "--list prints the packages"
[ ! -w /usr/bin/id ] || ! grep -q 'echo 1000' /usr/bin/id
ok $? "the machine's own programs are untouched"
done_testing
