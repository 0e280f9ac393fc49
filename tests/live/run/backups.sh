# If an interrupt can fire a program's probe while the program runs, the program has a backup.
# dtrace tells the backup where the kernel counts that the program runs. On a kernel whose counters
# dtrace does not know, this test fails, so that somebody notices.
. "$(dirname "$0")/../lib.bash"
need strace

# told PROBE: prints how often dtrace stores addresses of counters
told() {
	strace -qq -f -o "$T/strace" -e trace=bpf "$PLAIN" -qn "$1 { @ = count(); } BEGIN { exit(0); }" >"$T/out" 2>&1 ||
		fail "$1: $(cat "$T/out")"
	grep -c 'BPF_MAP_UPDATE_ELEM.* = 0$' "$T/strace"
}
same 'a program with a backup' 1 "$(told tcp:::state-change)"
same 'a program without a backup' 0 "$(told rawtp:::sys_enter)"
finish
