# Segments and datagrams that the kernel uses are not drops: half-closed connections, keep-alives,
# window probes, simultaneous open and close, fragments. A dropped datagram with several fragments
# is one drop.
. "$(dirname "$0")/../lib.bash"
need python3

pair one two 10.78.0 fd78
in_ns two ip link set lo mtu 1500
cat >"$T/connections.py" <<'END'
import socket
import sys
import threading
import time

WRITE, READ = socket.SHUT_WR, socket.SHUT_RD


def connect(family, host, options=()):
    listener = socket.socket(family)
    client = socket.socket(family)
    for s in (listener, client):
        for level, name, value in options:
            s.setsockopt(level, name, value)
    listener.bind((host, 0))
    listener.listen()
    client.connect(listener.getsockname()[:2])
    accepted = listener.accept()[0]
    listener.close()
    return client, accepted


def read_all(s):
    size = 0
    while True:
        data = s.recv(65536)
        if not data:
            return size
        size += len(data)


def sends(s, size):
    thread = threading.Thread(target=lambda: (s.sendall(bytes(size)), s.close()))
    thread.start()
    return thread


def half_closed(family, host, which):
    ends = connect(family, host)
    reader, writer = ends[which], ends[1 - which]
    reader.shutdown(WRITE)
    assert writer.recv(1) == b""
    thread = sends(writer, 3000000)
    assert read_all(reader) == 3000000
    thread.join()
    reader.close()


def keep_alive(family, host):
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1),
               (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)]
    ends = connect(family, host, options)
    time.sleep(3)
    ends[0].shutdown(WRITE)
    time.sleep(3)
    for s in ends:
        s.close()


def window_probe(family, host):
    writer, reader = connect(family, host, [(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)])
    thread = sends(writer, 300000)
    time.sleep(2)
    assert read_all(reader) == 300000
    thread.join()
    reader.close()


def close_at_once(family, host):
    ends = connect(family, host)
    barrier = threading.Barrier(2)

    def close(s):
        barrier.wait()
        s.shutdown(WRITE)
        s.recv(1)
        s.close()

    threads = [threading.Thread(target=close, args=(s,)) for s in ends]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def open_at_once(family, host):
    s = socket.socket(family)
    s.bind((host, 0))
    s.connect(s.getsockname()[:2])
    s.send(bytes(1000))
    s.recv(2000)
    s.close()


def datagrams(family, host):
    reader = socket.socket(family, socket.SOCK_DGRAM)
    reader.bind((host, 7800))
    writer = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        writer.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, bytes((0, 0, 1, 4, 0, 0, 0, 0)))
    for i in range(20):
        writer.sendto(bytes(5000), (host, 7800))
        assert len(reader.recv(65536)) == 5000
    socket.socket(family, socket.SOCK_DGRAM).sendto(bytes(5000), (host, 7801))


for family, host in ((socket.AF_INET, "10.78.0.2"), (socket.AF_INET6, "fd78::2")):
    half_closed(family, host, 0)
    half_closed(family, host, 1)
    keep_alive(family, host)
    window_probe(family, host)
    for i in range(5):
        close_at_once(family, host)
        open_at_once(family, host)
    datagrams(family, host)
time.sleep(0.5)
END

# On a slow machine, timers send earlier data again. The kernel drops duplicate data before the
# window (OLD_SEQUENCE) or inside it (OLD_DATA), and the test allows these drops. The test allows no
# drop of an empty segment.
dt_start healthy -x footer -x addr=10.78.0.0/16,fd78::/16 -n '
inline int empty = args[2]->ip_plength == args[4]->tcp_offset;
inline int again = args[5]->drop_reason == "TCP_OLD_DATA" || args[5]->drop_reason == "TCP_OLD_SEQUENCE";
tcp:::drop /empty || !again/ {
	@tcp[args[5]->drop_reason, sym(args[5]->drop_location), args[4]->tcp_flags] = count();
}
ip:::drop /args[4]->ipv4_protostr != "TCP" && args[5]->ipv6_nextstr != "TCP"/ { @ip[args[2]->ip_ver, args[6]->drop_reason] = count(); }
tcp:::receive /empty/ { @kind["without data"] = count(); }
END { printa("tcp %s %A %d %@d\n", @tcp); printa("ip %d %s %@d\n", @ip); printa("%s %@d\n", @kind); }' || finish
in_ns two timeout 100 python3 "$T/connections.py" || fail "the traffic failed"
dt_stop healthy
lossless healthy
grep '^tcp ' "$T/healthy.out" && fail 'segments that TCP used are shown as drops'
[ "$(sed -n 's/^without data //p' "$T/healthy.out")" -gt 50 ] || fail "there were too few segments without data"
same 'each dropped datagram is one drop' 'ip 4 NO_SOCKET 1 ip 6 NO_SOCKET 1' "$(grep '^ip ' "$T/healthy.out" | sort | xargs)"
finish
