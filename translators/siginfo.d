/* siginfo.d - the information that accompanies a signal. */

/* The origin of a signal, as sigaction(2) gives it to a handler. */
typedef struct siginfo {
	int si_signo;			/* number of the signal */
	int si_errno;			/* errno that accompanies the signal, mostly 0 */
	int si_code;			/* reason for the signal: SI_USER, SI_TKILL,
					 * SEGV_MAPERR, CLD_EXITED ... */
	pid_t si_pid;			/* process that sent the signal; for SIGCHLD, the child;
					 * else 0 */
	uid_t si_uid;			/* real user ID of process si_pid */
	int si_status;			/* for SIGCHLD: exit status, or the signal that ended the
					 * child */
	uintptr_t si_addr;		/* for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGTRAP:
					 * address of the fault; else 0 */
} siginfo_t;

/*
 * Does signal @sig report a fault (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP)? If the code of the
 * signal is above 0, the siginfo has an address where other signals have the sender (si_pid,
 * si_uid).
 */
inline int __is_fault[int sig] = sig == 11 || sig == 7 || sig == 4 || sig == 8 || sig == 5;

/*
 * Does the siginfo have a process and a user: the sender, or for SIGCHLD the child? In the same
 * place, other signals have other data: signals of timers (code -2), of files (code -5, or 1 to 6),
 * of faults, SIGPOLL (29) and SIGSYS (31). Source: siginfo_layout() in kernel/signal.c.
 */
inline int __has_sender[int sig, int code] = code <= 0 ? code != -2 && code != -5 :
	code >= 0x80 || sig == 17 || (code > 6 && !__is_fault[sig] && sig != 29 && sig != 31);

translator siginfo_t < struct kernel_siginfo *I > {
	si_signo = I == NULL ? 0 : I->si_signo;
	si_errno = I == NULL ? 0 : I->si_errno;
	si_code = I == NULL ? 0 : I->si_code;
	si_pid = I == NULL || !__has_sender[I->si_signo, I->si_code] ? 0 : I->_sifields._kill._pid;
	si_uid = I == NULL || !__has_sender[I->si_signo, I->si_code] ? 0 : I->_sifields._kill._uid;
	si_status = I == NULL || I->si_signo != 17 ? 0 : I->_sifields._sigchld._status;
	si_addr = I == NULL || !__is_fault[I->si_signo] || I->si_code <= 0 ? 0 :
	    (uintptr_t)I->_sifields._sigfault._addr;
};
