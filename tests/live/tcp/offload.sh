# With segmentation offload, a packet may represent many segments, and may be split or merged on the
# way. At both ends, the segments of all packets that the tcp probes see add up to the counters of
# TCP.
. "$(dirname "$0")/../lib.bash"
need ping
helper traffic
helper offload

ns left right
veth left e0 right e0
addr left e0 10.6.1.1/24 fd06:1::1/64
addr right e0 10.6.1.2/24 fd06:1::2/64
for a in 10.6.1.2 fd06:1::2; do in_ns left ping -qc 2 -i 0.01 $a >/dev/null; done

# A retransmitted SYN+ACK counts as sent and as retransmitted.
EVENTS="
inline struct sk_buff *skb = (struct sk_buff *)args[0]->pkt_addr;
inline struct skb_shared_info *shared = (struct skb_shared_info *)(skb->head + skb->end);
inline int segments = shared->gso_segs > 1 ? shared->gso_segs : 1;
tcp:::send / args[1]->cs_netns == $(inum left) / { @out[\"left\"] = sum(segments); }
tcp:::send / args[1]->cs_netns == $(inum right) / { @out[\"right\"] = sum(segments); }
tcp:::receive / args[1]->cs_netns == $(inum left) /
{
	@in[\"left\"] = count();
	@all[\"left\"] = sum(segments);
}
tcp:::receive / args[1]->cs_netns == $(inum right) /
{
	@in[\"right\"] = count();
	@all[\"right\"] = sum(segments);
	@longest = max(args[2]->ip_plength);
}
tcp:::retransmit
/ args[0]->pkt_addr == 0 && (args[1]->cs_netns == $(inum left) || args[1]->cs_netns == $(inum right)) /
{
	@answers[\"right\"] = count();
}
END
{
	printa(\"out %s %@d\\n\", @out);
	printa(\"in %s %@d\\n\", @in);
	printa(\"all %s %@d\\n\", @all);
	printa(\"answers %s %@d\\n\", @answers);
	printa(\"longest - %@d\\n\", @longest);
}"

# number RUN WHAT NS: prints the number of WHAT in the namespace
number() {
	awk -v what="$2" -v ns="$3" '$1 == what && $2 == ns { n = $3 } END { print n + 0 }' "$T/$1.out"
}

# discarded NS: prints the number of frames that the full device dropped. After segmentation, each
# frame is one segment.
discarded() {
	in_ns "$1" awk '$1 == "e0:" { print $13; n++ } END { exit !n }' /proc/net/dev || echo "no e0 in $1"
}

streams() {
	local a
	for a in 10.6.1.2 fd06:1::2; do
		background srv right "$T/traffic" serve "$a" 5001 || return 1
		in_ns left "$T/traffic" tcp "$a" 5001 20000000 || return 1
	done
}

run() {
	local n left right
	settled left right
	for n in left right; do snmp $n >"$T/$n.from"; done
	left=$(discarded left) right=$(discarded right)
	dt_start "$1" -x footer -n "$EVENTS" || exit 1
	streams || fail "$1: the traffic failed"
	settled left right
	dt_stop "$1"
	for n in left right; do snmp $n >"$T/$n.to"; done
	lossless "$1"
	for n in left right; do
		same "$1: segments that $n sends" "$(($(delta $n Tcp:OutSegs Tcp:RetransSegs) - $(number "$1" answers $n)))" \
			"$(number "$1" out $n)"
		same "$1: segments that $n receives" "$(delta $n Tcp:InSegs)" "$(number "$1" in $n)"
	done
	left=$(($(discarded left) - left)) right=$(($(discarded right) - right))
	same "$1: segments from left to right" "$(($(number "$1" out left) - left))" "$(number "$1" all right)"
	same "$1: segments from right to left" "$(($(number "$1" out right) - right))" "$(number "$1" all left)"
}

run whole
in_ns left "$T/offload" e0 tso=0 gso=0 && in_ns right "$T/offload" e0 gro=1 || finish
run merged
[ "$(number merged longest -)" -gt 1480 ] || fail 'nothing was merged'
in_ns right "$T/offload" e0 gro=0 || finish
run cut
same 'cut: longest packet that arrives' 1480 "$(number cut longest -)"
finish
