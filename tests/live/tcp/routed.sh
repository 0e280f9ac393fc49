# TCP through a router: both ends see every segment once, the router sees none. Datagrams that the
# router cannot forward are dropped there.
. "$(dirname "$0")/../lib.bash"
helper storm
helper traffic

ns left middle right
veth left e0 middle e0
veth middle e1 right e0
addr left e0 10.9.1.1/24 fd09:1::1/64
addr middle e0 10.9.1.2/24 fd09:1::2/64
addr middle e1 10.9.2.1/24 fd09:2::1/64
addr right e0 10.9.2.2/24 fd09:2::2/64
in_ns middle sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
ip -n left route add default via 10.9.1.2
ip -n left -6 route add default via fd09:1::2
ip -n right route add default via 10.9.2.1
ip -n right -6 route add default via fd09:2::1
unlimited left middle right

# A segment without a socket still has a device, and so a namespace.
EVENTS='
inline struct sk_buff *skb = (struct sk_buff *)args[0]->pkt_addr;
inline struct skb_shared_info *shared = (struct skb_shared_info *)(skb->head + skb->end);
inline int segments = shared->gso_segs > 1 ? shared->gso_segs : 1;
inline uint64_t space = args[1]->cs_addr != 0 ? args[1]->cs_netns : skb->dev->nd_net.net->ns.inum;
tcp:::send { @segs[space] = sum(segments); }
tcp:::receive, tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused,
tcp:::accept-established, tcp:::accept-refused { @[probename, space] = count(); }
tcp:::retransmit / skb == NULL / { @["answer", space] = count(); }
ip:::drop / args[2]->ip_daddr == "10.99.0.1" || args[2]->ip_daddr == "fd99::1" /
{
	@drop[args[6]->drop_reason, space, args[2]->ip_ver] = count();
}
END
{
	printa("send %d %@d\n", @segs);
	printa("%s %d %@d\n", @);
	printa("drop %s %d %d %@d\n", @drop);
}'

# number WHAT NS: prints the number of WHAT in the namespace
number() {
	awk -v what="$1" -v ns="$(inum "$2")" '$1 == what && $2 == ns { n = $3 } END { print n + 0 }' "$T/routed.out"
}

settled left middle right
for n in left middle right; do snmp $n >"$T/$n.from"; done
dt_start routed -x footer -n "$EVENTS" || exit 1
for a in 10.9.2.2 fd09:2::2; do
	in_ns left "$T/storm" refuse $a 5009 100 >/dev/null || fail 'refused'
	background srv right "$T/traffic" serve $a 5010 || fail 'no server'
	in_ns left "$T/traffic" tcp $a 5010 5000000 || fail 'stream'
	background srv right "$T/traffic" echo $a 5011 || fail 'no server'
	in_ns left "$T/traffic" ping $a 5011 200 || fail 'ping'
done
in_ns left "$T/traffic" udp 10.99.0.1 9 100 5 2>/dev/null
in_ns left "$T/traffic" udp fd99::1 9 100 5 2>/dev/null
settled left middle right
dt_stop routed
for n in left middle right; do snmp $n >"$T/$n.to"; done
lossless routed

for n in left right; do
	same "segments that $n sends" "$(($(delta $n Tcp:OutSegs Tcp:RetransSegs) - $(number answer $n)))" "$(number send $n)"
	same "segments that $n receives" "$(delta $n Tcp:InSegs)" "$(number receive $n)"
done
same 'connections that the left host requests' 204 "$(number connect-request left)"
same 'refused connections at the left host' 200 "$(number connect-refused left)"
same 'refused connections at the right host' 200 "$(number accept-refused right)"
same 'established connections at the left host' 4 "$(number connect-established left)"
same 'established connections at the right host' 4 "$(number accept-established right)"
same 'the router has no tcp events other than drops' 0 "$(grep -v ^drop "$T/routed.out" | grep -c " $(inum middle) ")" ''
for v in 4 6; do
	same "segments that the router drops, IPv$v" 5 \
		"$(sed -n "s/^drop IP_INNOROUTES $(inum middle) $v //p" "$T/routed.out")"
done
finish
