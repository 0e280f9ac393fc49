# dtrace shows whether a result is complete: -x strict, -x footer. Faults do not hide other output.
. tests/cli/lib.bash
many=tests/pcap/seconds.pcap

# With -x strict, the exit status shows that data is missing.
run -r $pcap -q -x strict -n 'ip:::receive { @ = count(); } END { trunc(@); exit(5); }'
status 5
err ''
run -r $pcap -q -x strict -n 'BEGIN { trace(*(int *)16); } END { exit(5); }'
status 3
err 'dtrace: error on enabled probe ID 1 (ID N: dtrace:::BEGIN): invalid address (0x10) in action #1 at DIF offset N
dtrace: the output is incomplete, see above: exit status 3 (-x strict)'
run -r $pcap -q -n 'BEGIN { trace(*(int *)16); }'
status 0
run -r $pcap -q -x strict -x nspec=0 -n 'BEGIN { s = speculation(); }'
status 3
run -r $pcap -q -x strict -x specsize=0 -n 'BEGIN { s = speculation(); } BEGIN { speculate(s); printf("x"); }'
status 3
# If Linux could not reassemble a datagram either, the datagram is not a loss. A failed write and a
# loss together give the status of a failed write.
run -r tests/pcap/reassembly.pcap -q -x strict -n 'udp:::receive { @ = count(); } END { trunc(@); }'
status 0
err_has 'not reassembled'
run -r $pcap -o /dev/full -q -x strict -n 'BEGIN { trace(*(int *)16); } BEGIN { trace(1); }'
status 1
cat >"$tmp/x.d" <<-'EOT'
	#pragma D option strict
	BEGIN { trace(*(int *)16); }
EOT
run -r $pcap -q -s "$tmp/x.d"
status 3

# The footer has the numbers of seen events, keys, hooks and faults.
run -r $pcap -q -x footer -n 'ip:::receive { @a[args[2]->ip_saddr] = count(); @b = count(); }'
err_has '^dtrace: events seen +10$'
err_has '^dtrace: aggregation keys +3$'
err_has '^dtrace: hooks +1$'
run -r $pcap -q -x footer -x oformat=json -n 'ip:::receive { @[args[2]->ip_saddr] = count(); } END { trunc(@); trace(1); }'
out_has '^\{"type":"footer","timestamp":[0-9]+,"events":10,"records":1,.*"faults":0,"keys":0,.*"hooks":\[\{"hook":"[a-z_:]*"\}\]\}$'

# Equal faults are reported once per second of the capture's time, with their number.
run -r $pcap -q -n 'ip:::receive { trace(*(int *)16); } ip:::receive { trace(*(int *)16); trace(1); }'
err 'dtrace: error on enabled probe ID 1 (ID N: ip:kernel:none:receive): invalid address (0x10) in action #1 at DIF offset N
dtrace: error on enabled probe ID 2 (ID N: ip:kernel:none:receive): invalid address (0x10) in action #1 at DIF offset N
dtrace: error on enabled probe ID 1 (ID N: ip:kernel:none:receive): invalid address (0x10) in action #1 at DIF offset N, and 8 more
dtrace: error on enabled probe ID 2 (ID N: ip:kernel:none:receive): invalid address (0x10) in action #1 at DIF offset N, and 8 more'
run -r $many -q -n 'tick-100ms { trace(*(int *)16); } tick-100ms { n++; } END { printf("%d\n", n); }'
checks=$((checks + 1))
lines=$(wc -l <"$err") ticks=$(tail -n 2 "$out" | head -n 1)
[ "$lines" -ge 2 ] && [ "$lines" -le $((ticks / 10 + 2)) ] || wrong "$lines lines in $ticks tenths of a second"
told=$(sed -n 's/.*, and \([0-9]*\) more$/\1/p' "$err" | awk '{ n += $1 } END { print n }')
[ "$((told + lines))" = "$ticks" ] || wrong "$told more and $lines lines are not $ticks faults"
run -r $pcap -q -x footer -n 'ip:::receive { trace(*(int *)16); }'
err_has '^dtrace: faults +10$'
finish
