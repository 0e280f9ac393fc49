# Resets sent by a firewall have no socket; their ports come from the packet.
. "$(dirname "$0")/../lib.bash"
need python3 nft

pair c s 10.187.0 fd87
in_ns s nft -f - <<'END' || skip 'no firewall here'
table inet test {
	chain in {
		type filter hook input priority 0;
		tcp dport 7811 counter reject with tcp reset
	}
}
END
dt_start sent -x addr=10.187.0.0/24,fd87::/64 -qn 'tcp:::send /args[4]->tcp_flags & TH_RST/
	{ printf("%s:%d %s:%d %x %d\n", args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags, args[1]->cs_pid); }' || finish
in_ns c python3 -c '
import socket
for to, frm in ("10.187.0.2", "10.187.0.1"), ("fd87::2", "fd87::1"):
    s = socket.socket(socket.AF_INET6 if ":" in to else socket.AF_INET)
    s.bind((frm, 7812))
    print(s.connect_ex((to, 7811)))' >"$T/did"
sleep 0.3
dt_stop sent
same 'both connections are refused' '111 111' "$(xargs <"$T/did")"
same 'the reset over IPv4 has addresses, ports and no owner' '10.187.0.2:7811 10.187.0.1:7812 14 -1' "$(grep 10.187 "$T/sent.out" | xargs)"
same 'the reset over IPv6 has addresses, ports and no owner' 'fd87::2:7811 fd87::1:7812 14 -1' "$(grep fd87 "$T/sent.out" | xargs)"
same 'number of resets, as the firewall counts them' 2 "$(in_ns s nft list ruleset | sed -n 's/.*counter packets \([0-9]*\) .*/\1/p')"
finish
