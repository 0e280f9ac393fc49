# Every shipped script follows the common rules and has tests.
. tests/cli/lib.bash
plain

# Joins continued lines and blanks, to undo the layout of the narrow form.
words() {
	awk '{ gsub(/ +/, " "); sub(/ $/, "") } NR == 1 { line = $0; next }
		/^ ((<-|->) )?[0-9a-f]+:[0-9a-f:]+/ { line = line $0; next } { print line; line = $0 } END { print line }' "$1" |
		sed 's/^ //'
}

# Prints a file without the intervals that have no packets. Such an interval has only a time, a
# heading and zeros.
rows() {
	grep -vE '^[0-9]{4} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}$|^([0-9:]{8})?[ 0]*$|^[A-Z ]*$' "$1"
}

for script in scripts/*.d; do
	name=$(basename "$script" .d)
	what=$script
	# A process's name cannot forge lines.
	! grep -E 'printf|printa' "$script" | grep -qE '%-?[0-9.]*s.*(cs_)?execname' ||
		[ -n "$(grep -E '%-?[0-9.]*S' "$script")" ] || wrong 'prints a name that a process chose with %s, not with %S'
	# Each script has a live test, and a test on a capture if its usage names a capture.
	if grep -q -- '-r CAPTURE' "$script"; then
		ls tests/replay/scripts/*/"$name"*.args >/dev/null 2>&1 || wrong 'has no test on a capture'
	fi
	grep -qrw -- "$name" tests/live/*/*.sh || wrong 'has no live test'
	# With a filter that passes all packets the output is the same. With a filter that passes no
	# packet the output has no packet.
	capture=$(sed -n 's/.*-r \(tests[^ ]*pcap\) .*/\1/p' tests/replay/scripts/*/"$name".args 2>/dev/null)
	if [ -n "$capture" ]; then
		run -r "$capture" -s "$script"
		cp "$out" "$tmp/all"
		run -r "$capture" -x addr=0.0.0.0/0,::/0 -x port='!1' -s "$script"
		status 0
		equal 'a filter leaves out what it should not' "$tmp/all" "$out"
		run -r tests/pcap/empty.pcap -s "$script"
		cp "$out" "$tmp/none"
		run -r "$capture" -x port=1 -x addr=203.0.113.200 -s "$script"
		status 0
		rows "$tmp/none" >"$tmp/no-rows"
		rows "$out" >"$tmp/rows"
		cmp -s "$tmp/rows" "$tmp/no-rows" || wrong "the filter does not exclude some rows: $(diff "$tmp/no-rows" "$tmp/rows" | head -3)"
		! cmp -s "$tmp/all" "$tmp/none" || wrong 'no output is shown without a filter'
	fi
	# The usage text begins with the command that runs the script.
	usage=$(sed -n 's/^ \* \(usage: .*\)/\1/p' "$script")
	[[ "$usage " == "usage: dtrace $name "* ]] || wrong 'does not say how it is used'
	# A wrong word prints the usage and nothing else. A script that makes a picture (>FILE)
	# takes no words.
	case $usage in *'>FILE'*) continue ;; *'[SECONDS'* | *'[wide'* | *'[HOW-MANY'* | *'[MS]'*) ;; *) continue ;; esac
	capture=$([[ "$usage" == *'-r CAPTURE'* ]] && echo tests/pcap/sessions.pcap)
	target=$([[ "$usage" == *'-p PID'* ]] && echo $$)
	for word in narrow 1s -- ; do
		[ "$word" != -- ] || word='wide wide wide wide narrow' # one word too many, or an unknown word
		[[ "$word" != wide* || "$usage" == *wide* ]] || continue
		# shellcheck disable=SC2086
		run ${capture:+-r "$capture"} ${target:+-p "$target"} -s "$script" $word
		[ "$status" = 1 ] || wrong "takes any word: $word"
		grep -qF "$usage" "$out" "$err" || wrong "$word: does not say how it is used"
		# A script may have probes that captures lack.
		[ "$(cat "$out" "$err" | grep -v '^dtrace: skipped: not available in a capture: ' | grep -c .)" = 1 ] ||
			wrong 'prints more than its usage'
	done
	# With SECONDS and TIMES, a script prints TIMES lines, or TIMES blocks that begin with their
	# time.
	if [[ -n "$capture" && "$usage" == *'[SECONDS'* ]]; then
		many=$([[ "$usage" == *'[HOW-MANY'* ]] && echo 100)
		counts='1 2' capture=demo
		case $name in tcprwnd) counts=1 capture=sessions ;; tcpscan) counts=1 capture=scan ;; esac
		blocks='^[0-9]{4} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}$'
		case $name in *stat) blocks='^[0-9:]{8} +[0-9 ]*$' ;; esac
		for times in $counts; do
			run -r tests/pcap/$capture.pcap -s "$script" $many 1 $times
			status 0
			[ "$(grep -cE "$blocks" "$out")" = $times ] || wrong "$times times is $(grep -cE "$blocks" "$out")"
		done
	fi
	# The wide form puts addresses on the line.
	grep -qE '^ \* usage: .*wide.*-r CAPTURE' "$script" || continue
	run -r tests/pcap/wide.pcap -s "$script" wide
	status 0
	! grep -qE '^ *((<-|->) )?[0-9a-f]+:[0-9a-f:]+ *[0-9]*$' "$out" || wrong "an address has a line of its own: $name wide"
	case $name in tcplife | tcpstates | tcpretrans | tcpwhy) continue ;; esac # have more columns
	words "$out" >"$tmp/wide"
	run -r tests/pcap/wide.pcap -s "$script"
	words "$out" >"$tmp/narrow"
	cmp -s "$tmp/wide" "$tmp/narrow" || wrong "$name wide has other values: $(diff "$tmp/narrow" "$tmp/wide" | head -4)"
done
finish
