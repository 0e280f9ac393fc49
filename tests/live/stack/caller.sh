# caller is the second frame of stack(), and stackdepth is the number of its frames. The test checks
# several kinds of hooks.
. "$(dirname "$0")/../lib.bash"

[ "$(grep -c ' 0*0 ' /proc/kallsyms)" = 0 ] || skip "no addresses in /proc/kallsyms here"

# check NAME PROBE: compares a few stacks with the values of caller and stackdepth
check() {
	timeout 120 "$DTRACE" -qn "$2 /n < 20/ { n++; printf(\"==\"); stack(127); printf(\"%a %d\n\", caller, stackdepth); }
		tick-100ms /n >= 20 || ++late == 30/ { exit(0); }" >"$T/$1" 2>&1 || fail "$1: $(tail -n 2 "$T/$1")"
	awk -v what="$1" '
		/^==/ { n = 0; stacks++; next }
		/^  / { n++; frame[n] = $1; next }
		NF == 2 { if ($1 != frame[2] && n > 1 || $2 != n) { print what ": " $0 ", not " frame[2] " " n; bad++ } }
		END { print what ": " (stacks && !bad ? "right" : bad + 0 " of " stacks + 0 " wrong") }' "$T/$1" >"$T/verdict"
	same "$1" "$1: right" "$(cat "$T/verdict")"
}
(while :; do ping -qc 5 -i 0.2 127.0.0.1 >"$T/ping" 2>&1; done) &
ip link set lo up
check BEGIN 'BEGIN'
check sys_enter 'rawtp:::sys_enter'
check sched_switch 'rawtp:::sched_switch'
if timeout 120 "$DTRACE" -e -qn 'ip:::send { stack(); }' 2>"$T/why"; then
	check send 'ip:::send'
else
	timeout 120 "$DTRACE" -e -qn 'ip:::send { trace(caller); }' 2>"$T/why"
	grep -q 'caller cannot be used in ip:::send: this kernel shows no stack' "$T/why" ||
		fail "caller where there is no stack: $(cat "$T/why")"
fi
finish
