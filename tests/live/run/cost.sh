# -x cost prints a line for each kernel program, with its runs, its time and its probes.
. "$(dirname "$0")/../lib.bash"

cat >"$T/hot.c" <<'C'
__attribute__((noinline)) void hot(void) { __asm__(""); }
__attribute__((noinline)) void cold(void) { __asm__(""); }
int main(void)
{
	for (int i = 0; i < 5000; i++)
		hot();
	cold();
	return 0;
}
C
gcc -O1 -o "$T/hot" "$T/hot.c" || skip 'no C compiler'
hot='pid$target:hot:hot:entry { @h = count(); } pid$target:hot:cold:entry { @c = count(); }'

timeout 60 "$DTRACE" -qx cost -n "$hot" -c "$T/hot" >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
# Prints the lines of the table without "dtrace:". The columns are runs, ns each, % of CPU, program and
# probes.
lines() {
	sed -n 's/pid[0-9]*/pid/g; s/^dtrace: *//p' "$T/err"
}
same 'the table has a heading' 'runs ns each % of CPU program and its probes' "$(lines | head -n 1 | tr -s ' ')"
# One program serves both probes.
same 'runs of a program, and its probes' '5001: pid::cold:entry, pid::hot:entry' \
	"$(lines | sed '1d; s/ .*: pid::cold/: pid::cold/')"
same 'a program has a plausible time for each run' yes "$(lines | awk '$1 == 5001 { print ($2 > 10 && $2 < 1000000) ? "yes" : $2 }')"
same 'a program has a plausible share of one CPU' yes "$(lines | awk '$1 == 5001 { print ($3 > 0 && $3 < 100) ? "yes" : $3 }')"

# JSON lists all probes, and the runs are at least the events that were counted.
timeout 60 "$DTRACE" -qx cost -x oformat=json -n 'syscall:::entry { @ = count(); } tick-200ms { exit(0); }' \
	>"$T/json" 2>"$T/err" || fail "$(cat "$T/err")"
same 'JSON: each event was a run' yes "$(python3 - "$T/json" <<'P'
import json, os, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
cost = [r for r in rows if r['type'] == 'cost']
n = [r for r in cost if 'syscall::read:entry' in r['probes']]
events = [r for r in rows if r['type'] == 'aggregation'][0]['aggregations'][0]['value']
print('yes' if len(n) == 1 and n[0]['backup'] is False and len(n[0]['probes']) > 300 and n[0]['runs'] >= events > 0
      and 0 < n[0]['ns'] < n[0]['elapsed'] * os.cpu_count() else rows)
P
)"

# Replay runs no programs in the kernel.
"$DTRACE" -qx cost -r "$DTRACE_TOP/tests/pcap/demo.pcap" -n 'ip:::send { @ = count(); }' >"$T/out" 2>"$T/err"
same 'in replay, a message says that nothing was measured' 'dtrace: -x cost measured nothing: it applies to live runs only, and needs CAP_SYS_ADMIN' "$(cat "$T/err")"
finish
