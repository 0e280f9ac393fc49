# Another client of the server cannot remove the request of a run, and cannot start a stopped run
# again. No host runs a request of another fleet.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
network 1
keys
start_server
"$FLEET" setup || wrong setup
start_local h1 -v
until_true $LONG there 1 || { wrong 'the agent of h1 does not connect'; finish; }

is_status() {
	checks=$((checks + 1))
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
}

# The server sends its acknowledgement of a message to the reply subject in the message. So a client
# can make the server send a message to the subject of a request.
what="an acknowledgement of the server, sent to the subject of a request"
begin_run h1 -d 60 -n 'BEGIN { @[host] = sum(1); }'
: >"$T/empty"
timeout 20 python3 - "fleet.run.$id" <<'P' || wrong "$what: the server does not send the acknowledgement"
import socket, sys
to = sys.argv[1].encode()
s = socket.create_connection(("10.98.7.1", 4222))
f = s.makefile('rb')
f.readline()
s.sendall(b'CONNECT {"verbose":false}\r\nSUB %s 1\r\nPUB $KV.FLEET_HOSTS.host.h1.00 %s 0\r\n\r\n' % (to, to))
while not (line := f.readline()).startswith(b'MSG ' + to):
    assert line
assert b'"seq"' in f.readline()
P
# Makes the server send an acknowledgement to the subject of a host's state. Other clients do not
# know this subject.
nats_pub "\$KV.FLEET_HOSTS.host.h1.00" "$T/empty" "fleet.state.$id.h1.00.1"
start_local h2 -v
until_true $LONG test -s "$T/h2/runs/$id/agg" || wrong "$what: a host that comes late does not get the request"
cp "$T/h1/runs/$id/request" "$T/request"
# Stores messages in the streams of state and output. The viewer could take them for errors of the
# server.
timeout 20 python3 - "$id" <<'P' || wrong "$what: the messages with a status are not stored"
import socket, sys
s = socket.create_connection(("10.98.7.1", 4222))
f = s.makefile('rb')
f.readline()
head = b'NATS/1.0 503\r\n\r\n'
for to in b'state', b'out':
    s.sendall(b'CONNECT {"verbose":false,"headers":true}\r\nSUB r 1\r\nHPUB fleet.%s.%s.h1.00.2 r %d %d\r\n%s\r\n' % (to, sys.argv[1].encode(), len(head), len(head), head))
    while b'"seq"' not in (line := f.readline()):
        assert line
P
timeout $LONG "$FLEET" stop "$id" || wrong "$what: the run cannot be stopped"
until_true $LONG test ! -e /proc/$viewer || { wrong "$what: the viewer does not end" && kill -9 $viewer; }
wait $viewer
status=$?
is_status 0
says '2 hosts asked: 2 whole'
timeout $LONG "$FLEET" show "$id" >"$T/out" 2>"$T/err"
status=$?
is_status 0
says '2 hosts asked: 2 whole'

what='a request whose run was stopped'
nats_pub "fleet.run.$id" "$T/request"
start_local h3 -v
until_true $LONG there 3 || { wrong 'h3 does not connect'; finish; }
nats_pub "fleet.run.$id" "$T/request" # h3 is connected, and has read the stops
until_true $LONG there 3 || { wrong 'the agent of h3 is not connected any more'; finish; }
checks=$((checks + 2))
[ ! -e "$T/h3/runs/$id" ] || wrong "$what: the run begins on h3"
grep -q "run $id of [a-z]* refused: the viewer ended the run before it began here" "$T/h3.log" || wrong "$what: $(cat "$T/h3.log")"

what='a request for another fleet'
timeout $LONG "$FLEET" run --fleet other -t h1 -d 20 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err"
status=$?
is_status 1
says 'h1: policy: this host belongs to fleet default, but the request is for fleet other'
sed 's/^rate.*/&\nfleet other/' "$T/policy" >"$T/theirs"
start_local h4 -v -p "$T/theirs"
DTRACE_FLEET_NAME=other
export DTRACE_FLEET_NAME
h4_answers() { "$FLEET" run -t h4 -d 20 --grace 1 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err"; }
until_true $LONG h4_answers || wrong "$what: h4 does not answer a request of its own fleet: $(cat "$T/err")"
finish
