# Output of the shipped scripts fits 80 columns, whatever the addresses are.
. tests/cli/lib.bash
plain

for script in scripts/*.d; do
	case $script in *flame.d) continue ;; esac # pictures
	! grep -q '^ \* .*Live only\.$' "$script" || continue # tests/live/scripts/hosts.sh looks at these
	for capture in wide sessions addresses demo; do
		run -r "tests/pcap/$capture.pcap" -s "$script"
		case $script in
		*/connaudit.d) continue ;; # a line is one line, for other programs
		esac
		# Their formats are those of the others.
		if grep -qE '^tcp:::(drop|existing)|^udp:::drop|^syscall:|^#pragma D option live' "$script"; then
			status 1
			continue
		fi
		status 0
		what="$script -r $capture.pcap"
		long=$(awk 'length > 80' "$out")
		[ -z "$long" ] || wrong "longer than 80 columns: $long"
		[ -s "$out" ] || wrong "prints nothing"
	done
done
finish
