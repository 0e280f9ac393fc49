# -l: contents, order and format of the listing.
. tests/cli/lib.bash

head='   ID   PROVIDER            MODULE                          FUNCTION NAME'
begin='    N     dtrace                                                     BEGIN'
end='    N     dtrace                                                     END'
error='    N     dtrace                                                     ERROR'
send='    N         ip            kernel                              none send'
receive='    N         ip            kernel                              none receive'
drop='    N         ip            kernel                              none drop'
# The probes that -l lists after the probes of ip.
icmp_send='    N       icmp            kernel                              none send'
icmp_receive='    N       icmp            kernel                              none receive'
dns='    N        dns            kernel                              none query
    N        dns            kernel                              none response'
# The probes that -l lists before the probes of ip.
others=$(awk '{ printf "    N %10s            kernel                              none %s\n", $1, $2 }' <<'END'
tcp receive
tcp connect-established
tcp connect-refused
tcp accept-established
tcp accept-refused
tcp listen-overflow
tcp connect-request
tcp send
tcp accept
tcp state-change
tcp receive-autoresize
tcp retransmit
tcp drop
tcp read
tcp write
tcp reset-sent
tcp reset-received
tcp destroy
tcp existing
udp send
udp receive
udp read
udp write
udp drop
udplite send
udplite receive
END
)
# The probes of mib, in the order of the library.
mib=$(sed -n 's/^\tprobe \([A-Za-z0-9]*\)(.*/\1/p' providers/mib/mib.d |
	awk '{ printf "    N        mib            kernel                              none %s\n", $1 }')
r="-r $pcap"

succeeds $r -l -P ip
out "$head
$send
$receive
$drop"

run $r -lP dtrace
out "$head
$begin
$end
$error"

# -l lists each probe that matches one of the descriptions, in the order of the options.
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
$icmp_send
    N     replay           vmlinux                                   send"

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
$drop
$icmp_send
$icmp_receive
$dns
$mib"

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
$drop
$icmp_send
$icmp_receive
$dns
$mib"

run $r -l -f ip:kernel:none
out "$head
$send
$receive
$drop"

run $r -l -i "$(id_of ip:::receive)"
out "$head
$receive"

run $r -l -n 'i*:::*e*'
out "$head
$send
$receive
$icmp_send
$icmp_receive"

# Clauses are compiled and ignored.
run $r -l -n 'ip:::send /args[2]->ip_ver == 4/ { trace(1); }'
status 0
out "$head
$send"

printf 'ip:::receive { trace(1); } BEGIN { } ip:::receive { }\n' >"$tmp/x.d"
run $r -l -s "$tmp/x.d"
status 0
out_has '^ +N +ip +kernel +none receive$'
out_has '^ +N +dtrace +BEGIN$'

# If no probe matches, -l prints only the header, and the status is 0.
run $r -l -n ip:::foo
status 0
out "$head"
err 'dtrace: failed to match ip:::foo: No probe matches description'

# Each description without a match is reported on a line of its own, with all its four fields.
run $r -l -m foobar -f read -P nosuch -P ip
status 0
err 'dtrace: failed to match :foobar::: No probe matches description
dtrace: failed to match ::read:: No probe matches description
dtrace: failed to match nosuch:::: No probe matches description'
out "$head
$send
$receive
$drop"
printf 'ip:::foo { trace(1); } ip:::send { } nosuch { }\n' >"$tmp/x.d"
run $r -l -s "$tmp/x.d"
status 0
err 'dtrace: failed to match ip:::foo: No probe matches description
dtrace: failed to match :::nosuch: No probe matches description'
out "$head
$send"

# An invalid probe description is an error, and no header is printed.
run $r -l -n a:b:c:d:e
status 1
out ''
err 'dtrace: invalid probe specifier a:b:c:d:e: invalid probe description "a:b:c:d:e": Overspecified probe description'
run $r -l -i 0
status 1
out ''
err 'dtrace: invalid probe specifier 0: invalid probe identifier 0: Unknown probe identifier'
run $r -l -i 99999
status 1
out ''
err 'dtrace: invalid probe specifier 99999: invalid probe identifier 99999: Unknown probe identifier'

# Without a description, -l lists all probes, ordered by ID.
run $r -l
status 0
out_has ' dtrace +BEGIN$'
out_has ' ip +kernel +none receive$'
out_has ' rawtp +vmlinux +netif_receive_skb$'
what='order of -l' checks=$((checks + 1))
[ "$(sed 1d "$out" | awk '{print $1}' | sort -nc 2>&1)" = '' ] || wrong 'IDs do not ascend'

# -o appends the listing to a file.
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
