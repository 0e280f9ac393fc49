# -x probes=FILE limits the probes that any program may enable.
. tests/cli/lib.bash
live() { # as root, on a kernel with BPF
	[ "$(id -u)" = 0 ] && timeout 120 "$DTRACE" -qn 'BEGIN { exit(0) }' 2>/dev/null
}
allow() { printf '%s\n' "$@" >"$tmp/allowed"; }
refused() { # refused CLAUSE PROBE: the run fails before it does anything
	status 1
	out ''
	err_has "clause $1 would enable probe $2, which is not in the list of allowed probes \($tmp/allowed\)$"
}

allow '# some of them' '' 'udp:::*	ip:kernel:none:send # in one line'
succeeds -q -r $pcap -x probes="$tmp/allowed" -n 'udp:::send { @u = count(); } ip:::send { @i = count(); } BEGIN, END, ERROR, tick-1s { @b = count(); }'
out '
               10
               10
                2'
run -q -r $pcap -x probes="$tmp/allowed" -n 'BEGIN { printf("begun"); } udp:::send { @ = count(); } ip:::receive { @b = count(); }'
refused ip:::receive ip:kernel:none:receive
what='a pattern that matches a probe that is not allowed'
run -q -r $pcap -x probes="$tmp/allowed" -n '*::none:sen* { @ = count(); }'
refused '\*::none:sen\*' tcp:kernel:none:send
allow 'tcp:::send' 'udp*:*::send' 'i*:kernel:no[mn]e:send'
succeeds -q -r $pcap -x probes="$tmp/allowed" -n '*::none:sen* { @ = count(); }'
out '
               20'
what='a probe that is named by its ID'
id=$(id_of ip:::receive)
run -q -r $pcap -x probes="$tmp/allowed" -n "$id { @ = count(); }"
refused "$id" ip:kernel:none:receive
what='a probe of a script is refused with its line, also with -Z and -e'
printf 'BEGIN\n{\n}\n\nip:::receive\n{\n\t@ = count();\n}\n' >"$tmp/x.d"
for more in -Z -e; do
	fails 'clause ip:::receive would enable' -q -r $pcap -x probes="$tmp/allowed" $more -s "$tmp/x.d"
done
run -q -r $pcap -x probes="$tmp/allowed" -s "$tmp/x.d"
err_has "^dtrace: failed to compile script $tmp/x.d: line 5: clause ip:::receive would enable"
what='a clause for another host is not refused here'
run -q -r $pcap -x probes="$tmp/allowed" -x host=a -n 'b:ip:::receive { @ = count(); } a:udp:::send { @ = count(); }'
status 0
out '
               10'
what='a list without probes allows the probes of dtrace itself, ticks and samples included'
allow ''
run -q -r $pcap -x probes="$tmp/allowed" -x oformat=heat -n 'BEGIN { @ = count(); exit(0); }'
status 0
run -q -r $pcap -x probes="$tmp/allowed" -n 'udp:::send { @ = count(); }'
refused udp:::send udp:kernel:none:send

# Only the command line may set -x probes.
allow 'udp:::*'
run -q -r $pcap -x probes="$tmp/allowed" -n "#pragma D option probes=/dev/null
BEGIN { exit(0); }"
status 1
err_has "failed to set option 'probes': only the command line may set it$"
run -q -r $pcap -n "#pragma D option probes=$tmp/allowed
BEGIN { exit(0); }"
status 1
err_has "failed to set option 'probes': only the command line may set it$"
run -q -r $pcap -x probes="$tmp/allowed" -n 'BEGIN { setopt("probes", "/dev/null"); exit(0); }'
err_has "couldn't set option \"probes\" to \"/dev/null\": Operation illegal when tracing is active$"
what='the environment'
DTRACE_OPT_probes=$tmp/allowed run -q -r $pcap -n 'ip:::receive { }'
refused ip:::receive ip:kernel:none:receive

# Invalid files are errors.
for word in a:b:c a:b:c:d:e tcp ::::; do
	allow 'udp:::*' "$word"
	run -q -r $pcap -x probes="$tmp/allowed" -n BEGIN
	status 1
	err "dtrace: failed to set -x probes: $tmp/allowed: line 2: $word: allowed probes are provider:module:function:name"
done
run -q -r $pcap -x probes="$tmp/nothing" -n BEGIN
status 1
err "dtrace: failed to set -x probes: failed to read $tmp/nothing: No such file or directory"
printf 'udp:::*\0' >"$tmp/allowed"
run -q -r $pcap -x probes="$tmp/allowed" -n BEGIN
status 1
err "dtrace: failed to set -x probes: $tmp/allowed is not a text file"

if live; then
	what=live
	allow 'syscall:vmlinux:nanosleep:entry' 'profile:::profile-97hz'
	succeeds -q -x probes="$tmp/allowed" -n 'syscall::nanosleep:entry, profile-97hz, tick-1s { @ = count(); } BEGIN { exit(0); }'
	run -q -x probes="$tmp/allowed" -n 'syscall::nanosleep:*, BEGIN { exit(0); }'
	refused 'syscall::nanosleep:\*' syscall:vmlinux:nanosleep:return
	run -q -x probes="$tmp/allowed" -n 'profile-98hz, BEGIN { exit(0); }'
	refused :::profile-98hz profile:::profile-98hz
fi
finish
