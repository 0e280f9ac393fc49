# dwatch on a live machine: selection by name, argument, process ID, user and group; escaped names;
# and how dwatch ends.
. "$(dirname "$0")/../lib.bash"
need python3 awk getent
mkdir "$T/tmp"
export TMPDIR=$T/tmp # a folder without files of other runs of dwatch

cat >"$T/send.py" <<'END'
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('127.0.0.1', int(sys.argv[1])))
for n in range(60000):
    s.sendto(b'x' * 5, ('127.0.0.1', 5016))
    time.sleep(.05)
END
python3 "$T/send.py" 5015 one &
one=$!
python3 "$T/send.py" 5017 two &
two=$!
trap 'kill $one $two 2>/dev/null; live_end' EXIT
watch() { timeout 300 sh scripts/dwatch/dwatch "$@" 2>"$T/err"; }
lines() { sed 's/^[^.]*[0-9][0-9]:[0-9][0-9]:[0-9][0-9] //'; }

same '-z selects a process by its arguments' "0.- python3[$one]: 127.0.0.1:5015 -> 127.0.0.1:5016 13 bytes" \
	"$(watch -X udp-send -z 'send.py 5015' -N 3 | lines | sort -u)"
same '-k and -p select a process by its name and its pid' "0.- python3[$two]: 127.0.0.1:5017 -> 127.0.0.1:5016 13 bytes" \
	"$(watch -X udp-send -k 'python*' -p "$two" -N 3 | lines | sort -u)"
same '-u and -g select processes by user and group' 3 "$(watch -X udp-send -u '^root$' -g '^root$' -N 3 | wc -l)"
same '-T ends a run that has seen nothing' 0 "$(watch -X udp-send -k no-such -T 1s | wc -l)"
same 'a single word stands for a probe' 'INFO Watching '"'syscall:vmlinux:sendto:entry' ..." "$(watch -N 1 sendto >"$T/out"; grep Watching "$T/err")"
grep -qE "^[0-9]{4} .* [0-9]+\.[0-9]+ [^ ]*\[[0-9]+\]: ." "$T/out" && echo 'ok: its line' || fail "line: $(cat "$T/out")"
same '-B 1 prints one word of the arguments' 'python3 ...' "$(watch -B 1 -k python3 -N 1 syscall::sendto:entry | sed 's/.*[]\/ ]\(python3\)/\1/')"
# dwatch -N ends before the last line of dtrace, which is not an error.
watch -X udp-send -z 'send.py 50' -N 1 >"$T/out"
same 'dwatch -N ends with status 0 after the last line' '0 1' "$? $(wc -l <"$T/out")"
# Process names and arguments are escaped: they cannot break a line,
# or forge the fields that filters read.
printf 'a\nb\033c' >"$T/name"
cat >"$T/named.py" <<'END'
import sys
open('/proc/self/comm', 'wb').write(open(sys.argv[2], 'rb').read())
exec(open(sys.argv[3]).read())
END
python3 "$T/named.py" 5019 "$T/name" "$T/send.py" &
named=$!
(cd "$T" && exec python3 send.py 5021 "$(printf '\001x\nforged')") & # the kernel keeps only a few bytes
forged=$!
trap 'kill $one $two $named $forged 2>/dev/null; live_end' EXIT
same 'a process name with a line break is escaped' "0.- a\\nb\\033c[$named]: 127.0.0.1:5019 -> 127.0.0.1:5016 13 bytes" \
	"$(watch -X udp-send -p $named -N 1 | lines)"
same 'arguments with a line break are escaped' '1 1' \
	"$(watch -p "^$forged\$" -N 1 sendto >"$T/out"; wc -l <"$T/out") $(grep -c '\\001x\\nforged' "$T/out")"
# After Ctrl-C, dwatch has the status of dtrace, printed lines stay, and no file is left behind.
# interrupted LINES ARGUMENTS...: runs dwatch, sends Ctrl-C when dwatch has written LINES lines, and
# returns the status of dwatch
interrupted() {
	local least=$1 sh i
	shift
	: >"$T/out"
	setsid env --default-signal=INT sh scripts/dwatch/dwatch "$@" >"$T/out" 2>"$T/err" &
	sh=$!
	for i in $(seq 600); do
		[ "$(wc -l <"$T/out")" -ge "$least" ] && break
		sleep .1
	done
	kill -INT -- -$sh
	wait $sh
}
interrupted 1 -X udp-send
same 'status 0 after Ctrl-C' 0 $?
[ -s "$T/out" ] && echo 'ok: lines' || fail 'the printed lines are lost after Ctrl-C'
interrupted 1 -X udp-send -z 'send.py 5015'
same 'status 0 after Ctrl-C, with a filter' 0 $?
interrupted 1 -X udp-send -O 'echo "$DETAILS"; sleep .5'
same 'status 0 after Ctrl-C, with a command for each line' 0 $?
grep -v '^INFO ' "$T/err" && fail 'messages of dtrace are printed after Ctrl-C' || echo 'ok: no message'
[ -z "$(ls "${TMPDIR:-/tmp}"/dwatch.* 2>/dev/null)" ] && echo 'ok: nothing left' || fail 'its script is left behind'
# Ctrl-C during the start, before dtrace runs, ends dwatch: here while it composes the command line.
mkdir "$T/bin"
printf '#!/bin/bash\nread -r pid _ _ _ group _ </proc/self/stat\nkill -INT -- -$group\nexec %s "$@"\n' "$(command -v tr)" >"$T/bin/tr"
chmod +x "$T/bin/tr"
: >"$T/out"
PATH=$T/bin:$PATH setsid env --default-signal=INT sh scripts/dwatch/dwatch -T 10s -X udp-send >"$T/out" 2>"$T/err" &
sh=$!
wait $sh
same 'Ctrl-C ends dwatch before dtrace has started' '130 0' "$? $(wc -l <"$T/out")"
[ -z "$(ls "${TMPDIR:-/tmp}"/dwatch.* 2>/dev/null)" ] && echo 'ok: nothing left' || fail 'its script is left behind'
finish
