# Invalid and truncated captures: dtrace prints one line of error, exits with status 1, and starts
# no program.
. tests/cli/lib.bash
prog='BEGIN { printf("started\n"); } ip:::receive { @ = count(); }'

bad_file() { # bad_file FILE RE
	run -q -r "$1" -n "$prog" # -q: without it, the match line comes first
	status 1
	out ''
	one_line_of_stderr
	err_has "^dtrace: .*$2"
}

bad_file "$tmp/none.pcap" 'none\.pcap: No such file or directory$'
bad_file "$tmp" "$(basename "$tmp")"
printf 'this is not a capture file, whatever its name says\n' >"$tmp/text.pcap"
bad_file "$tmp/text.pcap" 'text\.pcap'
: >"$tmp/empty"
bad_file "$tmp/empty" 'empty'
head -c 10 $pcap >"$tmp/short.pcap"
bad_file "$tmp/short.pcap" 'short\.pcap'
gzip -c $pcap >"$tmp/packed.pcap.gz"
bad_file "$tmp/packed.pcap.gz" 'packed\.pcap\.gz.*(gzip|compressed)'

# A capture through a pipe, and a file as standard input.
what='dtrace -r -'
# shellcheck disable=SC2002
cat $pcap | timeout 300 "$DTRACE" -q -r - -n 'ip:::receive { @ = count(); }' >"$out" 2>"$err"
status=$?
status 0
err ''
out '
               10'
timeout 300 "$DTRACE" -q -r - -n 'ip:::receive { @ = count(); }' <$pcap >"$out" 2>"$err"
status=$?
status 0
out '
               10'
# Compile errors are reported before dtrace opens the capture.
run -r "$tmp/none.pcap" -n 'BEGIN { trace(x); }'
status 1
one_line_of_stderr
finish
