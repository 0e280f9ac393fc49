# tcps_* equals the values of the socket (TCP_INFO) and of the wire (a capture). The end that
# connects is the active one, whatever address the client binds.
. "$(dirname "$0")/../lib.bash"
need tcpdump
helper tcpinfo

ns left right
veth left e0 right e0
addr left e0 10.9.1.1/24 fd09:1::1/64
addr right e0 10.9.1.2/24 fd09:1::2/64

# Each end prints its values and closes at once. close() first changes the state of the socket, so
# the probe state-change sees the values that the end printed.
EVENTS="
inline int ours = args[1]->cs_netns == $(inum left) || args[1]->cs_netns == $(inum right);
tcp:::state-change
/ ours && ((args[5]->tcps_state == TCP_STATE_ESTABLISHED && args[3]->tcps_state == TCP_STATE_FIN_WAIT_1) ||
  (args[5]->tcps_state == TCP_STATE_CLOSE_WAIT && args[3]->tcps_state == TCP_STATE_LAST_ACK)) /
{
	printf(\"%s %d %d %d %d %d %d %d %d %d %d %d %u %u\n\",
	    args[3]->tcps_state == TCP_STATE_FIN_WAIT_1 ? \"client\" : \"server\", args[3]->tcps_lport,
	    args[3]->tcps_mss, args[3]->tcps_rto, args[3]->tcps_rtt, args[3]->tcps_rtt_sd,
	    args[3]->tcps_cwnd_ssthresh, args[3]->tcps_cwnd, args[3]->tcps_swnd,
	    args[3]->tcps_rwnd, args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws,
	    args[3]->tcps_snxt, args[3]->tcps_rnxt);
	printf(\"more %d %d %d %d %d\n\", args[3]->tcps_lport, args[3]->tcps_rport,
	    args[3]->tcps_suna == args[3]->tcps_snxt, args[3]->tcps_smax == args[3]->tcps_snxt,
	    args[3]->tcps_srtt / 32 == args[3]->tcps_rtt);
}
tcp:::state-change / ours && args[5]->tcps_state != TCP_STATE_CLOSED && args[3]->tcps_rport != 0 /
{
	printf(\"numbers %s %d %s %d %u %u\n\", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport, args[3]->tcps_iss,
	    args[5]->tcps_state == TCP_STATE_SYN_SENT ? 0 : args[3]->tcps_irs);
}
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established, tcp:::send, tcp:::receive
/ ours && args[3]->tcps_state != TCP_STATE_LISTEN && args[3]->tcps_state != TCP_STATE_TIME_WAIT /
{
	@active[args[3]->tcps_rport, args[3]->tcps_active] = count();
}
tcp:::state-change / ours /
{
	@active[args[3]->tcps_rport, args[3]->tcps_active] = count();
}
END { printa(\"active %d %d\n\", @active); }"

settled left right
sniff left
dt_start fields -x footer -n "$EVENTS" || exit 1
for pair in '10.9.1.1 10.9.1.2' 'fd09:1::1 fd09:1::2'; do
	me=${pair% *} other=${pair#* }
	background "many$other" right "$T/tcpinfo" serve "$other" 5001 16 3 || fail 'no server'
	for how in free "port=$((40000 + ${#me}))" "address=$me"; do
		in_ns left "$T/tcpinfo" connect "$other" 5001 "$how" >>"$T/clients" || fail "client $how"
	done
done
settled left right
dt_stop fields
sniff_end left
lossless fields

# Converts the values to the units of the probes. A slow-start threshold of 2147483647 means that
# there is none yet.
cat "$T"/*.srv "$T/clients" | grep -v listening | awk '{
	print $1, $2, $3, int($4 / 1000), int($5 / 1000), int($6 / 1000),
		($7 >= 2147483647 ? 2147483647 : $7 * $3), $8 * $3, $9, $10, $11, $12, $13, $14
}' | sort >"$T/wanted"
grep -E '^(client|server) ' "$T/fields.out" | sort >"$T/got"
same 'number of ends that were compared' 12 "$(wc -l <"$T/wanted")"
same_files 'members of tcpsinfo_t equal TCP_INFO' "$T/wanted" "$T/got"
same 'all data is acknowledged at the end' '1 1 1' "$(awk '$1 == "more" { print $4, $5, $6 }' "$T/fields.out" | sort -u)"

# The initial sequence numbers of both directions, at both ends and at each state change.
tcpdump -nSr "$T/left.pcap" 'tcp[13] & 2 != 0 or ip6[53] & 2 != 0' 2>/dev/null | awk '
	function address(text) { sub(/:$/, "", text); sub(/\.[0-9]+$/, "", text); return text }
	function port(text) { sub(/:$/, "", text); sub(/.*\./, "", text); return text }
	{
		for (i = 1; $i != ">"; i++)
			;
		from = address($(i - 1)) " " port($(i - 1)); to = address($(i + 1)) " " port($(i + 1))
		n = $(i + 5); sub(/,$/, "", n)
		if ($(i + 3) == "[S],") { first[from " " to] = n }
		else {
			print "numbers", from, to, n, first[to " " from]
			print "numbers", to, from, first[to " " from], n
		}
	}' | sort -u >"$T/wanted"
grep '^numbers .* [0-9]* [1-9][0-9]*$' "$T/fields.out" | sort -u >"$T/got"
same_files 'initial sequence numbers of the handshakes' "$T/wanted" "$T/got"

# A connection is active if the remote port is that of the listener. A listener is never active.
same 'tcps_active at both ends' '0 0 1 1' "$(awk '$1 == "active" { print ($2 == 5001), $3 }' "$T/fields.out" |
	sort -u | xargs)"
finish
