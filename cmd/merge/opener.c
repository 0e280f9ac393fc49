/*
 * opener.c - the process that opens files for --merge -x follow.
 *
 * The messages are:
 *
 *	request     body           answers
 *	ASK_FILES   none           any number of FILE_OPEN and FILE_FAILED, then FILES_END
 *
 *	answer      body
 *	FILE_OPEN   text path; the message carries the descriptor of the file
 *	FILE_FAILED text path, text why
 *	FILES_END   none
 */
#include "cmd/merge/opener.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "sandbox/rpc.h"

#define TEXT_MAX (RPC_MAX / 2)

enum { ASK_FILES = 1, FILE_OPEN, FILE_FAILED, FILES_END };

/* ---------------------------------------------------------------------- the opener */

static void answer(int sock, uint32_t type, const char *path, const char *why, int fd)
{
	struct strbuf b = {0};

	rpc_put_text(&b, path);
	if (why)
		rpc_put_text(&b, why);
	if (!rpc_send(sock, type, 0, b.s, b.len, fd))
		_exit(0);
	strbuf_release(&b);
}

/*
 * Answers with a descriptor of the file, or with an error. Sends no answer if the file has been
 * deleted.
 */
static void pass(int sock, const char *path, bool in_folder)
{
	const char *why = NULL;
	int fd = in_folder ? file_open_listed(path, AGGFILE_FOREIGN_MAX, &why)
			   : open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		answer(sock, FILE_OPEN, path, NULL, fd);
		close(fd);
		return;
	}
	why = why ? why : strerror(errno);
	if (!access(path, F_OK) || errno != ENOENT)
		answer(sock, FILE_FAILED, path, why, -1);
}

static void pass_folder(int sock, const char *folder, struct dirent **e, int n)
{
	struct strbuf path = {0};

	for (int i = 0; i < n; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", folder, e[i]->d_name);
		pass(sock, path.s, true);
		free(e[i]);
	}
	strbuf_release(&path);
	free(e);
}

static void serve(int sock, const char *const *path, size_t npath)
{
	static struct rpc_message m;

	while (rpc_receive(sock, &m, false, 0) == RPC_OK && m.head.type == ASK_FILES) {
		for (size_t i = 0; i < npath; i++) {
			struct dirent **e;
			int n = scandir(path[i], &e, aggfile_filter, alphasort);

			if (n < 0)
				pass(sock, path[i], false);
			else
				pass_folder(sock, path[i], e, n);
		}
		if (!rpc_send(sock, FILES_END, 0, NULL, 0, -1))
			return;
	}
}

/*
 * Runs the opener in the child process. Ignores Ctrl-C and other signals that end the run, because
 * the parent reads the files once more before it stops the opener.
 */
static void be_opener(int sock, const char *const *path, size_t n)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_NAME, "dtrace-opener");
	serve(sock, path, n);
	_exit(0);
}

/* ---------------------------------------------------------------------- the parent */

struct opener {
	pid_t pid;
	int sock;
	struct rpc_message m;
};

static void cannot_start(struct diag *d)
{
	diag_error(d, D_SYS, NOLOC, "cannot start a process that opens files: %s", strerror(errno));
}

struct opener *opener_start(const char *const *path, size_t n, struct diag *d)
{
	struct opener *o;
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		cannot_start(d);
		return NULL;
	}
	pid = fork();
	if (!pid) {
		close(pair[0]);
		be_opener(pair[1], path, n);
	}
	close(pair[1]);
	if (pid < 0) {
		cannot_start(d);
		close(pair[0]);
		return NULL;
	}
	o = xcalloc(1, sizeof(*o));
	o->pid = pid;
	o->sock = pair[0];
	return o;
}

/*
 * Calls @fn with the contents of one answer, unless *@more is false. Sets *@more to the result of
 * @fn. Returns false if the answer is malformed.
 */
static bool hand_on(struct opener *o, opened_fn *fn, void *ctx, bool *more)
{
	struct rpc_in in = rpc_open(&o->m);
	size_t npath, nwhy = 0;
	const char *path = rpc_text(&in, TEXT_MAX, &npath), *why = NULL;
	const char *text = o->m.head.type == FILE_FAILED ? rpc_text(&in, TEXT_MAX, &nwhy) : "";
	bool is_open = o->m.head.type == FILE_OPEN && o->m.fd >= 0;
	struct strbuf bytes = {0}, name = {0}, reason = {0};

	if (!rpc_ended(&in) || (!is_open && o->m.head.type != FILE_FAILED))
		return false;
	strbuf_add(&name, path, npath);
	strbuf_add(&reason, text, nwhy);
	if (!is_open)
		why = strbuf_text(&reason);
	else if (!aggfile_read_fd(o->m.fd, AGGFILE_FOREIGN_MAX, &bytes, &why))
		strbuf_reset(&bytes);
	if (*more)
		*more = fn(ctx, strbuf_text(&name), &bytes, why);
	else
		strbuf_release(&bytes);
	strbuf_release(&name);
	strbuf_release(&reason);
	return true;
}

bool opener_read(struct opener *o, opened_fn *fn, void *ctx, struct diag *d)
{
	bool more = true, good = rpc_send(o->sock, ASK_FILES, 0, NULL, 0, -1);

	while (good) {
		good = rpc_receive(o->sock, &o->m, true, 0) == RPC_OK;
		if (good && o->m.head.type == FILES_END)
			return true;
		good = good && hand_on(o, fn, ctx, &more);
		if (o->m.fd >= 0)
			close(o->m.fd);
	}
	diag_error(d, D_SYS, NOLOC, "the process that opens the files has died");
	return false;
}

void opener_stop(struct opener *o)
{
	if (!o)
		return;
	close(o->sock);
	while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	xfree(o);
}
