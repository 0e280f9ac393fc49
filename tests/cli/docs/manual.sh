# The manual of the command names every option. The manual of the language names every word of the
# language.
. tests/cli/lib.bash
named() { # named PAGE WORD...: the page names each word, without its roff markup
	what=$1 page=$1
	shift
	sed 's/\\f[A-Z]//g; s/\\-/-/g' "$page" >"$tmp/page"
	for word; do
		checks=$((checks + 1))
		grep -qE -- "(^|[^a-zA-Z0-9_-])$word([^a-zA-Z0-9_]|\$)" "$tmp/page" || wrong "does not name $word"
	done
}
run --complete options
status 0
# shellcheck disable=SC2046
named docs/dtrace.8 $(sed 's/=.*//' "$out" | sort -u)
run --help
# shellcheck disable=SC2046
named docs/dtrace.8 $(sed -n 's/^\t\(-[a-zA-Z]\)  .*/\1/p' "$out") --help --version --scripts --check --test --merge --diff DTRACE_OPT_ CAP_BPF
# The usage names the long options. Each page turns off hyphenation and adjusts lines only on the
# left.
for option in --check --diff --libxo --merge --scripts --test; do
	out_has "^	$option "
done
for page in docs/*.[1-8]; do
	what=$page checks=$((checks + 1))
	# groff 1.23 adjusts as the string AD says, at each paragraph.
	[ "$(sed -n '2,4p' "$page" | tr '\n' ' ')" = '.nh .ad l .ds AD l ' ] || wrong 'hyphenates, or fills lines on both sides'
done
for page in docs/*.8; do # each page is named in the command's own manual
	what=docs/dtrace.8
	page=${page##*/} checks=$((checks + 1))
	[ "$page" = dtrace.8 ] || grep -qF ".BR ${page%.8} (8)" <(sed 's/\\-/-/g' docs/dtrace.8) || wrong "SEE ALSO lacks $page"
done
for provider in providers/*/*.d; do
	provider=${provider%/*} provider=${provider##*/} checks=$((checks + 1))
	grep -qF ".BR dtrace\\-$provider (4)" docs/dtrace.8 || wrong "SEE ALSO lacks dtrace-$provider"
done
# At 80 columns no line of a page is too long, and no name is broken at its hyphen.
pages=$(dirname "${DTRACE_PLAIN:-$DTRACE}")/pages
if command -v man >/dev/null; then
	for page in docs/*.[1-8] $(ls "$pages"/*.[1-8] 2>/dev/null); do
		what=$page checks=$((checks + 1))
		MANWIDTH=80 LC_ALL=C man -l "$page" >"$tmp/shown" 2>"$tmp/troubles" || wrong 'man does not show it'
		[ -s "$tmp/shown" ] && [ ! -s "$tmp/troubles" ] || wrong "man says: $(cat "$tmp/troubles")"
		! grep -E '^.{81}' "$tmp/shown" || wrong 'lines of more than 80 columns'
		! grep -E '[a-z]-$' "$tmp/shown" || wrong 'a name is cut at its hyphen'
	done
fi
run --complete words
# Constants are not words of the language.
# shellcheck disable=SC2046
named docs/d.7 $(grep -v '[A-Z]' "$out" | grep -vE '^(protocols|tcp_state_string|tcpflag_string|tcpdebug_dir_string|prureq_string)$')
# The examples of the pages are valid D.
awk '/^\.SH EXAMPLES/ { on = 1 } on && /^\.fi/ { print "" > f; copy = 0 } copy { gsub(/\\-/, "-"); print > f }
	on && /^\.nf/ { copy = 1; f = dir "/example" ++n ".d" }' dir="$tmp" docs/d.7
[ "$(echo "$tmp"/example*.d | wc -w)" = 2 ] || wrong 'examples of docs/d.7 were not found'
for example in "$tmp"/example*.d; do
	run -r $pcap -es "$example"
	status 0
done
sed 's/\\-/-/g' docs/dtrace-hooks.4 docs/dtrace.8 | grep "^dtrace -n '" >"$tmp/lines"
[ "$(wc -l <"$tmp/lines")" -ge 4 ] || wrong 'one-liners were not found'
while read -r line; do
	line=${line#dtrace } line=${line/capture.pcap/$pcap}
	case $line in *rawtp* | *profile*) [ -r /sys/kernel/btf/vmlinux ] || continue ;; *-r*) ;; *) line="-r $pcap $line" ;; esac
	eval "run -e $line"
	status 0
done <"$tmp/lines"
run --complete no-such-kind
status 2
finish
