# Hidden clauses of library texts: only the needed ones are compiled, in the order of the texts.
. tests/cli/lib.bash

mkdir "$tmp/lib"
cat >"$tmp/lib/test.d" <<'EOF'
int __before[int];
int __after[int];
int __linked[int];
int __nowhere[int];
string __name[int];
int __seen[int];
int __alone;

typedef struct info {
	int before, after, nowhere, alone;
	string name;
} info_t;
translator info_t < struct sk_buff *S > {
	before = __before[1];
	after = __after[1];
	nowhere = __nowhere[1];
	alone = __alone;
	name = __name[1];
};
provider test {
	probe all, first(struct sk_buff *skb) : (info_t *skb);
};

/* alternative clauses for hooks or members that this kernel does not have */
rawtp:::no_such_tracepoint { __nowhere[1] = 1; }
rawtp:::netif_receive_skb { __nowhere[1] = args[0]->no_such_member; }

rawtp:::net_dev_queue { __linked[1] = __linked[1] + 1; }
rawtp:::netif_receive_skb / args[0]->len > 0 / {
	this->__n = __linked[1];
	__before[1] = this->__n;
	__name[1] = strjoin("n", lltostr(this->__n));
}
test:::all on rawtp:::netif_receive_skb (args[0]);
test:::first on rawtp:::netif_receive_skb / __once(__seen[1]) / (args[0]);
rawtp:::netif_receive_skb { __after[1]++; __alone = 7; }
EOF
packets=$("$DTRACE" -qr $pcap -n 'rawtp:::netif_receive_skb { @ = count(); } END { printa("%@d", @); }')

run -r $pcap -L "$tmp/lib" -qn 'test:::all {
	printf("%d %d %d %d\n", args[0]->before, args[0]->after, args[0]->nowhere, args[0]->alone); } END { printf("."); }'
status 0
err ''
out "$(for ((i = 1; i <= packets; i++)); do echo "$i $((i - 1)) 0 $((i > 1 ? 7 : 0))"; done; echo .)"

# Hidden clauses are not listed as probes of the user, and make no records.
run -r $pcap -L "$tmp/lib" -n 'test:::all { @ = max(args[0]->before); }'
status 0
err "dtrace: description 'test:::all ' matched 1 probe"

run -r $pcap -L "$tmp/lib" -qn 'test:::all { @[args[0]->name] = count(); } END { trunc(@, 1); }'
status 0
out_has '^ *n[0-9]+ +1$'

run -r $pcap -L "$tmp/lib" -qn 'test:::first { trace("once"); }'
status 0
out 'once'

# used WHAT WANTED: checks that the code of a program that reads WHAT has only the maps and units
# (eBPF programs) in WANTED
used() {
	run -r $pcap -L "$tmp/lib" -e -x dump=bpf -n "test:::all { trace($1); }"
	status 0
	checks=$((checks + 1))
	got=$(grep -Eo 'map\[l_+[a-z]+\]|^unit [a-z_]+' "$out" "$err" | sed 's/.*://' | sort -u | tr '\n' ' ')
	[ "$got" = "$2" ] || wrong "$1 is compiled with $got, not $2"
}
used 1 'unit netif_receive_skb '
used 'args[0]->alone' 'unit netif_receive_skb '
used 'args[0]->nowhere' 'unit netif_receive_skb '
used 'args[0]->after' 'map[l___after] unit netif_receive_skb '
used 'args[0]->before' 'map[l___before] map[l___linked] unit net_dev_queue unit netif_receive_skb '

run -r $pcap -L "$tmp/lib" -lvn test:::all
status 0
out_has 'rawtp:::netif_receive_skb'
checks=$((checks + 1))
grep -q net_dev_queue "$out" && wrong 'hooks of hidden clauses are listed'

echo 'rawtp:::netif_receive_skb { printf("no"); }' >"$tmp/lib/test.d"
fails 'a clause of a library text can only assign variables' -r $pcap -L "$tmp/lib" -n BEGIN

fails 'undefined function name: __cookie' -r $pcap -n 'BEGIN { trace(__cookie(0)); }'

finish
