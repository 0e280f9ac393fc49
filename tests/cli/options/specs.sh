# -P, -m, -f, -n and -i give programs on the command line.
. tests/cli/lib.bash
r="-r $pcap -q"
receive=$(id_of ip:::receive)
end='END { printf("%d\n", n); }'

run $r -P 'ip { n++; }' -n "$end"
status 0
out '20
'
run $r -m 'ip:kernel { n++; }' -n "$end"
out '20
'
run $r -f 'ip:kernel:none { n++; }' -n "$end"
out '20
'
run $r -n 'receive { n++; }' -n "$end" # probes of ip, udp and replay
out '30
'
run $r -n 'kernel:none:receive { n++; }' -n "$end" # probes of ip and udp
out '20
'
run $r -i "$receive { n++; }" -n "$end"
out '10
'
run $r -i "$receive /args[2]->ip_ver == 6/ { n++; }" -n "$end"
out '5
'
# Programs run in the order of the options.
run $r -n 'BEGIN { printf("a"); }' -P 'dtrace /probename == "BEGIN"/ { printf("b"); }' -n 'BEGIN { printf("c\n"); }'
status 0
out 'abc
'
# A description of digits only is an ID; any other text is a name.
run -r $pcap -i 2-2
status 1
err 'dtrace: invalid probe specifier 2-2: probe description :::-2 does not match any probes'
run -r $pcap -P ip -m kernel -f none -n receive -i "$receive" -n 'BEGIN { exit(0); }'
status 0
err "dtrace: description 'ip' matched 2 probes
dtrace: description 'kernel' matched 84 probes
dtrace: description 'none' matched 84 probes
dtrace: description 'receive' matched 6 probes
dtrace: description '$receive' matched 1 probe
dtrace: description 'BEGIN ' matched 1 probe
dtrace: skipped: not available in a capture: ip:::drop, tcp:::listen-overflow, tcp:::accept, tcp:::receive-autoresize, tcp:::drop, tcp:::read, tcp:::write, tcp:::existing, udp:::read, udp:::write, udp:::drop, mib:::ipInHdrErrors, mib:::ipInUnknownProtos, mib:::ipInAddrErrors, mib:::ipOutNoRoutes, mib:::ip6InHdrErrors, mib:::ip6InUnknownProtos, mib:::ip6InAddrErrors, mib:::ip6OutNoRoutes, mib:::tcpInErrs, mib:::tcpListenDrop, mib:::udpNoPorts, mib:::udpInErrors, mib:::udpInCksumErrs, mib:::udpInOverflows"

# Errors name the whole argument first, then the mistake and its place.
run $r -n ip:::foo
status 1
out ''
err 'dtrace: invalid probe specifier ip:::foo: probe description ip:::foo does not match any probes'
run $r -n 'foo { trace(1); }'
status 1
err 'dtrace: invalid probe specifier foo { trace(1); }: probe description :::foo does not match any probes'
run $r -P 'tcq { trace(1); }'
status 1
err 'dtrace: invalid probe specifier tcq { trace(1); }: probe description tcq::: does not match any probes'
run $r -n 'BEGIN { trace(x); }'
status 1
err 'dtrace: invalid probe specifier BEGIN { trace(x); }: in action list: failed to resolve x: Unknown variable name'
run $r -n 'BEGIN /x/ { trace(1); }'
status 1
err 'dtrace: invalid probe specifier BEGIN /x/ { trace(1); }: in predicate: failed to resolve x: Unknown variable name'
fails '^dtrace: invalid probe specifier BEGIN \{ trace\(1\) : in action list: syntax error near end of input$' $r -n 'BEGIN { trace(1) '
fails 'Overspecified probe description$' $r -n a:b:c:d:e
run $r -i 99999
status 1
one_line_of_stderr
run $r -x errtags -n ip:::foo
status 1
err 'dtrace: invalid probe specifier ip:::foo: [D_PDESC_ZERO] probe description ip:::foo does not match any probes'
# An error during code generation names the program text that caused it.
run $r -e -n 'BEGIN { trace(1); }' -n "END { $(printf 'tracemem(curthread, 1048576); %.0s' {1..130}) }"
status 1
err_has '^dtrace: invalid probe specifier END .*: in action list: the clause records more than'
# With hints on, a caret follows.
run $r -x nohint=off -n 'BEGIN { trace(x); }'
status 1
err_has '^dtrace: invalid probe specifier BEGIN \{ trace\(x\); \}: in action list: failed to resolve x: Unknown variable name$'
err_has '^ *\^'
# A number is an ID; it cannot name a provider, module or function.
run $r -P 3
status 1
err 'dtrace: invalid probe specifier 3: probe identifier 3 not permitted when specifying providers'
run $r -m 3
err 'dtrace: invalid probe specifier 3: probe identifier 3 not permitted when specifying modules'
run $r -f 3
err 'dtrace: invalid probe specifier 3: probe identifier 3 not permitted when specifying functions'
run $r
status 1
err_has "^dtrace: no program to run on .*udp.pcap: give a script name, -n or -s$"
finish
