/* target.c - starts, stops and watches the processes of -c and -p. */
#include "cmd/target/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "cmd/target/breakpoint.h"

/*
 * Maximum time to wait for all threads of a process to stop, in ms. A thread in uninterruptible
 * sleep does not stop.
 */
#define STOP_MS 1000

pid_t targets_first(const struct targets *t)
{
	return t->v.n ? t->v.v[0].pid : -1;
}

/* ------------------------------------------------------------------- watching */

static int watch(struct targets *t, struct target *tg)
{
	struct epoll_event ev = {.events = EPOLLIN};

	if (!t->v.n)
		t->epoll = epoll_create1(EPOLL_CLOEXEC);
	tg->pidfd = (int)syscall(SYS_pidfd_open, tg->pid, 0);
	if (tg->pidfd < 0 || epoll_ctl(t->epoll, EPOLL_CTL_ADD, tg->pidfd, &ev))
		return -1;
	vec_push(&t->v, *tg);
	return 0;
}

static bool has_ended(const struct target *tg)
{
	struct pollfd p = {.fd = tg->pidfd, .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void print_end(const struct target *tg, int status, FILE *to)
{
	if (WIFSIGNALED(status))
		fprintf(to, "dtrace: pid %d terminated by SIG%s\n", tg->pid,
			sigabbrev_np(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		fprintf(to, "dtrace: pid %d exited with status %d\n", tg->pid, WEXITSTATUS(status));
	else
		fprintf(to, "dtrace: pid %d has exited\n", tg->pid);
}

/*
 * Reports the end of a target. The exit status is known only for a command of -c, because such a
 * command is our own child.
 */
static void report_end(struct targets *t, struct target *tg, FILE *to)
{
	int status = 0;

	if (tg->ours)
		waitpid(tg->pid, &status, 0);
	if (to)
		print_end(tg, status, to);
	epoll_ctl(t->epoll, EPOLL_CTL_DEL, tg->pidfd, NULL);
	tg->gone = true;
}

/* -------------------------------------------------------------------- holding */

/* Returns whether the thread has stopped. Threads that have ended are handled by is_reaped(). */
static bool take_stop(struct held *h)
{
	siginfo_t si = {0};

	if (h->stopped || waitid(P_PID, (id_t)h->tid, &si, WSTOPPED | WNOHANG | __WALL) ||
	    !si.si_pid)
		return h->stopped;
	h->stopped = true;
	/* A status above 0xff means that ptrace stopped the thread. The low byte is the signal. */
	h->by_sigstop = si.si_status > 0xff && (si.si_status & 0xff) == SIGSTOP;
	h->sig = si.si_status > 0xff || si.si_status == SIGTRAP ? 0 : si.si_status;
	return true;
}

/* Waits until the @n threads at @h have stopped, but not longer than *@ms, which it counts down. */
static void await_stop(struct held *h, size_t n, int *ms)
{
	while (n && (take_stop(h) || --*ms > 0))
		if (h->stopped) {
			h++;
			n--;
		} else {
			poll(NULL, 0, 1);
		}
}

/*
 * Returns whether the thread has ended, and reaps it if so. The tracer must reap every thread,
 * because the process never ends otherwise. But report_end() reaps the main thread of a command of
 * -c, because it needs the exit status.
 */
static bool is_reaped(const struct target *tg, const struct held *h)
{
	siginfo_t si = {0};

	if (has_ended(tg) || (tg->ours && h->tid == tg->pid))
		return has_ended(tg);
	if (waitid(P_PID, (id_t)h->tid, &si, WEXITED | WNOHANG | __WALL))
		return errno == ECHILD;
	return si.si_pid != 0;
}

/*
 * Detaches from the threads that have stopped. The other threads are still held, and the next call
 * tries again.
 */
static void let_go(struct target *tg)
{
	size_t left = 0;

	for (size_t i = 0; i < tg->held.n; i++) {
		struct held *h = &tg->held.v[i];

		if (take_stop(h) && !ptrace(PTRACE_DETACH, h->tid, NULL, (void *)(intptr_t)h->sig))
			continue;
		if (!is_reaped(tg, h))
			tg->held.v[left++] = *h;
	}
	tg->held.n = left;
}

static void wake_up(struct target *tg)
{
	if (!tg->wake || tg->held.n)
		return;
	tg->wake = false;
	syscall(SYS_pidfd_send_signal, tg->pidfd, SIGCONT, NULL, 0);
}

void targets_resume(struct targets *t, bool wake)
{
	for (size_t i = 0; i < t->v.n; i++) {
		struct target *tg = &t->v.v[i];

		for (size_t k = 0; wake && k < tg->held.n; k++)
			tg->wake |= take_stop(&tg->held.v[k]) && tg->held.v[k].by_sigstop;
		let_go(tg);
		wake_up(tg);
	}
}

bool targets_ended(struct targets *t, FILE *to)
{
	size_t gone = 0;

	for (size_t i = 0; i < t->v.n; i++) {
		struct target *tg = &t->v.v[i];

		let_go(tg);
		wake_up(tg);
		if (!tg->gone && has_ended(tg))
			report_end(t, tg, to);
		gone += tg->gone;
	}
	return t->v.n && gone == t->v.n;
}

void targets_release(struct targets *t)
{
	for (size_t i = 0; i < t->v.n; i++) {
		struct target *tg = &t->v.v[i];

		if (tg->ours && !tg->gone) {
			kill(tg->pid, SIGKILL);
			while (waitpid(tg->pid, NULL, 0) == tg->pid && !has_ended(tg))
				continue;
		}
		let_go(tg);
		vec_free(&tg->held);
		close(tg->pidfd);
	}
	if (t->v.n)
		close(t->epoll);
	vec_free(&t->v);
}

/* ------------------------------------------------------------------ -c COMMAND */

static char **split(char *cmd)
{
	VEC(char *) word = {0};
	char *rest = NULL;

	for (char *w = strtok_r(cmd, " \t\n\v\f\r", &rest); w;
	     w = strtok_r(NULL, " \t\n\v\f\r", &rest))
		vec_push(&word, w);
	vec_push(&word, NULL);
	return word.v;
}

static void change_environment(const env_changes *env)
{
	for (size_t i = 0; i < env->n; i++)
		/* this changes only the memory of the child */
		putenv((char *)(uintptr_t)env->v[i]);
}

/* Executes the command in the child process. If that fails, writes errno to @fd. */
_Noreturn static void run_command(char **argv, const env_changes *env, pid_t parent, int fd)
{
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	change_environment(env);
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		execvp(argv[0], argv);
	err = errno;
	if (write(fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* Reads the errno of the child's failure. Returns 0 if the command runs. */
static int start_error(int fd)
{
	int err = 0;
	ssize_t n;

	do
		n = read(fd, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	close(fd);
	return n == sizeof(err) ? err : 0;
}

static pid_t start(char **argv, const env_changes *env)
{
	pid_t parent = getpid(), pid;
	int fd[2], err;

	if (pipe2(fd, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid)
		run_command(argv, env, parent, fd[1]);
	close(fd[1]);
	if (pid < 0)
		close(fd[0]);
	err = pid < 0 ? errno : start_error(fd[0]);
	if (pid > 0 && err)
		waitpid(pid, NULL, 0);
	errno = err;
	return err ? -1 : pid;
}

/* Lets a new process run from its first instruction to the place @hold. */
static void advance(struct target *tg, enum target_hold hold)
{
	struct held h = {.tid = tg->pid};
	int ms = STOP_MS;

	await_stop(&h, 1, &ms);
	ptrace(PTRACE_SETOPTIONS, tg->pid, NULL, (void *)PTRACE_O_EXITKILL);
	tg->at = hold;
	if (h.stopped && hold != HOLD_EXEC)
		breakpoint_run(tg->pid, hold == HOLD_MAIN, &h.sig);
	vec_push(&tg->held, h);
}

void targets_settle(struct targets *t, pid_t pid)
{
	for (size_t i = 0; i < t->v.n; i++) {
		struct target *tg = &t->v.v[i];

		if (tg->pid != pid || !tg->ours || tg->at != HOLD_EXEC || !tg->held.n ||
		    !tg->held.v[0].stopped)
			continue;
		tg->at = HOLD_ENTRY;
		breakpoint_run(pid, false, &tg->held.v[0].sig);
	}
}

int targets_start(struct targets *t, const char *cmd, enum target_hold hold, const env_changes *env,
		  struct diag *d)
{
	struct target tg = {.ours = true};
	char *copy = xstrdup(cmd), **argv = split(copy);
	int err;

	tg.pid = argv[0] ? start(argv, env) : (errno = EINVAL, -1);
	err = errno;
	xfree(argv);
	xfree(copy);
	if (tg.pid < 0)
		return diag_error(d, D_SYS, NOLOC, "failed to execute %s: %s", cmd, strerror(err));
	if (watch(t, &tg)) {
		kill(tg.pid, SIGKILL);
		return diag_error(d, D_SYS, NOLOC, "failed to execute %s: %s", cmd,
				  strerror(errno));
	}
	advance(&t->v.v[t->v.n - 1], hold);
	return 0;
}

/* -------------------------------------------------------------------- -p PID */

static bool is_held(const struct target *tg, pid_t tid)
{
	for (size_t i = 0; i < tg->held.n; i++)
		if (tg->held.v[i].tid == tid)
			return true;
	return false;
}

/*
 * Interrupts a thread and adds it to the held threads. Returns 0 or a positive errno. It is not an
 * error if the thread has ended in the meantime.
 */
static int hold_thread(struct target *tg, pid_t tid)
{
	struct held h = {.tid = tid};

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL))
		return errno == ESRCH ? 0 : errno;
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	vec_push(&tg->held, h);
	return 0;
}

/* Stops the threads that are not held yet. Returns how many there were, or a negative errno. */
static int hold_more(struct target *tg, const char *tasks)
{
	DIR *dir = opendir(tasks);
	struct dirent *e;
	int n = 0, err = 0;

	if (!dir)
		return -errno;
	while (!err && (e = readdir(dir))) {
		pid_t tid = atoi(e->d_name);

		if (tid <= 0 || is_held(tg, tid))
			continue;
		err = hold_thread(tg, tid);
		n++;
	}
	closedir(dir);
	return err ? -err : n;
}

/*
 * Stops all threads of the process. Threads may start other threads, so the search is repeated
 * until it finds no new one. Returns 0 or a positive errno.
 */
static int grab(struct target *tg)
{
	size_t waited = 0;
	int n, ms = STOP_MS;
	char tasks[64];

	snprintf(tasks, sizeof(tasks), "/proc/%d/task", tg->pid);
	do {
		n = hold_more(tg, tasks);
		if (n > 0)
			await_stop(tg->held.v + waited, tg->held.n - waited, &ms);
		waited = tg->held.n;
	} while (n > 0 && !has_ended(tg));
	return -n;
}

/* Returns the process that traces @pid, or 0 if there is none or it is not known. */
static pid_t traced_by(pid_t pid)
{
	char path[64], line[256];
	pid_t by = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && !by && fgets(line, sizeof(line), f))
		sscanf(line, "TracerPid: %d", &by);
	if (f)
		fclose(f);
	return by;
}

static int grab_failed(const struct target *tg, int err, struct diag *d)
{
	pid_t by = err == EPERM ? traced_by(tg->pid) : 0;

	if (by)
		return diag_error(d, D_SYS, NOLOC,
				  "failed to grab pid %d: process %d already traces it; use the "
				  "predicate /pid == %d/ instead of -p",
				  tg->pid, by, tg->pid);
	return diag_error(d, D_SYS, NOLOC, "failed to grab pid %d: %s", tg->pid,
			  err == ENOENT || err == EINVAL ? "No such process" : strerror(err));
}

int targets_grab(struct targets *t, const char *text, struct diag *d)
{
	struct target tg = {0};
	char *end;
	long pid;
	int err;

	errno = 0;
	pid = strtol(text, &end, 10);
	if (errno || end == text || *end || pid <= 0 || pid > INT32_MAX)
		return diag_error(d, D_SYS, NOLOC, "invalid pid: %s", text);
	tg.pid = (pid_t)pid;
	tg.at = HOLD_MAIN; /* the process is already past main() */
	if (watch(t, &tg))
		return grab_failed(&tg, errno, d);
	err = grab(&t->v.v[t->v.n - 1]);
	return err ? grab_failed(&tg, err, d) : 0;
}
