# A flow through three namespaces: each receives and sends every packet once, as many as its own
# counters and a capture of the same traffic show.
. "$(dirname "$0")/../lib.bash"
need tcpdump ping
helper traffic

SPACES='left mid right'
CAPTURE=$SPACES
ns left mid right
veth left l0 mid m0
veth mid m1 right r0
addr left l0 10.9.1.1/24 fd09:1::1/64
addr mid m0 10.9.1.2/24 fd09:1::2/64
addr mid m1 10.9.2.2/24 fd09:2::2/64
addr right r0 10.9.2.1/24 fd09:2::1/64
in_ns mid sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
ip -n left route add default via 10.9.1.2
ip -n left route add default via fd09:1::2
ip -n right route add default via 10.9.2.2
ip -n right route add default via fd09:2::2

unlimited $SPACES

# Fills the neighbour caches before anything is counted.
ping_both() {
	in_ns left ping -qc "$1" -i 0.01 10.9.2.1 && in_ns left ping -qc "$1" -i 0.01 fd09:2::1
}
ping_both 2 >/dev/null || fail 'the far host does not answer'

check() {
	check_counters "$1" $SPACES
	check_capture "$1" $SPACES
}

small() {
	ping_both 20 &&
		in_ns left "$T/traffic" udp 10.9.2.1 9 100 50 &&
		in_ns right "$T/traffic" udp fd09:1::1 9 1000 50
}
measure small small && check small

# Packets without a socket: refused connections, packets whose TTL or hop limit ends.
without_socket() {
	local i
	for ((i = 0; i < 5; i++)); do
		in_ns left "$T/traffic" tcp 10.9.2.1 81 1
		in_ns left "$T/traffic" tcp fd09:2::1 81 1
		in_ns right ping -qc 1 -t 1 10.9.1.1
		in_ns right ping -qc 1 -t 1 fd09:1::1
	done
	return 0
}
measure without-socket without_socket && check without-socket

# Connections from open to TIME_WAIT, with packets of up to 64 KB on the way.
bulk() {
	local a n
	for a in 10.9.2.1 fd09:2::1; do
		background srv right "$T/traffic" serve "$a" 5001 || return 1
		in_ns left "$T/traffic" tcp "$a" 5001 30000000 || return 1
		n=$(served srv)
		[ "$n" = 30000000 ] || { echo "$n bytes arrived"; return 1; }
	done
}
measure bulk bulk && check bulk
same 'bulk traffic: packets on the way are larger than the MTU' yes \
	"$(tcpdump -nr "$T/mid.pcap" 'ip[2:2] > 1500' 2>/dev/null | grep -q . && echo yes)"
finish
