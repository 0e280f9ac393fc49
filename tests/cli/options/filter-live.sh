# -x filter without -r: errors say what to use instead. Expressions that are too long are refused.
. tests/cli/lib.bash
"$DTRACE" -qr tests/pcap/udp.pcap -x filter=udp -n BEGIN >/dev/null 2>&1 || skip 'no libpcap here'
PROGRAM='ip:::send { @ = count(); }'

# refused EXPRESSION MESSAGE: the message is the whole standard error.
refused() {
	run -e -x filter="$1" -n "$PROGRAM"
	status 1
	err "dtrace: failed to set -x filter: $2"
}
link() {
	refused "$1" "'$2' is not possible live: a live packet begins at its IP header; to filter whole frames, read the interface with -r INTERFACE"
}
refused 'tcp and inbound' "'inbound' is not possible live: use a probe of packets in that direction, such as ip:::receive"
refused outbound "'outbound' is not possible live: use a probe of packets in that direction, such as ip:::send"
for word in ifname on ifindex; do
	refused "tcp and $word eth0" "'$word' is not possible live: use a predicate, such as /args[3]->if_name == \"eth0\"/ at ip:::send"
done
link 'ether host 1:2:3:4:5:6' ether
link 'vlan 7 and tcp' vlan
link '(tcp)or(link[0]=1)' link
link 'pppoes' pppoes
link mpls mpls
refused 'ip6 protochain 6' "'protochain' is not possible live: it needs a loop; test the first headers instead, for example ip6[6] = 0 and ip6[40] = 6"
refused 'ip[4294963204] = 1' 'the expression asks for data that is not in the packet'
# The place of the word is shown.
run -e -x nohint=off -x filter='port 80 and inbound' -n "$PROGRAM"
err "dtrace: failed to set -x filter: 'inbound' is not possible live: use a probe of packets in that direction, such as ip:::receive
    port 80 and inbound
                ^"
# Errors of libpcap, in its words.
refused 'tcp port' "can't parse filter expression: syntax error"
refused 'port 99999' 'illegal port number 99999 > 65535'
# A word of libpcap within a longer name does not matter.
refused 'host on.invalid' "unknown host 'on.invalid'"

# Expressions that are too long are errors.
repeat() { # repeat N TEXT
	local i s=
	for ((i = 0; i < $1; i++)); do s+=$2; done
	printf %s "$s"
}
refused "$(repeat 20000 '(')" 'the expression is too long: it has 20000 characters, and at most 16384 are possible live (-x addr= and port= take lists)'
TOO_LONG='^dtrace: failed to set -x filter: the expression is too long: it has [0-9]+ instructions, and at most'
fails "$TOO_LONG 16000 are possible live" -e -x filter="tcp[1$(repeat 7000 +1)] = 1" -n "$PROGRAM"
fails "$TOO_LONG 2000 are possible live" \
	-e -x filter="$(for ((i = 0; i < 500; i++)); do printf 'ip[ip[%d]]=%d and ' $i $i; done) ip" -n "$PROGRAM"
fails "^dtrace: failed to set -x filter: can't parse filter expression: " -e -x filter="$(repeat 16000 '(')" -n "$PROGRAM"
fails "^dtrace: failed to set -x filter: can't parse filter expression: " -e -x filter="$(repeat 4000 'not ')" -n "$PROGRAM"

# A message names a probe without a packet. A program without packets is an error.
what='a probe without a packet'
if "$DTRACE" -e -n BEGIN 2>/dev/null; then
	run -e -x filter=tcp -n 'tcp:::state-change, tcp:::send { @ = count(); }'
	status 0
	err 'dtrace: tcp:::state-change has no packet, so -x filter matches nothing there; -x port= and addr= test its connection'
	fails 'no probe of the program is about packets or connections' -e -x filter=tcp -n BEGIN
	# A pragma filters as the option does.
	printf '#pragma D option filter="tcp and inbound"\nip:::send { @ = count(); }\n' >"$tmp/p.d"
	fails "'inbound' is not possible live" -e -s "$tmp/p.d"
fi
finish
