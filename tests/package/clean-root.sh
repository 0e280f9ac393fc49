# Installs the package in a clean Debian of this machine's release, uses it live and on a capture,
# and removes it without leftovers.
. tests/package/lib.bash
make_root
make_package
find "$root/usr" "$root/etc" "$root/opt" -xdev | sort >"$tmp/before"
cp "$deb" "$root/tmp/dtrace.deb"
cp tests/pcap/connections.pcap "$root/tmp/capture.pcap"
inside dpkg -i /tmp/dtrace.deb
status 0

# Only the package's dependencies are installed.
inside dtrace --version
status 0
out_has '^dtrace for Linux networks [0-9.]*$'
inside dtrace -qn 'BEGIN { printf("%d\n", 6 * 7); exit(0); }'
case $(cat "$err") in
*'additional privileges'* | *'cannot read the kernel'*) echo "not tried live: $(cat "$err")" ;;
*)
	status 0
	err ''
	out '42
'
	;;
esac
count='tcp:::send { @[args[2]->ip_daddr] = count(); }'
inside dtrace -qn "$count" -r /tmp/capture.pcap
status 0
err ''
cp "$out" "$tmp/installed"
run -qn "$count" -r tests/pcap/connections.pcap
cmp "$out" "$tmp/installed" || wrong "a capture gives another output than here"
checks=$((checks + 1))

# An installed script that is run by its path uses this dtrace, and no other dtrace in PATH.
run -s scripts/tcplife.d -r tests/pcap/connections.pcap
cp "$out" "$tmp/here"
inside /usr/share/dtrace/tcplife.d -r /tmp/capture.pcap
status 0
cmp "$out" "$tmp/here" || wrong "a script gives another output than here"
[ -s "$out" ] || wrong "a script prints nothing"
inside dtrace tcplife -r /tmp/capture.pcap
status 0
cmp "$out" "$tmp/here" || wrong "a script that is run by its name gives another output"
inside dtrace -x syslibdir=/usr/share/dtrace/lib -qn "$count" -r /tmp/capture.pcap
status 0
cmp "$out" "$tmp/installed" || wrong "the installed library texts differ from the built-in texts"

# Completion works in the installed shell.
inside bash -c '. /usr/share/bash-completion/completions/dtrace; compopt() { :; }
	COMP_LINE="dtrace -n tcp:::sta" COMP_POINT=19 COMP_WORDS=(dtrace); _dtrace; echo "${COMPREPLY[@]}"'
out state-change

# -G and -h belong to the other dtrace. If it is installed, it runs; if not, this dtrace reports an
# error.
for mode in -G -h; do
	inside dtrace $mode -s /tmp/x.d -o 'a b'
	status 1
	err 'dtrace: -G and -h need /usr/bin/dtrace, which is not installed (package systemtap-sdt-dev)'
done
printf '#!/bin/sh\nprintf "<%%s>" "$@"\nexit 5\n' >"$root/usr/bin/dtrace"
chmod 755 "$root/usr/bin/dtrace"
for mode in -G -h; do
	inside dtrace $mode -s /tmp/x.d -o 'a b'
	status 5
	[ "$(cat "$out")" = "<$mode><-s></tmp/x.d><-o><a b>" ] || wrong "the other dtrace got $(cat "$out")"
done
# If /usr/bin/dtrace leads to this dtrace, dtrace does not call itself forever.
ln -sf ../sbin/dtrace "$root/usr/bin/dtrace"
inside dtrace -G -s /tmp/x.d
status 1
err_has '-G and -h need /usr/bin/dtrace'
rm "$root/usr/bin/dtrace"

inside dpkg --purge dtrace-net
status 0
find "$root/usr" "$root/etc" "$root/opt" -xdev | sort >"$tmp/after"
diff "$tmp/before" "$tmp/after" >"$tmp/diff" || { wrong "removing the package leaves files, or removes others:"; cat "$tmp/diff"; }
finish
