# Without privileges, live tracing prints an error. Captures, -V and usage work.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] || skip 'only root can become somebody else'
command -v setpriv >/dev/null || skip 'no setpriv'
cp "$DTRACE" "$tmp/dtrace"
cp $pcap "$tmp/udp.pcap"
chmod 755 "$tmp/dtrace" "$tmp/udp.pcap" # whatever the umask is
as_nobody() {
	what="as nobody: dtrace $*"
	(cd "$tmp" && timeout 300 setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all \
		./dtrace "$@") >"$out" 2>"$err" </dev/null
	status=$?
}
as_nobody -n BEGIN
status 1
out ''
lacks='dtrace: failed to initialize dtrace: DTrace requires additional privileges:'
bpf='cap_bpf to load programs' trace='cap_perfmon to trace what the kernel does'
net='cap_net_admin to see what sockets send and receive'
err "$lacks $bpf, $trace, $net; root has them, and reading a capture (-r) needs none"
as_nobody -n 'ip:::receive { @[args[2]->ip_saddr] = count(); }'
status 1
one_line_of_stderr
# With some capabilities the message names the missing ones. With all of them dtrace runs.
with() {
	what="with $1: dtrace ${*:2}"
	(cd "$tmp" && timeout 300 setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set "-all,$1" \
		--inh-caps "-all,$1" --ambient-caps "-all,$1" ./dtrace "${@:2}") >"$out" 2>"$err" </dev/null
	status=$?
}
with +net_admin -n BEGIN
err "$lacks $bpf, $trace"
with +bpf,+perfmon -n BEGIN
err "$lacks $net"
with +bpf,+perfmon,+net_admin -qn 'BEGIN { printf("here\n"); exit(0); }'
case $(cat "$err") in
*'refuses even an empty BPF'* | *'cannot read the kernel'*) echo "not tried: $(cat "$err")" ;;
*)
	status 0
	out 'here
'
	;;
esac
as_nobody -V
status 0
as_nobody
status 2
as_nobody -q -r udp.pcap -n 'ip:::receive { @ = count(); }'
status 0
err ''
out '
               10'
as_nobody -r udp.pcap -l -P ip
status 0
out_has ' ip +kernel +none receive$'
finish
