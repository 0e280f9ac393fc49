# -x jobs: the output is the same for any number of processes, also with ticks, exit() and -x count.
. tests/cli/lib.bash
same() { # same FILE [ARGS] -n PROGRAM
	run -q -r "$1" -x jobs=1 "${@:2}"
	cp "$out" "$tmp/one"
	cp "$err" "$tmp/one.err"
	first=$status
	for jobs in 2 7; do
		run -q -r "$1" -x jobs=$jobs "${@:2}"
		checks=$((checks + 3))
		[ "$status" = "$first" ] || wrong "status $status, not $first"
		cmp "$tmp/one" "$out" || wrong 'the output differs from that of one process'
		cmp "$tmp/one.err" "$err" || wrong 'the messages differ from those of one process'
	done
}
for f in connections fragments retransmits seconds udp; do
	f=tests/pcap/$f.pcap
	[ -e $f ] || continue
	same $f -n 'ip:::receive { @ = count(); @t[args[2]->ip_saddr] = quantize(args[2]->ip_plength); } tick-100ms { @n = count(); printf("%d\n", timestamp); } END { printf("end %d", timestamp); }'
	same $f -n 'ip:::receive /args[2]->ip_plength > 40/ { @ = count(); printf("%d", timestamp); exit(3); } ip:::receive { @b = count(); } tick-10ms { @n = count(); } END { printf("end %d", timestamp); }'
	same $f -n 'ip:::receive { @ = count(); } tick-1s { printf("%d\n", timestamp); exit(0); } profile-97 { @p = count(); } tick-1ms { @q = max(timestamp); } END { printf("end %d", timestamp); }'
	same $f -x count=5 -n 'ip:::receive { @ = count(); printf("%d\n", timestamp); } END { printf("end %d", timestamp); }'
	same $f -x duration=1s -n 'ip:::receive { @ = count(); } END { printf("end %d", timestamp); }'
done
[ $checks -ge 60 ] || wrong "only $checks checks"
finish
