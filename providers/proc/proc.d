/*
 * proc.d - processes and threads: how they come, what they become, how they go, and signals.
 *
 * The kernel's own threads are processes, too, of one thread each.
 */
#pragma D attributes Evolving/Evolving/ISA provider proc provider
#pragma D attributes Private/Private/Unknown provider proc module
#pragma D attributes Private/Private/Unknown provider proc function
#pragma D attributes Evolving/Evolving/ISA provider proc name
#pragma D attributes Evolving/Evolving/ISA provider proc args

provider proc {
	/* A thread is made, also the first one of a process: then create comes next. */
	probe lwp__create(struct task_struct *new) : (lwpsinfo_t *new, psinfo_t *new);
	/* A process is made, by fork(2) and its like.  args[0] is the new one; it fires in the old one. */
	probe create(struct task_struct *new) : (psinfo_t *new);
	/* A new process is about to run for the first time: it fires for that one. */
	probe start();
	/* A new thread is about to run for the first time, also the first one of a process. */
	probe lwp__start();

	/*
	 * A process asks for another program by execve(2).  args[0] is its path, as the process gave
	 * it; exec-success or exec-failure follows.  Of a path that leads to no program it is told
	 * when the kernel knows that.
	 */
	probe exec(string path);
	/* The process has another program now; nothing of it has run yet. */
	probe exec__success();
	/* It goes on with its old program.  args[0]: why, as errno. */
	probe exec__failure(int error);

	/* A thread ends, also the last one of a process: then exit comes next. */
	probe lwp__exit();
	/*
	 * A process ends, with its last thread.  args[0]: CLD_EXITED: by itself; CLD_KILLED: a signal did
	 * it; CLD_DUMPED: and its memory was written to a core file.
	 */
	probe exit(int why);

	/* A signal is sent; args[0] and args[1] say to whom, args[2] which.  It fires in the sender. */
	probe signal__send(struct task_struct *to, int sig) : (lwpsinfo_t *to, psinfo_t *to, int sig);
	/* A signal that was sent (signal-send) is thrown away at once, as the process ignores it. */
	probe signal__discard(struct task_struct *to, int sig) : (lwpsinfo_t *to, psinfo_t *to, int sig);
	/*
	 * A thread is about to take a signal: args[0] is which, args[1] where it comes from, args[2] the
	 * address of the handler; 0: there is none, and what is usual happens.
	 */
	probe signal__handle(int sig, struct kernel_siginfo *info, void *handler) :
	    (int sig, siginfo_t *info, void *handler);
	/* A thread did what the machine cannot.  args[0]: FLTBOUNDS, FLTIZDIV ...; args[1]: where. */
	probe fault(int fault, struct kernel_siginfo *info) : (int fault, siginfo_t *info);
};

/* ------------------------------------------------------------------ coming */

proc:::lwp-create
	on rawtp:::sched_process_fork
	(args[1])
;

proc:::create
	on rawtp:::sched_process_fork
	/ args[1]->pid == args[1]->tgid /
	(args[1])
;

/* Nobody tells of the moment itself; from here on it is only a matter of when a CPU is free. */
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

/* Numbers of execve and execveat: of x86-64, of its 32-bit programs, and of arm64. */
inline int __execve[int n, int compat] = compat ? n == 11 || n == 358 : n == 59 || n == 322;
inline int __execve_arm64[int n, int compat] = compat ? n == 11 || n == 387 : n == 221 || n == 281;
inline int __compat = curthread->thread_info.status & 2;
inline int __compat_arm64 = curthread->thread_info.flags & (1 << 22);

/* The kernel may not read what a process has not touched yet: after a failure it has been read. */
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
	/* 6.1 */
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

/* ------------------------------------------------------------------- going */

proc:::lwp-exit
	on rawtp:::sched_process_exit
	()
;

/* Processes whose end was told of, by number and when they began. */
int __over[pid_t, uint64_t];

inline int __why[int code] = (code & 0x7f) == 0 ? CLD_EXITED : code & 0x80 ? CLD_DUMPED : CLD_KILLED;

/* Where the tracepoint does not say that it is the last one: two that end at once both look so. */
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

/* TRACE_SIGNAL_IGNORED */
proc:::signal-discard
	on rawtp:::signal_generate
	/ args[4] == 1 /
	(args[2], args[0])
;

/* The kernel has small numbers in place of what it does not tell: no address. */
inline struct kernel_siginfo *__siginfo[struct kernel_siginfo *I] = (uint64_t)I <= 1 ? NULL : I;

/* What is ignored (SIG_IGN) nobody takes. */
proc:::signal-handle
	on rawtp:::signal_deliver
	/ (uint64_t)args[2]->sa.sa_handler != 1 /
	(args[0], __siginfo[args[1]], (void *)args[2]->sa.sa_handler)
;

/* The kernel sends these to the thread itself, with a reason that no process can give (above 0). */
inline int __flt[int sig, int code] = sig == 4 ? FLTILL : sig == 5 ? (code == 2 ? FLTTRACE : FLTBPT) :
    sig == 7 ? FLTACCESS : sig == 8 ? (code == 1 ? FLTIZDIV : code == 2 ? FLTIOVF : FLTFPE) : FLTBOUNDS;

proc:::fault
	on rawtp:::signal_generate
	/ __is_fault[args[0]] && args[2] == curthread && __siginfo[args[1]] != NULL && args[1]->si_code > 0 /
	(__flt[args[0], args[1]->si_code], args[1])
;
