# -x filter takes the expressions of tcpdump. As many packets pass as tcpdump finds. The program
# does not see packets that do not pass.
. tests/cli/lib.bash
command -v tcpdump >/dev/null || skip 'no tcpdump here'
capture=tests/pcap/sessions.pcap

# left CAPTURE EXPRESSION: as many packets pass the filter as tcpdump finds
left() {
	local want
	want=$(tcpdump -nr "$1" "$2" 2>/dev/null | wc -l)
	succeeds -qr "$1" -x filter="$2" -n 'ip:::send { n++; } END { printf("%d\n", n); }'
	out "$want
"
}
left $capture 'tcp port 80'
left $capture 'port http'
left $capture ip6
left $capture udp
left $capture 'tcp[tcpflags] & (tcp-syn|tcp-fin) != 0 and not src host 192.0.2.1'
left $capture 'greater 100'
left tests/pcap/udp.pcap 'udp dst port 53'
left tests/pcap/cooked.pcap ip6
[ "$(tcpdump -nr $capture 'tcp port 80' 2>/dev/null | wc -l)" -gt 10 ] || wrong 'tcpdump finds too few packets in the capture'
# Name lookup reads files in /etc, which a replay without privileges cannot open.
left tests/pcap/udp.pcap 'udp port domain'
left $capture 'ip proto ipv6-icmp or port http'
left $capture 'src host localhost or port http'
[ "$(tcpdump -nr tests/pcap/udp.pcap 'udp port domain' 2>/dev/null | wc -l)" -gt 0 ] || wrong 'no port named domain'
COUNT='ip:::send { @ = count(); }'
for jobs in 1 3; do
	succeeds -qr $capture -x jobs=$jobs -x filter='port http' -n "$COUNT"
	cp "$out" "$tmp/jobs$jobs"
done
equal 'as many packets with -x jobs' "$tmp/jobs1" "$tmp/jobs3"
succeeds -qr $capture -x listen=127.0.0.1:0 -x filter='port http' -n "$COUNT ip:::send /++n == 26/ { exit(0); }"
equal 'as many packets with -x listen' "$tmp/jobs1" "$out"
# A long expression is optimized in the process without privileges, which knows the link types of
# the capture. A long expression may contain names, too.
hosts=$(printf 'host 198.51.100.%d or ' {1..60})
left $capture "${hosts}port 80"
left $capture "${hosts}port http"
# Names are looked up for each link type.
succeeds -qr tests/pcap/links.pcapng -x filter='ip6 and not port http' -n 'ip:::send { n++; } END { printf("%d\n", n); }'
out '7
'

# With several link types, the expression is compiled for each. libpcap matches ip6 on Ethernet,
# Cisco HDLC, both cooked link types, raw, IPV6 and 802.11 frames. On link type IPV4 nothing passes.
succeeds -qr tests/pcap/links.pcapng -x filter=ip6 -n 'ip:::send { n++; } END { printf("%d\n", n); }'
out '7
'
# An expression that is invalid for a link type is an error if the capture contains that type.
fails "^dtrace: failed to set -x filter: " -qr tests/pcap/links.pcapng -x filter='ether src 02:00:00:00:00:01' -n "$COUNT"
fails 'packet 2 has link type 147' -qr tests/pcap/mixedlink.pcapng -x filter=udp -n 'ip:::send { n++; }'

# The TCP tracker sees only the packets that pass the filter: a handshake without its answer is no
# connection.
HANDSHAKE='tcp:::accept-established { n++; } END { printf("%d\n", n); }'
run -qr $capture -n "$HANDSHAKE"
[ "$(head -n 1 "$out")" -gt 0 ] || wrong 'no handshake passes the filter'
run -qr $capture -x filter='tcp[tcpflags] & tcp-ack == 0' -n "$HANDSHAKE"
out '0
'
# A datagram is not reassembled if the filter drops its later fragments.
run -qr tests/pcap/frags.pcap -n 'udp:::send { n++; } END { printf("%d\n", n); }'
whole=$(head -n 1 "$out")
run -qr tests/pcap/frags.pcap -x filter='ip[6:2] & 0x1fff = 0 or ip6' -n 'udp:::send { n++; } END { printf("%d\n", n); }'
[ "$(head -n 1 "$out")" -lt "$whole" ] || wrong 'a datagram is reassembled from filtered fragments'
# Time begins with the first packet that passes, and ends with the last.
run -qr $capture -x filter='src port 40001' -n 'BEGIN { t = timestamp; } tcp:::send { printf("%d\n", timestamp == t); exit(0); }'
out '1
'
run -qr $capture -x filter='src port 40001' -n 'tcp:::send { t = timestamp; } END { printf("%d\n", timestamp == t); }'
out '1
'
# -x capture writes exactly the packets that pass.
run -qr $capture -x filter='tcp port 80' -x capture="$tmp/port80.pcapng" -n 'ip:::send { }'
status 0
[ "$(tcpdump -nr "$tmp/port80.pcapng" 2>/dev/null | wc -l)" = "$(tcpdump -nr $capture 'tcp port 80' 2>/dev/null | wc -l)" ] || wrong 'another number recorded'
# -x filter also applies to a capture on standard input, and together with -x port.
run -q -x filter=tcp -r - -n 'ip:::send { n++; } END { printf("%d\n", n); }' # standard input is empty
status 1
what='-r -'
"$DTRACE" -q -x filter='tcp port 80' -r - -x port=40000 -n 'ip:::send { n++; } END { printf("%d\n", n); }' <$capture >"$out" 2>"$err"
out "$(tcpdump -nr $capture 'tcp port 80 and port 40000' 2>/dev/null | wc -l)
"
# The filter as a pragma and from the environment.
printf '#pragma D option quiet\n#pragma D option filter="tcp port 80"\nip:::send { @ = count(); }\n' >"$tmp/p.d"
run -r $capture -s "$tmp/p.d"
cp "$out" "$tmp/pragma"
DTRACE_OPT_filter='tcp port 80' run -qr $capture -n 'ip:::send { @ = count(); }'
cmp -s "$out" "$tmp/pragma" || wrong 'the pragma selects other packets than the option'
[ -s "$tmp/pragma" ] || wrong 'no packet passes the pragma'\''s filter'

# An expression that libpcap would compile for minutes is an error.
ports=$(printf 'port %d or ' {1..2700})
hosts=$(printf 'host 10.0.%d.7 or host 10.0.%d.8 or host 10.0.%d.9 or ' {0..254} {0..254} {0..254})
TOO_LONG='^dtrace: failed to set -x filter: the expression is too long: it has [0-9]+'
for from in "$capture" lo; do
	[ $from = lo ] && [ "$(id -u)" != 0 ] && continue
	fails "$TOO_LONG characters, and at most 16384 are possible \\(-x addr= and port= take lists\\)\$" \
		-qr $from -x filter="$ports ip" -n "$COUNT"
	fails "$TOO_LONG instructions, and at most 20000 are" -qr $from -x filter="$hosts ip" -n "$COUNT"
done

# An error in the filter is reported in libpcap's words, with its place.
bad() { # bad EXPRESSION MESSAGE COLUMN
	run -qr $capture -x nohint=off -x filter="$1" -n 'ip:::send { }'
	status 1
	out ''
	err "dtrace: failed to set -x filter: $2
    $1
    $(printf '%*s' "$3" '^')"
}
SYNTAX="can't parse filter expression: syntax error"
bad 'tcp port 80 andd host 1.2.3.4' "$SYNTAX" 13
bad 'tcp[13] & 7 != 0 foo' "$SYNTAX" 18
bad '(tcp or udp' "$SYNTAX" 12
bad 'tcp port' "$SYNTAX" 9
bad 'host 10.0.0.1 and tcpp' "unknown host 'tcpp'" 19
bad 'port http and port nosuchservice' "unknown port 'nosuchservice'" 20
bad 'tcp or (port nosuchservice and tcp)' "unknown port 'nosuchservice'" 14
bad 'port 99999' 'illegal port number 99999 > 65535' 6
# The place of an error is not looked for in a long expression, because that takes minutes.
run -qr $capture -x nohint=off -x filter="$(printf 'tcp or %.0s' {1..300})(udp" -n 'ip:::send { }'
status 1
err "dtrace: failed to set -x filter: $SYNTAX"
run -qr $capture -x filter='tcp port' -n 'ip:::send { }'
err "dtrace: failed to set -x filter: $SYNTAX"
run -qr $capture -x filter -n BEGIN
status 1
err 'dtrace: failed to set -x filter: Invalid value for specified option'
# Without libpcap, -x filter is an error. Runs without the option do not need libpcap.
if mkdir "$tmp/none" && unshare -m true 2>/dev/null; then
	so=$(ldconfig -p | sed -n 's/.*libpcap\.so\.[01].* => //p')
	what='without libpcap'
	# shellcheck disable=SC2016
	SO=$so unshare -m bash -c 'for f in $SO; do mount --bind /dev/null "$f" || exit 9; done
		"$DTRACE" -qr '$capture' -x filter=tcp -n BEGIN; echo "status $?"
		"$DTRACE" -qr '$capture' -n "BEGIN { printf(\"fine\n\"); }"' >"$out" 2>"$err"
	out 'status 1
fine
'
	err 'dtrace: failed to set -x filter: cannot load libpcap.so.0.8: install the Debian package libpcap0.8 (libpcap0.8t64 since Debian 13)'
fi
finish
