# Ctrl-C while the reader of the output is slow: no record and no aggregation is lost.
. tests/live/lib.bash
. tests/press.bash

# state: prints the state, the CPU times and the context switches of the process
state() {
	sed 's/.*) //' "/proc/${dt_pid[slow]}/stat" | cut -d' ' -f1,12,13
	grep ctxt_switches "/proc/${dt_pid[slow]}/status"
}

# Starts dtrace, whose output nobody reads, and waits until dtrace blocks. Each line fills a pipe,
# so dtrace blocks on the second line.
blocked() {
	local was='' now i
	rm -f "$T/fifo"
	mkfifo "$T/fifo"
	setpriv --pdeathsig KILL "$DTRACE" -q -n '
		tick-10ms { printf("%65535d\n", ++n); @ = count(); }' >"$T/fifo" 2>"$T/slow.err" &
	dt_pid[slow]=$!
	exec 3<"$T/fifo"
	for ((i = 0; i < 300; i++)); do
		sleep 0.2
		now=$(state)
		[ "$now" = "$was" ] && grep -qs pipe_write "/proc/${dt_pid[slow]}/wchan" && break
		was=$now
	done
}

# A press of Ctrl-C sends two signals. If the second came so late that dtrace may count two presses,
# retry.
for ((attempt = 0; attempt < 20; attempt++)); do
	blocked
	pressed_once "${dt_pid[slow]}" && break
	exec 3<&-
	dt_wait slow
done
tr -s ' \n' '\n' <&3 | grep . >"$T/slow.out"
dt_wait slow
same 'exit status 0' 0 $?
same 'dtrace prints no message' 'none' "$(grep . "$T/slow.err" || echo none)"
n=$(($(wc -l <"$T/slow.out") - 1))
{ seq $n; echo $n; } >"$T/want"
same_files 'all lines are printed, and the aggregation after them' "$T/want" "$T/slow.out"
finish
