#!/bin/bash
# bindsnoop: bound addresses, socket options and errors; for all processes, or one.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

cat >"$T/bind.py" <<'END'
import os, socket, sys
open("/proc/self/comm", "w").write("b-test")
print(os.getpid())
def bind(family, kind, address, port, *options):
    s = socket.socket(family, kind)
    for o in options:
        s.setsockopt(socket.SOL_SOCKET, o, 1)
    try:
        s.bind((address, port))
    except OSError:
        pass
    return s
V4, V6, TCP, UDP = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM, socket.SOCK_DGRAM
kept = [bind(V4, TCP, "127.0.0.1", 7951, socket.SO_REUSEADDR), bind(V4, TCP, "127.0.0.1", 7951),
        bind(V4, UDP, "0.0.0.0", 7952, socket.SO_REUSEADDR, socket.SO_REUSEPORT), bind(V6, TCP, "::1", 7953),
        bind(V6, UDP, "2001:db8:1111:2222:3333:4444:5555:1111", 7954), bind(V4, UDP, "127.0.0.1", 0)]
print(kept[-1].getsockname()[1])
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
END
dt_start all -x footer -x defaultargs -s scripts/bindsnoop.d || finish
timeout 300 python3 "$T/bind.py" "$T/one" >"$T/other" || fail "nothing is bound: $?"
sleep 0.3
dt_stop all
lossless all
{ read -r pid && read -r port; } <"$T/other"
sed -n "/^ *$pid b-test /{N;s/TCP \n */TCP  /;s/UDP \n */UDP  /;P;D}" "$T/all.out" | sed "s/^ *$pid b-test  *//" | grep -E '^(TCP|UDP) ' >"$T/got"
cat >"$T/wanted" <<END
TCP  127.0.0.1        7951 R.   0   -
TCP  127.0.0.1        7951 ..   0   EADDRINUSE
UDP  0.0.0.0          7952 Rr   0   -
TCP  ::1              7953 ..   0   -
UDP  2001:db8:1111:2222:3333:4444:5555:1111  7954 ..   0   EADDRNOTAVAIL
UDP  127.0.0.1       $(printf %5d "$port") ..   0   -
END
same_files 'sockets that are bound, and binds that fail' "$T/wanted" "$T/got"
same 'no line has more than 80 columns' 0 "$(grep -cE '^.{81}' "$T/all.out")"

# bindsnoop PID: the process is a shell that later becomes python3.
mkfifo "$T/go"
(read -r _ <"$T/go"; exec python3 "$T/bind.py" "$T/two" >"$T/mine") &
mine=$!
setpriv --pdeathsig KILL "$DTRACE" -q -s scripts/bindsnoop.d -n "$READY" "$mine" >"$T/one.out" 2>"$T/one.err" &
dt_pid[one]=$!
dt_ready one || finish
timeout 300 python3 "$T/bind.py" "$T/three" >/dev/null
echo go >"$T/go"
wait "$mine"
sleep 0.3
dt_stop one
same 'bindsnoop PID shows the lines of that process' 6 "$(grep -cE "^ *$mine b-test " "$T/one.out")"
same 'bindsnoop PID shows no other process' 6 "$(grep -c b-test "$T/one.out")"
finish
