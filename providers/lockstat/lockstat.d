/*
 * lockstat.d - locks of the kernel that somebody had to wait for.
 *
 * Linux tells of a lock only when it is not free: there are no probes for locks that are taken
 * or released.  Each fires when the wait is over, in the thread (or interrupt) that waited.
 */
#pragma D attributes Evolving/Evolving/Common provider lockstat provider
#pragma D attributes Private/Private/Unknown provider lockstat module
#pragma D attributes Private/Private/Unknown provider lockstat function
#pragma D attributes Evolving/Evolving/Common provider lockstat name
#pragma D attributes Evolving/Evolving/Common provider lockstat args

provider lockstat {
	/* A mutex was waited for, asleep. args[0] is it, args[1] how long it took, in nanoseconds. */
	probe adaptive__block(void *lock, uint64_t ns);
	/* A mutex was waited for, in a loop, as its owner was running. args[0] is it, args[1] how long it took, in nanoseconds. */
	probe adaptive__spin(void *lock, uint64_t ns);
	/* A spinlock was waited for. args[0] is it, args[1] how long it took, in nanoseconds. */
	probe spin__spin(void *lock, uint64_t ns);
	/*
	 * A lock for one writer or several readers was waited for. args[0] is it, args[1] how long it
	 * took, in nanoseconds, args[2]: RW_WRITER or RW_READER: what for.
	 */
	probe rw__block(void *lock, uint64_t ns, int why);
};

inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* When who began to wait for which lock, by thread; and what contention_begin said of it: LCB_F_*. */
uint64_t __lock_begins[uint64_t, pid_t];
uint32_t __lock_flags[uint64_t, pid_t];

inline uint64_t __lock_since = __lock_begins[(uint64_t)args[0], curthread->pid];
inline uint32_t __lock_how = __lock_flags[(uint64_t)args[0], curthread->pid];
inline uint64_t __lock_ns = timestamp - __lock_since;

/*
 * SPIN 1, READ 2, WRITE 4, RT 8, PERCPU 16, MUTEX 32; of a mutex the last word is what it came to: it alone begins several
 * times.  Of others a start that is still there is of a wait whose end was missed.
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
