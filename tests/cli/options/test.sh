# --test runs scripts on captures and compares their output. All replay cases pass with --test too.
. tests/cli/lib.bash
plain
run_all() { # runs some hundred cases
	what="dtrace $*"
	timeout 600 "$DTRACE" "$@" >"$out" 2>"$err" </dev/null
	status=$?
}
run_all --test tests/replay
status 0
err ''
n=$(find tests/replay -name '*.d' -o -name '*.args' | wc -l)
out "tests/replay: $n cases, 0 failed"

mkdir -p "$tmp/dir/sub"
cp tests/pcap/udp.pcap "$tmp/dir/count.pcap"
echo 'ip:::receive { @ = count(); }' >"$tmp/dir/count.d"
"$DTRACE" -r tests/pcap/udp.pcap -s "$tmp/dir/count.d" >"$tmp/dir/count.out" 2>/dev/null
echo "dtrace: script '$tmp/dir/count.d' matched 1 probe" >"$tmp/dir/count.err"
printf '/* args: -q -r tests/pcap/udp.pcap */\nBEGIN { exit(3); }\n' >"$tmp/dir/sub/ends.d"
echo 3 >"$tmp/dir/sub/ends.status"
echo >"$tmp/dir/sub/ends.out"
echo "-r tests/pcap/udp.pcap -qn 'BEGIN { printf(\"two words\\n\"); exit(0); }'" >"$tmp/dir/sub/says.args"
printf 'two words\n\n' >"$tmp/dir/sub/says.out"
succeeds --test "$tmp/dir"
out "$tmp/dir: 3 cases, 0 failed"

# Each kind of failure is reported with its place.
echo 'two words more' >"$tmp/dir/sub/says.out"
echo 4 >"$tmp/dir/sub/ends.status"
rm "$tmp/dir/count.err"
echo 'BEGIN { exit(0); }' >"$tmp/dir/silent.d"
run --test "$tmp/dir"
status 1
out_has '^the exit status is 3, expected 4$'
out_has '^stdout, line 1:$'
out_has '^	want: two words more$'
out_has '^	got:  two words$'
out_has '^stderr, line 1:$'
out_has "^FAILED: $tmp/dir/count.d\$"
out_has 'nothing to compare with: there is no .*silent.out, .err or .status'
out_has "^$tmp/dir: 4 cases, 4 failed\$"

# A FIFO or a device is not a valid file of a case: the case fails, and dtrace does not block.
mkdir "$tmp/strange"
for case in fifo zero pipe; do
	echo 'BEGIN { exit(0); }' >"$tmp/strange/$case.d"
	echo "dtrace: script '$tmp/strange/$case.d' matched 1 probe" >"$tmp/strange/$case.err"
done
mkfifo "$tmp/strange/fifo.out"
ln -s /dev/zero "$tmp/strange/zero.out"
rm "$tmp/strange/pipe.d"
mkfifo "$tmp/strange/pipe.d"
run --test "$tmp/strange"
status 1
for name in fifo.out zero.out pipe.d; do
	out_has "^failed to read $tmp/strange/$name: it is not a regular file\$"
	out_has "^FAILED: $tmp/strange/${name%.*}.d\$"
done
out_has "^$tmp/strange: 3 cases, 3 failed\$"
mkdir "$tmp/empty"
run --test "$tmp/empty"
status 1
out "$tmp/empty: 0 cases, 0 failed"
fails 'failed to open .*nowhere: No such file or directory' --test "$tmp/nowhere"
finish
