# A pattern enables a probe only if its first arguments have the same types as those of the
# provider's `send`. An argument of type void * also fits. So args[] in the clause keep their types.
# -l lists all probes.
. tests/cli/lib.bash
mkdir "$tmp/lib"
cat >"$tmp/lib/foo.d" <<'D'
provider foo {
	probe send, receive(struct sk_buff *skb, struct iphdr *ip, int n) : (pktinfo_t *skb, ipinfo_t *ip, int n);
	probe more(struct sk_buff *skb, struct iphdr *ip, int n) : (pktinfo_t *skb, ipinfo_t *ip, int n, int n);
	probe nothing(struct sk_buff *skb, struct iphdr *ip, int n) : (pktinfo_t *skb, void *, int n);
	probe other(struct sk_buff *skb, struct iphdr *ip, int n) : (pktinfo_t *skb, pktinfo_t *skb, int n);
};
foo:::send on replay:::send (args[0], __data_ip, 1);
foo:::receive on replay:::receive (args[0], __data_ip, 2);
foo:::more on replay:::send (args[0], __data_ip, 3);
foo:::nothing on replay:::send (args[0], __data_ip, 4);
foo:::other on replay:::send (args[0], __data_ip, 5);
D
use() { run -r $pcap -q -L "$tmp/lib" -n "$1 END { printa(\"%s %@d\\n\", @); }"; }

use 'foo::: { @[probename] = count(); }'
status 0
out_has '^send '
out_has '^receive '
out_has '^more '
out_has '^nothing '
! grep '^other ' "$out" || wrong 'the pattern enables a probe with arguments of other types'
use 'foo:::[smr]* { @[args[1]->ip_saddr] = count(); }'
status 0
use 'foo:::other { @[probename] = count(); }'
status 0
out_has '^other '
use 'foo:::oth* { @[probename] = count(); }'
status 1
err_has 'does not match any probes'
run -r $pcap -L "$tmp/lib" -l -P foo
status 0
out_has ' other$'
finish
