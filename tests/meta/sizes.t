#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-size passes this tree and catches each kind of offence in a made-up
# one, just over the limit, and passes what is just below it.
. "${SRCDIR:?}/tests/lib/tap.sh"

CHECK=$SRCDIR/scripts/check-size
TREE=$TMP/tree
mkdir -p "$TREE"
SPDX='/* SPDX-License-Identifier: GPL-2.0-or-later */'

# c_file: a C file with head, and what stdin says.
c_file() {
	{ printf '%s\n/* What is here. */\n' "$SPDX"; cat; } >"$TREE/a.c"
}

lines() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "\tx++;" }'
}

good() {
	run "$CHECK" "$TREE"
	is "$RC" 0 "passes: $1" || note "$OUT"
}

bad() {
	run "$CHECK" "$TREE"
	is "$RC" 1 "caught: $1"
	like "$OUT" "$2" "  it says where and what"
}

run "$CHECK" "$SRCDIR"
is "$RC" 0 "this tree keeps to the sizes" || note "$OUT"

{ echo 'void f(void)'; echo '{'; lines 57; echo '}'; } | c_file
good "a function of 59 lines"
{ echo 'void f(void)'; echo '{'; lines 58; echo '}'; } | c_file
bad "a function of 60 lines" "a.c:4: f has 60 lines"

printf 'int f(int a, int b, int (*c)(int, int), int d, int e)\n{\n}\n' | c_file
good "5 parameters, one a function"
printf 'int f(int a, int b, int c,\n      int d, int e, int g)\n{\n}\n' | c_file
bad "6 parameters" "f has 6 parameters"
printf 'LB_CALLBACK int f(int a, int b, int c,\n      int d, int e, int g)\n{\n}\n' | c_file
good "6 parameters that a library dictates"

{ echo 'void f(void)'; echo '{'; echo 'if (a) { for (;;) { do {'
	echo '} while (1); } }'; echo '}'; } | c_file
good "nested 3 deep"
{ echo 'void f(void)'; echo '{'; echo 'if (a) { for (;;) { while (b) { if (c) {'
	echo '} } } }'; echo '}'; } | c_file
bad "nested 4 deep" "a.c:5: nested 4 deep"

{ echo 'const char t[] = "{{{{{{";'; echo '/* {{{{{{ */'; } | c_file
good "braces in texts and comments"

awk 'BEGIN { for (i = 0; i < 597; i++) print "" }' | c_file
good "599 lines"
awk 'BEGIN { for (i = 0; i < 598; i++) print "" }' | c_file
bad "600 lines" "a.c:1: 600 lines"

awk 'BEGIN { printf "/* %094d */\n", 0 }' | c_file
good "100 columns"
awk 'BEGIN { printf "/* %095d */\n", 0 }' | c_file
bad "101 columns" "a.c:3: 101 columns"
awk 'BEGIN { printf "\t\t/* %079d */\n", 0 }' | c_file
bad "tabs count 8" "a.c:3: 101 columns"

printf 'int x;\n' >"$TREE/a.c"
bad "no licence line" 'a.c:1: the first lines lack "SPDX'
printf '%s\nint x;\n' "$SPDX" >"$TREE/a.c"
bad "no head comment" "a.c:2: no head comment"
rm "$TREE/a.c"
printf '#!/bin/sh\necho\n' >"$TREE/tool"
bad "a script without licence line" "tool:1: the first lines lack"
rm "$TREE/tool"
printf '{}\n' >"$TREE/data.json"
good "data needs none"
done_testing
