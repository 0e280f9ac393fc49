#!/bin/bash
# Scripts show a process whose name tries to forge lines and control the terminal, and an unanswered
# connection attempt.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

ns one two
veth one v1 two v2
addr one v1 10.178.0.1/24
addr two v2 10.178.0.2/24

# Makes a connection, a refused connection, a connection to an absent host, and a datagram. Then the
# process stays.
cat >"$T/forger.py" <<'END'
import os
import socket
import time

with open("/proc/self/comm", "wb") as f:
    f.write(b"x\n9 sshd\x1b[2J")
s = socket.socket()
s.bind(("127.0.0.1", 7911))
s.listen()
os.write(1, b"listening\n")
os.read(os.open(os.environ["GO"], os.O_RDONLY), 1)
c = socket.create_connection(("127.0.0.1", 7911))
a = s.accept()[0]
c.sendall(b"z" * 100)
a.recv(100)
c.close()
a.close()
for host, port, seconds in (("127.0.0.1", 7912, 5), ("10.178.0.9", 7913, 0.3)):
    try:
        socket.create_connection((host, port), seconds)
    except OSError:
        pass
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.sendto(b"z" * 100, ("127.0.0.1", 7914))
os.write(1, b"done\n")
time.sleep(100)
END
mkfifo "$T/go"
GO="$T/go" background forger one python3 "$T/forger.py" || finish

# Scripts that show only the largest values get the argument 1000, so that they omit no line.
how_many() {
	case $1 in *top | tcpscan) echo 1000 ;; esac
}
SCRIPTS='tcpconnlog tcplife tcptop udptop'
for n in $SCRIPTS; do
	dt_start "$n" -x footer -x defaultargs -s "scripts/$n.d" $(how_many "$n") || finish
done
echo go >"$T/go"
for ((i = 0; i < 100; i++)); do
	grep -q done "$T/forger.srv" && break
	sleep 0.1
done
sleep 0.2
for n in $SCRIPTS; do
	dt_stop "$n" || fail "$n ends with status $?"
	lossless "$n"
done
timeout 300 "$DTRACE" -s scripts/tcpwho.d >"$T/tcpwho.out" 2>"$T/tcpwho.err" || fail 'tcpwho.d fails'

for n in $SCRIPTS tcpwho; do
	same "$n: characters that are not printed" 0 "$(tr -d ' -~\n' <"$T/$n.out" | wc -c)"
	same "$n: shown, on one line" yes \
		"$(grep -qE '^ *([0-9]{4} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8} +)?[0-9]+ x\\n9 sshd\\0?33\[2J? ' "$T/$n.out" && echo yes)"
	same "$n: forged lines" 0 "$(grep -cE '^ *9 sshd' "$T/$n.out")"
done
log() { # log HOW REMOTE PORT: prints the number of matching lines of tcpconnlog
	grep 'x.n9 sshd' "$T/tcpconnlog.out" | grep -cE " $1 +[0-9]+ $2 +$3\$"
}
same 'tcpconnlog shows the opened connection' 1 "$(log out 127.0.0.1 7911)"
same 'tcpconnlog shows the refused connection' 1 "$(log refused 127.0.0.1 7912)"
same 'a refused connection is not shown as given up' 0 "$(log 'gave up' 127.0.0.1 7912)"
same 'tcpconnlog shows the connection that is given up' 1 "$(log 'gave up' 10.178.0.9 7913)"
finish
