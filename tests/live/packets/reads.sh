#!/bin/bash
# Tests tcp:::read, tcp:::write, udp:::read and udp:::write. Each step reads or writes another
# number of bytes, so the number of bytes in an event shows its step. The test compares the time
# that data was queued with the time that the reader slept.
. "$(dirname "$0")/../lib.bash"
need python3

# Each step prints the events that it must cause.
cat >"$T/steps.py" <<'END'
import ctypes
import os
import socket
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
family, host = (socket.AF_INET6, "::1") if sys.argv[1] == "6" else (socket.AF_INET, "127.0.0.1")
add = 1 if sys.argv[1] == "6" else 0        # added to the numbers of bytes
NAP = 0.2


def expect(*what):
    print(os.getpid(), *what, flush=True)


class iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class msghdr(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("namelen", ctypes.c_uint), ("iov", ctypes.POINTER(iovec)),
                ("iovlen", ctypes.c_size_t), ("control", ctypes.c_void_p), ("controllen", ctypes.c_size_t),
                ("flags", ctypes.c_int)]


class mmsghdr(ctypes.Structure):
    _fields_ = [("hdr", msghdr), ("len", ctypes.c_uint)]


def recvmmsg(s, n):
    buf = [ctypes.create_string_buffer(2000) for _ in range(n)]
    iov = (iovec * n)(*[iovec(ctypes.addressof(b), 2000) for b in buf])
    msg = (mmsghdr * n)(*[mmsghdr(msghdr(None, 0, ctypes.pointer(iov[i]), 1, None, 0, 0), 0) for i in range(n)])
    assert libc.recvmmsg(s.fileno(), msg, n, 0, None) == n


# ---------------------------------------------------------------- datagrams
r = socket.socket(family, socket.SOCK_DGRAM)
r.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
r.bind((host, 0))
s = socket.socket(family, socket.SOCK_DGRAM)
s.connect(r.getsockname())


def send(n):
    s.send(b"d" * (n + add))
    expect("udp", "write", n + add, 0)


def sees(n, nap=False, **more):
    expect("udp", "read", n + add, "slept" if nap else "any")


send(110)
r.recv(65536)
sees(110)
send(9120)                                  # the kernel chooses whether the data is linear or in pages
r.recv(65536)
sees(9120)
send(60130)                                 # the data is in pages
r.recv(65536)
sees(60130)
send(140)
os.read(r.fileno(), 65536)
sees(140)
send(150)
assert len(r.recv(10)) == 10                # the rest is discarded
expect("udp", "read", 10, "any")
send(160)
r.recv(65536, socket.MSG_PEEK)
r.recvmsg(65536, 0, socket.MSG_PEEK)
r.recv(65536)
sees(160)
for n in 170, 180, 190:
    send(n)
time.sleep(NAP)
recvmmsg(r, 3)                              # the first waited as long as the last
for n in 170, 180, 190:
    sees(n, nap=True)
send(200)
time.sleep(NAP)
r.recv(65536)
sees(200, nap=True)
try:
    s.send(b"d" * 70000)
except OSError as e:
    expect("udp", "write", 0, e.errno)

# ------------------------------------------------------------- connections
l = socket.create_server((host, 0), family=family)
c = socket.create_connection(l.getsockname()[:2])
c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
a, _ = l.accept()


def put(n):
    c.send(b"t" * (n + add))
    expect("tcp", "write", n + add, 0)


def got(n, nap=False):
    expect("tcp", "read", n + add, "slept" if nap else "any")


put(1100)
a.recv(65536)
got(1100)
put(1110)
a.recv(65536, socket.MSG_PEEK)
a.recvmsg(65536, 0, socket.MSG_PEEK)
a.recv(65536)
got(1110)
put(1120)
os.read(a.fileno(), 65536)
got(1120)
put(1130)
time.sleep(NAP)
a.recv(65536)
got(1130, nap=True)
put(1140)                                   # read in two parts
a.recv(500)
expect("tcp", "read", 500, "any")
a.recv(65536)
got(640)
put(1150)
a.recv(65536, socket.MSG_TRUNC)
if sys.argv[2] != "old":
    expect("tcp", "read", 1150 + add, "unknown")
with open("/etc/services" if os.path.exists("/etc/services") else "/etc/passwd", "rb") as f:
    n = os.sendfile(c.fileno(), f.fileno(), 0, 1160 + add)
expect("tcp", "write", n, 0)
assert len(a.recv(65536)) == n
expect("tcp", "read", n, "any")
pipe = os.pipe()
put(1170)
assert libc.splice(a.fileno(), None, pipe[1], None, ctypes.c_size_t(65536), 0) == 1170 + add    # no probe shows a splice
a.close()
time.sleep(0.1)
for _ in range(2):
    try:
        c.send(b"t")
        expect("tcp", "write", 1, 0)
        time.sleep(0.1)
    except OSError as e:
        expect("tcp", "write", 0, e.errno)
END

age=new
since 6.3 || age=old

# shellcheck disable=SC2016
dt_start events -x footer -n 'tcp:::read, udp:::read /execname == "python3"/ {
	printf("%d %s %s %d %d %d\n", pid, probeprov, probename, args[5]->read_bytes, args[5]->read_queued, args[1]->cs_pid == pid);
}
tcp:::write, udp:::write /execname == "python3"/ {
	printf("%d %s %s %d %d %d\n", pid, probeprov, probename, args[5]->write_bytes, args[5]->write_error, args[1]->cs_pid == pid);
}
tcp:::read /execname == "python3" && args[0]->pkt_addr != 0/ {
	printf("tcp %d %d %d\n", pid, args[2]->ip_ver, args[4]->tcp_dport == args[3]->tcps_lport && args[4]->tcp_sport == args[3]->tcps_rport);
}
udp:::read, udp:::write /execname == "python3"/ {
	printf("udp %d %d\n", pid, args[3]->udps_lport != 0);
}
/*
 * The empty name enables all probes of udp. Where functions cannot be traced, udp:::read computes
 * args[0] in another way than the other probes.
 */
udp::: /args[0]->pkt_addr != 0 && args[1]->cs_execname == "python3"/ { @[probename] = count(); }
END { printa("packet %s\n", @); }'
python3 "$T/steps.py" 4 $age >"$T/steps" || fail 'the script of the steps failed for IPv4'
python3 "$T/steps.py" 6 $age >>"$T/steps" || fail 'the script of the steps failed for IPv6'
sleep 1
dt_stop events
lossless events

pids=$(awk '{ print $1 }' "$T/steps" | sort -u | xargs)
# If the script slept before a read, the data was queued for 0.2 s, or up to 1 s on a busy machine.
awk -v pids="$pids" 'BEGIN { n = split(pids, a); for (i = 1; i <= n; i++) ours[a[i]] = 1 }
	NF == 6 && $1 in ours { $5 = $3 == "write" ? $5 : $4 == 0 || $5 == 0 ? "unknown" : $5 >= 2e8 && $5 <= 1e9 ? "slept" : $5 < 2e8 ? "any" : "wild " $5
		print $1, $2, $3, $4, $5; if (!$6) print "not the owner: " $0 }' "$T/events.out" | sort >"$T/got"
sort -o "$T/steps" "$T/steps"
same_files 'events of each read and write' "$T/steps" "$T/got"
same 'reads of TCP have a header of either IP version' '4 1 6 1' "$(awk -v pids=" $pids " '$1 == "tcp" && NF == 4 && index(pids, " " $2 " ") { print $3, $4 }' "$T/events.out" | sort -u | xargs)"
same 'reads of UDP have ports' '1' "$(awk -v pids=" $pids " '$1 == "udp" && NF == 3 && index(pids, " " $2 " ") { print $3 }' "$T/events.out" | sort -u | xargs)"
same 'probes of udp whose args[0] is a packet' 'packet read packet receive packet send' \
	"$(grep -E '^packet (read|receive|send)$' "$T/events.out" | sort | xargs)"

# ----------------------------------------------------------------- merging

# Two segments, 0.3 seconds apart, become one buffer, which is read 0.2 seconds later.
dt_start merged -n 'tcp:::read /execname == "merger" && args[5]->read_bytes == 300/ { printf("%d\n", args[5]->read_queued); }'
in_merger() {
	python3 -c 'import ctypes, socket, time
ctypes.CDLL(None).prctl(15, b"merger", 0, 0, 0)
l = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(l.getsockname())
a, _ = l.accept()
c.send(b"1" * 100)
time.sleep(0.3)
before = time.monotonic_ns()
c.send(b"2" * 200)
sent = time.monotonic_ns()
time.sleep(0.2)
reads = time.monotonic_ns()
assert len(a.recv(1000)) == 300
print(reads - sent, time.monotonic_ns() - before)'
}
in_merger >"$T/merger"
sleep 0.5
dt_stop merged
queued=$(grep -E '^[0-9]+$' "$T/merged.out")
read -r least most <"$T/merger"
[ "${queued:-0}" -ge "$least" ] && [ "$queued" -le "$most" ] && echo 'ok: time in the queue of merged segments counts from the newest segment' ||
	fail "merged segments were in the queue for ${queued:-no} ns, not for $least to $most ns as the newest segment"
finish
