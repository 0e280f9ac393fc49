# Packets within one host, over the loopback device: each is sent once and received once, with or
# without a socket, IPv4 and IPv6, small and segmented.
. "$(dirname "$0")/../lib.bash"
need tcpdump ping
helper traffic

SPACES=one
CAPTURE=one
ns one
unlimited one
run() {
	in_ns one "$T/traffic" "$@"
}

check() {
	check_counters "$1" one
	same "$1: captured in" "$(sniffed one in)" "$(counted "$1" receive one)"
	same "$1: all on lo" "$(counted "$1" receive one)" "$(counted "$1" receive one lo)"
}

small() {
	in_ns one ping -qc 20 -i 0.01 127.0.0.1 && in_ns one ping -qc 20 -i 0.01 ::1 &&
		run udp 127.0.0.2 9 100 50 && run udp ::1 9 100 50 # no listener: ICMP errors come back
}
measure small small && check small
same 'small packets: IPv4 packets that are sent' 140 "$(counted small send one '*' 4)"

# 200 sends of 8 * 500 bytes: each is one packet until it reaches the socket of the receiver
segmented() {
	local a
	for a in 127.0.0.1 ::1; do
		background "sink$a" one "$T/traffic" sink "$a" 7000 || return 1
		run udp "$a" 7000 4000 200 500 || return 1
	done
}
measure segmented segmented && check segmented
same 'UDP segmentation: IPv4 sent' 200 "$(counted segmented send one '*' 4)"
same 'UDP segmentation: IPv6 received' 200 "$(counted segmented receive one '*' 6)"

# TCP makes packets of two segments of 64 KB each, which exceed even the limit of this device. IP
# sends such a packet as one and receives it as two.
MORE="
inline struct sk_buff *skb = (struct sk_buff *)args[0]->pkt_addr;
inline struct skb_shared_info *shared = (struct skb_shared_info *)(skb->head + skb->end);
ip:::send /args[3]->if_ipstack == $(inum one)/ {
	@seg = sum(skb->len + 14 > 65550 ? shared->gso_segs : 1);
}
END { printa(\"segments %@d\n\", @seg); }"
stream() {
	local a
	for a in 127.0.0.1 ::1; do
		background srv one "$T/traffic" serve "$a" 5001 || return 1
		run tcp "$a" 5001 50000000 || return 1
		background srv one "$T/traffic" echo "$a" 5002 || return 1
		run ping "$a" 5002 300 || return 1
	done
}
measure stream stream && check stream
same 'large segments: IP sends one packet where it receives two' "$(counted stream receive one)" \
	"$(sed -n 's/^segments //p' "$T/stream.out")"
MORE=

# Segments that TCP sends for no socket, for a closing one, and for a listener.
odd() {
	local a i
	for a in 127.0.0.1 ::1; do
		for ((i = 0; i < 5; i++)); do run tcp "$a" 81 1; done
		run stray "$a" 6000 5 || return 1
		run twice "$a" 6001 || return 1
	done
}
measure odd odd && check odd
# For each IP version: resets for 5 refused connections and for 5 stray segments, and one for the
# ACK from TIME_WAIT, whose other end is gone.
same 'segments without an established socket: resets' 22 "$(tcpdump -nr "$T/one.pcap" \
	'inbound and (tcp[13] & 4 != 0 or ip6[53] & 4 != 0)' 2>/dev/null | wc -l)"
same 'segments without an established socket: answers from TIME_WAIT' 2 "$(tcpdump -nr "$T/one.pcap" 'inbound and tcp' 2>/dev/null |
	grep -A1 'Flags \[F\.\].*win 1000,' | grep -c 'Flags \[\.\]')"

finish
