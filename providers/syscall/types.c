/*
 * types.c - the prototypes of system calls, in D's syntax.
 *
 * BTF has the prototypes of only a few system calls, because most of the kernel's functions for
 * them have one parameter: a pointer to the registers. The types here follow the kernel's
 * declarations, and strings are `const char *`. Use copyin() and copyinstr() for the memory that a
 * pointer points to.
 */
#include <stddef.h>
#include <string.h>

#include "providers/syscall/types.h"

/* A prototype, and all calls that have it. */
static const struct {
	const char *type, *names;
} prototypes[] = {
	/* without arguments */
	{"int (void)", "fork vfork pause sync vhangup sched_yield munlockall inotify_init "
		       "restart_syscall rt_sigreturn"},
	{"pid_t (void)", "getpid getppid gettid getpgrp setsid"},
	{"uid_t (void)", "getuid geteuid"},
	{"gid_t (void)", "getgid getegid"},

	/* files by descriptor */
	{"int (unsigned int)", "close fchdir fdatasync fsync dup alarm"},
	{"int (int)",
	 "syncfs epoll_create epoll_create1 inotify_init1 mlockall sched_get_priority_max "
	 "sched_get_priority_min userfaultfd timer_delete timer_getoverrun "
	 "pkey_free exit exit_group unshare"},
	{"mode_t (mode_t)", "umask"},
	{"ssize_t (unsigned int, void *, size_t)", "read"},
	{"ssize_t (unsigned int, const void *, size_t)", "write"},
	{"ssize_t (unsigned int, void *, size_t, loff_t)", "pread64"},
	{"ssize_t (unsigned int, const void *, size_t, loff_t)", "pwrite64"},
	{"ssize_t (unsigned long, const struct iovec *, unsigned long)", "readv writev"},
	{"ssize_t (unsigned long, const struct iovec *, unsigned long, unsigned long, unsigned "
	 "long)",
	 "preadv pwritev"},
	{"ssize_t (unsigned long, const struct iovec *, unsigned long, unsigned long, unsigned "
	 "long, int)",
	 "preadv2 pwritev2"},
	{"off_t (unsigned int, off_t, unsigned int)", "lseek"},
	{"int (unsigned int, unsigned int, unsigned long)", "fcntl ioctl"},
	{"int (unsigned int, unsigned int)", "dup2 flock"},
	{"int (unsigned int, unsigned int, int)", "dup3"},
	{"int (unsigned int, unsigned int, unsigned int)", "close_range"},
	{"int (unsigned int, off_t)", "ftruncate"},
	{"int (int, int, loff_t, loff_t)", "fallocate"},
	{"int (int, loff_t, size_t, int)", "fadvise64"},
	{"ssize_t (int, loff_t, size_t)", "readahead"},
	{"int (int, loff_t, loff_t, unsigned int)", "sync_file_range"},
	{"ssize_t (int, int, off_t *, size_t)", "sendfile"},
	{"ssize_t (int, loff_t *, int, loff_t *, size_t, unsigned int)", "splice copy_file_range"},
	{"ssize_t (int, int, size_t, unsigned int)", "tee"},
	{"ssize_t (int, const struct iovec *, unsigned long, unsigned int)", "vmsplice"},
	{"int (int *)", "pipe"},
	{"int (int *, int)", "pipe2"},
	{"int (unsigned int, struct linux_dirent *, unsigned int)", "getdents"},
	{"int (unsigned int, struct linux_dirent64 *, unsigned int)", "getdents64"},
	{"int (unsigned int, struct stat *)", "fstat"},
	{"int (unsigned int, struct statfs *)", "fstatfs"},
	{"int (unsigned int, mode_t)", "fchmod"},
	{"int (unsigned int, uid_t, gid_t)", "fchown"},

	/* files by name */
	{"int (const char *, int, mode_t)", "open"},
	{"int (int, const char *, int, mode_t)", "openat"},
	{"int (int, const char *, struct open_how *, size_t)", "openat2"},
	{"int (const char *, mode_t)", "creat mkdir chmod"},
	{"int (int, const char *, mode_t)", "mkdirat fchmodat"},
	{"int (const char *, mode_t, unsigned int)", "mknod"},
	{"int (int, const char *, mode_t, unsigned int)", "mknodat"},
	{"int (int, const char *, mode_t, int)", "faccessat2"},
	{"int (int, const char *, int)", "faccessat unlinkat"},
	{"int (const char *, int)", "access umount2 swapon"},
	{"int (const char *)", "chdir chroot rmdir unlink acct swapoff uselib mq_unlink"},
	{"int (const char *, const char *)", "link rename symlink pivot_root"},
	{"int (int, const char *, int, const char *)", "renameat"},
	{"int (int, const char *, int, const char *, int)", "linkat"},
	{"int (int, const char *, int, const char *, unsigned int)", "renameat2 move_mount"},
	{"int (const char *, int, const char *)", "symlinkat"},
	{"ssize_t (const char *, char *, int)", "readlink"},
	{"ssize_t (int, const char *, char *, int)", "readlinkat"},
	{"int (const char *, uid_t, gid_t)", "chown lchown"},
	{"int (int, const char *, uid_t, gid_t, int)", "fchownat"},
	{"int (const char *, long)", "truncate"},
	{"int (const char *, struct stat *)", "stat lstat"},
	{"int (int, const char *, struct stat *, int)", "newfstatat"},
	{"int (int, const char *, unsigned int, unsigned int, struct statx *)", "statx"},
	{"int (const char *, struct statfs *)", "statfs"},
	{"int (unsigned int, struct ustat *)", "ustat"},
	{"int (char *, unsigned long)", "getcwd"},
	{"int (const char *, struct utimbuf *)", "utime"},
	{"int (const char *, struct __kernel_old_timeval *)", "utimes"},
	{"int (int, const char *, struct __kernel_old_timeval *)", "futimesat"},
	{"int (int, const char *, struct __kernel_timespec *, int)", "utimensat"},
	{"int (const char *, const char *, const void *, size_t, int)", "setxattr lsetxattr"},
	{"int (int, const char *, const void *, size_t, int)", "fsetxattr"},
	{"ssize_t (const char *, const char *, void *, size_t)", "getxattr lgetxattr"},
	{"ssize_t (int, const char *, void *, size_t)", "fgetxattr"},
	{"ssize_t (const char *, char *, size_t)", "listxattr llistxattr"},
	{"ssize_t (int, char *, size_t)", "flistxattr"},
	{"int (const char *, const char *)", "removexattr lremovexattr"},
	{"int (int, const char *)", "fremovexattr"},
	{"int (const char *, const char *, const char *, unsigned long, void *)", "mount"},
	{"int (const char *, unsigned int)", "fsopen memfd_create"},
	{"int (int, unsigned int, const char *, const void *, int)", "fsconfig"},
	{"int (int, unsigned int, unsigned int)", "fsmount"},
	{"int (int, const char *, unsigned int)", "fspick open_tree inotify_add_watch"},
	{"int (int, const char *, unsigned int, struct mount_attr *, size_t)", "mount_setattr"},
	{"int (int, const char *, struct file_handle *, int *, int)", "name_to_handle_at"},
	{"int (int, struct file_handle *, int)", "open_by_handle_at"},
	{"int (int, int)", "inotify_rm_watch"},
	{"int (unsigned int, unsigned int)", "fanotify_init"},
	{"int (int, unsigned int, uint64_t, int, const char *)", "fanotify_mark"},
	{"int (unsigned int, const char *, unsigned int, void *)", "quotactl"},
	{"int (unsigned int, unsigned int, unsigned int, void *)", "quotactl_fd"},
	{"ssize_t (uint64_t, char *, size_t)", "lookup_dcookie"},
	{"int (int, unsigned long, unsigned long)", "sysfs"},

	/* waiting for several descriptors */
	{"int (struct pollfd *, unsigned int, int)", "poll"},
	{"int (struct pollfd *, unsigned int, struct __kernel_timespec *, const sigset_t *, "
	 "size_t)",
	 "ppoll"},
	{"int (int, fd_set *, fd_set *, fd_set *, struct __kernel_old_timeval *)", "select"},
	{"int (int, fd_set *, fd_set *, fd_set *, struct __kernel_timespec *, void *)", "pselect6"},
	{"int (int, int, int, struct epoll_event *)", "epoll_ctl"},
	{"int (int, struct epoll_event *, int, int)", "epoll_wait"},
	{"int (int, struct epoll_event *, int, int, const sigset_t *, size_t)", "epoll_pwait"},
	{"int (int, struct epoll_event *, int, const struct __kernel_timespec *, const sigset_t *, "
	 "size_t)",
	 "epoll_pwait2"},
	{"int (unsigned int)", "eventfd"},
	{"int (unsigned int, int)", "eventfd2"},
	{"int (int, sigset_t *, size_t)", "signalfd"},
	{"int (int, sigset_t *, size_t, int)", "signalfd4"},
	{"int (unsigned int, void *)", "io_setup"},
	{"int (unsigned long)", "io_destroy"},
	{"int (unsigned long, long, struct iocb **)", "io_submit"},
	{"int (unsigned long, struct iocb *, struct io_event *)", "io_cancel"},
	{"int (unsigned long, long, long, struct io_event *, struct __kernel_timespec *)",
	 "io_getevents"},
	{"int (unsigned long, long, long, struct io_event *, struct __kernel_timespec *, const "
	 "void *)",
	 "io_pgetevents"},
	{"int (unsigned int, struct io_uring_params *)", "io_uring_setup"},
	{"int (unsigned int, unsigned int, unsigned int, unsigned int, const void *, size_t)",
	 "io_uring_enter"},
	{"int (unsigned int, unsigned int, void *, unsigned int)", "io_uring_register"},

	/* sockets */
	{"int (int, int, int)", "socket"},
	{"int (int, int, int, int *)", "socketpair"},
	{"int (int, struct sockaddr *, int)", "bind connect"},
	{"int (int, int)", "listen shutdown"},
	{"int (int, struct sockaddr *, int *)", "accept getsockname getpeername"},
	{"int (int, struct sockaddr *, int *, int)", "accept4"},
	{"ssize_t (int, const void *, size_t, unsigned int, struct sockaddr *, int)", "sendto"},
	{"ssize_t (int, void *, size_t, unsigned int, struct sockaddr *, int *)", "recvfrom"},
	{"ssize_t (int, struct user_msghdr *, unsigned int)", "sendmsg recvmsg"},
	{"int (int, struct mmsghdr *, unsigned int, unsigned int)", "sendmmsg"},
	{"int (int, struct mmsghdr *, unsigned int, unsigned int, struct __kernel_timespec *)",
	 "recvmmsg"},
	{"int (int, int, int, void *, int)", "setsockopt"},
	{"int (int, int, int, void *, int *)", "getsockopt"},

	/* memory */
	{"void * (unsigned long, size_t, unsigned long, unsigned long, unsigned long, off_t)",
	 "mmap"},
	{"void * (unsigned long, size_t, size_t, unsigned long, unsigned long)", "mremap"},
	{"int (unsigned long, size_t)", "munmap mlock munlock"},
	{"int (unsigned long, size_t, unsigned long)", "mprotect"},
	{"int (unsigned long, size_t, int)", "msync madvise mlock2"},
	{"int (unsigned long, size_t, unsigned long, int)", "pkey_mprotect"},
	{"int (unsigned long, unsigned long)", "pkey_alloc"},
	{"int (unsigned long, size_t, unsigned char *)", "mincore"},
	{"void * (unsigned long)", "brk"},
	{"int (unsigned long, unsigned long, unsigned long, unsigned long, unsigned long)",
	 "remap_file_pages"},
	{"int (unsigned long, unsigned long, unsigned long, const unsigned long *, unsigned long, "
	 "unsigned int)",
	 "mbind"},
	{"int (int, const unsigned long *, unsigned long)", "set_mempolicy"},
	{"int (int *, unsigned long *, unsigned long, unsigned long, unsigned long)",
	 "get_mempolicy"},
	{"int (unsigned long, unsigned long, unsigned long, unsigned long)",
	 "set_mempolicy_home_node"},
	{"int (pid_t, unsigned long, const unsigned long *, const unsigned long *)",
	 "migrate_pages"},
	{"int (pid_t, unsigned long, const void **, const int *, int *, int)", "move_pages"},
	{"int (unsigned int)", "memfd_secret"},
	{"ssize_t (int, const struct iovec *, size_t, int, unsigned int)", "process_madvise"},
	{"int (int, unsigned int)", "process_mrelease"},
	{"ssize_t (pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned "
	 "long, unsigned long)",
	 "process_vm_readv process_vm_writev"},
	{"int (int, unsigned int, int)", "membarrier"},

	/* processes and signals */
	{"pid_t (unsigned long, unsigned long, int *, int *, unsigned long)", "clone"},
	{"pid_t (struct clone_args *, size_t)", "clone3"},
	{"int (const char *, const char **, const char **)", "execve"},
	{"int (int, const char *, const char **, const char **, int)", "execveat"},
	{"pid_t (pid_t, int *, int, struct rusage *)", "wait4"},
	{"int (int, pid_t, struct siginfo *, int, struct rusage *)", "waitid"},
	{"int (pid_t, int)", "kill tkill"},
	{"int (pid_t, pid_t, int)", "tgkill"},
	{"int (int, const struct sigaction *, struct sigaction *, size_t)", "rt_sigaction"},
	{"int (int, sigset_t *, sigset_t *, size_t)", "rt_sigprocmask"},
	{"int (sigset_t *, size_t)", "rt_sigpending rt_sigsuspend"},
	{"int (const sigset_t *, struct siginfo *, const struct __kernel_timespec *, size_t)",
	 "rt_sigtimedwait"},
	{"int (pid_t, int, struct siginfo *)", "rt_sigqueueinfo"},
	{"int (pid_t, pid_t, int, struct siginfo *)", "rt_tgsigqueueinfo"},
	{"int (const struct sigaltstack *, struct sigaltstack *)", "sigaltstack"},
	{"int (int, int, struct siginfo *, unsigned int)", "pidfd_send_signal"},
	{"int (pid_t, unsigned int)", "pidfd_open"},
	{"int (int, int, unsigned int)", "pidfd_getfd"},
	{"int (int, int)", "setns"},
	{"pid_t (pid_t)", "getpgid getsid"},
	{"int (pid_t, pid_t)", "setpgid"},
	{"int (pid_t, pid_t, int, unsigned long, unsigned long)", "kcmp"},
	{"long (long, long, unsigned long, unsigned long)", "ptrace"},
	{"int (int, unsigned long, unsigned long, unsigned long, unsigned long)", "prctl"},
	{"int (int, unsigned long)", "arch_prctl"},
	{"int (unsigned int)", "personality iopl"},
	{"int (unsigned int, unsigned int, void *)", "seccomp"},
	{"pid_t (int *)", "set_tid_address"},
	{"int (struct robust_list_head *, size_t)", "set_robust_list"},
	{"int (int, struct robust_list_head **, size_t *)", "get_robust_list"},
	{"int (struct rseq *, unsigned int, int, unsigned int)", "rseq"},
	{"int (unsigned int *, int, unsigned int, struct __kernel_timespec *, unsigned int *, "
	 "unsigned int)",
	 "futex"},
	{"int (struct futex_waitv *, unsigned int, unsigned int, struct __kernel_timespec *, int)",
	 "futex_waitv"},

	/* users and rights */
	{"int (uid_t)", "setuid setfsuid"},
	{"int (gid_t)", "setgid setfsgid"},
	{"int (uid_t, uid_t)", "setreuid"},
	{"int (gid_t, gid_t)", "setregid"},
	{"int (uid_t, uid_t, uid_t)", "setresuid"},
	{"int (gid_t, gid_t, gid_t)", "setresgid"},
	{"int (uid_t *, uid_t *, uid_t *)", "getresuid"},
	{"int (gid_t *, gid_t *, gid_t *)", "getresgid"},
	{"int (int, gid_t *)", "getgroups setgroups"},
	{"int (struct __user_cap_header_struct *, struct __user_cap_data_struct *)",
	 "capget capset"},
	{"int (const char *, const char *, const void *, size_t, int)", "add_key"},
	{"int (const char *, const char *, const char *, int)", "request_key"},
	{"long (int, unsigned long, unsigned long, unsigned long, unsigned long)", "keyctl"},
	{"int (const struct landlock_ruleset_attr *, size_t, unsigned int)",
	 "landlock_create_ruleset"},
	{"int (int, unsigned int, const void *, unsigned int)", "landlock_add_rule"},
	{"int (int, unsigned int)", "landlock_restrict_self"},

	/* time and scheduling */
	{"time_t (time_t *)", "time"},
	{"clock_t (struct tms *)", "times"},
	{"int (struct __kernel_old_timeval *, struct timezone *)", "gettimeofday settimeofday"},
	{"int (int, struct __kernel_timespec *)", "clock_gettime clock_settime clock_getres"},
	{"int (int, int, const struct __kernel_timespec *, struct __kernel_timespec *)",
	 "clock_nanosleep"},
	{"int (const struct __kernel_timespec *, struct __kernel_timespec *)", "nanosleep"},
	{"int (int, struct __kernel_timex *)", "clock_adjtime"},
	{"int (struct __kernel_timex *)", "adjtimex"},
	{"int (int, struct itimerval *)", "getitimer"},
	{"int (int, struct itimerval *, struct itimerval *)", "setitimer"},
	{"int (int, struct sigevent *, int *)", "timer_create"},
	{"int (int, struct __kernel_itimerspec *)", "timer_gettime timerfd_gettime"},
	{"int (int, int, const struct __kernel_itimerspec *, struct __kernel_itimerspec *)",
	 "timer_settime timerfd_settime"},
	{"int (int, int)", "timerfd_create getpriority ioprio_get"},
	{"int (int, int, int)", "setpriority ioprio_set"},
	{"int (pid_t)", "sched_getscheduler"},
	{"int (pid_t, struct sched_param *)", "sched_getparam sched_setparam"},
	{"int (pid_t, int, struct sched_param *)", "sched_setscheduler"},
	{"int (pid_t, unsigned int, unsigned long *)", "sched_getaffinity sched_setaffinity"},
	{"int (pid_t, struct __kernel_timespec *)", "sched_rr_get_interval"},
	{"int (pid_t, struct sched_attr *, unsigned int)", "sched_setattr"},
	{"int (pid_t, struct sched_attr *, unsigned int, unsigned int)", "sched_getattr"},
	{"int (unsigned int *, unsigned int *, void *)", "getcpu"},
	{"int (unsigned int, struct rlimit *)", "getrlimit setrlimit"},
	{"int (pid_t, unsigned int, const struct rlimit64 *, struct rlimit64 *)", "prlimit64"},
	{"int (int, struct rusage *)", "getrusage"},

	/* IPC of System V and POSIX */
	{"int (int, size_t, int)", "shmget"},
	{"void * (int, void *, int)", "shmat"},
	{"int (void *)", "shmdt"},
	{"int (int, int, struct shmid_ds *)", "shmctl"},
	{"int (int, int, int)", "semget"},
	{"int (int, struct sembuf *, unsigned int)", "semop"},
	{"int (int, struct sembuf *, unsigned int, const struct __kernel_timespec *)",
	 "semtimedop"},
	{"int (int, int, int, unsigned long)", "semctl"},
	{"int (int, int)", "msgget"},
	{"int (int, const void *, size_t, int)", "msgsnd"},
	{"ssize_t (int, void *, size_t, long, int)", "msgrcv"},
	{"int (int, int, struct msqid_ds *)", "msgctl"},
	{"int (const char *, int, mode_t, struct mq_attr *)", "mq_open"},
	{"int (int, const char *, size_t, unsigned int, const struct __kernel_timespec *)",
	 "mq_timedsend"},
	{"ssize_t (int, char *, size_t, unsigned int *, const struct __kernel_timespec *)",
	 "mq_timedreceive"},
	{"int (int, const struct sigevent *)", "mq_notify"},
	{"int (int, const struct mq_attr *, struct mq_attr *)", "mq_getsetattr"},

	/* the machine */
	{"int (struct new_utsname *)", "uname"},
	{"int (char *, int)", "sethostname setdomainname"},
	{"int (struct sysinfo *)", "sysinfo"},
	{"int (int, char *, int)", "syslog"},
	{"int (int, int, unsigned int, void *)", "reboot"},
	{"int (unsigned long, unsigned long, int)", "ioperm"},
	{"int (int, void *, unsigned long)", "modify_ldt"},
	{"int (struct user_desc *)", "get_thread_area set_thread_area"},
	{"ssize_t (char *, size_t, unsigned int)", "getrandom"},
	{"int (void *, unsigned long, const char *)", "init_module"},
	{"int (int, const char *, int)", "finit_module"},
	{"int (const char *, unsigned int)", "delete_module"},
	{"int (unsigned long, unsigned long, struct kexec_segment *, unsigned long)", "kexec_load"},
	{"int (int, int, unsigned long, const char *, unsigned long)", "kexec_file_load"},
	{"int (int, union bpf_attr *, unsigned int)", "bpf"},
	{"int (struct perf_event_attr *, pid_t, int, int, unsigned long)", "perf_event_open"},
};

/* Returns whether @name is one of the words. */
static bool has_word(const char *words, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = words; (at = strstr(at, name)); at += n)
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

const char *syscall_type(const char *name)
{
	for (size_t i = 0; i < sizeof(prototypes) / sizeof(*prototypes); i++)
		if (has_word(prototypes[i].names, name))
			return prototypes[i].type;
	return NULL;
}
