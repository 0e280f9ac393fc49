# Every script that reads captures prints something about a packet in one of the two example
# captures. These are the installed captures that the tutorial names.
. tests/cli/lib.bash

said() { grep -qE '192\.0\.2\.|203\.0\.113\.|198\.51\.100\.|^ *[1-9]'; }

for capture in demo sessions; do
	grep -q "tests/pcap/$capture.pcap" tools/packaging/install.cmake || wrong "$capture.pcap is not installed"
done
for script in $("$DTRACE" --scripts | grep -v 'live only$' | awk '{ print $1 }'); do
	what="dtrace $script"
	checks=$((checks + 1))
	for capture in demo sessions; do
		"$DTRACE" "$script" -r tests/pcap/$capture.pcap 2>&1
	done | said || wrong 'the script prints nothing for demo.pcap and for sessions.pcap'
done
[ "$checks" -gt 20 ] || wrong "only $checks scripts read captures"
# tcplife shows each of the 11 connections that end. One of its lines is compared exactly.
succeeds tcplife -r tests/pcap/demo.pcap -x local=192.0.2.0/24,2001:db8:2::10
[ "$(grep -cE '^ +-1 <unknown> ' "$out")" = 11 ] || wrong 'tcplife does not show 11 connections'
out_has '^ +-1 <unknown> +18 +3253 +12 50000 203.0.113.80 +80$'
finish
