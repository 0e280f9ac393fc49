# If results of a host are missing, the viewer prints the reason, and its exit status is not 0. The
# test makes results disappear in many ways.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
network 1
keys
start_server
"$FLEET" setup || wrong setup

ended() { # ended STATUS: waits for the viewer
	wait $viewer
	status=$?
	checks=$((checks + 1))
	[ $status = "$1" ] || wrong "status $status, not $1: $(cat "$T/err")"
}
dtrace_of() { pgrep -of "^[^ ]*dtrace -qxlocked .*$T/$1/runs/$id/agg"; }
keeper_of() { pgrep -of "^[^ ]*dtrace-fleet keep $T/$1/runs/$id "; }

# This dtrace writes a file in another format, as after an upgrade of dtrace without its agent.
cat >"$T/newer.sh" <<P
#!/bin/sh
for a; do case \$a in -xaggout=*) f=\${a#-xaggout=};; esac; done
printf DTRAGG99 >\$f
P
# This dtrace fails in the way of a dtrace that cannot write its file.
cat >"$T/full.sh" <<'P'
#!/bin/sh
echo "dtrace: failed to write aggregations to 'agg': No space left on device" >&2
exit 1
P
chmod +x "$T/newer.sh" "$T/full.sh"
for h in ended int kill keeper; do
	start_local $h
done
for h in newer full; do
	start_local $h --dtrace "$T/$h.sh"
done
registered() { [ "$("$FLEET" hosts | grep -c ' expected ')" = "$1" ]; }
until_true $LONG registered 6 || { wrong 'the agents do not register'; finish; }

# In this run, each host has a different fault. Only the host "ended" has none.
begin_run 'ended int kill keeper' -d 60 --rate 0.1 -n 'tick-10ms { @[host] = count(); } BEGIN { printf("begun\n"); }'
kill -INT "$(dtrace_of int)"
kill -KILL "$(dtrace_of kill)"
kill -KILL "$(keeper_of keeper)"
# Two more hosts answer: one with a snapshot in the format of a former version, and one with a damaged
# snapshot.
message() { # message HOST ID: prints a report, whose snapshot is the standard input
	printf 'DTFLEET1\nrun %s\nhost %s\nid %s\nepoch 1\nsequence 1\nversion 0.9\nphase ended\nend done\nmatched 1\nout 0\nunsent 0\nsaid 0\n\n' "$id" "$1" "$2"
	cat
}
{ printf DTRAGG03 && tail -c +9 "$T/ended/runs/$id/agg"; } | message former 00 | seal former >"$T/former"
head -c 100 "$T/ended/runs/$id/agg" | message damaged 01 | seal damaged >"$T/damaged"
admit former damaged
nats_pub "fleet.state.$id.former.00.1" "$T/former"
nats_pub "fleet.state.$id.damaged.01.1" "$T/damaged"
for h in int kill newer full; do
	until_true $LONG test -s "$T/$h/runs/$id/end" || wrong "the run on $h does not end"
done
timeout $LONG "$FLEET" stop "$id" || wrong 'the run cannot be stopped'
ended 1
says 'int: ended: dtrace was ended by signal 2 \(Interrupt\)'
says 'kill: ended: dtrace was ended by signal 9 \(Killed\)'
says 'keeper: ended: the process that watches dtrace was killed'
says 'newer: the agent cannot read the aggregations: snapshot .*'
says 'full: dtrace: failed to write aggregations .*No space left on device'
says 'former: left out: snapshot .*another version.* \(its dtrace-fleet has version 0\.9, and this one has .*\)'
says 'damaged: left out: snapshot is .*'
says '8 hosts asked: 1 whole, 4 partial, 1 refused, 2 left out'
ran=$id

# The server has lost the output of a host.
python3 - <<'P' || wrong 'the stream with the output cannot be deleted'
import socket
s = socket.create_connection(("10.98.7.1", 4222))
f = s.makefile('rb')
s.sendall(b'CONNECT {"verbose":false}\r\nSUB r 1\r\nPUB $JS.API.STREAM.DELETE.FLEET_OUT_ended r 0\r\n\r\n')
while b'"success":true' not in f.readline():
    pass
P
"$FLEET" show "$ran" >"$T/out" 2>"$T/err" &
viewer=$!
ended 1
says 'ended: 7 bytes of output are missing'
says '8 hosts asked: 0 whole, 5 partial, 1 refused, 2 left out'

# The viewer cannot write its own files or its output.
mkdir "$T/tmp"
mount -t tmpfs -o size=4k,nr_inodes=2 none "$T/tmp"
TMPDIR=$T/tmp "$FLEET" run -t ended -d 20 -n 'BEGIN { @[host] = count(); exit(0); }' >"$T/out" 2>"$T/err" &
viewer=$!
ended 1
says 'failed to write .*: No space left on device'
"$FLEET" run -t ended -d 20 -n 'BEGIN { printf("line\n"); exit(0); }' >/dev/full 2>"$T/err" &
viewer=$!
ended 1
says 'failed to write output: No space left on device'

# A run that misses nothing has status 0.
"$FLEET" run -t ended -d 20 -n 'BEGIN { @ = count(); printf("line\n"); exit(0); }' >"$T/out" 2>"$T/err" &
viewer=$!
ended 0
umount "$T/tmp"
finish
