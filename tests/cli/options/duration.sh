# -x duration and -x count end a run as exit(0) does.
. tests/cli/lib.bash

capture=tests/pcap/sessions.pcap
# Replay measures the time of packets. A duration gives the same events as a predicate on the time,
# then END and the aggregations.
run -qr $capture -n 'BEGIN { from = timestamp; } ip:::send { printf("%d\n", timestamp - from); }'
sort -n "$out" | awk 'NF' >"$tmp/times"
[ "$(wc -l <"$tmp/times")" -gt 20 ] || wrong 'too few packets'
middle=$(awk '{ t[NR] = $1 } END { print t[int(NR / 2)] }' "$tmp/times")
before=$(awk -v m="$middle" '$1 < m' "$tmp/times" | wc -l)
run -qr $capture -x duration="${middle}ns" -n 'BEGIN { from = timestamp; } ip:::send { @ = count(); }
	END { printf("%d\n", timestamp - from); }'
status 0
err ''
out "$middle

$(printf '%17s' "$before")"
# A tick due at the end still fires; nothing fires after the end.
run -qr tests/pcap/seconds.pcap -x duration=2s -n 'tick-1s { printf("tick\n"); }'
out 'tick
tick
'
run -qr $capture -x duration=1h -n 'ip:::send { n++; } END { printf("%d\n", n); }'
out "$(wc -l <"$tmp/times")
"

# -x count counts records of events. Records of BEGIN and of ticks do not count.
run -qr $capture -x count=3 -n 'BEGIN { printf("head\n"); } ip:::send { printf("line\n"); @ = count(); }
	tick-1ms { printf("tick\n"); } END { printf("end\n"); }'
status 0
err ''
[ "$(grep -c line "$out")" = 3 ] || wrong 'not 3 lines'
out_has '^head$'
[ "$(grep -A1 end "$out" | head -n 1)" = end ] || wrong 'END did not fire after the last line'
run -qr $capture -x count=1 -n 'tcp:::send { speculation(); }
	ip:::send { this->s = speculation(); speculate(this->s); printf("a\n"); commit(this->s); }'
status 0
run -qr $capture -x count=1000000 -n 'ip:::send { printf("line\n"); }'
[ "$(grep -c line "$out")" = "$(wc -l <"$tmp/times")" ] || wrong 'not every event is printed'
run -r $capture -x count=2 -n 'ip:::send'
[ "$(grep -c ':send' "$out")" = 2 ] || wrong 'not 2 lines'
run -qr $capture -x count=1 -n 'ip:::send { @ = count(); } BEGIN, tick-1s { printf("x\n"); }'
status 1
out ''
err 'dtrace: failed to set -x count: no clause prints a record that counts (those of BEGIN, END, ERROR and tick do not)'
run -r $capture -x count=2 tcplife
status 0
[ "$(awk 'NF' "$out" | wc -l)" = 3 ] || wrong 'not two connections below the heading'

for v in duration=10 duration=0s duration=5hz duration=x duration= duration=-1s count=0 count=x count=; do
	run -qr $capture -x $v -n 'ip:::send { printf("line\n"); }'
	status 1
	out ''
	more=$([[ $v == count* ]] || echo ': expected a time with its unit: 10s, 500ms, 5m')
	err "dtrace: failed to set -x ${v%%=*}: Invalid value for specified option$more"
done
printf '#pragma D option quiet\n#pragma D option count=2\nip:::send { printf("line\\n"); }\n' >"$tmp/p.d"
run -r $capture -s "$tmp/p.d"
[ "$(grep -c line "$out")" = 2 ] || wrong 'the pragma does not limit the run'

# Live, -x duration counts wall-clock time.
if [ "$(id -u)" = 0 ] && timeout 120 "$DTRACE" -qn 'BEGIN { exit(0); }' >/dev/null 2>&1; then
	succeeds -q -x duration=300ms -n 'BEGIN { from = timestamp; } END { printf("%d\n", timestamp - from >= 300000000); @["a"] = count(); }'
	out '1

  a                                                                 1'
	run -q -x count=3 -n 'profile-100 { printf("line\n"); } tick-10s { exit(1); }'
	status 0
	[ "$(grep -c line "$out")" = 3 ] || wrong 'not 3 lines'
fi
finish
