# dtrace closes the descriptors that it inherits, except those that the command line or the environment
# names as /dev/fd/N. Closed standard files do not become other files.
. tests/cli/lib.bash
echo secret >"$tmp/secret"
mkfifo "$tmp/in"

# open_in ARGS...: prints the descriptors of dtrace ARGS -r FIFO that lead to the secret file
open_in() {
	local pid
	"$DTRACE" "$@" -q -r "$tmp/in" -n 'ip:::send { @ = count(); }' 9<"$tmp/secret" 77<"$tmp/secret" 200<"$tmp/secret" \
		>"$out" 2>"$err" &
	pid=$!
	exec {in}>"$tmp/in" # waits until dtrace opens the other end, after it has closed what it inherited
	find "/proc/$pid/fd" -lname "$tmp/secret" -printf '%f ' >"$tmp/open"
	cat $pcap >&$in
	exec {in}>&-
	wait $pid
	status=$?
	status 0
}
open_is() {
	checks=$((checks + 1))
	[ "$(cat "$tmp/open")" = "$1" ] || wrong "these are open: $(cat "$tmp/open"), not $1"
}
what='inherited descriptors'
open_in
open_is ''
what='a descriptor that the command line names'
open_in -x title=/dev/fd/77
open_is '77 '
what='a descriptor that the environment names'
DTRACE_OPT_title=/proc/self/fd/9 open_in
open_is '9 '
what='standard files that are closed'
"$DTRACE" -q -r $pcap -o "$tmp/o" -x aggout="$tmp/agg" -n 'ip:::send, udp:::send { @ = count(); } BEGIN { printf("text\n"); }' <&- >&- 2>&-
status=$?
status 0
run -q --merge "$tmp/agg"
status 0
text_has 'the file of -o' "$tmp/o" '^text$'

# -s NAME takes the file in this folder. A line says so if a script of this name is installed.
echo 'BEGIN { exit(0); }' >"$tmp/tcplife"
cp "$tmp/tcplife" "$tmp/mine"
top=$PWD
mkdir "$tmp/tests"
cp tests/mask.sed "$tmp/tests"
cd "$tmp" || exit 1
run -q -r "$top/$pcap" -s tcplife
status 0
err_has '^dtrace: -s tcplife is the file in this folder, not the installed script \(dtrace tcplife runs that\)$'
one_line_of_stderr
succeeds -q -r "$top/$pcap" -s mine
succeeds -q -r "$top/$pcap" -s ./tcplife
cd "$top" || exit 1
finish
