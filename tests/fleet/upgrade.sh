# Hosts of two versions work side by side. An agent is upgraded and downgraded while a run goes on,
# and an agent whose dtrace was replaced says so. $NEXT is the folder of the same programs with
# another version.
. tests/fleet/lib.bash
[ -x "${NEXT:-}/dtrace-fleet" ] || skip 'there are no programs of another version (NEXT)'
now=$FLEET next=$(realpath "$NEXT")/dtrace-fleet
network 1
keys 'lease 30'
start_server
"$now" setup || wrong setup
start_local h1 -v
FLEET=$next start_local h2 -v
until_true $LONG there 2 || { wrong 'the hosts do not come'; finish; }
checks=$((checks + 2))
[ "$("$now" hosts | awk '{ print $6 }' | sort -u | wc -l)" = 2 ] || wrong "the versions are equal: $("$now" hosts)"
[ "$("$now" health | grep -c 'another version')" = 1 ] || wrong "$("$now" health)"

# exact: the viewer said that both are whole, and its total is that of the files.
exact() {
	wait $viewer
	status=$?
	checks=$((checks + 3))
	[ $status = 0 ] || wrong "$what: status $status: $(cat "$T/err")"
	grep -q '^dtrace-fleet: 2 hosts asked: 2 whole$' "$T/err" || wrong "$what: $(cat "$T/err")"
	"$DTRACE" -q --merge "$T/h1/runs/$id/agg" "$T/h2/runs/$id/agg" | cmp -s - "$T/out" || wrong "$what: $(cat "$T/out")"
}
replace() { # replace HOST PROGRAM: what an upgrade does: the agent is started again
	kill_agent "$1"
	FLEET=$2 start_local "$1" -v
}
for viewed in "$now" "$next"; do
	what="the viewer is $viewed"
	FLEET=$viewed
	begin_run 'h1 h2' -d 8 --rate 0.1 -n 'tick-10ms { @ = count(); }'
	# One host is upgraded and the other downgraded, and then each of them back.
	replace h1 "$next"
	replace h2 "$now"
	sleep 2
	replace h1 "$now"
	replace h2 "$next"
	exact
done
FLEET=$now

# The package's files are replaced, and the agent still runs: it does not run the other dtrace.
what='a dtrace that was replaced'
cp "$DTRACE" "$T/dtrace"
kill_agent h1
start_local h1 -v --dtrace "$T/dtrace"
until_true $LONG there 2 || wrong 'h1 does not come back'
cp "$DTRACE" "$T/new" && mv "$T/new" "$T/dtrace"
checks=$((checks + 3))
until_true $LONG there 2 || wrong 'a dtrace of the same version is refused'
cp "${next%-fleet}" "$T/new" && mv "$T/new" "$T/dtrace"
timeout $LONG "$now" run -d 4 -n 'BEGIN { exit(0); }' >"$T/out" 2>"$T/err"
version=$("$now" --version | sed -n 's/^dtrace-fleet //p')
grep -q "^dtrace-fleet: h1: dtrace was replaced by version 99.0.0, and this agent has version $version: it must be started again\$" "$T/err" ||
	wrong "$what: $(cat "$T/err")"
grep -q '^dtrace-fleet: 2 hosts asked: 1 whole, 1 refused$' "$T/err" || wrong "$what: $(cat "$T/err")"
finish
