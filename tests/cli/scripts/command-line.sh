# -s: scripts, their arguments, and the order of options.
. tests/cli/lib.bash

printf 'BEGIN { printf("%%s %%d %%s\\n", $$1, $2, $$3); }\n' >"$tmp/a.d"
run -r $pcap -q -s "$tmp/a.d" one 2 'th ree'
status 0
out 'one 2 th ree
'
# Options and operands in mixed order.
run one -r $pcap -s "$tmp/a.d" 2 -q three
status 0
out 'one 2 three
'
run -r $pcap -q -s "$tmp/a.d" one
status 1
one_line_of_stderr
err_has '^dtrace: failed to compile script .*a\.d: line 1: macro argument \$2 is not defined$'
fails "extraneous argument '4' \(\\\$4 is not referenced\)$" -r $pcap -q -s "$tmp/a.d" 1 2 3 4
run -r $pcap -q -x argref -s "$tmp/a.d" 1 2 3 4
status 0
run -r $pcap -q -x defaultargs -s "$tmp/a.d"
status 0
out ' 0 
'

# $0, and several scripts, each a program of its own.
printf 'BEGIN { printf("%%s\\n", $$0); }\n' >"$tmp/zero.d"
run -r $pcap -q -s "$tmp/zero.d"
status 0
out "$tmp/zero.d
"
printf 'BEGIN { printf("second\\n"); }\n' >"$tmp/b.d"
run -r $pcap -s "$tmp/zero.d" -s "$tmp/b.d" -q
status 0
out "$tmp/zero.d
second
"
printf '#!/usr/sbin/dtrace -s\nBEGIN { printf("x\\n"); }\n' >"$tmp/c.d"
run -r $pcap -s "$tmp/c.d" -q
out 'x
'
run -r $pcap -s "$tmp/c.d"
err "dtrace: script '$tmp/c.d' matched 1 probe"

# From standard input.
what='dtrace -s /dev/stdin'
echo 'BEGIN { printf("x\n"); }' | timeout 300 "$DTRACE" -r $pcap -q -s /dev/stdin >"$out" 2>"$err"
status=$?
status 0
out 'x
'
# An interpreter line: the kernel passes the script after -s. The kernel passes the whole rest of the
# line as one argument, which env -S splits.
printf '#!/usr/bin/env -S %s -qr%s -s\nBEGIN { printf("%%s\\n", $$1); exit(0); }\n' "$DTRACE" "$pcap" >"$tmp/run.d"
chmod +x "$tmp/run.d"
what='a script that is run'
timeout 300 "$tmp/run.d" word >"$out" 2>"$err"
status=$?
status 0
out 'word
'

run -r $pcap -s "$tmp/none.d"
status 1
out ''
err "dtrace: failed to open $tmp/none.d: No such file or directory"

# Errors name the script and the line; only the first is reported.
printf 'BEGIN { }\n\nEND { trace(nosuch); trace(nosuch2); }\n' >"$tmp/e.d"
run -r $pcap -s "$tmp/e.d"
status 1
out ''
err "dtrace: failed to compile script $tmp/e.d: line 3: failed to resolve nosuch: Unknown variable name"
finish
