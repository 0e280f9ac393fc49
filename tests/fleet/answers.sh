# Answers of hosts: selection by name, captures on each host, errors, every output form, silent
# hosts, and Ctrl-C.
. tests/fleet/lib.bash
network 1
keys
start_server
"$FLEET" setup || wrong setup
for h in web1 web2.example.net db1; do
	start_local $h -v
done
until_true $LONG there 3 || { wrong 'the three agents do not connect'; finish; }

ask() { # ask ARGS: runs a viewer with ARGS, and sets $status
	timeout 300 "$FLEET" run -d 50 "$@" >"$T/out" 2>"$T/err"
	status=$?
	checks=$((checks + 1))
}
is() { # is STATUS OUT ERR: checks the status, the output, and the messages without the ID of the run
	checks=$((checks + 1))
	[ $status = "$1" ] || wrong "status $status"
	printf '%s' "${2:+$2
}" | diff -u --label want --label out - "$T/out" || wrong out
	grep -v '^dtrace-fleet: run ' "$T/err" | diff -u --label want --label err <(printf '%s\n' "$3") - || wrong err
}

# Each host reads its own capture. Host names work in descriptions and as keys.
ask -t 'web*' -r "$PWD/tests/pcap/udp.pcap" -n 'udp:::send { @[host, args[2]->ip_daddr] = count(); }'
is 0 '
  web1                                                192.0.2.2                                                         5
  web1                                                2001:db8::2                                                       5
  web2.example.net                                    192.0.2.2                                                         5
  web2.example.net                                    2001:db8::2                                                       5' \
	'dtrace-fleet: 2 hosts asked: 2 whole'
ask -r "$PWD/tests/pcap/udp.pcap" -n 'web*:udp:::send { @w[host] = count(); } d*:ip:::send { @d[host] = sum(2); }'
is 0 '
  web1                                                             10
  web2.example.net                                                 10
  db1                                                              20' \
	'dtrace-fleet: 3 hosts asked: 3 whole'

# If hosts have different numbers of probes, a message reports the numbers.
ask -r "$PWD/tests/pcap/udp.pcap" -n 'web*:udp:::send, web*:ip:::send { @w = count(); } d*:ip:::send { @d = count(); }'
is 0 '
               40
               10' \
	'dtrace-fleet: db1: 1 probe
dtrace-fleet: web1 and 1 more: 2 probes
dtrace-fleet: 3 hosts asked: 3 whole'

# The viewer has the output forms of dtrace.
ask -t db1 -x oformat=csv -r "$PWD/tests/pcap/udp.pcap" -n 'udp:::send { @["k"] = count(); }'
grep -q '"*k"*,10' "$T/out" || wrong "csv: $(cat "$T/out")"
ask -t 'web*' -x oformat=json -r "$PWD/tests/pcap/udp.pcap" -n 'udp:::send { @["k"] = count(); }'
grep -q '"value":20' "$T/out" || wrong "json: $(cat "$T/out")"

# Each line shows its host.
ask -t 'web*' -r "$PWD/tests/pcap/udp.pcap" -n 'END { printf("done at %s\n", host); }'
sort "$T/out" -o "$T/out"
is 0 'web1: done at web1
web2.example.net: done at web2.example.net' 'dtrace-fleet: 2 hosts asked: 2 whole'

# -i prints interim results at that interval.
ask -t web1 -d 3 -i 0.3 --rate 0.1 -n 'BEGIN { n = 0; } tick-100ms { @ = max(n); n++; }'
pictures=$(grep -c '1 host asked' "$T/err") values=$(tr -d ' ' <"$T/out" | grep -v '^$' | sort -n | uniq | wc -l)
checks=$((checks + 1))
[ "$pictures" -ge 4 ] && [ "$values" -ge 3 ] || wrong "$pictures pictures, $values values"

# A loss is reported with its host.
sed 's/^rate.*/rate 100\nbytes 1000/' "$T/policy" >"$T/small"
start_local small -v -p "$T/small" -D "$T/small.d"
until_true $LONG there 4 || { wrong 'the agent "small" does not connect'; finish; }
ask -t small -r "$PWD/tests/pcap/connections.pcap" -n 'tcp:::send { @[args[4]->tcp_seq, args[4]->tcp_ack] = count(); }'
checks=$((checks + 2))
grep -Eq '^dtrace: .*/small: host small lost events or data \(' "$T/err" || wrong "no message reports the loss: $(cat "$T/err")"
grep -q '^dtrace-fleet: 1 host asked: 0 whole, 1 partial$' "$T/err" || wrong "$(cat "$T/err")"

# A host whose run has another program is left out, and a message names the host.
printf '#!/bin/bash\nexec %s "${@:1:$#-1}" '"'BEGIN { @[1] = sum(1000); exit(0); }'"'\n' "$DTRACE" >"$T/other"
chmod +x "$T/other"
start_local another -v -D "$T/another.d" --dtrace "$T/other"
until_true $LONG there 5 || { wrong 'the fifth agent does not connect'; finish; }
ask -t '[adw]*' -d 20 -n 'BEGIN { @["k"] = count(); exit(0); }'
is 1 '
  k                                                                 3' \
	'dtrace-fleet: another: left out: its aggregations differ from those of most hosts
dtrace-fleet: 4 hosts asked: 3 whole, 1 left out'
kill_agent another
kill_agent small
"$FLEET" retire another small || wrong retire

# Errors have dtrace's text. If several hosts report the same error, it is printed once.
ask -n 'ip:::sent { @ = count(); }'
is 1 '' 'dtrace-fleet: db1 and 2 more: dtrace: invalid probe specifier ip:::sent { @ = count(); }: probe description ip:::sent does not match any probes
dtrace-fleet: db1 and 2 more:     ip:::sent { @ = count(); }
dtrace-fleet: db1 and 2 more:     ^
dtrace-fleet: db1 and 2 more:     did you mean ip:::send?
dtrace-fleet: 3 hosts asked: 0 whole, 3 refused'
ask -t db1 -r /etc/passwd -n 'BEGIN { @ = count(); }'
is 1 '' 'dtrace-fleet: db1: policy: the capture /etc/passwd may not be replayed
dtrace-fleet: 1 host asked: 0 whole, 1 refused'

# Ctrl-C ends the run on all hosts and prints the results so far.
begin_run 'web1 web2.example.net' -d 50 -t 'web*' -n 'BEGIN { @[host] = sum(7); }'
kill -INT $viewer
wait $viewer
status=$?
is 0 '
  web1                                                              7
  web2.example.net                                                  7' \
	'dtrace-fleet: web1 and 1 more: ended: the viewer ended the run
dtrace-fleet: 2 hosts asked: 2 whole'
test -e "$T/web1/runs/$id/end" || wrong 'the run continues on web1'

# A host that disappears is reported as silent; its earlier answers count.
begin_run web1 -d 2 --grace 8 -t 'web*' -n 'BEGIN { @[host] = sum(7); }'
sleep 0.5
kill_agent web1
wait $viewer
status=$?
is 1 '
  web1                                                              7
  web2.example.net                                                  7' \
	'dtrace-fleet: web1: became silent before its run had ended
dtrace-fleet: 2 hosts asked: 1 whole, 1 silent'
finish
