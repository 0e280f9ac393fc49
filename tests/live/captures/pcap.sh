# pcap() writes live packets to a file. tshark reads the file, and finds the packets that were sent.
. "$(dirname "$0")/../lib.bash"
need tshark python3

cat >"$T/talk.py" <<'END'
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('127.0.0.1', 5001))
for n in (1, 40, 600, 1400):
    s.sendto(bytes([n % 251]) * n, ('127.0.0.1', 5002))
END
for n in 1 40 600 1400; do
	printf '127.0.0.1\t127.0.0.1\t5001\t5002\t%d\n' $((n + 8))
done >"$T/want"
seen() { tshark -n -r "$1" -Y "udp.dstport == 5002 and not icmp" -T fields -e ip.src -e ip.dst -e udp.srcport -e udp.dstport -e udp.length 2>/dev/null; }

timeout 300 "$DTRACE" -qwc "python3 $T/talk.py" -n 'BEGIN { freopen("%s", $$1); }
	udp:::send /args[4]->udp_dport == 5002/ { pcap((void *)arg0, PCAP_IP); }' "$T/udp.pcap" >/dev/null
seen "$T/udp.pcap" >"$T/got"
same_files 'udp:::send' "$T/want" "$T/got"
timeout 300 "$DTRACE" -qwc "python3 $T/talk.py" -n 'BEGIN { freopen("%s", $$1); }
	ip:::send /args[4]->ipv4_protocol == IPPROTO_UDP/ { pcap((void *)arg0, PCAP_IP); }' "$T/ip.pcap" >/dev/null
seen "$T/ip.pcap" >"$T/got"
same_files 'ip:::send' "$T/want" "$T/got"
# The file includes the link-layer header. On the loopback device, this header is twelve zero bytes
# and a type.
timeout 300 "$DTRACE" -qwc "python3 $T/talk.py" -n 'BEGIN { freopen("%s", $$1); }
	rawtp:::net_dev_start_xmit { pcap(args[0], PCAP_ETHER); }' "$T/ether.pcap" >/dev/null
seen "$T/ether.pcap" >"$T/got"
same_files 'net_dev_start_xmit' "$T/want" "$T/got"
same 'the frames have the device'\''s link-layer header' '00:00:00:00:00:00' "$(tshark -n -r "$T/ether.pcap" -Y 'udp.dstport == 5002 and not icmp' -T fields -e eth.dst 2>/dev/null | sort -u)"
# Times are wall-clock times.
age=$(($(date +%s) - $(tshark -n -r "$T/ether.pcap" -T fields -e frame.time_epoch 2>/dev/null | head -n 1 | cut -d. -f1)))
[ "$age" -ge 0 ] && [ "$age" -lt 60 ] && echo 'ok: now' || fail "$age seconds old"
finish
