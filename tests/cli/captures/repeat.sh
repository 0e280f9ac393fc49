# Each run over one file writes the same bytes, even where the program prints addresses.
. tests/cli/lib.bash

prog='ip:::receive, ip:::send { printf("%x %x\n", args[0]->pkt_addr, (uint64_t)((struct sk_buff *)arg0)->data); }
	replay:::receive { trace(args[0]->head); trace(args[1]); trace(*(args[0]->head + 65535)); }
	END { trace((uint64_t)curthread); }'
run -r tests/pcap/udp.pcap -n "$prog"
status 0
first=$(cat "$tmp/out" "$tmp/err")
for i in 1 2; do
	run -r tests/pcap/udp.pcap -n "$prog"
	checks=$((checks + 1))
	[ "$(cat "$tmp/out" "$tmp/err")" = "$first" ] || wrong "run $i differs from the first"
done
finish
