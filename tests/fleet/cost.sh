# A run whose probes use more CPU time than the policy allows is stopped, and the viewer names the
# cost and the bound. The viewer shows what the host had counted, and reports the host as partial.
# The result of a cheap run is whole.
. tests/fleet/lib.bash
network 1
keys 'probes profile:*:*:*'
start_server
"$FLEET" setup || wrong setup
echo 'cost 1' >>"$T/policy"
start_local h1 -v
until_true $LONG there 1 || { wrong 'the agent does not connect'; finish; }
ask() { # ask STATUS SECONDS PROGRAM [ARGS]
	checks=$((checks + 1))
	timeout $LONG "$FLEET" run -d "$2" --rate 0.1 -n "$3" "${@:4}" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
	id=$(run_of "$T/err")
}
measured() { cat "$T/h1/runs/$id/cost"; }

# Each of the 4,999 firings a second on each CPU walks the stack 60 times.
what='expensive probes'
costly=
for ((i = 0; i < 60; i++)); do costly+="@[$i] = sum(stackdepth); "; done
began=$SECONDS
ask 1 60 "profile-4999hz { $costly }"
says 'h1: stopped: its probes used [0-9]+ % of a CPU for [0-9]+ s; the policy allows 1 % over 10 s'
says '1 host asked: 0 whole, 1 partial'
checks=$((checks + 4))
[ $((SECONDS - began)) -lt 40 ] || wrong "$what: the run took $((SECONDS - began)) s"
[ -s "$T/out" ] || wrong "$what: no results are shown"
grep -q "run $id ended: .*stopped: its probes used" "$T/h1.log" || wrong "$what: the log: $(cat "$T/h1.log")"
[ "$(measured)" -gt 100000000 ] || wrong "$what: $(measured) ns were measured"

what='cheap probes'
ask 0 4 'tick-100ms { @ = count(); }'
says '1 host asked: 1 whole'
checks=$((checks + 1))
[ "$(measured)" -lt 100000000 ] || wrong "$what: $(measured) ns were measured"

# A replay has no programs in the kernel.
what='a replay'
ask 0 10 'BEGIN { @ = count(); }' -r "$PWD/tests/pcap/connections.pcap"
says '1 host asked: 1 whole'
checks=$((checks + 1))
[ ! -e "$T/h1/runs/$id/cost" ] || wrong "$what: $(measured) ns were measured"
finish
