/* keeper.c - starts dtrace, ends it when its time or lease is over, and records the result. */
#include "fleet/host/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/close_range.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fleet/files.h"
#include "fleet/host/cost.h"
#include "fleet/host/group.h"
#include "fleet/viewer/newest.h"

enum {
	LOOK_MS = 50,
	PATIENCE_MS = 5000, /* time that dtrace has to end after SIGINT, before SIGKILL */
	/*
	 * The keeper ends dtrace if it still runs LATE_S seconds after the end of the run. Only a
	 * slow disk makes dtrace this late.
	 */
	LATE_S = 10,
	/* number of arguments of "dtrace-fleet keep" before the command line of dtrace */
	ARGS = 10,
	/*
	 * A file may exceed the policy's limit by this number of bytes, because dtrace still writes
	 * while it ends.
	 */
	BYTES_MORE = 16 << 20,
	GROUP_MAX = 3 * PATH_MAX,
};

/* ------------------------------------------------------------------ the agent's side */

int folder_lock(const char *dir)
{
	char path[PATH_MAX];
	int fd = open(path_in(path, dir, "lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return -1;
	}
	return fd;
}

bool keeper_lives(const char *dir)
{
	int fd = folder_lock(dir);

	if (fd >= 0)
		close(fd);
	return fd < 0;
}

/*
 * Turns this child process into the keeper, which holds the lock @fd of the run's folder while it
 * runs. @input becomes the standard input of the keeper and of dtrace.
 */
static void become_keeper(int fd, int input, const char *const *argv)
{
	int null = open("/dev/null", O_RDWR);

	setsid();
	for (int i = 0; i < 3; i++)
		dup2(i || input < 0 ? null : input, i);
	/* The keeper must not inherit the agent's connection. */
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
	fcntl(fd, F_SETFD, 0);
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

pid_t keeper_start(const struct keeper_opts *o)
{
	VEC(const char *) argv = {0};
	const uint64_t number[] = {o->lease_s, o->until, o->bytes, o->memory, o->files, o->cost};
	char text[sizeof(number) / sizeof(*number)][24];
	int fd = folder_lock(o->dir);
	pid_t pid;

	if (fd < 0)
		return -1;
	vec_push(&argv, o->self);
	vec_push(&argv, "keep");
	vec_push(&argv, o->dir);
	vec_push(&argv, o->lease);
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++) {
		snprintf(text[i], sizeof(text[i]), "%" PRIu64, number[i]);
		vec_push(&argv, text[i]);
	}
	for (const char *const *a = o->argv; *a; a++)
		vec_push(&argv, *a);
	vec_push(&argv, NULL);
	pid = fork();
	if (!pid)
		become_keeper(fd, o->input, argv.v);
	close(fd);
	vec_free(&argv);
	return pid;
}

static void read_group(const char *dir, struct strbuf *dirs)
{
	char path[PATH_MAX];

	file_get(path_in(path, dir, "group"), 0, GROUP_MAX, dirs);
}

void keeper_remove_group(const char *dir)
{
	struct strbuf dirs = {0};

	read_group(dir, &dirs);
	group_remove(strbuf_text(&dirs));
	strbuf_release(&dirs);
}

/* -------------------------------------------------------------------- the keeper's */

struct keeper {
	const char *dir, *lease;
	uint64_t lease_s, until, bytes, memory;
	struct strbuf group; /* directories of the control group of dtrace; empty if it has none */
	/*
	 * measures the CPU time of the probes; NULL for a replay, which has no probes in the kernel
	 */
	struct cost *cost;
	pid_t pid;
	enum end end;      /* why the run ends */
	char why[256];     /* the reason in words */
	uint64_t asked_ns; /* when dtrace was asked to end, ns since boot; 0 if it was not */
};

__attribute__((format(printf, 3, 4))) static void set_end(struct keeper *k, enum end end,
							  const char *fmt, ...)
{
	va_list ap;

	k->end = end;
	va_start(ap, fmt);
	vsnprintf(k->why, sizeof(k->why), fmt, ap);
	va_end(ap);
}

/* Reads the agent's request to end the run. Returns whether there is one. */
static bool stop_was_asked(struct keeper *k)
{
	char path[PATH_MAX], *reason;
	struct strbuf b = {0};
	bool there = file_get(path_in(path, k->dir, "stop"), 0, sizeof(k->why) - 1, &b) && b.len;

	if (there) {
		strbuf_text(&b);
		reason = strchr(b.s, ' ');
		if (reason)
			*reason++ = '\0';
		if (!end_find(b.s, &k->end))
			k->end = END_ASKED;
		snprintf(k->why, sizeof(k->why), "%s", reason ? reason : "");
	}
	strbuf_release(&b);
	return there;
}

/* Returns the seconds from the last renewal of the lease to @now, or 0 if the renewal was later. */
static uint64_t lease_age(const struct keeper *k, uint64_t now)
{
	uint64_t renewed = file_get_number(k->lease);

	return renewed < now ? (now - renewed) / 1000000000u : 0;
}

static bool is_over(struct keeper *k)
{
	char path[PATH_MAX], why[128];

	if (stop_was_asked(k))
		return true;
	if (lease_age(k, now_boot()) > k->lease_s) {
		set_end(k, END_LEASE, "the server was away for %" PRIu64 " seconds", k->lease_s);
		return true;
	}
	if (now_real() / 1000000000u - LATE_S > k->until) {
		set_end(k, END_LATE, "the time of the run was over");
		return true;
	}
	if (file_size(path_in(path, k->dir, "out")) > k->bytes ||
	    file_size(path_in(path, k->dir, "err")) > k->bytes ||
	    file_size(path_in(path, k->dir, "agg")) > k->bytes) {
		set_end(k, END_POLICY,
			"policy: the output, the messages or the aggregations have more than "
			"%" PRIu64 " bytes",
			k->bytes);
		return true;
	}
	if (k->cost && cost_exceeds(k->cost, why, sizeof(why))) {
		set_end(k, END_POLICY, STOPPED "%s", why);
		return true;
	}
	return false;
}

static void check_end(struct keeper *k)
{
	if (!k->asked_ns && is_over(k)) {
		k->asked_ns = now_boot();
		kill(k->pid, SIGINT);
	}
	if (k->asked_ns && now_boot() - k->asked_ns > PATIENCE_MS * 1000000ull)
		kill(k->pid, SIGKILL);
}

/*
 * Returns whether the disk with folder @dir is full, so that dtrace could not write its own error
 * message.
 */
static bool is_disk_full(const char *dir)
{
	struct statvfs st;

	return !statvfs(dir, &st) && (!st.f_bavail || (st.f_files && !st.f_favail));
}

/*
 * Notes how dtrace ended, from its wait status. With -x signalstatus, a dtrace that a signal ended
 * exits with 128 and the signal's number.
 */
static void note_end(struct keeper *k, int status)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
	bool obeyed = WIFEXITED(status) && (sig == SIGINT || sig == SIGTERM || sig == SIGHUP);

	if (k->asked_ns && WIFSIGNALED(status) && sig == SIGKILL)
		set_end(k, END_SIGNAL, "dtrace was asked to end, but did not end within %d s",
			PATIENCE_MS / 1000);
	else if (!k->asked_ns && status && group_was_out_of_memory(strbuf_text(&k->group)))
		set_end(k, END_POLICY,
			"policy: dtrace needed more than %" PRIu64 " bytes of memory", k->memory);
	else if (k->asked_ns && (k->end != END_ASKED || obeyed || !status))
		return;
	else if (WIFSIGNALED(status) || obeyed)
		set_end(k, END_SIGNAL, "dtrace was ended by signal %d (%s)", sig, strsignal(sig));
	else if (WEXITSTATUS(status))
		set_end(k, END_FAILED, "dtrace exited with status %d%s", WEXITSTATUS(status),
			is_disk_full(k->dir) ? ", and the disk is full" : "");
	else
		set_end(k, END_DONE, "%s", "");
}

static void wait_for_it(struct keeper *k)
{
	static const struct timespec pause = {0, LOOK_MS * 1000000};
	int status = 0;

	while (waitpid(k->pid, &status, WNOHANG) != k->pid) {
		check_end(k);
		nanosleep(&pause, NULL);
	}
	note_end(k, status);
}

/*
 * Begins to measure the probes. If that is impossible, ends the run, because nothing would bound
 * the cost of the probes.
 */
static void begin_cost(struct keeper *k, uint64_t percent)
{
	if (!percent)
		return;
	k->cost = cost_new(k->pid, percent);
	if (k->cost)
		return;
	set_end(k, END_POLICY, "policy: the cost of the run's probes cannot be measured: %s",
		strerror(errno));
	k->asked_ns = now_boot();
	kill(k->pid, SIGINT);
}

int keeper_main(int argc, char **argv)
{
	struct keeper k = {0};
	char out[PATH_MAX], err[PATH_MAX], end[PATH_MAX], path[PATH_MAX];
	struct strbuf b = {0};
	struct limits l = {0};

	if (argc <= ARGS)
		return 2;
	k.dir = argv[2];
	k.lease = argv[3];
	k.lease_s = strtoull(argv[4], NULL, 10);
	k.until = strtoull(argv[5], NULL, 10);
	k.bytes = strtoull(argv[6], NULL, 10);
	k.memory = strtoull(argv[7], NULL, 10);
	read_group(k.dir, &k.group);
	l.file = k.bytes + BYTES_MORE;
	/*
	 * RLIMIT_DATA also counts memory that is only reserved, such as stacks of threads. A
	 * control group counts only used memory, so with a group, RLIMIT_DATA may be larger.
	 */
	l.memory = k.group.len ? 4 * k.memory : k.memory;
	l.open = strtoull(argv[8], NULL, 10);
	l.groups = k.group.len ? strbuf_text(&k.group) : NULL;
	path_in(end, k.dir, "end");
	k.pid = file_reserve(end)
			? run_command((const char *const *)argv + ARGS, path_in(out, k.dir, "out"),
				      path_in(err, k.dir, "err"), &l)
			: -1;
	if (k.pid < 0) {
		set_end(&k, END_FAILED, "cannot start dtrace: %s", strerror(errno));
	} else {
		begin_cost(&k, strtoull(argv[9], NULL, 10));
		wait_for_it(&k);
	}
	if (k.cost)
		file_put_number(path_in(path, k.dir, "cost"), cost_used(k.cost));
	cost_free(k.cost);
	group_remove(strbuf_text(&k.group));
	strbuf_addf(&b, "%s %s", end_name(k.end), k.why);
	file_keep_reserved(end, b.s, b.len);
	strbuf_release(&b);
	strbuf_release(&k.group);
	return 0;
}
