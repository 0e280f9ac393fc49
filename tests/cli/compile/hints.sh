# Suggestions below the caret: for words of other tracers, for near misses, for common mistakes.
. tests/cli/lib.bash
export DTRACE_OPT_nohint=off

hint() { # hint PROGRAM TEXT: the last line is this suggestion
	fails "^    $2\$" -r $pcap -e -n "$1"
}

# Suggestions for probes.
hint ip:::recv 'did you mean ip:::receive\?'
hint udp:::sned 'did you mean udp:::send\?'
hint ip::send 'three colons follow a provider: ip:::send'
hint ip:send 'three colons follow a provider: ip:::send'
hint tcp:::refused 'did you mean tcp:::connect-refused, tcp:::accept-refused\?'
hint begin 'did you mean dtrace:::BEGIN\?'
hint tracepoint:sock:inet_sock_set_state 'did you mean rawtp:::inet_sock_set_state\?'
hint kprobe:tcp_connect 'did you mean fbt::tcp_connect:entry\? This probe exists only without -r'
hint kretprobe:tcp_connect 'did you mean fbt::tcp_connect:return\? This probe exists only without -r'
hint interval:s:1 'did you mean tick-1s\?'
hint tcp:::debug-input 'tcp:::receive fires for all segments that come in'
hint sctp:::send 'there is no provider sctp; there are .* tcp .*'
hint nosuchprovider:::x 'there is no provider nosuchprovider; there are .* tcp .*'
hint nosuchprobe "'dtrace -r FILE -l' lists the probes of a capture"

# Suggestions for members.
hint 'ip:::send { trace(args[2]->ip_dadr); }' 'did you mean ip_daddr\?'
hint 'udp:::send { trace(args[4]->udp_dst); }' 'did you mean udp_dport\?'
hint 'tcp:::send { trace(args[3]->tcp_dport); }' 'did you mean args\[4\]->tcp_dport\?'

# Suggestions for mistakes in expressions.
hint 'BEGIN { @ = hist(1); }' 'did you mean quantize\( \)\?'
hint 'BEGIN { @ = nosuch(1); }' 'there are count, sum, min, max, .*'
hint 'BEGIN { trace(ntop(1)); }' 'addresses from probes are already text; .*'
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
	'compare a number with a number or a constant, such as TCP_STATE_ESTABLISHED, not with a string'
# Names that almost equal a name in the program, the library or the language.
hint 'BEGIN { trace(execnam); }' 'did you mean execname\?'
hint 'BEGIN { trace(timestmap); }' 'did you mean timestamp\?'
hint 'BEGIN { mycnt = 1; trace(mycount); }' 'did you mean mycnt\?'
hint 'BEGIN { self->start = 1; this->strut = 1; trace(self->strat); }' 'did you mean self->start\?'
hint 'BEGIN { this->start = 1; trace(this->strat); }' 'did you mean this->start\?'
hint 'BEGIN { trace(strlenn("a")); }' 'did you mean strlen\( \)\?'
hint 'BEGIN { printff("x"); }' 'did you mean printf\( \)\?'
hint 'BEGIN { @ = quantise(1); }' 'did you mean quantize\( \)\?'
hint 'BEGIN { @drops = count(); } END { printa(@drop); }' 'did you mean @drops\?'
hint 'BEGIN { trace(TCPS_ESTABLISHD); }' 'did you mean TCPS_ESTABLISHED\?'
hint 'BEGIN { trace(ESTABLISHED); }' 'did you mean TCPS?_.*ESTABLISHED\?'
hint 'BEGIN { trace(rand); }' 'to call this function, write rand\( \)'
hint 'BEGIN { trace(pid()); }' 'pid is a variable: write it without parentheses'
hint 'BEGIN { trace(arg10); }' 'the only variables of this kind are arg0 to arg9'
hint 'BEGIN { trace(qq); }' 'a variable must be assigned or declared before it is read: .*'

# Words of other systems and tracers.
hint 'BEGIN { trace(curproc); }' 'did you mean curpsinfo, or curthread->group_leader\?'
hint 'BEGIN { trace(curthread->td_proc); }' 'did you mean group_leader, or curpsinfo\?'
hint 'BEGIN { trace(nsecs); }' 'did you mean timestamp\?'
hint 'BEGIN { delete(a); }' 'a\[key\] = 0 deletes an element; trunc\(@a\) deletes the keys of an aggregation, and clear\(@a\) .*'
hint 'BEGIN { join(1); }' 'curpsinfo->pr_psargs has the arguments of the process'
hint 'BEGIN { cat("x"); }' 'did you mean system\( \) with "cat ..."\?'
hint 'BEGIN { strftime("x", 1); }' 'did you mean printf\( \) with %Y\?'
hint 'BEGIN { immstack(); }' 'did you mean stack\( \)\?'
hint 'profile:hz:99' 'did you mean profile-99hz\?'
hint 'software:faults:1' 'did you mean vminfo:::as_fault\? This probe exists only without -r'
hint 'kfunc:tcp_connect' 'did you mean fbt::tcp_connect:entry\? .*'
hint 'fbt:tcp_connect:entry' '.*: fbt::tcp_connect:entry'
hint 'syscall::opn:entry' 'did you mean syscall::open:entry\?'
hint 'syscall::read:exit' 'did you mean syscall::read:return\?'
hint 'vfs:::vop_read' 'there is no provider vfs; use fbt::vfs_read:entry .*'
hint 'ip:::output' 'probes of outgoing packets are named send'

# Suggestions for syntax errors.
hint 'BEGIN { int x; }' 'variables are declared outside of clauses'
hint 'BEGIN { if (1) trace(1) else trace(2); }' 'the statement before else must end with a ; too'
hint 'BEGIN { unroll(5); }' 'D has no loops: .*'
hint 'tcp:::send /args[4]->tcp_dport = 80/ { }' "'==' compares, '=' assigns"
hint 'BEGIN { printf("a") exit(0) }' 'is a ; missing before it\?'
hint 'BEGIN { trace(1) @ = count(); }' 'is a ; missing before it\?'

# Words that users of tcpdump and bpftrace may type, and wrong arguments of functions that print.
hint 'ip:::send { trace(args[2]->ip_src); }' 'did you mean ip_saddr\?'
hint 'ip:::send { trace(args[2]->len); }' 'did you mean ip_plength\?'
hint 'udp:::send { trace(args[2]->dport); }' 'did you mean args\[4\]->udp_dport\?'
hint 'tcp:::send { trace(saddr); }' 'did you mean args\[2\]->ip_saddr\?'
hint 'tcp:::send { trace(tcps_rtt); }' 'did you mean args\[3\]->tcps_rtt\?'
hint 'tcp:::send /args[4]->tcp_flags & SYN/ { }' 'did you mean TH_SYN\?'
hint "BEGIN /execname == '192.0.2.1'/ { }" 'strings are written in double quotes'
hint 'tcp:::send { print(args[2]); }' 'print one of its members: dtrace -lvvn PROBE .*'
hint 'BEGIN { @a = count(); } END { print(@a); }' 'use printa\( \) to print an aggregation'
hint 'ip:::send { printf(args[2]->ip_saddr); }' 'a format comes first: printf\("%s\\n", ...\)'
hint 'BEGIN { printf(1); }' 'a format comes first: printf\("%d\\n", ...\)'
hint 'BEGIN { printf("%s", 1); }' '%d prints numbers; to print text in the memory of a process, use copyinstr\( \)'
hint 'BEGIN { printf("%d", "a"); }' '%s prints text'
fails '^    to read a capture, use -r a.pcap$' -e -n BEGIN a.pcap
run -r $pcap -e -n BEGIN a.pcap
err_has 'extraneous'
grep -q ' -r a.pcap' "$err" && wrong '-r is suggested although a capture is read'
finish
