# An agent at rest stores nothing on the server. It reads each request once, even if the server was
# away in between. If the server has lost its streams, the agent takes requests from the new streams.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
network 1
keys
http='http: 10.98.7.1:8222'
start_server "$http"
"$FLEET" setup || wrong setup
# of_server EXPRESSION: prints the value of a Python expression about the server. It may use v
# (/varz), j (/jsz), and streams (the state of each stream).
of_server() {
	python3 - "$1" <<'P'
import json, sys, urllib.request
get = lambda p: json.load(urllib.request.urlopen("http://10.98.7.1:8222/" + p))
v, j = get("varz"), get("jsz?streams=true")
streams = {s["name"]: s["state"] for a in j["account_details"] for s in a["stream_detail"]}
print(eval(sys.argv[1]))
P
}
stored='sum(s["last_seq"] for s in streams.values())'
registered() { [ "$("$FLEET" hosts | grep -c ' expected ')" = 1 ]; }
sent() { # sent BYTES: succeeds if the server has sent more than BYTES
	[ "$(of_server 'v["out_bytes"]')" -gt "$1" ]
}
connected() { [ "$(of_server 'v["connections"]')" -ge 1 ]; }

# The server gets 50 requests of 20 KB, which nobody has signed.
python3 - <<'P' || wrong 'the requests are not stored'
import socket
s = socket.create_connection(("10.98.7.1", 4222))
f = s.makefile('rb')
f.readline()
data = b'x' * 20000
s.sendall(b'CONNECT {"verbose":false}\r\n' + b''.join(b'PUB fleet.run.r%d %d\r\n%s\r\n' % (i, len(data), data) for i in range(50)) + b'PING\r\n')
while f.readline() != b'PONG\r\n':
    pass
P
start_local h1 -v
until_true $LONG registered || { wrong 'h1 does not register'; finish; }
checks=$((checks + 1))
until_true $LONG sent 1000000 || wrong 'the agent does not read the requests'

# Nothing is stored while nothing happens.
before=$(of_server "$stored")
sleep 5
checks=$((checks + 1))
after=$(of_server "$stored")
[ "$before" = "$after" ] || wrong "the agent stores messages while nothing happens: $before before, $after after"

# After the server was away, the agent does not read the requests again.
kill_server
start_server "$http"
until_true $LONG connected || wrong 'the agent of h1 does not reconnect'
checks=$((checks + 2))
until_true $LONG there 1 || wrong 'the host does not answer a request'
sent 500000 && wrong "the server has sent $(of_server 'v["out_bytes"]') bytes"

# The server comes back without its streams, and a viewer creates new ones.
kill_server
rm -rf "$T/js"
start_server "$http"
checks=$((checks + 1))
until_true $LONG there 1 || wrong 'the host does not answer a request from the new stream'
checks=$((checks + 1))
grep -E '_INBOX' "$T/h1.log" && wrong 'the agent takes an answer of the server for a request'
finish
