# --check: a line for each clause: whether it runs here, why not, what to write instead.
. tests/cli/lib.bash
script=$tmp/mixed.d
cat >"$script" <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
/* a comment with { */
inline int N = 5;

dtrace:::BEGIN
{
	printf("go {\n");
}

nfsv4:::op-read-start
/ args[0]->b_bcount > 0 /
{
	@[execname] = count();
}

tcp:::send
/ args[4]->tcp_flags & TH_SYN /
{
	@[args[2]->ip_dadr] = count();
}

tcp:::receive { @[args[2]->ip_saddr] = hist(N); }

udp:::send, udp:::receive
{
	self->x = "}";
	printf("%d", N);
}
END { trace(zonename); }
D
run --check "$script" -r $pcap
status 1
err ''
what=--check
sed "s,^$tmp/,,; /^\tinstead/d" "$out" >"$tmp/short"
text_is stdout "$tmp/short" 'mixed.d:6: dtrace:::BEGIN: runs
mixed.d:11: nfsv4:::op-read-start: no: probe description nfsv4:::op-read-start does not match any probes
mixed.d:17: tcp:::send: no: ip_dadr is not a member of ipinfo_t
mixed.d:23: tcp:::receive: no: undefined function name: hist
mixed.d:25: udp:::send, udp:::receive: runs
mixed.d:30: END: no: there is no zonename here: Linux has no zones'
out_has '^	instead: there is no provider nfsv4'
out_has '^	instead: did you mean ip_daddr'
out_has '^	instead: did you mean quantize'

# What is said to run is what runs: the rest taken out by hand.
sed -n '1,9p;25,29p' "$script" >"$tmp/rest.d"
run --check "$tmp/rest.d" -r $pcap
status 0
out_has '^.*rest\.d:6: dtrace:::BEGIN: runs$'
run -r $pcap -es "$tmp/rest.d"
status 0

# Options, what is destructive, what only one of live and replay can do, a syntax error.
printf '#pragma D option nosuch=3\nBEGIN { system("x"); }\n' >"$tmp/options.d"
run --check "$tmp/options.d" -r $pcap
status 1
out_has 'options.d: no: line 1: option nosuch=3: Invalid option name'
out_has 'options.d: but: needs -w'
# A probe that is nowhere but live is its clause's matter.
printf 'io:::start { @ = count(); }\nip:::send { @ = count(); }\n' >"$tmp/live.d"
run --check "$tmp/live.d" -r $pcap
status 1
text_is stdout "$out" "$tmp/live.d:1: io:::start: no: probe io:::start does not exist in replay: a capture does not tell of it
$tmp/live.d:2: ip:::send: runs"
run --check tcpdrop -r $pcap
status 1
out_has 'tcp:::drop does not exist in replay'
printf 'BEGIN { x = ; }\nEND { y = 1; }\n' >"$tmp/syntax.d"
run --check "$tmp/syntax.d" -r $pcap
status 1
out_has 'syntax.d:1: BEGIN: no: '
out_has 'syntax.d:2: END: runs'
# Scripts that come with it, by name; arguments need not be given.
run --check tcplife -r $pcap
status 0
run --check iptop -r $pcap
status 0
fails 'failed to open .*none.d' --check "$tmp/none.d"
finish
