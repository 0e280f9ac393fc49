#!/bin/bash
# tcp:::drop, udp:::drop and ip:::drop show dropped packets with their source and destination ports,
# but not the copies that packet sockets and raw sockets held.
. "$(dirname "$0")/../lib.bash"
need python3

ns one two
veth one v1 two v2
addr one v1 10.79.0.1/24 fd79::1/64
addr two v2 10.79.0.2/24 fd79::2/64
unlimited one two
# Shortens the time until the kernel gives up an unreachable host.
for n in ipv4 ipv6; do
	in_ns one sh -c "cd /proc/sys/net/$n/neigh/v1; echo 100 >retrans_time_ms; echo 1 >mcast_solicit"
done

cat >"$T/echo.py" <<'END'
import os
import socket
import threading


def stream(s):
    while True:
        c = s.accept()[0]
        while True:
            data = c.recv(1000)
            if not data:
                break
            c.sendall(data)
        c.close()


def datagrams(s):
    while True:
        s.sendto(*s.recvfrom(2000))


for address in ("10.79.0.2", "fd79::2"):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for kind, serve in ((socket.SOCK_STREAM, stream), (socket.SOCK_DGRAM, datagrams)):
        s = socket.socket(family, kind)
        s.bind((address, 7900))
        if kind == socket.SOCK_STREAM:
            s.listen()
        threading.Thread(target=serve, args=(s,)).start()
os.write(1, b"listening\n")
END
background echo two python3 "$T/echo.py" || finish

OURS='
inline int ours = args[2]->ip_saddr == "10.79.0.1" || args[2]->ip_saddr == "10.79.0.2" ||
	args[2]->ip_saddr == "fd79::1" || args[2]->ip_saddr == "fd79::2";'
PROGRAM=$OURS'
tcp:::drop /ours/ { printf("tcp %d %d %s\n", args[4]->tcp_sport, args[4]->tcp_dport, args[5]->drop_reason); }
udp:::drop /ours/ { printf("udp %d %d %s\n", args[4]->udp_sport, args[4]->udp_dport, args[5]->drop_reason); }
ip:::drop /ours/ { @[args[6]->drop_reason] = count(); }
END { printa("ip %s %@d\n", @); }'

# On a slow machine, the kernel also drops retransmitted or reordered segments, for one of these
# reasons.
LATE='TCP_(OLD_|INVALID_SEQUENCE|RFC7323_PAWS)'
# A raw socket has copies of packets, and drops copies when its buffer is full. If the kernel does
# not report the socket of a drop, dtrace shows these drops too, and the test ignores them.
unnamed=
"$DTRACE" -e -n 'rawtp:::kfree_skb { trace(args[3]); }' >/dev/null 2>&1 || unnamed='|SOCKET_RCVBUFF'

for taps in 0 2; do
	dt_start taps$taps -x footer -n "$PROGRAM" || finish
	in_ns one "$LIVE/helpers/drops" $taps 10.79.0.2 fd79::2 10.79.0.9 fd79::9 >"$T/facts$taps" 2>&1 ||
		fail "$(cat "$T/facts$taps")"
	dt_stop taps$taps
	lossless taps$taps
	sort -u "$T/facts$taps" >"$T/want"
	[ $taps = 0 ] && others=$LATE || others=$LATE$unnamed
	grep -vE "$others" "$T/taps$taps.out" >"$T/drops"
	grep -E '^(tcp|udp)' "$T/drops" | cut -d' ' -f1-3 | sort -u >"$T/got"
	same_files "drops of TCP and UDP with $taps packet sockets and raw sockets" "$T/want" "$T/got"
	grep '^ip ' "$T/drops" | sort >"$T/ip$taps"
done
same_files 'drops of IP are the same with and without packet sockets and raw sockets' "$T/ip0" "$T/ip2"
finish
