# vminfo, sysinfo and lockstat show the increases that a process causes.
. "$(dirname "$0")/../lib.bash"
N=${TIMES:-1000}

helper counters
mkdir "$T/files"
cat >"$T/all.d" <<'D'
int between, within;
int64_t faults, denied; /* counts of one thread; events of several CPUs are counted by aggregations */
BEGIN { @change["switches"] = sum(0); @change["preempts"] = sum(0); @change["reads"] = sum(0); }
syscall::getppid:entry /pid == $target/ { between = !between; }
vminfo:::as_fault /pid == $target && between/ { faults += arg0; }
vminfo:::prot_fault /pid == $target && between/ { denied += arg0; }
syscall::getpgid:entry /pid == $target && !within/ {
	within = 1;
	/* The kernel's own counters also count the events just before and after the measurement. */
	printf("faults %s, denied %s\n", faults >= 2 * $1 && faults <= arg0 ? "right" : "wrong",
	    denied >= $1 && denied <= arg0 - $1 ? "right" : "wrong");
}
sysinfo:::sysread, sysinfo:::readch, sysinfo:::syswrite, sysinfo:::writech, sysinfo:::msg, sysinfo:::sema,
sysinfo:::sysfork, sysinfo:::sysvfork, sysinfo:::nthreads
/pid == $target && within/
{
	@[probename] = sum(args[0]);
}
/* Each sum must be 0: sched and io count events up, and sysinfo counts the same events down. */
sched:::off-cpu, sysinfo:::pswitch { @change["switches"] = sum(probeprov == "sched" ? 1 : -arg0); }
sched:::preempt, sysinfo:::inv_swtch { @change["preempts"] = sum(probeprov == "sched" ? 1 : -arg0); }
io:::start /args[0]->b_flags & B_READ/ { @change["reads"] = sum(1); }
sysinfo:::bread { @change["reads"] = sum(-arg0); }
BEGIN { @lock["fails"] = sum(0); @lock["blocks"] = sum(0); @lock["waited"] = sum(0); @lock["known"] = sum(0); @lock["long"] = sum(0); }
sysinfo:::rw_wrfails /pid == $target && within/ { @lock["fails"] = sum(1); }
lockstat:::rw-block /pid == $target && within && args[2] == RW_WRITER/ {
	@lock["blocks"] = sum(1);
	@lock["waited"] = sum(args[1]);
	@lock["known"] = sum(args[0] != NULL);
}
lockstat:::rw-block /pid == $target/ { self->any = timestamp; }
lockstat::: /args[1] > 60000000000/ { @lock["long"] = sum(1); }
END {
	printa("%s %@d\n", @);
	printa("%s %@d\n", @change);
	printa("lock %s %@d\n", @lock);
}
D
(cd "$T" && "$DTRACE" -qs all.d -c "./counters $N files" "$N" >got 2>err) || fail "status $?: $(cat "$T/err")"
sed '/^$/d' "$T/got" | awk '
	$1 == "lock" { lock[$2] = $3; next }
	{ print }
	END {
		b = lock["blocks"]
		print "blocks " (b == lock["known"] && b <= lock["fails"] && (!lock["fails"] || b > 0) ? "right" : "wrong")
		print "times " (lock["waited"] >= 100 * b && lock["long"] == "0" ? "right" : "wrong")
	}' | sort >"$T/seen"
sort >"$T/want" <<WANT
faults right, denied right
sysread $((4 * N))
readch $((18 * N))
syswrite $N
writech $((3 * N))
msg $((2 * N))
sema $N
sysfork $((N / 100))
sysvfork $((N / 100))
nthreads $((3 * (N / 100) + 1))
switches 0
preempts 0
reads 0
blocks right
times right
WANT
same_files 'counters of vminfo, sysinfo and lockstat' "$T/want" "$T/seen"
grep -v 'was left out' "$T/err"

# If this kernel has no event for a probe, the message names the facility that it lacks.
"$DTRACE" -qn 'vminfo:::maj_fault' -n 'BEGIN { exit(0); }' >"$T/got" 2>&1 ||
	grep -q 'maj_fault does not exist on this kernel: it lacks fentry' "$T/got" || fail "maj_fault: $(cat "$T/got")"
finish
