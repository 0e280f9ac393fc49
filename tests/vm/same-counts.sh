# The same traffic gives the same events with the same fields on every kernel, whichever hooks the
# kernel has. Tests Debian's kernels and the running kernel. UPDATE=1 writes this kernel's output to
# same-counts.out; read the file before you commit it.
. "$(dirname "$0")/lib.bash"

cc -std=gnu11 -O2 -Wall -Wextra -Werror -o "$T/traffic" "$VM/traffic.c" || skip "cannot compile traffic.c"

if timeout 20 "$DTRACE" -qn 'BEGIN { exit(0); }' 2>"$T/why"; then
	timeout 120 "$VM/counts" "$VM/counts.d" "$T/traffic" >"$T/here" 2>&1 ||
		fail "here: $(tail -n 5 "$T/here")"
	[ -z "${UPDATE:-}" ] || cp "$T/here" "$VM/same-counts.out"
	same_files "this kernel, $(uname -r)" "$VM/same-counts.out" "$T/here"
else
	echo "not compared with this kernel: $(cat "$T/why")"
fi

under_all counts "$VM/counts" "$VM/counts.d" "$T/traffic"
for deb in $kernels; do
	same_files "$(release "$deb")" "$VM/same-counts.out" "$T/counts.$(release "$deb")"
done
finish
