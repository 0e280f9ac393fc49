# -C: scripts go through the C preprocessor, and errors name the lines of the original text.
. tests/cli/lib.bash
command -v cpp >/dev/null || skip 'no cpp here'

mkdir -p "$tmp/sub/inc" "$tmp/other"
echo '#define NEAR 7' >"$tmp/sub/near.h"
echo '#define FAR 8' >"$tmp/other/far.h"
cat >"$tmp/sub/x.d" <<'EOD'
#!/usr/sbin/dtrace -Cs
#include "near.h"
#pragma D option quiet
#ifdef FAR
#error far
#endif
#define SUM(a, b) ((a) + (b))
BEGIN
{
	printf("%d %s\n", SUM(NEAR, $1), "#define"); // and a comment
#ifdef MORE
	printf("%d\n", MORE);
#endif
}
EOD
succeeds -C -r $pcap -s "$tmp/sub/x.d" 1
out '8 #define
'
# The command line defines and undefines macros: with -D, -U, -x define, -x undef and -x cppargs.
run -C -D MORE=5 -r $pcap -s "$tmp/sub/x.d" 1
out '8 #define
5
'
run -x cpp -x define=MORE=5 -x undef=MORE -r $pcap -s "$tmp/sub/x.d" 1
out '8 #define
'
run -C -DMORE=1 -UMORE -x cppargs=-DMORE=6 -r $pcap -s "$tmp/sub/x.d" 1
out '8 #define
6
'
# Blanks separate the arguments in cppargs.
run -C -x cppargs=" -DMORE=6  -UMORE -DMORE=7 " -r $pcap -s "$tmp/sub/x.d" 1
out '8 #define
7
'
# -I finds headers in other folders; -H names them.
printf '#include <far.h>\nBEGIN { printf("%%d\\n", FAR); }\n' >"$tmp/far.d"
run -C -H -I "$tmp/other" -qr $pcap -s "$tmp/far.d"
status 0
out '8
'
err_has "^\. $tmp/other/far.h"
run -x cpp -x cpphdrs=off -x incdir="$tmp/other" -qr $pcap -s "$tmp/far.d"
err ''
out '8
'
run -C -qr $pcap -s "$tmp/far.d"
status 1
out ''
err_has "^$tmp/far.d:1:10: fatal error: far.h: No such file or directory"
err_has "^dtrace: failed to compile script $tmp/far.d: Preprocessor failed to process input program"
# An error in D names the file and line of its text, also in a header.
run -C -r $pcap -s "$tmp/sub/x.d" x
status 1
err "dtrace: failed to compile script $tmp/sub/x.d: \"$tmp/sub/x.d\", line 10: failed to resolve x: Unknown variable name"
echo 'BEGIN { trace(nobody); }' >"$tmp/sub/clause.h"
printf '\n\n#include "clause.h"\n' >"$tmp/sub/y.d"
run -C -r $pcap -s "$tmp/sub/y.d"
status 1
err "dtrace: failed to compile script $tmp/sub/y.d: \"$tmp/sub/clause.h\", line 1: failed to resolve nobody: Unknown variable name"
# Predefined symbols, and the value of __STDC__ in each dialect.
cat >"$tmp/sym.d" <<'EOD'
#if !__unix || !__SVR4 || !__Linux || !__linux || !__SUNW_D || !__SUNW_D_64 || \
	__SUNW_D_VERSION < 0x01000000
#error a symbol
#endif
BEGIN
{
	linux = 3;
	unix = 4;
	printf("%d %d %d\n", __STDC__, linux, unix);
}
EOD
for x in -Xa:0 -Xt:0 -Xc:1; do
	succeeds -C ${x%:*} -qr $pcap -s "$tmp/sym.d"
	out "${x#*:} 3 4
"
done
run -C -qr $pcap -s "$tmp/sym.d"
out '0 3 4
'
printf '#define TEXT(x) "x"\nBEGIN { printf("%%s\\n", TEXT(old)); }\n' >"$tmp/trad.d"
run -C -Xs -qr $pcap -s "$tmp/trad.d"
out 'old
'
run -C -qr $pcap -s "$tmp/trad.d"
out 'x
'
# The preprocessor reads only scripts, and only with -C. Without -C its options are accepted and do
# nothing.
fails 'failed to resolve N: Unknown variable name$' -C -D N=1 -qr $pcap -n 'BEGIN { trace(N); }'
run -D N=1 -U M -I /nowhere -H -qr $pcap -s "$tmp/far.d"
status 1
err "dtrace: failed to compile script $tmp/far.d: line 1: invalid control directive: #include"
# -x cpppath names a preprocessor that is missing, or another program.
run -C -x cpppath=/nowhere/cpp -qr $pcap -s "$tmp/sym.d"
status 1
err_has "failed to compile script $tmp/sym.d: Preprocessor not found: /nowhere/cpp: No such file or directory .install the package cpp"
cat >"$tmp/mycpp" <<'EOD'
#!/bin/sh
echo 'BEGIN { trace("mine"); }'
EOD
chmod +x "$tmp/mycpp"
run -C -x cpppath="$tmp/mycpp" -qr $pcap -s "$tmp/sym.d"
out mine
# -C reads from standard input, too.
printf '#define A 2\nBEGIN { printf("%%d\\n", A); }\n' >"$tmp/stdin.d"
what='-C -s -'
"$DTRACE" -C -qr $pcap -s - <"$tmp/stdin.d" >"$out" 2>"$err"
status=$?
status 0
out '2
'
finish
