# Fragments: a sending host sends a datagram once, before fragmentation. A router sends the
# fragments that it makes, and a receiver receives fragments. Copies: a sender also receives its own
# broadcasts and multicasts.
. "$(dirname "$0")/../lib.bash"
need tcpdump ping
helper traffic

SPACES='left mid right'
ns left mid right
veth left l0 mid m0 9000
veth mid m1 right r0 1500
addr left l0 10.7.1.1/24 fd07:1::1/64
addr mid m0 10.7.1.2/24 fd07:1::2/64
addr mid m1 10.7.2.2/24 fd07:2::2/64
addr right r0 10.7.2.1/24 fd07:2::1/64
in_ns mid sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
ip -n left route add default via 10.7.1.2
ip -n left route add default via fd07:1::2
ip -n right route add default via 10.7.2.2
ip -n right route add default via fd07:2::2
unlimited $SPACES
for a in 10.7.2.1 fd07:2::1; do
	# also discovers the path MTU of IPv6
	in_ns left ping -qc 3 -i 0.05 -s 4000 -M dont $a >/dev/null
	in_ns left ping -qc 2 -i 0.05 $a >/dev/null || fail 'the far host does not answer'
done

CAPTURE=$SPACES
# The replies have 8,000 bytes and come back in fragments of 1,500. Over IPv6 the sender fragments
# its requests, too. Then come datagrams of 60 KB.
pieces() {
	in_ns left ping -qc 10 -i 0.01 -s 8000 -M dont 10.7.2.1 &&
		in_ns left ping -qc 10 -i 0.01 -s 8000 fd07:2::1 &&
		background sink4 left "$T/traffic" sink 10.7.1.1 7000 &&
		background sink6 left "$T/traffic" sink fd07:1::1 7000 &&
		in_ns right "$T/traffic" udp 10.7.1.1 7000 60000 5 &&
		in_ns right "$T/traffic" udp fd07:1::1 7000 60000 5
}
measure pieces pieces || finish
for n in left right; do
	check_counters pieces $n
	for v in '4 Ip:' '6 Ip6:Ip6'; do
		# shellcheck disable=SC2086
		set -- $v
		eval "sent$1=\$(counted pieces send $n '*' $1) made$1=\$(delta $n $2FragCreates)" \
			"cut$1=\$(delta $n $2FragOKs)"
	done
	same "pieces: received packets in the capture of $n" "$(sniffed $n in)" "$(counted pieces receive $n)"
	same "pieces: sent packets in the capture of $n, with fragments in place of whole packets" "$(sniffed $n out)" \
		$((sent4 - cut4 + made4 + sent6 - cut6 + made6))
done
same 'fragments: the host "right" fragments packets' yes "$([ "$(delta right Ip:FragCreates)" -ge 250 ] && echo yes)"

same 'pieces: mid receives IPv4' "$(delta mid Ip:InReceives)" "$(counted pieces receive mid '*' 4)"
same 'pieces: mid receives IPv6' "$(delta mid Ip6:Ip6InReceives)" "$(counted pieces receive mid '*' 6)"
same 'fragments: mid sends IPv4 fragments' \
	$(($(delta mid Ip:OutRequests Ip:ForwDatagrams Ip:FragCreates) - $(delta mid Ip:FragOKs))) \
	"$(counted pieces send mid '*' 4)"
same 'pieces: mid sends IPv6' "$(delta mid Ip6:Ip6OutRequests Ip6:Ip6OutForwDatagrams)" \
	"$(counted pieces send mid '*' 6)"
same 'fragments: received packets in the capture of mid' "$(sniffed mid in)" "$(counted pieces receive mid)"
same 'fragments: sent packets in the capture of mid' "$(sniffed mid out)" "$(counted pieces send mid)"
same 'fragments: number of packets that mid fragments' 10 "$(delta mid Ip:FragOKs)"

# Captures do not contain the copies that return to the sender; the counters do.
CAPTURE=
everybody() {
	in_ns left ping -qc 5 -i 0.01 -b 10.7.1.255
	in_ns left ping -qc 5 -i 0.01 -I l0 224.0.0.1
	in_ns left ping -qc 5 -i 0.01 -I l0 ff02::1
	return 0
}
in_ns mid sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_echo_ignore_broadcasts'
measure everybody everybody && check_counters everybody $SPACES
same 'broadcasts and multicasts: the sender receives copies' yes "$([ "$(counted everybody receive left)" -ge 20 ] && echo yes)"
finish
