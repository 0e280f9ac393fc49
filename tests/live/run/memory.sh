# The kernel memory of aggregations is bounded, also with many CPUs. The test forges the list of
# possible CPUs and adds up the maps.
. tests/live/lib.bash
need strace

# bytes OPTIONS...: prints the memory for all keys that fit, with 64 CPUs
echo 0-63 >"$T/possible"
mount --bind "$T/possible" /sys/devices/system/cpu/possible
bytes() {
	strace -v -o "$T/calls" -e trace=bpf "$DTRACE" -e -x verify "$@" \
		-n 'BEGIN { @a[pid] = quantize(1); @b[pid] = count(); @c[pid] = llquantize(1, 10, 0, 6, 20); }' 2>"$T/err" ||
		fail "dtrace: $(cat "$T/err")"
	{
		sed -n 's/.*BPF_MAP_TYPE_PERCPU_HASH, key_size=\([0-9]*\), value_size=\([0-9]*\), max_entries=\([0-9]*\).*/\1 \2 \3/p' "$T/calls"
		# The arena (BPF_MAP_TYPE_ARENA, which old versions of strace do not name) has pages
		# of 4,096 bytes.
		sed -n 's/.*key_size=0, value_size=0, max_entries=\([0-9]*\), .*map_name="tables".*/4096 0 \1/p' "$T/calls"
	} | awk '{ sum += ($1 + 64 * $2) * $3 } END { printf "%d\n", sum }'
}
# within WHAT BYTES LEAST MOST: checks that BYTES is between LEAST and MOST
within() {
	same "$1" "$3 to $4" "$( (($2 >= $3 && $2 <= $4)) && echo "$3 to $4" || echo "$2")"
}
within 'by default' "$(bytes)" 100000000 268435456
within '-x aggsize=8m' "$(bytes -x aggsize=8m)" 6000000 8388608
within '-x aggsize=1g' "$(bytes -x aggsize=1g)" 800000000 1073741824
finish
