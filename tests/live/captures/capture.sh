# -x capture of live packets: replaying the file gives the same output as the live run, owners
# included.
. "$(dirname "$0")/../lib.bash"
need python3

cat >"$T/talk.py" <<'END'
import socket, threading
l = socket.socket()
l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
l.bind(('127.0.0.1', 5013))
l.listen(5)
def serve():
    for _ in range(3):
        c, _a = l.accept()
        c.recv(100)
        c.sendall(b'x' * 5000)
        c.close()
t = threading.Thread(target=serve)
t.start()
for _ in range(3):
    s = socket.create_connection(('127.0.0.1', 5013))
    s.sendall(b'hi')
    while s.recv(4096):
        pass
    s.close()
t.join()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(('127.0.0.1', 5014))
u.connect(('127.0.0.1', 5014))
for n in range(10):
    u.send(b'y' * n)
    u.recv(100)
END

# program PROBES: prints a D program that counts the events of PROBES by owner, and sums their bytes
program() {
	printf '%s { @n[probename, args[1]->cs_execname, args[1]->cs_pid] = count(); @o[args[1]->cs_user, args[1]->cs_cgroup_path, args[1]->cs_container, args[1]->cs_netns_name] = count(); @b[probename, args[1]->cs_execname] = sum(args[2]->ip_plength); }' "$1"
}
round_trip() { # NAME PROBES
	local p=$(program "$2")
	timeout 300 "$DTRACE" -q -x capture="$T/$1" -c "python3 $T/talk.py" -n "$p" >"$T/live" 2>"$T/err" || fail "status $?"
	[ -s "$T/err" ] && fail "$1: $(cat "$T/err")"
	timeout 300 "$DTRACE" -q -r "$T/$1" -n "$p" >"$T/replayed"
	same_files "$1" "$T/live" "$T/replayed"
	grep -q python3 "$T/live" || fail "$1: no packet has an owner"
}

# Replay knows a listener only after the listener has answered a SYN. So the first SYN has no owner
# in replay. The predicate omits segments without data, because SYNs have no data.
round_trip tcp 'tcp:::send, tcp:::receive /args[2]->ip_plength > 40 && (args[4]->tcp_sport == 5013 || args[4]->tcp_dport == 5013)/'
round_trip udp 'udp:::send, udp:::receive /args[4]->udp_dport == 5014/'
finish
