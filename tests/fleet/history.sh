# A host always runs the programs in its folder "always". The server stores their counts, one
# snapshot for each interval. The sum of all intervals is the exact count of the programs, even if
# agents and the server were down for a while.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
network 1
keys
export TMPDIR=$T/tmp
mkdir "$TMPDIR" "$T/always"
start_server
"$FLEET" setup --retain 2 || wrong setup

show() { # show STATUS ARGS: shows the history of "ticks", and checks the exit status
	checks=$((checks + 1))
	timeout $LONG "$FLEET" show ticks "${@:2}" >"$T/out" 2>"$T/err"
	status=$?
	[ $status = "$1" ] || wrong "status $status for ${*:2}: $(cat "$T/err")"
}
count() { # count HOST: prints the sum of the host's counts in all tables of the output
	awk -v h="$1" '$1 == h { sum += $2 } END { print sum + 0 }' "$T/out"
}
begin() { start_local "$1" -v --always "$T/always" --every 1; }

program='tick-50ms { @n[host] = count(); } tick-50ms { @mean = avg(7); @q = quantize(5); }'
echo "$program" >"$T/always/ticks.d"
echo 'tick-1s { @ = max(7); }' >"$T/always/highest.d"
echo "not a program" >"$T/always/notes.txt"
echo "$program" >"$T/always/bad_name.d"
for h in a b; do
	begin $h
done
both() { "$FLEET" show ticks --from -1h 2>&1 | grep -Eq '^ *b +[0-9]'; }
until_true $LONG both || { wrong "no history: $(cat "$T"/?.log)"; finish; }
checks=$((checks + 1))
until_true $LONG grep -q 'always highest: @_: this function has no history' "$T/a.log" || wrong "max() is not refused: $(cat "$T/a.log")"
checks=$((checks + 1))
[ "$(grep -c 'always: bad_name.d does not run' "$T/a.log")" = 1 ] || wrong "a file with another name is ignored silently: $(cat "$T/a.log")"

# Shows the history between two times, as one sum and in intervals.
sleep 2
t0=$(date +%s)
sleep 3
t1=$(date +%s)
# On a busy machine, the hosts can be late with the last intervals.
complete() { "$FLEET" show ticks --from @$t0 --to @$t1 >/dev/null 2>&1; }
until_true $LONG complete
show 0 --from @$t0 --to @$t1
says '2 hosts: 2 complete'
a=$(count a) b=$(count b)
checks=$((checks + 2))
[ "$a" -ge 20 ] && [ "$a" -le $((20 * (t1 - t0 + 2))) ] || wrong "$a ticks in $((t1 - t0)) s"
grep -Eq '^ +4 \|@+ +'$((a + b))' *$' "$T/out" || wrong "no histogram of $((a + b)): $(cat "$T/out")"
show 0 --from @$t0 --to @$t1 -i 1
checks=$((checks + 2))
[ "$(count a) $(count b)" = "$a $b" ] || wrong "the sums of the parts are $(count a) and $(count b), not $a and $b"
[ "$(grep -c "^20.* to 20" "$T/out")" -ge 2 ] || wrong "the history is not shown in parts: $(cat "$T/out")"
show 0 -t a --from @$t0 --to @$t1
says '1 host: 1 complete'
checks=$((checks + 1))
[ "$(count a) $(count b)" = "$a 0" ] || wrong "the history does not show host a alone: $(cat "$T/out")"

# The metrics of the fleet grow.
"$FLEET" show ticks --from now -i 0.3 -x listen=127.0.0.1:9379 >"$T/out" 2>"$T/err" &
viewer=$!
metric() { # succeeds if the value of each of the two hosts is at least 10
	python3 - <<'P'
import re, sys, urllib.request
try:
    text = urllib.request.urlopen("http://127.0.0.1:9379/metrics", timeout=20).read().decode()
except OSError:
    sys.exit(1)
v = dict(re.findall(r'^dtrace_n\w*\{[^}]*"([ab])"[^}]*\} ([0-9.e+]+)', text, re.M))
sys.exit(not (len(v) == 2 and all(float(n) >= 10 for n in v.values())))
P
}
checks=$((checks + 1))
until_true $LONG metric || wrong "no metrics: $(cat "$T/out" "$T/err")"
kill -INT $viewer
wait $viewer

# An agent and the server are down for a while. The programs continue.
kill_agent a
kill_server
sleep 2
start_server
begin a
until_true $LONG there 2 || wrong 'the agents do not reconnect'

# The program ends. The history has all of its counts.
rm "$T/always/ticks.d"
ended() { [ "$(cat "$T/a.log" "$T/b.log" | grep -c 'always ticks: ended: asked')" = 2 ]; }
until_true $LONG ended || wrong "the programs do not end: $(cat "$T"/?.log)"
"$DTRACE" -q --merge "$T"/[ab]/always/ticks/agg >"$T/all" 2>&1
same() {
	"$FLEET" show ticks --from -1h >"$T/out" 2>"$T/err" && wrong 'the history of the last hour is shown as complete, although nothing ran before the test'
	cmp -s "$T/all" "$T/out"
}
checks=$((checks + 1))
until_true 20 same || wrong "the history differs: $(diff "$T/all" "$T/out")"
says 'a: no data from .* to .*' # the time before the program began

# The program starts again. The history names the time when it did not run.
t0=$(date +%s)
sleep 3
echo "$program" >"$T/always/ticks.d"
again() {
	"$FLEET" show ticks --from @$((t0 - 3)) >"$T/out" 2>"$T/err"
	grep -q 'b: no data from' "$T/err"
}
until_true $LONG again || wrong "the program does not begin again: $(cat "$T/out" "$T/err")"
says '2 hosts: [01] complete'
checks=$((checks + 1))
[ "$(count b)" -gt 0 ] || wrong "no counts of host b are shown: $(cat "$T/out")"

# The text of the program changes. The counts of the old and the new text are not added.
echo "$program /* again */" >"$T/always/ticks.d"
other() { "$FLEET" show ticks --from @$t0 2>&1 | grep -q '^dtrace-fleet: b: .* come from different programs with the same aggregations'; }
checks=$((checks + 1))
until_true $LONG other || wrong 'counts of the program with another text are shown'
show 2 --from yesterday
show 2 --from now --to -1h
finish
