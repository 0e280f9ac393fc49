# If the kernel refuses to run BEGIN, END or a tick, or if counters cannot be read, dtrace reports
# it. strace makes single calls of bpf(2) fail.
. tests/live/lib.bash
need strace

prog='BEGIN { printf("begin\n"); } tick-100ms { printf("tick\n"); exit(0); } END { printf("end\n"); }'
strace -o "$T/calls" -e trace=bpf "$DTRACE" -qn "$prog" >"$T/out" 2>"$T/err" || skip "no strace: $(cat "$T/err")"

# fails COMMAND N WHAT STATUS OUTPUT MESSAGE: makes the N-th call of bpf(COMMAND) fail, and checks
# the run
fails() {
	local when
	when=$(grep -n "bpf($1" "$T/calls" | sed -n "$2s/:.*//p")
	strace -o "$T/log" -e trace=bpf -e "inject=bpf:error=EINVAL:when=$when" "$DTRACE" -qn "$prog" \
		>"$T/out" 2>"$T/err"
	same "$3: status" "$4" $?
	same "$3: output" "$5" "$(grep -q . "$T/out" && tr -s '\n' ' ' <"$T/out" || echo nothing)"
	same "$3: message" "$6" "$(cat "$T/err")"
}
run=BPF_PROG_TEST_RUN
fails $run 1 BEGIN 1 nothing 'dtrace: failed to fire BEGIN: Invalid argument'
fails $run 2 tick 0 'begin tick end ' \
	'dtrace: 1 firing of tick failed: the kernel did not run it'
fails $run 3 END 1 'begin tick ' 'dtrace: failed to fire END: Invalid argument'
fails BPF_MAP_LOOKUP_ELEM 1 counters 0 'begin tick end ' \
	'dtrace: cannot read the drop counters: more may be lost than dtrace reports'

# The requested buffer is larger than a map may be, so dtrace tries a smaller one. The test
# simulates that the kernel has no memory for the smaller buffer.
when=$(grep -n "BPF_MAP_TYPE_RINGBUF" "$T/calls" | head -1 | sed "s/:.*//")
strace -o "$T/log" -e trace=bpf -e "inject=bpf:error=ENOMEM:when=$when" "$DTRACE" -b 99t -n "$prog" >"$T/out" 2>"$T/err"
same '-b 99t: exit status 1' 1 $?
same '-b 99t: messages' "dtrace: buffer size lowered to 2g
dtrace: cannot create a trace buffer of 2147483648 bytes (-x bufsize): Cannot allocate memory" "$(grep -v matched "$T/err")"
finish
