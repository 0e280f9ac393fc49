#!/bin/bash
# The test makes delays, and netlat shows each in the right stage. The time is within 10 % of the
# time that the processes' clocks and the receiver's kernel show. Delays are made by queueing
# disciplines (tbf, htb, netem, and netem below a VLAN device on a bond), before the queue, by
# pacing (TCP and fq), and by a CPU that is too busy for its softirqs. (In netlat.sh, a sleeping
# reader makes the delay.)
. "$(dirname "$0")/../lib.bash"
need python3 tc
script=$(realpath "$LIVE/../../scripts")/netlat.d

cat >"$T/talk.py" <<'END'
import ctypes
import socket
import struct
import sys
import time

name, here = sys.argv[1:3]
ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)


def now():
    return str(time.time_ns()).encode()


if name == "u-read": # prints how long datagrams were on their way, by the kernel's stamp
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
    u.bind((here, 7990))
    print("listening", flush=True)
    while True:
        data, anc, flags, addr = u.recvmsg(2000, 100)
        s, ns = struct.unpack("qq", anc[0][2])
        if len(data) > 100:
            print("kernel", (s * 10**9 + ns - int(data[:30])) // 1000)
            print("reader", (time.time_ns() - int(data[:30])) // 1000, flush=True)
elif name == "t-read": # prints how long blocks of data were on their way, by its own clock
    l = socket.create_server((here, 7991))
    print("listening", flush=True)
    while True:
        c, _ = l.accept()
        size = int(c.recv(10))
        c.send(b"x")
        while True:
            d = c.recv(size, socket.MSG_WAITALL)
            if len(d) < size:
                break
            print("reader", (time.time_ns() - int(d[:30])) // 1000, flush=True)
elif name == "u-send":
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for i in range(int(sys.argv[3])):
        u.sendto(now().ljust(1200), (here, 7990))
        time.sleep(float(sys.argv[4]))
elif name == "u-hello":
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.sendto(b"h", (here, 7990))
else: # sends n blocks of a size, with a pause before each block; prints how long each call lasts
    n, gap, size, rate = int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6])
    c = socket.create_connection((here, 7991))
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    c.send(str(size).encode())
    c.recv(1)
    if rate:
        c.setsockopt(socket.SOL_SOCKET, 47, rate) # SO_MAX_PACING_RATE
    for i in range(n):
        t = time.time_ns()
        c.send(str(t).encode().ljust(size))
        print("call", (time.time_ns() - t) // 1000, flush=True)
        time.sleep(gap)
END
talk() { in_ns c python3 "$T/talk.py" "$@"; }
stage() { # stage NAME STAGE COMMAND COLUMN: count (5), mean (6) or maximum (7)
	awk -v a="${2% -> *}" -v b="${2#* -> }" -v c="$3" -v n="$4" '$1 == a && $3 == b && $4 == c { print $n }' "$T/$1.out"
}
# mark: from now on, values() ignores the lines that the servers have printed so far
mark() { for f in u t; do marked[$f]=$(wc -l <"$T/$f.srv"); done; }
declare -A marked=()
values() { # values FILE KIND: prints the values in order of size
	tail -n "+$((${marked[$1]:-0} + 1))" "$T/$1${marked[$1]:+.srv}" | awk -v k="$2" '$1 == k { print $2 }' | sort -n
}
mean() { values "$@" | awk '{ s += $1 } END { print NR ? int(s / NR) : 0 }'; }
# near WHAT GOT WANTED: checks that GOT is within 10 % of WANTED, and at least 50 ms
near() {
	same "$1, netlat ${2:-nothing} us, measured $3 us" 1 "$((${2:-0} >= 50000 && ${2:-0} > $3 * 9 / 10 && ${2:-0} < $3 * 11 / 10))" ""
}

# queueing NAME ADDRESS GAP [tcp [SLOWER]]: sends UDP, and TCP if asked, through a discipline that
# delays
queueing() {
	local name=$1 far=$2 gap=$3
	talk u-hello "$far"
	settled c s >/dev/null
	mark
	dt_start "$name" -x footer -x slower="${5:-1ns}" -x port=7990,7991 -s "$script"
	talk u-send "$far" 10 "$gap"
	[ -z "${4:-}" ] || talk t-send "$far" 10 "$gap" 1200 0 >"$T/call"
	settled c s
	dt_stop "$name"
	lossless "$name" >/dev/null
	near "$name: UDP, mean time from the queue to the driver" "$(stage "$name" 'queue -> driver' u-send 6)" "$(mean u kernel)"
	[ -z "${4:-}" ] || near "$name: TCP, mean time from the sender to the driver" "$(stage "$name" 'sender -> driver' t-send 6)" "$(mean t reader)"
	same "$name: no other stage is long" '' "$(short "$name" "queue -> driver|sender -> driver${5:+|socket -> process}")"
}
# short NAME STAGES [US]: prints lines of other stages than STAGES, if their mean exceeds US (15 ms
# by default). With -x slower=, and while programs keep a CPU busy, readers that waited for a CPU
# cause such lines.
short() {
	grep -E '^[a-z]+ -> [a-z]+ +[ut]-' "$T/$1.out" | grep -vE "^($2) " | awk -v us="${3:-15000}" '$6 > us'
}
same() { # the same as in lib.bash, except that WANTED may be empty
	if [ "$2" = "$3" ]; then echo "ok: $1${4-: $2}"; else fail "$1: wanted $2, got $3"; fi
}

pair c s 10.192.0
# The readers have priority. On a busy machine they would otherwise wait for a CPU, which the last
# stage would show.
background u s chrt -f 1 python3 "$T/talk.py" u-read 10.192.0.2 || finish
background t s chrt -f 1 python3 "$T/talk.py" t-read 10.192.0.2 || finish

# -------------------------------------------------------------- disciplines

# A frame takes 62 ms. Frames come faster, so each waits for those before it. The test sends no TCP
# here, because TCP would wait before the queue.
if in_ns c tc qdisc add dev vc root tbf rate 160kbit burst 1600 limit 100000 2>/dev/null; then
	queueing tbf 10.192.0.2 0.02
	in_ns c tc qdisc del dev vc root
fi
if in_ns c tc qdisc add dev vc root handle 1: htb default 1 2>/dev/null; then
	in_ns c tc class add dev vc parent 1: classid 1:1 htb rate 160kbit burst 1600 cburst 1600 quantum 2000
	queueing htb 10.192.0.2 0.02
	in_ns c tc qdisc del dev vc root
fi
if in_ns c tc qdisc add dev vc root netem delay 60ms 2>/dev/null; then
	queueing netem 10.192.0.2 0.2 tcp
	in_ns c tc qdisc del dev vc root
fi

# ----------------------------------------------------------------- senders

# A program delays packets between TCP and the device's queue.
settled c s
mark
dt_start late -x slower=20ms -x port=7991 -s "$script"
dt_start chill -w -n 'tcp:::send /args[4]->tcp_dport == 7991 && args[2]->ip_plength > 1000/ { chill(150000000); }'
talk t-send 10.192.0.2 6 0.4 1200 0 >"$T/call"
settled c s
dt_stop chill
dt_stop late
# On a busy machine some calls last longer, because the process has to wait for a CPU.
near 'sender delayed before the queue: time from the sender to the queue' "$(stage late 'sender -> queue' t-send 6 | awk '{ print $1 }')" "$(values call call | head -n 1)"
same 'sender delayed before the queue: no other stage is long' '' "$(short late 'sender -> queue|sender -> driver|socket -> process' 50000)"

# 40,000 bytes at 200,000 a second take 200 ms.
mark
dt_start paced -x footer -x port=7991 -s "$script"
talk t-send 10.192.0.2 6 0.5 40000 200000 >"$T/call"
settled c s
dt_stop paced
near 'sender paced by TCP: mean time from the process to the sender' "$(stage paced 'process -> sender' t-send 6)" "$(mean t reader)"
same 'sender paced by TCP: no other stage is long' '' "$(short paced 'process -> sender')"

if in_ns c tc qdisc add dev vc root fq 2>/dev/null; then
	mark
	dt_start fq -x footer -x port=7991 -s "$script"
	talk t-send 10.192.0.2 6 0.5 40000 200000 >"$T/call"
	settled c s
	dt_stop fq
	in_ns c tc qdisc del dev vc root
	# The last byte of a block waits in TCP, and then longest in the discipline.
	near 'sender paced by fq: sum of the times from the process to the sender and from the queue to the driver' \
		"$(($(stage fq 'process -> sender' t-send 7) + $(stage fq 'queue -> driver' t-send 7)))" "$(values t reader | tail -n 1)"
	same 'sender paced by fq: no other stage is long' '' "$(short fq 'process -> sender|queue -> driver')"
fi

# ---------------------------------------------------------------- softirqs

# A packet waits in the queue of the CPU while the CPU does something else.
mark
dt_start busy -x port=7990 -s "$script"
dt_start chill -w -n 'net:::xmit-done /args[3]->if_ipstack == '"$(inum c)"' && args[4]->xmit_length > 1000/ { chill(150000000); }'
talk u-send 10.192.0.2 6 0.4
settled c s
dt_stop chill
dt_stop busy
# The last stage, to the process, begins at the socket or already at the device.
late=$(stage busy 'device -> socket' u-read 6)
read=$(stage busy 'socket -> process' u-read 6)
same 'busy CPU: packets wait before they reach the socket' 1 $((${late:-0} > 150000 * 9 / 10 && late < 200000)) ": $late us"
near 'busy CPU: time from the device to the process' $((read > late ? read : late + read)) "$(mean u reader)"
same 'busy CPU: no other stage is long' '' "$(short busy 'device -> socket|socket -> process' 50000)"

# ------------------------------------------- a VLAN device on a bond of two

stacked=
ns a
for n in 1 2; do
	ip link add "a$n" netns a type veth peer name "b$n" netns s
	ip -n s link set "b$n" up
done
ip -n a link add bond0 type bond mode active-backup 2>/dev/null && ip -n a link set a1 master bond0 && ip -n a link set a2 master bond0 &&
	ip -n a link set bond0 up && ip -n s link add name sw type bridge 2>/dev/null && ip -n s link set sw up &&
	ip -n s link set b1 master sw && ip -n s link set b2 master sw && ip -n a link add link bond0 name v5 type vlan id 5 2>/dev/null &&
	ip -n s link add link sw name v5 type vlan id 5 && ip -n a link set v5 up && ip -n s link set v5 up && stacked=1
if [ -n "$stacked" ] && in_ns a tc qdisc add dev a1 root netem delay 60ms 2>/dev/null && in_ns a tc qdisc add dev a2 root netem delay 60ms; then
	addr a v5 10.193.0.1/24
	addr s v5 10.192.0.2/32
	in_ns a ip route add 10.192.0.2/32 dev v5
	in_ns s ip route add 10.193.0.0/24 dev v5
	talk() { in_ns a python3 "$T/talk.py" "$@"; }
	# Packets also pass the queues of the upper devices, in which nothing waits.
	queueing stacked 10.192.0.2 0.2 tcp 20ms
fi
finish
