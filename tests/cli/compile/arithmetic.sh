# Operators on integers, for each pair of types: printed, traced, as an aggregated value, and converted.
. tests/cli/lib.bash

types='int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t'
for left in $types; do
	for right in $types; do
		python3 tests/cli/compile/arithmetic.py $left $right "$tmp/a.d" "$tmp/expected.txt"
		for way in '' '-x nojit' '-x checked' live; do
			[ -z "$way" ] || [ $left = int8_t ] || [ $left = uint32_t ] || continue
			[ "$way" != live ] || [ "$(id -u)" = 0 ] || continue
			if [ "$way" = live ]; then from=; else from="-r $pcap $way"; fi
			# shellcheck disable=SC2086
			succeeds -q -x aggsize=64m $from -s "$tmp/a.d"
			grep . "$out" >"$tmp/shown.txt"
			equal "$left $right $way" "$tmp/expected.txt" "$tmp/shown.txt"
		done
	done
done
finish
