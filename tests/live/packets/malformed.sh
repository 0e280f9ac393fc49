# The test sends packets with an invalid IP header. The mib provider counts as many as the kernel,
# and ip:::drop shows each packet.
. "$(dirname "$0")/../lib.bash"
need python3

pair one two 10.78.0 fd78
to=$(mac two vtwo)
cat >"$T/send.py" <<'END'
import socket
import struct
import sys

s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("vone", 0))
ethernet = bytes.fromhex(sys.argv[1].replace(":", "")) + b"\2\0\0\0\0\1"


def checksum(data):
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack(">H", ~total & 0xffff)


def ip4(version=4, ihl=5, length=None, payload=100, right=True):
    head = struct.pack(">BBHHHBBH4s4s", version << 4 | ihl, 0, 20 + payload if length is None else length, 1, 0, 64, 17,
                       0, bytes((10, 78, 0, 1)), bytes((10, 78, 0, 2)))
    head = head[:10] + (checksum(head) if right else b"\1\2") + head[12:]
    return head + struct.pack(">HHHH", 1, 9, payload, 0) + bytes(payload - 8)


def ip6(version=6, payload=100):
    return (struct.pack(">IHBB", version << 28, payload, 17, 64) + socket.inet_pton(socket.AF_INET6, "fd78::1")
            + socket.inet_pton(socket.AF_INET6, "fd78::2") + struct.pack(">HHHH", 1, 9, payload, 0) + bytes(payload - 8))


packets = {
    0x0800: [ip4(version=5), ip4(version=0), ip4(version=6), ip4(ihl=4), ip4(ihl=0), ip4(length=10), ip4(right=False),
             ip4()[:19], ip4()[:1], ip4()],
    0x86dd: [ip6(version=5), ip6(version=4), ip6()[:39], ip6()[:20], ip6()[:1], ip6()],
}
for kind, all in packets.items():
    for packet in all:
        for i in range(3):
            s.send(ethernet + kind.to_bytes(2, "big") + packet)
END
seen() {
	sed -n "s/^$1 //p" "$T/mib.out"
}
dt_start mib -x footer -n '
mib:::ipInReceives, mib:::ipInHdrErrors, mib:::ip6InReceives, mib:::ip6InHdrErrors { @[probename] = sum(args[0]); }
ip:::drop /args[2]->ip_ver == 0/ { @["without a header"] = sum(1); }
ip:::drop /args[2]->ip_saddr == "10.78.0.1"/ { @["with one of IPv4"] = sum(1); }
tcp:::drop, udp:::drop /args[2]->ip_ver == 0/ { @["segments without a header"] = sum(1); }
ip:::receive /args[3]->if_ipstack != $1 && args[3]->if_ipstack != $2 && args[2]->ip_ver == 4/ { @["elsewhere"] = sum(1); }
END { printa("%s %@d\n", @); }' "$(inum one)" "$(inum two)" || finish
settled two
snmp two >"$T/two.from"
in_ns one python3 "$T/send.py" "$to" || fail 'the packets were not sent'
settled two
snmp two >"$T/two.to"
dt_stop mib
lossless mib
same ipInHdrErrors "$(delta two Ip:InHdrErrors)" "$(seen ipInHdrErrors)"
same ip6InHdrErrors "$(delta two Ip6:Ip6InHdrErrors)" "$(seen ip6InHdrErrors)"
[ "$(delta two Ip:InHdrErrors)" -ge 24 ] || fail 'the kernel counts too few IPv4 packets with an invalid header'
[ "$(delta two Ip6:Ip6InHdrErrors)" -ge 12 ] || fail 'the kernel counts too few IPv6 packets with an invalid header'
# mib adds up all namespaces, so its counts include the replies at the other end, and packets of
# other processes.
one=$(snmp one | awk '$1 == "Ip:InReceives" { print $2 }')
elsewhere=$(seen elsewhere)
same ipInReceives "$(($(delta two Ip:InReceives) + one + ${elsewhere:-0}))" "$(seen ipInReceives)"
# Without a readable header: 5 of IPv4 (3 wrong versions, 2 truncated) and 5 of IPv6, 3 times each.
# After a wrong ihl, length or checksum the addresses are still readable: 4 packets, and a valid one
# for a closed port.
same 'drops of packets without a readable IP header' 30 "$(seen 'without a header')"
same 'drops of IPv4 packets with a readable header' 15 "$(seen 'with one of IPv4')"
[ -z "$(seen 'segments without a header')" ] || fail 'packets without an IP header are shown as segments or datagrams'
finish
