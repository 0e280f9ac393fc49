# Many probes can be enabled although a shell sets a small soft limit of descriptors. If the hard
# limit is too small, a message says what a probe needs.
. tests/live/lib.bash

probes='rawtp:::sched* { @ = count(); } tick-100ms { exit(0); }'
(ulimit -Sn 40 && exec "$DTRACE" -qn "$probes") >"$T/out" 2>"$T/err"
same 'status 0 with a soft limit of 40 descriptors' 0 $?
(ulimit -n 24 && exec "$DTRACE" -qn "$probes") >"$T/out" 2>"$T/err"
same 'status 1 with a hard limit of 24 descriptors' 1 $?
same 'the message says what a probe needs' 'Too many open files: each probe takes two of them (raise ulimit -n)' \
	"$(sed -n "s/^dtrace: failed to enable 'sched[a-z_]*': .*: \(Too.*\)/\1/p" "$T/err")"
finish
