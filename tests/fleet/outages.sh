# Five hosts and one server, and what goes wrong between them: whatever is lost, doubled or late, the totals are the sum
# of what the hosts have in their own files.  $FLEET_ROUNDS: how many times, 1 unless said.
. tests/fleet/lib.bash
network 5
keys
start_server
"$FLEET" setup || wrong setup
program='BEGIN { n = 0; k = 0; } tick-10ms { @[host] = count(); @sum = sum(n); @q[host] = quantize(n); @hi = max(n); @av = avg(n); n++; } tick-500ms { printf("line %d\n", k++); }'

tables() { # what a viewer has shown, but for the lines of hosts
	grep -Ev '^h[1-5]: ' "$1"
}

round() {
	RANDOM=$1
	for h in h1 h2 h3 h4; do
		start_agent $h --twice
	done
	until_true 60 there 4 || wrong 'four agents do not come'
	begin_run h4 -d 20 --rate 0.1 --grace 25 --keep "$T/keep" -n "$program"
	(
		sleep 0.$((RANDOM % 10))
		cut_off h2
		sleep 2.$((RANDOM % 10))
		back h2
	) &
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
	wait $viewer
	status=$?
	checks=$((checks + 6))
	[ $status = 0 ] || wrong "status $status"
	grep -q '^dtrace-fleet: 5 hosts asked, 5 report, 0 silent, 0 refused, 0 lost something$' "$T/err" || wrong "$(cat "$T/err")"
	ls "$T"/h?/runs/$id/agg >"$T/files"
	[ "$(wc -l <"$T/files")" = 5 ] || wrong "$(cat "$T/files")"
	# shellcheck disable=SC2046
	"$DTRACE" -q --merge $(cat "$T/files") >"$T/sum" 2>&1
	tables "$T/out" >"$T/total"
	diff -u --label sum "$T/sum" --label total "$T/total" || wrong 'totals are not the sum'
	# All five have counted, for as long as they were asked to.
	for h in h1 h2 h3 h4 h5; do
		checks=$((checks + 2))
		cmp "$T/keep/$h" "$T/$h/runs/$id/agg" || wrong "$h has another file"
		grep "^$h: " "$T/out" | cut -d' ' -f2- | cmp - <(printf '%s\n' "$(cat "$T/$h/runs/$id/out")") || wrong "$h has printed something else"
		n=$(sed -n "s/^  $h  *\([0-9]*\)$/\1/p" "$T/sum")
		[ "${n:-0}" -gt 100 ] || wrong "$h has counted ${n:-nothing}"
	done
	# Another viewer, later, sees the same.
	timeout 40 "$FLEET" show "$id" >"$T/again" 2>"$T/err2" || wrong "show: $(cat "$T/err2")"
	tables "$T/again" | diff -u --label sum "$T/sum" --label again - || wrong 'another viewer sees something else'
	for h in h1 h2 h3 h4 h5; do
		kill "${agent[$h]}"
		wait "${agent[$h]}" 2>/dev/null
	done
	rm -rf "$T"/h? "$T/keep"
}

for ((r = 1; r <= ${FLEET_ROUNDS:-1}; r++)); do
	round $r
	[ $bad = 0 ] || {
		echo "in round $r"
		tail -n 5 "$T"/*.log
		break
	}
	[ $r = "${FLEET_ROUNDS:-1}" ] || sleep 10 # nobody is to be taken for being there who was
done
finish
