/*
 * maps.c - reads the mappings of processes, and opens mapped files, in a helper process.
 *
 * The messages are:
 *
 *	request     body                            answers
 *	MAPS_READ   u32 pid                         any number of MAPS_TEXT, then RPC_END
 *	MAPS_OPEN   u32 pid, u64 from, u64 to       RPC_END, with the descriptor of the file
 *
 *	answer      body
 *	MAPS_TEXT   a part of the text
 *	RPC_END     u32 user of the process, or (uid_t)-1 on failure; u32 errno
 */
#include "procinfo/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "procinfo/budget.h"
#include "sandbox/job.h"
#include "sandbox/launch.h"
#include "sandbox/rpc.h"

#define TEXT_MAX (16u << 20) /* maximum size of the text that is read, in bytes */
/* time after which the helper is killed if it waits for a lock, and if it does anything else */
#define BLOCKED_NS 1000000000u
#define SLOW_NS 10000000000u
#define END_MS 1000         /* maximum time to wait for the end of a killed helper, in ms */
#define AGAIN_MS 100        /* time between two checks whether a slow helper waits, in ms */
#define BLOCKED_PROCESSES 3 /* after this number, all processes of the user count as blocked */
#define LINES 8             /* maximum number of messages */
#define ENDS_MAX 3          /* number of unexpected ends after which there is no helper */

enum { MAPS_READ = RPC_FIRST, MAPS_OPEN, MAPS_TEXT };

static void (*report)(const char *line);

void maps_report(void (*fn)(const char *line))
{
	report = fn;
}

/* ---------------------------------------------------------------------- the work */

static int open_maps(pid_t pid, uid_t *uid)
{
	char path[40];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	*uid = fd >= 0 && !fstat(fd, &st) ? st.st_uid : (uid_t)-1;
	return fd;
}

static int open_mapped(pid_t pid, uint64_t from, uint64_t to)
{
	char path[100];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, from, to);
	return open(path, O_PATH | O_CLOEXEC);
}

/* Reads until the buffer is full, because the kernel returns at most a page at a time. */
static size_t fill(int fd, char *buf, size_t size)
{
	size_t n = 0;
	ssize_t k;

	while (n < size && (k = read(fd, buf + n, size - n)) > 0)
		n += (size_t)k;
	return n;
}

/* -------------------------------------------------------------------- the helper */

static void end_answer(uint32_t serial, uid_t uid, int fd)
{
	uint32_t error = (uint32_t)errno; /* of open(2), if @fd is -1 */
	struct strbuf b = {0};

	rpc_put_u32(&b, uid);
	rpc_put_u32(&b, error);
	if (!rpc_send(SPAWNER_FD, RPC_END, serial, b.s, b.len, fd))
		_exit(0);
	strbuf_release(&b);
}

static void send_maps(uint32_t serial, pid_t pid)
{
	static char buf[RPC_MAX];
	size_t n, sum = 0;
	uid_t uid;
	int fd = open_maps(pid, &uid);

	while (fd >= 0 && sum < TEXT_MAX && (n = fill(fd, buf, sizeof(buf)))) {
		if (!rpc_send(SPAWNER_FD, MAPS_TEXT, serial, buf, n, -1))
			_exit(0);
		sum += n;
	}
	if (fd >= 0)
		close(fd);
	end_answer(serial, uid, -1);
}

static void serve(const struct rpc_message *m)
{
	struct rpc_in in = rpc_open(m);
	pid_t pid = (pid_t)rpc_u32(&in);
	uint64_t from, to;
	int fd;

	if (m->head.type == MAPS_READ) {
		send_maps(m->head.serial, pid);
		return;
	}
	from = rpc_u64(&in);
	to = rpc_u64(&in);
	fd = open_mapped(pid, from, to);
	end_answer(m->head.serial, 0, fd);
	if (fd >= 0)
		close(fd);
}

void maps_main(void)
{
	static struct rpc_message m;

	/* a helper that waits for a lock would not see that its socket is closed */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "dtrace-maps");
	while (rpc_receive(SPAWNER_FD, &m, false, 0) == RPC_OK)
		serve(&m);
	_exit(0);
}

/* -------------------------------------------------------------- blocked processes */

struct blocked {
	pid_t pid;
	uid_t uid;
	int pidfd; /* tells whether the process has ended, so that another may have its PID */
};

static VEC(struct blocked) blocked;
static unsigned lines;

uid_t maps_user(pid_t pid)
{
	char path[40];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return stat(path, &st) ? (uid_t)-1 : st.st_uid;
}

static bool is_user_blocked(uid_t uid)
{
	unsigned n = 0;

	for (size_t i = 0; i < blocked.n; i++)
		n += blocked.v[i].uid == uid;
	return uid && n >= BLOCKED_PROCESSES;
}

/*
 * Returns whether dtrace reads no mappings of process @pid, because a read took too long. After
 * three such processes of one user, this is so for all processes of that user, except root.
 */
static bool is_blocked(pid_t pid)
{
	for (size_t i = 0; i < blocked.n; i++)
		if (blocked.v[i].pid == pid &&
		    !poll(&(struct pollfd){.fd = blocked.v[i].pidfd, .events = POLLIN}, 1, 0))
			return true;
	return blocked.n >= BLOCKED_PROCESSES && is_user_blocked(maps_user(pid));
}

static void report_line(const char *line)
{
	if (report && lines++ < LINES)
		report(line);
}

/* Returns whether there is time to read mappings of the user's processes. */
static bool has_time(uid_t uid)
{
	char line[160];
	bool first;

	if (budget_left(BUDGET_MAPS, uid, &first))
		return true;
	snprintf(line, sizeof(line),
		 "some functions of user %u are shown as numbers: reading the mappings of the "
		 "user's processes takes too long",
		 (unsigned)uid);
	if (first)
		report_line(line);
	return false;
}

void maps_too_many(pid_t pid)
{
	char line[160];

	snprintf(line, sizeof(line),
		 "no more function names from process %d of user %u: it makes too many mappings",
		 (int)pid, (unsigned)maps_user(pid));
	report_line(line);
}

static void add_blocked(pid_t pid)
{
	struct strbuf line = {0};
	uid_t uid = maps_user(pid);

	vec_push(&blocked, ((struct blocked){pid, uid, (int)syscall(SYS_pidfd_open, pid, 0)}));
	strbuf_addf(&line,
		    "no function or probe names from process %d: reading its mappings takes too "
		    "long",
		    (int)pid);
	if (is_user_blocked(uid))
		strbuf_addf(&line, "; none from other processes of user %u either", (unsigned)uid);
	report_line(line.s);
	strbuf_release(&line);
}

/* ------------------------------------------------------------------------- dtrace */

static struct {
	bool wanted;
	int sock; /* socket to the helper, or -1 if it does not run */
	pid_t pid;
	uint32_t serial;
	int error;     /* errno of the last answer */
	unsigned ends; /* number of times that the helper ended unexpectedly */
} helper = {.sock = -1};

void maps_use_helper(void)
{
	helper.wanted = true;
}

void maps_stop(void)
{
	if (helper.sock < 0)
		return;
	close(helper.sock);
	helper.sock = -1;
	kill(helper.pid, SIGKILL);
	/*
	 * If the helper happens to free the memory of a process that was killed, it may wait for a
	 * FUSE server in spite of SIGKILL. So do not wait for the helper for ever.
	 */
	for (int ms = 0; ms < END_MS && !waitpid(helper.pid, NULL, WNOHANG); ms++)
		usleep(1000);
}

static bool start(void)
{
	char *argv[] = {(char *)(uintptr_t)"dtrace", (char *)(uintptr_t)"--maps", NULL};
	int pair[2];

	if (helper.sock >= 0)
		return true;
	if (!helper.wanted || helper.ends >= ENDS_MAX ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return false;
	helper.pid = launch_self(argv, pair[1]);
	close(pair[1]);
	if (helper.pid < 0) {
		helper.ends = ENDS_MAX;
		close(pair[0]);
		return false;
	}
	helper.sock = pair[0];
	return true;
}

/*
 * Returns whether the helper waits for a lock: its state in /proc/PID/stat is D. On a busy machine,
 * it may also be slow in another state.
 */
static bool helper_waits(void)
{
	char path[40], buf[256], *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)helper.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, buf, sizeof(buf) - 1);
	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	end = strrchr(buf, ')');
	return end && !strncmp(end, ") D", 3);
}

static enum rpc_result receive(struct rpc_message *m, uint64_t began)
{
	uint64_t until = began + BLOCKED_NS;

	for (;;) {
		enum rpc_result r = rpc_receive(helper.sock, m, true, until);
		uint64_t now = now_monotonic();

		if (r != RPC_TIMEOUT || helper_waits() || now - began > SLOW_NS)
			return r;
		until = now + AGAIN_MS * 1000000u;
	}
}

/*
 * Sends a request and receives the answers. Appends the text to @text, which may be NULL, and sets
 * @uid and @fd. Returns RPC_TIMEOUT if the process is blocked.
 */
static enum rpc_result ask(uint32_t type, const struct strbuf *body, struct strbuf *text,
			   uid_t *uid, int *fd)
{
	static struct rpc_message m;
	uint64_t began = now_monotonic();
	enum rpc_result r;
	struct rpc_in in;

	if (!rpc_send_now(helper.sock, type, ++helper.serial, body->s, body->len, -1))
		return RPC_CLOSED;
	while ((r = receive(&m, began)) == RPC_OK && m.head.type == MAPS_TEXT && text)
		strbuf_add(text, (const char *)m.body, m.head.size);
	if (r != RPC_OK)
		return r;
	in = rpc_open(&m);
	*uid = rpc_u32(&in);
	helper.error = (int)rpc_u32(&in);
	*fd = m.fd;
	return m.head.type == RPC_END && m.head.serial == helper.serial ? RPC_OK : RPC_BAD;
}

/*
 * Asks the helper, if there is one. Returns RPC_CLOSED if there is no helper, so that this process
 * must do the work.
 */
static enum rpc_result ask_helper(pid_t pid, uint32_t type, const struct strbuf *body,
				  struct strbuf *text, uid_t *uid, int *fd)
{
	enum rpc_result r = RPC_CLOSED;

	while (start()) {
		r = ask(type, body, text, uid, fd);
		if (r == RPC_OK)
			return r;
		maps_stop();
		if (text)
			strbuf_reset(text);
		if (r == RPC_TIMEOUT) {
			add_blocked(pid);
			return r;
		}
		helper.ends++;
	}
	return r;
}

static bool read_here(pid_t pid, struct strbuf *text, uid_t *uid)
{
	char buf[4096];
	size_t n;
	int fd = open_maps(pid, uid);

	if (fd < 0)
		return false;
	while (text->len < TEXT_MAX && (n = fill(fd, buf, sizeof(buf))))
		strbuf_add(text, buf, n);
	close(fd);
	return true;
}

bool maps_read(pid_t pid, struct strbuf *text, uid_t *uid)
{
	struct strbuf body = {0};
	enum rpc_result r;
	int fd = -1;

	errno = ETIME;
	if (is_blocked(pid) || !has_time(maps_user(pid)))
		return false;
	rpc_put_u32(&body, (uint32_t)pid);
	r = ask_helper(pid, MAPS_READ, &body, text, uid, &fd);
	strbuf_release(&body);
	errno = r == RPC_OK ? helper.error : ETIME;
	if (r == RPC_OK)
		return *uid != (uid_t)-1;
	return r != RPC_TIMEOUT && read_here(pid, text, uid);
}

int maps_open(pid_t pid, uint64_t from, uint64_t to)
{
	struct strbuf body = {0};
	enum rpc_result r;
	int fd = -1;
	uid_t uid;

	if (is_blocked(pid))
		return -1;
	rpc_put_u32(&body, (uint32_t)pid);
	rpc_put_u64(&body, from);
	rpc_put_u64(&body, to);
	r = ask_helper(pid, MAPS_OPEN, &body, NULL, &uid, &fd);
	strbuf_release(&body);
	if (r == RPC_OK)
		return fd;
	return r == RPC_TIMEOUT ? -1 : open_mapped(pid, from, to);
}
