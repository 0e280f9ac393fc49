# dtrace has fast code for usual packets, and for segments that do not change the state of a
# connection. With a filter, every packet takes the general code. Both give the same output.
. tests/cli/lib.bash
numbers='%d %d %d %d %d %d %d %d %d %s %d %d'
values='args[3]->tcps_state, args[3]->tcps_snxt, args[3]->tcps_suna, args[3]->tcps_rnxt,
	args[3]->tcps_swnd, args[3]->tcps_rwnd, args[3]->tcps_rto, args[3]->tcps_retransmit,
	args[3]->tcps_mss, args[2]->ip_saddr, args[4]->tcp_seq, timestamp'
scripts=(
	"tcp:::send, tcp:::receive { printf(\"$numbers\", $values); }"
	"tcp:::send { printf(\"$numbers\", $values); }"
	'tcp:::receive { @[args[3]->tcps_rnxt] = sum(args[3]->tcps_suna); }
	tcp:::state-change, tcp:::retransmit { printf("%d %d", args[3]->tcps_state, args[3]->tcps_snxt); }
	tick-1s { printf("%d", timestamp); }'
	'ip:::receive, udp:::send { @[args[2]->ip_saddr, args[2]->ip_plength] = count(); }'
)
some=0
for capture in tests/pcap/*.pcap; do
	for script in "${scripts[@]}"; do
		run -x jobs=1 -r "$capture" -x filter='greater 0' -n "$script"
		cp "$out" "$tmp/general"
		cp "$err" "$tmp/general.err"
		wanted=$status
		run -x jobs=1 -r "$capture" -n "$script"
		status "$wanted"
		equal "$capture: errors of $script" "$tmp/general.err" "$err"
		[ ! -s "$out" ] || some=$((some + 1))
		[ ! -s "$tmp/general" ] && [ ! -s "$out" ] || equal "$capture: $script" "$tmp/general" "$out"
	done
done
[ $some -gt 60 ] || wrong "only $some runs have output"
finish
