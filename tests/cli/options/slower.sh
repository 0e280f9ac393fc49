# -x slower sets the constant `slower`, which the scripts about durations test. For a program that
# does not use the constant, the option is an error.
. tests/cli/lib.bash
capture=tests/pcap/connections.pcap

# The constant is in nanoseconds, and 0 without the option.
succeeds -qr $capture -n 'BEGIN { printf("%d\n", slower); }'
out '0
'
for pair in 10ms:10000000 2s:2000000000 5us:5000 700ns:700; do
	succeeds -qr $capture -x slower="${pair%:*}" -n 'BEGIN { printf("%d\n", slower); }'
	out "${pair#*:}
"
done
DTRACE_OPT_slower=3ms succeeds -qr $capture -n 'BEGIN /!slower || 3000000 >= slower/ { printf("%d\n", slower); }'
out '3000000
'
# A pragma sets the constant, and an inline of the program uses it.
printf '#pragma D option slower=4ms\ninline int T = slower / 1000000;\nBEGIN { printf("%%d\\n", T); }\n' >"$tmp/p.d"
succeeds -qr $capture -s "$tmp/p.d"
out '4
'
UNUSED='failed to set -x slower: the program does not test slower, so it would show short durations as well; add a test such as /timestamp - self->start >= slower/'
fails "$UNUSED" -qr $capture -x slower=1ms -n 'ip:::send { @ = count(); }'
fails "$UNUSED" -e -x slower=1ms tcptop
fails '^dtrace: failed to set -x slower: Invalid value' -x slower=fast -n BEGIN
fails '^dtrace: failed to set -x slower: Invalid value' -x slower -n BEGIN

# Each script about durations takes the option.
for script in acceptlat dnslat gethostlatency iosnoop netlat offcpu offcpuflame procsystime qdisclat runqlen softirqs \
	tcp1stbyte tcpconnlat tcplife tcprtt tcpwhy; do
	grep -q 'With -x slower=' "scripts/$script.d" || wrong "$script does not say what slower does"
	grep -q '>= slower\(/\|;\| &&\)' "scripts/$script.d" || wrong "$script does not test slower"
done

# rows SCRIPT CAPTURE MINIMUM: prints the number of connections that the script shows
rows() {
	run "$1" -r "$2" ${3:+-x slower="$3"}
	status 0
	grep -c '^ *-*[0-9]* *-1 <unknown>' "$out"
}
[ "$(rows tcpconnlat $capture)" = 8 ] || wrong 'not all connections'
[ "$(rows tcpconnlat $capture 2ms)" = 8 ] || wrong 'not the connections of 2 ms'
[ "$(rows tcpconnlat $capture 2001us)" = 1 ] || wrong 'not one connection of more than 2 ms'
[ "$(rows tcpconnlat $capture 4ms)" = 0 ] || wrong 'connections of 4 ms'
# The summary counts the same connections.
run tcpconnlat -r $capture -x slower=2001us
out_has '^ *3000 +3000 +1 192.0.2.2$'
all=$(rows tcplife $capture)
run tcplife -r $capture
want=$(awk '$2 == "<unknown>" && $5 >= 5 { n++ } END { print n + 0 }' "$out")
[ "$want" -gt 0 ] && [ "$want" -lt "$all" ] || wrong "$want of $all connections lasted 5 ms"
[ "$(rows tcplife $capture 5ms)" = "$want" ] || wrong "not $want connections of 5 ms"
run gethostlatency -r tests/pcap/dns.pcap
want=$(awk '$2 == -1 && $4 >= 30 { n++ } END { print n + 0 }' "$out")
[ "$want" -gt 0 ] || wrong 'no slow answer'
[ "$(rows gethostlatency tests/pcap/dns.pcap 30ms)" = "$want" ] || wrong "not $want answers of 30 ms"
run dnslat -r tests/pcap/dns.pcap -x slower=1s
out_has '^ *15 +6 +2 +[0-9]+ +5010000 192.0.2.2$'
run tcprtt -r $capture -x slower=2ms
out_has 'MEAN'
grep -q '192.0.2' "$out" && wrong 'round trips of 1 ms'
run tcp1stbyte -r $capture
before=$(grep -c 'Distribution' "$out")
run tcp1stbyte -r $capture -x slower=1h
[ "$before" -gt 0 ] && ! grep -q 'Distribution' "$out" || wrong 'first data within an hour'
finish
