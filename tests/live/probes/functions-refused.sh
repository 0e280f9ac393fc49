# A kernel that refuses to trace functions: fbt has no probes, and the message says why.
. "$(dirname "$0")/../lib.bash"

"$DTRACE" -e -n 'fbt::ip_rcv:entry' >"$T/out" 2>"$T/err"
status=$?
[ $status != 0 ] || skip "this kernel traces functions"
same 'status 1 where functions cannot be traced' 1 $status
grep -q 'probe fbt::ip_rcv:entry does not exist on this kernel: it lacks fentry (.*) and kprobes (CONFIG_KPROBES, CONFIG_FPROBE)$' "$T/err" ||
	fail "the message was: $(cat "$T/err")"
"$DTRACE" -e -n 'fbt::no_such_function:entry' 2>&1 | grep -q 'it lacks the function no_such_function' ||
	fail "no reason is given for a function that does not exist"
"$DTRACE" -e -n 'fbt::ip_*:entry' 2>&1 | grep -q 'probe fbt::ip_\*:entry does not exist on this kernel: it lacks fentry (.*) and kprobes' ||
	fail "no reason is given for a pattern of functions"
"$DTRACE" -e -n 'kinst::ip_rcv:0' 2>&1 | grep -q 'it lacks kprobes (CONFIG_KPROBES, CONFIG_KPROBE_EVENTS)' || fail "no reason is given for an instruction of a function"
"$DTRACE" -e -n 'ip_rcv:entry' 2>&1 | grep -q 'probe ::ip_rcv:entry does not exist on this kernel: it lacks fentry (.*) and kprobes' ||
	fail "no reason is given for a probe without its provider"
"$DTRACE" -e -n 'no_such_function:entry' 2>&1 | grep -q 'probe description ::no_such_function:entry does not match any probes$' ||
	fail "another message is printed for a function that does not exist, without its provider"
DTRACE_OPT_nohint=off "$DTRACE" -e -n 'vfs_read { }' 2>&1 | grep -q 'in D this would be fbt::vfs_read:entry, but this kernel lacks fentry' ||
	fail "no reason is given for the name of a function alone"
for listed in '-P fbt' '-n fbt::ip_rcv:entry' '-P kinst' '-f ip_rcv'; do
	"$DTRACE" -l $listed 2>&1 | grep -q '^dtrace: failed to match .*: No probe matches description: this kernel lacks .*kprobes' ||
		fail "-l $listed does not say why"
done
same '-l lists no fbt probe' 1 "$("$DTRACE" -l -n 'fbt::ip_rcv:entry' 2>/dev/null | wc -l)"
same 'status 1 for a pattern of functions' 1 "$("$DTRACE" -e -n 'fbt::ip_*:entry' >/dev/null 2>&1; echo $?)"
same 'status 0 with -Z' 0 "$("$DTRACE" -Z -e -n 'fbt::ip_rcv:entry' >/dev/null 2>&1; echo $?)"
finish
