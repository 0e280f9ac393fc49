/*
 * reader.c - starts the spawner and sends requests to readers.
 */
#include "sandbox/reader.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "sandbox/job.h"
#include "sandbox/launch.h"

#define START_WAIT_NS 20000000000u
#define JOBS_MAX 8

struct reader {
	const char *job;
	int sock; /* socket to the process, or -1 if no process runs */
	pid_t pid;
	unsigned generation;
	uint32_t serial;
};

static const char *wanted[JOBS_MAX];
static size_t nwanted;
static bool unconfined;

static struct {
	bool tried;
	int sock; /* socket to the spawner, or -1 if the spawner does not run */
	pid_t pid;
	uint32_t serial;
	struct strbuf why;
} spawner = {.sock = -1};

static struct rpc_message message; /* the last message received */

static uint64_t deadline_in(uint64_t s)
{
	return now_monotonic() + s * 1000000000u;
}

/* --------------------------------------------------------------------- spawner */

void readers_declare(const char *job)
{
	for (size_t i = 0; i < nwanted; i++)
		if (!strcmp(wanted[i], job))
			return;
	if (nwanted < JOBS_MAX)
		wanted[nwanted++] = job;
}

void readers_allow_unconfined(void)
{
	unconfined = true;
}

static pid_t launch(int sock)
{
	char *argv[JOBS_MAX + 4] = {(char *)(uintptr_t)"dtrace", (char *)(uintptr_t)"--reader"};
	size_t n = 2;

	if (unconfined)
		argv[n++] = (char *)(uintptr_t)"off";
	for (size_t i = 0; i < nwanted; i++)
		argv[n++] = (char *)(uintptr_t)wanted[i];
	return launch_self(argv, sock);
}

/* Waits until the spawner has given up its rights. */
static bool is_ready(void)
{
	struct strbuf *why = &spawner.why;

	switch (rpc_receive(spawner.sock, &message, false, now_monotonic() + START_WAIT_NS)) {
	case RPC_OK:
		if (message.head.type == RPC_READY)
			return true;
		strbuf_add(why, message.body, message.head.size);
		break;
	case RPC_TIMEOUT:
		strbuf_adds(why, "the process did not start in time");
		break;
	case RPC_CLOSED:
	case RPC_BAD:
		strbuf_adds(why, "the process ended before it was ready");
		break;
	}
	return false;
}

static void start_spawner(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		strbuf_addf(&spawner.why, "%s", strerror(errno));
		return;
	}
	spawner.pid = launch(pair[1]);
	if (spawner.pid < 0)
		strbuf_addf(&spawner.why, "cannot execute dtrace again: %s", strerror(errno));
	close(pair[1]);
	spawner.sock = pair[0];
	if (spawner.pid < 0 || !is_ready())
		readers_stop();
}

bool readers_start(struct strbuf *why)
{
	if (!spawner.tried) {
		spawner.tried = true;
		start_spawner();
	}
	if (spawner.sock < 0 && why)
		strbuf_adds(why, strbuf_text(&spawner.why));
	return spawner.sock >= 0;
}

void readers_stop(void)
{
	if (spawner.sock >= 0)
		close(spawner.sock);
	spawner.sock = -1;
	/*
	 * The spawner exits when its socket is closed. If the spawner is not confined yet, it runs
	 * as our user and we can also kill it.
	 */
	if (spawner.pid > 0) {
		kill(spawner.pid, SIGKILL);
		while (waitpid(spawner.pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	spawner.pid = 0;
}

/* Sends a message to the spawner and receives its answer. Returns false if the spawner is gone. */
static bool ask_spawner(uint32_t type, const struct strbuf *body, int fd)
{
	uint32_t serial = ++spawner.serial;

	if (spawner.sock < 0)
		return false;
	if (rpc_send_now(spawner.sock, type, serial, body->s, body->len, fd) &&
	    rpc_receive(spawner.sock, &message, false, deadline_in(READER_WAIT_S)) == RPC_OK &&
	    message.head.serial == serial)
		return true;
	readers_stop();
	return false;
}

/* --------------------------------------------------------------------- readers */

struct reader *reader_new(const char *job)
{
	struct reader *r = xcalloc(1, sizeof(*r));

	r->job = job;
	r->sock = -1;
	return r;
}

unsigned reader_generation(const struct reader *r)
{
	return r->sock < 0 ? 0 : r->generation;
}

/* Asks the spawner to kill the reader's process (RPC_KILL) or to raise its CPU limit (RPC_CPU). */
static void control_process(struct reader *r, uint32_t type, uint64_t used_s)
{
	struct strbuf b = {0};

	rpc_put_u32(&b, (uint32_t)r->pid);
	rpc_put_u64(&b, used_s);
	ask_spawner(type, &b, -1);
	strbuf_release(&b);
}

void reader_end(struct reader *r)
{
	if (r->sock < 0)
		return;
	close(r->sock);
	r->sock = -1;
	control_process(r, RPC_KILL, 0);
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	reader_end(r);
	xfree(r);
}

static bool start_process(struct reader *r)
{
	struct strbuf b = {0};
	struct rpc_in in;
	int pair[2];

	if (r->sock >= 0)
		return true;
	if (!readers_start(NULL) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return false;
	rpc_put_text(&b, r->job);
	r->pid = 0;
	if (ask_spawner(RPC_FORK, &b, pair[1])) {
		in = rpc_open(&message);
		r->pid = (pid_t)rpc_u32(&in);
	}
	strbuf_release(&b);
	close(pair[1]);
	if (r->pid <= 0) {
		close(pair[0]);
		return false;
	}
	r->sock = pair[0];
	r->generation++;
	return true;
}

int reader_socket(struct reader *r)
{
	return start_process(r) ? r->sock : -1;
}

/* Returns the CPU time that the reader has used, in seconds. */
static uint64_t cpu_used(const struct reader *r)
{
	struct timespec t = {0};
	clockid_t id;

	if (clock_getcpuclockid(r->pid, &id) || clock_gettime(id, &t))
		return 0;
	return (uint64_t)t.tv_sec;
}

/*
 * Lets the reader use READER_CPU_S more seconds for its next request. The kernel counts the CPU
 * time from the start of the process, so the limit is raised by the time used so far.
 */
static void renew_cpu(struct reader *r)
{
	uint64_t used = cpu_used(r);

	if (used)
		control_process(r, RPC_CPU, used);
}

/*
 * Receives answers until RPC_END. Returns false if the reader died, is too slow, or sent an invalid
 * message.
 */
static bool receive_answers(struct reader *r, answer_fn *fn, void *ctx)
{
	uint64_t until = deadline_in(READER_WAIT_S);

	for (;;) {
		struct rpc_in in;

		if (rpc_receive(r->sock, &message, false, until) != RPC_OK ||
		    message.head.serial != r->serial || now_monotonic() > until)
			return false;
		if (message.head.type == RPC_END)
			return true;
		in = rpc_open(&message);
		if (fn && (!fn(ctx, message.head.type, &in) || in.bad))
			return false;
	}
}

enum reader_result reader_ask(struct reader *r, uint32_t type, const struct strbuf *body, int fd,
			      answer_fn *fn, void *ctx)
{
	if (!start_process(r))
		return READER_NONE;
	r->serial++;
	if (rpc_send_now(r->sock, type, r->serial, body ? body->s : NULL, body ? body->len : 0,
			 fd) &&
	    receive_answers(r, fn, ctx)) {
		renew_cpu(r);
		return READER_ANSWERED;
	}
	reader_end(r);
	return READER_DIED;
}
