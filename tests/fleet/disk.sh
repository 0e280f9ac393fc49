# The disk of a host is full. A run on this host still renews its lease, and can be stopped. The
# viewer reports the host as partial.
. tests/fleet/lib.bash
network 1
keys 'lease 4'
start_server
"$FLEET" setup || wrong setup
mkdir "$T/h1"
mount -t tmpfs -o size=400k,mode=700 none "$T/h1"
trap 'umount -l "$T/h1"; clean' EXIT
start_local h1 -v
until_true $LONG there 1 || { wrong 'h1 does not come'; finish; }
fill() { # fills the disk to the last byte
	cat /dev/zero >"$T/h1/$1" 2>/dev/null
	while printf x >>"$T/h1/$1"; do :; done 2>/dev/null
	checks=$((checks + 1))
	[ "$(df --output=avail "$T/h1" | tail -n 1)" -eq 0 ] || wrong 'the disk is not full'
}

what='a full disk'
begin_run h1 -d 60 --rate 0.1 -n 'tick-10ms { @ = count(); printf("line\n"); }'
sleep 1
fill zero
# The agent still renews the lease: the run lasts for longer than the lease.
sleep 6
checks=$((checks + 1))
[ ! -e "$T/h1/runs/$id/end" ] || wrong "it has ended: $(cat "$T/h1/runs/$id/end")"
began=$SECONDS
"$FLEET" stop "$id" || wrong 'the stop is not sent'
until_true 20 test -e "$T/h1/runs/$id/end" || wrong 'it cannot be stopped'
wait $viewer
status=$?
checks=$((checks + 3))
[ $((SECONDS - began)) -lt 30 ] || wrong "the viewer took $((SECONDS - began)) s"
[ $status = 1 ] || wrong "status $status"
[ "$(cat "$T/h1/runs/$id/end")" = 'failed dtrace exited with status 1, and the disk is full' ] || wrong "it ended: $(cat "$T/h1/runs/$id/end")"
says 'h1: ended: dtrace exited with status 1, and the disk is full'
says '1 host asked: 0 whole, 1 partial'

# A run that cannot start is refused, with the reason.
what='no room for a run'
timeout $LONG "$FLEET" run -d 5 -n 'BEGIN { @ = count(); exit(0); }' >"$T/out" 2>"$T/err"
says 'h1: failed to write to .*: No space left on device'
# When the disk has room again, the host accepts runs.
rm "$T/h1/zero"
checks=$((checks + 1))
until_true $LONG there 1 || wrong 'it takes no more runs'

# The server may store less than the sum of the limits of all streams.
what='setup on a small server'
kill_server
rm -rf "$T/js"
sed -i 's/2TB/1GB/' "$T/nats.conf"
nats-server -c "$T/nats.conf" >>"$T/nats.log" 2>&1 &
server=$!
until_true $LONG answers || wrong "$what: the server does not start"
checks=$((checks + 1))
"$FLEET" setup 2>"$T/err"
grep -q 'failed to create stream FLEET_.*: .* (too little room: raise max_file_store of jetstream)' "$T/err" || wrong "$what: $(cat "$T/err")"
finish
