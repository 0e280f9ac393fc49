# -x oformat=json live: each record has its time and its probe, losses are lines, and no record or
# loss is missing.
. tests/live/lib.bash
need python3
# true_of NAME PYTHON: checks that the expression is true of the JSON lines of the run
true_of() {
	python3 -c '
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1], encoding="utf-8") if l[0] == "{"]
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$T/$1.out" "$2" && echo "ok: $1: $2" && return
	fail "$1: not $2: $(head -c 600 "$T/$1.out")"
}
before=$(date +%s%N)
"$DTRACE" -q -x oformat=json -n 'BEGIN { printf("%d %s\n", pid, execname); } tick-100ms { @[cpu] = count(); trace(walltimestamp); stack(); }
	tick-100ms /n++ == 5/ { exit(0); }' >"$T/times.out" 2>"$T/times.err" || fail "status $?: $(cat "$T/times.err")"
after=$(date +%s%N)
true_of times "all($before <= l['timestamp'] <= $after for l in lines)"
true_of times "[l.get('name') for l in lines].count('tick-100ms') >= 6"
# A record has the time of its firing, at most a moment before the time that the program read.
true_of times "all(0 <= l['output'][0]['value'] - l['timestamp'] < 100000000 for l in lines if l.get('name') == 'tick-100ms' and l['output'])"
true_of times "[l['output'][0]['args']['execname'] for l in lines if l.get('name') == 'BEGIN'] == ['dtrace']"
true_of times "sorted(l['timestamp'] for l in lines) == [l['timestamp'] for l in lines]"

# A buffer that is too small: printed lines plus reported losses equal all events.
echo 'import os; [os.getppid() for _ in range(20000)]' >"$T/many.py"
"$DTRACE" -q -x oformat=json -x strict -b 4k -n 'syscall::getppid:entry /pid == $target/ { printf("%d", n++); } END { trace(n); }' \
	-c "python3 $T/many.py" >"$T/drops.out" 2>"$T/drops.err"
status=$?
true_of drops "20000 <= sum(l['count'] for l in lines if l['type'] == 'loss') + sum(l.get('name') == 'entry' for l in lines) <= 20010"
lost=$(sed -n 's/^dtrace: \([0-9]*\) drops\{0,1\} on CPU .*/\1/p' "$T/drops.err" | awk '{ n += $1 } END { print n + 0 }')
true_of drops "sum(l['count'] for l in lines if l['type'] == 'loss' and l['kind'] == 'principal') == $lost"
same 'exit status 3 if the run lost something, else 0' "$([ "$lost" = 0 ] && echo 0 || echo 3)" "$status"
finish
