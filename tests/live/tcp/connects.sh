# Four threads make 20,000 connections over the loopback device, beside a flood of datagrams. For
# each connection, connect-request, connect-established and accept-established fire once, with the
# headers of its handshake. The probes count as many segments as TCP.
. "$(dirname "$0")/../lib.bash"
helper storm

ns one
CONNECTS=20000

# Some segments have no socket that shows the namespace, so `mine` compares the namespace of the
# packet's device.
segments='
inline struct sk_buff *skb = (struct sk_buff *)args[0]->pkt_addr;
inline struct skb_shared_info *shared = (struct skb_shared_info *)(skb->head + skb->end);
inline int mine = skb->dev->nd_net.net->ns.inum == '$(inum one)';
tcp:::send / mine / {
	@["sent"] = count();
	@seg = sum(shared->gso_segs > 1 ? shared->gso_segs : 1);
}
tcp:::receive / mine / { @["received"] = count(); }
tcp:::retransmit / args[0]->pkt_addr != NULL && mine / { @["again"] = count(); }
tcp:::retransmit / args[0]->pkt_addr == NULL && args[3]->tcps_lport >= 5000 && args[3]->tcps_lport < 5004 / {
	@["answers again"] = count();
}
END { printa("%s %@d\n", @); printa("segments %@d\n", @seg); }'

handshakes='
tcp:::connect-request / args[4]->tcp_dport >= 5000 && args[4]->tcp_dport < 5004 / {
	printf("request %s %d %s %d %d %u %u %d\n", args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags, args[4]->tcp_seq,
	    args[4]->tcp_ack, args[3]->tcps_state == TCP_STATE_SYN_SENT);
}
tcp:::connect-established / args[4]->tcp_sport >= 5000 && args[4]->tcp_sport < 5004 / {
	printf("connected %s %d %s %d %d %u %u %d\n", args[2]->ip_daddr, args[4]->tcp_dport,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[4]->tcp_flags, args[4]->tcp_seq,
	    args[4]->tcp_ack, args[3]->tcps_state == TCP_STATE_ESTABLISHED);
}
tcp:::accept-established / args[4]->tcp_dport >= 5000 && args[4]->tcp_dport < 5004 / {
	printf("accepted %s %d %s %d %d %u %u %d\n", args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags, args[4]->tcp_seq,
	    args[4]->tcp_ack, args[3]->tcps_state == TCP_STATE_ESTABLISHED);
}'

settled one
snmp one >"$T/one.from"
dt_start storm -x footer -b 32m -n "$handshakes" -n "$segments" || exit 1
in_ns one "$T/storm" connect $CONNECTS 5000 >"$T/connections" || fail 'the traffic failed'
settled one
dt_stop storm
snmp one >"$T/one.to"
lossless storm

for what in request connected accepted; do
	same "$what" "$CONNECTS" "$(grep -c "^$what " "$T/storm.out")"
done
# Ports are reused, so a connection is identified by addresses, ports and the sequence number N of
# its SYN. The SYN+ACK acknowledges N + 1, and the last ACK of the handshake has the number N + 1.
awk '
	function next_to(n) { return sprintf("%.0f", (n + 1) % 4294967296) }
	{ key = $2 " " $3 " " $5 " " ($1 == "request" ? next_to($7) : $1 == "connected" ? $8 : $7) }
	/^(request|connected|accepted) / {
		if (($1, key) in seen || $2 != $4 || $9 != 1)
			print "bad:", $0
		seen[$1, key] = 1
	}
	$1 == "request" { wanted[key]; if ($6 != 2 || $8 != 0) print "bad:", $0 }
	$1 == "connected" { irs[key] = $7; if ($6 != 18) print "bad:", $0 }
	$1 == "accepted" { ack[key] = $8; if ($6 != 16) print "bad:", $0 }
	END {
		for (key in wanted) {
			if (!(key in irs) || ack[key] != next_to(irs[key])) {
				print "numbers:", key, irs[key], ack[key]
			} else {
				sub(/ [0-9]*$/, "", key)
				print key
			}
		}
	}' "$T/storm.out" | sort >"$T/got"
sort "$T/connections" >"$T/wanted"
same_files 'each connection with the headers of its handshake' "$T/wanted" "$T/got"

# A retransmitted SYN+ACK counts as sent and as retransmitted.
number() {
	awk -v what="$1" '
		{ n = $NF; sub(/ [0-9]*$/, "") }
		$0 == what { sum = n }
		END { print sum + 0 }' "$T/storm.out"
}
again=$(delta one Tcp:RetransSegs)
same 'TCP segments received' "$(delta one Tcp:InSegs)" "$(number received)"
same 'TCP segments sent' "$(($(delta one Tcp:OutSegs) + again - $(number 'answers again')))" \
	"$(number segments)"
same 'as many segments are sent as are received' "$(number sent)" "$(number received)"
same 'retransmitted segments' "$again" "$(($(number again) + $(number 'answers again')))"
finish
