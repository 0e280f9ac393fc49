# -x aggoutrate: at any time the file is a complete snapshot, replaced in one step. With -x
# aggoutonly, aggregations are only in the file, not in the output.
. tests/cli/lib.bash
live() { # as root, on a kernel with BPF
	[ "$(id -u)" = 0 ] && timeout 120 "$DTRACE" -qn 'BEGIN { exit(0) }' 2>/dev/null
}
# Prints "COUNT SEQUENCE SUM": the number of different snapshots that were read, the sequence number of
# the last one, and the only sum in it.
watch() { # watch FILE PID: reads the file again and again, without a pause, until the process ends
	python3 - "$1" "$2" <<'P'
import struct, sys
path, pid = sys.argv[1], int(sys.argv[2])
last, seen, best = None, [], -1
def text(b, at):
    n, = struct.unpack_from('<I', b, at)
    return at + 4 + n
def alive():
    try:
        return open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[0] != 'Z'
    except OSError:
        return False
going = True
while going:
    going = alive()
    try:
        b = open(path, 'rb').read()
    except FileNotFoundError:
        continue
    if b == last:
        continue
    last = b
    h = 0xcbf29ce484222325
    for c in b[:-8]:
        h = (h ^ c) * 0x100000001b3 & 0xffffffffffffffff
    assert b[:8] == b'DTRAGG04' and h == struct.unpack_from('<Q', b, len(b) - 8)[0], 'not whole'
    sequence = struct.unpack_from('<Q', b, text(b, 16) + 16)[0]
    value = struct.unpack_from('<Q', b, len(b) - 24)[0]
    assert not seen or sequence > seen[-1], f'{sequence} behind {seen}'
    assert value >= best, f'{value} behind {best}'
    best = value
    seen.append(sequence)
print(len(seen), seen[-1], best)
P
}

what='replay: each snapshot is complete, and the last one has what the run printed'
for ((i = 0; i < 820; i++)); do
	tail -c +25 $pcap
done >"$tmp/piece"
slowly() { # prints a capture in 20 pieces, over four seconds
	head -c 24 $pcap
	for ((i = 0; i < 20; i++)); do
		cat "$tmp/piece"
		sleep 0.2
	done
}
printf old >"$tmp/agg"
ln "$tmp/agg" "$tmp/other"
mkfifo "$tmp/pipe"
slowly >"$tmp/pipe" &
timeout 300 "$DTRACE" -qr - -x aggout="$tmp/agg" -x aggoutrate=20ms -n 'ip:::receive { @ = sum(args[2]->ip_plength) }' \
	>"$out" 2>/dev/null <"$tmp/pipe" &
while [ "$(cat "$tmp/agg")" = old ] && kill -0 $!; do :; done 2>/dev/null
watch "$tmp/agg" $! >"$tmp/seen" || wrong "$(cat "$tmp/seen")"
wait $! || wrong "status $?"
read -r n sequence sum <"$tmp/seen"
checks=$((checks + 5))
[ "$n" -ge 5 ] || wrong "$n snapshots were seen"
[ "$sequence" -ge "$n" ] || wrong "the last snapshot has the number $sequence, but $n snapshots were seen"
[ "$sum" = "$(tr -d ' \n' <"$out")" ] || wrong "the last snapshot has the sum $sum, the run printed $(cat "$out")"
[ "$(cat "$tmp/other")" = old ] || wrong "the file was written to, not replaced"
ls -A "$tmp" | grep '^\.' && wrong 'a hidden file is left behind'

cp "$out" "$tmp/said"
run -q --merge "$tmp/agg"
out "$(cat "$tmp/said")"

what='aggoutonly'
run -q -r $pcap -x aggout="$tmp/only" -x aggoutonly -n 'ip:::receive { @a = count(); @b = count() } END { printa("%@d\n", @a); printf("end\n") }'
status 0
out '10
end'
run -q --merge "$tmp/only"
out_has '10'

if live; then
	what='live: snapshots are written while nothing is printed'
	timeout 120 "$DTRACE" -q -x aggout="$tmp/live" -x aggoutrate=100ms -x aggoutonly -x duration=5s -n 'BEGIN { @ = sum(7) }' >"$out" 2>"$err" &
	while [ ! -e "$tmp/live" ] && kill -0 $!; do :; done 2>/dev/null
	watch "$tmp/live" $! >"$tmp/seen" || wrong "$(cat "$tmp/seen")"
	wait $! || wrong "status $?"
	out ''
	read -r n sequence sum <"$tmp/seen"
	checks=$((checks + 2))
	[ "$sum" = 7 ] || wrong "the sum is $sum"
	[ "$sequence" -ge 5 ] && [ "$sequence" -le 52 ] || wrong "$sequence snapshots in 5 s at 100 ms"

	what='live: a dtrace that is killed leaves a complete snapshot and no process'
	"$DTRACE" -q -x aggout="$tmp/killed" -x aggoutrate=100ms -n 'BEGIN { @ = sum(7) }' >"$out" 2>"$err" &
	while [ ! -e "$tmp/killed" ] && kill -0 $!; do :; done 2>/dev/null
	keeper=$(cat /proc/$!/task/$!/children)
	kill -9 $!
	wait $! 2>/dev/null
	for ((i = 0; i < 1200; i++)); do
		kill -0 $keeper 2>/dev/null || break
		sleep 0.05
	done
	checks=$((checks + 1))
	kill -0 $keeper 2>/dev/null && wrong "its process $keeper is still there"
	run -q --merge "$tmp/killed"
	out_has '^ +7$'
fi

run -q -r $pcap -x aggout="$tmp/no/x" -x aggoutrate=1s -n 'BEGIN { @ = count(); exit(0) }'
status 1
err "dtrace: failed to open '$tmp/no/x' for aggregations: No such file or directory"
run -q -r $pcap -x aggoutrate=1s -n 'BEGIN { @ = count(); exit(0) }'
status 1
err 'dtrace: failed to set -x aggoutrate: it needs -x aggout=FILE'
run -q -r $pcap -x aggoutonly -n 'BEGIN { @ = count(); exit(0) }'
status 1
err 'dtrace: failed to set -x aggoutonly: it needs -x aggout=FILE'
finish
