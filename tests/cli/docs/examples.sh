# Every example of the README, the tutorial, the cookbook and the page on trust prints the output
# that its page shows. UPDATE=1 writes the current output into the pages.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip "there is no python3"
mkdir "$tmp/bin"
ln -s "$(realpath "$DTRACE")" "$tmp/bin/dtrace"
cp tests/pcap/*.pcap* "$tmp/"
top=$PWD
for document in README docs/tutorial docs/cookbook docs/trust; do
	(cd "$tmp" && PATH=$tmp/bin:$PATH python3 "$top/tests/cli/docs/examples.py" "$top/$document.md") || bad=1
	# The package contains each capture that an example reads.
	what=$document.md
	for capture in $(grep -oE '^\$ dtrace .*-r [a-z0-9]+\.pcap' "$document.md" | grep -oE '[a-z0-9]+\.pcap' | sort -u); do
		checks=$((checks + 1))
		grep -q "tests/pcap/$capture" tools/packaging/install.cmake || wrong "$capture is not installed"
	done
done
# One-liners for a live machine also compile for a capture, including those in tables.
sed 's/\\|/|/g' README.md docs/tutorial.md docs/cookbook.md docs/trust.md >"$tmp/all"
grep -oE '`dtrace -q?n '"'[^']*'"'`' "$tmp/all" | tr -d '`' | sort -u >"$tmp/lines"
[ "$(wc -l <"$tmp/lines")" -ge 2 ] || wrong 'one-liners were not found'
grep -oE '`(tcp|udp|ip):::[^`]*`' "$tmp/all" | grep '{' | sed "s/^\`/dtrace -n '/; s/\`\$/'/" >>"$tmp/lines"
while read -r line; do
	case $line in *existing* | *drop*) continue ;; esac
	eval "run -r $pcap -e ${line#dtrace }"
	status 0
done <"$tmp/lines"
finish
