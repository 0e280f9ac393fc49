# A process of dtrace-fleet that reads bytes from the network has no rights. The test looks at
# /proc/PID of each such process while the process talks to a server with TLS. Damaged messages do
# no harm, and a message that kills its reader is not read again.
# shellcheck disable=SC2046 # as() prints words
. tests/fleet/lib.bash
command -v openssl >/dev/null || skip 'no openssl command here'
network 1
keys
certificates h1 fra viewer admin
start_secure h1 fra
timeout $LONG "$FLEET" setup $(as admin) || wrong setup
timeout $LONG "$FLEET" expect $(as admin) h1 || wrong expect
start_agent h1 -v $(as h1)

# children PID: prints the process IDs of the children of a process
children() { pgrep -P "$1"; }
# status PID NAME: prints a number of the process, as in /proc/PID/status
status() { awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"; }
# A build with sanitizers has no filter of system calls.
filter=2
! grep -qa __asan_init "$FLEET" || filter=0
names=$(for f in gai.conf host.conf hosts nsswitch.conf resolv.conf; do [ ! -e /etc/$f ] || echo ./etc/$f; done)
# has_no_rights WHAT PID: checks one process, and each of its threads
has_no_rights() {
	local task user
	checks=$((checks + 1))
	[ -n "$2" ] && [ -d "/proc/$2" ] || { wrong "$1: no such process"; return; }
	user=$(id -u _dtrace 2>/dev/null || echo '')
	for task in /proc/"$2"/task/*; do
		task=$2/task/${task##*/}
		[ "$(status "$task" Uid)" != 0 ] && { [ -z "$user" ] || [ "$(status "$task" Uid)" = "$user" ]; } || wrong "$1: user $(status "$task" Uid)"
		for set in CapEff CapPrm CapInh CapAmb; do
			[ $((16#$(status "$task" $set))) = 0 ] || wrong "$1: $set is $(status "$task" $set)"
		done
		[ "$(status "$task" NoNewPrivs)" = 1 ] || wrong "$1: NoNewPrivs"
		[ "$(status "$task" Seccomp)" = $filter ] || wrong "$1: no filter"
	done
	[ "$(cd "/proc/$2/root" && find . -type f | sort)" = "$names" ] || wrong "$1: files of its root"
	! ls -l "/proc/$2/fd" | grep -Eq "$T/(policy|key|hostkey|h1/)" || wrong "$1: files: $(ls -l "/proc/$2/fd")"
}
registered() { "$FLEET" hosts $(as viewer) | grep -q '^h1 .* expected .*[0-9]:'; }
until_true $LONG registered || { wrong "no agent: $(cat "$T/h1.log")"; finish; }

# ip netns exec and the agent are one process.
reader() { messenger=$(children "${agent[h1]}" | head -n 1); [ -n "$messenger" ]; }
until_true $LONG reader
has_no_rights 'the messenger of the agent' "$messenger"
checks=$((checks + 1))
[ "$(status "${agent[h1]}" Uid)" = 0 ] || wrong 'the agent is not root'
# The agent itself has no connection, so it reads no byte from the server.
sockets=$(ip netns exec h1 ss -Htnp state established | grep -o 'pid=[0-9]*' | sort -u | tr '\n' ' ')
[ "$sockets" = "pid=$messenger " ] || wrong "connections of: $sockets, the messenger is $messenger"

begin_run h1 $(as viewer) -d 40 -n 'BEGIN { @ = sum(7); }'
has_no_rights 'the viewer' $viewer
keeper=$(children $viewer | head -n 1)
checks=$((checks + 1))
[ "$(status "$keeper" Uid)" = 0 ] || wrong 'no process of the viewer keeps its rights'
ss -Htnp state established 2>/dev/null | grep "pid=$keeper," && wrong 'that process has a connection'
kill -INT $viewer
wait $viewer || wrong "a run that its viewer ended: $(cat "$T/err")"

"$FLEET" relay -H fra -S tls://$SERVER --site tls://$SERVER -D "$T" $(as fra) 2>"$T/fra.log" &
agent[fra]=$!
relay_runs() { [ -n "$(children "${agent[fra]}")" ] && [ "$(status "${agent[fra]}" Seccomp)$(status "${agent[fra]}" NoNewPrivs)" != 00 ]; }
until_true $LONG relay_runs || wrong "no relay: $(cat "$T/fra.log")"
has_no_rights 'the relay' "${agent[fra]}"
kill_agent fra

# A client sends damaged requests. The agent goes on, and so does its messenger.
put() { python3 tests/fleet/hostile.py $SERVER "$T/tls" viewer put "$1" "$2" >/dev/null; }
request() { printf 'DTFLEET1\nask %s\nid %s\nfleet default\nhosts *\nuntil %s\nseconds 5\nrate 1000\n\n%s' "$@"; }
until=$(($(date +%s) + 20))
n=0
for bytes in x 'DTFLEET1' "$(request run r1 $until 'BEGIN' | tr '\n' ' ')" "$(request run 'a/b' $until BEGIN)" "$(request walk r3 $until BEGIN)" "$(request run r4 99999999999999999999 BEGIN)" "$(head -c 20000 /dev/zero | tr '\0' x)"; do
	n=$((n + 1))
	printf %s "$bytes" >"$T/damaged"
	put "$T/damaged" "fleet.run.raw$n"
	printf %s "$bytes" | seal stranger >"$T/damaged"
	put "$T/damaged" "fleet.run.r$n"
done
# The signed request has valid members, but in another form than request_write() gives them. The
# agent checks the signature against the form of request_write(), so it refuses the request.
sleep 1.1 # the log has at most a few lines a second about bad messages
request run odd $until 'BEGIN { exit(0); }' | sed 's/^rate 1000$/rate 01000/' >"$T/plain"
cp "$T/key" "$T/hostkey.listed"
seal listed <"$T/plain" >"$T/odd"
put "$T/odd" fleet.run.odd
refused() { grep -q 'a message is not a request in the form of this version' "$T/h1.log"; }
checks=$((checks + 3))
until_true $LONG refused || wrong "a request of another form: $(tail -n 3 "$T/h1.log")"
[ ! -e "$T/h1/runs/odd" ] || wrong 'a request of another form begins'
[ "$(children "${agent[h1]}" | head -n 1)" = "$messenger" ] || wrong 'a damaged message has killed the messenger'
timeout $LONG "$FLEET" run $(as viewer) -d 20 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err" || wrong "after damaged messages: $(cat "$T/err")"

# An agent that cannot find its server by name tries again with new copies of /etc/hosts and similar
# files when these have changed.
cp /etc/hosts "$T/hosts"
mount --bind "$T/hosts" /etc/hosts
start_local h2 -v -S nats://later.example:4222
sleep 1.5
checks=$((checks + 1))
echo "${SERVER%:*} later.example" >>"$T/hosts"
found() { m=$(children "${agent[h2]}" | head -n 1) && [ -n "$m" ] && (cd "/proc/$m/root" && grep -q later.example etc/hosts); }
until_true $LONG found || wrong 'the messenger has old files for names'
kill_agent h2
umount /etc/hosts

# Something kills the messenger. The agent starts another one, and the host answers again.
kill -9 "$messenger"
other() { reader && [ "$messenger" != "$1" ]; }
until_true $LONG other "$messenger" || wrong 'no other messenger'
timeout $LONG "$FLEET" run $(as viewer) -d 20 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err" || wrong "with another messenger: $(cat "$T/err")"
checks=$((checks + 1))
kill_agent h1
gone() { [ ! -d "/proc/$messenger" ]; }
until_true $LONG gone || wrong 'the messenger lives longer than the agent'
finish
