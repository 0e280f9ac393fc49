# A packet with a timestamp far in the future is held until the next packet. Ctrl-C releases it.
. tests/cli/lib.bash
frame=$(((16 + 43) * 2 + 24)) # the file header and its first two packets
what='dtrace -r - and SIGINT while a packet is held back'
mkfifo "$tmp/fifo"
{ head -c $frame tests/pcap/clockend.pcap; exec sleep 30; } >"$tmp/fifo" 2>/dev/null &
writer=$!
timeout 300 "$DTRACE" -q -r - -n 'BEGIN { start = timestamp; }
	ip:::receive { printf("%d\n", (timestamp - start) / 1000000); }' <"$tmp/fifo" >"$out" 2>"$err" &
pid=$!
for _ in $(seq 100); do
	[ -s "$out" ] && break
	sleep 0.1
done
sleep 1.5
out "0"
kill -INT $pid
wait $pid
status=$?
kill $writer
wait $writer 2>/dev/null
status 0
err ''
out "0

7200000
"
finish
