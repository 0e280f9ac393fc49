# At the probes that fire in a call of the socket's owner, pid is the owner's, and using it causes no
# warning. At other probes of packets and connections, pid is often another thread's, and causes one.
. "$(dirname "$0")/../lib.bash"
need python3
ns one
export DTRACE_OPT_nohint=off
right=tcp:::connect-request,tcp:::accept,tcp:::read,tcp:::write,udp:::send,udp:::read,udp:::write,dns:::query
count='{ @[probeprov, probename, pid == args[1]->cs_pid ? "owner" : "other"] = count(); }'
of_one="args[1]->cs_pid > 0 && args[1]->cs_netns == $(inum one)"

# Two processes that answer each other, so each receives while the other one runs.
cat >"$T/talk.py" <<'PY'
import os, socket
ready, started = os.pipe()
if os.fork() == 0:
    # The child makes its sockets itself, so it is their owner.
    names, udp, tcp = (socket.socket(type=t) for t in (socket.SOCK_DGRAM, socket.SOCK_DGRAM, socket.SOCK_STREAM))
    for s, port in (names, 53), (udp, 7001), (tcp, 7002):
        s.bind(("127.0.0.1", port))
        s.settimeout(20)
    tcp.listen()
    os.write(started, b"x")
    for _ in range(50):
        data, peer = names.recvfrom(512)
        names.sendto(data[:2] + b"\x81\x80" + data[4:], peer)
        udp.sendto(*udp.recvfrom(512))
        c, _ = tcp.accept()
        c.sendall(c.recv(1000))
        c.close()
    os._exit(0)
os.read(ready, 1)
for _ in range(50):
    for port, data in (53, b"\x12\x34\x01\0\0\1\0\0\0\0\0\0\1a\2bc\0\0\1\0\1"), (7001, b"x"):
        s = socket.socket(type=socket.SOCK_DGRAM)
        s.settimeout(20)
        s.connect(("127.0.0.1", port))
        s.send(data)
        s.recv(512)
    s = socket.create_connection(("127.0.0.1", 7002), 20)
    s.sendall(b"y" * 1000)
    while s.recv(1000):
        pass
os.wait()
PY

# The clause asks for cs_pid, so nothing warns.
dt_start threads -n "$right, udp:::receive, tcp:::receive /$of_one/ $count"
in_ns one python3 "$T/talk.py" || fail 'the traffic failed'
dt_stop threads
sed '/READY/d; /^$/d' "$T/threads.out" >"$T/counts"
for p in ${right//,/ }; do
	words="${p%%:*} *${p##*:} "
	grep -q "^ *$words *owner " "$T/counts" || fail "$p did not fire in a call of the owner: $(cat "$T/counts")"
	! grep "^ *$words *other " "$T/counts" || fail "$p fired in another thread"
done
grep -qE 'receive +other' "$T/counts" || fail 'no packet interrupted a thread'
[ ! -s "$T/threads.err" ] || fail "messages of that run: $(cat "$T/threads.err")"

"$DTRACE" -qen "$right { @[pid, execname] = count(); }" 2>"$T/err" || fail 'the probes cannot be enabled'
[ ! -s "$T/err" ] || fail "a warning where the thread is the owner: $(cat "$T/err")"
others=0
for p in $("$PLAIN" -l -P tcp -P udp -P ip -P icmp -P dns | awk 'NR > 1 { print $2 ":::" $NF }'); do
	[[ ,$right, != *,$p,* ]] || continue
	"$DTRACE" -qen "$p { @[execname] = count(); }" 2>"$T/err"
	grep -q 'arg.*are not\|does not exist' "$T/err" && continue
	same "warning at $p" "dtrace: warning: at $p, execname is that of the interrupted thread; the socket's owner is args[1]->cs_execname (also cs_pid, cs_uid ...)" "$(cat "$T/err")" ''
	others=$((others + 1))
done
[ "$others" -gt 15 ] || fail "only $others probes warn"

# No script that dtrace installs causes the warning.
for script in "$LIVE"/../../scripts/*.d; do
	"$PLAIN" -e -x defaultargs -s "$script" 2>&1 | grep 'dtrace: warning' && fail "$script"
done
finish
