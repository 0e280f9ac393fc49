# -x port=, addr=, pid= ...: select packets and connections. On a capture, a filter selects the same
# events of tcp probes as a predicate does. A bad value is reported.
. tests/cli/lib.bash

capture=tests/pcap/sessions.pcap
LINE='printf("%s:%s %s %d %s %d\n", probeprov, probename'
TCP="$LINE, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport);"

# same_as FILTERS PREDICATE: both select the same events. The predicate in D tests the ends of a
# connection.
same_as() {
	local p='' k
	for k in send receive connect-request connect-established accept-established; do
		p+="tcp:::$k /$2/ { $TCP } "
	done
	p+="tcp:::state-change /$2/ { $TCP }"
	run -qr $capture -n "$p"
	cp "$out" "$tmp/by-predicate"
	# shellcheck disable=SC2086
	succeeds -qr $capture $1 -n "${p//\/$2\//}"
	checks=$((checks + 1))
	cmp -s "$out" "$tmp/by-predicate" || wrong "the filter and the predicate /$2/ select different events"
	[ "$(wc -l <"$out")" -gt 1 ] || wrong 'no event passes the filter'
}
T='args[3]->tcps'
same_as '-x port=80' "${T}_lport == 80 || ${T}_rport == 80"
same_as '-x lport=80' "${T}_lport == 80"
same_as '-x rport=40000-40001,40002' "${T}_rport >= 40000 && ${T}_rport <= 40002"
same_as '-x port=!80' "${T}_lport != 80 && ${T}_rport != 80"
same_as '-x port=40000-65535,!40001' "(${T}_lport == 40000 || ${T}_lport > 40001 || ${T}_rport == 40000 || ${T}_rport > 40001) && ${T}_lport != 40001 && ${T}_rport != 40001"
same_as '-x addr=192.0.2.1' "${T}_laddr == \"192.0.2.1\" || ${T}_raddr == \"192.0.2.1\""
same_as '-x laddr=192.0.2.0/24' "cidr(${T}_laddr, \"192.0.2.0/24\")"
same_as '-x raddr=2001:db8::/32,192.0.2.1' "cidr(${T}_raddr, \"2001:db8::/32\") || ${T}_raddr == \"192.0.2.1\""
same_as '-x raddr=!192.0.2.0/24' "!cidr(${T}_raddr, \"192.0.2.0/24\")"
same_as '-x ipver=6' "cidr(${T}_laddr, \"::/0\")"
same_as '-x ipver=4 -x port=80' "cidr(${T}_laddr, \"0.0.0.0/0\") && (${T}_lport == 80 || ${T}_rport == 80)"
same_as '-x addr=192.0.2.1 -x addr=192.0.2.2' "(${T}_laddr == \"192.0.2.1\" || ${T}_raddr == \"192.0.2.1\") && (${T}_laddr == \"192.0.2.2\" || ${T}_raddr == \"192.0.2.2\")"

# Filters also apply to probes of ip. With each filter, ip:::send fires as often as tcp:::send, and
# ip:::receive as often as tcp:::receive.
for x in port=80 rport=40000 addr=192.0.2.1 ipver=6; do
	for p in send receive; do
		run -qr $capture -x $x -n "ip:::$p { @ip = count(); } tcp:::$p { @tcp = count(); } END { printa(\"%@d %@d\", @ip, @tcp); }"
		status 0
		out_has '^([1-9][0-9]*) \1$'
	done
done
# Packets without a readable port: later fragments, other protocols, truncated packets.
run -qr tests/pcap/frags.pcap -x port=0 -n 'ip:::send { n++; } END { printf("%d\n", n > 0); }'
out '1
'
run -qr tests/pcap/snaplen.pcap -x port=1-65535 -n 'ip:::send, udp:::send { n++; }'
status 0
err 'dtrace: 3 packets with impossible headers, which hosts drop: UDP length 3'
# A filter by port applies to UDP, too.
run -qr tests/pcap/udp.pcap -n 'udp:::send { @[args[4]->udp_dport == 53] = count(); }'
was=$(awk '$1 == 1 { print $2 }' "$out")
run -qr tests/pcap/udp.pcap -x rport=53 -n 'udp:::send { n++; } END { printf("%d\n", n); }'
out "$was
"
[ "${was:-0}" -gt 0 ] || wrong 'the capture has no such datagram'

# Filters of owners match if the capture has owners. If the format of the capture cannot have
# owners, nothing matches, and a message says so.
run -qr $capture -x execname=sshd -n 'tcp:::send { n++; } END { printf("%d\n", n); }'
status 0
out '0
'
err "dtrace: the input does not say which processes its packets belong to (a pcapng file may), so -x pid and execname match nothing"
run -qr tests/pcap/owners.pcapng -n 'tcp:::send { @[args[1]->cs_execname, args[1]->cs_pid] = count(); }'
name=$(awk '$1 !~ /</ && NF == 3 { print $1; exit }' "$out")
pid=$(awk '$1 !~ /</ && NF == 3 { print $2; exit }' "$out")
for x in "execname=$name" "pid=$pid" "execname=${name%?}*,nobody" "execname=*${name#?}" "execname=*${name#?}*"; do
	run -qr tests/pcap/owners.pcapng -x "$x" -n 'tcp:::send { @[args[1]->cs_execname, args[1]->cs_pid] = count(); }'
	status 0
	[ "$(awk 'NF { print $1, $2 }' "$out")" = "$name $pid" ] || wrong "events of other processes than $name pass"
done
run -qr tests/pcap/owners.pcapng -x "execname=!$name" -n "tcp:::send /args[1]->cs_execname == \"$name\"/ { n++; } tcp:::send { m++; } END { printf(\"%d %d\n\", n, m > 0); }"
out '0 1
'

# Filters work in a shipped script, as a pragma, and from the environment.
run -qr $capture -x port=40001 tcplife
status 0
[ "$(awk 'NF { n++ } END { print n }' "$out")" = 3 ] || wrong 'other sockets than the two ends of the connection pass'
printf '#pragma D option quiet\n#pragma D option port=80\ntcp:::send { @ = count(); }\n' >"$tmp/p.d"
run -r $capture -s "$tmp/p.d"
cp "$out" "$tmp/pragma"
run -qr $capture -x port=80 -n 'tcp:::send { @ = count(); }'
cmp -s "$out" "$tmp/pragma" || wrong 'the pragma selects other packets than the option'
DTRACE_OPT_port=80 run -qr $capture -n 'tcp:::send { @ = count(); }'
cmp -s "$out" "$tmp/pragma" || wrong 'the environment selects other packets than the option'

# A bad value is reported with the user's text.
bad() { # bad NAME=VALUE MESSAGE
	run -qr $capture -x "$1" -n 'tcp:::send { }'
	status 1
	out ''
	err "dtrace: failed to set -x ${1%%=*}: $2"
}
NUMBER='expected a number or a range (80-90)'
bad port=http "\"http\": $NUMBER"
bad port= "\"\": $NUMBER"
bad port=80, "\"\": $NUMBER"
bad port=80x "\"80x\": $NUMBER"
bad 'port=!' "\"\": $NUMBER"
bad port=65536 '"65536": too large: at most 65535'
bad port=90-80 '"90-80": the range ends before it begins'
bad port=90- '"90-": expected a number after the -'
bad rport=80,x "\"x\": $NUMBER"
bad lport=-1 "\"-1\": $NUMBER"
bad pid=99999999999 '"99999999999": too large: at most 4194304'
bad addr=localhost '"localhost": it is not an IP address'
bad addr=10.0.0.1/8 '"10.0.0.1/8": the address has nonzero bits after the prefix'
bad laddr=10.0.0.0/33 '"10.0.0.0/33": the prefix length must be 0 to 32'
bad raddr= '"": it is not an IP address'
bad ipver=5 '"5": expected 4 or 6'
bad user=nosuchuser '"nosuchuser": no such user'
bad netns=nosuchspace '"nosuchspace": no network namespace of that name in /run/netns or /run/docker/netns, and no such file'
bad netns=99999999 '"99999999": no such process, or its namespace is not accessible'
bad 'execname=a*b' '"a*b": expected a name, which may begin or end with *'
bad 'execname=*' '"*": expected a name, which may begin or end with *'
run -qr $capture -x user=0 -n 'tcp:::send { }'
status 1
err 'dtrace: failed to set -x user: it applies to live runs only; captures do not record users, cgroups or network namespaces'
fails 'no probe of the program is about packets or connections: there is nothing to filter by ports or addresses .only pid=, .* filter processes.$' -qr $capture -x port=80 -n 'BEGIN { exit(0); }'
run -qr $capture -n 'tcp:::send { setopt("port", "80"); exit(0); }'
err_has "couldn.t set option \"port\" to \"80\": Operation illegal when tracing is active"

# A filter changes the generated code. The code tests the filter before it counts the event.
run -qr $capture -e -x dump=bpf -n 'tcp:::send { @ = count(); }'
cp "$out" "$tmp/plain"
run -qr $capture -e -x dump=bpf -x port=80 -n 'tcp:::send { @ = count(); }'
cmp -s "$out" "$tmp/plain" && wrong 'the code with a filter equals the code without a filter'
run -qr $capture -x footer -x port=40001 -n 'tcp:::send, tcp:::receive { @ = count(); }'
seen=$(sed -n 's/^ *\([0-9]*\)$/\1/p' "$out" | tail -n 1)
err_has "^dtrace: events seen +$seen\$"
finish
