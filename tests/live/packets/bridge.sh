# A bridge: frames that are only switched fire no ip probe. Packets that the bridge receives, sends
# and routes count once, on the bridge and not on its ports.
. "$(dirname "$0")/../lib.bash"
need tcpdump ping
helper traffic

SPACES='host1 host2 switch far'
CAPTURE='host1 host2 far'
ns host1 host2 switch far
ip -n switch link add br0 type bridge forward_delay 0 mcast_snooping 0 2>/dev/null ||
	skip 'no bridges in this kernel'
veth host1 e0 switch p1
veth host2 e0 switch p2
veth switch up0 far e0
for p in p1 p2; do ip -n switch link set "$p" master br0; done
ip -n switch link set br0 up
addr host1 e0 10.8.1.1/24 fd08:1::1/64
addr host2 e0 10.8.1.2/24 fd08:1::2/64
addr switch br0 10.8.1.254/24 fd08:1::fe/64
addr switch up0 10.8.2.254/24 fd08:2::fe/64
addr far e0 10.8.2.1/24 fd08:2::1/64
in_ns switch sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
	echo 0 >/proc/sys/net/ipv4/conf/all/send_redirects; echo 0 >/proc/sys/net/ipv4/conf/br0/send_redirects'
for n in host1 host2; do
	ip -n "$n" route add default via 10.8.1.254
	ip -n "$n" route add default via fd08:1::fe
done
ip -n far route add default via 10.8.2.254
ip -n far route add default via fd08:2::fe
unlimited $SPACES

# Fills the tables of the bridge and the neighbour caches.
greet() {
	in_ns host1 ping -qc 2 -i 0.01 "$1" >/dev/null || fail "cannot reach $1"
}
for a in 10.8.1.2 fd08:1::2 10.8.1.254 fd08:1::fe 10.8.2.1 fd08:2::1; do greet $a; done
in_ns host2 ping -qc 2 -i 0.01 10.8.2.1 >/dev/null

check() {
	local p
	check_counters "$1" $SPACES
	check_capture "$1" $CAPTURE
	for p in p1 p2; do
		same "$1: received on port $p" 0 "$(counted "$1" receive switch "$p")"
		same "$1: sent on port $p" 0 "$(counted "$1" send switch "$p")"
	done
}

switched() {
	in_ns host1 ping -qc 30 -i 0.01 10.8.1.2 && in_ns host2 ping -qc 30 -i 0.01 fd08:1::1 &&
		background sink host2 "$T/traffic" sink 10.8.1.2 7000 &&
		in_ns host1 "$T/traffic" udp 10.8.1.2 7000 1400 100
}
measure switched switched && check switched
same 'frames that are only switched: the bridge receives no IPv4 packet' 0 "$(counted switched receive switch '*' 4)"
same 'frames that are only switched: IPv4 packets that host2 receives' 130 "$(counted switched receive host2 '*' 4)"

# Packets to and from the bridge's own addresses: pings, and data for closed ports.
own() {
	in_ns host1 ping -qc 30 -i 0.01 10.8.1.254 && in_ns switch ping -qc 30 -i 0.01 fd08:1::2
	in_ns host1 "$T/traffic" udp fd08:1::fe 9 100 20
	in_ns host2 "$T/traffic" tcp 10.8.1.254 81 1
	in_ns host2 "$T/traffic" tcp fd08:1::fe 81 1
	return 0
}
measure own own && check own

# Packets that are routed from the bridge to another network and back.
routed() {
	local a
	for a in 10.8.2.1 fd08:2::1; do
		in_ns host1 ping -qc 20 -i 0.01 "$a" || return 1
		background srv far "$T/traffic" serve "$a" 5001 || return 1
		in_ns host2 "$T/traffic" tcp "$a" 5001 10000000 || return 1
	done
}
measure routed routed && check routed
finish
