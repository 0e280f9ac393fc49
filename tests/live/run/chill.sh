# chill(): the CPU waits for the given time, at most half a second per second.
. "$(dirname "$0")/../lib.bash"

# waited NS: prints the time from the start of chill(NS) to END, in nanoseconds. A busy machine may
# add a delay, but not on every try.
waited() {
	"$DTRACE" -qwn "BEGIN { t = timestamp; chill($1); exit(0); } END { printf(\"%d\", timestamp - t); }" 2>&1 | tr -d '\n'
}
for n in 20000 3000000 200000000; do
	for try in 1 2 3 4 5 6 7 8 9 10; do
		got=$(waited $n)
		[ "$got" -lt $((n + 400000000)) ] && break
	done
	[ "$got" -ge "$n" ] && [ "$got" -lt $((n + 400000000)) ] && echo "ok: chill($n)" || fail "chill($n): $got"
done
FAULT='illegal operation in action #'
got=$("$DTRACE" -qwn 'BEGIN { chill(400000000); chill(100000000); n = 1; chill(1); n = 2; } ERROR { printf("%d %d", arg4, n); exit(0); }' 2>"$T/err" | tr -d '\n')
same 'waits of more than half a second per second are faults' '3 1' "$got"
grep -q "$FAULT" "$T/err" || fail "no fault: $(cat "$T/err")"
got=$("$DTRACE" -qwn 'BEGIN { chill(-1); } ERROR { printf("%d", arg4); exit(0); }' 2>/dev/null | tr -d '\n')
same 'a negative time is a fault' 3 "$got"
same 'chill() without -w is an error' 'dtrace: could not enable tracing: Destructive actions not allowed' \
	"$("$DTRACE" -qn 'BEGIN { chill(1); }' 2>&1)"
finish
