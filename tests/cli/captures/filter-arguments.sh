# Filters find the native arguments of a probe by type, whatever their names. A filter is refused
# for a probe that does not declare the arguments it needs.
. tests/cli/lib.bash

capture=tests/pcap/sessions.pcap
mkdir "$tmp/lib"
cat >"$tmp/lib/test.d" <<'EOF'
struct test_header { uint16_t from, to; uint32_t tag; };
provider test {
	probe named(struct sk_buff *packet, struct sock *end, struct iphdr *network, struct test_header *sctp,
	    int out) : (struct test_header *sctp);
	probe packet(struct sk_buff *skb, struct iphdr *ip, struct test_header *sctp, int out) : (struct iphdr *ip);
	probe hidden(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, void *sctp, int out) : (void *sctp);
	probe aimless(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct test_header *l4) :
	    (struct iphdr *ip);
	probe bare(struct sk_buff *skb, struct sock *sk, struct test_header *l4, int out) : (struct sock *sk);
};
test:::named on replay:::tcp_send (args[0], args[1], __data_ip, (struct test_header *)__noted_tcp, 1);
test:::packet on replay:::tcp_send (args[0], __data_ip, (struct test_header *)__noted_tcp, 1);
test:::hidden on replay:::tcp_send (args[0], args[1], __data_ip, (void *)__noted_tcp, 1);
test:::aimless on replay:::tcp_send (args[0], args[1], __data_ip, (struct test_header *)__noted_tcp);
test:::bare on replay:::tcp_send (args[0], args[1], (struct test_header *)__noted_tcp, 1);
EOF

# count FILTER PROBE
count() {
	run -x "$1" -L "$tmp/lib" -qr $capture -n "$2"' { @ = count(); } END { printa("%@d", @); }'
	status 0
	err ''
	cat "$out"
}
for filter in port=80 lport=80 rport=80 addr=192.0.2.1 laddr=192.0.2.1; do
	count $filter tcp:::send >"$tmp/segments"
	[ "$(cat "$tmp/segments")" -gt 0 ] || wrong "no segment passes $filter"
	for probe in named packet; do
		count $filter test:::$probe >"$tmp/seen"
		equal "$filter at $probe" "$tmp/segments" "$tmp/seen"
	done
done

fails 'test:::hidden cannot be filtered .*a header with ports' -x port=80 -L "$tmp/lib" -qr $capture -n test:::hidden
fails 'test:::aimless cannot be filtered .*the direction' -x lport=80 -L "$tmp/lib" -qr $capture -n test:::aimless
fails 'test:::bare cannot be filtered .*an IP header' -x addr=192.0.2.1 -L "$tmp/lib" -qr $capture -n test:::bare
# The probes aimless and hidden declare the IP header, which is all that -x ipver needs.
for probe in aimless hidden; do
	count ipver=4 tcp:::send >"$tmp/segments"
	count ipver=4 test:::$probe >"$tmp/seen"
	equal "ipver at $probe" "$tmp/segments" "$tmp/seen"
done

# At icmp:::send, -x laddr compares the address of the sender.
icmp=tests/pcap/icmp.pcap
run -qr $icmp -n 'icmp:::send /args[2]->ip_ver == 4/ { @[args[2]->ip_saddr] = count(); }
	END { trunc(@, 1); printa("%s %@d", @); }'
read -r address messages <"$out"
[ "${messages:-0}" -gt 0 ] || wrong 'the capture has no ICMP message'
run -x laddr="$address" -qr $icmp -n 'icmp:::send { @ = count(); } END { printa("%@d", @); }'
status 0
out "$messages"

# -x filter keeps the owners in a capture: packets that pass still belong to their processes.
owners=(-x local=192.0.2.1 -qr tests/pcap/owners.pcapng)
names='udp:::send { @[args[1]->cs_execname] = count(); } END { printa("%s %@d\n", @); }'
name=$("$DTRACE" "${owners[@]}" -n "$names" | awk '$1 != "<unknown>" && NF { print $1; exit }')
[ -n "$name" ] || wrong 'the capture names no owner'
succeeds "${owners[@]}" -x execname="$name" -n "$names"
cp "$out" "$tmp/all"
succeeds "${owners[@]}" -x filter=ip -x execname="$name" -n "$names"
equal '-x filter=ip' "$tmp/all" "$out"
finish
