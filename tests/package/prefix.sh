# After cmake --install into a user's directory, dtrace uses all files from there.
. tests/package/lib.bash
what="cmake --install"
cmake --install "$build" --prefix "$tmp/p" >"$out" 2>"$err" || { wrong "cmake --install"; cat "$out" "$err"; }
[ -x "$tmp/p/sbin/dtrace" ] || wrong "there is no sbin/dtrace"
for script in scripts/*.d; do
	checks=$((checks + 1))
	[ -x "$tmp/p/share/dtrace/${script##*/}" ] || wrong "$script is not installed"
done
run -s scripts/tcplife.d -r tests/pcap/connections.pcap
cp "$out" "$tmp/here"
PATH=/nowhere "$tmp/p/share/dtrace/tcplife.d" -r tests/pcap/connections.pcap >"$out" 2>"$err"
cmp "$out" "$tmp/here" || { wrong "an installed script gives another output than here"; cat "$err"; }
[ -s "$out" ] || wrong "the script prints nothing"
"$tmp/p/sbin/dtrace" tcplife -r tests/pcap/connections.pcap >"$out" 2>"$err"
cmp "$out" "$tmp/here" || { wrong "a script that is run by its name gives another output"; cat "$err"; }
checks=$((checks + 2))
# Files that an installed document links to are installed as well.
doc=$tmp/p/share/doc/dtrace-net
for page in "$doc"/*.md "$doc"/docs/*.md; do
	for to in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -v '://'); do
		checks=$((checks + 1))
		[ -e "${page%/*}/$to" ] || wrong "${page#"$doc/"} points to $to, which is not installed"
	done
done
finish
