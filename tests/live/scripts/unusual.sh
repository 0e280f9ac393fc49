# Connections that begin and end in unusual ways: restored sockets, TCP Fast Open whose handshake
# never ends, SYNs with data that are refused, ICMP errors, a socket that connects again after a
# failure, a socket that listens without bind(2). Compares the lines of the scripts with the actions
# of the processes. A peer of raw packets plays the hosts without a kernel.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

pair c s 10.187.0 fd87
# Hosts that only raw packets play: .3 is beside the server, .4 beside the client, .9 is absent.
for a in 3 9; do ip -n c neigh replace 10.187.0.$a lladdr "$(mac s vs)" nud permanent dev vc; done
ip -n s neigh replace 10.187.0.4 lladdr "$(mac c vc)" nud permanent dev vs
in_ns s sysctl -qw net.ipv4.tcp_fastopen=1539 # Fast Open without a cookie, for all listeners that ask for it
in_ns c sysctl -qw net.ipv4.tcp_fastopen=5    # and for clients
unlimited s
FIREWALL=1
command -v nft >/dev/null && in_ns s nft -f - <<'END' || FIREWALL=0
table inet odd {
	chain in {
		type filter hook input priority 0;
		ip daddr 10.187.0.2 tcp dport 8001 reject with icmp type port-unreachable
		ip daddr 10.187.0.2 tcp dport 8002 reject with icmp type admin-prohibited
		ip6 daddr fd87::2 tcp dport 8001 reject with icmpv6 type port-unreachable
	}
}
END

cat >"$T/raw.py" <<'END'
# raw.py: segments of TCP from and to a packet socket
import socket, struct
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
def checksum(b):
    b += b"\0" * (len(b) % 2)
    n = sum(struct.unpack("!%dH" % (len(b) // 2), b))
    while n >> 16:
        n = (n & 0xffff) + (n >> 16)
    return ~n & 0xffff
class Raw:
    def __init__(self, dev, own, mac):
        self.own, self.to = socket.inet_aton(own), bytes.fromhex(mac.replace(":", ""))
        self.s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
        self.s.bind((dev, 0))
        self.s.settimeout(3)
    def send(self, dst, sport, dport, flags, seq, ack=0, data=b"", options=b""):
        dst = socket.inet_aton(dst)
        t = struct.pack("!HHIIBBHHH", sport, dport, seq, ack, (5 + len(options) // 4) << 4, flags, 65000, 0, 0) + options + data
        c = checksum(self.own + dst + struct.pack("!HH", 6, len(t)) + t)
        t = t[:16] + struct.pack("!H", c) + t[18:]
        h = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(t), 1, 0x4000, 64, 6, 0) + self.own + dst
        h = h[:10] + struct.pack("!H", checksum(h)) + h[12:]
        self.s.send(self.to + self.s.getsockname()[4] + b"\x08\x00" + h + t)
    def receive(self):
        """Returns sport, dport, flags, seq, ack and the length of the data of the next segment to this address."""
        while True:
            p = self.s.recv(65535)
            if len(p) < 54 or p[23] != 6 or p[30:34] != self.own:
                continue
            t = p[34:14 + struct.unpack("!H", p[16:18])[0]]
            sport, dport, seq, ack, off, flags = struct.unpack("!HHIIBB", t[:14])
            return sport, dport, flags, seq, ack, len(t) - (off >> 4) * 4
END
cat >"$T/server.py" <<'END'
import os, socket, sys, threading, time
open("/proc/self/comm", "w").write("a-server")
def listener(port, fast=False):
    l = socket.socket()
    l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if fast:
        l.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 5)
    l.bind(("10.187.0.2", port))
    l.listen(5)
    return l
# Each accepts one connection in SYN_RECEIVED, before the handshake has ended.
def closes(l):              # answers and closes
    a = l.accept()[0]
    a.recv(5000)
    a.send(b"r" * 700)
    a.close()
def keeps(l):               # answers, and keeps the connection open
    global kept
    kept = l.accept()[0]
    kept.recv(5000)
    kept.send(b"r" * 300)
def echoes(l):
    a = l.accept()[0]
    while a.recv(5000):
        pass
    a.close()
for port, what in ((8090, closes), (8091, keeps), (8092, echoes)):
    threading.Thread(target=what, args=(listener(port, True),), daemon=True).start()
threading.Thread(target=echoes, args=(listener(7801),), daemon=True).start()
unbound = socket.socket()
unbound.listen(3)
unbound.listen(4)
print("unbound", unbound.getsockname()[1], flush=True)
bound = [socket.socket(), socket.socket()]
for b in bound:
    b.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    b.bind(("10.187.0.2", 7999))
bound[0].listen(1)
try:
    bound[1].listen(2)
    print("the second socket listens, too")
except OSError:
    pass
print("listening", flush=True)
time.sleep(600)
END
cat >"$T/refuser.py" <<'END'
# 10.187.0.3: answers a SYN with a reset that acknowledges its data.
import sys
sys.path.insert(0, sys.argv[1])
from raw import *
r = Raw("vs", "10.187.0.3", sys.argv[2])
r.s.settimeout(60)
print("listening", flush=True)
sport, dport, flags, seq, ack, n = r.receive()
r.send("10.187.0.1", dport, sport, RST | ACK, 0, seq + 1 + n)
print("data in the SYN", n)
END
cat >"$T/client.py" <<'END'
import socket, sys, time
sys.path.insert(0, sys.argv[1])
from raw import *
REPAIR, QUEUE, SEQ = 19, 20, 21
def fail(s, to):
    try:
        s.connect(to)
        print("connected to", to)
    except OSError as e:
        print("failed", to[0], to[1], e.errno)
# Two sockets that are restored as the ends of one connection.
def restored(here, there, sent, received):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.setsockopt(socket.IPPROTO_TCP, REPAIR, 1)
    s.bind(("10.187.0.1", here))
    for queue, seq in ((2, sent), (1, received)):
        s.setsockopt(socket.IPPROTO_TCP, QUEUE, queue)
        s.setsockopt(socket.IPPROTO_TCP, SEQ, seq)
    s.connect(("10.187.0.1", there))
    return s
a, b = restored(7105, 7104, 1000, 2000), restored(7104, 7105, 2000, 1000)
for s in a, b:
    s.setsockopt(socket.IPPROTO_TCP, QUEUE, 0)
    s.setsockopt(socket.IPPROTO_TCP, REPAIR, 0)
a.sendall(b"q" * 100)
n = 0
while n < 100:
    n += len(b.recv(1000))
a.close()
time.sleep(.2)
b.close()
# ICMP errors.
for to in ("10.187.0.2", 8001), ("10.187.0.2", 8002):
    fail(socket.socket(), to)
fail(socket.socket(socket.AF_INET6), ("fd87::2", 8001))
# A socket connects again after a failure.
s = socket.socket()
fail(s, ("10.187.0.2", 7802))
s.connect(("10.187.0.2", 7801))
s.sendall(b"x" * 10)
s.close()
# Data in a SYN that is refused.
s = socket.socket()
try:
    s.sendto(b"d" * 1300, socket.MSG_FASTOPEN, ("10.187.0.3", 81))
except ConnectionRefusedError:
    print("refused with data")
s.close()
# Fast Open to the server. No acknowledgement ends the handshakes with ports 8090 and 8091.
r = Raw("vc", "10.187.0.4", sys.argv[2])
def fast(sport, dport, n):
    """Sends a SYN with n bytes. Returns the sequence number after the answer's data."""
    r.send("10.187.0.2", sport, dport, SYN, 5000, 0, b"D" * n, b"\x22\x02\x01\x01")
    while True:
        them, us, flags, seq, ack, got = r.receive()
        if (them, us) == (dport, sport) and (got or dport == 8092):
            return seq + got + bool(flags & SYN)
r.send("10.187.0.2", 5557, 8090, RST, 6001, fast(5557, 8090, 1000))
r.send("10.187.0.2", 5558, 8091, RST, 6001, fast(5558, 8091, 1000))
# The handshake with port 8092 ends after accept(2).
seq = fast(5559, 8092, 1000)
time.sleep(.3)
r.send("10.187.0.2", 5559, 8092, ACK, 6001, seq)
time.sleep(.1)
r.send("10.187.0.2", 5559, 8092, ACK | FIN, 6001, seq)
while True:
    them, us, flags, s, ack, got = r.receive()
    if (them, us) == (8092, 5559) and flags & FIN:
        r.send("10.187.0.2", 5559, 8092, ACK, 6002, s + 1)
        break
# A SYN without an outcome.
s = socket.socket()
s.setblocking(False)
s.connect_ex(("10.187.0.9", 7801))
print("done", flush=True)
time.sleep(60)
END

scripts=$PWD/scripts
for s in connaudit tcplife tcpaccept tcpconnlog tcpconnlat acceptlat solisten health; do
	wide=
	case $s in tcpaccept | tcpconnlog) wide=wide ;; esac
	dt_start $s -x footer -x netns=c,s -s "$scripts/$s.d" $wide || finish
done
background server s python3 "$T/server.py" || fail 'no server'
background refuser s python3 "$T/refuser.py" "$T" "$(mac c vc)" || fail 'no peer of raw packets'
setpriv --pdeathsig KILL nsenter --net=/run/netns/c python3 "$T/client.py" "$T" "$(mac s vs)" >"$T/client.out" 2>&1 &
for ((i = 0; i < 1500; i++)); do
	has "$T/client.out" done && break
	pause 0.02
done
has "$T/client.out" done || fail "the client failed: $(cat "$T/client.out")"
pause 0.5
for s in connaudit tcplife tcpaccept tcpconnlog tcpconnlat acceptlat solisten health; do
	dt_stop $s
	lossless $s
done

# Prints the named members of each line of connaudit.
log() {
	awk -v names="$1" '/^start=/ { delete v; for (i = 1; i <= NF; i++) if (split($i, w, "=") == 2) v[w[1]] = w[2]
		n = split(names, a, ","); for (i = 1; i <= n; i++) printf("%s%s", v[a[i]] == "" ? "-" : v[a[i]], i < n ? " " : "\n") }' "$T/connaudit.out" | sort
}
rejected='out refused * 8001 0 0 unreachable/3
out refused * 8001 0 0 unreachable/4
out unreachable * 8002 0 0 unreachable/13'
if [ $FIREWALL = 0 ]; then
	rejected=
	echo 'no firewall here: that part is left out'
fi
sort >"$T/wanted" <<END
out closed 7105 7104 100 0 -
out closed 7104 7105 0 100 -
$rejected
out refused * 7802 0 0 -
in refusal 7802 * 0 0 -
out closed * 7801 10 0 -
in closed 7801 * 0 10 -
out refused * 81 1300 0 -
in reset-by-peer 8090 5557 700 1000 -
in reset-by-peer 8091 5558 300 1000 -
in closed 8092 5559 0 1000 -
END
sed -i '/^$/d' "$T/wanted"
# The kernel chooses the ports above 10000. An ICMP error that comes while connect(2) holds the socket
# has no effect, so the firewall may drop a SYN twice.
log how,verdict,lport,rport,sent,received,icmp | awk '!/dropped/ { for (i = 3; i < 5; i++) if ($i > 10000) $i = "*"; print }' | sort >"$T/got"
same_files 'connaudit' "$T/wanted" "$T/got"
same 'connaudit: the SYN without an outcome' 'still open: 0, SYNs with no outcome: 1' "$(sed -n 's/^attempts: [0-9]*, //p' "$T/connaudit.out")"

same 'tcplife: bytes of restored sockets and of Fast Open' '7104 0 100 7105 100 0 8090 700 1000 8091 300 1000 8092 0 1000' \
	"$(awk 'NF == 8 && $6 ~ /^(7104|7105|809[012])$/ { print $6, $3, $4 }' "$T/tcplife.out" | sort | xargs)"
same 'tcpaccept: connections of Fast Open, once each' '5557 8090 5558 8091 5559 8092' \
	"$(awk '$7 ~ /^809/ { print $5, $7 }' "$T/tcpaccept.out" | sort | xargs)"
same 'tcpconnlat: no line of restored sockets, a line of the others' '7801' \
	"$(awk 'NF == 5 && $4 ~ /^(7104|7105|7801)$/ { print $4 }' "$T/tcpconnlat.out" | xargs)"
same 'tcpconnlog: restored sockets' 'moved 7105 7104 moved 7104 7105' \
	"$(awk '$7 == "moved" { print $7, $8, $10 }' "$T/tcpconnlog.out" | xargs)"
[ $FIREWALL = 0 ] || same 'tcpconnlog: ICMP errors' 'refused 8001 unreachable/3 unreach 8002 unreachable/13 refused 8001 unreachable/4' \
	"$(awk 'NF == 11 { print $7, $10, $11 }' "$T/tcpconnlog.out" | xargs)"
same 'acceptlat: connections that no process has accepted' 0 "$(awk 'NF == 7 && $7 ~ /^(7801|809.)$/ { n += $4 + $5 } END { print n + 0 }' "$T/acceptlat.out")"
same 'health: connections that others refuse, also by ICMP' "$((2 + 2 * FIREWALL))" \
	"$(awk '/^connections that others refuse/ { print $6 }' "$T/health.out")"
unbound=$(sed -n 's/unbound //p' "$T/server.srv")
same 'solisten: the port of a socket that listens without bind, twice' "3 $unbound 4 $unbound" \
	"$(awk -v p="$unbound" '$5 == p { print $4, $5 }' "$T/solisten.out" | xargs)"
same 'solisten: no line of a socket that cannot listen' 1 "$(awk '$5 == 7999' "$T/solisten.out" | wc -l)"
finish
