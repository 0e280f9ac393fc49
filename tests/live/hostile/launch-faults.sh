# dtrace parses files in readers (processes of its own without privileges). If a system call that
# starts a reader fails or does nothing, no reader parses, and dtrace reports the fault.
. "$(dirname "$0")/../lib.bash"
need strace
grep -q __asan_init "$DTRACE" && DTRACE=${DTRACE_PLAIN:-}
[ -x "$DTRACE" ] || skip 'only the build with sanitizers is here ($DTRACE_PLAIN names the other)'
strace -o /dev/null true 2>/dev/null || skip 'strace may not trace here'

sleep 600 &
pid=$!

# functions ARGUMENT...: runs dtrace -l under strace with these arguments, and prints the number of
# functions listed. dtrace starts a reader that parses the process's library. Descriptor 9 is
# inherited and must not reach the reader.
functions() {
	timeout 60 strace -f -o "$T/log" "$@" "$DTRACE" -ln 'pid$target:libc.so*:getppid:entry' -p $pid \
		>"$T/out" 2>"$T/err" </dev/zero 9</dev/zero
	grep -c ' getppid entry' "$T/out"
}
same 'without an injected fault, the functions are listed' 1 "$(functions -e trace=execveat)"
for fault in error=EPERM retval=0; do
	for call in dup2:1 dup2:2 dup2:3 dup2:4 close_range:1 execveat:1; do
		same "$call with $fault: no function is listed" 0 "$(functions -e trace=${call%:*} -e inject=${call%:*}:$fault:when=${call#*:})"
		grep -q INJECTED "$T/log" || fail "$call was not called"
		same "$call with $fault: dtrace reports the fault" 1 "$(grep -c 'cannot confine the process that reads' "$T/err")"
	done
done
kill $pid
finish
