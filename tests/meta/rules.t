#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every rule of lib/lbs/rules.def has a case in tests/lbs, and every case names
# a rule that is there; no id is there twice.
. "${SRCDIR:?}/tests/lib/tap.sh"

RULES=$SRCDIR/lib/lbs/rules.def

ids() {
	sed -n 's/^R(\(LBS_[A-Z0-9_]*\),.*/\1/p' "$1"
}

# Ids that the case files use, a leading ! for "does not hold" removed.
used() {
	cat "$SRCDIR"/tests/lbs/rules.cases "$SRCDIR"/tests/lbs/*.t 2>/dev/null |
		grep -o '!\{0,1\}LBS_[A-Z0-9_]*'
}

# without_case RULES: ids for which no case says that the rule holds.
without_case() {
	used | grep -v '^!' | sort -u >"$TMP/used"
	ids "$1" | sort -u | comm -23 - "$TMP/used"
}

nr=$(ids "$RULES" | wc -l)
ok "$((nr > 20 ? 0 : 1))" "the table is read: $nr rules"
is "$(ids "$RULES" | sort | uniq -d)" "" "no id twice"
is "$(without_case "$RULES")" "" "every rule has a case in tests/lbs"
cp "$RULES" "$TMP/rules.def"
echo 'R(LBS_MADE_UP, REFUSE, FS, YES, 0, 0, x, "", "", "")' >>"$TMP/rules.def"
is "$(without_case "$TMP/rules.def")" LBS_MADE_UP "one without is caught"

ids "$RULES" | sort -u >"$TMP/ids"
is "$(sed -n 's/^!\{0,1\}\(LBS_[A-Z0-9_]*\).*/\1/p' \
	"$SRCDIR/tests/lbs/rules.cases" | sort -u | comm -23 - "$TMP/ids")" "" \
	"every case names a rule that is there"
done_testing
