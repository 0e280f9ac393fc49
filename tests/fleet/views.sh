# During a run, a viewer can show the sums of all hosts on a screen, as metrics, or in a picture
# over time. The final totals contain the last report of each host.
. tests/fleet/lib.bash
network 1
keys
export TMPDIR=$T/tmp
mkdir "$TMPDIR"
start_server
"$FLEET" setup || wrong setup
for h in a b; do
	start_local $h
done
until_true $LONG there 2 || { wrong 'the two agents do not connect'; finish; }
program='tick-100ms { @n[host] = sum(1000000); @q = quantize(64); }'
begin() { # begin OPTIONS: starts a run in the background
	"$FLEET" run -d 40 -i 0.2 --rate 0.1 "$@" -n "$program" >"$T/out" 2>"$T/err" &
	run=$!
}
totals() { # checks that the count in @q is the sum of both hosts
	checks=$((checks + 1))
	local sum
	sum=$(awk '$1 == "a" || $1 == "b" { sum += $2 / 1000000 } END { print sum + 0 }' "$T/out")
	[ "$sum" -ge 4 ] && grep -Eq "^ +64 \|@+ +$sum *\$" "$T/out" || wrong "the totals are not the sum of both hosts: $(cat "$T/out" "$T/err")"
}

# Metrics show the current values of both hosts.
begin -x listen=127.0.0.1:9377
metric() { # metric N: succeeds if the value of each host exceeds N million
	python3 - "$1" <<'P'
import re, sys, urllib.request
try:
    text = urllib.request.urlopen("http://127.0.0.1:9377/metrics", timeout=20).read().decode()
except OSError:
    sys.exit(1)
sums = dict(re.findall(r'^dtrace_n\{[^}]*"([ab])"[^}]*\} ([0-9.e+]+)', text, re.M))
sys.exit(not (len(sums) == 2 and all(float(v) > 1e6 * int(sys.argv[1]) for v in sums.values())))
P
}
for more in 0 5; do
	checks=$((checks + 1))
	until_true $LONG metric $more || wrong "no metrics of more than $more: $(cat "$T/err")"
done
kill -INT $run
wait $run
totals

# A picture over time has events in several columns. Other files in the folder of --keep are
# ignored.
mkdir "$T/kept"
echo strange >"$T/kept/other"
begin -x oformat=heat --keep "$T/kept"
until_true $LONG grep -q 'run ' "$T/err"
sleep 4
kill -INT $run
wait $run
checks=$((checks + 1))
columns=$(grep -E '^ +64 \|' "$T/out" | tail -n 1 | grep -o '[^ |0-9]' | wc -l)
[ "$(cd "$T/kept" && echo *)" = 'a b other' ] && timeout 120 "$DTRACE" -q --merge "$T/kept/a" "$T/kept/b" >/dev/null || wrong 'the files are not kept'
checks=$((checks + 1))
[ "$columns" -ge 3 ] || wrong "$columns columns: $(cat "$T/out" "$T/err")"

# The screen runs until the user presses q, which ends the run.
checks=$((checks + 1))
script -qec "stty cols 80 rows 20; TERM=xterm $FLEET run -d 40 -i 0.2 --rate 0.1 -x view=top -n '$program'" "$T/out" \
	>/dev/null 2>"$T/err" < <(until_true $LONG eval "grep -aq 'sum' '$T/out' && grep -aq '000000' '$T/out'"; sleep 2; printf q; sleep 20) &
shown=$!
until_true $LONG grep -aq '2 hosts asked: 2 whole' "$T/out" || wrong "the screen does not end: $(tail -c 1500 "$T/out")"
kill $shown 2>/dev/null
tr -d '\r' <"$T/out" | sed -n '/1049l/,$p' >"$T/rest"
cp "$T/rest" "$T/out"
totals
checks=$((checks + 1))
[ -z "$(ls "$TMPDIR")" ] || wrong "files are left behind: $(ls -R "$TMPDIR")"
finish
