# The owner of an accepted connection is the process that called accept(2), with the name and
# arguments that it had then. dtrace keeps owners in the table of sockets, in the kernel's storage,
# or in hashes by cookie: the test checks all three. With -x maps=kernel, the table has room for one
# socket only.
. "$(dirname "$0")/../lib.bash"
need python3

ns one
ip -n one addr add 10.186.0.1/32 dev lo
cd "$T" || exit 1 # dtrace cuts arguments, so names are short
cat >s.py <<'PY'
import ctypes, os, socket, sys

how = sys.argv[1]

def tell(*what):
    print(*what, flush=True)

def accept(s):
    c, _ = s.accept()
    tell("accepted", os.getpid(), os.getppid(), open("/proc/self/comm").read().strip())
    c.sendall(b"x")
    c.recv(1)  # until the client closes
    c.close()

if how.startswith("run"):
    accept(socket.socket(fileno=int(sys.argv[2])))
    sys.exit()
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("10.186.0.1", int(sys.argv[2])))
s.listen()
tell("listening")
if how == "fork":
    if os.fork() == 0:
        accept(s)
        os._exit(0)
    os.wait()
elif how == "rename":
    ctypes.CDLL(None).prctl(15, b"another-name", 0, 0, 0)
    accept(s)
elif how == "exec":
    os.set_inheritable(s.fileno(), True)
    os.execv(sys.executable, [sys.executable, sys.argv[0], "run-it", str(s.fileno())])
else:
    accept(s)
PY
cat >client.py <<'PY'
import socket, sys

s = socket.create_connection(("10.186.0.1", int(sys.argv[1])))
s.recv(1)
s.close()
PY
server='args[3]->tcps_lport >= 5001 && args[3]->tcps_lport <= 5004'
owner='args[3]->tcps_lport, args[1]->cs_pid, args[1]->cs_ppid, args[1]->cs_execname, args[1]->cs_psargs'
kept="tcp:::state-change /$server && args[3]->tcps_state == TCP_STATE_CLOSED && args[5]->tcps_state != TCP_STATE_LISTEN/
	{ printf(\"end %d %d %d %S [%S]\n\", $owner); }"
# If functions can be traced, one of the hooks of these probes gets a pointer that the verifier does
# not know as a socket.
packets="$kept
	tcp:::send /$server && args[4]->tcp_flags & TH_PUSH/ { printf(\"send %d %d %d %S [%S]\n\", $owner); }
	tcp:::receive /$server && args[4]->tcp_flags & TH_FIN/ { printf(\"receive %d %d %d %S [%S]\n\", $owner); }"
# At the return of accept(2), a program cannot find the kernel's storage of the socket. So with
# tcp:::accept, dtrace uses hashes.
hashed="$packets tcp:::accept /args[1]->cs_pid == 0/ { }"
storage() {
	"$DTRACE" -S -e -n "$1" 2>&1 | grep -c 'map\[sockets\]'
}
if [ "$("$DTRACE" -l -P cgroup_skb 2>/dev/null | wc -l)" -gt 1 ]; then
	[ "$(storage "$kept")" != 0 ] && echo 'ok: owners are kept with the sockets' ||
		fail 'owners are not kept with the sockets'
fi

declare -A args=([one]='one 5001' [fork]='fork 5002' [rename]='rename 5003' [exec]='exec 5004')
# visit NAME PROGRAM EVENT...: runs the servers and their clients while the program runs
visit() {
	local how port
	dt_start "$1" $maps -x netns=one -n "$2"
	for how in one fork rename exec; do
		port=${args[$how]#* }
		background "$1.$how" one python3 s.py ${args[$how]}
		in_ns one timeout 60 python3 client.py "$port" || fail "the client of $port failed"
	done
	sleep 0.3
	dt_stop "$1"
	for how in one fork rename exec; do
		port=${args[$how]#* }
		read -r _ pid parent comm <<<"$(grep accepted "$T/$1.$how.srv")"
		text="[^ ]*python3 [^ ]*s.py ${args[$how]}"
		[ "$how" = exec ] && text='[^ ]*python3 [^ ]*s.py run-it [0-9]+'
		for event in "${@:3}"; do
			grep -qxE "$event $port $pid $parent $comm \[$text\]" "$T/$1.out" &&
				echo "ok: $1, $how, $event" ||
				fail "$1, $how: no line '$event $port $pid $parent $comm [$text]'"
		done
	done
}
maps=
visit kept "$kept" end
visit packets "$packets" send receive end
visit hashed "$hashed" send receive end
maps='-x maps=kernel'
visit kernel-kept "$kept" end
visit kernel-packets "$packets" send receive end
finish
