# Three servers form a cluster, whose configuration dtrace-fleet setup has written. When the server
# that leads a stream is killed during a run, the totals of the run are still exact.
. tests/fleet/lib.bash
command -v openssl >/dev/null || skip 'no openssl here'
network 1
keys
address() { echo 10.98.7.$((100 + $1)); }
for ((s = 1; s <= 3; s++)); do
	ip addr add "$(address $s)/24" dev br0
done
start_server
"$FLEET" setup || wrong 'a server alone'
checks=$((checks + 1))
"$FLEET" setup --replicas 3 2>"$T/out" && wrong 'a server alone has replicas'
grep -q '(the cluster has too few servers)$' "$T/out" || wrong "$(cat "$T/out")"
kill_server
unset DTRACE_FLEET_KEY
export DTRACE_FLEET_SERVER=tls://$(address 1):4222,tls://$(address 2):4222,tls://$(address 3):4222
"$FLEET" setup -D "$T/fleet" h1 h2 --viewer ann --admin olga || wrong 'setup makes no files'
declare -A pid
start_one() { # start_one N: starts server N with its own configuration, and addresses and folders of the test
	local etc
	etc=$T/fleet/servers/$(address "$1")/etc
	[ -e "$etc/conf" ] || sed -e "s|0\.0\.0\.0|$(address "$1")|" -e "s|/etc/dtrace-fleet|$etc/dtrace-fleet|" \
		-e "s|/var/lib/nats|$T/js$1|" -e "s|include dtrace-fleet|include ./dtrace-fleet|" -e "\$a http: 127.0.0.1:822$1" "$etc/nats-server.conf" >"$etc/conf"
	nats-server -c "$etc/conf" >>"$T/nats$1.log" 2>&1 &
	pid[$1]=$!
	server="${pid[*]}"
}
for ((s = 1; s <= 3; s++)); do
	start_one $s
done
as() { echo "--ca $T/fleet/$1/ca.pem --cert $T/fleet/$1/$2.pem --certkey $T/fleet/$1/$2.key"; }
admin=$(as admins/olga olga) ann=$(as viewers/ann ann)
replicas() { # replicas WANT ARGS: checks that "setup ARGS" prints WANT
	checks=$((checks + 1))
	timeout $LONG "$FLEET" setup $admin "${@:2}" >"$T/out" 2>&1
	[ "$(cat "$T/out")" = "$1" ] || wrong "setup ${*:2}: $(cat "$T/out")"
}
until_true $LONG "$FLEET" setup $admin 2>/dev/null || { wrong "no streams: $(tail -n 5 "$T"/nats*.log)"; finish; }
timeout $LONG "$FLEET" expect $admin h1 h2 || wrong 'the hosts have no streams'
replicas '' --replicas 1
replicas 'dtrace-fleet: each stream is stored on 3 servers'
replicas 'dtrace-fleet: each stream is stored on 2 servers' --replicas 2
replicas 'dtrace-fleet: each stream is stored on 3 servers' --replicas 3
checks=$((checks + 1))
timeout $LONG "$FLEET" setup $admin --replicas 4 >"$T/out" 2>&1 && wrong 'four replicas on three servers'
grep -q '(the cluster has too few servers)$' "$T/out" || wrong "$(cat "$T/out")"

# Only a server may join the cluster. A host may not.
what='a route' checks=$((checks + 1))
greeting() { python3 - "$(address 1)" "$T/fleet/ca/servers.pem" "$1" <<'P'
import socket, ssl, sys
s = socket.create_connection((sys.argv[1], 6222))
c = ssl.create_default_context(cafile=sys.argv[2])
c.load_cert_chain(sys.argv[3] + '.pem', sys.argv[3] + '.key')
t = c.wrap_socket(s, server_hostname=sys.argv[1])
t.settimeout(10)
t.sendall(b'PING\r\n')
print(t.recv(4096)[:4].decode())
P
}
case $(greeting "$T/fleet/servers/$(address 2)/etc/dtrace-fleet/server" 2>&1) in
*PONG* | *INFO*) ;;
*) wrong "a server is not let in: $(greeting "$T/fleet/servers/$(address 2)/etc/dtrace-fleet/server" 2>&1)" ;;
esac
case $(greeting "$T/fleet/hosts/h1/etc/dtrace-fleet/host" 2>&1) in
*PONG* | *INFO*) wrong 'a host may join the cluster' ;;
esac

for h in h1 h2; do
	etc=$T/fleet/hosts/$h/etc/dtrace-fleet
	sed -i 's/^rate .*/rate 100/' "$etc/policy"
	mkdir -p "$T/$h"
	start_local $h -v -p "$etc/policy" --ca "$etc/ca.pem" --cert "$etc/host.pem" --certkey "$etc/host.key"
done
export DTRACE_FLEET_KEY=$T/fleet/viewers/ann/key
leader() { # leader STREAM: prints the number of the server that leads the stream
	python3 - "$1" <<'P'
import json, sys, urllib.request
for n in (1, 2, 3):
    try:
        j = json.load(urllib.request.urlopen(f'http://127.0.0.1:822{n}/jsz?streams=true&accounts=true', timeout=5))
    except OSError:
        continue
    for a in j.get('account_details') or []:
        for s in a.get('stream_detail') or []:
            if s['name'] == sys.argv[1] and s.get('cluster', {}).get('leader', '').startswith('10.98.7.10'):
                print(s['cluster']['leader'][-1])
                sys.exit()
P
}
both() {
	timeout 60 "$FLEET" run $ann -d 4 --grace 1 -n 'BEGIN { exit(0); }' 2>&1 | grep -q '^dtrace-fleet: 2 hosts asked: 2 whole$'
}
until_true $LONG both || { wrong "the hosts do not come: $(cat "$T"/h?.log)"; finish; }
for stream in FLEET_STATE_h1 FLEET_OUT_h2; do
	what="the leader of $stream is killed"
	begin_run 'h1 h2' $ann -d 12 --rate 0.1 --keep "$T/kept" -n 'tick-10ms { @ = count(); } tick-1s { printf("line\n"); }'
	one=$(leader $stream)
	[ -n "$one" ] || wrong "$what: there is none"
	kill -9 "${pid[$one]}"
	began=$SECONDS
	wait $!
	status=$?
	checks=$((checks + 4))
	[ $status = 0 ] || wrong "$what: status $status: $(cat "$T/err")"
	[ $((SECONDS - began)) -lt 60 ] || wrong "$what: the viewer took $((SECONDS - began)) s"
	grep -q '^dtrace-fleet: 2 hosts asked: 2 whole$' "$T/err" || wrong "$what: $(cat "$T/err")"
	"$DTRACE" -q --merge "$T/h1/runs/$id/agg" "$T/h2/runs/$id/agg" >"$T/want"
	grep -v line "$T/out" | cmp -s - "$T/want" || wrong "$what: $(cat "$T/out") instead of $(cat "$T/want")"
	for h in h1 h2; do
		checks=$((checks + 1))
		[ "$(grep -c "^$h: line$" "$T/out")" = "$(grep -c line "$T/$h/runs/$id/out")" ] || wrong "$what: lines of $h are missing"
	done
	start_one "$one"
	# The killed server must have all messages again before the test kills the next leader.
	until_true $LONG "$FLEET" setup $admin 2>/dev/null || wrong "$what: the server does not come back"
done
finish
