# A probe derived from a stable probe fires where both guards are true. The second guard is
# evaluated only if the first is true.
. tests/cli/lib.bash

pcap=tests/pcap/demo.pcap
mkdir "$tmp/lib"
cat >"$tmp/lib/test.d" <<'EOF'
provider test {
	probe base(struct sk_buff *skb, uint32_t len) : (struct sk_buff *skb, uint32_t len);
	probe four, behind(uint32_t n) : (uint32_t n);
};

int __asked[int];
test:::base
	on rawtp:::netif_receive_skb
	/ args[0]->len & 4 /
	(args[0], args[0]->len)
;
test:::four
	on test:::base
	/ args[1] & 8 /
	(1)
;
test:::behind
	on test:::base
	/ __once(__asked[1]) /
	(1)
;
EOF
program='rawtp:::netif_receive_skb { printf("%d\n", args[0]->len); }'
wanted=$("$DTRACE" -qr $pcap -n "$program" | awk '$1 % 8 >= 4 && $1 % 16 >= 8 { n++ } END { print n + 0 }')
lone=$("$DTRACE" -qr $pcap -n "$program" | awk '$1 % 8 >= 4 { n++ } END { print n + 0 }')
[ "$wanted" -gt 0 ] && [ "$lone" -gt "$wanted" ] || wrong "the capture has no lengths that can show a mistake: $wanted of $lone"

# Two guards that are nonzero numbers without a common bit are both true.
run -r $pcap -L "$tmp/lib" -qn 'test:::four { @ = sum(args[0]); } END { printa("%@d", @); }'
status 0
err ''
out "$wanted"

# The first guard is true only for packets of some lengths. The second guard is true only when it is
# evaluated for the first time.
run -r $pcap -L "$tmp/lib" -qn 'test:::behind { @ = sum(args[0]); } END { printa("%@d", @); }'
status 0
err ''
out 1
finish
