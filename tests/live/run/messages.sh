# Messages of live runs: reduced sizes, missing kernel features, ends of other programs.
. "$(dirname "$0")/../lib.bash"

says() { # says NAME STATUS TEXT ARGS...: checks the status, and the messages other than "matched N probes"
	"$DTRACE" "${@:4}" >"$T/out" 2>"$T/err"
	same "$1: status" "$2" $?
	same "$1" "$3" "$(grep -v ' matched ' "$T/err" >"$T/said" && sed 's/CPU [0-9]*/CPU N/' "$T/said" || echo nothing)"
}
table='BEGIN { @[1] = count(); exit(0); }'
says 'more keys than a kernel has room for' 0 'dtrace: aggregation size lowered to 2g' -x aggsize=99t -n "$table"
says 'quietly' 0 nothing -qx aggsize=99t -n "$table"
same 'the keys of the smaller table are counted' '1 1' "$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //; s/ $//')"
says 'as many as there is room for' 0 nothing -x aggsize=4m -n "$table"
says 'a record of END for which there is no room' 0 'dtrace: 1 drop on CPU N' \
	-qb 4k -n 'BEGIN { exit(0); } END { tracemem(curthread, 8000); }'

# openat(2) has its path in another argument than open(2).
for hint in 1 0; do
	set -- -qn 'syscall::open*:entry /pid == $target/ { trace(copyinstr(arg0)); }' -c 'cat /dev/null'
	[ $hint = 1 ] || set -- -x nohint "$@"
	env -u DTRACE_OPT_nohint "$DTRACE" "$@" >"$T/out" 2>"$T/err"
	same "copyinstr(arg0) at openat: hints, $hint wanted" $hint \
		"$(grep -cFx '    the path of openat( ) is arg1; arg0 is the descriptor of a directory' "$T/err")"
done

# Without the kernel's type information no live program compiles; replay does not need it.
mount -t tmpfs none /sys/kernel/btf || skip 'nothing can be mounted here'
says 'a kernel without types' 1 "dtrace: failed to initialize dtrace: cannot read the kernel's types from /sys/kernel/btf/vmlinux: No such file or directory" \
	-n BEGIN
says 'no more is listed' 1 "$(cat "$T/said")" -l
says 'a capture' 0 nothing -qr tests/pcap/udp.pcap -n 'udp:::send { @ = count(); }'
umount /sys/kernel/btf

# -p twice: both processes are held until BEGIN is over; the end of the last one ends the run.
mkfifo "$T/go"
(read -r _ <"$T/go") & first=$!
tail -s 0.3 --pid=$first -f /dev/null & second=$!
says 'two processes' 0 "dtrace: allowing destructive actions
dtrace: pid $first has exited
dtrace: pid $second has exited" -wp $first -p $second -n "BEGIN { system(\"echo >$T/go &\"); }"
finish
