# Two sites have a server and a relay of their own. Above one site, there is another server with a
# relay. A viewer at the top server shows the exact sum of all hosts and the number of hosts, and
# names each host that is not whole.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
command -v openssl >/dev/null || skip 'no openssl here'
network 1
keys
start_server
"$FLEET" setup || wrong setup
grace=20

# fra and ams are the relays of two sites. The relay eu is above ams. The host "top" is a client of the
# top server, without a relay.
site_server fra 4322
site_server eu 4422
site_server ams 4522
name_relay 4222 fra eu
name_relay 4422 ams
relay fra 4222 4322
relay eu 4222 4422 12
relay ams 4422 4522
start_local top
start_local a -S nats://10.98.7.1:4322 --label role=web
start_local b -S nats://10.98.7.1:4522 --label role=web
start_local c -S nats://10.98.7.1:4522 --label role=db
registered() { [ "$("$FLEET" hosts -S nats://10.98.7.1:"$1" | grep -c ' expected ')" = "$2" ]; }
for s in '4222 3' '4322 1' '4422 1' '4522 2'; do
	until_true $LONG registered $s || wrong "not registered: $s"
done

ask 0 -n 'BEGIN { @ = sum(10); printf("hello from %s\n", host); exit(0); }'
sum 40
says '4 hosts asked: 4 whole'
checks=$((checks + 2))
grep -q '^eu: ams: c: hello from c$' "$T/out" || wrong "no output of c: $(cat "$T/out")"
[ "$(grep -c 'hello from' "$T/out")" = 4 ] || wrong "output: $(cat "$T/out")"
# The program of this run has no aggregations, and its output does not end with a line end.
ask 0 -n 'BEGIN { printf("unended"); exit(0); }'
says '4 hosts asked: 4 whole'
checks=$((checks + 1))
[ "$(grep -c 'unended$' "$T/out")" = 4 ] || wrong "output without line ends: $(cat "$T/out")"
id=$(run_of "$T/err")
timeout $LONG "$FLEET" show "$id" >"$T/again" 2>"$T/err" || wrong "show: $(cat "$T/err")"
says '4 hosts asked: 4 whole'
# A host sends an error of the largest possible length, begins the run twice, and sends output of
# another run. The relay reports these three faults, and its report still fits into a message.
ask 0 -t '[ax]' -n 'BEGIN { @ = sum(10); exit(0); }'
id=$(run_of "$T/err")
site=nats://10.98.7.1:4322
"$FLEET" expect -S $site x && "$FLEET" retire -S $site x || wrong 'x is not admitted'
send() { SERVER=10.98.7.1:4322 nats_pub "fleet.$1.$id.x.a1.$2" "$T/sealed"; }
heads() { printf 'DTFLEET1\nrun %s\nhost x\nid a1\nepoch %s\n' "$@"; }
for epoch in 5 6; do
	{
		heads "$id" $epoch
		printf 'sequence 1\nversion 1\nphase ended\nend done\nmatched 1\nout 0\nunsent 0\nsaid 1048200\n\n'
		head -c 1048200 /dev/zero | tr '\0' e
	} | seal x >"$T/sealed"
	send state $epoch
done
{
	heads other 5
	printf 'offset 0\n\nstrange\n'
} | seal x >"$T/sealed"
send out 5
named() { "$FLEET" show "$id" >"$T/out" 2>"$T/err"; grep -q 'fra: x: began the run twice' "$T/err"; }
until_true $LONG named || wrong "x is not named: $(cut -c 1-200 "$T/err")"
says 'fra: x: e{512}'
says '3 hosts asked: 1 whole, 2 partial'
checks=$((checks + 1))
! grep -q strange "$T/out" || wrong 'output of another run is shown'

# A relay has no history of its site.
checks=$((checks + 1))
timeout $LONG "$FLEET" show ticks --from -1h >"$T/out" 2>"$T/err" && wrong 'a history without those of the sites is complete'
says 'fra: no data, because it is a relay; .*'
says 'top: no data at all'

# Anybody can sign a request, so a relay refuses a request for a run of more than a week.
printf 'DTFLEET1\nask run\nid toolong\nfleet f\nhosts *\nuntil %d\nseconds 1\nrate 1000\n\nBEGIN' $(($(date +%s) + 700000)) | seal x >"$T/sealed"
nats_pub fleet.run.toolong "$T/sealed"
checks=$((checks + 1))
until_true $LONG grep -q 'run toolong is not passed on' "$T/fra.log" || wrong "a long request is passed on: $(tail -n 3 "$T/fra.log")"

# Only the relays know the labels of their hosts. A target of the viewer still selects hosts by
# these labels.
ask 0 -t role=web -n 'BEGIN { @ = sum(10); exit(0); }'
sum 20
says '2 hosts asked: 2 whole'

# A host claims to be a relay with a thousand hosts, but no administrator has named it as a relay.
# Runs with a canary still work, and the host's answer does not count.
"$FLEET" expect -S $site liar && "$FLEET" retire -S $site liar || wrong 'liar is not admitted'
printf 'DTFLEET1\nhost liar\nid b1\nversion 1\nrelay yes\n\n' | seal liar >"$T/sealed"
SERVER=10.98.7.1:4322 nats_pub '$KV.FLEET_HOSTS.host.liar.b1' "$T/sealed"
"$FLEET" expect -S $site liar/b1 || wrong 'liar is not expected'
ask 0 -S $site -t a --canary 1 -n 'BEGIN { @ = sum(10); exit(0); }'
sum 10
says '1 host asked: 1 whole'
id=$(run_of "$T/err")
{
	printf 'DTFLEET1\nrun %s\nhost liar\nid b1\nepoch 5\n' "$id"
	printf 'sequence 1\nversion 1\nphase ended\nend done\nmatched 1\nout 0\nunsent 0\nmembers whole=1000\nsaid 0\n\n'
} | seal liar >"$T/sealed"
SERVER=10.98.7.1:4322 nats_pub "fleet.state.$id.liar.b1.5" "$T/sealed"
checks=$((checks + 1))
timeout $LONG "$FLEET" show -S $site "$id" >"$T/out" 2>"$T/err" && wrong 'liar counts as a relay'
says 'liar: left out: this host says that it is a relay, but no administrator has named it as one .*'
says '2 hosts asked: 1 whole, 1 left out'
"$FLEET" retire -S $site liar || wrong 'liar is not retired'

# Two relays are killed during the run and started again. Nothing counts twice.
"$FLEET" run --grace 15 -d 12 --rate 0.2 -n 'BEGIN { @ = sum(10); }' >"$T/out" 2>"$T/err" &
viewer=$!
begun() { ls "$T/c/runs/$(run_of "$T/err")/agg" 2>/dev/null; }
until_true $LONG begun >/dev/null || wrong 'c does not begin'
sleep 1
kill_agent ams
kill_agent fra
relay ams 4422 4522
relay fra 4222 4322
wait $viewer
status=$?
checks=$((checks + 1))
[ $status = 0 ] || wrong "status $status: $(cat "$T/err")"
sum 40
says '4 hosts asked: 4 whole'

# A relay is killed during a run with output, too. The relay that is started in its place does not
# know which output was sent.
: >"$T/err"
"$FLEET" run --grace 15 -d 12 --rate 0.2 -t c -n 'BEGIN { printf("early\n"); }' >"$T/out" 2>"$T/err" &
viewer=$!
until_true $LONG grep -q early "$T/out" || wrong 'no output of c'
kill_agent ams
relay ams 4422 4522
wait $viewer
status=$?
checks=$((checks + 1))
[ $status = 1 ] || wrong "status $status: $(cat "$T/err")"
says 'eu: ams: the relay was started during the run: output may be missing or repeated'
says '1 host asked: 0 whole, 1 partial'

# A relay was named, and has never registered. Its hosts may match any target.
name_relay 4222 new
ask 1 -d 4 -t top -n 'BEGIN { @ = sum(10); exit(0); }'
says 'new: has not answered; it has never registered'
says '2 hosts asked: 1 whole, 1 silent'
"$FLEET" retire new || wrong 'new is not retired'
# A relay also reports a named relay of its site if that has never registered.
name_relay 4422 low
grace=60 ask 1 -d 4 -t d -n 'BEGIN { @ = sum(10); exit(0); }'
says 'eu: low: has not answered; it has never registered'
says '1 host asked: 0 whole, 1 silent'
"$FLEET" retire -S nats://10.98.7.1:4422 low || wrong 'low is not retired'

# A second relay of the same name does not run in the same folder.
checks=$((checks + 1))
timeout $LONG "$FLEET" relay -H ams -S nats://10.98.7.1:4422 --site nats://10.98.7.1:4522 -D "$T" 2>"$T/err" && wrong 'a second relay of one name runs'
grep -q 'another relay of this name uses' "$T/err" || wrong "a second relay: $(cat "$T/err")"

# A relay remembers the keys of its hosts.
checks=$((checks + 1))
[ "$(grep -Ec '^[bc]\.[0-9a-f]{32} [0-9a-f]{64}$' "$T/relay.ams.known")" = 2 ] || wrong "known keys: $(cat "$T/relay.ams.known")"
kill_agent a
rm "$T/hostkey.a"
start_local a -S nats://10.98.7.1:4322 --label role=web
# The relay may have read the inventory before the new agent of host a writes its entry.
new_key() {
	"$FLEET" run --grace 12 -d 4 -n 'BEGIN { @ = sum(10); exit(0); }' >"$T/out" 2>"$T/err"
	grep -q 'fra: a: left out' "$T/err" && grep -q 'fra: an entry of' "$T/err"
}
until_true $LONG new_key || wrong "a new key of a counts: $(cat "$T/err")"
says "fra: a: left out: its answer is not signed by the host's known key .*"
says "fra: an entry of the site's inventory is not signed by the known key of its host or of an administrator, so it may be forged"

# An expected host has never registered, another host is away, and so is a whole site.
"$FLEET" expect -S nats://10.98.7.1:4522 gone || wrong expect
kill_agent fra
kill_agent c
# The site of this relay has no server. The viewer must still count the site.
name_relay 4222 dead
relay dead 4222 4622
until_true $LONG registered 4222 4 || wrong 'dead is not registered'
ask 1 -d 8 -n 'BEGIN { @ = sum(10); exit(0); }'
sum 20
says 'eu: ams: gone: has not answered.*'
says 'eu: ams: c: has not answered; last seen .*'
says 'fra: has not answered.*'
says "dead: the site's inventory was not read, so the number of its hosts is unknown"
says '6 hosts asked: 2 whole, 1 partial, 3 silent'
finish
