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
 * Each of the two probes here stands for one probe per system call (providers/family.c). The last
 * native argument is the number of the call.
 */
provider syscall {
	/*
	 * A process calls the kernel. The arguments are those of the system call, as its page in
	 * section 2 of the manual describes them.
	 */
	probe entry(long, long, long, long, long, long, uint32_t number);
	/*
	 * The call returns. args[0] and args[1] are its result. The result is -1 if the call
	 * failed; errno has the reason.
	 */
	probe return(long, long, uint32_t number);
};

/*
 * Does a 64-bit program make the call? On x86-64, its instruction SYSCALL leaves the return address
 * in cx, where a 32-bit call has an argument. Testing cx first saves a function call, which finds
 * the current thread and costs 18 ns where returns are protected (SRSO). If cx differs, as with
 * FRED or after ptrace(2), TS_COMPAT (2) decides. On arm64, TIF_32BIT (bit 22) decides.
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
