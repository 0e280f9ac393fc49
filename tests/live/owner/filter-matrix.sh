# Every filter at every probe of packets and connections: either the filter selects the events, or a
# line says which events of the probe it leaves out. All traffic of this test matches each filter.
. "$(dirname "$0")/../lib.bash"
need python3 ping
ns one
port='53,1024-65535' # not 0, which stands for an unknown port

cat >"$T/talk.py" <<'PY'
import os, socket
A = "127.0.0.1"
ready, started = os.pipe()
if os.fork() == 0:
    names, udp, tcp = (socket.socket(type=t) for t in (socket.SOCK_DGRAM, socket.SOCK_DGRAM, socket.SOCK_STREAM))
    for s, port in (names, 53), (udp, 7701), (tcp, 7702):
        s.bind((A, port))
        s.settimeout(20)
    tcp.listen()
    os.write(started, b"x")
    for _ in range(3):
        data, peer = names.recvfrom(512)
        names.sendto(data[:2] + b"\x81\x80" + data[4:], peer)
        udp.sendto(*udp.recvfrom(512))
        c, _ = tcp.accept()
        c.sendall(c.recv(1000))
        c.recv(1000)
        c.close()
    os._exit(0)
os.read(ready, 1)
for _ in range(3):
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.settimeout(20)
    s.connect((A, 53))
    s.send(b"\x12\x34\x01\0\0\1\0\0\0\0\0\0\1a\2bc\0\0\1\0\1")
    s.recv(512)
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.settimeout(20)
    s.sendto(b"not connected", (A, 7701))
    s.recv(512)
    s = socket.create_connection((A, 7702), 20)
    s.sendall(b"y" * 1000)
    s.recv(1000)
    s.close()
    try:
        socket.create_connection((A, 7703), 20)
    except OSError:
        pass
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.connect((A, 7704))
    s.send(b"nobody listens")
os.wait()
PY

# The state changes of listeners have no remote end, and ICMP has no ports.
probes=$("$PLAIN" -l -P tcp -P udp -P ip -P icmp -P dns -P net | awk 'NR > 1 { print $2 ":::" $NF }' |
	grep -v -e tcp:::existing -e icmp:::echo | xargs | tr ' ' ,)
count='@[strjoin(probeprov, strjoin(":::", probename))] = count();'
events() { # events NAME FILTERS...: counts the events of each probe that pass, and keeps the warnings
	local name=${1%%=*}
	shift
	dt_start "$name" -Z -x netns=one "$@" -n "${probes//tcp:::state-change,/} { $count }
		tcp:::state-change /args[3]->tcps_rport != 0/ { $count } END { printa(\"%s %@d\\n\", @); }"
	in_ns one python3 "$T/talk.py" || fail 'the traffic failed'
	dt_stop "$name"
	grep ::: "$T/$name.out" | sort >"$T/$name.events"
}
events all
[ "$(wc -l <"$T/all.events")" -gt 25 ] || fail "few probes fired: $(cat "$T/all.events")"

# compare NAME EXCEPT: each probe without a warning fired as often as without the filter
compare() {
	local name=${1%%=*} probe n m bad=

	while read -r probe n; do
		m=$(awk -v p="$probe" '$1 == p { print $2 }' "$T/$name.events")
		[[ "$probe" =~ $2 ]] || [ "$n" = "${m:-0}" ] || grep -q "$probe.*\(matches nothing\|leaves out\|events count\)" "$T/$name.err" ||
			bad="$bad $probe ($n events, ${m:-0} with the filter)"
	done <"$T/all.events"
	[ -z "$bad" ] && echo "ok: $1" || fail "$1, in silence: $bad"
}
for x in addr=127.0.0.1 laddr=127.0.0.1 raddr=127.0.0.0/8 ipver=4 filter='net 127.0.0.0/8'; do
	events "$x" -x "$x"
	compare "$x" '^$'
done
for x in port=$port lport=$port rport=$port; do
	events "$x" -x "$x"
	compare "$x" '^(ip|icmp|net):::'
done
# Packets without a socket have no owner. Where no event has an owner, a line says so.
for x in execname=python3 user=0; do
	events "$x" -x "$x"
	compare "$x" '^(ip:::send|ip:::drop|icmp:::send|net:::(queue|start-xmit|dequeue|drop)|tcp:::(receive|send|drop|reset-sent)|udp:::drop)$'
done

# Without the filters' data at some event, a line says so; other probes have none.
"$DTRACE" -qe -x addr=127.0.0.1 -n 'udp:::read, udp:::write, udp:::send, tcp:::read, tcp:::destroy, net:::free { }' 2>"$T/err"
for p in udp:::read udp:::write tcp:::destroy; do echo "dtrace: $p has no packet, so -x addr leaves out events of sockets that are not connected"; done >"$T/want"
echo 'dtrace: no filter applies to net:::free, so all its events count' >>"$T/want"
same_files 'what -x addr leaves out' "$T/want" "$T/err"
# A filter of the owner does not apply to other probes of processes if there is a filter of packets.
"$DTRACE" -qe -x port=80 -x pid=1 -n 'tcp:::send, syscall::read:entry, tick-1s, BEGIN { }' 2>"$T/err"
same 'a probe of processes' 'dtrace: no filter applies to syscall::read:entry, so all its events count' "$(cat "$T/err")" ''
# Counters with and without a socket in one clause.
"$DTRACE" -qe -x addr=127.0.0.1 -n 'mib::: { }' 2>"$T/err" || fail 'mib with a filter'
finish
