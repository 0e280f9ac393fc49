/*
 * psinfo.d - processes, threads and CPUs as /proc's structures of other systems show them.
 *
 * A member that Linux has nothing for is in none of them.
 */

typedef struct lwpsinfo {
	int pr_flag;                    /* PR_ISSYS: a kernel thread */
	id_t pr_lwpid;
	uintptr_t pr_addr;              /* the task_struct */
	char pr_state;                  /* SSLEEP ... */
	char pr_sname;                  /* its letter: O: runs, S: sleeps, T: stopped, Z: zombie */
	int pr_nice;                    /* -20 to 19 */
	int pr_pri;                     /* the kernel's: lower is more urgent */
	processorid_t pr_onpro;         /* the CPU it runs on, or last did */
	string pr_name;
	string pr_clname;               /* scheduling class: TS, BATCH, IDLE, RT, DL */
} lwpsinfo_t;

/* 1, 2: asleep; 4, 8: stopped, or traced; 16, 32 are states of the end */
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

typedef struct psinfo {
	int pr_nlwp;                    /* threads */
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;              /* the task_struct of its first thread */
	string pr_fname;
	string pr_psargs;               /* its arguments, 79 characters at most */
	uint_t pr_arglen;               /* bytes of all of them */
	uintptr_t pr_argv;              /* where they begin in the process: text behind text */
	uintptr_t pr_envp;
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
	pr_psargs = T == NULL || T->mm == NULL ? stringof(T->comm) :
	    __psargs(T->mm->arg_start, T->mm->arg_end - T->mm->arg_start);
	pr_arglen = T->mm == NULL ? 0 : T->mm->arg_end - T->mm->arg_start;
	pr_argv = T->mm == NULL ? 0 : T->mm->arg_start;
	pr_envp = T->mm == NULL ? 0 : T->mm->env_start;
};

typedef struct cpuinfo {
	processorid_t cpu_id;
} cpuinfo_t;

translator cpuinfo_t < struct task_struct *T > {
	cpu_id = cpu;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (curthread);

inline string execargs = curpsinfo->pr_psargs;

/* Registers of the process when it entered the kernel: uregs[R_PC] ... */
inline uint64_t uregs[int n] = __ureg(n);

/* What the scheduler has accounted for: up to its last tick, or the last switch to the thread. */
inline uint64_t vtimestamp = curthread->se.sum_exec_runtime;
