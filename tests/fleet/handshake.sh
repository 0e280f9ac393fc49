# The server dies while an agent connects, for the first time or later. The agent connects as soon
# as a server runs again. In each round the server dies at another point of the handshake.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
network 1
keys

# dying HOW: starts a program in place of the server, which accepts one connection and dies. HOW
# says when it dies: after accept(), after half of its greeting, after the agent's first message
# ("reset" also resets the connection), or after its answer to that message.
dying() {
	rm -f "$T/listens"
	python3 - 10.98.7.1 4222 "$1" "$T/listens" <<'P' &
import socket, struct, sys, time
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
while True:
    try:
        s.bind((sys.argv[1], int(sys.argv[2])))
        break
    except OSError:
        time.sleep(0.05)
s.listen(1)
open(sys.argv[4], 'w').close()
how = sys.argv[3]
c = s.accept()[0]
s.close()
info = b'INFO {"server_id":"x","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576,"client_id":1}\r\n'
if how != 'accepted':
    c.sendall(info[:20] if how == 'half' else info)
if how in ('greeted', 'reset', 'welcome'):
    said = b''
    while b'PING' not in said:
        said += c.recv(4096)
if how == 'welcome':
    c.sendall(b'PONG\r\n')
if how == 'reset':
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
c.close()
P
	server=$!
	until_true 20 test -e "$T/listens" || wrong 'the test'\''s server does not listen'
}

for how in accepted half greeted reset welcome; do
	what="first connection: $how"
	dying $how
	start_agent h1
	wait $server
	start_server
	"$FLEET" setup || wrong "$what: dtrace-fleet setup fails"
	checks=$((checks + 2))
	until_true $LONG there 1 || { wrong "$what: no agent connects"; finish; }
	what="later connection: $how"
	kill_server
	dying $how
	until_true 10 test ! -e /proc/$server || wrong "$what: the agent does not connect again"
	kill $server 2>/dev/null
	wait $server
	start_server
	until_true $LONG there 1 || { wrong "$what: no agent connects"; finish; }
	kill_agent h1
	kill_server
	rm -rf "$T/js" "$T/h1"
done
finish
