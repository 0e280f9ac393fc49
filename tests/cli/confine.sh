# Replay gives away what it does not need before it reads a capture, and prints what it did before.
. tests/cli/lib.bash
[ -r /proc/self/status ] || skip 'no /proc'
# The sanitizers need what is given away.
grep -q __asan_init "$DTRACE" && DTRACE=${DTRACE_PLAIN:-}
[ -x "$DTRACE" ] || skip 'only the build with sanitizers is here ($DTRACE_PLAIN names the other)'

# begin ARGS...: dtrace that has opened its capture, of which nothing comes yet
begin() {
	local i
	what="dtrace $*"
	rm -f "$tmp/in"
	mkfifo "$tmp/in"
	"$DTRACE" -r "$tmp/in" "$@" >"$out" 2>"$err" &
	pid=$!
	exec 3<>"$tmp/in" # a dtrace that has ended does not keep us waiting
	for ((i = 0; i < 200; i++)); do
		grep -qs '^State:.S' /proc/$pid/status && break
		sleep 0.05
	done
	sleep 0.1
}

is() { # is NAME WANTED
	local got

	checks=$((checks + 1))
	got=$(sed -n "s/^$1:[ 	]*//p" /proc/$pid/status)
	[ "$got" = "$2" ] || wrong "$1 is $got, not $2"
}

end() {
	cat $pcap >&3
	exec 3>&-
	wait $pid
	status=$?
}

prog='ip:::receive { @[args[2]->ip_saddr] = count(); printf("%Y %s\n", walltimestamp, args[2]->ip_saddr); }'
begin -q -n "$prog"
is Seccomp 2
is NoNewPrivs 1
is CapEff 0000000000000000
is CapPrm 0000000000000000
end
status 0
err ''
cp "$out" "$tmp/confined"
# What runs commands or opens files keeps what that takes.
for act in 'system("true")' 'freopen("%s", "/dev/null")' 'pcap(0, 1)'; do
	begin -qw -n "$prog END { $act; }"
	is Seccomp 0
	is NoNewPrivs 0
	end
done
begin -qw -n "$prog END { system(\"true\"); }"
end
checks=$((checks + 1))
cmp -s "$tmp/confined" "$out" || wrong 'the same bytes'
# A file that was open before is written to, and so is one behind -o.
run -qr $pcap -o "$tmp/file" -n 'BEGIN { printf("x\n"); }'
status 0
checks=$((checks + 1))
[ "$(head -n 1 "$tmp/file")" = x ] || wrong '-o'
# Times of a zone, whose file is read late if at all.
what='a time zone'
TZ=Europe/Paris "$DTRACE" -qr $pcap -n 'ip:::receive /n++ == 0/ { printf("%Y", walltimestamp); }' >"$out" 2>"$err"
if [ -e /usr/share/zoneinfo/Europe/Paris ]; then out_has '^2023 Nov 14 23:13:20'; fi
finish
