# A starting dtrace makes only the system calls that its program needs, and keeps little memory.
. tests/live/lib.bash
need strace
# Sanitizers load libraries and make calls of their own.
grep -q __asan_init "$DTRACE" && DTRACE=${DTRACE_PLAIN:-}
[ -x "$DTRACE" ] || skip 'only the build with sanitizers is here ($DTRACE_PLAIN names the other)'

# calls PROGRAM: writes the system calls of a whole run to $T/calls
calls() {
	strace -f -qq -o "$T/calls" "$DTRACE" -qn "$1" >"$T/out" 2>"$T/err" || fail "dtrace: $(cat "$T/err")"
}
# opened RE: prints the number of calls that opened a file whose path matches
opened() {
	sed -n 's/.*open\(at\)\{0,1\}(.*"\([^"]*\)".*/\2/p' "$T/calls" | grep -Ec "$1"
}
calls 'BEGIN { exit(0); }'
n=$(wc -l <"$T/calls")
same 'a run makes at most 100 system calls' yes "$([ "$n" -le 100 ] && echo yes || echo "$n")"
same 'no memory limit is looked up' 0 "$(opened 'cgroup')"
same 'dtrace loads no library but the C library' 1 "$(opened '\.so\.[0-9]')"
calls 'BEGIN { @ = count(); exit(0); }'
same 'no memory limit is looked up for an aggregation without keys' 0 "$(opened 'cgroup')"
calls 'BEGIN { @[pid] = count(); exit(0); }'
same 'the memory limit is looked up for keys' 1 "$(opened '^/proc/self/cgroup$')"

# dtrace uses 1.2 MiB of private memory once the probes are enabled. The whole library would take 4 MiB
# more.
dt_start run -n 'tcp:::send { @[args[2]->ip_saddr] = count(); }'
kib=$(sed -n 's/^RssAnon:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/${dt_pid[run]}/status")
dt_stop run
same 'at most 2 MiB of private memory' yes "$([ "${kib:-9999}" -le 2048 ] && echo yes || echo "$kib")"
finish
