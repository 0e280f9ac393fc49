# Rotated and compressed captures: the message names a pipeline that reads them, and that pipeline
# works.
. tests/cli/lib.bash
a=tests/pcap/udp.pcap b=tests/pcap/tcp.pcap
join="to read captures as one, use mergecap -w - $a $b \\| dtrace -r -"

run -r $a -r $b tcplife
status 2
err_has "^dtrace: -r may be given only once; $join\$"
fails "^dtrace: $b is not an argument of tcplife; $join\$" -r $a tcplife $b
fails "^dtrace: no probes specified: $join\$" -r $a $b
hinted -r $a $b -n BEGIN
status 1
err_has "$join\$"
# These names are the ones that tcpdump -C, tcpdump -W and logrotate give.
for name in x.pcap1 x.pcap007 x.pcapng.gz x.cap.zst x.pcap3.xz; do
	fails "mergecap -w - $a $name \| dtrace" -r $a tcplife $name
done
# Words that do not look like names of rotated captures are arguments of the script.
for name in pcap .pcap x.pcaps x.pcap.txt; do
	run -r $a tcplife $name
	grep -q mergecap "$err" && wrong "$name is taken for a capture"
done

gzip -c $a >"$tmp/a.pcap.gz"
fails "gzip.*gzip -dc.*-r -" -r "$tmp/a.pcap.gz" udpsnoop
succeeds -q -r $a udpsnoop
cp "$out" "$tmp/want"
zcat "$tmp/a.pcap.gz" | "$DTRACE" -q -r - udpsnoop >"$out" 2>"$err"
equal 'a compressed capture through the named pipeline' "$tmp/want" "$out"
if command -v mergecap >/dev/null; then
	count='ip:::send { @ = count(); } END { printa("%@d\n", @); }'
	run -q -r $a -n "$count"
	first=$(head -n 1 "$out")
	run -q -r $b -n "$count"
	both=$((first + $(head -n 1 "$out")))
	what='mergecap | dtrace'
	mergecap -w - "$tmp/a.pcap.gz" $b | "$DTRACE" -q -r - -n "$count" 2>"$err" | sed -n 1p >"$out"
	out "$both"
	err ''
fi
finish
