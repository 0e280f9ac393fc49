# Comparisons that can never be true (with !=, never false) cause a warning that says what to write
# instead. Comparisons that may be true cause none.
. tests/cli/lib.bash
export DTRACE_OPT_nohint=off

# never EXPRESSION ADVICE [PROBES [DECLARATIONS]]: the expression, in each place where a program may
# have it, causes one warning with the advice, with the line and a caret
never() {
	local probes=${3:-tcp:::send} p
	for p in "$probes /$1/ { }" "$probes { if ($1) { n++; } }" "$probes { n = ($1) ? 1 : 2; }" "$probes { @[$1] = count(); }"; do
		run -r $pcap -qe -n "${4:-} $p"
		status 0
		[ "$(grep -c '^dtrace: warning: in ' "$err")" = 1 ] || wrong "not one warning: $(cat "$err")"
		awk -v end=" is $often true: $2" '
			index($0, "dtrace: warning: in ") == 1 && substr($0, length($0) - length(end) + 1) == end { found = 1 }
			END { exit !found }' "$err" || wrong "another warning than $2: $(cat "$err")"
		[ "$(sed -n '3s/^ *//p' "$err")" = '^' ] || wrong "no caret: $(cat "$err")"
		checks=$((checks + 1))
	done
}
often=never

# maybe EXPRESSION [PROBES [DECLARATIONS]]: no warning
maybe() {
	succeeds -r $pcap -qe -n "${3:-} ${2:-tcp:::send} /$1/ { }"
}

# Addresses, of every kind.
for a in args[2]-\>ip_saddr args[3]-\>tcps_raddr args[2]-\>ip_daddr; do
	never "$a == \"10.0.0.0/8\"" "write cidr($a, \"10.0.0.0/8\")"
	never "\"10.0.0.1/8\" == $a" "write cidr($a, \"10.0.0.1/8\"), without bits after the prefix"
	never "$a == \"2001:DB8::1\"" 'write "2001:db8::1"'
	never "$a == \"2001:db8:80:0:0:0:0:80\"" 'write "2001:db8:80::80"'
	never "$a == \"::ffff:10.0.0.7\"" 'write "10.0.0.7"'
	never "$a == \"192.0.2.010\"" 'an address is four numbers up to 255, without leading zeros'
	never "$a == \"192.0.2.256\"" 'an address is four numbers up to 255, without leading zeros'
	never "$a == \"www.example.net\"" 'this text is no address'
	maybe "$a == \"10.0.0.7\" || $a != \"2001:db8::1\""
done
never 'args[4]->ipv4_saddr == "2001:db8::2"' 'it is an IPv4 address' ip:::send
never 'args[2]->ip_saddr == "<unknwon>"' 'did you mean "<unknown>"?'
maybe 'args[2]->ip_saddr == "<unknown>"'
never 'a == "10.0.0.0/8"' 'write cidr(a, "10.0.0.0/8")' 'tcp:::send' 'tcp:::send { a = args[2]->ip_saddr; }'
never 'net(args[2]->ip_saddr, 24) == "10.0.0.0/24"' 'write cidr(net(args[2]->ip_saddr, 24), "10.0.0.0/24")'
maybe 'net(args[2]->ip_saddr, 24) == "10.0.0.0"'
maybe 'args[2]->ip_saddr == args[2]->ip_daddr'

# != is always true then. An inline or a macro argument may hold the constant.
often=always
never 'args[2]->ip_saddr != "10.0.0.0/8"' 'write cidr(args[2]->ip_saddr, "10.0.0.0/8")'
never 'args[4]->tcp_sport != P' 'it is of type uint16_t' 'tcp:::send' 'inline int P = 70000;'
often=never
run -r $pcap -qe -n 'tcp:::send /args[4]->tcp_sport == $1 || args[2]->ip_saddr == $$2/ { }' 70000 10/8
status 0
[ "$(grep -c '^dtrace: warning' "$err")" = 2 ] || wrong 'not two warnings about arguments'

# Numbers outside the range of the other side's type.
never 'args[4]->tcp_sport == 800000' 'it is of type uint16_t'
never '70000 < args[4]->tcp_sport' 'it is of type uint16_t'
never 'args[4]->tcp_sport >= 65536' 'it is of type uint16_t'
never 'args[4]->tcp_sport > 65535' 'it is of type uint16_t'
never 'args[4]->tcp_sport == -1' 'it is of type uint16_t'
never 'args[4]->tcp_sport < 0' 'it is of type uint16_t'
never 'args[1]->cs_uid == -1' 'it is of type uid_t'
never 'args[2]->ip_ver == 300' 'it is of type uint8_t'
never 'args[3]->tcps_state == 5000000000' 'it is of type int32_t'
never '(args[4]->tcp_flags & TH_SYN) == 1' 'the other side has only the bits of 0x2'
never 'u == 300' 'it is of type uint8_t' BEGIN 'uint8_t u; BEGIN { u = 1; }'
never 's == 200' 'it is of type int8_t' BEGIN 'int8_t s; BEGIN { s = 1; }'
never '(uint16_t)timestamp > 100000' 'it is of type uint16_t' BEGIN
never '(n > 3) == 2' 'the other side is 0 or 1' BEGIN 'BEGIN { n = 1; }'
never 'f.two == 4' 'it has 2 bits' BEGIN 'struct f { unsigned two : 2; int neg : 3; } f;'
never 'f.neg < -4' 'it has 3 bits' BEGIN 'struct f { unsigned two : 2; int neg : 3; } f;'
never 'h.e == 9' 'it is of type enum e' BEGIN 'enum e { A = 1, B = 5 }; struct h { enum e e; } h;'
never '(timestamp > 3 ? args[2]->ip_ver : args[4]->tcp_sport) == 70000' 'it is of type uint16_t'
often=always
never 'args[4]->tcp_sport < 70000' 'it is of type uint16_t'
often=never
maybe 'args[4]->tcp_sport >= 0 && args[4]->tcp_sport <= 65535 && args[4]->tcp_sport == 65535'
maybe 'u + 1 == 256 || u * 2 == 300 || -u == -3' BEGIN 'uint8_t u; BEGIN { u = 1; }'
maybe 't == -1 || t > 0x8000000000000000' BEGIN 'uint64_t t; BEGIN { t = 1; }'
maybe 'h.e == 7 || h.e == 0' BEGIN 'enum e { A = 1, B = 5 }; struct h { enum e e; } h;'
maybe '(args[4]->tcp_flags & (TH_SYN | TH_ACK)) == TH_SYN'
maybe 'arg0 == 5000000000 || arg1 < 0'

# Names from a known set.
never 'probename == "recieve"' 'did you mean "receive"?' tcp:::receive
never 'probename == "drop"' 'it is "receive" here' tcp:::receive
never 'probeprov == "TCP"' 'did you mean "tcp"?'
never 'probemod == "vmlinux"' 'it is "kernel" here'
never 'args[4]->ipv4_protostr == "tcp"' 'did you mean "TCP"?' ip:::send
never 'args[4]->dns_typestr == "aaaa"' 'did you mean "AAAA"?' dns:::query
never 'args[4]->dns_rcodestr == "nxdomain"' 'did you mean "NXDOMAIN"?' dns:::response
never 'tcp_state_string[args[3]->tcps_state] == "state_listen"' 'did you mean "state-listen"?'
maybe 'probename == "send" || probename == "receive"' tcp:::send,tcp:::receive
maybe 'args[4]->ipv4_protostr == "TCP" || args[4]->ipv4_protostr == "99"' ip:::send
maybe 'args[4]->dns_typestr == "AAAA" || args[4]->dns_typestr == "TYPE4711"' dns:::query
maybe 'MODE == "wide" || mode == "wide"' BEGIN 'inline string MODE = "narrow"; BEGIN { mode = "narrow"; }'

# Texts that are too long.
never 'args[3]->tcps_ca_name == "a-name-of-16-bytes"' 'it has at most 15 characters'
never 'args[1]->cs_execname == "a-name-of-16-bytes"' 'it has at most 15 characters'
maybe 'args[1]->cs_execname == "15-characters--"'
run -r $pcap -qe -x strsize=8 -n 'tcp:::send /args[1]->cs_psargs == "12345678"/ { a["abcdefghi"] = 1; @["abcdefgh"] = count(); @ok["abcdefg"] = count(); }'
status 0
[ "$(grep -c '^dtrace: warning: .*this text has [89] characters and is cut to 7; use -x strsize=' "$err")" = 3 ] || wrong "$(cat "$err")"

# Captures have no current process.
run -r $pcap -qe -n 'BEGIN /execname == "curl"/ { } BEGIN /pid == 5 || uid == 0/ { } BEGIN /pid != $pid && execname != "x" && pid == -1/ { }'
status 0
[ "$(grep -c 'is never true: captures do not have the current process' "$err")" = 3 ] || wrong "$(cat "$err")"

# Once per place, although the clause is compiled for several probes; not with -x nohint.
run -r $pcap -qe -n 'tcp:::send, tcp:::receive, tcp:::connect-* /args[4]->tcp_sport == 70000/ { }'
[ "$(grep -c '^dtrace: warning' "$err")" = 1 ] || wrong "$(cat "$err")"
succeeds -r $pcap -qe -x nohint -n 'tcp:::send /args[4]->tcp_sport == 70000/ { }'

# --check shows them too.
echo 'tcp:::send /args[2]->ip_saddr == "10.0.0.0/8"/ { }' >"$tmp/x.d"
run -r $pcap --check "$tmp/x.d"
out_has '^.*x.d: note: warning: line 1: .* is never true: write cidr'

# Values of filters that no packet has.
fails 'failed to set -x execname: "a-name-of-16-bytes": too long' -r $pcap -qe -x execname=a-name-of-16-bytes -n tcp:::send
fails 'failed to set -x pid: "4194305": too large' -r $pcap -qe -x pid=4194305 -n tcp:::send
finish
