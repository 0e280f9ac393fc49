# Programs ask a helper for the current task (-x current=call), or load it from the kernel's memory
# (-x current=load). Both ways give the right thread, also if it moves from one CPU to another.
. "$(dirname "$0")/../lib.bash"
N=${TELLS:-20000} THREADS=4

helper moves

for way in call load; do
	timeout 120 "$DTRACE" -x current=$way -x strict -qn '
		syscall::getpriority:entry /arg0 == 77/ { @[pid == $target, arg1 == tid, execname, uid] = count(); @cpus[cpu] = count(); }
		END { printa("%d %d %s %d %@d\n", @); printa("cpu %d\n", @cpus); }' \
		-c "$T/moves $N $THREADS" >"$T/$way" 2>"$T/err" || fail "$way: $(cat "$T/err")"
	same "$way: each call is by its thread" "1 1 moves $(id -u) $((N * THREADS))" "$(grep '^[01]' "$T/$way")"
done
same 'the threads ran on several CPUs' yes "$([ "$(nproc)" = 1 ] || [ "$(grep -c cpu "$T/load")" -gt 1 ] && echo yes)"

# asks OPTIONS...: prints how often the program's code asks the helper
asks() {
	"$PLAIN" -S -e "$@" -n 'rawtp:::sys_enter { @[pid] = count(); }' 2>&1 | grep -c "call get_current_task_btf\$"
}
same 'a program that asks' 1 "$(asks -x current=call)"
# x86-64 programs know their CPU without a call since Linux 6.10.
if since 6.10 && [ "$(uname -m)" = x86_64 ]; then
	same 'a program that loads' 0 "$(asks -x current=load)"
	grep -qs 'Safe RET' /sys/devices/system/cpu/vulnerabilities/spec_rstack_overflow && loads=0 || loads=1
	same 'the choice depends on the CPU' $loads "$(asks)"
else
	same 'this kernel has no other way' 1 "$(asks -x current=load)"
fi

# If the kernel refuses anything while dtrace looks for the addresses, the program asks.
# (Not in a guest, where a start takes seconds.)
[ -z "${IN_VM:-}" ] || finish
need strace
for ((i = 1; ; i++)); do
	got=$(timeout 60 strace -qq -o "$T/strace" -e trace=bpf -e inject=bpf:error=EPERM:when=$i \
		"$PLAIN" -x current=load -qn 'BEGIN { printf("%d %d", pid == $pid, tid == $pid); exit(0); }' 2>"$T/err")
	status=$?
	grep -q INJECTED "$T/strace" || break
	case $status,$got in
	'0,1 1') right=$((${right:-0} + 1)) ;;
	1,) grep -q '^dtrace: ' "$T/err" || fail "call $i of bpf(2) failed: no message" ;;
	*) fail "call $i of bpf(2) failed: status $status: $got $(cat "$T/err")" ;;
	esac
done
same 'calls of bpf(2) that can fail' yes "$([ "$i" -gt 5 ] && [ "${right:-0}" -gt 2 ] && echo yes)" ": $right of $((i - 1))"
finish
