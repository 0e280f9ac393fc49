# Text that the program did not write itself shows its controls as escapes, in every form and by every action;
# the program's own text stays as it is.
. tests/cli/lib.bash

# $1 matches bytes that no terminal should get: control characters except line breaks, and C1 in
# UTF-8.
no_controls() {
	checks=$((checks + 1))
	if LC_ALL=C grep -aqP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80\x81]' "$1"; then
		wrong "controls in the output"
		LC_ALL=C grep -anP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80\x81]' "$1" | cat -v | head -n 3
	fi
}

# A joined string is data to the consumer, like a name that a process chose.
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

# Characters that turn the direction of a line or are not seen at all, and a byte that is no UTF-8.
hidden='this->s = strjoin("a\330\234\342\200\217\342\201\246\357\277\271\363\240\200\201\233b", lltostr(7));'
for form in text json csv prometheus html folded; do
	succeeds -qr $pcap -x oformat=$form -n "BEGIN { $hidden @[this->s] = count(); }"
	no_controls "$out"
done
succeeds -qr $pcap -n "BEGIN { $hidden printf(\"%s\\n\", this->s); }"
out_has 'a\\xd8\\x9c\\xe2\\x80\\x8f\\xe2\\x81\\xa6\\xef\\xbf\\xb9\\xf3\\xa0\\x80\\x81\\x9bb7'

# The program's own.
succeeds -qr $pcap -n 'BEGIN { printf("\033[1m%s%c\n", "x\t", 7); trace("y\t\n"); printf("%s", probename == "BEGIN" ? "\033[0m\n" : ""); exit(0); }'
out $'\033[1mx\t\007\ny\t\n\033[0m\n'

# Forms: each its own way, and each once.
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

# A cell of text that a spreadsheet would calculate is marked as text; numbers stay numbers.
succeeds -qr $pcap -x oformat=csv -n 'BEGIN { @[strjoin("=cmd|", "x"), strjoin("-", "5"), strjoin("+", "1x"), strjoin("@", "S"), -3] = sum(-4); }'
out_has "^'=cmd|x,-5,'+1x,'@S,-3,-4\$"

# A command of system() gets what the program said.
succeeds -wqr $pcap -n 'BEGIN { system("printf %%s \"%s\" | od -An -tx1", strjoin("\033", "A")); exit(0); }'
out ' 1b 41
'

# Files of aggregations: of a process's names a file may say anything.
succeeds -qr $pcap -x aggout="$tmp/a.agg" -n "BEGIN { $evil @[this->s] = count(); }"
succeeds --merge -x oformat=csv "$tmp/a.agg"
no_controls "$out"
cp "$tmp/a.agg" "$tmp/b.agg"
succeeds --diff "$tmp/a.agg" "$tmp/b.agg"
no_controls "$out"
finish
