# tcplife shows the exact bytes of data, for connections that begin and end in every way, live and
# from a capture. SYN, FIN and retransmitted data do not count.
. "$(dirname "$0")/../lib.bash"
need python3 tcpdump

pair c s 10.186.0
in_ns c sysctl -qw net.ipv4.tcp_fastopen=3
in_ns s sysctl -qw net.ipv4.tcp_fastopen=3

# The server's answer to a connection depends on its port.
cat >"$T/server.py" <<'END'
import select
import socket
import struct
import time

ports = {7951: 5, 7952: 0, 7953: 5, 7954: 5, 7955: 5, 7956: 5, 7957: 5}
listeners = {}
for port, backlog in ports.items():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if port == 7955:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 5)
    s.bind(("10.186.0.2", port))
    s.listen(backlog)
    listeners[s] = port
print("listening", flush=True)


def read_all(a):
    while a.recv(65536):
        pass


def u64(a, at):
    return struct.unpack_from("Q", a.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 232), at)[0]


while True:
    for s in select.select(list(listeners), [], [])[0]:
        a, port = s.accept()[0], listeners[s]
        if port in (7951, 7952, 7955):  # an answer to everything
            a.recv(65536)
            a.sendall(b"y" * 1000)
            read_all(a)
            a.close()
        elif port == 7953:  # reads nothing: the client's data and FIN stay behind a closed window
            time.sleep(1)
            print("7953 received", u64(a, 128), flush=True)
            a.close()
        elif port == 7954:  # sends after the client's FIN
            read_all(a)
            a.sendall(b"y" * 300000)
            a.close()
        elif port == 7956:  # closes before the client sends
            a.close()
        elif port == 7957:  # its answers are lost
            a.recv(65536)
            a.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            time.sleep(0.3)
            a.close()
END
cat >"$T/client.py" <<'END'
import socket
import struct
import subprocess
import sys
import time


def neighbour(mac):
    subprocess.run(["ip", "neigh", "replace", "10.186.0.2", "lladdr", mac, "nud", "permanent", "dev", "vc"], check=True)


def connect(port):
    return socket.create_connection(("10.186.0.2", port))


def talk(c, n):
    c.sendall(b"x" * n)
    got = 0
    while got < 1000:
        got += len(c.recv(65536))
    c.close()


def sent(c):
    """Returns the number of bytes sent, without retransmissions."""
    info = c.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 232)
    return struct.unpack_from("Q", info, 200)[0] - struct.unpack_from("Q", info, 208)[0]


talk(connect(7951), 100)
talk(connect(7952), 50)

c = connect(7953)
c.setblocking(False)
try:
    while True:
        c.send(b"x" * 65536)
except BlockingIOError:
    pass
time.sleep(0.3)
print("7953 sent", sent(c), flush=True)
c.close()
time.sleep(1.5)

c = connect(7954)
c.sendall(b"x" * 7)
c.shutdown(socket.SHUT_WR)
while c.recv(65536):
    pass
c.close()

for n in (0, 33):  # the first connection gets a cookie
    c = socket.socket()
    c.sendto(b"x" * (n or 11), socket.MSG_FASTOPEN, ("10.186.0.2", 7955))
    talk(c, 0)

c = connect(7956)
time.sleep(0.2)
c.sendall(b"x" * 20)  # the server's kernel answers with a reset
time.sleep(0.2)
c.close()

c = connect(7957)
c.sendall(b"x" * 5)
time.sleep(0.1)
neighbour("02:77:00:00:00:99")
c.sendall(b"x" * 500)
c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
c.close()
neighbour(sys.argv[1])
time.sleep(0.5)

# A simultaneous open: the socket connects to itself.
c = socket.socket()
c.bind(("10.186.0.1", 7958))
c.connect(("10.186.0.1", 7958))
c.sendall(b"x" * 10)
got = 0
while got < 10:
    got += len(c.recv(65536))
c.close()
time.sleep(0.2)
END
background server s python3 "$T/server.py" || fail 'no server'
sniff c
dt_start life -x footer -s "$(realpath "$LIVE/../../scripts")/tcplife.d"
in_ns c python3 "$T/client.py" "$(mac s vs)" >"$T/client.out" 2>&1 || fail "the client failed: $(cat "$T/client.out")"
settled c s
sniff_end c
dt_stop life
lossless life
full=$(sed -n 's/7953 sent //p' "$T/client.out")
[ "${full:-0}" -gt 10000 ] || fail "the closed window held $full bytes"

# Prints port, end, bytes sent and received, for each connection.
rows() {
	awk 'NF == 8 && $6 >= 7951 && $6 <= 7957 { print $6, "server", $3, $4 }
		NF == 8 && $8 >= 7951 && $8 <= 7957 { print $8, "client", $3, $4 }
		NF == 8 && $8 == 7958 { print $8, "both", $3, $4 }' "$1" | sort
}
want="7951 client 100 1000
7951 server 1000 100
7952 client 50 1000
7952 server 1000 50
7953 client $full 0
7953 server 0 $full
7954 client 7 300000
7954 server 300000 7
7955 client 11 1000
7955 client 33 1000
7955 server 1000 11
7955 server 1000 33
7956 client 20 0
7956 server 0 0
7957 client 505 0
7957 server 0 5
7958 both 10 10"
same 'bytes that each end sent and received' "$want" "$(rows "$T/life.out")" ''
"$PLAIN" -r "$T/c.pcap" -s "$(realpath "$LIVE/../../scripts")/tcplife.d" -x local=10.186.0.1 >"$T/replay.out" 2>&1
# Replay does not follow a connection of a socket with itself.
same 'bytes of the client'\''s connections in a replay of the capture' "$(grep client <<<"$want")" "$(rows "$T/replay.out")" ''
finish
