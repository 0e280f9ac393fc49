# Replaying a capture of connections gives the same connection events as the live run.
. "$(dirname "$0")/../lib.bash"
need tcpdump
helper storm
helper traffic

ns one
# Captures contain no listeners and no sockets without segments, so only connections with two ends
# count. The end that refuses a connection has no socket and so no namespace: the test recognizes it
# by its ports.
EVENTS='
inline int ours = ($1 == 0 || (args[1]->cs_addr != 0 ? args[1]->cs_netns == $1 :
    args[4]->tcp_sport >= 5000 && args[4]->tcp_sport <= 5011 || args[4]->tcp_dport >= 5000 && args[4]->tcp_dport <= 5011));
tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established,
tcp:::accept-refused
/ ours /
{
	printf("%s %s %d %s %d %d %u %u %d %s %d %s %d\n", probename, args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags, args[4]->tcp_seq, args[4]->tcp_ack,
	    args[2]->ip_plength, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport);
}
tcp:::state-change / ($1 == 0 || args[1]->cs_netns == $1) && args[3]->tcps_rport != 0 /
{
	printf("%s %s %d %s %s\n", probename, args[3]->tcps_raddr, args[3]->tcps_rport,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
}'

traffic() {
	local a

	in_ns one "$T/storm" connect 400 5000 >/dev/null || return 1
	for a in 127.0.0.1 ::1; do
		in_ns one "$T/storm" refuse $a 5009 50 >/dev/null || return 1
		background srv one "$T/traffic" serve "$a" 5010 || return 1
		in_ns one "$T/traffic" tcp "$a" 5010 1000000 || return 1
		background srv one "$T/traffic" echo "$a" 5011 || return 1
		in_ns one "$T/traffic" ping "$a" 5011 100 || return 1
	done
}

settled one
dt_start live -x footer -n "${EVENTS//\$1/$(inum one)}" || exit 1
sniff one
traffic || fail 'the traffic failed'
settled one
sniff_end one
dt_stop live
lossless live
"$DTRACE" -q -r "$T/one.pcap" -n "${EVENTS//\$1/0}" >"$T/replay.out" || fail 'the replay failed'
for what in connect-request connect-established connect-refused accept-established accept-refused \
	state-change; do
	grep "^$what " "$T/live.out" | sort >"$T/wanted"
	grep "^$what " "$T/replay.out" | sort >"$T/got"
	same_files "$what" "$T/wanted" "$T/got"
done
finish
