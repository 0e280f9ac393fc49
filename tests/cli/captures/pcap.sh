# pcap(): a program writes chosen packets to a capture file, or as text from tshark.
. tests/cli/lib.bash
command -v tshark >/dev/null || skip 'no tshark here'

shows() { tshark -n -r "$1" -T fields -e frame.time_epoch -e ip.src -e ip.dst -e ipv6.src -e ipv6.dst -e udp.port -e udp.payload "${@:2}" 2>/dev/null; }

# All packets with their times: the file equals the original except for the link-layer header.
shows $pcap -Y 'ip || ipv6' >"$tmp/wanted"
succeeds -qw -r $pcap -n 'BEGIN { freopen("%s", $$1); } ip:::send { pcap((void *)arg0, PCAP_IP); }' "$tmp/all.pcap"
out newline
shows "$tmp/all.pcap" >"$tmp/gotten"
equal 'the file has all packets with their times' "$tmp/wanted" "$tmp/gotten"
# With the link-layer header, packets are the same byte for byte.
run -qw -r $pcap -n 'BEGIN { freopen("%s", $$1); } ip:::send { pcap(args[0]->pkt_addr, PCAP_ETHER); }' "$tmp/ether.pcap"
tshark -n -r $pcap -Y 'ip || ipv6' -x 2>/dev/null >"$tmp/wanted"
tshark -n -r "$tmp/ether.pcap" -x 2>/dev/null >"$tmp/gotten"
equal PCAP_ETHER "$tmp/wanted" "$tmp/gotten"
run -qw -r tests/pcap/cooked.pcap -n 'BEGIN { freopen("%s", $$1); } ip:::send { pcap(arg0, PCAP_IP); }' "$tmp/cooked.pcap"
shows tests/pcap/cooked.pcap -Y 'ip || ipv6' >"$tmp/wanted"
shows "$tmp/cooked.pcap" >"$tmp/gotten"
equal 'packets of a cooked capture keep their link-layer header' "$tmp/wanted" "$tmp/gotten"
# Without -q, printed lines stay out of the file. A second run appends to the file.
for i in 1 2; do
	run -w -r $pcap -n 'BEGIN { freopen("%s", $$1); } udp:::send /i++ == 0/ { pcap(arg0, PCAP_IP); }' "$tmp/two.pcap"
	status 0
done
[ "$(shows "$tmp/two.pcap" | wc -l)" = 2 ] || wrong 'a second run does not append its packet'
shows "$tmp/two.pcap" | sort -u >"$tmp/gotten"
shows $pcap -Y udp | head -n 1 >"$tmp/wanted"
equal 'two runs append the same packet' "$tmp/wanted" "$tmp/gotten"
# Truncated packets keep their original length.
run -qw -x pcapsize=24 -r $pcap -n 'BEGIN { freopen("%s", $$1); } ip:::send { pcap((void *)arg0, PCAP_IP); }' "$tmp/cut.pcap"
tshark -n -r "$tmp/cut.pcap" -T fields -e frame.cap_len -e frame.len 2>/dev/null >"$tmp/gotten"
tshark -n -r "$tmp/all.pcap" -T fields -e frame.len 2>/dev/null | awk '{ print ($1 < 24 ? $1 : 24) "\t" $1 }' >"$tmp/wanted"
equal '-x pcapsize truncates packets' "$tmp/wanted" "$tmp/gotten"
# Without freopen(), pcap() prints the packets as text from tshark.
succeeds -q -r $pcap -n 'udp:::send { pcap((void *)arg0, PCAP_IP); } END { printf("end\n"); }'
tshark -n -r "$tmp/all.pcap" -Y udp 2>/dev/null | sed 's/^ *[0-9]* *//' >"$tmp/wanted"
sed -n 's/^ *[0-9]* *\(.*→.*\)/\1/p' "$out" >"$tmp/gotten"
equal 'text from tshark' "$tmp/wanted" "$tmp/gotten"
mkdir "$tmp/bin"
what='without tshark'
PATH=$tmp/bin "$DTRACE" -q -r $pcap -n 'udp:::send /n++ == 0/ { pcap(arg0, PCAP_IP); }' >"$out" 2>"$err"
status=$?
status 0
err_has "couldn't run \"tshark\": No such file or directory"
# Wrong arguments of pcap() are errors.
fails 'pcap\( \) prototype mismatch: 1 arg passed, 2 expected' -q -r $pcap -n 'udp:::send { pcap(arg0); }'
fails 'pcap\( \) argument #1 is incompatible with prototype:' -q -r $pcap -n 'udp:::send { pcap("x", 1); }'
fails 'pcap\( \) argument #2 is incompatible with prototype:' -q -r $pcap -n 'udp:::send { pcap(arg0, "x"); }'
# The checked VM finds no fault when pcap() writes truncated packets.
run -qw -x checked -r tests/pcap/snaplen.pcap -n 'BEGIN { freopen("%s", $$1); } ip:::send { pcap((void *)arg0, PCAP_IP); }' "$tmp/snap.pcap"
status 0
err 'dtrace: 3 packets with impossible headers, which hosts drop: UDP length 3'
shows "$tmp/snap.pcap" >"$tmp/gotten"
[ "$(wc -l <"$tmp/gotten")" -gt 0 ] || wrong 'a truncated capture gives no packets'
finish
