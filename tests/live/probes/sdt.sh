# The sdt provider has the same tracepoints as rawtp, each with its group and the names of its
# arguments.
. "$(dirname "$0")/../lib.bash"

names() { "$DTRACE" -l -P "$1" | awk 'NR > 1 { print $NF }' | sort; }
names rawtp >"$T/rawtp"
names sdt >"$T/sdt"
[ "$(wc -l <"$T/sdt")" -gt 100 ] || fail "there are $(wc -l <"$T/sdt")"
cmp "$T/rawtp" "$T/sdt" || fail "not the same tracepoints"

"$DTRACE" -lvn 'sdt:::sched_switch' >"$T/list" || fail "-lv does not list a tracepoint"
grep -q '	args\[1\]: struct task_struct \*prev$' "$T/list" && grep -q '	args\[0\]: bool preempt$' "$T/list" || fail "arguments: $(cat "$T/list")"
if [ -d /sys/kernel/tracing/events/sched ]; then
	same 'a tracepoint is found by its group' sched_switch "$("$DTRACE" -l -n 'sdt:vmlinux:sched:sched_switch' | awk 'NR > 1 { print $NF }')"
	same 'a tracepoint is not found in another group' 0 "$("$DTRACE" -l -n 'sdt::net:sched_switch' 2>/dev/null | grep -c switch)"
fi
"$DTRACE" -qn 'rawtp:::sched_switch { @a = count(); } sdt:::sched_switch /args[1] != NULL/ { @b = count(); }
	tick-200ms { exit(0); } END { printa("%@d ", @a); printa("%@d\n", @b); }' >"$T/counts" || fail "a tracepoint cannot be enabled as rawtp and as sdt"
awk 'NF == 2 { bad = $1 != $2 || !$1; n++ } END { exit bad || n != 1 }' "$T/counts" || fail "counts: $(cat "$T/counts")"
finish
