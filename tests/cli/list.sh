# -l: what it lists, in which order, in which form.
. tests/cli/lib.bash

head='   ID   PROVIDER            MODULE                          FUNCTION NAME'
begin='    1     dtrace                                                     BEGIN'
end='    2     dtrace                                                     END'
error='    3     dtrace                                                     ERROR'
send='   16         ip            kernel                              none send'
receive='   17         ip            kernel                              none receive'
r="-r $pcap"

run $r -l -P ip
status 0
err ''
out "$head
$send
$receive"

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
$begin
$end
$error
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
$send
$receive"

run $r -l -m ip:vmlinux
out "$head
$send
$receive"

run $r -l -f none
out "$head
$send
$receive"

run $r -l -f ip:kernel:none
out "$head
$send
$receive"

run $r -l -i 17
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
out_has '^   17 +ip +kernel +none receive$'
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
out_has '^   17 '
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
$receive"
finish
