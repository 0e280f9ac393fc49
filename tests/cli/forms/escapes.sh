# Control characters in text from outside the program are printed as escapes, in every form and by
# every action. Text of the program itself is printed unchanged.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip 'no python3'

# Fails if $1 contains bytes that can harm a terminal: control characters except line breaks; C1
# controls in UTF-8 or as single bytes; other invalid UTF-8; invisible characters, and characters
# that change the direction of a line.
CONTROLS='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80\x81]'
no_controls() {
	checks=$((checks + 1))
	if LC_ALL=C grep -aqP "$CONTROLS" "$1"; then
		wrong "controls in the output"
		LC_ALL=C grep -anP "$CONTROLS" "$1" | cat -v | head -n 3
	elif ! iconv -f UTF-8 -t UTF-8 "$1" >"$tmp/utf8" 2>&1; then
		wrong "bytes in the output that are no UTF-8"
		tail -n 1 "$tmp/utf8" | cat -v
	fi
}

# For dtrace's output, a joined string is data, like a name that a process chose.
evil='this->s = strjoin("a\033[2J\nb\r\302\233c\342\200\256", lltostr(7));'
want='a\x1b[2J\nb\r\xc2\x9bc\xe2\x80\xae7'
short='this->s = strjoin("a\nb\t", lltostr(7));'

succeeds -qr $pcap -n "BEGIN { $evil printf(\"<%s>\n<%.3s>\n<%-8s>\n\", this->s, this->s, strjoin(\"\t\", \"x\")); }"
out "<$want>
<a\\x>
<\tx     >
"
succeeds -qr $pcap -n "BEGIN { i = 27; printf(\"%c%c[\n\", i, i - 26); }"
out '\x1b\x01[
'
succeeds -qr $pcap -n "BEGIN { $short trace(this->s); trace(\"\n\"); @[this->s] = count(); }"
out 'a\nb\t7

  a\nb\t7                                                           1'
succeeds -qr $pcap -n "BEGIN { $evil trace(this->s); @[this->s] = count(); printa(\"%s %@d\n\", @); printa(@); exit(0); }"
no_controls "$out"
out_has '1b 5b 32 4a'
succeeds -qr $pcap -x aggpack -n "BEGIN { $short @[this->s] = quantize(1); }"
out_has 'a\\nb\\t7'
succeeds -qr $pcap -n 'struct s { string n; }; struct s v; BEGIN { v.n = strjoin("a\nb\033", lltostr(7)); print(v); print(v.n); }'
no_controls "$out"
out_has 'a\\nb\\x1b7'

# Invisible characters, characters that change the direction of a line, and an invalid UTF-8 byte.
hidden='this->s = strjoin("a\330\234\342\200\217\342\201\246\357\277\271\363\240\200\201\233b", lltostr(7));'
for form in text json csv prometheus html folded; do
	succeeds -qr $pcap -x oformat=$form -n "BEGIN { $hidden @[this->s] = count(); }"
	no_controls "$out"
done
succeeds -qr $pcap -n "BEGIN { $hidden printf(\"%s\\n\", this->s); }"
out_has 'a\\xd8\\x9c\\xe2\\x80\\x8f\\xe2\\x81\\xa6\\xef\\xbf\\xb9\\xf3\\xa0\\x80\\x81\\x9bb7'

# All of these, and characters of markup and quoting, in each form: as a key, as a label and in
# records.
every='s = strjoin("a\033[2J\007\233b\r\n\342\201\246\342\201\251\342\200\216\342\200\217\"\047<b>&amp;{x=\"1\"}\\`]]>", lltostr(7));'
for form in text json csv prometheus libxo-json xml html folded flame heat heat-svg hist-svg time-svg; do
	for body in '@[s] = count(); @two[s, s] = sum(3);' \
		'@[s] = quantize(5); @l[1, s] = lquantize(3, 0, 10, 1);' \
		'trace(s); printf("%s|%S|%-30s\n", s, s, s); @[s] = count(); printa("%s %@d\n", @); printa(@);'; do
		what="-x oformat=$form: $body"
		timeout 60 "$DTRACE" -qr tests/pcap/seconds.pcap -x oformat=$form -n "BEGIN, tick-1s { $every $body }" >"$out" 2>"$err"
		status=$?
		status 0
		no_controls "$out"
		no_controls "$err"
		case $form in
		flame | *-svg) [ ! -s "$out" ] || python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out" || wrong 'no XML' ;;
		html) ! grep -q '<b>' "$out" || wrong 'the HTML contains markup of the hostile text' ;;
		json) python3 -c 'import json, sys; [json.loads(l) for l in open(sys.argv[1]) if l.strip()]' "$out" || wrong 'the output is not valid JSON' ;;
		prometheus) ! grep -Ev '^#|^$|^[a-zA-Z_:]+(\{([a-z0-9_]+="([^"\\]|\\\\|\\"|\\n)*",?)+\})? [-+0-9.eInf]+$' "$out" || wrong 'the output has a line that is no Prometheus sample' ;;
		esac
	done
done
# The name of an interface in a pcapng file can contain such characters, too.
python3 - "$tmp/names.pcapng" <<'PY'
import struct, sys
block = lambda kind, body: struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)
name = b"e\x1b[2J\x07\x9bb\r\n\xe2\x81\xa6\"<b>&"
option = lambda code, v: struct.pack("<HH", code, len(v)) + v + bytes(-len(v) % 4)
ip = bytes.fromhex("45000014000000004001b7d3c0000201c0000202")
b = block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
b += block(1, struct.pack("<HHI", 101, 0, 0) + option(2, name) + option(0, b""))
b += block(6, struct.pack("<IIIII", 0, 0, 0, len(ip), len(ip)) + ip)
open(sys.argv[1], "wb").write(b)
PY
for form in text json csv prometheus xml html folded flame; do
	run -qr "$tmp/names.pcapng" -x oformat=$form -n 'ip:::send { @[args[3]->if_name] = count(); trace(args[3]->if_name); printf("%s\n", args[3]->if_name); }'
	status 0
	no_controls "$out"
	no_controls "$err"
	[ -s "$out" ] || wrong 'the output is empty'
	case $form in text | csv | prometheus | folded | flame) out_has '[eE].{1,2}x1b\[2J' ;; esac
done

# The screen of -x view=top has escape sequences of its own, but none of those in the key.
cat >"$tmp/top.py" <<'PY'
import fcntl, os, pty, select, struct, sys, termios, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
seen, until = b"", time.time() + 60
while time.time() < until and b"marker" not in seen:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            seen += os.read(fd, 65536)
        except OSError:
            break
os.write(fd, b"q")
while time.time() < until and os.waitpid(pid, os.WNOHANG) == (0, 0):
    if select.select([fd], [], [], 0.1)[0]:
        try:
            seen += os.read(fd, 65536)
        except OSError:
            time.sleep(0.1)
text = seen.decode("utf-8", "backslashreplace")
assert "marker" in text and "\\x1b]0;" in text, "the key is not shown: " + repr(text[-500:])
for bad in "\x1b]0", "\x07", "\x9b", "\\x9bb\x9b", "\u2066", "\u200f":
    assert bad not in text, repr(bad)
assert b"\x9b" not in seen.replace("\u009b".encode(), b""), "a raw C1"
PY
what='-x view=top'
checks=$((checks + 1))
timeout 100 python3 "$tmp/top.py" "$DTRACE" -qr tests/pcap/seconds.pcap -x view=top \
	-n 'BEGIN, tick-1s { @[strjoin("a\033]0;\007\233b\342\201\246\342\200\217", "marker")] = count(); }' >"$tmp/top" 2>&1 ||
	wrong "$(tail -n 1 "$tmp/top")"

# Messages show escapes, too: for names in a program and in options, and for names of files that
# another user may have made.
run -n $'e\033[2J\233:::x'
no_controls "$err"
err_has '^dtrace: invalid probe specifier e.x1b'
run -qr $pcap -n $'ip\033[2J\233:::send'
no_controls "$err"
run -r $'nowhere\033[2J\233.pcap' -n BEGIN
no_controls "$err"
err_has 'nowhere.x1b\[2J.x9b\.pcap: No such file'
run -lr $pcap -n $'ip\033[2J\233*:::'
no_controls "$err"
no_controls "$out"
mkdir "$tmp/folder"
for f in a b c; do
	"$DTRACE" -qr $pcap -x aggout="$tmp/one" -x aggoutonly -n 'BEGIN { @n = count(); }'
	cp "$tmp/one" "$tmp/folder/$f"$'\033[2J\n\233forged'
done
for how in '' '-x follow -x duration=1s'; do
	# shellcheck disable=SC2086
	run --merge $how "$tmp/folder"
	status 0
	no_controls "$err"
	err_has '/a.x1b\[2J.n.x9bforged and .*same run'
done
echo none >"$tmp/folder/d"$'\033[2J\n\233forged'
fails '/d.x1b\[2J.n.x9bforged is not an aggregation file' --merge "$tmp/folder"
no_controls "$err"

# The program's own text is printed unchanged.
succeeds -qr $pcap -n 'BEGIN { printf("\033[1m%s%c\n", "x\t", 7); trace("y\t\n"); printf("%s", probename == "BEGIN" ? "\033[0m\n" : ""); exit(0); }'
out $'\033[1mx\t\007\ny\t\n\033[0m\n'

# Each form has its own way of escaping, and escapes a text only once.
all="BEGIN { $evil printf(\"%s|\", this->s); trace(this->s); @[this->s, 1] = count(); printa(\"%s %d %@d\n\", @); }"
for form in json csv prometheus libxo-json xml html folded; do
	succeeds -qr $pcap -x oformat=$form -n "$all"
	no_controls "$out"
done
succeeds -qr $pcap -x oformat=json -n "$all"
out_has '"message":"a\\u001b\[2J\\nb\\r\\u009bc\\u202e7|"'
succeeds -qr $pcap -x oformat=csv -n "$all"
out_has '^a\\x1b\[2J\\nb\\r\\xc2\\x9bc\\xe2\\x80\\xae7,1,1$'
succeeds -qr $pcap -x oformat=prometheus -n "$all"
out_has '{s="a\\\\x1b\[2J\\nb\\\\r\\\\xc2\\\\x9bc\\\\xe2\\\\x80\\\\xae7",key2="1"} 1'

# A text cell that a spreadsheet would evaluate is marked as text. Numbers stay numbers.
succeeds -qr $pcap -x oformat=csv -n 'BEGIN { @[strjoin("=cmd|", "x"), strjoin("-", "5"), strjoin("+", "1x"), strjoin("@", "S"), -3] = sum(-4); }'
out_has "^'=cmd|x,-5,'+1x,'@S,-3,-4\$"

# A command of system() receives the exact text of the program.
succeeds -wqr $pcap -x confine=off -n 'BEGIN { system("printf %%s \"%s\" | od -An -tx1", strjoin("\033", "A")); exit(0); }'
out ' 1b 41
'

# Names in an aggregation file are untrusted, so --merge and --diff print escapes.
succeeds -qr $pcap -x aggout="$tmp/a.agg" -n "BEGIN { $evil @[this->s] = count(); }"
succeeds --merge -x oformat=csv "$tmp/a.agg"
no_controls "$out"
cp "$tmp/a.agg" "$tmp/b.agg"
succeeds --diff "$tmp/a.agg" "$tmp/b.agg"
no_controls "$out"
finish
