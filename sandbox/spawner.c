/*
 * spawner.c - the confined process that forks readers (the spawner), and the main loop of a reader.
 *
 * The spawner itself does not parse input from others. So a new reader starts in a clean state,
 * however the previous reader died. The spawner and its readers run as the same user. This lets the
 * spawner kill readers and raise their limits, after dtrace has given up the right to do so.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sandbox/confine.h"
#include "sandbox/job.h"
#include "sandbox/launch.h"
#include "sandbox/reader.h"

/* maximum address space of a reader, which maps debug files of 500 MB as a whole */
#define ADDRESS_BYTES (4ull << 30)
#define DATA_BYTES (160ull << 20)
#define CHILDREN 64

static const struct job *const *all_jobs;
static pid_t children[CHILDREN];
static bool unconfined; /* -x confine=off: a reader runs even if its filter cannot be installed */

/* --------------------------------------------------------------------- readers */

void answer(const struct request *r, uint32_t type, const struct strbuf *body)
{
	if (!rpc_send(r->sock, type, r->serial, body ? body->s : NULL, body ? body->len : 0, -1))
		_exit(0);
}

static void serve(const struct job *job, int sock)
{
	static struct rpc_message m;

	while (rpc_receive(sock, &m, true, 0) == RPC_OK) {
		struct request r = {sock, m.head.type, m.head.serial, rpc_open(&m), m.fd};

		job->serve(&r);
		if (r.fd >= 0)
			close(r.fd);
		answer(&r, RPC_END, NULL);
	}
}

/* Allows process @pid, which has used @used seconds of CPU time, to use @seconds more. */
static void allow_cpu(pid_t pid, uint64_t used, uint64_t seconds)
{
	struct rlimit l = {used + seconds, RLIM_INFINITY};

	prlimit(pid, RLIMIT_CPU, &l, NULL);
}

static void run_reader(const struct job *job, int sock)
{
	struct strbuf why = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(SPAWNER_FD);
	if (!job->run)
		allow_cpu(0, 0, READER_CPU_S);
	if (!confine_further(CALLS_BASE | CALLS_MESSAGES | job->calls, &why) && !unconfined)
		_exit(1);
	if (job->run)
		job->run(sock);
	else
		serve(job, sock);
	_exit(0);
}

/* --------------------------------------------------------------------- spawner */

static const struct job *find_job(const char *name, size_t n)
{
	for (const struct job *const *j = all_jobs; *j; j++)
		if (strlen((*j)->name) == n && !memcmp((*j)->name, name, n))
			return *j;
	return NULL;
}

/*
 * Returns whether @pid is a running child of this process. Only then are kill() and prlimit() safe.
 */
static bool is_child(pid_t pid)
{
	for (size_t i = 0; pid > 0 && i < CHILDREN; i++)
		if (children[i] == pid)
			return !kill(pid, 0);
	return false;
}

static void add_child(pid_t pid)
{
	static size_t next;

	for (size_t i = 0; i < CHILDREN; i++) {
		size_t at = (next + i) % CHILDREN;

		if (!children[at] || kill(children[at], 0)) {
			children[at] = pid;
			next = at + 1;
			return;
		}
	}
	kill(pid, SIGKILL); /* the table is full; no run has so many jobs */
}

static pid_t fork_reader(struct rpc_in *in, int sock)
{
	size_t n;
	const char *name = rpc_text(in, 32, &n);
	const struct job *job = rpc_ended(in) ? find_job(name, n) : NULL;
	pid_t pid = job && sock >= 0 ? fork() : -1;

	if (pid == 0)
		run_reader(job, sock);
	if (pid > 0)
		add_child(pid);
	return pid;
}

static void handle_request(const struct rpc_message *m)
{
	struct rpc_in in = rpc_open(m);
	struct strbuf b = {0};
	pid_t pid;

	if (m->head.type == RPC_FORK) {
		pid = fork_reader(&in, m->fd);
		rpc_put_u32(&b, pid > 0 ? (uint32_t)pid : 0);
	} else {
		uint64_t used;

		pid = (pid_t)rpc_u32(&in);
		used = rpc_u64(&in);
		if (rpc_ended(&in) && is_child(pid)) {
			if (m->head.type == RPC_CPU)
				allow_cpu(pid, used, READER_CPU_S);
			else if (m->head.type == RPC_KILL)
				kill(pid, SIGKILL);
		}
	}
	if (!rpc_send(SPAWNER_FD, RPC_END, m->head.serial, b.s, b.len, -1))
		_exit(0);
	strbuf_release(&b);
}

/* Returns whether only the descriptors that launch_self() passes are open. */
static bool has_only_its_files(struct strbuf *why)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *e;
	int files = 0;

	while (dir && (e = readdir(dir)))
		files += *e->d_name != '.' && atoi(e->d_name) != dirfd(dir);
	if (dir)
		closedir(dir);
	if (files == SPAWNER_FD + 1)
		return true;
	strbuf_addf(why, "%s",
		    files ? "it inherited open descriptors of dtrace"
			  : "cannot list its open descriptors");
	return false;
}

/* Returns whether the standard files are /dev/null. A reader must not have the user's terminal. */
static bool has_no_terminal(struct strbuf *why)
{
#ifdef SANITIZED /* sanitizers report on standard error */
	const int last = STDOUT_FILENO;
#else
	const int last = STDERR_FILENO;
#endif
	struct stat st;

	for (int fd = STDIN_FILENO; fd <= last; fd++)
		if (fstat(fd, &st) || !S_ISCHR(st.st_mode) || st.st_rdev != makedev(1, 3)) {
			strbuf_adds(why, "its standard input or output is not /dev/null");
			return false;
		}
	return true;
}

static bool give_up_rights(bool best_effort, struct strbuf *why)
{
	struct confinement c = {
		.calls = CALLS_BASE | CALLS_MESSAGES | CALLS_SPAWN,
		.address_bytes = ADDRESS_BYTES,
		.data_bytes = DATA_BYTES,
		.best_effort = best_effort,
	};

	/* A filter can only be narrowed, so the spawner allows the calls of all its readers. */
	for (const struct job *const *j = all_jobs; *j; j++)
		c.calls |= (*j)->calls;
	return ((has_only_its_files(why) && has_no_terminal(why)) || best_effort) &&
	       confine(&c, why);
}

void spawner_main(const struct job *const *jobs, char **argv)
{
	static struct rpc_message m;
	struct strbuf why = {0};

	all_jobs = jobs;
	unconfined = *argv && !strcmp(*argv, "off");
	/* let the kernel reap ended children, because the spawner does not wait for them */
	signal(SIGCHLD, SIG_IGN);
	for (argv += unconfined; *argv; argv++) {
		const struct job *job = find_job(*argv, strlen(*argv));

		if (job && job->load)
			job->load();
	}
	if (!give_up_rights(unconfined, &why)) {
		rpc_send(SPAWNER_FD, RPC_REFUSED, 0, why.s, why.len, -1);
		_exit(1);
	}
	rpc_send(SPAWNER_FD, RPC_READY, 0, NULL, 0, -1);
	while (rpc_receive(SPAWNER_FD, &m, true, 0) == RPC_OK) {
		handle_request(&m);
		if (m.fd >= 0)
			close(m.fd);
	}
	_exit(0); /* this also ends the readers, because of PR_SET_PDEATHSIG */
}
