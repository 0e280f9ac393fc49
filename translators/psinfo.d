/*
 * psinfo.d - a process (psinfo_t), a thread (lwpsinfo_t) and a CPU (cpuinfo_t).
 *
 * Other systems with DTrace have these structs too. The structs here lack members that Linux has no
 * value for.
 */

/* A thread. curlwpsinfo is the current thread. */
typedef struct lwpsinfo {
	int pr_flag;			/* PR_ISSYS for a kernel thread, else 0 */
	id_t pr_lwpid;			/* number of the thread, as in the variable tid */
	uintptr_t pr_addr;		/* address of the thread's task_struct */
	char pr_state;			/* SONPROC (runs, or waits for a CPU), SSLEEP, SSTOP or
					 * SZOMB */
	char pr_sname;			/* letter for pr_state: O for SONPROC, S for SSLEEP, T
					 * for SSTOP, Z for SZOMB */
	int pr_nice;			/* nice value, -20 to 19 */
	int pr_pri;			/* priority in the kernel: a lower number is more urgent */
	processorid_t pr_onpro;		/* CPU on which the thread runs, or ran last */
	string pr_name;			/* name of the thread, at most 15 characters */
	string pr_clname;		/* scheduling class: TS, BATCH, IDLE, RT or DL */
} lwpsinfo_t;

/*
 * Bits of __state: 1 and 2 mean asleep, 4 and 8 stopped or traced. exit_state is not 0 when the
 * thread has ended.
 */
inline int __task_state[struct task_struct *T] = T->exit_state ? SZOMB : T->__state & 0xc ? SSTOP :
    T->__state & 0x3 ? SSLEEP : SONPROC;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = T->flags & 0x200000 ? PR_ISSYS : 0;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_state = __task_state[T];
	pr_sname = __task_state[T] == SZOMB ? 'Z' : __task_state[T] == SSTOP ? 'T' :
	    __task_state[T] == SSLEEP ? 'S' : 'O';
	pr_nice = T->static_prio == 0 ? 0 : T->static_prio - 120;
	pr_pri = T->prio;
	pr_onpro = T->thread_info.cpu;
	pr_name = stringof(T->comm);
	pr_clname = T->policy == 1 || T->policy == 2 ? "RT" : T->policy == 3 ? "BATCH" :
	    T->policy == 5 ? "IDLE" : T->policy == 6 ? "DL" : "TS";
};

/* A process. curpsinfo is the current process. */
typedef struct psinfo {
	int pr_nlwp;			/* number of threads */
	pid_t pr_pid;			/* number of the process, as in the variable pid */
	pid_t pr_ppid;			/* number of the parent process */
	pid_t pr_pgid;			/* number of the process group */
	pid_t pr_sid;			/* number of the session */
	uid_t pr_uid;			/* real user ID */
	uid_t pr_euid;			/* effective user ID */
	gid_t pr_gid;			/* real group ID */
	gid_t pr_egid;			/* effective group ID */
	uintptr_t pr_addr;		/* address of the first thread's task_struct */
	string pr_fname;		/* name from execve(2) or prctl(2), at most 15
					 * characters */
	string pr_psargs;		/* command line, at most 79 characters; pr_fname for a
					 * kernel thread, and for a process other than the
					 * current one */
	uint_t pr_arglen;		/* bytes of the whole command line; 0 for a kernel
					 * thread */
	uintptr_t pr_argv;		/* address, in the process's memory, of its arguments,
					 * one string after another; 0 for a kernel thread */
	uintptr_t pr_envp;		/* address, in the process's memory, of its environment,
					 * one string after another; 0 for a kernel thread */
} psinfo_t;

translator psinfo_t < struct task_struct *T > {
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T->group_leader;
	pr_fname = stringof(T->group_leader->comm);
	pr_psargs = T == NULL || T->mm == NULL || T->mm != __running->mm ? stringof(T->group_leader->comm) :
	    __psargs(T->mm->arg_start, T->mm->arg_end - T->mm->arg_start);
	pr_arglen = T->mm == NULL ? 0 : T->mm->arg_end - T->mm->arg_start;
	pr_argv = T->mm == NULL ? 0 : T->mm->arg_start;
	pr_envp = T->mm == NULL ? 0 : T->mm->env_start;
};

/* A CPU. curcpu is the current CPU. */
typedef struct cpuinfo {
	processorid_t cpu_id;		/* number of the CPU; in curcpu, the same as the
					 * variable cpu */
} cpuinfo_t;

/* other is the number of a CPU plus 1, or 0 for the current CPU. */
translator cpuinfo_t < struct task_struct *T, int other > {
	cpu_id = other ? other - 1 : cpu;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (curthread);

inline string execargs = curpsinfo->pr_psargs;

/* Registers of the process when it entered the kernel: uregs[R_PC] ... */
inline uint64_t uregs[int n] = __ureg(n);

/* CPU time of the thread up to the last tick of the scheduler, or up to the last switch to the thread. */
inline uint64_t vtimestamp = curthread->se.sum_exec_runtime;

/*
 * A mark of the current thread's address space: the page where the kernel mapped its own code
 * ([vdso]), or 0 if there is none. The kernel chooses this page at each execve(2).
 */
inline uint32_t __address_space = __running->mm == NULL ? 0 : (uintptr_t)__running->mm->context.vdso >> 12;

/*
 * The number of the thread, and in the upper half a part of its start time: a later thread may have
 * its number.
 */
inline uint64_t __thread = (uint32_t)curthread->pid | curthread->start_time << 32;
