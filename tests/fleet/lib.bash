# The tests of dtrace-fleet include this file. It has functions that start a server and hosts.
#
# A test that includes this file restarts itself in its own mount, network and process namespaces, so
# that nothing remains after the test. $T is a scratch folder. Hosts are network namespaces h1, h2, ...
# behind a bridge, on which the server listens.
set -u
export LC_ALL=C TZ=UTC ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
: "${DTRACE:?must be the path of the dtrace command}" "${FLEET:?must be the path of dtrace-fleet}"
DTRACE=$(realpath "$DTRACE") FLEET=$(realpath "$FLEET")

skip() {
	echo "SKIP: $*"
	exit 77
}

if [ -z "${FLEET_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || skip 'hosts are namespaces, which need root'
	for c in nats-server nft ip unshare; do
		command -v "$c" >/dev/null || skip "no $c command here"
	done
	timeout 120 "$DTRACE" -qn 'BEGIN { exit(0) }' >/dev/null 2>&1 || skip 'no BPF here'
	unshare -mnp --fork true 2>/dev/null || skip 'no namespaces here'
	FLEET_INSIDE=1 exec unshare -mnp --fork --kill-child --mount-proc --propagation private bash "$0" "$@"
fi

T=$(mktemp -d)
# Agents need a machine ID, and as_machine mounts a file over /etc/machine-id. A clean root does not
# have this file.
[ -e /etc/machine-id ] || { cp -a /etc "$T/etc" && echo 0123456789abcdef0123456789abcdef >"$T/etc/machine-id" && mount --bind "$T/etc" /etc; } || exit 1
server=
clean() {
	for pid in $server "${agent[@]}"; do
		kill -9 "$pid"
		wait "$pid"
	done 2>/dev/null
	umount /etc 2>/dev/null
	rm -rf "$T" 2>/dev/null || { sleep 0.5 && rm -rf "$T"; } # keepers may still write files
}
trap clean EXIT
bad=0 checks=0
declare -A agent
SERVER=10.98.7.1:4222
export DTRACE_FLEET_SERVER=nats://$SERVER DTRACE_FLEET_KEY=$T/key DTRACE_FLEET_KNOWN=$T/known

wrong() {
	echo "WRONG: $*"
	bad=1
}

# says RE: $T/err has a line "dtrace-fleet: TEXT", where TEXT matches RE. If $what is set, the
# messages of says, ask and sum begin with it.
says() {
	checks=$((checks + 1))
	grep -Eq -- "^dtrace-fleet: $1\$" "$T/err" || wrong "${what:+$what: }no line matches $1: $(cat "$T/err")"
}

# ask STATUS ARGS: runs a viewer for at most 20 s with ARGS, and checks its exit status. If $grace
# is set, the viewer waits $grace seconds for hosts.
ask() {
	checks=$((checks + 1))
	timeout $LONG "$FLEET" run ${grace:+--grace $grace} -d 20 "${@:2}" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "${what:+$what: }status $status for ${*:2}: $(cat "$T/err" "$T/out")"
}

# sum N: the viewer shows the total N in $T/out; N may be empty
sum() {
	checks=$((checks + 1))
	[ "$(awk 'NF == 1 { print $1 }' "$T/out")" = "$1" ] || wrong "${what:+$what: }not $1: $(cat "$T/out" "$T/err")"
}

finish() {
	echo "$checks checks"
	exit $bad
}

# Tests wait at most this number of seconds for an event. The limit is long, so that tests pass on a
# busy machine.
LONG=${FLEET_LONG:-120}

# until_true SECONDS COMMAND: repeats the command until it succeeds. Fails if the command has not
# succeeded after SECONDS.
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

network() { # network N: creates the bridge and N hosts
	mkdir -p /run/netns
	mount -t tmpfs none /run/netns
	ip link set lo up
	ip link add br0 type bridge
	ip addr add 10.98.7.1/24 dev br0
	ip link set br0 up
	for ((h = 1; h <= $1; h++)); do
		ip netns add h$h
		ip link add v$h type veth peer name eth0 netns h$h
		ip link set v$h master br0 up
		ip -n h$h addr add 10.98.7.1$h/24 dev eth0
		ip -n h$h link set eth0 up
		ip -n h$h link set lo up
	done
}

answers() { (exec 3<>/dev/tcp/10.98.7.1/4222) 2>/dev/null; }
refuses() { ! answers; }

start_server() { # start_server [LINES]: starts a server; LINES are added to its configuration
	{
		echo "listen: $SERVER"
		echo "jetstream { store_dir: \"$T/js\", max_file_store: 2TB }"
		printf '%s\n' "${1:-}"
	} >"$T/nats.conf"
	nats-server -c "$T/nats.conf" >>"$T/nats.log" 2>&1 &
	server=$!
	until_true $LONG answers || wrong 'the server does not start'
}

# certificates NAME...: makes a CA in $T/tls, and certificates of the server and these users.
certificates() {
	local name
	mkdir "$T/tls"
	cert() { # cert NAME [IP]: makes the certificate and the key of NAME
		openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/tls/$1.key" -out "$T/tls/$1.csr" -subj "/O=fleet" &&
			openssl x509 -req -in "$T/tls/$1.csr" -CA "$T/tls/ca.pem" -CAkey "$T/tls/ca.key" -CAcreateserial -days 2 \
				-extfile <(printf '%s\n' "subjectAltName=DNS:$1${2:+,IP:$2}" authorityKeyIdentifier=keyid) -out "$T/tls/$1.pem"
	}
	{
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=ca -addext keyUsage=critical,keyCertSign -keyout "$T/tls/ca.key" -out "$T/tls/ca.pem" &&
			cp "$T/tls/ca.pem" "$T/tls/members.pem" && cert server 10.98.7.1
		for name; do
			cert "$name" || break
		done
	} >"$T/openssl.log" 2>&1 || wrong "$(tail -n 3 "$T/openssl.log")"
}

# as NAME: prints the options for a client that uses the certificate of NAME
as() { echo "--ca $T/tls/ca.pem --cert $T/tls/$1.pem --certkey $T/tls/$1.key"; }

# start_secure HOST...: starts a server with the shipped configuration, for these hosts and the
# users viewer and admin.
start_secure() {
	"$FLEET" permit "$@" --viewer viewer --admin admin >"$T/users.conf" || wrong permit
	sed -e "s|0.0.0.0:4222|$SERVER|" -e "s|/etc/dtrace-fleet/|$T/tls/|" -e "s|/var/lib/nats|$T/js2|" -e "s|include dtrace-fleet/|include |" fleet/nats-server.conf >"$T/tls.conf"
	nats-server -c "$T/tls.conf" >>"$T/nats.log" 2>&1 &
	server=$!
	until_true $LONG answers || wrong "the server does not start: $(tail -n 3 "$T/nats.log")"
}

kill_server() {
	kill -9 "$server"
	wait "$server" 2>/dev/null
}

# keys [LINES]: makes a key that signs requests, and the policy of all hosts, which lists the key.
# LINES are added to the policy.
keys() {
	"$FLEET" keygen "$T/key" >"$T/keyline"
	{
		cat "$T/keyline"
		echo 'probes ip:*:*:* tcp:*:*:* udp:*:*:*'
		[[ ${1:-} = *'rate '* ]] || echo 'rate 100'
		[[ ${1:-} = *'seconds '* ]] || echo 'seconds 60'
		echo "replay $PWD/tests/pcap/*"
		printf '%s\n' "${1:-}"
	} >"$T/policy"
}

# as_machine NAME COMMAND: replaces this shell by the command on a machine with an ID of its own.
as_machine() {
	printf %s "$1" | md5sum | cut -c1-32 >"$T/id.$1"
	exec unshare -m sh -c 'mount --bind "$0" /etc/machine-id && exec "$@"' "$T/id.$1" "${@:2}"
}

start_agent() { # start_agent HOST [ARGS]: starts an agent in the host's network namespace
	(as_machine "$1" ip netns exec "$1" "$FLEET" agent -H "$1" --hostkey "$T/hostkey.$1" -p "$T/policy" -D "$T/$1" "${@:2}" 2>>"$T/$1.log") &
	agent[$1]=$!
}
start_local() { # start_local HOST [ARGS]: starts an agent in the network namespace of the server
	(as_machine "$1" "$FLEET" agent -H "$1" --hostkey "$T/hostkey.$1" -p "$T/policy" -D "$T/$1" "${@:2}" 2>>"$T/$1.log") &
	agent[$1]=$!
}
site_server() { # site_server NAME PORT: starts the server of a site
	printf 'listen: 10.98.7.1:%d\njetstream { store_dir: "%s/js.%s", max_file_store: 2TB }\n' "$2" "$T" "$1" >"$T/$1.conf"
	nats-server -c "$T/$1.conf" >>"$T/nats.log" 2>&1 &
	agent[server.$1]=$!
	until_true $LONG "$FLEET" setup -S nats://10.98.7.1:$2 2>/dev/null || wrong "no server $1"
}
relay() { # relay NAME UPPER LOWER [GRACE [ARGS]]: starts a relay; UPPER and LOWER are ports of its servers
	"$FLEET" relay -v -H "$1" -S nats://10.98.7.1:"$2" --site nats://10.98.7.1:"$3" --grace "${4:-6}" -D "$T" "${@:5}" 2>>"$T/$1.log" &
	agent[$1]=$!
}
# name_relay PORT NAME...: tells the server at PORT that these hosts are relays
name_relay() { "$FLEET" expect --relay -S nats://10.98.7.1:"$1" "${@:2}" || wrong "not named: $*"; }
kill_agent() {
	kill -9 "${agent[$1]}"
	wait "${agent[$1]}" 2>/dev/null
}

cut_off() { ip netns exec "$1" nft 'add table inet cut; add chain inet cut in { type filter hook input priority 0; policy drop; };
	add chain inet cut out { type filter hook output priority 0; policy drop; }'; }
back() { ip netns exec "$1" nft delete table inet cut; }

# admit HOST...: creates the streams of hosts without agents. The hosts are not expected.
admit() { "$FLEET" expect "$@" && "$FLEET" retire "$@" || wrong "the hosts cannot be admitted: $*"; }

# there N: succeeds if a run asks N hosts, and the results of all of them are complete
there() {
	local n
	n=$(timeout 300 "$FLEET" run -d 4 -n 'BEGIN { exit(0) }' --grace 1 2>&1 | sed -n 's/^dtrace-fleet: \([0-9]*\) hosts* asked: \1 whole$/\1/p' | tail -n 1)
	[ "${n:-0}" = "$1" ]
}
# nats_pub SUBJECT FILE [REPLY]: publishes the bytes of the file. The server sends its answer to the
# subject REPLY.
nats_pub() {
	python3 - "${SERVER%:*}" "${SERVER#*:}" "$1" "$2" "${3:-}" <<'P'
import socket, sys
s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
f = s.makefile('rb')
f.readline()
data = open(sys.argv[4], 'rb').read()
s.sendall(b'CONNECT {"verbose":false}\r\nPUB %s %s %d\r\n%s\r\nPING\r\n' % (sys.argv[3].encode(), sys.argv[5].encode(), len(data), data))
while f.readline() not in (b'PONG\r\n', b''):
    pass
P
}

# seal HOST: signs the message on the standard input with the host's key, and prints it.
seal() {
	local key=$T/hostkey.$1
	[ -e "$key" ] || "$FLEET" keygen "$key" >/dev/null
	cat >"$T/sealing"
	python3 -c 'import sys; open(sys.argv[2], "wb").write(bytes.fromhex("302e020100300506032b657004220420" + open(sys.argv[1]).read().strip()))' "$key" "$key.der"
	openssl pkey -inform DER -in "$key.der" -pubout -outform DER | tail -c 32
	openssl pkeyutl -sign -rawin -keyform DER -inkey "$key.der" -in "$T/sealing"
	cat "$T/sealing"
}

run_of() { sed -n 's/^dtrace-fleet: run //p' "$1"; }

# begin_run "HOST..." ARGS: starts a viewer with ARGS in the background, and waits until each HOST
# traces the run. Sets $viewer to the process ID of the viewer, and $id to the ID of the run. The
# viewer writes to $T/out and $T/err.
begin_run() {
	local hosts=$1 h
	shift
	: >"$T/err"
	"$FLEET" run "$@" >"$T/out" 2>"$T/err" &
	viewer=$!
	until_true $LONG grep -q '^dtrace-fleet: run ' "$T/err" || wrong 'the viewer starts no run'
	id=$(run_of "$T/err")
	for h in $hosts; do
		until_true $LONG test -s "$T/$h/runs/$id/agg" || wrong "the agent of $h writes no aggregation file"
	done
}
