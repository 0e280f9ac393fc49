/*
 * snapshots.c - a process that replaces a file each time it gets new bytes.
 *
 * The parent and the process talk over a stream socket. The parent sends the size as a u64, and
 * then the bytes. The process answers with an errno, an int. The process ends when the socket is
 * closed, so it never outlives dtrace. It ignores a message that is not complete.
 */
#include "consumer/aggs/snapshots.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

struct snapshots {
	int fd;
	bool pending; /* the answer to the last snapshot has not been read */
};

static void serve(int fd, const char *path)
{
	uint64_t n;
	void *p = NULL;
	int err = 0;

	while (file_read_exact(fd, &n, sizeof(n))) {
		p = xrealloc(p, n + 1);
		if (!file_read_exact(fd, p, n))
			break;
		err = file_replace(path, p, n, 0666, true);
		if (!file_write(fd, &err, sizeof(err)))
			break;
	}
	_exit(0);
}

/*
 * Runs the process. The process ignores the signals that end a run, because the last snapshot is
 * written after such a signal.
 */
static void child(int fd, const char *path)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	serve(fd, path);
}

struct snapshots *snapshots_start(const char *path)
{
	struct snapshots *s;
	int pair[2];
	pid_t pid;

	errno = file_can_replace(path);
	if (errno || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return NULL;
	pid = fork();
	if (!pid) {
		close(pair[1]);
		child(pair[0], path);
	}
	close(pair[0]);
	if (pid < 0) {
		close(pair[1]);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->fd = pair[1];
	return s;
}

int snapshots_wait(struct snapshots *s)
{
	int err;

	if (!s->pending)
		return 0;
	s->pending = false;
	return file_read_exact(s->fd, &err, sizeof(err)) ? err : EPIPE;
}

int snapshots_put(struct snapshots *s, const void *p, size_t n)
{
	uint64_t size = n;

	snapshots_wait(s); /* an error is ignored, because the new snapshot replaces the last one */
	if (!file_write(s->fd, &size, sizeof(size)) || !file_write(s->fd, p, n))
		return errno;
	s->pending = true;
	return 0;
}

void snapshots_stop(struct snapshots *s)
{
	if (!s)
		return;
	close(s->fd);
	xfree(s);
}
