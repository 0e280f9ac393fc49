# A viewer with a slow connection shows all results. If the server's disk is full, the viewer still
# ends, and counts the hosts without results.
. tests/fleet/lib.bash
command -v tc >/dev/null || skip 'no tc command here'
network 2
keys 'bytes 9000000'
mkdir "$T/js"
mount -t tmpfs -o size=200m none "$T/js"
# The server closes a connection if a write to it takes longer than this time.
start_server 'write_deadline: "1s"'
"$FLEET" setup || wrong setup
start_agent h1 -v
until_true $LONG there 1 || { wrong 'the agent does not connect'; finish; }

ended() { # ended STATUS: waits for the viewer
	local status
	until_true $LONG test ! -e /proc/$viewer || { wrong "$what: the viewer does not end" && kill -9 $viewer; }
	wait $viewer
	status=$?
	checks=$((checks + 1))
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
}

what='a slow connection'
begin_run h1 -d 20 -n 'BEGIN { n = 0; } tick-1ms { n++; printf("%20000d\n", n); } tick-1ms /n == 200/ { exit(0); }'
ended 0
[ "$(wc -c <"$T/out")" = $((200 * 20005)) ] || wrong "$what: $(wc -c <"$T/out") bytes before"
tc qdisc add dev v2 root tbf rate 16mbit burst 32k latency 200ms || skip 'no tbf here'
ip netns exec h2 "$FLEET" show "$id" >"$T/out" 2>"$T/err" &
viewer=$!
ended 0
says '1 host asked: 1 whole'
checks=$((checks + 2))
[ "$(wc -c <"$T/out")" = $((200 * 20005)) ] || wrong "$what: $(wc -c <"$T/out") bytes"
[ "$(sed 's/.* //' "$T/out" | sort -nu | wc -l)" = 200 ] || wrong "$what: the output has other lines"
grep -q 'Slow Consumer' "$T/nats.log" && wrong "$what: $(grep 'Slow Consumer' "$T/nats.log")"
tc qdisc del dev v2 root

what='the disk of the server is full'
begin_run h1 -d 5 --grace 1 --rate 0.1 -n 'tick-10ms { @ = count(); printf("%1000d\n", 1); }'
head -c 300m /dev/zero >"$T/js/fill" 2>/dev/null
ended 1
says '1 host asked: 0 whole, 1 (silent|partial)'
rm "$T/js/fill"
until_true $LONG grep -q 'the server did not take messages' "$T/h1.log" || wrong "$what: the agent's log does not report it"

umount -l "$T/js"
finish
