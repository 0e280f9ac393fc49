/*
 * siginfo.d - what comes with a signal.
 */

/* Where a signal comes from, as sigaction(2) tells a handler. */
typedef struct siginfo {
	int si_signo;			/* signal */
	int si_errno;			/* errno that goes with it, mostly 0 */
	int si_code;			/* why: SI_USER, SI_TKILL, SEGV_MAPERR, CLD_EXITED ... */
	pid_t si_pid;			/* process that sent it, or the child; 0: neither */
	uid_t si_uid;			/* that one's real user */
	int si_status;			/* of SIGCHLD: exit status, or the signal that ended the child */
	uintptr_t si_addr;		/* of a fault: the address; 0: none */
} siginfo_t;

/* Of signals that tell whom they are from; faults have an address in the same place. */
inline int __is_fault[int sig] = sig == 11 || sig == 7 || sig == 4 || sig == 8 || sig == 5;

translator siginfo_t < struct kernel_siginfo *I > {
	si_signo = I == NULL ? 0 : I->si_signo;
	si_errno = I == NULL ? 0 : I->si_errno;
	si_code = I == NULL ? 0 : I->si_code;
	si_pid = I == NULL || (__is_fault[I->si_signo] && I->si_code > 0) ? 0 : I->_sifields._kill._pid;
	si_uid = I == NULL || (__is_fault[I->si_signo] && I->si_code > 0) ? 0 : I->_sifields._kill._uid;
	si_status = I == NULL || I->si_signo != 17 ? 0 : I->_sifields._sigchld._status;
	si_addr = I == NULL || !__is_fault[I->si_signo] || I->si_code <= 0 ? 0 :
	    (uintptr_t)I->_sifields._sigfault._addr;
};
