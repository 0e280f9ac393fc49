/*
 * proc.d - processes and threads: how they begin, run programs and end, and signals.
 *
 * Threads of the kernel are processes too, with one thread each.
 */
#pragma D attributes Evolving/Evolving/ISA provider proc provider
#pragma D attributes Private/Private/Unknown provider proc module
#pragma D attributes Private/Private/Unknown provider proc function
#pragma D attributes Evolving/Evolving/ISA provider proc name
#pragma D attributes Evolving/Evolving/ISA provider proc args

provider proc {
	/*
	 * A thread is created. If it is the first thread of a process, the probe create fires next.
	 */
	probe lwp__create(struct task_struct *new) : (lwpsinfo_t *new, psinfo_t *new);
	/*
	 * A process is created, by fork(2) and similar calls. args[0] is the new process; the probe
	 * fires in the process that makes the call.
	 */
	probe create(struct task_struct *new) : (psinfo_t *new);
	/* A new process is about to run for the first time. The probe fires for the new process. */
	probe start();
	/* A new thread is about to run for the first time, also the first thread of a process. */
	probe lwp__start();

	/*
	 * A process asks for another program by execve(2). args[0] is the path as the process gave
	 * it. exec-success or exec-failure follows. If there is no program at the path, the probe
	 * fires when the kernel has found that out.
	 */
	probe exec(string path);
	/* The process has got the new program, which has not run yet. */
	probe exec__success();
	/* The process continues with its old program. args[0] is the reason, as errno. */
	probe exec__failure(int error);

	/* A thread ends. If it is the last thread of a process, the probe exit fires next. */
	probe lwp__exit();
	/*
	 * A process ends, with its last thread. args[0] is CLD_EXITED (by itself), CLD_KILLED (by a
	 * signal) or CLD_DUMPED (by a signal, and a core file was written).
	 */
	probe exit(int why);

	/*
	 * A signal is sent. args[0] and args[1] are the receiver, args[2] is the signal. The probe
	 * fires in the sender.
	 */
	probe signal__send(struct task_struct *to, int sig) : (lwpsinfo_t *to, psinfo_t *to, int sig);
	/*
	 * A signal that was sent (signal-send) is discarded immediately, because the process
	 * ignores it.
	 */
	probe signal__discard(struct task_struct *to, int sig) : (lwpsinfo_t *to, psinfo_t *to, int sig);
	/*
	 * A thread is about to handle a signal. args[0] is the signal, args[1] describes its
	 * origin, and args[2] is the address of the handler. The address is 0 if there is no
	 * handler and the default action follows.
	 */
	probe signal__handle(int sig, struct kernel_siginfo *info, void *handler) :
	    (int sig, siginfo_t *info, void *handler);
	/*
	 * A thread did something that the machine cannot do. args[0] is FLTBOUNDS, FLTIZDIV ...;
	 * args[1] describes the signal that follows, with the address of the fault.
	 */
	probe fault(int fault, struct kernel_siginfo *info) : (int fault, siginfo_t *info);
};

/* ------------------------------------------------------------------ beginnings */

proc:::lwp-create
	on rawtp:::sched_process_fork
	(args[1])
;

proc:::create
	on rawtp:::sched_process_fork
	/ args[1]->pid == args[1]->tgid /
	(args[1])
;

/*
 * No event reports the moment when the new thread starts to run. These probes fire at the fork,
 * after which the thread only waits for a free CPU.
 */
proc:::start
	on rawtp:::sched_process_fork
	/ args[1]->pid == args[1]->tgid /
	as (args[1]) ()
;

proc:::lwp-start
	on rawtp:::sched_process_fork
	as (args[1]) ()
;

/* ------------------------------------------------------------- other programs */

/*
 * Is the system call execve or execveat? compat tells whether the program has 32 bits, because its
 * calls then have other numbers.
 */
inline int __execve[int n, int compat] = compat ? n == 11 || n == 358 : n == 59 || n == 322;
inline int __execve_arm64[int n, int compat] = compat ? n == 11 || n == 387 : n == 221 || n == 281;
inline int __compat = curthread->thread_info.status & 2;
inline int __compat_arm64 = curthread->thread_info.flags & (1 << 22);

/*
 * An eBPF program cannot read memory of the process that is not loaded yet. So the path of a failed
 * call is read after the call, because the kernel has loaded and read the path by then.
 */
inline string __exec_path = copyinstr(args[0]->orig_ax == 59 ? args[0]->di : args[0]->orig_ax == 322 ? args[0]->si :
    args[0]->orig_ax == 11 ? args[0]->bx : args[0]->cx);
inline string __exec_path_arm64 = copyinstr(args[0]->syscallno == 281 || args[0]->syscallno == 387 ?
    args[0]->regs[1] : args[0]->orig_x0);
inline int __failed = args[1] < 0 && args[1] >= -4095;

proc:::exec
	on rawtp:::sched_prepare_exec
	(stringof(args[1]->filename))

	on rawtp:::sys_exit
	/ __failed && __execve[args[0]->orig_ax, __compat] /
	(__exec_path)
or
	on rawtp:::sched_prepare_exec
	(stringof(args[1]->filename))

	on rawtp:::sys_exit
	/ __failed && __execve_arm64[args[0]->syscallno, __compat_arm64] /
	(__exec_path_arm64)
or
	/* For Linux 6.1. */
	on fbt::begin_new_exec:entry
	(stringof(args[0]->filename))

	on rawtp:::sys_exit
	/ __failed && __execve[args[0]->orig_ax, __compat] /
	(__exec_path)
or
	on fbt::begin_new_exec:entry
	(stringof(args[0]->filename))

	on rawtp:::sys_exit
	/ __failed && __execve_arm64[args[0]->syscallno, __compat_arm64] /
	(__exec_path_arm64)
;

proc:::exec-success
	on rawtp:::sched_process_exec
	()
;

proc:::exec-failure
	on rawtp:::sys_exit
	/ __failed && __execve[args[0]->orig_ax, __compat] /
	(-(int)args[1])
or
	on rawtp:::sys_exit
	/ __failed && __execve_arm64[args[0]->syscallno, __compat_arm64] /
	(-(int)args[1])
;

/* ------------------------------------------------------------------- ends */

proc:::lwp-exit
	on rawtp:::sched_process_exit
	()
;

/* 1 for each process whose end was reported. The keys are the process ID and the start time. */
int __over[pid_t, uint64_t];

inline int __why[int code] = (code & 0x7f) == 0 ? CLD_EXITED : code & 0x80 ? CLD_DUMPED : CLD_KILLED;

/*
 * The second group is for kernels whose tracepoint does not mark the last thread. If two threads
 * end at the same time, both look like the last, and __once() lets one of them fire.
 */
proc:::exit
	on rawtp:::sched_process_exit
	/ args[1] /
	(__why[args[0]->exit_code])
or
	on rawtp:::sched_process_exit
	/ args[0]->signal->live.counter == 0 && __once(__over[args[0]->tgid, args[0]->group_leader->start_time]) /
	(__why[args[0]->exit_code])
;

/* ----------------------------------------------------------------- signals */

proc:::signal-send
	on rawtp:::signal_generate
	(args[2], args[0])
;

/* 1 is TRACE_SIGNAL_IGNORED. */
proc:::signal-discard
	on rawtp:::signal_generate
	/ args[4] == 1 /
	(args[2], args[0])
;

/* The kernel uses small numbers instead of an address if it has no information. */
inline struct kernel_siginfo *__siginfo[struct kernel_siginfo *I] = (uint64_t)I <= 1 ? NULL : I;

/* Leaves out ignored signals, whose handler is 1 (SIG_IGN): no thread handles them. */
proc:::signal-handle
	on rawtp:::signal_deliver
	/ (uint64_t)args[2]->sa.sa_handler != 1 /
	(args[0], __siginfo[args[1]], (void *)args[2]->sa.sa_handler)
;

/*
 * The kind of a fault, by its signal and code. The kernel sends the signal of a fault to the
 * running thread, with a code above 0. A signal from another process never has such a code.
 */
inline int __flt[int sig, int code] = sig == 4 ? FLTILL : sig == 5 ? (code == 2 ? FLTTRACE : FLTBPT) :
    sig == 7 ? FLTACCESS : sig == 8 ? (code == 1 ? FLTIZDIV : code == 2 ? FLTIOVF : FLTFPE) : FLTBOUNDS;

proc:::fault
	on rawtp:::signal_generate
	/ __is_fault[args[0]] && args[2] == curthread && __siginfo[args[1]] != NULL && args[1]->si_code > 0 /
	(__flt[args[0], args[1]->si_code], args[1])
;
