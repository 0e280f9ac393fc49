# dtrace prints match lines besides data, and has options for its output: -q, -o, -e, -v, -V, -Z.
. tests/cli/lib.bash
head='CPU     ID                    FUNCTION:NAME'

# The match line quotes the text up to the first of { / ;
run -r $pcap -n 'BEGIN { n = 1; }'
status 0
out newline
err "dtrace: description 'BEGIN ' matched 1 probe"
run -r $pcap -n 'BEGIN{ n = 1; }'
err "dtrace: description 'BEGIN' matched 1 probe"
run -r $pcap -n 'BEGIN /1/ { n = 1; }'
err "dtrace: description 'BEGIN ' matched 1 probe"
run -r $pcap -n 'BEGIN
{ n = 1; }'
err "dtrace: description 'BEGIN
' matched 1 probe"
run -r $pcap -n 'ip:::send, ip:::receive { @ = count(); } END { trunc(@); }' -q
err ''
run -r $pcap -n 'ip:::*e* { n = 1; }'
err "dtrace: description 'ip:::*e* ' matched 2 probes"
run -r $pcap -n 'BEGIN { n = 1; } BEGIN { n = 2; } END { n = 3; }'
err "dtrace: description 'BEGIN ' matched 3 probes"
run -r $pcap -n 'BEGIN { n = 1; }' -n 'END { n = 2; }'
err "dtrace: description 'BEGIN ' matched 1 probe
dtrace: description 'END ' matched 1 probe"
run -r $pcap -Z -n 'nosuch:::probe { }'
status 0
err "dtrace: description 'nosuch:::probe ' matched 0 probes"

# There are three ways to make dtrace quiet.
for q in -q '-x quiet' '-x quiet=yes'; do
	succeeds -r $pcap $q -n 'BEGIN { printf("x"); }'
	out "x"
done
run -r $pcap -x quiet=no -n 'BEGIN { printf("x"); }'
out "$head
  0      N                           :BEGIN x
"
run -r $pcap -n BEGIN
status 0
out "$head
  0      N                           :BEGIN 
"
err "dtrace: description 'BEGIN' matched 1 probe"

# -e only compiles.
run -r $pcap -e -n 'BEGIN { trace(1); }'
status 0
out ''
err ''
run -r $pcap -e -n 'BEGIN { trace(x); }'
status 1

# -o appends data, not messages.
echo before >"$tmp/o"
run -r $pcap -o "$tmp/o" -n 'BEGIN { printf("x\n"); } ip:::receive { @ = count(); }'
status 0
out ''
err "dtrace: description 'BEGIN ' matched 2 probes"
text_is 'the file of -o' "$tmp/o" "before
$head
  0      N                           :BEGIN x


               10"
run -r $pcap -o "$tmp/no/such" -n BEGIN
status 1
out ''
err "dtrace: failed to open output file '$tmp/no/such': No such file or directory"

run -V
status 0
out_has '^dtrace: .* D [0-9]'
err ''

# -S prints the code on stderr; the run is unchanged.
run -r $pcap -S -q -n 'BEGIN { printf("x\n"); }'
status 0
out 'x
'
err_has 'exit'

# A failed write is an error, for every writer and every destination.
for args in '-V' '-l' '-q -n BEGIN{trace(1)}'; do
	what="dtrace $args >/dev/full"
	# shellcheck disable=SC2086
	"$DTRACE" -r $pcap $args >/dev/full 2>"$err"
	status=$?
	status 1
	err 'dtrace: failed to write to <stdout>: No space left on device'
done
run -r $pcap -o /dev/full -q -n 'BEGIN { trace(1); }'
status 1
err 'dtrace: failed to write to /dev/full: No space left on device'
what='dtrace with standard output closed'
"$DTRACE" -r $pcap -q -n 'BEGIN { trace(1); }' >&- 2>"$err"
status=$?
status 1
err 'dtrace: failed to write to <stdout>: Bad file descriptor'
what='dtrace with all three standard streams closed'
"$DTRACE" -r $pcap -q -o "$tmp/closed" -n 'BEGIN { printf("x\n"); }' <&- >&- 2>&-
status=$?
status 0
text_is 'the file of -o' "$tmp/closed" 'x
'
finish
