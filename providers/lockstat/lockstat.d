/*
 * lockstat.d - locks of the kernel that a thread had to wait for.
 *
 * Linux reports a lock only if it is not free. So there are no probes for locks that are taken or
 * released. Each probe fires when the wait is over, in the thread or interrupt that waited.
 */
#pragma D attributes Evolving/Evolving/Common provider lockstat provider
#pragma D attributes Private/Private/Unknown provider lockstat module
#pragma D attributes Private/Private/Unknown provider lockstat function
#pragma D attributes Evolving/Evolving/Common provider lockstat name
#pragma D attributes Evolving/Evolving/Common provider lockstat args

provider lockstat {
	/*
	 * A thread waited for a mutex and slept meanwhile. args[0] is the mutex, args[1] the time
	 * in nanoseconds.
	 */
	probe adaptive__block(void *lock, uint64_t ns);
	/*
	 * A thread waited for a mutex in a loop, because its owner was running. args[0] is the
	 * mutex, args[1] the time in nanoseconds.
	 */
	probe adaptive__spin(void *lock, uint64_t ns);
	/* A thread waited for a spinlock. args[0] is the lock, args[1] the time in nanoseconds. */
	probe spin__spin(void *lock, uint64_t ns);
	/*
	 * A thread waited for a lock for one writer or several readers. args[0] is the lock,
	 * args[1] the time in nanoseconds, args[2] is RW_WRITER or RW_READER: the purpose of the
	 * wait.
	 */
	probe rw__block(void *lock, uint64_t ns, int why);
};

inline int RW_WRITER = 0;
inline int RW_READER = 1;

/*
 * The time when a thread began to wait for a lock, and the flags of contention_begin (LCB_F_*). The
 * keys are the address of the lock and the number of the thread.
 */
uint64_t __lock_begins[uint64_t, pid_t];
uint32_t __lock_flags[uint64_t, pid_t];

inline uint64_t __lock_since = __lock_begins[(uint64_t)args[0], curthread->pid];
inline uint32_t __lock_how = __lock_flags[(uint64_t)args[0], curthread->pid];
inline uint64_t __lock_ns = timestamp - __lock_since;

/*
 * The values of LCB_F_* are SPIN 1, READ 2, WRITE 4, RT 8, PERCPU 16 and MUTEX 32. Only a wait for
 * a mutex can begin several times; the time of the first beginning and the flags of the last one
 * count. For other locks, a stored time belongs to a wait whose end was missed, and is replaced.
 */
rawtp:::contention_begin
{
	__lock_begins[(uint64_t)args[0], curthread->pid] = __lock_how & 32 ? __lock_since : timestamp;
	__lock_flags[(uint64_t)args[0], curthread->pid] = args[1];
}

lockstat:::adaptive-block
	on rawtp:::contention_end
	/ __lock_since && ((__lock_how & 33) == 32 || (__lock_how & 15) == 8) /
	(args[0], __lock_ns)
;

lockstat:::adaptive-spin
	on rawtp:::contention_end
	/ __lock_since && (__lock_how & 33) == 33 /
	(args[0], __lock_ns)
;

lockstat:::spin-spin
	on rawtp:::contention_end
	/ __lock_since && (__lock_how & 39) == 1 /
	(args[0], __lock_ns)
;

lockstat:::rw-block
	on rawtp:::contention_end
	/ __lock_since && (__lock_how & 6) /
	(args[0], __lock_ns, __lock_how & 4 ? RW_WRITER : RW_READER)
;

rawtp:::contention_end
{
	__lock_begins[(uint64_t)args[0], curthread->pid] = 0;
	__lock_flags[(uint64_t)args[0], curthread->pid] = 0;
}
