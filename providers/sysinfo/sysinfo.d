/*
 * sysinfo.d - requests of processes to the kernel, and work of the kernel.
 *
 * The names are those of Solaris. args[0] is the increment of the counter. Counters without an
 * event on Linux have no probe (see docs/compat.md).
 */
#pragma D attributes Evolving/Evolving/Common provider sysinfo provider
#pragma D attributes Private/Private/Unknown provider sysinfo module
#pragma D attributes Private/Private/Unknown provider sysinfo function
#pragma D attributes Evolving/Evolving/Common provider sysinfo name
#pragma D attributes Evolving/Evolving/Common provider sysinfo args

provider sysinfo {
	/* read(2), readv(2), pread(2) or a similar call is called. */
	probe sysread(uint64_t n);
	/* write(2), writev(2), pwrite(2) or a similar call is called. */
	probe syswrite(uint64_t n);
	/* A call that fired sysread has read at least one byte. args[0] is the number of bytes. */
	probe readch(uint64_t bytes);
	/*
	 * A call that fired syswrite has written at least one byte. args[0] is the number of bytes.
	 */
	probe writech(uint64_t bytes);
	/* execve(2) or execveat(2) is called. */
	probe sysexec(uint64_t n);
	/* msgsnd(2) or msgrcv(2) is called. */
	probe msg(uint64_t n);
	/* semop(2) or semtimedop(2) is called. */
	probe sema(uint64_t n);
	/* A process is created by fork(2) or a similar call. */
	probe sysfork(uint64_t n);
	/* A process is created, and its parent waits for it, as after vfork(2). */
	probe sysvfork(uint64_t n);
	/* A thread is created. The first thread of a process counts too. */
	probe nthreads(uint64_t n);
	/* A CPU switches from one thread to another. */
	probe pswitch(uint64_t n);
	/* A CPU switches from one thread to another, although the first thread could continue. */
	probe inv_swtch(uint64_t n);
	/* A CPU becomes idle. */
	probe idlethread(uint64_t n);
	/* A CPU asks another CPU to do something. */
	probe xcalls(uint64_t n);
	/* A disk gets a read request. */
	probe bread(uint64_t n);
	/* A disk gets a write request. */
	probe bwrite(uint64_t n);
	/* A module of the kernel is loaded. */
	probe modload(uint64_t n);
	/* A module of the kernel is unloaded. */
	probe modunload(uint64_t n);
	/* A thread wants a mutex of the kernel that another thread holds. */
	probe mutex_adenters(uint64_t n);
	/*
	 * A thread wants to read under a lock of the kernel that another thread holds for writing.
	 */
	probe rw_rdfails(uint64_t n);
	/* A thread wants to write under a lock of the kernel that other threads hold. */
	probe rw_wrfails(uint64_t n);
};

/*
 * Numbers of system calls on x86-64 and on arm64. 32-bit programs use other numbers; only sysexec
 * counts them.
 */
inline int __sys_reads[int n] = n == 0 || n == 17 || n == 19 || n == 295 || n == 327;
inline int __sys_writes[int n] = n == 1 || n == 18 || n == 20 || n == 296 || n == 328;
inline int __sys_reads_arm64[int n] = n == 63 || n == 65 || n == 67 || n == 69 || n == 286;
inline int __sys_writes_arm64[int n] = n == 64 || n == 66 || n == 68 || n == 70 || n == 287;

sysinfo:::sysread
	on rawtp:::sys_enter
	/ !__compat && args[0]->di == args[0]->di && __sys_reads[args[1]] /
	(1)
or
	on rawtp:::sys_enter
	/ !__compat_arm64 && args[0]->orig_x0 == args[0]->orig_x0 && __sys_reads_arm64[args[1]] /
	(1)
;

sysinfo:::syswrite
	on rawtp:::sys_enter
	/ !__compat && args[0]->di == args[0]->di && __sys_writes[args[1]] /
	(1)
or
	on rawtp:::sys_enter
	/ !__compat_arm64 && args[0]->orig_x0 == args[0]->orig_x0 && __sys_writes_arm64[args[1]] /
	(1)
;

sysinfo:::readch
	on rawtp:::sys_exit
	/ args[1] > 0 && !__compat && __sys_reads[args[0]->orig_ax] /
	(args[1])
or
	on rawtp:::sys_exit
	/ args[1] > 0 && !__compat_arm64 && __sys_reads_arm64[args[0]->syscallno] /
	(args[1])
;

sysinfo:::writech
	on rawtp:::sys_exit
	/ args[1] > 0 && !__compat && __sys_writes[args[0]->orig_ax] /
	(args[1])
or
	on rawtp:::sys_exit
	/ args[1] > 0 && !__compat_arm64 && __sys_writes_arm64[args[0]->syscallno] /
	(args[1])
;

sysinfo:::sysexec
	on rawtp:::sys_enter
	/ args[0]->di == args[0]->di && __execve[args[1], __compat] /
	(1)
or
	on rawtp:::sys_enter
	/ args[0]->orig_x0 == args[0]->orig_x0 && __execve_arm64[args[1], __compat_arm64] /
	(1)
;

sysinfo:::msg
	on rawtp:::sys_enter
	/ !__compat && args[0]->di == args[0]->di && (args[1] == 69 || args[1] == 70) /
	(1)
or
	on rawtp:::sys_enter
	/ !__compat_arm64 && args[0]->orig_x0 == args[0]->orig_x0 && (args[1] == 188 || args[1] == 189) /
	(1)
;

sysinfo:::sema
	on rawtp:::sys_enter
	/ !__compat && args[0]->di == args[0]->di && (args[1] == 65 || args[1] == 220) /
	(1)
or
	on rawtp:::sys_enter
	/ !__compat_arm64 && args[0]->orig_x0 == args[0]->orig_x0 && (args[1] == 192 || args[1] == 193) /
	(1)
;

/*
 * 0x4000 is CLONE_VFORK, and 0x14000 also has CLONE_THREAD. 0x200000 is PF_KTHREAD: starting a
 * thread of the kernel is not a fork.
 */
sysinfo:::sysfork
	on rawtp:::task_newtask
	/ (args[1] & 0x14000) == 0 && (args[0]->flags & 0x200000) == 0 /
	(1)
;

sysinfo:::sysvfork
	on rawtp:::task_newtask
	/ (args[1] & 0x14000) == 0x4000 && (args[0]->flags & 0x200000) == 0 /
	(1)
;

sysinfo:::nthreads
	on rawtp:::task_newtask
	(1)
;

sysinfo:::pswitch
	on rawtp:::sched_switch
	(1)
;

sysinfo:::inv_swtch
	on rawtp:::sched_switch
	/ __stays[args[0], args[3], args[1]] /
	(1)
;

sysinfo:::idlethread
	on rawtp:::sched_switch
	/ args[2]->pid == 0 /
	(1)
;

/*
 * The second group is for kernels without csd_queue_cpu. Its events occur on the CPU that was
 * asked, when it gets the interrupt.
 */
sysinfo:::xcalls
	on rawtp:::csd_queue_cpu
	(1)
or
	on rawtp:::call_function_entry
	(1)

	on rawtp:::call_function_single_entry
	(1)
;

sysinfo:::bread
	on rawtp:::block_rq_issue
	/ __is_request[args[0]] && (args[0]->cmd_flags & 0xff) == 0 /
	(1)

	on rawtp:::block_bio_queue
	/ !__has_queue[args[0]] && (args[0]->bi_opf & 0xff) == 0 /
	(1)
;

sysinfo:::bwrite
	on rawtp:::block_rq_issue
	/ __is_request[args[0]] && (args[0]->cmd_flags & 0xff) == 1 /
	(1)

	on rawtp:::block_bio_queue
	/ !__has_queue[args[0]] && (args[0]->bi_opf & 0xff) == 1 /
	(1)
;

sysinfo:::modload
	on rawtp:::module_load
	(1)
;

sysinfo:::modunload
	on rawtp:::module_free
	(1)
;

/*
 * 33 is LCB_F_MUTEX and LCB_F_SPIN: a wait for a mutex begins with these flags, even if the thread
 * sleeps later.
 */
sysinfo:::mutex_adenters
	on rawtp:::contention_begin
	/ (args[1] & 33) == 33 /
	(1)
;

/* 2 is LCB_F_READ, and 4 is LCB_F_WRITE. */
sysinfo:::rw_rdfails
	on rawtp:::contention_begin
	/ args[1] & 2 /
	(1)
;

sysinfo:::rw_wrfails
	on rawtp:::contention_begin
	/ args[1] & 4 /
	(1)
;
