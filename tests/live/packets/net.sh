#!/bin/bash
# The net provider: queue, dequeue, start-xmit, xmit-done and rx fire once for each packet, with its
# queue, queueing discipline and length. Also tests drops of a queueing discipline, a neighbour that
# does not answer, and routes with gateway, device and error.
. "$(dirname "$0")/../lib.bash"
need python3 tc

pair c s 10.182.0 fd82:5c
ns=$(inum c) far=$(inum s)
cat >"$T/send.py" <<'END'
import socket
import sys
import time

u = socket.socket(socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET, socket.SOCK_DGRAM)
u.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 77)
for i in range(int(sys.argv[2])):
    u.sendto(b"n" * int(sys.argv[3]), (sys.argv[1], 7920))
    time.sleep(float(sys.argv[4]))
time.sleep(float(sys.argv[5]) if len(sys.argv) > 5 else 0)
END
send() { in_ns c python3 "$T/send.py" "$@"; }
# shellcheck disable=SC2016
WAY='
net:::queue, net:::dequeue, net:::start-xmit
/args[3]->if_ipstack == '$ns' && args[3]->if_name == "vc" && args[4]->net_protocol == 0x0800/ {
	@[probename, args[2]->ip_daddr, args[4]->net_qdisc, args[4]->net_queue, args[4]->net_length] = count();
	@owner[probename, args[1]->cs_execname] = count();
}
net:::start-xmit /args[3]->if_ipstack == '$ns' && args[4]->net_protocol == 0x0800/ { mine[args[0]->pkt_addr] = 1; }
net:::xmit-done /mine[args[0]->pkt_addr]/ {
	mine[args[0]->pkt_addr] = 0;
	@done[args[3]->if_name, args[4]->xmit_result, args[4]->xmit_length, args[0]->pkt_age] = count();
}
net:::rx /args[3]->if_ipstack == '$far' && args[4]->net_protocol == 0x0800/ {
	@rx[args[3]->if_name, args[2]->ip_saddr, args[4]->net_length, args[0]->pkt_age > 0 && args[0]->pkt_age < 1000000000] = count();
}
net:::queue, net:::backlog, net:::rx /args[4]->net_protocol == 0x0800 && args[2]->ip_saddr == "10.182.0.1"/ {
	@data[probename, args[3]->if_name, args[4]->net_data, args[4]->net_mark, args[4]->net_segments < 2] = count(); at[args[0]->pkt_addr] = 1; }
net:::free /at[args[0]->pkt_addr]/ { at[args[0]->pkt_addr] = 0; @free = count(); }
END {
	printa("data %s %s %d %d %d %@d\n", @data); printa("free %@d\n", @free);
	printa("%s %s %s %d %d %@d\n", @); printa("owner %s %s %@d\n", @owner);
	printa("done %s %d %d %d %@d\n", @done); printa("rx %s %s %d %d %@d\n", @rx);
}'
send 10.182.0.2 1 10 0 # the neighbours learn each other
settled c s
dt_start plain -x footer -n "$WAY"
send 10.182.0.2 7 100 0.01
settled c s
dt_stop plain
lossless plain
lines() { grep -E "^($2) " "$T/$1.out" | sort; }
# 100 bytes of data, 8 of UDP, 20 of IP, 14 of Ethernet. Without a discipline nothing is dequeued.
same 'a device without a queueing discipline: probes of a packet' "done vc 0 142 0 7
owner queue python3 7
owner start-xmit python3 7
queue 10.182.0.2 noqueue 0 142 7
rx vs 10.182.0.1 128 1 7
start-xmit 10.182.0.2 noqueue 0 142 7" "$(lines plain 'queue|dequeue|start-xmit|done|rx|owner')" ''

same 'bytes of data, and the mark of the packet' "data backlog vs 100 0 1 7
data queue vc 100 77 1 7
data rx vs 100 0 1 7
free 7" "$(lines plain 'data|free')" ''

in_ns c tc qdisc add dev vc root tbf rate 100mbit burst 100000 latency 1s
dt_start fast -x footer -n "$WAY"
send 10.182.0.2 9 200 0.01
settled c s
dt_stop fast
lossless fast
same 'a device with tbf: probes of a packet' "dequeue 10.182.0.2 tbf 0 242 9
done vc 0 242 0 9
owner dequeue python3 9
owner queue python3 9
owner start-xmit python3 9
queue 10.182.0.2 tbf 0 242 9
rx vs 10.182.0.1 228 1 9
start-xmit 10.182.0.2 tbf 0 242 9" "$(lines fast 'queue|dequeue|start-xmit|done|rx|owner')" ''

# The device has several queues, but one discipline, which gives the device up to eight packets at
# once. The test sends six packets, and five of them wait in the discipline. Then it raises the
# rate, and a seventh packet makes the discipline send all packets.
ip link add qc netns c numtxqueues 4 type veth peer name qs netns s numrxqueues 4
ip -n c link set qc up
ip -n s link set qs up
addr c qc 10.186.0.1/24
addr s qs 10.186.0.2/24
in_ns c python3 "$T/send.py" 10.186.0.2 1 10 0
settled c s
dt_start chain -x footer -n 'net:::dequeue /args[3]->if_ipstack == '"$ns"' && args[3]->if_name == "qc" && args[2]->ip_ver == 4/ {
	@[args[2]->ip_daddr, args[4]->net_length, args[1]->cs_execname] = count(); @n = count(); }
rawtp:::qdisc_dequeue /args[3] != NULL && stringof(args[1]->dev->name) == "qc"/ { @most = max(args[2]); }
END { printa("%s %d %s %@d\n", @); printa("packets %@d\n", @n); printa("at once %@d\n", @most); }'
in_ns c tc qdisc add dev qc root tbf rate 8kbit burst 1600 limit 100000
send 10.186.0.2 6 1400 0 3 &
for ((i = 0; i < 200; i++)); do
	in_ns c tc -s qdisc show dev qc | grep -q ' 5p ' && break
	sleep 0.05
done
in_ns c tc qdisc change dev qc root tbf rate 100mbit burst 100000 limit 100000
send 10.186.0.2 1 1400 0 0.5
wait $!
settled c s
dt_stop chain
lossless chain
same 'a discipline that gives several packets at once: packets and their owner' '10.186.0.2 1442 python3 7' "$(lines chain '10\.[0-9.]*')"
same 'several packets are dequeued at once' 1 "$(awk '/^at once/ { print ($3 > 1) }' "$T/chain.out")"

# -------------------------------------------------------------------- drops

in_ns c tc qdisc replace dev vc root tbf rate 100kbit burst 1600 limit 3000
dt_start drops -x footer -n 'net:::drop /args[3]->if_ipstack == '"$ns"' && args[4]->net_protocol == 0x0800/ {
	@[args[3]->if_name, args[2]->ip_daddr, args[5]->drop_reason != "<unknown>"] = count(); }
net:::queue /args[3]->if_ipstack == '"$ns"' && args[4]->net_qdisc == "tbf"/ { @all = count(); }
net:::start-xmit /args[3]->if_ipstack == '"$ns"' && args[4]->net_qdisc == "tbf"/ { @sent = count(); }
END { printa("%s %s %d %@d\n", @); printa("all %@d\n", @all); printa("sent %@d\n", @sent); }'
send 10.182.0.2 20 1000 0
settled c s
sleep 1
dt_stop drops
lost=$(in_ns c tc -s qdisc show dev vc | sed -n 's/.*dropped \([0-9]*\).*/\1/p' | head -n 1)
same 'packets that the queueing discipline drops' "vc 10.182.0.2 1 $lost" "$(lines drops vc)"
same 'the discipline drops some packets, and the driver gets the others' 1 \
	"$(awk -v lost="$lost" '$1 == "all" { a = $2 } $1 == "sent" { s = $2 } END { print (lost > 5 && a == s + lost) }' "$T/drops.out")"
in_ns c tc qdisc del dev vc root

# --------------------------------------------------------------- neighbours

dt_start neigh -x footer -n 'net:::neigh-failed /args[3]->if_ipstack == '"$ns"'/ {
	@[args[3]->if_name, args[2]->ip_daddr, args[5]->drop_reason] = count(); }
END { printa("failed %s %s %s %@d\n", @); }'
send 10.182.0.77 2 100 0 5
dt_stop neigh
same 'a neighbour that does not answer' 'failed vc 10.182.0.77 NEIGH_FAILED 2' "$(lines neigh failed)"

# ------------------------------------------------------------------- routes

in_ns c ip route add 10.183.0.0/16 via 10.182.0.2
in_ns c ip route add unreachable 10.184.0.0/16
in_ns c ip -6 route add fd83::/64 via fd82:5c::2
dt_start routes -x footer -n 'net:::route /execname == "asker"/ {
	printf("%d %s %d %s %s %d\n", args[2]->ip_ver, args[2]->ip_daddr, args[4]->route_table, args[4]->route_gateway, args[3]->if_name, args[4]->route_error); }'
in_ns c python3 -c 'import ctypes, socket
ctypes.CDLL(None).prctl(15, b"asker", 0, 0, 0)
for host in "10.183.0.5", "10.184.0.5", "10.185.0.5", "fd83::5":
    u = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        u.connect((host, 9))
    except OSError as e:
        print(host, e)' >/dev/null
sleep 0.5
dt_stop routes
lossless routes
same 'a route by a gateway' '10.182.0.2 vc 0' "$(awk '$2 == "10.183.0.5" && $NF == 0 { print $4, $5, $6 }' "$T/routes.out" | sort -u)"
same 'a route by a gateway, IPv6' 'fd82:5c::2 vc 0' "$(awk '$2 == "fd83::5" && $4 ~ /:/ { print $4, $5, $6 }' "$T/routes.out" | sort -u)"
same 'errno of a route to an unreachable network' 113 "$(awk '$2 == "10.184.0.5" { print $NF }' "$T/routes.out" | grep -v '^11$' | sort -u)"
same 'errno if there is no route' 11 "$(awk '$2 == "10.185.0.5" { print $NF }' "$T/routes.out" | sort -u)"
finish
