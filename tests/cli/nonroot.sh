# Without privileges: live tracing says so; captures, -V and usage work.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] || skip 'only root can become somebody else'
command -v setpriv >/dev/null || skip 'no setpriv'
cp "$DTRACE" "$tmp/dtrace"
cp $pcap "$tmp/udp.pcap"
as_nobody() {
	what="as nobody: dtrace $*"
	(cd "$tmp" && timeout 60 setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all \
		./dtrace "$@") >"$out" 2>"$err" </dev/null
	status=$?
}
as_nobody -n BEGIN
status 1
out ''
err 'dtrace: failed to initialize dtrace: DTrace requires additional privileges'
as_nobody -n 'ip:::receive { @[args[2]->ip_saddr] = count(); }'
status 1
one_line_of_stderr
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
