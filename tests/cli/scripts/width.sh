# Output of shipped scripts fits in 80 columns, for all addresses.
. tests/cli/lib.bash
plain

for script in scripts/*.d; do
	case $script in
	*flame.d) continue ;;     # prints a picture
	*/connaudit.d) continue ;; # prints one line per event for other programs
	esac
	! grep -q '^ \* .*Live only\.$' "$script" || continue # tests/live/scripts/hosts.sh tests these
	for capture in wide sessions addresses demo; do
		run -r "tests/pcap/$capture.pcap" -s "$script"
		# The formats of these scripts are the same as those of scripts that this test runs.
		if grep -qE '^tcp:::(drop|existing)|^syscall:|^#pragma D option live' "$script"; then
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
