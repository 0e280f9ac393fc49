# A failed write to stdout ends the run with a message and status 1: a closed pipe, a closed
# descriptor, a full device.
. tests/cli/lib.bash
what='dtrace | head -n 1'
{ timeout 300 "$DTRACE" -q -r $pcap \
	-n 'ip::: { printf("%20000d\n", 1); }' \
	2>"$err"; echo $? >"$tmp/status"; } | head -c 10 >"$out"
status=$(cat "$tmp/status")
status 1
err_has '^dtrace: (failed to write to <stdout>|processing aborted): Broken pipe$'
what='dtrace >&-'
timeout 300 "$DTRACE" -q -r $pcap -n 'BEGIN { printf("x\n"); }' >&- 2>"$err"
status=$?
status 1
err_has '^dtrace: (failed to write to <stdout>|processing aborted): Bad file descriptor$'
if [ -e /dev/full ]; then
	what='dtrace >/dev/full'
	timeout 300 "$DTRACE" -q -r $pcap -n 'BEGIN { printf("x\n"); }' >/dev/full 2>"$err"
	status=$?
	status 1
	err_has '^dtrace: failed to write to <stdout>: No space left on device$'
fi
finish
