# SIGINT and SIGTERM end a run as exit(0) does: a newline, END, the aggregations.
. tests/cli/lib.bash
prog='ip:::receive { @ = count(); } END { printf("end\n"); }'

# Standard input that does not end: the capture, then silence.
interrupted() { # interrupted SIGNAL
	what="dtrace -r - and SIG$1"
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	{ cat $pcap; exec sleep 20; } >"$tmp/fifo" 2>/dev/null &
	writer=$!
	timeout 60 "$DTRACE" -q -r - -n "$prog" <"$tmp/fifo" >"$out" 2>"$err" &
	pid=$!
	sleep 1.5
	# timeout passes the signal on
	kill "-$1" $pid
	wait $pid
	status=$?
	kill $writer 2>/dev/null
	wait $writer 2>/dev/null
}
for s in INT TERM; do
	set +m
	interrupted $s
	checks=$((checks + 1))
	tr '\n' '~' <"$out" | grep -q '^~end~~ *10~$' || { wrong 'newline, END, newline, aggregation'; cat "$out"; }
done
finish
