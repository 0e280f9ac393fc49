# SIGINT, SIGTERM and SIGHUP end a run as exit(0) does: a newline, END, the aggregations. A second
# signal ends the run at once without aggregations, and a message says so.
. tests/cli/lib.bash
. tests/press.bash
set +m

# start ARGUMENTS...: starts dtrace in the background
start() {
	what="dtrace $*"
	: >"$out" # removes the output of an earlier run
	"$DTRACE" -q "$@" >"$out" 2>"$err" &
	pid=$!
}

# shown RE: waits until a line of the output matches
shown() {
	local i
	for ((i = 0; i < 1200; i++)); do
		grep -qs "$1" "$out" && return
		sleep 0.05
	done
	wrong "no line matches $1"
	cat "$err"
}

# ended: waits for the end of the run, at most a minute
ended() {
	local i
	for ((i = 0; i < 1200; i++)); do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL $pid 2>/dev/null && wrong 'dtrace does not end after the signal'
	wait $pid
	status=$?
}

# Makes the FIFO $tmp/in. It delivers the capture, and then nothing, but stays open for a minute.
endless() {
	rm -f "$tmp/in"
	mkfifo "$tmp/in"
	{ cat $pcap; exec sleep 60; } >"$tmp/in" 2>&1 &
	writer=$!
}

run_of() { tr '\n' '~' <"$out"; }

prog='ip:::receive { @ = count(); printf("%d\n", ++n); } END { printf("end\n"); }'
for s in INT TERM HUP; do
	endless
	start -r "$tmp/in" -n "$prog"
	shown '^10$'
	kill "-$s" $pid
	ended
	status 0
	checks=$((checks + 1))
	run_of | grep -q '~10~~end~~ *10~$' || { wrong 'the output does not end with a newline, END, a newline and the aggregation'; cat "$out"; }
	kill $writer
	wait $writer 2>/dev/null
done

# With -x signalstatus, the status tells that a signal ended the run.
for s in INT:130 TERM:143; do
	endless
	start -x signalstatus -r "$tmp/in" -n "$prog"
	shown '^10$'
	kill "-${s%:*}" $pid
	ended
	status ${s#*:}
	kill $writer
	wait $writer 2>/dev/null
done
run -x signalstatus -r $pcap -qn 'BEGIN { exit(0); }'
status 0

# nohup(1) ignores SIGHUP: the run goes on and counts later events.
rm -f "$tmp/in"
mkfifo "$tmp/in"
(trap '' HUP && exec "$DTRACE" -qr "$tmp/in" -n 'ip:::receive { @ = count(); printf("%d\n", ++n); }') >"$out" 2>"$err" &
pid=$!
what='SIGHUP under nohup'
size=$(stat -c %s $pcap)
exec 3>"$tmp/in"
head -c $((size - 50)) $pcap >&3
shown '^9$'
kill -HUP $pid
tail -c 50 $pcap >&3
exec 3>&-
ended
status 0
checks=$((checks + 1))
run_of | grep -q '~10~.* 10~$' || { wrong 'the run does not continue after SIGHUP'; cat "$out"; }

# blocked ARGUMENTS...: starts dtrace, whose output nobody reads, and waits until dtrace blocks.
# Each line fills a pipe. A replay of a file can block on its output only.
big='ip:::receive { printf("%65535d\n", ++n); @ = count(); }'
blocked() {
	local was=x now i
	what="dtrace $*, its output blocked"
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	"$DTRACE" -q "$@" >"$tmp/fifo" 2>"$err" &
	pid=$!
	exec 3<"$tmp/fifo"
	for ((i = 0; i < 200; i++)); do
		sleep 0.1
		now=$(sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f1,12,13)
		[ "$now" = "$was" ] && [ "${now%% *}" = S ] && return
		was=$now
	done
	wrong 'it never waited'
}

# complete: reads all output, and checks that it has ten lines and the table
complete() {
	cat <&3 >"$out"
	exec 3<&-
	ended
	status 0
	err ''
	checks=$((checks + 1))
	[ "$(tr -s ' \n' ' ' <"$out")" = ' 1 2 3 4 5 6 7 8 9 10 10 ' ] ||
		wrong "what came out is $(tr -s ' \n' ' ' <"$out")"
}

# A signal while output is blocked loses no output.
blocked -r $pcap -n "$big"
kill -INT $pid
complete

# Two presses in quick succession count as one. On a busy machine the second press may come too
# late; the test then tries again.
for ((attempt = 0; attempt < 20; attempt++)); do
	blocked -r $pcap -n "$big"
	pressed_once $pid && break
	exec 3<&-
	ended
done
complete

# A second press ends the run even if nobody reads its output.
blocked -r $pcap -n "$big"
kill -INT $pid
sleep 3
kill -INT $pid
ended
exec 3<&-
status 1
err 'dtrace: interrupted twice: aggregations are not printed'
finish
