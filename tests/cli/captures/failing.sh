# A replay that cannot start, or that fails, exits with a status of dtrace's own, and the sanitizers
# report nothing. The first loop runs on every capture. The second loop runs on a few captures,
# because the result of its options depends only on the format of the file.
. tests/cli/lib.bash
every='dns:::query,dns:::response,ip:::send,tcp:::state-change,udp:::receive,tick-1s { @[probename] = count(); @s[stack()] = count(); }'

# ends ARGS...: the command exits with one of its own statuses, not by a signal
ends() {
	run -q "$@"
	checks=$((checks + 1))
	case $status in
	[0-3]) grep -q 'Sanitizer\|runtime error:' "$err" && wrong "$(head -n 20 "$err")" ;;
	*) wrong "status $status" ;;
	esac
}

for capture in tests/pcap/*.pcap tests/pcap/*.pcapng; do
	ends -r $capture -x filter=vlan -n 'dns:::query { }'
	ends -r $capture -x filter='wlan addr1 1:2:3:4:5:6' -n "$every"
	ends -r $capture -x filter=udp -x jobs=3 -n "$every"
	ends -r $capture -x conns=16 -x count=1 -n "$every"
	ends -r $capture -n 'ip:::send { @ = sum(args[2]->ip_plength / (args[2]->ip_ver - 4)); } ERROR { exit(1); }'
	ends -r $capture -x jobs=3 -n 'ip:::send { @ = sum(args[2]->ip_plength / (args[2]->ip_ver - 4)); }'
done
for capture in tests/pcap/{connections,nano,empty,cooked,damaged}.pcap tests/pcap/{clocks,mixedlink,cutng}.pcapng; do
	ends -r $capture -x filter='(' -n "$every"
	ends -r $capture -x local=nosuch -x jobs=3 -n "$every"
	ends -r $capture -n "tcp:::send { trace(args[4]->tcp_nosuch); }"
done
what='failing options on every capture'
fails '^dtrace: failed to set -x filter: ' -q -r tests/pcap/cooked.pcap -x filter=vlan -n 'dns:::query { }'
finish
