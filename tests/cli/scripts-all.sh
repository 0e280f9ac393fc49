# Every script: what all of them must keep to, and have tests of.
. tests/cli/lib.bash
plain

# Continued lines joined, and blanks as one: what is left of a narrow form.
words() {
	awk '{ gsub(/ +/, " "); sub(/ $/, "") } NR == 1 { line = $0; next }
		/^ ((<-|->) )?[0-9a-f]+:[0-9a-f:]+/ { line = line $0; next } { print line; line = $0 } END { print line }' "$1" |
		sed 's/^ //'
}

for script in scripts/*.d; do
	name=$(basename "$script" .d)
	what=$script
	# Whose name it is cannot forge lines.
	! grep -E 'printf|printa' "$script" | grep -qE '%-?[0-9.]*s.*(cs_)?execname' ||
		[ -n "$(grep -E '%-?[0-9.]*S' "$script")" ] || wrong 'shows a name that a process chose by %s'
	# Tests: on a capture, live, with a filter where there are sockets.
	if grep -q -- '-r CAPTURE' "$script"; then
		ls tests/replay/scripts/"$name"*.args >/dev/null 2>&1 || wrong 'has no test on a capture'
	fi
	grep -qrw -- "$name" tests/live/*.sh || wrong 'has no live test'
	case $name in
	tcp* | udp* | ip* | dns* | gethost* | conn*)
		run -r tests/pcap/sessions.pcap -x port=1 -x addr=203.0.113.200 -s "$script"
		if [ "$status" = 0 ]; then
			! grep -qE '192\.0\.2\.|198\.51\.100\.' "$out" || wrong 'a filter leaves in what it should not'
		fi
		;;
	esac
	# A word that it does not take is told how it is used, and nothing else is; a picture (>FILE) has no words.
	grep -qE '^ \* usage: .*\[(wide|SECONDS|HOW-MANY|MS)[^>]*$' "$script" || continue
	capture=$(grep -qE '^ \* usage: .*-r CAPTURE' "$script" && echo tests/pcap/sessions.pcap)
	run ${capture:+-r "$capture"} -s "$script" narrow
	[ "$status" = 1 ] || wrong "takes any word"
	out_has "^usage: $name\.d "
	[ "$(grep -c . "$out")" = 1 ] || wrong 'says more than its usage'
	# The wide form: addresses in line.
	grep -qE '^ \* usage: .*wide.*-r CAPTURE' "$script" || continue
	run -r tests/pcap/wide.pcap -s "$script" wide
	status 0
	! grep -qE '^ *((<-|->) )?[0-9a-f]+:[0-9a-f:]+ *[0-9]*$' "$out" || wrong "an address has a line of its own: $name wide"
	case $name in tcplife | tcpstates | tcpretrans) continue ;; esac # they have more columns
	words "$out" >"$tmp/wide"
	run -r tests/pcap/wide.pcap -s "$script"
	words "$out" >"$tmp/narrow"
	cmp -s "$tmp/wide" "$tmp/narrow" || wrong "$name wide says other things: $(diff "$tmp/narrow" "$tmp/wide" | head -4)"
done
finish
