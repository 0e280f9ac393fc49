# rows.bash - the rows of the traffic matrix: how two hosts are connected, and the allowed differences.
#
# A row is a line of ROWS: its name, the function that connects the namespaces $a and $b
# (a third, $r, between them if there is a "via_"), its arguments, and after "|" the allowed
# differences between the kernel's counters and the probes:
#
#	lossy           packets are lost or duplicated on the way: compare with the receivers' counters
#	damaged         bytes change too: compare only IP, except where the IP header is damaged
#	a.send4=0       the probes count none of this figure, as docs/limits.md says. With "less"
#	                instead of 0, they count some of it. The figures are send and receive
#	                of IP, tsend and treceive of TCP, and usend and ureceive of UDP.
#	blind:          the words after it apply only if no function can be traced
#
# A setup function gives addresses of IPv4, IPv6 or both to the devices that the traffic is to use,
# and returns 77 if the kernel lacks a feature.

ROWS='
veth           pair                         |
fragments      pair mtu 1500 size 4000      |
gro            pair gro                     |
threaded-napi  pair threaded                |
big-tcp        pair big                     |
loss           pair netem loss 5%           | lossy
duplicate      pair netem duplicate 10%     | lossy
reorder        pair netem delay 5ms reorder 50% 50% | lossy
delay          pair netem delay 5ms 2ms     | lossy
corrupt        pair netem corrupt 5%        | damaged
rate           pair netem rate 50mbit       | lossy
vlan           vlan on                      |
vlan-in-frame  vlan off                     |
qinq           qinq on                      |
qinq-in-frame  qinq off                     |
bond           bond                         |
bridge         bridge                       |
macvlan        macvlan                      | blind: a.receive4=0 a.receive6=0 b.receive4=0 b.receive6=0
ifb            ifb                          |
ipip           tunnel4 ipip 4               |
sit            tunnel4 sit 6                |
gre            tunnel4 gre 46               |
gretap         tunnel4 gretap 46            |
vxlan          tunnel4 vxlan 46             |
l2tp           l2tp                         |
ip6tnl         tunnel6 ip6tnl 46            |
ip6gre         tunnel6 ip6gre 46            |
wireguard      wireguard                    |
esp-transport  esp transport                | blind: usend=0 tsend=less
esp-tunnel     esp tunnel                   | blind: usend=0 tsend=less
via-veth       via pair                     |
via-macvlan    via over_macvlan             | blind: b.receive4=0 b.receive6=0 r.receive4=less r.receive6=less
via-bridge     via over_bridge              |
via-bond       via over_bond_vlan           |
via-gre        via over_gre                 |
'

# ------------------------------------------------------------------ connecting

# Gives each of the two devices addresses from the row's networks net4 and net6. FAMILIES is 4, 6 or
# 46 (both versions of IP).
both() { # both DEVICE-IN-A DEVICE-IN-B [FAMILIES]
	case ${3:-46} in *4*) addr "$a" "$1" "$net4.1/24"; addr "$b" "$2" "$net4.2/24" ;; esac
	case ${3:-46} in *6*) addr "$a" "$1" "$net6::1/64"; addr "$b" "$2" "$net6::2/64" ;; esac
	families=${3:-46}
}

in_both() {
	ip netns exec "$a" "$@" && ip netns exec "$b" "$@"
}

up() { # up DEVICE: sets the device up in both namespaces
	ip -n "$a" link set "$1" up && ip -n "$b" link set "$1" up
}

# Each of these functions makes the underlying link. wire4 and wire6 also give the link addresses.
wire() {
	veth "$a" w0 "$b" w0 "${1:-1500}"
}
wire4() {
	wire "${1:-1500}"
	addr "$a" w0 "$under4.1/24"
	addr "$b" w0 "$under4.2/24"
}
wire6() {
	wire "${1:-1500}"
	addr "$a" w0 "$under6::1/64"
	addr "$b" w0 "$under6::2/64"
}

add() { # add DEVICE ARGUMENTS: makes the device in both namespaces; returns 77 if the kernel lacks its kind
	in_both ip link add "$@" 2>>"$T/setup" || return 77
	up "$1"
}

pair() {
	wire 1500
	case ${1:-} in
	mtu) size=$4 ;;
	gro) in_both ethtool -K w0 gro on || return 77 ;;
	threaded) in_both ethtool -K w0 gro on && in_both sh -c 'echo 1 >/sys/class/net/w0/threaded' || return 77 ;;
	big)
		in_both ethtool -K w0 gro on && in_both ip link set w0 gso_max_size 180000 gro_max_size 180000 \
			2>>"$T/setup" || return 77
		bytes=5000000 ;;
	netem)
		in_both tc qdisc add dev w0 root "$@" 2>>"$T/setup" || return 77 ;;
	esac
	both w0 w0
}

offload() { # offload on|off: lets the devices (on) or the kernel (off) handle VLAN tags
	in_both ethtool -K w0 txvlan "$1" rxvlan "$1" tx-vlan-stag-hw-insert "$1" rx-vlan-stag-hw-parse "$1" \
		>/dev/null 2>>"$T/setup" || return 77
}

vlan() {
	wire && offload "$1" || return 77
	add v5 link w0 type vlan id 5 || return 77
	both v5 v5
}

qinq() {
	wire && offload "$1" || return 77
	add v5 link w0 type vlan proto 802.1ad id 5 && add v7 link v5 type vlan id 7 || return 77
	in_both ip link set v7 mtu 1400
	both v7 v7
}

bond() {
	veth "$a" w1 "$b" w1
	wire
	add bond7 type bond mode active-backup miimon 100 || return 77
	for d in w0 w1; do
		in_both ip link set "$d" down
		in_both ip link set "$d" master bond7 || return 77
	done
	up bond7
	both bond7 bond7
}

bridge() {
	wire
	add br7 type bridge forward_delay 0 || return 77
	in_both ip link set w0 master br7
	both br7 br7
}

macvlan() {
	wire
	# Otherwise the device below also answers ARP requests for the address, and perhaps earlier.
	in_both sh -c 'echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore'
	add mv7 link w0 type macvlan mode bridge || return 77
	both mv7 mv7
}

ifb() {
	wire
	add ifb7 type ifb || return 77
	in_both tc qdisc add dev w0 ingress 2>>"$T/setup" || return 77
	in_both tc filter add dev w0 parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev ifb7 \
		2>>"$T/setup" || return 77
	both w0 w0
}

tunnel_args() { # tunnel_args KIND LOCAL REMOTE: prints arguments for "ip link add"
	case $1 in
	vxlan) echo "vxlan id 7 dstport 4789 local $2 remote $3" ;;
	*) echo "$1 local $2 remote $3 ttl 64" ;;
	esac
}

tunnel4() { # tunnel4 KIND FAMILIES: makes a tunnel over IPv4, which carries FAMILIES
	wire4
	# shellcheck disable=SC2046
	ip -n "$a" link add t0 type $(tunnel_args "$1" "$under4.1" "$under4.2") 2>>"$T/setup" || return 77
	# shellcheck disable=SC2046
	ip -n "$b" link add t0 type $(tunnel_args "$1" "$under4.2" "$under4.1") 2>>"$T/setup" || return 77
	in_both ip link set t0 mtu 1400
	up t0
	both t0 t0 "$2"
}

tunnel6() { # tunnel6 KIND FAMILIES: makes a tunnel over IPv6
	wire6
	ip -n "$a" link add t0 type "$1" local "$under6::1" remote "$under6::2" 2>>"$T/setup" || return 77
	ip -n "$b" link add t0 type "$1" local "$under6::2" remote "$under6::1" 2>>"$T/setup" || return 77
	in_both ip link set t0 mtu 1400
	up t0
	both t0 t0 "$2"
}

l2tp() {
	wire4
	ip -n "$a" l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap ip local "$under4.1" remote "$under4.2" \
		2>>"$T/setup" || return 77
	ip -n "$b" l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap ip local "$under4.2" remote "$under4.1" || return 77
	in_both ip l2tp add session tunnel_id 1 session_id 1 peer_session_id 1 name t0 || return 77
	in_both ip link set t0 mtu 1400
	up t0
	both t0 t0
}

wireguard() {
	local ka kb
	command -v wg >/dev/null || return 77
	ka=$(wg genkey) kb=$(wg genkey)
	wire4
	in_both ip link add t0 type wireguard 2>>"$T/setup" || return 77
	echo "$ka" >"$T/key"
	in_ns "$a" wg set t0 listen-port 5555 private-key "$T/key" peer "$(echo "$kb" | wg pubkey)" \
		allowed-ips 0.0.0.0/0,::/0 endpoint "$under4.2:5555" || return 77
	echo "$kb" >"$T/key"
	in_ns "$b" wg set t0 listen-port 5555 private-key "$T/key" peer "$(echo "$ka" | wg pubkey)" \
		allowed-ips 0.0.0.0/0,::/0 endpoint "$under4.1:5555" || return 77
	up t0
	both t0 t0
}

# The host a sends to b with the security association SPI 1, and b sends to a with SPI 2.
esp() { # esp MODE
	local n dir from to spi
	wire
	both w0 w0
	for n in 4 6; do
		for spi in 1 2; do
			[ $n = 4 ] && from=$net4.$spi to=$net4.$((3 - spi)) || from=$net6::$spi to=$net6::$((3 - spi))
			in_both ip xfrm state add src "$from" dst "$to" proto esp spi $spi mode "$1" \
				auth 'hmac(sha256)' 0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef \
				enc 'cbc(aes)' 0x0123456789abcdef0123456789abcdef 2>>"$T/setup" || return 77
			for dir in out in; do
				[ $dir$spi = out1 ] || [ $dir$spi = in2 ] && n1=$a || n1=$b
				ip -n "$n1" xfrm policy add src "$from" dst "$to" dir $dir tmpl src "$from" dst "$to" proto esp \
					mode "$1" || return 77
			done
		done
	done
}

# ----------------------------------------------- a router, and its output devices

via() { # via FUNCTION: makes the router $r, and connects it with b by FUNCTION
	new_router
	veth "$a" u0 "$r" u0
	addr "$a" u0 "$up4.1/24" "$up6::1/64"
	addr "$r" u0 "$up4.2/24" "$up6::2/64"
	a=$r "$1" || return
	ip -n "$a" route add default via "$up4.2" && ip -n "$a" route add default via "$up6::2"
	ip -n "$b" route add default via "$net4.1" && ip -n "$b" route add default via "$net6::1"
	from4=$up4.1 from6=$up6::1
}

over_macvlan() {
	macvlan
}
over_bridge() {
	bridge
}
over_bond_vlan() {
	wire
	add v5 link w0 type vlan id 5 || return 77
	add bond7 type bond mode active-backup miimon 100 || return 77
	in_both ip link set v5 down
	in_both ip link set v5 master bond7 || return 77
	up bond7
	both bond7 bond7
}
over_gre() {
	tunnel4 gre 46
}
