# Comments from // to the end of the line, in every reader of D texts: the compiler, the search for
# options before the compile, the preprocessor, --check, and dwatch.
. tests/cli/lib.bash

cat >"$tmp/x.d" <<'D'
#!/usr/sbin/dtrace -s
// don't stop at this quote
#pragma D option quiet
//#pragma D option nosuchoption
// $3 is not used
BEGIN // a brace: {
/* // */ {
	printf("a//b %s\n", $$1); // } "
	exit(0);
}
// the end: }
D
run -r $pcap -s "$tmp/x.d" word
status 0
err ''
out 'a//b word
'
run -r $pcap -C -s "$tmp/x.d" word
status 0
out 'a//b word
'
run -r $pcap -C -X s -s "$tmp/x.d" word
status 0
out 'a//b word
'
sed 's/\$\$1/"word"/' "$tmp/x.d" >"$tmp/y.d"
run -r $pcap --check "$tmp/y.d"
status 0
out "$tmp/y.d:6: BEGIN: runs"
# An option after a comment takes effect before the program is compiled.
printf '// it is "x\n#pragma D option zdefs // "\nnosuch:::probe { }\n' >"$tmp/z.d"
fails 'malformed #pragma D option' -r $pcap -e -s "$tmp/z.d"
printf '// it is "x\n#pragma D option zdefs\nnosuch:::probe { }\n' >"$tmp/z.d"
succeeds -r $pcap -e -s "$tmp/z.d"
# On the command line, a comment goes to the end of the text.
run -r $pcap -q -n 'BEGIN { printf("x\n"); exit(0); } // printf(' -n 'END // {
	{ printf("y\n"); }'
out 'x
y
'
fails 'syntax error' -r $pcap -n 'BEGIN { // }'
# In a program of dwatch.
what=dwatch
scripts/dwatch/dwatch -d -t 'pid // the process' -E 'trace(pid); // more' tcp:::send >"$out" 2>"$err" </dev/null
sed 's/^ *#!.*//' "$out" >"$tmp/dwatch.d"
run -r $pcap -x nohint -e -s "$tmp/dwatch.d"
status 0
finish
