# A kernel that refuses to trace functions: the fbt probes are not there, and it is said why.
. "$(dirname "$0")/lib.bash"

"$DTRACE" -e -n 'fbt::ip_rcv:entry' >"$T/out" 2>"$T/err"
status=$?
[ $status != 0 ] || skip "this kernel traces functions"
same 'status' 1 $status
grep -q 'probe fbt::ip_rcv:entry does not exist on this kernel: it lacks fentry (.*) and kprobes (CONFIG_KPROBES, CONFIG_FPROBE)$' "$T/err" ||
	fail "the message was: $(cat "$T/err")"
"$DTRACE" -e -n 'fbt::no_such_function:entry' 2>&1 | grep -q 'it lacks the function no_such_function' ||
	fail "a function that is not there"
"$DTRACE" -e -n 'fbt::ip_*:entry' 2>&1 | grep -q 'probe fbt::ip_\*:entry does not exist on this kernel: it lacks fentry (.*) and kprobes' ||
	fail "a pattern"
"$DTRACE" -e -n 'kinst::ip_rcv:0' 2>&1 | grep -q 'it lacks kprobes (CONFIG_KPROBES, CONFIG_KPROBE_EVENTS)' || fail "an instruction"
same 'listed' 1 "$("$DTRACE" -l -n 'fbt::ip_rcv:entry' 2>/dev/null | wc -l)"
same 'status of a glob' 1 "$("$DTRACE" -e -n 'fbt::ip_*:entry' >/dev/null 2>&1; echo $?)"
same 'status with -Z' 0 "$("$DTRACE" -Z -e -n 'fbt::ip_rcv:entry' >/dev/null 2>&1; echo $?)"
finish
