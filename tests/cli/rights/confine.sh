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
# Files of freopen() with a constant name, of -o, aggout and capture, and tshark are opened and started
# before the capture is read, and the replay is confined.
for act in 'freopen("/dev/null"); printf("x"); freopen("")' 'freopen("%s", $$1); printf("x"); freopen("")' \
	'freopen("%s.%d", $$1, 5); printf("x"); freopen("")' 'pcap((void *)arg0, 1)'; do
	begin -qw -x aggout="$tmp/agg" -x capture="$tmp/capture" -o "$tmp/text" -n "$prog ip:::send { $act; }" -x argref "$tmp/named"
	is Seccomp 2
	is NoNewPrivs 1
	is CapEff 0000000000000000
	is CapPrm 0000000000000000
	checks=$((checks + 2))
	[ -e "$tmp/text" ] && [ -e "$tmp/capture" ] || wrong 'the files of -o and capture are not open yet'
	case $act in *'$$1);'* | *'$$1, 5);'*) [ -e "$tmp/named" ] || [ -e "$tmp/named.5" ] ;; esac || wrong 'the file of freopen() is not open yet'
	end
	status 0
	case $act in pcap*) : ;; *) err '' ;; esac # tshark may not be installed
done
checks=$((checks + 2))
[ -s "$tmp/named" ] || wrong 'the file of freopen() is empty'
[ -s "$tmp/named.5" ] || wrong 'the file of freopen() with a number is empty'
# A failure to open such a file is reported when freopen() comes.
run -qwr $pcap -n 'BEGIN { printf("before\n"); } END { freopen("/nonexistent/x"); printf("after\n"); }'
status 0
out 'before
after
'
err_has 'freopen\(\) "/nonexistent/x": No such file or directory$'
# freopen() opens each file once, and appends to it again after the output has returned.
run -qwr $pcap -n 'BEGIN { freopen("%s", $$1); printf("one\n"); freopen(""); printf("shown\n"); }
	ip:::send /n++ < 3/ { freopen("%s", $$1); printf("more\n"); freopen(""); }' "$tmp/kept"
status 0
out 'shown
'
text_is 'the file of freopen()' "$tmp/kept" 'one
more
more
more'
# A replay that runs commands, or computes the names of files, cannot be confined. For root this is an
# error; others get a line, or with -x confine=on the error.
refused='^dtrace: cannot confine this replay: its program runs commands \(system\(\)\), or opens files whose names it computes \(freopen\(\)\); -x confine=off runs it'
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
for act in 'system("echo did >>%s", $$1)' 'freopen("%s.%s", $$1, probename); printf("did\n")' \
	'freopen("%d%s", n, $$1); printf("did\n")' 'freopen("%5s", $$1); printf("did\n")'; do
	rm -f "$tmp/did"*
	if [ "$(id -u)" = 0 ]; then
		fails "$refused" -qwr $pcap -n "uint64_t n; BEGIN { $act; }" "$tmp/did"
		checks=$((checks + 1))
		[ ! -e "$tmp/did" ] && [ ! -e "$tmp/did.BEGIN" ] || wrong 'a refused program ran'
	fi
	fails "$refused" -x confine=on -qwr $pcap -n "uint64_t n; BEGIN { $act; }" "$tmp/did"
	run -x confine=off -qwr $pcap -n "uint64_t n; BEGIN { $act; }" "$tmp/did"
	status 0
	what='a replay of a user'
	mkdir -pm 777 "$tmp/users"
	"${user[@]}" "$DTRACE" -qwr $pcap -n "uint64_t n; BEGIN { $act; }" "$tmp/users/did" >"$out" 2>"$err"
	err_has '^dtrace: this replay is not confined, because its program has system\(\) or a freopen\(\) of a computed name$'
done
# Commands and printed text keep their order. Packet bytes are only arguments of a command.
run -qwr $pcap -x confine=off -n 'BEGIN { printf("shown\n"); freopen("%s", $$1); printf("kept\n"); system("echo commanded"); freopen("");
	system("cat %s", $$1); }' "$tmp/ordered"
status 0
out 'shown
kept
commanded
'
run -qwr $pcap -x confine=off -n 'ip:::receive /n++ == 0/ { printf("of "); system("echo %s %d", args[2]->ip_saddr, 7); }'
sed -i '/^$/d' "$out"
first=$("$DTRACE" -qr $pcap -n 'ip:::receive /n++ == 0/ { printf("of %s 7", args[2]->ip_saddr); }' | head -n 1)
out "$first"
# With several processes per file, only one runs commands and writes files.
prog='ip:::receive { @[args[2]->ip_saddr] = count(); } END { system("echo end"); printa("%s %@d\n", @); }'
run -qwr $pcap -x confine=off -x jobs=1 -n "$prog"
mv "$out" "$tmp/one"
run -qwr $pcap -x confine=off -x jobs=3 -n "$prog"
checks=$((checks + 1))
cmp -s "$tmp/one" "$out" || wrong 'the output with -x jobs differs'
# A command has the default signal handling, as in a live run. Here the shell ignored SIGINT.
(
	trap '' INT
	exec "$DTRACE" -qwr $pcap -x confine=off -n 'BEGIN { system("kill -INT $$; echo ignored"); }' >"$out" 2>"$err"
)
status=$?
what='SIGINT for a command'
status 0
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
