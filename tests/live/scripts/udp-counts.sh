#!/bin/bash
# The datagrams and bytes that udpstat, udptop and udpsnoop count as received are those that sockets
# took, as the kernel counts them in InDatagrams. Sockets refuse some of the datagrams: their buffer
# is full, or their filter rejects them. At udp:::drop, such datagrams have the socket.
. "$(dirname "$0")/../lib.bash"
need python3
scripts=$(realpath "$LIVE/../../scripts")

pair c s 10.194.0 fd94
cat >"$T/receive.py" <<'END'
import ctypes
import os
import socket
import struct
import sys
import time

# receive.py VERSION PORT KIND END: receives until file END exists and no datagram comes, and prints how
# many bytes it has read
version, port, kind, end = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
ctypes.CDLL(None).prctl(15, ("u-%s%s" % (kind, version)).encode(), 0, 0, 0)
s = socket.socket(socket.AF_INET if version == "4" else socket.AF_INET6, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
if kind in ("reject", "cut"):  # a filter that accepts nothing, or only the first 100 bytes
    code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0 if kind == "reject" else 100))
    s.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", 1, ctypes.addressof(code)))
if kind == "full":
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
if kind == "gro":
    s.setsockopt(17, 104, 1)  # UDP_GRO
group = kind.startswith("group")
s.bind((("239.9.9.9" if group else "10.194.0.2") if version == "4" else "ff15::9:9" if group else "fd94::2", port))
device = socket.if_nametoindex("vs")
if group and version == "4":
    s.setsockopt(0, 35, struct.pack("4s4si", socket.inet_aton("239.9.9.9"), bytes(4), device))
elif group:
    s.setsockopt(41, 20, socket.inet_pton(socket.AF_INET6, "ff15::9:9") + struct.pack("i", device))
print("listening", flush=True)
if kind == "full":
    s.recv(1, socket.MSG_PEEK)  # looks at a datagram, but takes none before all have come
    while not os.path.exists(end):
        time.sleep(0.1)
s.settimeout(0.2)
n = 0
while True:
    try:
        n += len(s.recv(65536))
    except TimeoutError:
        if os.path.exists(end):
            break
print("read", n, flush=True)
END
cat >"$T/send.py" <<'END'
import socket
import struct

for family, to, group in (socket.AF_INET, "10.194.0.2", "239.9.9.9"), (socket.AF_INET6, "fd94::2", "ff15::9:9"):
    s = socket.socket(family, socket.SOCK_DGRAM)
    for i in range(50):
        for port in range(7941, 7945):
            s.sendto(b"u" * 700, (to, port))
        s.sendto(b"", (to, 7941))
        s.sendto(b"u" * 700, (to, 7949))  # no socket
    for i in range(3):
        s.sendto(b"u" * 5000, (to, 7941))  # fragments
    s.sendmsg([b"u" * 5000], [(17, 103, struct.pack("H", 500))], 0, (to, 7945))  # UDP_SEGMENT, and UDP_GRO
    s.sendmsg([b"u" * 5000], [(17, 103, struct.pack("H", 500))], 0, (to, 7941))  # UDP_SEGMENT alone
    if family == socket.AF_INET:
        s.setsockopt(0, 32, struct.pack("4s4si", bytes(4), bytes(4), socket.if_nametoindex("vc")))
    else:
        s.setsockopt(41, 17, socket.if_nametoindex("vc"))
    for i in range(10):
        s.sendto(b"u" * 300, (group, 7946))
    # A wrong checksum, which the kernel finds before the filter of the socket, or when a process reads.
    raw = socket.socket(family, socket.SOCK_RAW, 17)
    for i in range(5):
        raw.sendto(struct.pack(">HHHH", 6000, 7944, 708, 0x1234) + b"u" * 700, (to, 0))
END
unlimited s
for v in 4 6; do
	port=7941
	for kind in plain reject full cut gro group1 group2; do
		background $kind$v s python3 "$T/receive.py" $v $port $kind "$T/end" || finish
		[ $kind = group1 ] || port=$((port + 1))
	done
done
ports=7941,7942,7943,7944,7945,7946,7949
dt_start probes -x footer -x port=$ports -n '
	udp:::receive { @received[args[2]->ip_ver] = sum(1); }
	udp:::drop /args[1]->cs_addr != 0/ { @received[args[2]->ip_ver] = sum(-1); @refused[args[2]->ip_ver, args[5]->drop_reason] = count();
		@owner[args[1]->cs_execname] = count(); }
	udp:::drop /args[1]->cs_addr == 0/ { @other[args[2]->ip_ver, args[5]->drop_reason] = count(); }
	END { printa("received %d %@d\n", @received); printa("refused %d %s %@d\n", @refused); printa("owner %s %@d\n", @owner);
		printa("other %d %s %@d\n", @other); }'
for script in udpstat udpsnoop health; do
	dt_start $script -x footer -x port=$ports -s "$scripts/$script.d"
done
dt_start udptop -x footer -x port=$ports -s "$scripts/udptop.d" 100
settled c s
snmp s >"$T/s.from"
in_ns c python3 "$T/send.py" || fail 'the sender failed'
settled c s
touch "$T/end"
for v in 4 6; do
	for kind in plain reject full cut gro group1 group2; do served $kind$v >/dev/null; done
done
settled c s
snmp s >"$T/s.to"
for run in probes udpstat udptop udpsnoop health; do
	dt_stop $run
	lossless $run
done

for v in 4 6; do
	six=
	[ $v = 4 ] || six=Ip6:Udp6
	got=$(delta s ${six:-Udp:}InDatagrams)
	full=$(delta s ${six:-Udp:}RcvbufErrors)
	same "IPv$v: the kernel counts datagrams, and refused ones" '1 1' "$((got > 100)) $((full > 10))"
	same "IPv$v: udp:::receive minus udp:::drop with a socket" "$got" "$(sed -n "s/^received $v //p" "$T/probes.out")"
	same "IPv$v: datagrams that a socket refuses" "SOCKET_FILTER 50 SOCKET_RCVBUFF $full" "$(sed -n "s/^refused $v //p" "$T/probes.out" | sort | xargs)"
	same "IPv$v: the owners of these sockets" "u-full$v $full u-reject$v 50" "$(sed -n "s/^owner \\(u-[a-z]*$v\\) /\\1 /p" "$T/probes.out" | sort | xargs)"
	same "IPv$v: other drops have no socket" 'NO_SOCKET 50 UDP_CSUM 5' "$(sed -n "s/^other $v //p" "$T/probes.out" | sort | xargs)"
	same "IPv$v: udpstat" "$got" "$(awk -v at=$((v == 4 ? 4 : 8)) '/^[0-9][0-9]:/ { n += $at } END { print n }' "$T/udpstat.out")"
	for kind in plain reject full gro group1 group2; do
		same "IPv$v: udptop has the bytes that $kind reads" "$(sed -n 's/^read //p' "$T/$kind$v.srv")" \
			"$(tr '\n' ' ' <"$T/udptop.out" | grep -oE "u-$kind$v +-?[0-9]+ +[^ ]+ +[0-9]+ +<-" | awk '{ n += $2 } END { print n + 0 }')"
	done
done
same 'udpsnoop: lines of received datagrams minus lines of refused ones' "$(delta s Udp:InDatagrams Ip6:Udp6InDatagrams)" \
	$(($(grep -cE '^[0-9]+ .* <-' "$T/udpsnoop.out") - $(grep -cE '^[0-9]+ .* x-' "$T/udpsnoop.out")))
full=$(delta s Udp:RcvbufErrors Ip6:Udp6RcvbufErrors)
same 'health: datagrams dropped because a socket is full, and datagrams that reached sockets' \
	"$full $(($(delta s Udp:InDatagrams Ip6:Udp6InDatagrams) + full + 100))" \
	"$(sed -n 's/^UDP datagrams dropped, socket full  *udpdrop  *//p' "$T/health.out" | xargs)"
finish
