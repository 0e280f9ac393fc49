# "dtrace-fleet runs" lists the runs. "dtrace-fleet health" and the agent's metrics show runs and
# errors, and whether the agent is connected to a server.
. tests/fleet/lib.bash
network 1
keys
start_server
"$FLEET" setup || wrong setup
start_local h1 -v --metrics "$T/agent.prom"
until_true $LONG there 1 || { wrong 'h1 does not come'; finish; }

matches() { # matches COMMAND RE: runs the command, and checks that a line of its output matches
	checks=$((checks + 1))
	"$FLEET" $1 >"$T/said" 2>"$T/said.err"
	status=$?
	grep -Eq -- "$2" "$T/said" || wrong "$what: no line of $1 matches $2: $(cat "$T/said" "$T/said.err")"
}
is() { # is STATUS: the exit status of the last command
	checks=$((checks + 1))
	[ $status = "$1" ] || wrong "$what: status $status"
}
metric() { sed -n "s/^dtrace_fleet_agent_$1 //p" "$T/agent.prom"; }

what='a host that is well'
matches health '^h1 +20[-0-9]+ [0-9:]+ UTC .* 0 errors +[0-9]+% free  well$'
is 0
what=runs
begin_run h1 -d 60 -n 'BEGIN { @ = count(); } /* a program that is longer than what the list shows of it */'
matches runs "^$id +20[-0-9]+ [0-9:]+ UTC  active   [0-9a-f]{8}  \\*  +BEGIN .*\\.\\.\\.\$"
is 0
key=$(sed -n 's/^key \(........\).*/\1/p' "$T/keyline")
matches runs "^$id .* $key "
checks=$((checks + 1))
[ "$(wc -l <"$T/said")" -ge 2 ] || wrong "a former run is not listed: $(cat "$T/said")"
# After the terminal of a run is lost, its user stops the run by the ID that the list shows.
"$FLEET" stop "$id" || wrong 'stop'
wait $viewer
matches runs "^$id .*  stopped  "

what='an error'
begin_run h1 -d 60 -n 'BEGIN { @ = count(); }'
kill -9 "$(pgrep -of "^[^ ]*dtrace -qxlocked .*$T/h1/runs/$id/agg")"
wait $viewer
erred() { "$FLEET" health | grep -q ' 1 errors .*ended by signal 9'; }
checks=$((checks + 1))
told() { [ "$(metric errors_total)" = 1 ]; }
until_true 60 told || wrong "the metrics do not have the error: $(cat "$T/agent.prom")"
until_true 90 erred || wrong "health does not have the error: $("$FLEET" health)"
matches health 'dtrace was ended by signal 9'
is 1

what=metrics checks=$((checks + 4))
[ "$(metric connected)" = 1 ] || wrong "connected: $(metric connected)"
[ "$(metric disk_size_bytes)" -ge "$(metric disk_free_bytes)" ] || wrong "$(grep disk "$T/agent.prom")"
[ "$(stat -c %a "$T/agent.prom")" = 644 ] || wrong "others cannot read the file"
if command -v promtool >/dev/null; then
	promtool check metrics <"$T/agent.prom" >"$T/said" 2>&1 || wrong "promtool: $(cat "$T/said")"
fi
kill_server
gone() { [ "$(metric connected)" = 0 ]; }
until_true 60 gone || wrong 'the metrics do not say that the server is away'
finish
