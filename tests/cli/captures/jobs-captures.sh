# -x jobs=1, 2 and 7 give the same output and status for every capture in tests/pcap and in the
# folders of $CAPTURES. Runs with two processes use the build with sanitizers; the others use the plain build,
# which takes a third of the time.
. tests/cli/lib.bash
sanitized=$DTRACE
plain
programs=(
	'ip:::receive { @[args[2]->ip_saddr] = count(); @q[args[2]->ip_ver] = quantize(args[2]->ip_plength); @s = stddev(args[2]->ip_plength); } END { printf("%d", timestamp); }'
	'ip:::send /args[2]->ip_plength > 100/ { printf("%Y.%09d %s > %s\n", walltimestamp, walltimestamp % 1000000000, args[2]->ip_saddr, args[2]->ip_daddr); } tick-1s { @n = count(); printa(@n); }'
	'tcp:::receive { @[args[4]->tcp_dport] = llquantize(args[2]->ip_plength, 10, 0, 5, 20); } udp:::receive { @u[args[4]->udp_sport] = lquantize(args[4]->udp_length, 0, 1500, 10); } ip:::receive { @c = count(); } tick-100ms { clear(@c); }'
	'tcp:::state-change { @[args[3]->tcps_state, args[5]->tcps_state] = count(); } tcp:::receive { @w[args[3]->tcps_rport] = max(args[3]->tcps_snxt); }'
	'BEGIN { n = 0; } ip:::receive { n++; @ = max(n); } ip:::receive /n == 30/ { trace(n); exit(3); }'
)
same() { # same FILE PROGRAM
	local jobs
	local -A build=([1]=$DTRACE [2]=$sanitized [7]=$DTRACE)
	for jobs in 1 2 7; do
		"${build[$jobs]}" -q -r "$1" -x jobs=$jobs -n "$2" >"$tmp/out.$jobs" 2>"$tmp/err.$jobs"
		echo "status $?" >>"$tmp/err.$jobs"
	done
	for jobs in 2 7; do
		checks=$((checks + 2))
		cmp "$tmp/out.1" "$tmp/out.$jobs" || wrong "$1 with jobs=$jobs: $2"
		cmp "$tmp/err.1" "$tmp/err.$jobs" || wrong "$1 with jobs=$jobs has other messages: $2"
	done
}
what='-x jobs'
for p in "${programs[@]}"; do
	"$DTRACE" -e -r tests/pcap/empty.pcap -n "$p" || wrong "it does not compile: $p"
done
files=0 said=0
for dir in tests/pcap ${CAPTURES:-}; do
	for f in "$dir"/*.pcap "$dir"/*.pcapng "$dir"/*.cap; do
		[ -e "$f" ] || continue
		files=$((files + 1))
		for p in "${programs[@]}"; do
			same "$f" "$p"
			[ -s "$tmp/out.1" ] && said=$((said + 1))
		done
	done
done
echo "$files captures, $said of $((files * ${#programs[@]})) runs print"
[ $files -ge 40 ] || wrong 'too few captures were found'
[ $said -ge $((files * 2)) ] || wrong "only $said runs printed something"
finish
