# The sched provider: each switch between two threads on one CPU, compared with the kernel's own
# counters.
. "$(dirname "$0")/../lib.bash"
N=${ROUNDS:-10000}
CPU=$(($(nproc) - 1))
unseen=0 # events that may be missing, because the kernel traces nothing in init (shields_init)
! shields_init || unseen=5
ticks=3 # at least three quarters of the expected ticks must fire; an emulated CPU may have no ticks
[ -z "${IN_VM:-}" ] || ticks=0

helper threads
cat >"$T/all.d" <<'D'
self uint64_t busy, ticks, mine, came_back;
/*
 * Events of a thread count between the thread's two calls of getppid(). Events that other threads
 * cause are counted in arrays, by the ID of the thread that the event is about.
 */
syscall::getppid:entry /pid == $target && !self->on/ {
	self->on = 1;
	self->nvcsw = curthread->nvcsw;
	self->nivcsw = curthread->nivcsw;
	in[tid] = 1;
}
sched:::sleep /self->on/ { self->sleep++; }
sched:::preempt /self->on/ { self->preempt++; }
sched:::off-cpu /self->on/ { self->off++; next[tid] = args[0]->pr_lwpid; of = args[1]->pr_pid; }
sched:::on-cpu /self->on/ { self->came++; self->there += curlwpsinfo->pr_lwpid == tid && cpu == $1; }
sched:::enqueue /in[args[0]->pr_lwpid]/ { enqueued[args[0]->pr_lwpid]++; on += args[2]->cpu_id != $1 || args[3] != 0; }
sched:::dequeue /in[args[0]->pr_lwpid]/ { dequeued[args[0]->pr_lwpid]++; on += args[2]->cpu_id != $1; }
sched:::wakeup /in[args[0]->pr_lwpid] && args[1]->pr_pid == $target/ { woken[args[0]->pr_lwpid]++; by += pid == $target; }
syscall::getppid:entry /pid == $target && self->on++ == 2/ {
	this->sleeps = curthread->nvcsw - self->nvcsw;
	this->preempts = curthread->nivcsw - self->nivcsw;
	in[tid] = 0;
	printf("slept %s, preempted %s, went %s, came %s%s, queued %s, not queued %s, woken %s, enough %d\n",
	    self->sleep == this->sleeps ? "right" : "wrong", self->preempt == this->preempts ? "right" : "wrong",
	    self->off == this->sleeps + this->preempts ? "right" : "wrong", self->came == self->off ? "right" : "wrong",
	    self->there == self->came ? "" : " elsewhere", self->off - enqueued[tid] <= $3 && enqueued[tid] <= self->off ? "right" : "wrong",
	    self->off - dequeued[tid] <= $3 && dequeued[tid] <= self->off ? "right" : "wrong",
	    woken[tid] >= self->sleep && woken[tid] <= self->sleep + self->preempt ? "right" : "wrong", self->off > 0);
}
sched:::change-pri /args[1]->pr_pid == $target/ { @pri[args[2], args[0]->pr_lwpid == args[1]->pr_pid] = count(); }
syscall::getpgid:entry /pid == $target && self->busy/ {
	this->want = (vtimestamp - self->busy) / arg0;
	/* Each switch may lose one tick of the thread, or give the thread one tick of another thread. */
	printf("ticks %s, whose %s\n", self->ticks + self->came_back >= this->want * $4 / 4 &&
	    self->ticks <= this->want * 5 / 4 + 2 + self->came_back ? "right" : "wrong", self->mine == self->ticks && (self->mine > 0 || !$4) ? "right" : "wrong");
}
syscall::getpgid:entry /pid == $target/ { self->busy = vtimestamp; }
sched:::on-cpu /self->busy/ { self->came_back++; }
sched:::tick /self->busy/ { self->ticks++; self->mine += args[0]->pr_lwpid == tid && args[1]->pr_pid == pid; }
END {
	printf("on another CPU: %d, woken by us: %d\n", on, by > 0);
	printa("priority %d of the first thread %d: %@d\n", @pri);
}
D
(cd "$T" && "$DTRACE" -qs all.d -c "./threads $CPU $N" $CPU "$N" $unseen $ticks >got 2>err) || fail "status $?: $(cat "$T/err")"
right='slept right, preempted right, went right, came right, queued right, not queued right, woken right, enough 1'
cat >"$T/want" <<WANT
$right
$right
ticks right, whose right
on another CPU: 0, woken by us: 1
priority 89 of the first thread 1: $N
priority 120 of the first thread 1: $N
WANT
sed -i '/^$/d' "$T/got"
same_files 'two threads on one CPU' "$T/want" "$T/got"
cat "$T/err"

# sched:::remain-cpu fires if a thread yields its CPU, but continues because no other thread wants
# the CPU. Not every kernel has an event for this.
remains='sched:::remain-cpu /pid == $target/ { n++; } END { printf("%s", n > 0 ? "remained" : "never remained"); }'
(cd "$T" && "$DTRACE" -qn "$remains" -c "./threads $CPU 1") >"$T/got" 2>&1
grep -q 'remain-cpu does not exist on this kernel: it lacks the tracepoint sched_exit_tp$' "$T/got" ||
	same 'a thread that offers its CPU' remained "$(cat "$T/got")"
finish
