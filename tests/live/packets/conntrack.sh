# pkt_ct_*: the number of packets in each state of connection tracking equals the counter of an nft
# rule in postrouting. The addresses before and after NAT are the addresses in the NAT rule.
. "$(dirname "$0")/../lib.bash"
need python3 nft

ns near gate far
veth near vnear gate vin
veth gate vout far vfar
addr near vnear 10.0.1.1/24
addr gate vin 10.0.1.2/24
addr gate vout 10.0.2.1/24
addr far vfar 10.0.2.2/24
in_ns gate sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
in_ns near ip route add default via 10.0.1.2
in_ns far ip route add default via 10.0.2.1
# The gate redirects packets for 10.0.1.2:80 to the server's port 7001, and drops datagrams for port
# 81. nft counts no packets outside of connections, such as ICMP errors about untracked packets.
in_ns gate nft -f - <<'END' || skip 'this kernel has no NAT'
table ip shop {
	chain pre {
		type nat hook prerouting priority dstnat;
		tcp dport 80 dnat to 10.0.2.2:7001
	}
	chain raw {
		type filter hook prerouting priority raw;
		udp dport 9 notrack
		udp dport 10 ct zone set 7
	}
	chain gate {
		type filter hook forward priority filter;
		udp dport 81 drop
	}
	chain count {
		type filter hook postrouting priority 500;
		ct state new counter
		ct state established counter
		ct state related counter
		ct state untracked counter
	}
}
END
cat >"$T/serve.py" <<'END'
import socket
l = socket.create_server(("10.0.2.2", 7001))
print("listening", flush=True)
for i in range(5):
    s = l.accept()[0]
    while s.recv(1 << 16):
        pass
    s.sendall(b"end")
    s.close()
END
cat >"$T/call.py" <<'END'
import socket
for i in range(5):
    s = socket.create_connection(("10.0.1.2", 80))
    s.sendall(b"x" * 3000)
    s.shutdown(socket.SHUT_WR)
    s.recv(10)
    s.close()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for port, n in ((9, 3), (10, 2), (81, 4)):
    for i in range(n):
        u.sendto(b"x", ("10.0.2.2", port))
END
dt_start ct -x footer -n '
ip:::send /args[3]->if_ipstack == '"$(inum gate)"' && args[2]->ip_ver == 4/ {
	@[args[0]->pkt_ct_state] = count();
}
ip:::send /args[3]->if_ipstack == '"$(inum gate)"' && args[0]->pkt_ct_orig_dport == 80/ {
	@tuple[args[0]->pkt_ct_reply, args[0]->pkt_ct_orig_saddr, args[0]->pkt_ct_orig_daddr,
	    args[0]->pkt_ct_reply_saddr, args[0]->pkt_ct_reply_sport, args[0]->pkt_ct_reply_daddr,
	    args[0]->pkt_ct_orig_sport == args[0]->pkt_ct_reply_dport] = count();
}
ip:::send /args[3]->if_ipstack == '"$(inum gate)"' && args[0]->pkt_ct_zone != 0/ {
	@zone[args[0]->pkt_ct_zone, args[0]->pkt_ct_orig_dport, args[0]->pkt_ct_state] = count();
}
ip:::drop /args[3]->if_ipstack == '"$(inum gate)"' && args[6]->drop_reason == "NETFILTER_DROP"/ {
	@drop[args[0]->pkt_ct_state, args[0]->pkt_ct_orig_daddr, args[0]->pkt_ct_orig_dport] = count();
}
END {
	printa("state %s %@d\n", @);
	printa("tuple %d %s %s %s %d %s %d\n", @tuple);
	printa("zone %d %d %s %@d\n", @zone);
	printa("drop %s %s %d %@d\n", @drop);
}' || finish
background server far timeout 60 python3 "$T/serve.py" || finish
in_ns near timeout 60 python3 "$T/call.py" || fail 'the traffic failed'
settled gate
dt_stop ct
lossless ct
in_ns gate nft list chain ip shop count |
	awk '$1 == "ct" && $6 { print "state", $3, $6 }' | sort >"$T/want"
grep '^state' "$T/ct.out" | grep -v ' none ' | sort >"$T/got"
same_files 'packets by state of connection tracking, as nft counts them' "$T/want" "$T/got"
cat >"$T/want" <<'END'
tuple 0 10.0.1.1 10.0.1.2 10.0.2.2 7001 10.0.1.1 1
tuple 1 10.0.1.1 10.0.1.2 10.0.2.2 7001 10.0.1.1 1
zone 7 10 new 2
drop new 10.0.2.2 81 4
END
grep -E '^(tuple|zone|drop)' "$T/ct.out" | sort -k 1,1r -k 2,2n >"$T/got"
sort -k 1,1r -k 2,2n -o "$T/want" "$T/want"
same_files 'addresses, zones and drops' "$T/want" "$T/got"
finish
