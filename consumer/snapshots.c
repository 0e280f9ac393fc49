/*
 * snapshots.c - a process that replaces a file again and again.
 *
 * It is told by a socket: u64 size, bytes; and answers with an errno.  It ends when the socket does: so it
 * outlives nobody, and of what was told in part there is nothing to be seen.
 */
#include "consumer/snapshots.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

struct snapshots {
	int fd;
};

/* False: the other one is gone. */
static bool read_all(int fd, void *to, size_t n)
{
	for (char *at = to; n;) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

/* Beside the file, so that taking its place is one step.  To be freed. */
static char *new_name(const char *path)
{
	struct strbuf b = {0};

	strbuf_addf(&b, "%s.new", path);
	return b.s;
}

static int create(const char *name)
{
	return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static int replace(const char *path, const char *name, const void *p, size_t n)
{
	int fd = create(name), err = 0;

	if (fd < 0)
		return errno;
	if (!file_write(fd, p, n))
		err = errno;
	if (close(fd) && !err)
		err = errno;
	if (!err && rename(name, path))
		err = errno;
	if (err)
		unlink(name);
	return err;
}

static void serve(int fd, const char *path, const char *name)
{
	uint64_t n;
	void *p = NULL;
	int err = 0;

	while (read_all(fd, &n, sizeof(n))) {
		p = xrealloc(p, n + 1);
		if (!read_all(fd, p, n))
			break;
		err = replace(path, name, p, n);
		if (!file_write(fd, &err, sizeof(err)))
			break;
	}
	_exit(0);
}

/* What ends us is for us to decide: the last snapshot comes after an interrupt. */
static void child(int fd, const char *path, const char *name)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	serve(fd, path, name);
}

struct snapshots *snapshots_to(const char *path)
{
	char *name = new_name(path);
	struct snapshots *s = NULL;
	int pair[2], fd = create(name);
	pid_t pid = -1;

	if (fd >= 0 && !close(fd) && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		pid = fork();
		if (!pid) {
			close(pair[1]);
			child(pair[0], path, name);
		}
		close(pair[0]);
		if (pid < 0)
			close(pair[1]);
	}
	if (pid > 0) {
		s = xmalloc(sizeof(*s));
		s->fd = pair[1];
	}
	xfree(name);
	return s;
}

int snapshots_put(struct snapshots *s, const void *p, size_t n)
{
	uint64_t size = n;
	int err;

	if (!file_write(s->fd, &size, sizeof(size)) || !file_write(s->fd, p, n))
		return errno;
	return read_all(s->fd, &err, sizeof(err)) ? err : EPIPE;
}

void snapshots_end(struct snapshots *s)
{
	if (!s)
		return;
	close(s->fd);
	xfree(s);
}
