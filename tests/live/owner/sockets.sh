#!/bin/bash
# Every line of every probe of a connection has the right cs_pid, cs_execname and cs_cid: for
# servers that fork, clients, TCP and UDP, IPv4 and IPv6, sockets made before and after the start.
. "$(dirname "$0")/../lib.bash"
need python3

pair a b 10.9.0 fd09

PORT=5001
PEERS="$LIVE/helpers/peers"

PRINT='printf("%s:%s %d %d %d %d %s %d %d %d\n", FIELDS, args[1]->cs_cid, args[1]->cs_pid,
	args[1]->cs_execname, args[1]->cs_uid, args[1]->cs_netns, pid);'
TCP_FIELDS='probeprov, probename, args[3]->tcps_lport, args[3]->tcps_rport'
# At probes of ip, no argument has ports, so the ports are read from the packet.
PROGRAM="
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established, tcp:::send, tcp:::receive
{ ${PRINT/FIELDS/$TCP_FIELDS} }
tcp:::state-change { ${PRINT/FIELDS/$TCP_FIELDS} }
tcp:::send /args[2]->ip_plength > args[4]->tcp_offset/
{ ${PRINT/FIELDS/${TCP_FIELDS/probename/\"data\"}} }
udp:::send { ${PRINT/FIELDS/probeprov, probename, args[4]->udp_sport, args[4]->udp_dport} }
udp:::receive { ${PRINT/FIELDS/probeprov, probename, args[4]->udp_dport, args[4]->udp_sport} }
ip:::send /args[1]->cs_addr != 0 && (args[4]->ipv4_protocol == 6 || args[4]->ipv4_protocol == 17 ||
	args[5]->ipv6_nexthdr == 6 || args[5]->ipv6_nexthdr == 17)/
{ ${PRINT/FIELDS/probeprov, probename, 0, 0} }
ip:::receive { ${PRINT/FIELDS/probeprov, probename, 0, 0} }"

for name in 4 6; do
	[ $name = 4 ] && to=10.9.0.2 || to=fd09::2
	background "old$name" b "$PEERS" server "$to" $PORT 3
	background "uold$name" b "$PEERS" udpserver "$to" $((PORT + 1))
	mkfifo "$T/go$name"
	background "held$name" a "$PEERS" held "$to" $PORT "$T/go$name"
done

dt_start owner -x footer -b 16m -n "$PROGRAM"
background new4 b "$PEERS" server 10.9.0.2 $((PORT + 10)) 3
background new6 b "$PEERS" server fd09::2 $((PORT + 10)) 3
background unew4 b "$PEERS" udpserver 10.9.0.2 $((PORT + 11))
echo go >"$T/go4"
echo go >"$T/go6"
for to in 10.9.0.2 fd09::2; do
	for port in $PORT $((PORT + 10)); do
		in_ns a timeout 120 "$PEERS" client $to $port 20 >>"$T/clients" &
		in_ns a timeout 120 "$PEERS" client $to $port 20 >>"$T/clients" &
	done
done
in_ns a timeout 120 "$PEERS" udpclient 10.9.0.2 $((PORT + 1)) 20 >>"$T/clients" &
in_ns a timeout 120 "$PEERS" udpclient fd09::2 $((PORT + 1)) 20 >>"$T/clients" &
in_ns a timeout 120 "$PEERS" udpclient 10.9.0.2 $((PORT + 11)) 20 >>"$T/clients" &
for ((i = 0; i < 200; i++)); do
	[ "$(grep -c connected "$T/clients")" = 220 ] && break
	sleep 0.1
done
sleep 0.5
dt_stop owner
lossless owner

cat "$T"/held?.srv "$T/clients" | sed 's/^/client /' >"$T/facts"
cat "$T"/old?.srv "$T"/new?.srv "$T"/uold?.srv "$T"/unew?.srv >>"$T/facts"
echo "namespaces $(inum a) $(inum b)" >>"$T/facts"

# Checks each line by local and remote port, and prints what it counted.
python3 - "$T/facts" "$T/owner.out" >"$T/result" <<'EOF'
import collections
import sys

client, acceptor, listeners, spaces = {}, {}, set(), set()
for line in open(sys.argv[1]):
    w = line.split()
    if w[0] == "client" and w[1] == "connected":
        client.setdefault(w[2], set()).add(w[3])
    elif w[0] == "accepted":
        acceptor.setdefault(w[1], set()).add(w[2])
    elif w[0] == "listening":
        listeners.add(w[1])
    elif w[0] == "namespaces":
        spaces = set(w[1:])
servers = {"5001", "5002", "5011", "5012"}
bad = collections.Counter()
seen = collections.Counter()
cids = collections.defaultdict(set)
owned = {}
names = {"p-client", "p-uclient", "p-held", "p-server", "p-userver", "p-child"}

def wrong(what, line):
    bad[what] += 1
    if bad[what] < 4:
        print("wrong:", what, ":", line.strip())

for line in open(sys.argv[2]):
    w = line.split()
    if len(w) != 9:
        continue
    probe, lport, rport, cid, pid, name, uid, space, current = w
    if probe == "ip:receive":
        # before the socket lookup there is no owner; the interrupted process must not be shown
        seen["ip:receive"] += 1
        if pid != "-1" or name != "<unknown>":
            wrong("ip:receive names somebody", line)
        continue
    if space not in spaces:
        continue
    seen[probe] += 1
    if cid == "0":
        wrong("no cookie", line)
    # a connection in TIME_WAIT has no user
    if uid != "0" and (uid != "4294967295" or probe not in ("tcp:send", "tcp:receive")):
        wrong("user", line)
    if name not in names:
        wrong("name", line)
    if probe == "ip:send":
        if pid == "-1":
            wrong("unknown", line)
        continue
    if lport == "0" or rport == "0":
        if pid == "-1":
            wrong("unknown", line)
        continue
    if lport not in servers:
        seen["client"] += 1
        if pid not in client.get(lport, ()):
            wrong("client", line)
        if probe.startswith("tcp"):
            cids[lport, rport, pid].add(cid)  # IPv4 and IPv6 ports are independent
    elif probe.startswith("udp"):
        seen["udp-server"] += 1
        if pid not in listeners:
            wrong("udp server", line)
    else:
        seen["server"] += 1
        if pid in acceptor.get(rport, ()):
            owned[cid] = pid
        elif pid not in listeners or cid in owned:
            wrong("server", line)
        if probe == "tcp:data" and current in acceptor.get(rport, ()) and pid != current:
            # A process that sends data has called accept(2) before, so it must be the owner. An ACK
            # without data does not show the owner: it may leave while any process is interrupted.
            wrong("sender", line)
for key, s in cids.items():
    if len(s) != 1:
        wrong("one connection, several cookies", "%s %s" % (key, s))
if len(owned) < 160:
    wrong("few accepted", str(len(owned)))
for probe in ("tcp:connect-request tcp:connect-established tcp:accept-established tcp:state-change tcp:send "
              "tcp:receive udp:send udp:receive ip:send ip:receive client server udp-server").split():
    if not seen[probe]:
        wrong("no line", probe)
    print("lines", probe, seen[probe])
print("wrong", sum(bad.values()))
EOF
cat "$T/result"
same "lines that name somebody else" 0 "$(sed -n 's/^wrong //p' "$T/result")"

# The owner of a socket that was open at the start is known from the first event.
ns c
background busy c "$PEERS" busy 127.0.0.1 $PORT
for ((i = 0; i < 10; i++)); do
	timeout 120 "$DTRACE" -qn 'int seen;
		tcp:::send, tcp:::receive, udp:::send, udp:::receive /args[1]->cs_netns == $1/
		{ @[args[1]->cs_pid, args[1]->cs_execname] = count(); seen++; }
		tick-20ms /seen > 100/ { printa("%d %s\n", @); exit(0); }' "$(inum c)" 2>&1
done | grep . | sort | uniq -c | sed 's/^ *//' >"$T/busy.got"
echo "10 $(sed -n 's/listening //p' "$T/busy.srv") p-busy" >"$T/busy.want"
same_files 'owners of sockets that were open at the start' "$T/busy.want" "$T/busy.got"
finish
