# The columns of tcpwhy add up to TOTAL even if two CPUs count the same wait, or no CPU counts it.
. tests/cli/lib.bash

# sums CLAUSE: prints the rows whose parts differ from TOTAL by more than their rounding, and the
# number of all rows
sums() {
	run -qr tests/pcap/sessions.pcap -s scripts/tcpwhy.d -n "$1" wide
	status 0
	err 'dtrace: skipped: not available in a capture: tcp:::drop'
	awk 'NR > 1 && NF == 13 { rows++; d = $7 - ($8 + $9 + $10 + $11 + $12 + $13); bad += d > 6 || d < -6 }
		END { print bad + 0, rows + 0 }' "$out"
}

sums 'BEGIN { }' >"$tmp/as-it-is"
read -r bad rows <"$tmp/as-it-is"
[ "$bad" = 0 ] && [ "${rows:-0}" -gt 5 ] || wrong "$bad of $rows rows do not add up"

# Each clause falsifies the time of one column, by up to 700 ms. The columns must still add up.
for clause in 'again[args[1]->cs_cid] += 700000000;' 'here[args[1]->cs_cid] += 700000000;' \
	'network[args[1]->cs_cid] = begun[args[1]->cs_cid] != 0 ? 7000000 : 0; connect[args[1]->cs_cid] = 0;'; do
	sums "tcp:::connect-established, tcp:::accept-established { $clause }" >"$tmp/tampered"
	equal "$clause" "$tmp/as-it-is" "$tmp/tampered"
done
finish
