# Five hosts, one server, and network faults: lost, duplicated or late messages. The totals equal
# the sums of the hosts' files. $FLEET_ROUNDS is the number of rounds, 1 by default.
. tests/fleet/lib.bash
network 5
keys 'seconds 600'
program='BEGIN { n = 0; k = 0; } tick-10ms { @[host] = count(); @sum = sum(n); @q[host] = quantize(n); @hi = max(n); @av = avg(n); n++; } tick-500ms { printf("line %d\n", k++); }'

tables() { # tables FILE: prints the output of a viewer without the lines that printf() made
	grep -Ev '^h[1-5]: ' "$1"
}

# Succeeds when the host has counted enough, which takes longer on a slow machine.
has_counted() { # has_counted HOST
	"$DTRACE" -q --merge "$T/$1/runs/$id/agg" >"$T/one" 2>/dev/null || return 1
	local n
	n=$(sed -n "s/^  $1  *\([0-9]*\)$/\1/p" "$T/one" | head -n 1)
	[ "${n:-0}" -gt 100 ]
}

# Each round has a new server, so that no host of an earlier round appears to be connected.
round() {
	RANDOM=$1
	rm -rf "$T/js"
	start_server
	"$FLEET" setup || wrong setup
	for h in h1 h2 h3 h4; do
		start_agent $h --twice
	done
	until_true $LONG there 4 || { wrong 'four agents do not connect'; finish; }
	begin_run h4 -d 500 --rate 0.1 --keep "$T/keep" -n "$program"
	(
		sleep 0.$((RANDOM % 10))
		cut_off h2
		sleep 2.$((RANDOM % 10))
		back h2
	) &
	cutting=$!
	sleep 0.$((RANDOM % 10))
	kill_agent h3
	sleep 0.$((RANDOM % 10))
	kill_server
	sleep 0.$((RANDOM % 10))
	start_agent h5 --twice
	start_server
	sleep 0.$((RANDOM % 10))
	start_agent h3 --twice
	sleep 0.$((RANDOM % 10))
	kill_server
	start_server
	wait $cutting || wrong 'the helper that cuts off h2 failed'
	for h in h1 h2 h3 h4 h5; do
		until_true $LONG has_counted $h || wrong "the program on $h has not counted"
	done
	timeout $LONG "$FLEET" stop "$id" || wrong 'the run cannot be stopped'
	wait $viewer
	status=$?
	checks=$((checks + 13))
	[ $status = 0 ] || wrong "status $status"
	grep -q '^dtrace-fleet: 5 hosts asked: 5 whole$' "$T/err" || wrong "$(cat "$T/err")"
	ls "$T"/h?/runs/$id/agg >"$T/files"
	[ "$(wc -l <"$T/files")" = 5 ] || wrong "$(cat "$T/files")"
	# shellcheck disable=SC2046
	"$DTRACE" -q --merge $(cat "$T/files") >"$T/sum" 2>&1
	tables "$T/out" >"$T/total"
	diff -u --label sum "$T/sum" --label total "$T/total" || wrong 'the totals are not the sum of the hosts'\'' files'
	for h in h1 h2 h3 h4 h5; do
		checks=$((checks + 2))
		cmp "$T/keep/$h" "$T/$h/runs/$id/agg" || wrong "the file of $h differs from the file that the viewer kept"
		grep "^$h: " "$T/out" | cut -d' ' -f2- | cmp - <(printf '%s\n' "$(cat "$T/$h/runs/$id/out")") || wrong "the output of $h differs from what the viewer printed"
	done
	# A later viewer sees the same result.
	timeout $LONG "$FLEET" show "$id" >"$T/again" 2>"$T/err2" || wrong "show: $(cat "$T/err2")"
	tables "$T/again" | diff -u --label sum "$T/sum" --label again - || wrong 'a later viewer shows another result'
	for h in h1 h2 h3 h4 h5; do
		kill "${agent[$h]}"
		wait "${agent[$h]}" 2>/dev/null
	done
	kill_server
	rm -rf "$T"/h? "$T/keep"
}

red=0
for ((r = 1; r <= ${FLEET_ROUNDS:-1}; r++)); do
	began=$SECONDS
	round $r
	echo "round $r: $([ $bad = 0 ] && echo equal || echo RED), $((SECONDS - began)) s"
	[ $bad = 0 ] || tail -n 5 "$T"/*.log
	red=$((red + bad)) bad=0
done
bad=$((red > 0))
finish
