# The test sends packets whose headers claim impossible lengths. Live, IP accepts the same packets as
# the kernel and as a replay of these packets, and no member with a length is negative or wraps around.
. "$(dirname "$0")/../lib.bash"
need python3

pair one two 192.0.2 2001:db8
to=$(mac two vtwo)
# Writes the IP packets of the scene that are not cut to a file, and sends them.
cat >"$T/send.py" <<'END'
import socket
import struct
import sys

data = open("tests/pcap/impossible.pcap", "rb").read()
frames, at = [], 24
while at < len(data):
    cap, wire = struct.unpack_from("<II", data, at + 8)
    frame = data[at + 16:at + 16 + cap]
    # the kernel has no IP behind LLC and PPPoE here, and treats 14 bytes as too short
    if cap == wire and cap > 14 and frame[12:14] in (b"\x08\0", b"\x86\xdd"):
        frames.append(bytes.fromhex(sys.argv[1].replace(":", "")) + frame[6:])
    at += 16 + cap
with open(sys.argv[2], "wb") as f:
    f.write(data[:24])
    for frame in frames:
        f.write(struct.pack("<IIII", 1700000000, 0, len(frame), len(frame)) + frame)
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("vone", 0))
for frame in frames:
    s.send(frame)
# Raw sockets send packets with their own headers, too, from other addresses.
four = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
six = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)
icmp = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
for frame in frames:
    try:
        if frame[12:14] == b"\x08\0":
            four.sendto(frame[14:26] + socket.inet_aton("192.0.2.9") + frame[30:], ("192.0.2.2", 0))
        else:
            six.sendto(frame[14:22] + socket.inet_pton(socket.AF_INET6, "2001:db8::9") + frame[38:], ("2001:db8::2", 0))
    except OSError:
        pass  # the kernel refuses some of them
icmp.sendto(b"\x0d\0\0", ("192.0.2.2", 0))
END
members='@most["ip_plength"] = max((int64_t)args[2]->ip_plength); @least["ip_plength"] = min((int64_t)args[2]->ip_plength);'
dt_start live -x footer -n "
	net:::rx, net:::queue, net:::drop, ip:::send, ip:::drop, ip:::receive, icmp:::receive, icmp:::send,
	tcp:::drop, udp:::drop, tcp:::receive, udp:::receive, tcp:::send, udp:::send { $members }"'
	net:::rx, net:::queue, net:::drop {
		@most["net_data"] = max((int64_t)args[4]->net_data); @least["net_data"] = min((int64_t)args[4]->net_data);
	}
	tcp:::drop, tcp:::receive, tcp:::send {
		@most["tcp_plength"] = max(args[4]->tcp_plength); @least["tcp_plength"] = min(args[4]->tcp_plength);
		@most["tcp_offset"] = max(args[4]->tcp_offset); @least["tcp_offset"] = min(args[4]->tcp_offset);
	}
	udp:::receive, udp:::send {
		@most["udp_length"] = max(args[4]->udp_length); @least["udp_length"] = min(args[4]->udp_length);
	}
	/* the message of three bytes is not in the scene */
	ip:::receive /args[3]->if_ipstack == $1 && args[2]->ip_saddr == "192.0.2.1" && args[2]->ip_plength != 3/ {
		@n["IPv4"] = sum(1);
	}
	/* a neighbor solicitation has more bytes than the message of the scene */
	ip:::receive /args[3]->if_ipstack == $1 && args[2]->ip_saddr == "2001:db8::1" &&
	    (args[5]->ipv6_nexthdr != IPPROTO_ICMPV6 || args[2]->ip_plength < 8)/ { @n["IPv6"] = sum(1); }
	icmp:::receive /args[3]->if_ipstack == $1 && args[2]->ip_plength < 8/ { @n["ICMP"] = sum(1); }
	END { printa("least %s %@d\n", @least); printa("most %s %@d\n", @most); printa("n %s %@d\n", @n); }' "$(inum two)" || finish
in_ns one python3 "$T/send.py" "$to" "$T/sent.pcap" || fail 'the packets were not sent'
settled two
dt_stop live
lossless live
# Packets of other tests count, too. With segmentation offload they have up to 512 KB.
while read -r bound member value; do
	case $bound in
	least) [ "$value" -ge 0 ] && echo "ok: $member" || fail "$member is $value" ;;
	most) [ "$value" -le 600000 ] && echo "ok: $member" || fail "$member is $value" ;;
	esac
done <"$T/live.out"
seen() {
	sed -n "s/^n $1 //p" "$T/live.out"
}
"$DTRACE" -r "$T/sent.pcap" -qn 'ip:::receive { @[args[2]->ip_ver] = sum(1); } END { printa("%d %@d\n", @); }' \
	>"$T/replay.out" 2>/dev/null
for version in 4 6; do
	same "IPv$version packets that IP accepts, live and in replay" "$(sed -n "s/^$version //p" "$T/replay.out")" "$(seen IPv$version)"
done
icmp=$(seen ICMP)
same 'ICMP messages that are too short' 0 "${icmp:-0}"
finish
