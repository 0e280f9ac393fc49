#!/bin/bash
# stddev() is the integer part of the exact standard deviation: thousands of sets of numbers, also
# at the limits of 64 bits, compared with Python's integers.
. tests/cli/lib.bash

for seed in {1..40}; do
	python3 tests/cli/aggregations/stddev.py $seed 60 >"$tmp/case"
	sed '/^--$/,$d' "$tmp/case" >"$tmp/run.d"
	sed '1,/^--$/d' "$tmp/case" >"$tmp/rows"
	cat >>"$tmp/run.d" <<'D'
BEGIN
{
	normalize(@a, 5); denormalize(@a); normalize(@b, 7); normalize(@c, -3);
	setopt("aggsortkey");
	printa("%d %@d %@d %@d\n", @a, @b, @c);
	exit(0);
}
D
	succeeds -q -r $pcap -s "$tmp/run.d"
	equal "seed $seed" "$tmp/rows" "$out"
	# files that are merged give the same
	[ $seed -gt 2 ] && continue
	succeeds -q -r $pcap -x aggout="$tmp/all" -s "$tmp/run.d"
	succeeds -q --merge -x oformat=csv "$tmp/all"
	cut -d, -f1-2 "$out" | sed '/^[0-9]/!d;s/,/ /' | sort -n | sort -u >"$tmp/merged"
	cut -d' ' -f1-2 "$tmp/rows" | sort -u >"$tmp/plain"
	[ -z "$(comm -23 "$tmp/plain" <(sort -u "$tmp/merged"))" ] || wrong "merged, seed $seed"
done
finish
