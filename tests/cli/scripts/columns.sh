# Every shipped script that prints from a capture has named CSV columns: no value3, no key2, no
# duplicates, no blank cells.
. tests/cli/lib.bash

# Runs the script $1 with arguments and checks its headings and cells.
columns_of() {
	local script=$1
	shift
	timeout 120 "${DTRACE_PLAIN:-$DTRACE}" -q -x oformat=csv -s "$script" "$@" >"$tmp/csv" 2>"$tmp/err" </dev/null
	checks=$((checks + 1))
	grep -nE '(^|,)(value|key)[0-9]+(_[0-9]+)?(,|$)' "$tmp/csv" >"$tmp/unnamed" &&
		wrong "$script $*: columns without a name: $(head -n 2 "$tmp/unnamed")"
	grep -nE '(^|,)@?[a-zA-Z][a-zA-Z_]*_[2-9](,|$)' "$tmp/csv" >"$tmp/twice" &&
		wrong "$script $*: two columns of one name: $(head -n 2 "$tmp/twice")"
	grep -nE '(^|,)("([[:space:]]|\\n)*"|([[:space:]]|\\n)+)(,|$)' "$tmp/csv" >"$tmp/blank" &&
		wrong "$script $*: cells of blanks: $(head -n 2 "$tmp/blank")"
	[ ! -s "$tmp/csv" ] || printed=$((printed + 1))
}

what="columns of scripts"
printed=0
for script in scripts/*.d; do
	for capture in connections udp dns; do
		columns_of "$script" -r tests/pcap/$capture.pcap
		! grep -q 'usage:.*wide' "$script" || columns_of "$script" wide -r tests/pcap/$capture.pcap
	done
done
# Most packet scripts print something for these captures.
[ "$printed" -ge 40 ] || wrong "only $printed runs printed a table"
finish
