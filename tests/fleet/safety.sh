# Keys, policies, certificates, permitted subjects and leases protect the fleet. A request, message
# or client that breaks one of these rules is refused, or its run ends.
# shellcheck disable=SC2046 # as() prints words
. tests/fleet/lib.bash
command -v openssl >/dev/null || skip 'no openssl command here'
network 2
keys 'bytes 300000
keys 50
lease 3'
start_server 'max_payload: 100000'
"$FLEET" setup || wrong setup
start_agent h1 -v
until_true $LONG there 1 || { wrong 'the agent does not come'; finish; }

ask() { # ask ARGS: runs a viewer with ARGS, and sets $status
	timeout 300 "$FLEET" run "$@" >"$T/out" 2>"$T/err"
	status=$?
}
says() { # says RE: the viewer printed a line that begins with a match
	checks=$((checks + 1))
	grep -Eq -- "^dtrace-fleet: $1" "$T/err" || wrong "$what: $(cat "$T/err")"
}
count='BEGIN { @ = count(); }'

what='a key that is not listed'
"$FLEET" keygen "$T/other" >/dev/null
ask -k "$T/other" -n "$count"
says "h1: policy: the key that signed the run is not on this host's list of keys\$"
what='many requests by such a key'
{
	for ((i = 0; i < 70; i++)); do
		"$FLEET" run -k "$T/other" -d 1000000 -n "$count" &
		others[i]=$!
	done
	asked() { [ "$(grep -c '^dtrace-fleet: run ' "$T/out")" -ge 66 ]; }
	until_true 20 asked
	kill -9 "${others[@]}"
	wait "${others[@]}"
} >"$T/out" 2>&1
ask -d 20 -n 'BEGIN { exit(0) }'
says '1 host asked: 1 whole$'
what='limits of a policy'
ask -d 61 -n "$count"
says 'h1: policy: a run may last 60 seconds, not 61$'
ask --rate 0.05 -n "$count"
says 'h1: policy: the interval between snapshots is at least 100 ms, not 50$'
ask -n 'syscall::read:entry { @ = count(); }'
says 'h1: dtrace: .*: clause syscall::read:entry would enable probe syscall:vmlinux:read:entry, which is not in the list of allowed probes '
ask -n 'ip:::send, profile-97hz { @ = count(); }'
says 'h1: dtrace: .*: clause :::profile-97hz would enable probe profile:::profile-97hz, which is not in the list of allowed probes '
ask -n 'BEGIN { system("touch '"$T"'/made"); }'
says 'h1: dtrace: could not enable tracing: Destructive actions not allowed$'
ask -n '#pragma D option destructive
BEGIN { system("touch '"$T"'/made"); }'
says 'h1: .*failed to set option .destructive.: with -x locked, programs may only set options of their output'
ask -n '#pragma D option aggout='"$T"'/made
BEGIN { @ = count(); }'
says 'h1: .*failed to set option .aggout.'
[ ! -e "$T/made" ] || wrong "$what: the command was executed"
what='a dtrace that dies'
printf '#!/bin/sh\nkill -SEGV $$\n' >"$T/dies"
chmod +x "$T/dies"
start_agent h2 -v --dtrace "$T/dies"
ask -t h2 -d 20 -n "$count"
says 'h2: ended: dtrace was ended by signal 11 \(Segmentation fault\)$'
kill -0 "${agent[h2]}" || wrong 'the agent ended together with its dtrace'
kill_agent h2
what='too many keys'
ask -t h1 -d 20 -n 'BEGIN { n = 0; } tick-1ms { @[n++] = count(); }'
says 'h1: ended: policy: the aggregations have more than 50 keys$'
ask -t h1 -d 20 --rate 60 -n 'BEGIN { n = 0; } tick-1ms { @[n++] = count(); } tick-1ms /n > 60/ { exit(0); }'
says 'h1: ended: policy: the aggregations have more than 50 keys$'
[ -z "$(cat "$T/out")" ] || wrong "$what: the counts are shown"
what='more than the server accepts'
ask -t h1 -d 20 -n 'BEGIN { n = 0; } tick-1ms /n < 20/ { @[n++] = lquantize(n, 0, 1000, 1); } tick-1ms /n == 20/ { exit(0); }'
says 'h1: [0-9]* bytes of aggregations are more than the server accepts$'
what='too many bytes of output'
ask -t h1 -d 20 -n 'tick-1ms { printf("%200s\n%200s\n%200s\n%200s\n", "a", "b", "c", "d"); }'
says 'h1: ended: policy: the output, the messages or the aggregations have more than 300000 bytes$'
what='control characters in messages of a host'
printf '#!/bin/sh\nprintf "dtrace: \\033[2Jboo\\007\\n" >&2\nexit 1\n' >"$T/rude"
chmod +x "$T/rude"
start_agent h2 -v --dtrace "$T/rude"
ask -t h2 -d 20 -n "$count"
says 'h2: dtrace: \\x1b\[2Jboo\\x07$'
grep -q "$(printf '[\033\007]')" "$T/err" && wrong "$what: control characters of a host reach the terminal"
kill_agent h2
what='the number of runs at a time'
sed 's/^seconds.*/&\nruns 1/' "$T/policy" >"$T/one"
start_agent h2 -v -p "$T/one" -D "$T/h2.one"
until_true $LONG there 2 || { wrong 'the agent does not come'; finish; }
# On a busy machine, the run above, which listed the hosts, may still be active. Then h2 refuses
# this run.
answered() { test -s "$T/h2.one/runs/$id/agg" || grep -q '^dtrace-fleet: h2: policy: there are 1 runs' "$T/err"; }
begins() {
	begin_run '' -t h2 -d 60 -n 'tick-1s { @ = count(); }'
	until_true $LONG answered
	test -s "$T/h2.one/runs/$id/agg" && return
	kill -INT $viewer
	wait $viewer
	return 1
}
until_true $LONG begins || wrong 'the first of the runs does not begin'
ask -t h2 -d 20 -n "$count"
says 'h2: policy: 1 runs are active, which is the maximum$'
kill -INT $viewer
wait $viewer
kill_agent h2
what='files that other users may write'
refuses_policy() { # refuses_policy WHY
	checks=$((checks + 1))
	timeout 120 "$FLEET" agent -H h2 -p "$T/bad" -D "$T/h2.bad" >"$T/out" 2>&1
	[ $? = 1 ] && grep -q "^dtrace-fleet: policy $T/bad: $1" "$T/out" || wrong "$what: $(cat "$T/out")"
}
cp "$T/policy" "$T/bad"
chmod 646 "$T/bad"
refuses_policy 'other users may write to it (chmod 644)$'
chmod 644 "$T/bad"
printf 'seconds 5\n\0seconds 6\n' >"$T/bad"
refuses_policy 'the file is too long, or is not text$'
head -c 2000000 /dev/zero | tr '\0' '\n' >"$T/bad"
refuses_policy 'the file is too long, or is not text$'
chmod 640 "$T/other"
ask -k "$T/other" -d 1 -n "$count"
says "$T/other: others may read this key \\(chmod 600\\)$"
what='a server without TLS'
checks=$((checks + 1))
timeout 120 "$FLEET" setup -S tls://$SERVER >"$T/out" 2>&1 && wrong "$what is accepted as tls://$SERVER"
what='the log'
checks=$((checks + 3))
grep -q 'run [0-9a-f-]* ended: ended: policy: the aggregations have more than 50 keys' "$T/h1.log" || wrong 'the log does not say how the run ended'
grep -q 'run [0-9a-f-]* refused: the key that signed the run' "$T/h1.log" || wrong 'the log does not say that the key is not listed'
grep -q "run [0-9a-f-]* of [a-z]* for 20 s: BEGIN { n = 0; } tick-1ms" "$T/h1.log" || wrong 'the log does not have the program'

# Without the server, a run ends with its lease. The agent reports the end when the server is back.
what='the lease'
begin_run h1 -t h1 -d 40 --grace 5 -n "$count"
checks=$((checks + 1))
keepers=$(pgrep -f "^[^ ]*dtrace-fleet keep $T/h1/runs/$id ")
[ -n "$keepers" ] || wrong 'the run has no keeper process'
ls -l /proc/$keepers/fd | grep socket: && wrong 'the keeper inherited the connection of the agent'
kill_server
until_true 25 test -e "$T/h1/runs/$id/end" || wrong 'the run continues without the server after its lease'
start_server
wait $viewer
says 'h1: ended: the server was away for 3 seconds$'
checks=$((checks + 1))
[ "$(tr -d ' \n' <"$T/out")" = 1 ] || wrong "the counts of the ended run are lost: $(cat "$T/out")"
# The run also ends if the agent is gone.
begin_run h1 -t h1 -d 40 --grace 1 -n "$count"
kill_agent h1
until_true 25 test -e "$T/h1/runs/$id/end" || wrong 'the run continues without the agent after its lease'
kill -INT $viewer
wait $viewer
kill_server

# This part uses the shipped configuration of the server: clients need certificates, and each may only
# use certain subjects.
what=certificates
certificates h1 h2 viewer admin
checks=$((checks + 2))
"$FLEET" permit h1 h2 --viewer h2 >"$T/out" 2>"$T/err" && wrong 'a viewer may have the name of a host'
[ "$(cat "$T/out" "$T/err")" = 'dtrace-fleet: h2: the name is given twice' ] || wrong "permit: $(cat "$T/out" "$T/err")"
"$FLEET" permit h1 --viewer 'a", x: "' >"$T/out" 2>&1 && wrong 'a viewer may have any name'
start_secure h1 h2
timeout 120 "$FLEET" setup $(as viewer) >"$T/out" 2>&1 && wrong 'a viewer may create streams'
timeout 120 "$FLEET" setup $(as admin) || wrong 'dtrace-fleet setup fails with the certificate of an admin'
timeout 120 "$FLEET" expect $(as admin) h1 || wrong 'dtrace-fleet expect fails with the certificate of an admin'
checks=$((checks + 4))
timeout 120 "$FLEET" setup >"$T/out" 2>&1 && wrong 'the server accepts a client without a certificate'
start_agent h1 -v $(as h1)
# This agent claims to be h2, but has the certificate of h1. The server delivers none of its messages.
start_agent h2 -v $(as h1)
for ((i = 0; i < 10; i++)); do
	ask $(as viewer) --grace 3 -d 1 -n "$count"
	grep -q '^dtrace-fleet: 1 host asked: 1 whole' "$T/err" && break
	sleep 0.5
done
says '1 host asked: 1 whole$'
# A host's certificate does not allow requests.
ask $(as h1) --grace 1 -d 1 -n "$count"
[ $status = 1 ] || wrong 'a host may send a request'
[ -z "$(cat "$T/out")" ] || wrong "a host was answered: $(cat "$T/out")"
# A host cannot pose as the server, because its certificate has another name.
kill_agent h1
kill_agent h2
kill_server
sed -i "s|/tls/server\\.|/tls/h1.|" "$T/tls.conf"
nats-server -c "$T/tls.conf" >>"$T/nats.log" 2>&1 &
server=$!
until_true $LONG answers || wrong "the server does not start: $(tail -n 3 "$T/nats.log")"
checks=$((checks + 1))
timeout 120 "$FLEET" setup $(as admin) >"$T/out" 2>&1 && wrong 'a client accepts a host in place of the server'
finish
