#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The judge judged: every case of cases-judge.tsv must fail, for the reason
# its name says; a panic must take the cases after it along.

set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
out=$(mktemp "${TMPDIR:-/tmp}/lbs-judge.XXXXXX") || exit 1
trap 'rm -f "$out"' EXIT

# id, and words of the reason
expected()
{
	cat <<'END'
mounted-but-must-not	mounted, but must be refused
refused-but-must-not	mount: Invalid argument; the kernel says
other-message	the kernel did not say 'no such words'
mkfs-fails	mke2fs gave [1-9]
mkfs-must-fail	mke2fs made it, but must refuse
fsck-not-clean	e2fsck -fn \$DX gave 4
no-io-error	everything could be read back
check-fails	test -e \$MNT/nothing gave 1
prepare-fails	false gave 1
kernel-error	mount: Structure needs cleaning|kernel says
other-block-size	block size 16384 was asked for, 8192 made
content-changed	/m/one/fc: wrong content near byte
unknown-kind	unknown kind 'play'
panic	no result: the guest ended before
after-panic	no result: the guest ended before
END
}

"$here/run" --cases "$here/cases-judge.tsv" --limit 120 >"$out" 2>&1
rc=$?
if grep -q '^1\.\.0 # SKIP' "$out"; then
	grep '^1\.\.0 # SKIP' "$out"
	exit 0
fi
echo "1..$(($(expected | wc -l) + 2))"
n=1
[ $rc -ne 0 ] || printf 'not '
echo "ok $n - the run as a whole fails"
n=2
! grep -q '^ok' "$out" || printf 'not '
echo "ok $n - no case passes"
bad=0
expected | {
	while IFS='	' read -r id why; do
		n=$((n + 1))
		got=$(sed -n "/^not ok [0-9]* - $id\$/{n;s/^# //p;}" "$out")
		if printf '%s\n' "$got" | grep -qE -- "$why"; then
			echo "ok $n - $id"
		else
			echo "not ok $n - $id"
			echo "# the reason given: $got"
			bad=1
		fi
	done
	exit $bad
} || bad=1
[ $rc -ne 0 ] && ! grep -q '^ok' "$out" && [ $bad -eq 0 ]
