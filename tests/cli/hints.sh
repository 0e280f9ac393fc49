# What is suggested below the caret: to the words of other tracers, to near misses, to common mistakes.
. tests/cli/lib.bash
hint() { # hint PROGRAM TEXT: the last line is this suggestion
	run -r $pcap -x caret -e -n "$1"
	status 1
	err_has "^    $2\$"
}

# Probes.
hint ip:::recv 'did you mean ip:::receive\?'
hint udp:::sned 'did you mean udp:::send\?'
hint ip::send 'three colons follow a provider: ip:::send'
hint ip:send 'three colons follow a provider: ip:::send'
hint tcp:::accept 'did you mean tcp:::accept-established, tcp:::accept-refused\?'
hint begin 'did you mean dtrace:::BEGIN\?'
hint tracepoint:sock:inet_sock_set_state 'tracepoints are rawtp:::inet_sock_set_state'
hint kprobe:tcp_connect 'functions are fbt::tcp_connect:entry'
hint kretprobe:tcp_connect 'functions are fbt::tcp_connect:return'
hint interval:s:1 'intervals are tick-1s, tick-100ms'
hint tcp:::debug-input 'all segments that come in are tcp:::receive'
hint sctp:::send 'there is no provider sctp; there are .* tcp .*'
hint nosuchprovider:::x 'there is no provider nosuchprovider; there are .* tcp .*'
hint nosuchprobe "'dtrace -l' lists the probes there are"

# Members.
hint 'ip:::send { trace(args[2]->ip_dadr); }' 'did you mean ip_daddr\?'
hint 'udp:::send { trace(args[4]->udp_dst); }' 'did you mean udp_dport\?'
hint 'tcp:::send { trace(args[3]->tcp_dport); }' 'did you mean args\[4\]->tcp_dport\?'

# Expressions.
hint 'BEGIN { @ = hist(1); }' 'did you mean quantize\?'
hint 'BEGIN { @ = nosuch(1); }' 'there are count, sum, min, max, .*'
hint 'BEGIN { trace(ntop(1)); }' 'addresses of probes are text already; .*'
hint 'BEGIN { trace(comm); }' 'did you mean execname\?'
hint 'BEGIN { trace(elapsed); }' 'did you mean timestamp\?'
hint 'BEGIN { trace(kstack); }' 'did you mean stack\( \)\?'
hint 'BEGIN { trace(retval); }' 'did you mean args\[1\]\?'
hint 'BEGIN { trace(ksym(1)); }' 'did you mean sym\( \)\?'
hint 'BEGIN { trace(reg("ip")); }' 'did you mean uregs\[ \]\?'
hint 'BEGIN { trace(strcontains("a", "b")); }' 'did you mean strstr\( \)\?'
hint 'BEGIN { trace(t[1]); }' 'a variable must be assigned or declared before it is read: uint64_t t; .*'
hint 'BEGIN /pid = 1/ { }' "'==' compares, '=' assigns"
hint "BEGIN /execname == 'x'/ { }" 'strings are written in double quotes'
hint 'BEGIN /execname == 10.0.0.1/ { }' 'an address is a string: "10.0.0.1"'
hint 'tcp:::send /args[3]->tcps_state == "ESTABLISHED"/ { }' \
	'a number is compared with a number or a constant, such as TCP_STATE_ESTABLISHED'
finish
