/*
 * syscall.d - entry and return of every system call.
 *
 * Each call has a pair of probes: syscall::read:entry, syscall::read:return, and so on. Calls of
 * 32-bit programs have other numbers and fire no probe.
 */
#pragma D attributes Evolving/Evolving/Common provider syscall provider
#pragma D attributes Private/Private/Unknown provider syscall module
#pragma D attributes Private/Private/ISA provider syscall function
#pragma D attributes Evolving/Evolving/Common provider syscall name
#pragma D attributes Private/Private/ISA provider syscall args

/*
 * The two probes here stand for one probe of each name (providers/family.c). The last native
 * argument is the number of the call.
 */
provider syscall {
	/*
	 * A process calls the kernel. The arguments are those of the system call, as its page in
	 * section 2 of the manual describes them.
	 */
	probe entry(long, long, long, long, long, long, uint32_t number);
	/*
	 * The call returns. args[0] and args[1] are its result. It is -1 if the call failed; errno
	 * has the reason.
	 */
	probe return(long, long, uint32_t number);
};

/*
 * x86-64: TS_COMPAT; arm64: TIF_32BIT. The instruction SYSCALL of 64-bit programs leaves its return
 * address in cx, where a 32-bit call has an argument. That test saves the call that finds the thread,
 * which costs 18 ns where returns are protected (SRSO). A call that looks otherwise, as with FRED or
 * after ptrace(2), is decided by TS_COMPAT.
 */
inline int __is_64bit = args[0]->cx == args[0]->ip || (curthread->thread_info.status & 2) == 0;
syscall:::entry
	on rawtp:::sys_enter
	/ __is_64bit /
	(args[0]->di, args[0]->si, args[0]->dx, args[0]->r10, args[0]->r8, args[0]->r9, (uint32_t)args[1])
or
	on rawtp:::sys_enter
	/ (curthread->thread_info.flags & (1 << 22)) == 0 /
	(args[0]->orig_x0, args[0]->regs[1], args[0]->regs[2], args[0]->regs[3], args[0]->regs[4],
	 args[0]->regs[5], (uint32_t)args[1])
;

/* The result as the C library shows it: -1, with the reason in errno. */
inline long __returned = args[1] < 0 && args[1] >= -4095 ? -1 : args[1];

syscall:::return
	on rawtp:::sys_exit
	/ __is_64bit /
	(__returned, __returned, (uint32_t)args[0]->orig_ax)
or
	on rawtp:::sys_exit
	/ (curthread->thread_info.flags & (1 << 22)) == 0 /
	(__returned, __returned, (uint32_t)args[0]->syscallno)
;
