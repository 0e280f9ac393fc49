# Datagrams of every kind, from a host to its neighbour and through a router to a far host. Each
# send and each delivery to a socket fires once, with the header of the datagram.
. "$(dirname "$0")/../lib.bash"
helper datagram

ns left right far
veth left e0 right e0
veth right e1 far e0
addr left e0 10.9.1.1/24 fd09:1::1/64
addr right e0 10.9.1.2/24 fd09:1::2/64
addr right e1 10.9.2.1/24 fd09:2::1/64
addr far e0 10.9.2.2/24 fd09:2::2/64
in_ns right sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
ip -n left route add default via 10.9.1.2
ip -n left -6 route add default via fd09:1::2
ip -n far route add default via 10.9.2.1
ip -n far -6 route add default via fd09:2::1
unlimited left right far
device=$(in_ns left cat /sys/class/net/e0/ifindex 2>/dev/null || ip -n left -o link show e0 | cut -d: -f1)
near=$(ip -n right -o link show e0 | cut -d: -f1)

# Each line of output has PROVIDER PROBE SPACE FROM PORT TO PORT LENGTH | NEAR PORT FAR PORT. SPACE
# is the network namespace, NEAR the socket's own address, and FAR its remote address.
line='%d %s %d %s %d %d | %s %d %s %d\n", args[1]->cs_netns, args[2]->ip_saddr'
udp="$line, args[4]->udp_sport, args[2]->ip_daddr, args[4]->udp_dport, args[4]->udp_length,
	args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport"
lite="$line, args[4]->udplite_sport, args[2]->ip_daddr, args[4]->udplite_dport, args[4]->udplite_coverage,
	args[3]->udplites_laddr, args[3]->udplites_lport, args[3]->udplites_raddr, args[3]->udplites_rport"
ours="args[1]->cs_netns == $(inum left) || args[1]->cs_netns == $(inum right) ||
	args[1]->cs_netns == $(inum far)"
port='args[4]->udp_dport >= 7000 && args[4]->udp_dport < 7100'
EVENTS="
udp:::send / $ours / { printf(\"udp send $udp); }
udp:::receive / $ours / { printf(\"udp receive $udp); }
udplite:::send / $ours / { printf(\"udplite send $lite); }
udplite:::receive / $ours / { printf(\"udplite receive $lite); }
udp:::drop / $port && (args[1]->cs_netns == 0 || $ours) / {
	@[args[4]->udp_dport, args[2]->ip_ver, args[5]->drop_reason] = count();
}
END { printa(\"drop %d %d %s %@d\n\", @); }"

receiver() {
	background "$1" "$2" "$T/datagram" receive "${@:3}" || fail "no receiver $1"
}
sender() {
	in_ns left "$T/datagram" send "$@" || fail "datagram send $*"
}

# wanted COUNT PROVIDER PROBE SPACE FROM PORT TO PORT LENGTH: expects COUNT such lines
wanted() {
	local i here="$5 $6 $7 $8"
	[ "$3" = send ] || here="$7 $8 $5 $6"
	for ((i = 0; i < $1; i++)); do
		echo "$2 $3 $(inum "$4") ${*:5} | $here"
	done >>"$T/wanted"
}

# both COUNT PROVIDER SPACE FROM PORT TO PORT LENGTH: expects that left sends and SPACE receives
# each datagram once
both() {
	wanted "$1" "$2" send left "${@:4}"
	wanted "$1" "$2" receive "$3" "${@:4}"
}

settled left right far
snmp right >"$T/right.from"
dt_start udp -x footer -n "$EVENTS" || exit 1

everything() {
	local version=$1 me=$2 next=$3 far=$4 group=$5
	# A raw socket that receives a copy of every datagram must not change the counts.
	background raw$version right "$T/datagram" rawreceive $version

	receiver connected right udp $next 7000
	sender udp $me 6000 $next 7000 100 20 connect=1
	both 20 udp right $me 6000 $next 7000 108
	receiver any far udp $far 7001
	sender udp $me 6001 $far 7001 1 20
	both 20 udp far $me 6001 $far 7001 9
	receiver empty right udp $next 7002
	sender udp $me 6002 $next 7002 0 5
	both 5 udp right $me 6002 $next 7002 8

	# Datagrams to ports without a receiver.
	sender udp $me 6003 $next 7003 10 10
	wanted 10 udp send left $me 6003 $next 7003 18

	# Multicast: two sockets on the host "right" and one on the sending host have joined the
	# group, and one socket on "right" has not.
	receiver group1 right udp $group 7004 group=1 device=$near
	receiver group2 right udp $group 7004 group=1 device=$near
	receiver group3 left udp $group 7004 group=1 device=$device
	receiver other right udp $next 7004
	sender udp $me 6004 $group 7004 50 10 device=$device
	wanted 10 udp send left $me 6004 $group 7004 58
	wanted 20 udp receive right $me 6004 $group 7004 58
	wanted 10 udp receive left $me 6004 $group 7004 58

	# Segmentation offload: the sender sends one large datagram. UDP_GRO decides whether the socket receives
	# one datagram or several.
	receiver segments right udp $next 7005
	sender udp $me 6005 $next 7005 4000 5 segment=500
	wanted 5 udp send left $me 6005 $next 7005 4008
	wanted 40 udp receive right $me 6005 $next 7005 508
	receiver whole right udp $next 7006 gro=1
	sender udp $me 6006 $next 7006 4000 5 segment=500
	both 5 udp right $me 6006 $next 7006 4008

	# A datagram that is fragmented, and two writes that make one datagram.
	receiver large far udp $far 7007
	sender udp $me 6007 $far 7007 20000 5
	both 5 udp far $me 6007 $far 7007 20008
	receiver cork right udp $next 7008
	sender udp $me 6008 $next 7008 30 5 cork=1
	both 5 udp right $me 6008 $next 7008 38

	# Datagrams within this host.
	receiver self left udp $me 7009
	sender udp $me 6009 $me 7009 100 10
	both 10 udp left $me 6009 $me 7009 108

	# Datagrams from a raw socket, which no UDP socket sends.
	receiver rawly right udp $next 7010
	in_ns left "$T/datagram" rawsend $me 6010 $next 7010 10 5 || fail 'rawsend'
	wanted 5 udp receive right $me 6010 $next 7010 18

	in_ns left "$T/datagram" rawsend $me 6014 $next 7010 10 5 damaged=1 || fail 'rawsend'

	# More datagrams than the receive buffer holds.
	receiver small right udp $next 7011 buffer=4096
	sender udp $me 6011 $next 7011 1000 20
	both 20 udp right $me 6011 $next 7011 1008
}

# UDP-Lite with a checksum over everything, and with a checksum over 12 bytes.
covered() {
	local me=$1 next=$2 far=$3

	receiver lite$me right udplite $next 7012
	sender udplite $me 6012 $next 7012 100 10
	both 10 udplite right $me 6012 $next 7012 108
	receiver light$me far udplite $far 7013 coverage=12
	sender udplite $me 6013 $far 7013 100 10 coverage=12
	both 10 udplite far $me 6013 $far 7013 12
}
everything 4 10.9.1.1 10.9.1.2 10.9.2.2 239.9.9.9
everything 6 fd09:1::1 fd09:1::2 fd09:2::2 ff15::9:9
if in_ns left "$T/datagram" send udplite 127.0.0.1 6099 127.0.0.1 7099 1 0 2>/dev/null; then
	covered 10.9.1.1 10.9.1.2 10.9.2.2
	covered fd09:1::1 fd09:1::2 fd09:2::2
else
	echo 'no UDP-Lite here'
fi

# IPv4 only: a broadcast, which two sockets of four receive, and a socket for both IP versions.
receiver wide1 right udp 0.0.0.0 7020
receiver wide2 right udp 10.9.1.255 7020
receiver narrow right udp 10.9.1.2 7020
receiver wide3 far udp 0.0.0.0 7020
sender udp 10.9.1.1 6020 10.9.1.255 7020 10 10 broadcast=1
wanted 10 udp send left 10.9.1.1 6020 10.9.1.255 7020 18
wanted 20 udp receive right 10.9.1.1 6020 10.9.1.255 7020 18
receiver dual right udp :: 7021
sender udp 10.9.1.1 6021 10.9.1.2 7021 10 10
both 10 udp right 10.9.1.1 6021 10.9.1.2 7021 18

settled left right far
dt_stop udp
snmp right >"$T/right.to"
lossless udp
sort "$T/wanted" | uniq -c >"$T/each.wanted"
grep '^udp' "$T/udp.out" | sort | uniq -c >"$T/each.got"
same_files 'number of times that each datagram is sent and received' "$T/each.wanted" "$T/each.got"
dropped() {
	sed -n "s/^drop $1 //p" "$T/udp.out"
}
for v in 4 6; do
	same "IPv$v: drops of datagrams to a port without a socket" 'NO_SOCKET 10' "$(dropped "7003 $v")"
	same "IPv$v: drops of damaged datagrams" 'UDP_CSUM 5' "$(dropped "7010 $v")"
done
same 'IPv4: drops of datagrams to a full socket' "SOCKET_RCVBUFF $(delta right Udp:RcvbufErrors)" "$(dropped '7011 4')"
same 'IPv6: drops of datagrams to a full socket' "SOCKET_RCVBUFF $(delta right Ip6:Udp6RcvbufErrors)" "$(dropped '7011 6')"
finish
