# A module in which another system has the probes of a stable provider means any module, and a
# function after it means any function. Modules that no system has match nothing.
. tests/cli/lib.bash

# same DESCRIPTION OURS: both match the same probes
same() {
	run -r $pcap -l -n "$2"
	cp "$out" "$tmp/ours"
	succeeds -r $pcap -l -n "$1"
	equal "$1 is not $2" "$tmp/ours" "$out"
	[ "$(wc -l <"$out")" -gt 1 ] || wrong "$1 matches nothing"
}
none() {
	run -r $pcap -l -n "$1"
	[ "$(wc -l <"$out")" = 1 ] || wrong "$1 matches"
	checks=$((checks + 1))
}
for module in mach_kernel ip tcp udp genunix unix kernel vmlinux; do
	same "tcp:$module::send" tcp:::send
	same "ip:$module::" ip:::
	same "udp:$module::receive" udp:::receive
done
same tcp:mach_kernel:tcp_output:send tcp:::send
same 'tcp:ip:tcp_input*:connect-*' 'tcp:::connect-*'
same 'mib:ip::udp*' 'mib:::udp*'
none tcp:mach:tcp_output:send
none tcp::tcp_output:send
none udp:ip::sent
none ip::send
none dtrace:mach_kernel::BEGIN
fails 'does not match any probes' -r $pcap -e -n tcp:freebsd:tcp_output:send

# A program as macOS has it.
run -r tests/pcap/demo.pcap -q -n 'tcp:mach_kernel:tcp_output:send { @ = count(); printf("%s:%s:%s\n", probemod, probefunc, probename); exit(0); }'
status 0
out_has '^kernel:none:send$'
finish
