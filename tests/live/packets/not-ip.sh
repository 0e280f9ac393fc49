# ARP frames, and frames too short for an IP header, do not count as packets with unreadable
# headers.
. "$(dirname "$0")/../lib.bash"
need ping python3

pair one two 10.78.0 fd78
to=$(mac two vtwo)
counters='mib:::ipInReceives, mib:::ip6InReceives, mib:::icmpInMsgs, mib:::icmp6InMsgs'
dt_start arp -x strict -x footer -n "$counters, ip:::receive"' { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' || finish
for i in 1 2 3 4 5; do
	in_ns one ip neigh flush dev vone
	in_ns one ping -q -c 1 10.78.0.2 >/dev/null || fail "no answer to ping $i"
done
# Sizes after the Ethernet header: 1 and 19 bytes are shorter than any IP header, and the others are
# shorter than an IPv6 header.
in_ns one python3 - "$to" <<'END'
import socket
import sys

s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("vone", 0))
mac = bytes.fromhex(sys.argv[1].replace(":", ""))
for size in (1, 19, 20, 28, 39):
    for kind in (0x0800, 0x86dd):
        first = b"\x60" if kind == 0x86dd or size < 20 else b"\x65"
        s.send(mac + b"\2\0\0\0\0\1" + kind.to_bytes(2, "big") + first + bytes(size - 1))
END
dt_stop arp
same 'exit status with -x strict is 0' 0 "$?"
lossless arp
# Other namespaces may get messages too.
messages=$(sed -n 's/^icmpInMsgs //p' "$T/arp.out")
[ "${messages:-0}" -ge 10 ] && echo 'ok: ICMP messages' || fail "only ${messages:-no} ICMP messages of 10"
finish
