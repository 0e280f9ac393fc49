# pcap() starts tshark, which parses untrusted packets. So tshark has none of the rights of dtrace.
. tests/cli/lib.bash
[ -r /proc/self/status ] || skip 'no /proc'
chmod 711 "$tmp"
mkdir "$tmp/bin" "$tmp/none"
# This tshark shows its rights, its network devices, its environment, whether it has a terminal or
# other pipes, and the number of bytes that it read.
cat >"$tmp/bin/tshark" <<'END'
#!/bin/sh
sed -n 's/^\(Uid\|Gid\|Groups\|CapEff\|CapPrm\|NoNewPrivs\):[	 ]*/\1 /p' /proc/self/status
echo "devices $(grep -c : /proc/net/dev)"
echo "home $HOME secret $SECRET"
(: </dev/tty) 2>/dev/null && echo 'a terminal'
for file in /proc/$$/fd/*; do
	case ${file##*/} in 0 | 1 | 2) ;; *) [ -p "$file" ] && echo 'a file' ;; esac
done
echo "packets $(wc -c)"
END
chmod 755 "$tmp/bin" "$tmp/bin/tshark"
export SECRET=hidden
PATH=$tmp/bin:$PATH
shows_no() {
	checks=$((checks + 1))
	! grep -E "$1" "$out" || wrong "$1"
}

run -qr $pcap -n 'udp:::receive { pcap((void *)arg0, PCAP_IP); }'
status 0
err ''
out_has '^CapEff 0000000000000000$'
out_has '^CapPrm 0000000000000000$'
out_has '^NoNewPrivs 1$'
out_has '^packets [1-9]'
shows_no '^a (terminal|file)$'
[ "$(id -u)" = 0 ] || { finish; exit; }
shows_no '^(Uid|Gid).*[^0-9]0([^0-9]|$)'
out_has '^Groups *$'
out_has '^devices 1$'
out_has '^home / secret $'

# In a live run, tshark has no rights either. If a right cannot be given up, tshark does not run,
# except with -x confine=off.
[ -r /sys/kernel/btf/vmlinux ] && "$DTRACE" -qn 'BEGIN { exit(0); }' >"$out" 2>"$err" || { finish; exit; }
port=$((20000 + $$ % 12000))
while :; do
	echo >"/dev/udp/127.0.0.1/$port"
	sleep 0.1
done &
sender=$!
live() { # live COMMAND...: shows a packet, with a dtrace that the command starts
	what="live, $*"
	timeout 60 "$@" -q -x nohint -n "udp:::send /args[4]->udp_dport == $port/ {
		pcap((void *)arg0, PCAP_IP); exit(0); }" >"$out" 2>"$err" </dev/null
	status=$?
}
live "$DTRACE"
status 0
out_has '^CapEff 0000000000000000$'
out_has '^packets [1-9]'
shows_no '^(Uid|Gid).*[^0-9]0([^0-9]|$)'
if ! strace -o "$tmp/log" true 2>/dev/null; then
	kill $sender
	finish
	exit
fi
faults=(strace -f -o "$tmp/log" -e trace=setgroups -e inject=setgroups:error=EPERM "$DTRACE")
live "${faults[@]}"
err_has "couldn't run \"tshark\": Operation not permitted"
shows_no '^packets'
live "${faults[@]}" -x confine=off
out_has '^packets [1-9]'
kill $sender
finish
