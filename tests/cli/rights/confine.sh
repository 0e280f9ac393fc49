# Replay drops unneeded privileges before it reads a capture, and prints the same output.
. tests/cli/lib.bash
[ -r /proc/self/status ] || skip 'no /proc'
# The sanitizers need the rights that confinement gives up.
grep -q __asan_init "$DTRACE" && DTRACE=${DTRACE_PLAIN:-}
[ -x "$DTRACE" ] || skip 'only the build with sanitizers is here ($DTRACE_PLAIN names the other)'

# begin ARGS...: starts dtrace, whose capture is open and delivers nothing yet
begin() {
	local i
	what="dtrace $*"
	rm -f "$tmp/in"
	mkfifo "$tmp/in"
	"$DTRACE" -r "$tmp/in" "$@" >"$out" 2>"$err" &
	pid=$!
	exec 3<>"$tmp/in" # opens the FIFO, so that a dtrace that has ended does not block this shell
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
# Programs that run commands or write files: a helper process with privileges does this, and dtrace
# itself still has no privileges.
for act in 'system("true")' 'freopen("%s", "/dev/null")' 'pcap((void *)arg0, 1)'; do
	begin -qw -n "$prog ip:::send { $act; }"
	is Seccomp 2
	is NoNewPrivs 1
	is CapEff 0000000000000000
	is CapPrm 0000000000000000
	end
	status 0
	case $act in pcap*) : ;; *) err '' ;; esac # tshark may not be installed
done
begin -qw -n "$prog END { system(\"true\"); }"
end
checks=$((checks + 1))
cmp -s "$tmp/confined" "$out" || wrong 'the confined run prints other bytes'
# The process that runs commands keeps the privileges of dtrace. It does not inherit open files of
# dtrace.
run -qwr $pcap -n 'BEGIN { printf("before\n"); system("grep ^Seccomp: /proc/$PPID/status; ls /proc/$PPID/fd | wc -l"); printf("after\n"); }'
status 0
out "before
$(grep ^Seccomp: /proc/self/status)
4
after
"
# Packet bytes are only arguments of a command; the shell does not interpret them.
run -qwr $pcap -n 'ip:::receive /n++ == 0/ { printf("of "); system("echo %s %d", args[2]->ip_saddr, 7); }'
sed -i '/^$/d' "$out"
first=$("$DTRACE" -qr $pcap -n 'ip:::receive /n++ == 0/ { printf("of %s 7", args[2]->ip_saddr); }' | head -n 1)
out "$first"
# freopen(): commands and printed text keep their order, and the file is opened with the privileges
# of the caller.
run -qwr $pcap -n 'BEGIN { printf("shown\n"); freopen("%s", $$1); printf("kept\n"); system("echo commanded"); freopen("");
	system("cat %s", $$1); }' "$tmp/kept"
status 0
out 'shown
kept
commanded
'
# With several processes per file, only one runs commands and writes files.
prog='ip:::receive { @[args[2]->ip_saddr] = count(); } END { system("echo end"); printa("%s %@d\n", @); }'
run -qwr $pcap -x jobs=1 -n "$prog"
mv "$out" "$tmp/one"
run -qwr $pcap -x jobs=3 -n "$prog"
checks=$((checks + 1))
cmp -s "$tmp/one" "$out" || wrong 'the output with -x jobs differs'
# The helper process ends with dtrace, even if dtrace is killed.
begin -qw -n 'BEGIN { system("true"); }'
broker=$(cat /proc/$pid/task/$pid/children)
broker=${broker% }
checks=$((checks + 1))
kill -0 "$broker" || wrong 'the helper process does not run beside dtrace'
kill -KILL $pid
wait $pid 2>"$tmp/killed"
exec 3>&-
for ((i = 0; i < 200; i++)); do
	kill -0 "$broker" 2>"$tmp/killed" || break
	sleep 0.05
done
checks=$((checks + 1))
! kill -0 "$broker" 2>"$tmp/killed" || wrong 'the helper process continues after dtrace has ended'
# A command has the default signal handling, as in a live run. Here the shell ignored SIGINT.
(
	trap '' INT
	exec "$DTRACE" -qwr $pcap -n 'BEGIN { system("kill -INT $$; echo ignored"); }' >"$out" 2>"$err"
)
status=$?
what='SIGINT for a command'
status 0
out newline
# If the helper process is killed, the run ends.
run -qwr $pcap -n 'BEGIN { system("kill -KILL $PPID"); system("echo never"); }'
status 1
err_has 'dtrace: cannot run system\(\), freopen\(\) or pcap\(\): the process that runs them died'
out newline
# --merge and --diff open all files, and parse them without privileges. The test inspects the
# processes while they block on a full pipe.
mkdir "$tmp/folder"
for i in ip ip6; do
	"$DTRACE" -qr $pcap -x aggout="$tmp/folder/$i" -x aggoutonly -x filter=$i -n 'ip:::receive { @[args[2]->ip_saddr] = count(); }'
done
mkfifo "$tmp/full"
for files in "--merge $tmp/folder" "--merge $tmp/folder/ip $tmp/folder/ip6" "--diff $tmp/folder/ip $tmp/folder/ip6" \
	"-x follow -x duration=1s --merge $tmp/folder"; do
	what="dtrace $files"
	"$DTRACE" $files >"$tmp/free" 2>"$err"
	checks=$((checks + 2))
	[ -s "$tmp/free" ] || wrong 'the comparison shows nothing'
	[ ! -s "$err" ] || wrong "$(cat "$err")"
	exec 3<>"$tmp/full"
	timeout 60 dd if=/dev/zero of="$tmp/full" bs=4096 oflag=nonblock 2>"$tmp/dd" &&
		wrong 'the pipe is full'
	"$DTRACE" $files >"$tmp/full" 2>"$err" 3>&- &
	pid=$!
	for ((i = 0; i < 400; i++)); do
		grep -qs '^Seccomp:.2' /proc/$pid/status && break
		sleep 0.05
	done
	is Seccomp 2
	is NoNewPrivs 1
	is CapEff 0000000000000000
	is CapPrm 0000000000000000
	timeout 60 tr -d '\0' <"$tmp/full" >"$tmp/confined" 3>&- &
	reader=$!
	exec 3>&-
	wait $pid
	status=$?
	status 0
	wait $reader
	checks=$((checks + 1))
	cmp -s "$tmp/free" "$tmp/confined" || wrong 'the confined run prints other bytes'
done
# dtrace still writes the file of -o after it has dropped privileges.
run -qr $pcap -o "$tmp/file" -n 'BEGIN { printf("x\n"); }'
status 0
checks=$((checks + 1))
[ "$(head -n 1 "$tmp/file")" = x ] || wrong 'dtrace does not write the file of -o'
# Time zones work in a confined replay: dtrace reads the zone's file before it gives up its rights.
what='a time zone'
TZ=Europe/Paris "$DTRACE" -qr $pcap -n 'ip:::receive /n++ == 0/ { printf("%Y", walltimestamp); }' >"$out" 2>"$err"
if [ -e /usr/share/zoneinfo/Europe/Paris ]; then out_has '^2023 Nov 14 23:13:20'; fi
finish
