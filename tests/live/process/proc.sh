# The proc provider: processes, threads, programs and signals, each counted once, with its process.
. "$(dirname "$0")/../lib.bash"
N=${LIVES:-1000}

helper procs
cat >"$T/all.d" <<'D'
proc::: /progenyof($target) && probename != "signal-send"/ { @all[probename] = count(); }
/* The clock sends alarms in the context of any process, so alarms of other programs are ignored. */
proc:::signal-send /progenyof($target) && args[2] != SIGALRM/ { @all[probename] = count(); }
proc:::lwp-create /pid == $target/ { last = probename; @lwp[args[0]->pr_lwpid == args[1]->pr_pid] = count(); }
proc:::create /pid == $target/ {
	@created[last, args[0]->pr_ppid == pid, args[0]->pr_pid != pid, args[0]->pr_nlwp, args[0]->pr_fname] = count();
	born[args[0]->pr_pid] = 1;
}
proc:::start /ppid == $target/ { self->start = born[pid]; @start[execname, curpsinfo->pr_pid == pid, tid == pid] = count(); }
proc:::exec /ppid == $target/ { @exec[args[0], execname, arg0] = count(); }
proc:::exec-failure /ppid == $target/ { @failure[args[0], errno] = count(); }
proc:::exec-success /ppid == $target/ { @success[curpsinfo->pr_psargs, execname] = count(); }
proc:::lwp-exit /ppid == $target || pid == $target/ { self->last = timestamp; }
proc:::exit /ppid == $target || pid == $target/ {
	@exit[args[0] == CLD_EXITED ? "exited" : args[0] == CLD_KILLED ? "killed" : "dumped", self->start, self->last != 0] = count();
}
/* Signals that report the child of dtrace to dtrace are ignored, too. */
proc:::signal-send /progenyof($target) && args[1]->pr_pid != $pid && args[2] != SIGALRM/ {
	@sent[args[2], args[1]->pr_pid == pid, args[0]->pr_lwpid == tid, args[1]->pr_fname, args[1]->pr_psargs] = count();
}
proc:::signal-discard /progenyof($target)/ { @discarded[args[2], args[1]->pr_pid == pid] = count(); }
proc:::signal-handle /progenyof($target) && args[0] != SIGKILL/ {
	@handled[args[0], args[1]->si_signo == args[0], args[1]->si_code == SI_TKILL, args[1]->si_pid == pid, args[2] != NULL] = count();
}
proc:::signal-handle /args[0] == SIGCHLD && pid == $target/ {
	@child[args[1]->si_code == CLD_EXITED, args[1]->si_status, args[1]->si_uid == uid, args[1]->si_errno, args[1]->si_pid != pid] = count();
}
proc:::fault /progenyof($target)/ {
	@fault[args[0] == FLTIZDIV ? "divides" : args[0] == FLTBOUNDS ? "strays" : "?", args[1]->si_signo, args[1]->si_code,
	    args[1]->si_addr < 4096, args[1]->si_pid] = count();
}
END {
	printa("%s %@d\n", @all);
	printa("lwp %d %@d\n", @lwp);
	printa("created %s %d %d %d %s %@d\n", @created);
	printa("start %s %d %d %@d\n", @start);
	printa("exec %s %s %d %@d\n", @exec);
	printa("failure %d %d %@d\n", @failure);
	printa("success [%s] %s %@d\n", @success);
	printa("exit %s %d %d %@d\n", @exit);
	printa("sent %d %d %d %s [%s] %@d\n", @sent);
	printa("discarded %d %d %@d\n", @discarded);
	printa("handled %d %d %d %d %d %@d\n", @handled);
	printa("child %d %d %d %d %d %@d\n", @child);
	printa("fault %s %d %d %d %d %@d\n", @fault);
}
D
ulimit -c 0
(cd "$T" && "$DTRACE" -qs all.d -c "./procs $N" >got 2>err) || fail "status $?: $(cat "$T/err")"
sed '/^$/d' "$T/got" | sort >"$T/seen"
few=$((N / 10)) dead=3
children=$((N + few + dead + 1)) # the last child only ends
sort >"$T/want" <<WANT
lwp-create $((children + few))
create $children
lwp-start $((children + few))
start $children
exec $((N + few))
exec-success $N
exec-failure $few
lwp-exit $((children + few + 1))
exit $((children + 1))
signal-send $((2 * N + few + dead + children + 1))
signal-discard $((N + children))
signal-handle $((N + few + dead + 1))
fault 2
handled 17 1 0 0 1 1
child 1 5 1 0 1 1
lwp 0 $few
lwp 1 $children
created lwp-create 1 1 1 procs $children
start procs 1 1 $children
exec /proc/self/exe procs 0 $N
exec /no/such/program procs 0 $few
failure 2 2 $few
success [lived] exe $N
exit exited 0 1 1
exit exited 1 1 $((N + 1))
exit killed 1 1 $((few + dead))
sent 10 1 1 procs [./procs $N] $N
sent 12 1 1 procs [./procs $N] $N
sent 9 1 1 procs [./procs $N] $few
sent 8 1 1 procs [./procs $N] 1
sent 11 1 1 procs [./procs $N] 1
sent 6 1 1 procs [./procs $N] 1
sent 17 0 0 procs [procs] $children
discarded 12 1 $N
discarded 17 0 $children
handled 10 1 1 1 1 $N
handled 6 1 1 1 0 1
handled 8 1 0 0 0 1
handled 11 1 0 0 0 1
fault divides 8 1 0 0 1
fault strays 11 1 1 0 1
WANT
same_files 'processes, threads, programs and signals' "$T/want" "$T/seen"

# The signals of a file and of a timer have other numbers in the place of the sender.
cat >"$T/signals.py" <<'END'
import ctypes, fcntl, os, signal, time
signal.signal(signal.SIGUSR1, lambda *a: None)
signal.signal(signal.SIGUSR2, lambda *a: None)
r, w = os.pipe()
F_SETSIG = 10
fcntl.fcntl(r, fcntl.F_SETOWN, os.getpid())
fcntl.fcntl(r, F_SETSIG, signal.SIGUSR1)
fcntl.fcntl(r, fcntl.F_SETFL, fcntl.fcntl(r, fcntl.F_GETFL) | os.O_ASYNC)
os.write(w, b"x")
class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_long), ("signo", ctypes.c_int), ("rest", ctypes.c_int * 13)]
libc, timer = ctypes.CDLL(None, use_errno=True), ctypes.c_void_p()
for name in range(3): # the number of the third timer is not 0
    event = Event(7, signal.SIGUSR2)
    assert libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)) == 0
assert libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1000000), None) == 0
time.sleep(0.3)
os.kill(os.getpid(), signal.SIGUSR1)
END
same 'only a signal that a process sends has a sender' '10 0 1 1,10 1 0 0,12 -2 0 0' \
	"$("$DTRACE" -qn 'proc:::signal-handle /pid == $target && args[0] != SIGCHLD/ {
		printf("%d %d %d %d\n", args[0], args[1]->si_code, args[1]->si_pid == pid, args[1]->si_pid != 0); }' \
		-c "python3 $T/signals.py" 2>&1 | grep . | sort | paste -sd, -)"

# Functions that proc:::start refuses, because it fires before the new thread runs.
same 'no stack of a process before it runs' \
	"ustack( ) cannot be used in proc:::start: on this kernel the probe fires before its thread runs, when only the thread's kernel stack can be read; use stack( )" \
	"$("$DTRACE" -qen 'proc:::start { ustack(); }' 2>&1 | sed 's/.*in action list: //')"
same 'raise() at proc:::start is an error' \
	"raise( ) cannot be used in proc:::start: a program at the hook rawtp:::sched_process_fork does not run in the thread that the probe fires for" \
	"$("$DTRACE" -qewn 'proc:::start { raise(9); }' 2>&1 | sed 's/.*in action list: //')"
finish
