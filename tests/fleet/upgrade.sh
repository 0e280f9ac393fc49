# Two versions of dtrace-fleet work together. Agents are upgraded and downgraded during a run. An
# agent refuses runs if its dtrace was replaced by another version. $NEXT is a folder with another
# version of the programs.
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

# exact: waits for the viewer. Checks that both hosts are whole, and that the viewer's total is the sum
# of the hosts' files.
exact() {
	wait $viewer
	status=$?
	checks=$((checks + 3))
	[ $status = 0 ] || wrong "$what: status $status: $(cat "$T/err")"
	grep -q '^dtrace-fleet: 2 hosts asked: 2 whole$' "$T/err" || wrong "$what: $(cat "$T/err")"
	"$DTRACE" -q --merge "$T/h1/runs/$id/agg" "$T/h2/runs/$id/agg" | cmp -s - "$T/out" || wrong "$what: $(cat "$T/out")"
}
replace() { # replace HOST PROGRAM: starts the agent again with another program, as an upgrade does
	kill_agent "$1"
	FLEET=$2 start_local "$1" -v
}
for viewed in "$now" "$next"; do
	what="the viewer is $viewed"
	FLEET=$viewed
	begin_run 'h1 h2' -d 8 --rate 0.1 -n 'tick-10ms { @ = count(); }'
	# One host is upgraded and the other downgraded. Then each gets its first version again.
	replace h1 "$next"
	replace h2 "$now"
	sleep 2
	replace h1 "$now"
	replace h2 "$next"
	exact
done
FLEET=$now

# The file of dtrace is replaced while the agent runs. The agent does not run a dtrace of another
# version.
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
grep -q "^dtrace-fleet: h1: dtrace was replaced by version 99.0.0, but this agent has version $version: restart the agent\$" "$T/err" ||
	wrong "$what: $(cat "$T/err")"
grep -q '^dtrace-fleet: 2 hosts asked: 1 whole, 1 refused$' "$T/err" || wrong "$what: $(cat "$T/err")"
finish
