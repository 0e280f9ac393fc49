/*
 * sched.d - which thread runs on which CPU, which threads wait for a CPU, and which sleep.
 *
 * The idle thread of each CPU (pid 0) gets and leaves the CPU like any other thread, but is never
 * queued.
 */
#pragma D attributes Evolving/Evolving/ISA provider sched provider
#pragma D attributes Private/Private/Unknown provider sched module
#pragma D attributes Private/Private/Unknown provider sched function
#pragma D attributes Evolving/Evolving/ISA provider sched name
#pragma D attributes Evolving/Evolving/ISA provider sched args

provider sched {
	/* The current thread is about to sleep until an event. The probe off-cpu fires next. */
	probe sleep();
	/*
	 * The current thread leaves the CPU although the thread could continue: its time is up, a more
	 * urgent thread is ready, or it yields.
	 */
	probe preempt();
	/* The current thread leaves the CPU. args[0] and args[1] are the next thread. */
	probe off__cpu(struct task_struct *next) : (lwpsinfo_t *next, psinfo_t *next);
	/*
	 * A thread leaves the queue of a CPU. It gets the CPU (the probe on-cpu then fires) or
	 * moves to the queue of another CPU. args[0] and args[1] are the thread, args[2] is the CPU
	 * of the queue.
	 */
	probe dequeue(struct task_struct *thread, int cpu) :
	    (lwpsinfo_t *thread, psinfo_t *thread, cpuinfo_t *(thread, cpu));
	/*
	 * A thread that can run enters the queue of a CPU: it was woken up, is new, was preempted,
	 * or comes from another queue. args[0] and args[1] are the thread, args[2] is the CPU;
	 * args[3] is 0.
	 */
	probe enqueue(struct task_struct *thread, int cpu, int front) :
	    (lwpsinfo_t *thread, psinfo_t *thread, cpuinfo_t *(thread, cpu), int front);
	/* The current thread has got the CPU. */
	probe on__cpu();
	/* The scheduler looked for the next thread, and the current thread continues. */
	probe remain__cpu();
	/* The current thread, or an interrupt, wakes a sleeping thread: args[0] and args[1]. */
	probe wakeup(struct task_struct *thread) : (lwpsinfo_t *thread, psinfo_t *thread);
	/*
	 * The clock ticks on this CPU while the thread of args[0] and args[1] runs. On an idle CPU
	 * the clock may stop.
	 */
	probe tick(struct task_struct *thread) : (lwpsinfo_t *thread, psinfo_t *thread);
	/*
	 * The priority of the thread of args[0] and args[1] is about to become args[2], a number as
	 * in pr_pri. Without function tracing, the probe fires only for priorities that a thread
	 * inherits with a lock.
	 */
	probe change__pri(struct task_struct *thread, int pri) : (lwpsinfo_t *thread, psinfo_t *thread, int pri);
};

/* -------------------------------------------------------------- CPUs and queues */

/*
 * How a thread leaves the CPU. __sleeps tells whether the thread waits for an event, with or
 * without accepting signals; stopped, traced and dead threads do not count. __stays tells whether
 * the thread could continue.
 */
inline int __sleeps[int preempted, unsigned int state] = !preempted && state != 0 && (state & 0x8c) == 0;
inline int __stays[int preempted, unsigned int state, struct task_struct *T] =
    (preempted || state == 0) && T->pid != 0;

sched:::sleep
	on rawtp:::sched_switch
	/ __sleeps[args[0], args[3]] /
	()
;

sched:::preempt
	on rawtp:::sched_switch
	/ __stays[args[0], args[3], args[1]] /
	()
;

sched:::off-cpu
	on rawtp:::sched_switch
	(args[2])
;

/* Is the thread in a queue, and neither running nor about to leave the CPU? */
inline int __queued[struct task_struct *T] = T->on_rq != 0 && !T->on_cpu;

/* The number of a CPU is passed plus 1, because 0 stands for the current CPU. */
sched:::dequeue
	on rawtp:::sched_switch
	/ args[2]->pid != 0 /
	(args[2], cpu + 1)

	on rawtp:::sched_migrate_task
	/ __queued[args[0]] /
	(args[0], args[0]->thread_info.cpu + 1)
;

sched:::enqueue
	on rawtp:::sched_wakeup
	/ !args[0]->on_cpu /
	(args[0], args[0]->thread_info.cpu + 1, 0)

	on rawtp:::sched_wakeup_new
	(args[0], args[0]->thread_info.cpu + 1, 0)

	on rawtp:::sched_migrate_task
	/ __queued[args[0]] /
	(args[0], args[1] + 1, 0)

	on rawtp:::sched_switch
	/ __stays[args[0], args[3], args[1]] /
	(args[1], cpu + 1, 0)
;

/*
 * The new thread itself reports the end of a switch (sched_exit_tp). On kernels without that event,
 * the probe fires before the switch.
 */
sched:::on-cpu
	on rawtp:::sched_exit_tp
	/ args[0] /
	()
or
	on rawtp:::sched_switch
	as (args[2]) ()
;

sched:::remain-cpu
	on rawtp:::sched_exit_tp
	/ !args[0] /
	()
;

/* ------------------------------------------------------------------- else */

sched:::wakeup
	on rawtp:::sched_waking
	/ args[0] != curthread /
	(args[0])
;

extern char tick_nohz_handler[];
extern char tick_sched_timer[];

sched:::tick
	on fbt::sched_tick:entry
	(curthread)
or
	on fbt::scheduler_tick:entry
	(curthread)
or
	on rawtp:::hrtimer_expire_entry
	/ (uint64_t)args[0]->function == (uint64_t)&`tick_nohz_handler /
	(curthread)
or
	on rawtp:::hrtimer_expire_entry
	/ (uint64_t)args[0]->function == (uint64_t)&`tick_sched_timer /
	(curthread)
;

/*
 * A thread that waits for a lock (args[1]) lends its priority to the holder if this priority is
 * more urgent than the holder's own. 120 is the priority of nice 0.
 */
sched:::change-pri
	on fbt::set_user_nice:entry
	/ args[0]->policy != 1 && args[0]->policy != 2 && args[0]->policy != 6 /
	(args[0], 120 + (int)args[1])

	on rawtp:::sched_pi_setprio
	(args[0], args[1] == NULL ? args[0]->normal_prio :
	 args[1]->prio < args[0]->normal_prio ? args[1]->prio : args[0]->normal_prio)
or
	on rawtp:::sched_pi_setprio
	(args[0], args[1] == NULL ? args[0]->normal_prio :
	 args[1]->prio < args[0]->normal_prio ? args[1]->prio : args[0]->normal_prio)
;
