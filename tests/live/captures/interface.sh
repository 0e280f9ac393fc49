# -r INTERFACE takes live packets through libpcap. Counts equal the number of packets sent. Also
# checks local addresses, promiscuous mode, ticks, lost packets, privileges and messages.
. "$(dirname "$0")/../lib.bash"
need python3 ping

ns here there
veth here va there vb
addr here va 10.9.0.1/24 fd09::1/64
addr there vb 10.9.0.2/24 fd09::2/64
in_ns here ping -qc 1 -W 5 10.9.0.2 >/dev/null || fail 'the other host is not reachable over IPv4'
in_ns here ping -qc 1 -W 5 fd09::2 >/dev/null || fail 'the other host is not reachable over IPv6'

# datagrams NS ADDRESS PORT COUNT: sends COUNT datagrams from the namespace
datagrams() {
	in_ns "$1" python3 -c '
import socket, sys
a, p, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
s = socket.socket(socket.AF_INET6 if ":" in a else socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
for i in range(n):
    s.sendto(b"x" * 100, (a, p))' "$2" "$3" "$4"
}
# In this test, $DTRACE runs dtrace in the namespace "here".
real=$DTRACE
printf '#!/bin/sh\nexec ip netns exec here "%s" "$@"\n' "$real" >"$T/dtrace"
chmod +x "$T/dtrace"
DTRACE=$T/dtrace
counted() { awk -v k="$2" '$0 ~ "^ *" k " +[0-9]+$" { print $NF }' "$T/$1.out"; }
COUNT='udp:::send /args[4]->udp_dport == 7000/ { @["sent"] = count(); @b["bytes"] = sum(args[4]->udp_length); }
	udp:::receive /args[4]->udp_dport == 7000/ { @["received"] = count(); }
	ip:::send { @["other"] = count(); }'

# By default all hosts count as local, as in a capture, so each packet is both sent and received.
dt_start all -r va -x filter='udp port 7000' -n "$COUNT"
same 'dtrace has no capabilities during the run' 0000000000000000 "$(sed -n 's/^CapEff:\t//p' "/proc/${dt_pid[all]}/status")"
case $(sed -n 's/^Seccomp:\t//p' "/proc/${dt_pid[all]}/status") in
2) echo 'ok: system calls are filtered' ;;
*) grep -q __asan_init "$real" || fail 'system calls are not filtered' ;;
esac
same 'the interface is not in promiscuous mode' 0 "$(ip -n here -d link show va | grep -c 'promiscuity 1')"
datagrams here 10.9.0.2 7000 300
datagrams there fd09::1 7000 200
datagrams here 10.9.0.2 7001 50
dt_stop all
same 'the status' 0 $?
same sent 500 "$(counted all sent)"
same received 500 "$(counted all received)"
same bytes $((500 * 108)) "$(counted all bytes)"
same 'number of packets with -x filter' 500 "$(counted all other)"
[ -s "$T/all.err" ] && fail "$(cat "$T/all.err")"

# local=auto: the addresses of the interface are local, also an address that is added during the
# run. Broadcasts from another host count as received.
dt_start auto -r va -x local=auto -n "$COUNT"
datagrams here 10.9.0.2 7000 30
datagrams there fd09::1 7000 20
datagrams there 10.9.0.255 7000 3
datagrams here 10.9.0.255 7000 5
datagrams there 10.9.0.77 7000 4 # no host has this address: no ARP reply comes, so no packet is sent
addr here va 10.9.0.9/24
sleep 2
datagrams there 10.9.0.9 7000 9
sleep 2
ip -n here addr del 10.9.0.9/24 dev va
dt_stop auto
same 'packets that a local address sends' 35 "$(counted auto sent)"
same 'packets that a local address receives' 32 "$(counted auto received)"

# The interface is in promiscuous mode only if the option asks for it.
dt_start promisc -r va -x promisc -n 'BEGIN { }'
same promiscuous 1 "$(ip -n here -d link show va | grep -c 'promiscuity 1')"
dt_stop promisc

# The loopback device: each packet counts once as sent and once as received, and all addresses of
# the machine are local.
dt_start lo -r lo -x local=auto -x filter='udp port 7000' -n "$COUNT"
datagrams here 10.9.0.1 7000 11
datagrams here 127.0.0.1 7000 22
dt_stop lo
same 'loopback device: packets that are sent' 33 "$(counted lo sent)"
same 'loopback device: packets that are received' 33 "$(counted lo received)"

# Ticks fire without packets, and -x duration ends the run.
began=$(date +%s%N)
"$DTRACE" -qr va -x duration=2s -n 'BEGIN { b = timestamp; } tick-100ms { n++; }
	END { printf("%d %d\n", n, (timestamp - b) / 100000000); }' >"$T/ticks" 2>&1
took=$((($(date +%s%N) - began) / 1000000))
read -r n t <"$T/ticks"
[ "${n:-0}" -ge 19 ] && [ "$n" -le 20 ] && echo "ok: $n ticks" || fail "ticks: $(cat "$T/ticks")"
same '-x duration ends the run after 2 seconds of the interface'\''s time' 20 "$t"
[ $took -ge 2000 ] && [ $took -lt 20000 ] && echo "ok: it took $took ms" || fail "it took $took ms"

# dtrace follows TCP connections: each handshake fires connect-established and accept-established.
dt_start tcp -r va -n 'tcp:::connect-established, tcp:::accept-established { @[probename] = count(); }'
in_ns there python3 -c '
import socket
s = socket.create_server(("10.9.0.2", 7002))
print("up", flush=True)
for i in range(5): s.accept()[0].close()' >"$T/server" &
for ((i = 0; i < 1200; i++)); do grep -qs up "$T/server" && break; sleep 0.05; done
in_ns here python3 -c '
import socket
for i in range(5): socket.create_connection(("10.9.0.2", 7002)).recv(1)'
wait $!
dt_stop tcp
same connect-established 5 "$(counted tcp connect-established)"
same accept-established 5 "$(counted tcp accept-established)"

# dtrace is stopped while packets arrive, and counts packets that do not fit in the buffer as lost.
# The host answers the packets with ICMP errors, which do not match the filter.
dt_start lost -x strict -b 64k -r va -x filter='udp port 7000' -n 'udp:::send /args[4]->udp_dport == 7000/ { @["sent"] = count(); }'
pid=$(pgrep -P "${dt_pid[lost]}" || echo "${dt_pid[lost]}")
kill -STOP $pid
datagrams here 10.9.0.2 7000 20000
kill -CONT $pid
dt_stop lost
same 'lost packets: exit status 3' 3 $?
lost=$(sed -n 's/^dtrace: \([0-9]*\) packets of the interface lost: the capture buffer was full (enlarge it with -b)$/\1/p' "$T/lost.err")
[ "${lost:-0}" -gt 1000 ] && echo "ok: $lost lost" || fail "lost: $(cat "$T/lost.err")"
same 'counted and lost packets add up' 20000 $(($(counted lost sent) + ${lost:-0}))

# If the interface disappears, the run ends and prints its results.
veth here vx there vy
dt_start gone -r vx -n 'END { printf("end\n"); }'
ip -n here link del vx
dt_wait gone
same 'interface that disappears: exit status 1' 1 $?
grep -q '^end$' "$T/gone.out" && grep -q '^dtrace: failed to read the interface vx: ' "$T/gone.err" && echo 'ok: gone' ||
	fail "gone: $(cat "$T/gone.out" "$T/gone.err")"

# -r INTERFACE needs CAP_NET_RAW only, and no BPF capability.
only() { in_ns here setpriv --reuid 65534 --clear-groups --inh-caps "-all$1" --ambient-caps "-all$1" --bounding-set "-all$1" "$real" -qr va -x duration=300ms -n 'tick-100ms { n++; } END { printf("%d\n", n > 0); }'; }
chmod 755 "$T"
if in_ns here setpriv --reuid 65534 "$real" -V >/dev/null 2>&1; then
	same 'dtrace needs no capability but CAP_NET_RAW' 1 "$(only ,+net_raw 2>&1 | head -n 1)"
	only '' >"$T/without" 2>&1
	same 'without CAP_NET_RAW: exit status 1' 1 $?
	grep -q '^dtrace: failed to read the interface va: .*: reading an interface needs cap_net_raw, or root$' "$T/without" && echo 'ok: without' || fail "without: $(cat "$T/without")"
fi

# If a file has the name of an interface, dtrace reads the file. If neither exists, the message says
# so.
cp tests/pcap/udp.pcap "$T/va"
top=$PWD
same 'a file with the name of an interface is read' "$("$real" -qr tests/pcap/udp.pcap -n 'ip:::send { @ = count(); }')" \
	"$(cd "$T" && "$DTRACE" -qr va -n 'ip:::send { @ = count(); }')"
cd "$top" || exit 1
message() { # message WANTED ARGS...
	local want=$1
	shift
	"$DTRACE" -q "$@" -n BEGIN >"$T/message" 2>&1
	same 'the status' 1 $? ''
	same "$*" "dtrace: $want" "$(cat "$T/message")" ''
}
message 'failed to open nosuch0: No such file or directory, and no such interface' -r nosuch0
message "failed to set -x filter: can't parse filter expression: syntax error" -r va -x filter='tcp port'
message 'failed to set -x promisc: it applies to a single interface, not to -r any' -r any -x promisc
message 'failed to set -x promisc: it applies to -r INTERFACE only' -x promisc
message 'failed to set -x promisc: it applies to -r INTERFACE only' -r tests/pcap/udp.pcap -x promisc
finish
