# -x filter live: with each of 28 expressions, the same packets pass as in a replay of the same
# traffic.
. "$(dirname "$0")/../lib.bash"
need python3 ping tcpdump ethtool

pair a b 10.9.0 fd09
for n in a b; do
	in_ns $n ethtool -K v$n gro off gso off tso off >/dev/null 2>&1
	[ $n = a ] && o=b || o=a
	for to in 10.9.0 fd09:; do
		[ $o = a ] && host=1 || host=2
		[ $to = fd09: ] && host=:$host || host=.$host
		ip -n $n neigh replace "$to$host" lladdr "$(mac $o v$o)" nud permanent dev v$n
	done
done

# Packets that host b receives. The expressions test headers, fragments and extension headers of
# IPv6.
RECEIVED='ip:::receive /args[2]->ip_daddr == "10.9.0.2" || args[2]->ip_daddr == "fd09::2"/
	{ @n = count(); @bytes = sum(args[2]->ip_plength); }'
received=(
	tcp udp icmp ip6 icmp6 'ip6 and tcp' 'tcp port 80' 'tcp dst port 8080' 'not tcp and not udp'
	'src host 10.9.0.1 and udp' 'net 10.9.0.0/24 and not tcp' 'host fd09::1 and port 80'
	'tcp[tcpflags] & (tcp-syn|tcp-fin) != 0' 'tcp[tcpflags] & tcp-rst != 0'
	'udp portrange 7000-7001' 'ip[6:2] & 0x1fff != 0' 'ip[6:2] & 0x3fff = 0x2000' 'ip6[6] = 44'
	'ip6[6] = 60 and ip6[40] = 17' 'ip[2:2] > 1000 or ip6[4:2] > 1000' 'ip proto 1 or ip6 proto 58'
)
# Packets that the sockets of b receive. The expressions also test bytes that lie in pages outside
# of the linear part of the socket buffer, or partly there.
TAKEN='tcp:::receive, udp:::receive /args[2]->ip_daddr == "10.9.0.2" || args[2]->ip_daddr == "fd09::2"/
	{ @n = count(); @bytes = sum(args[2]->ip_plength); }'
taken=(
	'tcp[((tcp[12] & 0xf0) >> 2):4] = 0x47455420' 'ip6[72:4] = 0x47455420'
	'ip[50:4] & 0xffff = 0x4745' 'not tcp[500] = 0x41' 'tcp[1000:4] = 0x41414141'
	'ip[1499] = 0x41' 'udp[8:4] = 0x68656c6c'
)

i=0
# Other traffic of the machine may have bytes that cannot be read, so only b is traced.
for e in "${received[@]}"; do dt_start "r$((i++))" -x netns=b -x filter="$e" -n "$RECEIVED"; done
i=0
for e in "${taken[@]}"; do dt_start "s$((i++))" -x netns=b -x filter="$e" -n "$TAKEN"; done
dt_start pages -x netns=b -x filter='tcp[1000] = 0x41' -n "$RECEIVED"
nsenter --net=/run/netns/b tcpdump -Uni vb -B 16384 -w "$T/all.pcap" 'ip or ip6' 2>"$T/tcpdump" &
dump=$!
for ((i = 0; i < 600; i++)); do
	grep -qs 'listening on' "$T/tcpdump" && break
	sleep 0.05
done

setpriv --pdeathsig KILL nsenter --net=/run/netns/b python3 -c '
import socket, threading
def serve(s):
    while True:
        c, _ = s.accept()
        try:
            while got := c.recv(65536):
                if got.endswith(b"END"):
                    c.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"B" * 9000)
                    break
        except ConnectionResetError: pass
        c.close()
for f, a in ((socket.AF_INET, "10.9.0.2"), (socket.AF_INET6, "fd09::2")):
    for p in (80, 8080):
        s = socket.socket(f); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((a, p)); s.listen(); threading.Thread(target=serve, args=(s,), daemon=True).start()
    for p in (7000, 7001):
        u = socket.socket(f, socket.SOCK_DGRAM); u.bind((a, p)); globals()[f"u{a}{p}"] = u
print("ready", flush=True)
threading.Event().wait()' >"$T/server" &
for ((i = 0; i < 600; i++)); do
	grep -qs ready "$T/server" && break
	sleep 0.05
done
in_ns a python3 -c '
import socket, struct
for f, a in ((socket.AF_INET, "10.9.0.2"), (socket.AF_INET6, "fd09::2")):
    for p in (80, 8080):
        for n in (10, 2000, 20000):
            s = socket.create_connection((a, p))
            s.sendall(b"GET / HTTP/1.1\r\n\r\n" + b"A" * n + b"END")
            while s.recv(65536): pass
            s.close()
    s = socket.create_connection((a, 80))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close() # sends a reset
    u = socket.socket(f, socket.SOCK_DGRAM)
    for p in (7000, 7001):
        for n in (1, 100, 1200, 5000): u.sendto(b"hello" * n if n < 240 else b"x" * n, (a, p))
    if f == socket.AF_INET6:
        for n in (4, 900): u.sendmsg([b"o" * n], [(41, socket.IPV6_DSTOPTS, bytes(8))], 0, (a, 7000))'
for to in 10.9.0.2 fd09::2; do
	in_ns a ping -qc 3 -i 0.2 $to >/dev/null
	in_ns a ping -qc 2 -i 0.2 -s 4000 $to >/dev/null
done
settled a b
sleep 1
kill -TERM $dump
wait $dump
grep -q '^0 packets dropped' "$T/tcpdump" || fail "tcpdump: $(cat "$T/tcpdump")"

# alike NAME EXPRESSION PROGRAM: stops the run NAME, and checks that it shows what a replay of the
# same traffic shows
alike() {
	local replay
	dt_stop "$1"
	replay=$("$DTRACE" -qr "$T/all.pcap" -x filter="$2" -n "$3" | tr -s ' \n' ' ')
	case $replay in
	*[1-9]*) ;;
	*) fail "$2: nothing passes in replay" ;;
	esac
	same "$2" "$replay" "$(sed '/^READY$/d' "$T/$1.out" | tr -s ' \n' ' ')" ''
	[ -s "$T/$1.err" ] && fail "$2: $(cat "$T/$1.err")"
}
i=0
for e in "${received[@]}"; do alike "r$((i++))" "$e" "$RECEIVED"; done
i=0
for e in "${taken[@]}"; do alike "s$((i++))" "$e" "$TAKEN"; done

# At ip:::receive, dtrace needs two variables of the kernel to find bytes in pages. If the kernel
# hides them, dtrace counts the packets that it could not test.
if grep -q ' vmemmap_base$' /proc/kallsyms; then
	alike pages 'tcp[1000] = 0x41' "$RECEIVED"
else
	dt_stop pages
	grep -Eq '^dtrace: [0-9]+ packets whose header, or a byte that -x filter tests, could not be read$' \
		"$T/pages.err" || fail "unreadable bytes are not counted: $(cat "$T/pages.err")"
fi
finish
