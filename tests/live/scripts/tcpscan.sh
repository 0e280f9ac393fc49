# tcpscan: ACKs without a connection, with and without FIN, and datagrams to closed ports.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

pair c s 10.188.0 fd88
dt_start scan -x netns=s -x addr=10.188.0.0/24,fd88::/64 -s scripts/tcpscan.d || finish
in_ns c timeout 120 python3 -c '
import socket, struct
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
ends = socket.inet_aton("10.188.0.1") + socket.inet_aton("10.188.0.2")
for port, flags, times in (7821, 0x10, 2), (7822, 0x11, 1):
    for i in range(times):
        seg = struct.pack(">HHIIBBHHH", 20000, port, 1000, 1, 5 << 4, flags, 1024, 0, 0)
        n = sum(struct.unpack(">6H", ends + struct.pack(">HH", 6, 20))) + sum(struct.unpack(">10H", seg))
        n = (n & 0xffff) + (n >> 16)
        n = ~((n & 0xffff) + (n >> 16)) & 0xffff
        seg = seg[:16] + struct.pack(">H", n) + seg[18:]
        s.sendto(struct.pack(">BBHHHBBH", 0x45, 0, 40, 0, 0, 64, 6, 0) + ends + seg, ("10.188.0.2", 0))
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("10.188.0.2", 7823))
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("fd88::2", 7824))
'
sleep 0.5
dt_stop scan
same 'each scanned port, and how it was scanned' 'ack 1 10.188.0.1 7822|ack 2 10.188.0.1 7821|udp 1 10.188.0.1 7823|udp 1 fd88::1 7824|' \
	"$(awk 'NF == 4 && /^(ack|udp)/' "$T/scan.out" | sed 's/  */ /g' | sort | tr '\n' '|')"
same 'each scanning host, with its attempts and ports' 'ack 3 7821-7822 10.188.0.1|udp 1 7823-7823 10.188.0.1|udp 1 7824-7824 fd88::1|' \
	"$(awk 'NF == 6 && /^(ack|udp)/ { print $1, $2, $3, $6 }' "$T/scan.out" | sort | tr '\n' '|')"
finish
