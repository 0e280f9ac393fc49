# -x view=top in a terminal: screen contents, keys, sizes, and the terminal's state after every kind
# of exit.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] && tools/need terminal >"$tmp/need" 2>&1
command -v tmux >/dev/null || skip "the package tmux cannot be installed: $(tail -n 1 "$tmp/need" 2>/dev/null)"
export LC_ALL=C.UTF-8
t() { tmux -L "dtrace-$$" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
printf "PS1='%%%% '\nexport TERM=screen TZ=UTC\nunset HISTFILE\n" >"$tmp/rc"
t new-session -d -x 80 -y 24 "bash --noprofile --rcfile $tmp/rc"
capture=$PWD/tests/pcap/seconds.pcap

# Types a line at the shell's prompt. The process that this line starts writes its pid to $tmp/pid.
# Lines are numbered, because the test waits for the end of this line, not of an earlier line.
typed=0
type_line() {
	typed=$((typed + 1))
	printf '%s\n' "$1" >"$tmp/line"
	t send-keys "clear; stty -g >$tmp/before; sh -c 'echo \$\$ >$tmp/pid; exec sh $tmp/line'; echo end $typed: status \$?; stty -g >$tmp/after" Enter
}
screen() { t capture-pane -p >"$tmp/screen"; }
wait_for() { # wait_for RE: waits until the screen matches
	checks=$((checks + 1))
	for _ in {1..900}; do
		screen
		grep -Eq -- "$1" "$tmp/screen" && return
		sleep 0.1
	done
	wrong "nothing like this on the screen: $1"
	cat "$tmp/screen"
	finish
}
wait_for_ends() { # wait_for_ends FIRST LAST: prefixes of the first and last line
	checks=$((checks + 1))
	for _ in {1..900}; do
		screen
		[[ "$(sed -n 1p "$tmp/screen")" = "$1"* && "$(sed -n '$p' "$tmp/screen")" = "$2"* ]] && return
		sleep 0.1
	done
	wrong "the screen does not begin with $1 and end with $2"
	cat "$tmp/screen"
}
has() { # has RE: the screen matches now
	checks=$((checks + 1))
	grep -Eq -- "$1" "$tmp/screen" && return
	wrong "not on the screen: $1"
	cat "$tmp/screen"
}
# On a busy machine the test may miss the one second in which a capture's first sample is shown.
# Then the capture is started again.
first_second() { # first_second LINE: types the line until the first second is on the screen
	for _ in {1..20}; do
		type_line "$1"
		wait_for ' ([1-9][0-9]*s  capture|end of the capture)$'
		grep -q ' 1s  capture$' "$tmp/screen" && return
		t send-keys q
		given_back 0
	done
	wrong 'the first second is not shown'
}
rows() { # rows FIRST...: the first words of all rows, in order
	checks=$((checks + 1))
	local got
	got=$(sed -n '4,$p' "$tmp/screen" | sed '/rows\{0,1\}\( \|$\)/,$d' | awk 'NF { printf "%s ", $1 }')
	[ "$got" = "$* " ] && return
	wrong "rows are $got, not $*"
	cat "$tmp/screen"
}
given_back() { # given_back STATUS
	wait_for "^end $typed: status $1\$"
	checks=$((checks + 1))
	for _ in {1..600}; do
		[ -s "$tmp/after" ] && break
		sleep 0.1
	done
	cmp -s "$tmp/before" "$tmp/after" || wrong 'the terminal has other settings than before'
	[ "$(t display -p '#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}')" = '0 1 0' ] ||
		wrong "the screen is not given back: $(t display -p '#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}')"
	: >"$tmp/after"
}

# ---------------------------------------------------------------- a capture, at its speed
program='BEGIN { printf("before\n"); @n["\033[31mevil\nname", -1] = sum(7); @n["b", 3] = sum(5000000); @n["a", 20] = sum(5); @n["caf\xc3\xa9", 0] = sum(1);
		printf("%d", $$n); }
	ip:::receive { @n["packets", 1] = sum(args[2]->ip_plength); @q = quantize(args[2]->ip_plength); @avg = avg(args[2]->ip_plength); printf("unseen\n"); }
	END { printf("the end\n"); }'
printf '%s\n' "${program/printf(\"%d\", \$\$n); /}" >"$tmp/p.d"
what='view=top of a capture'
first_second "exec $DTRACE -q -x view=top -x unit=bytes -r $capture -s $tmp/p.d"
has '^@n = sum\(\)  1 of 3 .* 1s  capture$'
has '^key1 +key2 +sum bytes +bytes/s v'
has '^packets +1 +42 +42\.0' # 9 + 10 + 11 + 12 bytes in the first second
wait_for 'end of the capture'
# Four packets of 13 to 16 bytes in the last second, and one of 17 bytes at its end.
has '^packets +1 +117 +75\.0'
has '^\\x1b\[31mevil\\nname +-1 +7 +0\.0'
has '^café '
has '^5 rows'
rows packets '\x1b[31mevil\nname' a b café
checks=$((checks + 1))
grep -q unseen "$tmp/screen" && wrong 'printed lines are on the screen'
t send-keys Left
wait_for 'sum bytes v'
rows b packets '\x1b[31mevil\nname' a café
t send-keys r
wait_for 'sum bytes \^'
rows café a '\x1b[31mevil\nname' packets b
t send-keys Left
wait_for 'key2 v'
rows a b packets café '\x1b[31mevil\nname'
t send-keys / A Enter
wait_for "^4 rows with 'A'"
rows a packets café '\x1b[31mevil\nname'
t send-keys Escape
wait_for '^5 rows'
t send-keys Tab
wait_for '^@q = quantize\(\)  2 of 3'
has '^count +/s v +p50 bytes +p99 bytes'
has '^ +9 +5\.0 +12 +27'
t send-keys Tab
wait_for '^@avg = avg\(\)  3 of 3'
has '^ +13 +15'
t send-keys BTab
wait_for '^@q = '
for size in '200 50' '80 24' '40 10' '20 5'; do
	what="the screen, $size"
	t resize-window -x ${size% *} -y ${size#* }
	wait_for_ends '@q = quantize' '1 row'
	has '^count +/s v'
done
t resize-window -x 80 -y 24
what='the end of the view'
t send-keys q
given_back 0
has '^before$'
has '^the end$'
has '^  packets +1 +117$'
checks=$((checks + 1))
grep -q unseen "$tmp/screen" && wrong 'hidden lines are printed at the end'

# For a script that clears its aggregation every second, the screen has the values of one second.
what='view=top of an aggregation that trunc() empties'
first_second "exec $DTRACE -x view=top -r $capture -n 'ip:::receive { @[args[2]->ip_saddr] = count(); } tick-1s { trunc(@); }'"
has '^ip_saddr +count +/s v'
has '^[0-9a-f.:]+ +4 +4\.0'
wait_for 'end of the capture'
t send-keys q
given_back 0

# In 80 columns, only headings of keys may be truncated. Keys, values and headings of values are
# complete.
what='view=top of keys with long names'
first_second "exec $DTRACE -x view=top -r tests/pcap/demo.pcap tcptop"
has '^cs_p.* cs_exec.* tcps_.* sum +/s v'
has '^-1 +<unknown> 192.0.2.1[01] +5000[01] .* 203.0.113.80 80 +18 +18\.0'
# Columns of layout are omitted. Truncated text ends with a mark, and so does a line that is too
# long.
checks=$((checks + 1))
grep -q NEXT "$tmp/screen" && wrong 'a column of layout is on the screen'
t resize-window -x 60 -y 24
wait_for '^cs_~ .* sum +/s v$'
has '^-1 +<unkno.*~ 192'
t resize-window -x 36 -y 24
wait_for '^cs_~ .* ~$'
has '^-1 +<un~ .* ~$'
t resize-window -x 80 -y 24
t send-keys q
given_back 0

# Pause, full speed, and the end by a signal.
what='pause'
type_line "exec $DTRACE -q -x view=top -x aggrate=250ms -r $capture -n 'ip:::receive { @ = count(); }'"
t send-keys Space
wait_for 'paused'
cp "$tmp/screen" "$tmp/then"
sleep 0.7
screen
checks=$((checks + 1))
[ "$(sed -n 1p "$tmp/screen")" = "$(sed -n 1p "$tmp/then")" ] || wrong "the pause does not stop the view: $(sed -n 1p "$tmp/screen")"
t send-keys f Space
wait_for 'end of the capture'
has '^ +9 '
t send-keys C-c
given_back 0
has '^ +9$'

# ------------------------------------------------------------------------------ ends
for sig in TERM INT QUIT SEGV ABRT BUS; do
	what="the end by SIG$sig"
	type_line "exec $DTRACE -q -x view=top -r $capture -n 'ip:::receive { @ = count(); }'"
	wait_for '^@ = count.*capture$'
	kill -$sig "$(cat "$tmp/pid")"
	case $sig in
	TERM | INT) given_back 0 ;;
	QUIT) given_back 131 ;;
	SEGV) given_back 139 ;;
	ABRT) given_back '(134|139)' ;;
	BUS) given_back '(135|139)' ;;
	esac
done

# --------------------------------------------------- output to a file, and no terminal at all
what='view=top with -o'
type_line "exec $DTRACE -x view=top -r $capture -o $tmp/file -n 'ip:::receive { @ = count(); printf(\"kept\"); }'"
wait_for 'end of the capture'
t send-keys q
given_back 0
checks=$((checks + 2))
[ "$(grep -c kept "$tmp/file")" = 9 ] || wrong 'the file lacks printed lines'
grep -Eq '^ +9$' "$tmp/file" || wrong 'the file lacks the aggregation'
run -q -x view=top -r $capture -n 'BEGIN { @ = count(); }'
if ! (: </dev/tty) 2>/dev/null; then
	status 1
	err 'dtrace: failed to set -x view: there is no terminal'
fi
run -q -x view=top -r $capture -n BEGIN
status 1
err 'dtrace: failed to set -x view: the program has no aggregation to show'
run -x view=bottom -n BEGIN
status 1
err 'dtrace: failed to set -x view: Invalid value for specified option: possible values: top'
what='an unknown type of terminal'
type_line "TERM=nobody exec $DTRACE -q -x view=top -r $capture -n 'BEGIN { @ = count(); }'"
given_back 1
has "ncurses does not know the terminal TERM=nobody"

lib=$(ldconfig -p | sed -n 's/.*libncursesw.so.6 .*=> //p' | head -n 1)
if [ "$(id -u)" = 0 ] && [ -n "$lib" ] && unshare -m true 2>/dev/null; then
	what='view=top without ncurses'
	printf 'mount --bind /dev/null %s\nexec %s -q -x view=top -r %s -n "BEGIN { @ = count(); }"\n' "$(realpath "$lib")" "$DTRACE" "$capture" >"$tmp/without"
	type_line "exec unshare -m sh $tmp/without"
	given_back 1
	has '^dtrace: -x view: cannot load libncursesw.so.6: install the Debian package '
fi

# ------------------------------------------------------------------------------- live
if [ "$(id -u)" = 0 ] && timeout 120 "$DTRACE" -qn 'BEGIN { exit(0); }' >"$tmp/live" 2>&1; then
	what='view=top, live'
	type_line "exec $DTRACE -x view=top -x aggrate=100ms -n 'tick-10ms { @n[\"ticks\"] = count(); } tick-1s { clear(@n); printf(\"unseen\"); }'"
	wait_for '^@n = count.*live$'
	wait_for '^ticks +[1-9][0-9]* +[1-9]'
	t send-keys Space
	wait_for 'paused'
	t send-keys Space
	wait_for 'live$'
	t send-keys q
	given_back 0
	has '^  ticks +[0-9]+$'

	# Tracing on a terminal prints a notice even if the script sets quiet. With -q on the
	# command line there is no notice.
	what='the notice that tracing has begun'
	printf '#pragma D option quiet\nBEGIN { @ = count(); }\n' >"$tmp/quiet.d"
	type_line "exec $DTRACE -s $tmp/quiet.d"
	wait_for '^dtrace: tracing; Ctrl-C ends it$'
	t send-keys C-c
	given_back 0
	type_line "exec $DTRACE -qn 'BEGIN { printf(\"here\\n\"); } tick-1s { exit(0); }'"
	given_back 0
	has '^here$'
	checks=$((checks + 1))
	grep -q 'tracing' "$tmp/screen" && wrong '-q does not suppress the notice'
	type_line "exec $DTRACE -n 'BEGIN { printf(\"here\\n\"); } tick-1s { exit(0); }' 2>$tmp/file2"
	given_back 0
	checks=$((checks + 1))
	grep -q 'tracing' "$tmp/file2" && wrong 'the notice is printed although the output is a file'
fi

# ------------------------------------------- a heat map on a terminal: colours, its width
for columns in 80 200; do
	what="heat on a terminal of $columns columns"
	t resize-window -x $columns -y 40
	type_line "exec $DTRACE -q -x oformat=heat -x aggrate=2ms -r $capture -n 'BEGIN { n = 0; } tick-1ms { @ = quantize(n); n++; }'"
	given_back 0
	t capture-pane -p -J >"$tmp/screen"
	checks=$((checks + 2))
	widest=$(awk '/\|/ && length > w { w = length } END { print w }' "$tmp/screen")
	[ "$widest" -le $columns ] && [ "$widest" -gt $((columns * 6 / 10)) ] || wrong "$widest columns wide"
	t capture-pane -e -p | grep -q "$(printf '\033\\[38;5;')" || wrong 'no colours'
	type_line "NO_COLOR=1 exec $DTRACE -q -x oformat=heat -r $capture -n 'ip:::receive { @ = quantize(args[2]->ip_plength); }'"
	given_back 0
	checks=$((checks + 1))
	t capture-pane -e -p | grep -q "$(printf '\033\\[38;5;')" && wrong 'colours, though NO_COLOR is set'
done
finish
