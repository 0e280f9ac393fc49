#!/bin/bash
# pktway: 1,000 datagrams through tbf, veth, a bridge and htb. Each datagram passes each step (a
# probe) once. The captures at both ends have the same datagrams. For TCP with segmentation and GRO,
# all steps have the same number of bytes, and each piece names the packet that it was cut from. For
# a dropped packet, the last step has the reason.
. "$(dirname "$0")/../lib.bash"
need python3 tc tcpdump ethtool
script=$(realpath "$LIVE/../../scripts")/pktway.d
N=${PACKETS:-1000} # number of datagrams, and of TCP's sends

ns c b s
veth c vc b bc
veth b bs s vs
ip -n b link add name sw type bridge || skip 'this kernel has no bridge'
ip -n b link set sw up
ip -n b link set bc master sw
ip -n b link set bs master sw
addr c vc 10.189.0.1/24
addr s vs 10.189.0.2/24
in_ns c tc qdisc add dev vc root tbf rate 400mbit burst 100000 limit 4000000 || skip 'this kernel has no tbf'
limited='tbf'
in_ns b tc qdisc add dev bs root handle 1: htb default 1 2>/dev/null &&
	in_ns b tc class add dev bs parent 1: classid 1:1 htb rate 400mbit quantum 10000 && limited='htb'

cat >"$T/talk.py" <<'END'
import ctypes
import os
import socket
import sys
import time

name, n = sys.argv[1], int(sys.argv[2])
ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
here = "10.189.0.2"
if name == "udpread":
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE
    u.bind((here, 7950))
    print("listening", flush=True)
    while not os.path.exists(sys.argv[3]):
        time.sleep(0.02)
    for i in range(n):
        u.recv(2000)
    print("read", flush=True)
elif name == "tcpread":
    with socket.create_server((here, 7951)) as l:
        print("listening", flush=True)
        c, _ = l.accept()
        n = 0
        while True:
            d = c.recv(100000)
            if not d:
                break
            n += len(d)
        print(n, flush=True)
elif name == "udpsend":
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for i in range(n):
        u.sendto(b"u" * (100 + i), (here, int(sys.argv[3])))
        if i % 20 == 19:
            time.sleep(0.01)
else:
    c = socket.create_connection((here, 7951))
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for i in range(n):
        c.send(b"t" * (3000 + i))
        if i % 20 == 19:
            time.sleep(0.01)
END
talk() { in_ns c python3 "$T/talk.py" "$@"; }
talk udpsend 1 7959 # the neighbours learn each other
settled c s

# ways NAME: prints each sequence of steps and devices, with the number of packets that took it
ways() {
	awk '$1 ~ /^[0-9]+[.][0-9]+$/ && $4 != ">" { way[$1] = way[$1] $3 ":" $4 " " }
		END { for (p in way) n[way[p]]++; for (w in n) print n[w], w }' "$T/$1.out" | sed 's/ $//' | sort
}
# but_free NAME: as ways, without the last step of packets that the kernel frees after the socket.
# The kernel may free the last of them after the run.
but_free() {
	ways "$1" | sed 's/ free:-$//' | awk '{ n = $1; $1 = ""; all[$0] += n } END { for (w in all) print all[w] w }'
}
# sum NAME STEP DEVICE: prints the bytes of that step at that device
sum() {
	awk -v step="$2" -v dev="$3" '$4 != ">" && $3 == step && $4 == dev { n += $7 } END { print n + 0 }' "$T/$1.out"
}

# ---------------------------------------------------------------------- UDP

background udpread s python3 "$T/talk.py" udpread $N "$T/go" || finish
sniff c
sniff s
dt_start udp -x footer -s "$script" -x port=7950
talk udpsend $N 7950
settled c s
: >"$T/go"
served udpread >/dev/null
dt_stop udp
sniff_end c
sniff_end s
lossless udp
same 'both captures have all datagrams and no others' "$N $N" "$(tcpdump -nr "$T/c.pcap" outbound and udp port 7950 2>/dev/null | wc -l) $(tcpdump -nr "$T/s.pcap" inbound and udp port 7950 2>/dev/null | wc -l)"
way='send:vc queue:vc dequeue:vc start-xmit:vc backlog:bc rx:bc queue:bs'
[ $limited = tbf ] || way+=' dequeue:bs'
way+=' start-xmit:bs backlog:vs rx:vs receive:vs read:-'
same 'each datagram takes each step once' "$N $way" "$(but_free udp)"
bytes=$((N * 100 + (N - 1) * N / 2))
same 'bytes of the datagrams are the same at send, rx and read' "$bytes $bytes $bytes" "$(sum udp send vc) $(sum udp rx vs) $(sum udp read -)"
same 'datagrams name their sender and their reader' 'udpread udpsend' "$(awk '$3 == "send" || $3 == "read" { print $8 }' "$T/udp.out" | sort -u | xargs)"
same 'dequeue names each queueing discipline' "$limited tbf" "$(awk '$3 == "dequeue" { print $8 }' "$T/udp.out" | sort -u | xargs | sed 's/^tbf$/tbf tbf/')"

if [ -z "${IN_VM:-}" ]; then # the emulated verifier takes 15 s for the script
	dt_start tenth -x footer -s "$script" 10 -x port=7960
	talk udpsend 200 7960
	settled c s
	dt_stop tenth
	same 'pktway 10 follows one in ten datagrams to a closed port' 20 "$(awk '$3 == "drop" && $8 == "NO_SOCKET"' "$T/tenth.out" | wc -l)"
	same 'the last step of each of these datagrams is the drop' 1 "$(ways tenth | grep -v 'send:vs' | awk '{ print ($NF == "drop:vs") }' | sort -u)"
fi

# ---------------------------------------------------------------------- TCP

# veth passes large packets on, unless TSO is off. With TSO off, GRO merges the segments at the
# other end.
in_ns c ethtool -K vc tso off >/dev/null
in_ns b ethtool -K bs tso off >/dev/null
in_ns b ethtool -K bc gro on >/dev/null 2>&1
in_ns s ethtool -K vs gro on >/dev/null 2>&1
# Before Linux 6.14, an interrupt may fire a probe while the probe's program runs. dtrace counts
# this firing as missed, and the steps are not complete.
for try in 1 2 3; do
	background tcpread s python3 "$T/talk.py" tcpread 0 || finish
	dt_start tcp -b 32m -x footer -s "$script" -x port=7951
	talk tcpsend $N
	settled c s
	got=$(served tcpread)
	dt_stop tcp
	[ "$(footer tcp 'probe firings missed')" != 0 ] || break
done
lossless tcp
all=$(sum tcp send vc)
same 'TCP: the read steps have all bytes' "$((3000 * N + (N - 1) * N / 2)) $got" "$got $(sum tcp read -)"
# TCP drops retransmitted data that it has received before.
same 'TCP: sent bytes equal read bytes and dropped bytes' "$all" "$((got + $(sum tcp drop -) + $(sum tcp drop vs)))"
for step in queue:vc dequeue:vc start-xmit:vc rx:bc queue:bs start-xmit:bs rx:vs receive:vs; do
	same "TCP: all sent bytes pass the step $step" "$all" "$(sum tcp ${step%:*} ${step#*:})"
done
# Each packet with more than one segment is cut, and each piece names the packet.
same 'TCP: each packet of several segments is cut, and each piece names its packet' '1 1' "$(awk -v least=$((N / 20)) '$3 == "free" && $8 == "cut" { cut[$1] = 1 } $4 == ">" && $6 == "of" { pieces[$7]++ }
	END { for (p in pieces) { n++; if (!cut[p] || pieces[p] < 2) bad = 1 } print (n > least), !bad }' "$T/tcp.out")"
if grep -q ' gro  *vs ' "$T/tcp.out"; then
	same 'TCP: all bytes pass GRO in the bridge and at the receiver' "$all $all" "$(sum tcp gro bc) $(sum tcp gro vs)"
	same 'TCP: GRO merges segments' 1 "$(awk -v least=$((N / 20)) '$3 == "merged" && $8 == "with" { n++ } END { print (n > least) }' "$T/tcp.out")"
else
	echo 'this kernel has no GRO for veth'
fi

# ------------------------------------------------------------ one namespace

# Datagrams go in both directions in batches. The kernel may give an incoming packet the address of
# an earlier packet that was sent. The earlier packet ends in the other namespace, where the script
# does not see it.
cat >"$T/bats.py" <<'END'
import socket
import sys

here, there, n = "10.189.0." + sys.argv[1], "10.189.0." + sys.argv[2], int(sys.argv[3])
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind((here, 7952))
print("listening", flush=True)
for i in range(n):
    if sys.argv[1] == "1":
        for k in range(50):
            u.sendto(b"x" * 100, (there, 7952))
    for k in range(50):
        u.recv(1000)
    if sys.argv[1] == "2":
        for k in range(50):
            u.sendto(b"x" * 200, (there, 7952))
END
if [ -z "${IN_VM:-}" ]; then
	background bat s timeout 60 python3 "$T/bats.py" 2 1 $((N / 100)) || finish
	dt_start one -b 32m -x footer -s "$script" -x netns=c -x port=7952
	in_ns c timeout 60 python3 "$T/bats.py" 1 2 $((N / 100)) >"$T/bats" || fail 'the batches failed'
	settled c s
	dt_stop one
	lossless one
	# On some kernels the packet still has c's socket at the bridge, and takes steps there.
	same 'datagrams that leave and that come are different packets' "come $((N / 2)) leave $((N / 2))" \
		"$(but_free one | awk '{ kind = $2 == "send:vc" && !/receive/ ? "leave" : $2 !~ /^send/ && $(NF - 1) == "receive:vc" ? "come" : $0
			n[kind] += $1 } END { for (k in n) print k, n[k] }' | sort | xargs)"
fi

# -------------------------------------------------------------------- drops

in_ns c tc qdisc del dev vc root
in_ns c tc qdisc add dev vc root tbf rate 100kbit burst 1600 limit 2000
background dropread s python3 "$T/talk.py" udpread 1000 "$T/never" || finish
dt_start drops -x footer -s "$script" -x port=7950
talk udpsend 200 7950
settled c s
sleep 0.5
dt_stop drops
lossless drops
lost=$(in_ns c tc -s qdisc show dev vc | sed -n 's/.*dropped \([0-9]*\).*/\1/p' | head -n 1)
same 'packets that the queueing discipline drops end with a drop' "$lost" "$(ways drops | awk '$NF == "drop:vc" { print $1 }')"
same 'the queueing discipline drops several packets' 1 $((lost > 5))
same 'drops in a queueing discipline have a reason that begins with QDISC_' 1 "$(awk '$3 == "drop" && $4 == "vc" { print ($8 ~ /^QDISC_/) }' "$T/drops.out" | sort -u)"

[ -n "${IN_VM:-}" ] || same 'pktway 0 prints the usage' 'usage: dtrace pktway [EVERY]' "$("$DTRACE" -s "$script" 0)"
finish
