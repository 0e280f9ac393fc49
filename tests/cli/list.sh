# -l: what it lists, in which order, in which form.
. tests/cli/lib.bash

head='   ID   PROVIDER            MODULE                          FUNCTION NAME'
begin='    1     dtrace                                                     BEGIN'
end='    2     dtrace                                                     END'
error='    3     dtrace                                                     ERROR'
send='   36         ip            kernel                              none send'
receive='   37         ip            kernel                              none receive'
drop='   38         ip            kernel                              none drop'
# The stable probes in front of ip's.
others=$(awk '{ printf "%5d %10s            kernel                              none %s\n", $1, $2, $3 }' <<'END'
16 tcp receive
17 tcp connect-established
18 tcp connect-refused
19 tcp accept-established
20 tcp accept-refused
21 tcp connect-request
22 tcp send
23 tcp state-change
24 tcp receive-autoresize
25 tcp retransmit
26 tcp drop
27 tcp reset-sent
28 tcp reset-received
29 tcp destroy
30 tcp existing
31 udp send
32 udp receive
33 udp drop
34 udplite send
35 udplite receive
END
)
r="-r $pcap"

run $r -l -P ip
status 0
err ''
out "$head
$send
$receive
$drop"

run $r -lP dtrace
out "$head
$begin
$end
$error"

# In the order of the options, joined and not intersected.
run $r -l -P ip -P dtrace -n send
out "$head
$send
$receive
$drop
$begin
$end
$error
$(grep 'send$' <<<"$others")
$send
  384     replay           vmlinux                                   send"

run $r -l -n ip:::receive
out "$head
$receive"

run $r -l -n 'ip:::receive,BEGIN'
out "$head
$receive
$begin"

run $r -l -m kernel
out "$head
$others
$send
$receive
$drop"

run $r -l -m ip:vmlinux
out "$head
$send
$receive
$drop"

run $r -l -f none
out "$head
$others
$send
$receive
$drop"

run $r -l -f ip:kernel:none
out "$head
$send
$receive
$drop"

run $r -l -i 37
out "$head
$receive"

run $r -l -n 'i*:::*e*'
out "$head
$send
$receive"

# Clauses are compiled and ignored.
run $r -l -n 'ip:::send /args[2]->ip_ver == 4/ { trace(1); }'
status 0
out "$head
$send"

printf 'ip:::receive { trace(1); } BEGIN { } ip:::receive { }\n' >"$tmp/x.d"
run $r -l -s "$tmp/x.d"
status 0
out_has '^   37 +ip +kernel +none receive$'
out_has '^    1 +dtrace +BEGIN$'

# Nothing matches: the header, and no failure.
run $r -l -n ip:::foo
status 0
out "$head"
err 'dtrace: failed to match ip:::foo: No probe matches description'

# Without a description: everything, by ID.
run $r -l
status 0
out_has '^    1 '
out_has '^   37 '
out_has ' rawtp +vmlinux +netif_receive_skb$'
what='order of -l' checks=$((checks + 1))
[ "$(sed 1d "$out" | awk '{print $1}' | sort -nc 2>&1)" = '' ] || wrong 'IDs do not ascend'

# To a file: appended.
echo before >"$tmp/o"
run $r -l -P ip -o "$tmp/o"
status 0
out ''
text_is 'the file of -o' "$tmp/o" "before
$head
$send
$receive
$drop"
finish
