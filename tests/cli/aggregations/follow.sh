# --merge -x follow shows the current contents of files that change, appear and disappear, even if a
# new key is longer than all earlier keys.
. tests/cli/lib.bash
mkdir "$tmp/hosts"
snapshot() { # snapshot HOST KEY VALUE: replaces that host's file
	timeout 300 "$DTRACE" -q -x host="$1" -x aggout="$tmp/next" -x aggoutonly -r tests/pcap/empty.pcap \
		-n 'BEGIN { @n[$$1] = sum($2); @most = max($2); @q = quantize($2); }' "$2" "$3" || wrong 'the run writes no file'
	mv "$tmp/next" "$tmp/hosts/$1"
}
long=$(printf 'x%.0s' {1..200})
# Starts dtrace in the background. It follows the files in $tmp/hosts.
begin() {
	"$DTRACE" -q -x follow -x aggrate=100ms "$@" --merge "$tmp/hosts" >"$out" 2>"$err" &
	pid=$!
}
ready() { # waits until the process catches SIGINT
	for _ in {1..1200}; do
		[ "$(cat /proc/$pid/comm 2>/dev/null)" = dtrace ] && grep -qs '^SigCgt:.*[2367abef]$' /proc/$pid/status && break
		sleep 0.05
	done
	sleep 0.5
}
finished() { # ends the command with Ctrl-C
	kill -INT $pid
	wait $pid
	status=$?
}

what='files that appear and change'
begin -x oformat=heat
ready
snapshot b short 5
sleep 3
snapshot a "$long" 70
snapshot b short 6
echo damaged >"$tmp/hosts/.c" # a hidden file: another program is still writing it
sleep 1
finished
status 0
err ''
columns=$(sed -n 's/^ *[0-9]* |\(.*\)|$/\1/p' "$out" | tr -d ' \n' | wc -c)
checks=$((checks + 1))
[ "$columns" -ge 2 ] || wrong "$columns samples with something in them: $(cat "$out")"

what='the totals are those of the files'
for form in text json csv; do
	begin -x oformat=$form -x duration=500ms
	wait $pid
	status=$?
	status 0
	sed 's/"timestamp":[0-9]*//' "$out" >"$tmp/followed"
	timeout 300 "$DTRACE" -q -x oformat=$form --merge "$tmp/hosts/a" "$tmp/hosts/b" | sed 's/"timestamp":[0-9]*//' >"$tmp/once"
	equal "as $form" "$tmp/once" "$tmp/followed"
done

what='a file that disappears'
begin
ready
rm "$tmp/hosts/b"
sleep 0.5
finished
status 0
checks=$((checks + 1))
grep -q short "$out" && wrong 'the file is still shown'

what='a file of another program'
begin
sleep 0.5
timeout 300 "$DTRACE" -q -x aggout="$tmp/hosts/z" -x aggoutonly -r tests/pcap/empty.pcap -n 'BEGIN { @other = count(); }'
wait $pid
status=$?
status 1
err_has 'come from different programs: @n is not in both$'

what='a file that is no aggregation file'
rm "$tmp/hosts"/*
for kind in fifo zero sparse; do
	case $kind in
	fifo) mkfifo "$tmp/hosts/x" && why='it is not a regular file' ;;
	zero) ln -s /dev/zero "$tmp/hosts/x" && why='it is not a regular file' ;;
	sparse) truncate -s 1T "$tmp/hosts/x" && why='File too large' ;;
	esac
	fails "^dtrace: failed to read $tmp/hosts/x: $why\$" --merge -x follow -x duration=1s "$tmp/hosts"
	fails "^dtrace: failed to read $tmp/hosts/x: $why\$" --merge "$tmp/hosts"
	rm "$tmp/hosts/x"
done

fails '^dtrace: failed to set -x follow: it applies to --merge only$' -x follow -n BEGIN
fails '^dtrace: failed to set -x follow: it does not apply to --diff$' -x follow --diff "$tmp/hosts/a" "$tmp/hosts/a"
finish
