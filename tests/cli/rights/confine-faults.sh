# If a system call that confinement needs fails or does nothing, dtrace parses nothing with
# privileges.
. tests/cli/lib.bash
[ "$(id -u)" = 0 ] || skip 'root has the rights that are given up'
for c in strace python3; do command -v $c >/dev/null || skip "no $c command here"; done
grep -q __asan_init "$DTRACE" && DTRACE=${DTRACE_PLAIN:-}
[ -x "$DTRACE" ] || skip 'only the build with sanitizers is here ($DTRACE_PLAIN names the other)'
strace -o /dev/null true 2>/dev/null || skip 'strace may not trace here'
exec python3 tests/cli/rights/confine-faults.py "$DTRACE" tests/pcap/cooked.pcap
