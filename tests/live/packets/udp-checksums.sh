# Linux checks the checksum of a datagram when the process reads it. Each datagram with a wrong
# checksum is dropped, and the counts of mib equal the kernel's.
. "$(dirname "$0")/../lib.bash"
need python3

pair one two 10.78.0
to=$(mac two vtwo)
cat >"$T/send.py" <<'END'
import socket
import struct
import sys

s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("vone", 0))
ethernet = bytes.fromhex(sys.argv[1].replace(":", "")) + b"\2\0\0\0\0\1\x08\0"


def checksum(data):
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack(">H", ~total & 0xffff)


for i in range(15):
    for size in (10, 1000):
        for wrong in (0x1234, 0):  # 0: the sender computed no checksum
            head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + size, 1, 0, 64, 17, 0, bytes((10, 78, 0, 1)),
                               bytes((10, 78, 0, 2)))
            s.send(ethernet + head[:10] + checksum(head) + head[12:] + struct.pack(">HHHH", 5, 7700, 8 + size, wrong)
                   + bytes(size))
END
cat >"$T/read.py" <<'END'
import socket

open("/proc/self/comm", "w").write("sum-reader")
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
s.bind(("10.78.0.2", 7700))
print("listening", flush=True)
s.recv(3000, socket.MSG_PEEK)
for i in range(30):
    s.recv(3000)
s.settimeout(0.5)
try:
    s.recv(3000)
except TimeoutError:
    print("read", flush=True)
END
background reader two python3 "$T/read.py" || finish
# Before Linux 6.3 the probe fires when the socket receives a datagram, in any process.
reader=
since 6.3 && reader='/execname == "sum-reader"/'
dt_start sums -x footer -n "mib:::udpInDatagrams $reader"' { @[probename] = sum(args[0]); }
	udp:::drop /args[4]->udp_dport == 7700/ { @[args[5]->drop_reason] = sum(1); }
	udp:::receive /args[4]->udp_dport == 7700/ { @["received"] = sum(1); }
	END { printa("%s %@d\n", @); }' || finish
snmp two >"$T/two.from"
in_ns one python3 "$T/send.py" "$to" || fail 'the datagrams were not sent'
same 'the reader has read all good datagrams' read "$(served reader)"
snmp two >"$T/two.to"
dt_stop sums
lossless sums
same 'the kernel counts each wrong checksum' 30 "$(delta two Udp:InCsumErrors)"
want=$(delta two Udp:InDatagrams)
since 6.3 || want=$(sed -n 's/^received //p' "$T/sums.out")
same udpInDatagrams "${want:-no datagram}" "$(sed -n 's/^udpInDatagrams //p' "$T/sums.out")"
if since 6.18; then # Linux 6.12 gives no reason for drops by the reader
	same 'datagrams are dropped because of the checksum' "$(delta two Udp:InCsumErrors)" "$(sed -n 's/^UDP_CSUM //p' "$T/sums.out")"
fi
finish
