#!/bin/bash
# Each line of health counts the events that the test makes, or has the same count as the kernel's
# counter. The test slows some stages down, and health shows these as slow. Each line names a script
# that exists.
. "$(dirname "$0")/../lib.bash"
need python3 tc
scripts=$(realpath "$LIVE/../../scripts")

pair c s 10.191.0
cat >"$T/talk.py" <<'END'
import ctypes
import socket
import struct
import sys
import time

name = sys.argv[1]
ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
here = "10.191.0.2"
UDP = socket.AF_INET, socket.SOCK_DGRAM
if name == "h-server":
    full = socket.socket(*UDP)
    full.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2000)
    full.bind((here, 7982))
    dns = socket.socket(*UDP)
    dns.bind((here, 53))
    none = socket.create_server((here, 7983), backlog=1)
    l = socket.create_server((here, 7980))
    print("listening", flush=True)
    for i in range(2):
        q, a = dns.recvfrom(1000)
        dns.sendto(q[:2] + struct.pack(">H", 0x8182) + q[4:], a)
    for i in range(3):
        dns.recv(1000, socket.MSG_PEEK) # returns when the third query is here; the client connects next
        time.sleep(0.3)
        c, _ = l.accept()
        c.recv(1, socket.MSG_PEEK)
        time.sleep(0.1)
        c.recv(100)
        c.close()
    time.sleep(1000)
for i in range(3):
    try:
        socket.create_connection((here, 7981))
    except ConnectionRefusedError:
        pass
dns = socket.socket(*UDP)
for i in range(3):
    dns.sendto(struct.pack(">HHHHHH", i, 256, 1, 0, 0, 0) + b"\4host\2go\0" + struct.pack(">HH", 1, 1), (here, 53))
    if i < 2:
        dns.recv(1000)
for i in range(3):
    c = socket.create_connection((here, 7980))
    c.send(b"h" * 100)
    c.recv(1)
u = socket.socket(*UDP)
for i in range(4):
    u.sendto(b"h", (here, 7984))
for i in range(40):
    u.sendto(b"h" * 500, (here, 7982))
u.sendto(b"h", ("10.191.0.77", 7984))
waiting = []
for i in range(4):
    s = socket.socket()
    s.settimeout(0.2)
    s.connect_ex((here, 7983))
    waiting.append(s)
time.sleep(1)
try:
    socket.create_connection(("10.191.0.9", 7980), 1.3)
except OSError:
    pass
END
unlimited s
ip -n c neigh replace 10.191.0.9 lladdr 02:77:00:00:00:99 nud permanent dev vc
background server s python3 "$T/talk.py" h-server || finish
dt_start page -x footer -x addr=10.191.0.0/24 -s "$scripts/health.d"
in_ns c python3 "$T/talk.py" h-client
settled c s
sleep 3 # until the kernel gives up waiting for the neighbour
in_ns c tc qdisc add dev vc root tbf rate 100kbit burst 1600 limit 2000 && in_ns c python3 -c 'import socket
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(20): u.sendto(b"h" * 1000, ("10.191.0.2", 7984))'
settled c s
dt_stop page
lossless page
# line WHAT [FIELD]: prints the second last number, or the field FIELD, of the line that begins with WHAT
line() { awk -v what="$1" -v n="${#1}" 'substr($0, 1, n + 1) == what " " { print $('"${2:-NF - 1}"'); exit }' "$T/page.out"; }
counter() { snmp "$1" | awk -v name="$2" '$1 == name { print $2 }'; }
lost=$(in_ns c tc -s qdisc show dev vc | sed -n 's/.*dropped \([0-9]*\).*/\1/p')
full=$(counter s Udp:RcvbufErrors)
same 'refused connections: by other hosts, and by this host' '3 3' "$(line 'connections that others refuse') $(line 'connections that this host refuses')"
# On a slow machine, an answer to a connection that the client has given up gets a reset, too.
late=$(counter c Tcp:OutRsts)
same 'resets that this host sends, as the kernel counts them' $(($(counter s Tcp:OutRsts) + late)) "$(line 'TCP resets sent')"
same 'resets that this host receives' 3 "$(line 'TCP resets received')"
same 'retransmitted segments, as the kernel counts them' "$(counter c Tcp:RetransSegs)" "$(line 'TCP segments sent again')"
same 'the kernel retransmits some segments' 1 $(($(counter c Tcp:RetransSegs) > 0))
! since 6.2 || same 'connections to a full accept queue' 1 $(($(line 'accept queues full') > 0))
same 'datagrams that are dropped because a socket is full' "$full" "$(line 'UDP datagrams dropped, socket full')"
same 'some datagrams are sent to full sockets' 1 $((full > 0))
same 'packets to closed ports (NO_SOCKET)' $((3 + 4 + 20 - lost + late)) "$(line NO_SOCKET NF)"
same 'all dropped datagrams' $((full + 4 + 20)) "$(line 'UDP datagrams dropped' | awk '{ print $1 - '"$(line NEIGH_FAILED NF)"' }')"
same 'packets that a queueing discipline drops' "$lost" "$(line 'packets dropped, queueing discipline')"
same 'packets to a neighbour that does not answer' 1 "$(line 'packets without an answer from the hop')"
same 'DNS: unanswered questions, and failures' '1 2' "$(line 'DNS questions without an answer') $(line 'DNS answers that are failures')"
# near STAGE LEAST: prints the stage's count, and whether its longest time is at least LEAST and
# less than twice LEAST
near() {
	awk -v what="$1" -v least="$2" -v n="${#1}" 'substr($0, 1, n + 1) == what " " && NF > 4 { print $(NF - 2), ($NF >= least && $NF < least * 2) }' "$T/page.out"
}
same 'count and longest wait in the accept queue' '3 1' "$(near 'accept queue' 280000)"
same 'longest wait from the socket to the process' 1 "$(near 'socket -> process' 380000 | cut -d ' ' -f 2)"
same 'the page shows four other stages' 4 "$(grep -cE '^(device -> socket|sender -> driver|softirq NET_RX|DNS server) ' "$T/page.out")"
same 'the processes that moved most bytes' 2 "$(grep -cE '^h-(client|server) +tcptop +300 ' "$T/page.out")"
named=$(awk '/^WHAT|^DROPPED|^TIME|^MOST/ { at = index($0, "MORE") } { split(substr($0, at), w, " ") } w[1] ~ /^[a-z]/ { print w[1] }' \
	"$T/page.out" | sort -u)
same 'each line names a script that exists' '15 15' "$(wc -w <<<"$named" | xargs) $(for n in $named; do ls "$scripts/$n.d"; done | wc -l)" ": $(xargs <<<"$named")"
timeout 100 "$DTRACE" -s "$scripts/health.d" 1 2 -x addr=10.191.0.77 >"$T/twice"
same 'two intervals without events print two pages of zeros' '2 2' "$(grep -c '^WHAT' "$T/twice") $(grep -cE '^TCP segments sent again +tcpretrans +0 +0$' "$T/twice")"
same 'no line has more than 80 columns' 0 "$(awk 'length > 80' "$T/page.out" "$T/twice" | wc -l)"
finish
