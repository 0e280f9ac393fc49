#!/bin/bash
# qdisclat shows the mean wait of datagrams in tbf. It is within 10 % of the time that the
# receiver's kernel and the sender's clock show. A large TCP packet that tbf cuts counts as several
# segments. The numbers of packets and drops equal the discipline's own counters.
. "$(dirname "$0")/../lib.bash"
need python3 tc ethtool
script=$(realpath "$LIVE/../../scripts")/qdisclat.d

pair c s 10.190.0
cat >"$T/talk.py" <<'END'
import ctypes
import socket
import struct
import sys
import time

here = "10.190.0.2"
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
if sys.argv[1] == "read":
    u.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
    u.bind((here, 7970))
    print("listening", flush=True)
    while True:
        data, anc, flags, addr = u.recvmsg(2000, 100)
        s, ns = struct.unpack("qq", anc[0][2])
        print((s * 10**9 + ns - int(data[:30])) // 1000, flush=True)
elif sys.argv[1] == "send":
    for i in range(int(sys.argv[2])):
        u.sendto(str(time.time_ns()).encode().ljust(1200), (here, 7970))
elif sys.argv[1] == "sink":
    with socket.create_server((here, 7971)) as l:
        print("listening", flush=True)
        c, _ = l.accept()
        n = 0
        while True:
            d = c.recv(100000)
            if not d:
                break
            n += len(d)
        print(n, flush=True)
else:
    c = socket.create_connection((here, 7971))
    c.send(b"t" * 8688)
    time.sleep(2)
END
talk() { in_ns c python3 "$T/talk.py" "$@"; }
background read s python3 "$T/talk.py" read || finish
talk send 1 # the neighbours learn each other
settled c s
in_ns c tc qdisc add dev vc root tbf rate 400kbit burst 1600 limit 20000 || skip 'this kernel has no tbf'
: >"$T/read.srv"

dt_start udp -x footer -x port=7970 -s "$script"
talk send 30
settled c s
sleep 1
dt_stop udp
lossless udp
lost=$(in_ns c tc -s qdisc show dev vc | sed -n 's/.*dropped \([0-9]*\).*/\1/p')
mean=$(awk 'NF == 1 { n++; sum += $1 } END { print int(sum / n) }' "$T/read.srv")
ns=$(inum c)
row() { awk -v ns="$ns" '$1 == ns && $2 == "vc" && $3 == "tbf" && NF == '"$2"' { print }' "$T/$1.out"; }
read -r _ _ _ packets direct got _ <<<"$(row udp 7)"
same 'number of packets, and none that skips the queueing discipline' "$((30 - lost)) 0" "$packets $direct"
same 'the mean wait is more than 50 ms' 1 $((mean > 50000))
same 'the mean wait is what the receiver'\''s kernel measured' 1 $((got > mean * 9 / 10 && got < mean * 11 / 10)) ": $got us, wanted $mean"
same 'dropped packets, as the queueing discipline counts them' "$lost" "$(row udp 5 | awk '{ n += $5 } END { print n }')"
same 'dropped packets have a reason' '1 1' "$((lost > 5)) $(row udp 5 | awk '{ print ($4 ~ /^QDISC_/) }' | sort -u)"
same 'the histogram has all packets' "$packets" "$(awk '/^vc, tbf/ { on = 1 } /^NETNS/ { on = 0 } on && /[|]/ { n += $NF } END { print n }' "$T/udp.out")"

# tbf cuts the packet of six segments: they leave one after another, 30 ms each.
background sink s python3 "$T/talk.py" sink || finish
dt_start tcp -x footer -x port=7971 -s "$script"
talk flood
settled c s
dt_stop tcp
lossless tcp
read -r _ _ _ packets _ got most <<<"$(row tcp 7)"
same 'TCP: number of segments, and the longest wait' '1 1' "$((packets >= 6)) $((most > 120000 && most < 300000))" ": $packets segments, $most us"

dt_start slow -x slower=10s -s "$script"
talk send 3
settled c s
dt_stop slow
same '-x slower leaves out shorter waits' 0 "$(row slow 7 | wc -l)"

# A packet skips the discipline pfifo_fast if no other packet waits there.
in_ns c tc qdisc replace dev vc root pfifo_fast 2>/dev/null
in_ns c tc qdisc show dev vc | grep -q pfifo_fast && {
	dt_start direct -x footer -x port=7970 -s "$script"
	talk send 10
	settled c s
	dt_stop direct
	same 'an empty discipline is skipped' '10 10' "$(awk -v ns="$ns" '$1 == ns && $3 == "pfifo_fast" { print $4, $5 }' "$T/direct.out")"
}
finish
