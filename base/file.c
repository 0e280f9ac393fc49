/*
 * file.c - see file.h.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/xalloc.h"

int file_read(FILE *f, struct strbuf *b)
{
	char buf[65536];
	size_t n;

	errno = 0;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		strbuf_add(b, buf, n);
	strbuf_add(b, "", 0);
	return !ferror(f) ? 0 : errno ? errno : EIO;
}

/* Somebody else may have made it non-blocking: it is one with their descriptor. */
static bool wait_for_room(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

bool file_write(int fd, const void *p, size_t n)
{
	for (const char *s = p; n;) {
		ssize_t done = write(fd, s, n);

		if (done < 0 && errno == EAGAIN && wait_for_room(fd))
			continue;
		if (done < 0 && errno != EINTR)
			return false;
		s += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

bool file_read_all(int fd, void *p, size_t n)
{
	for (char *at = p; n;) {
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

/* Beside the file, so that taking its place is one step. */
static char *new_name(const char *path)
{
	struct strbuf b = {0};

	strbuf_addf(&b, "%s.new", path);
	return b.s;
}

static int create(const char *name, mode_t mode)
{
	return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
}

/* A disk that is full may say so at the end only.  Some files are on no disk: EINVAL. */
static int write_and_close(int fd, const void *p, size_t n, bool lasting)
{
	int err = file_write(fd, p, n) && (!lasting || !fdatasync(fd) || errno == EINVAL) ? 0 : errno;

	if (close(fd) && !err)
		err = errno;
	return err;
}

int file_replace(const char *path, const void *p, size_t n, mode_t mode, bool lasting)
{
	char *name = new_name(path);
	int fd = create(name, mode), err = fd < 0 ? errno : write_and_close(fd, p, n, lasting);

	if (!err && rename(name, path))
		err = errno;
	if (err && fd >= 0)
		unlink(name);
	xfree(name);
	return err;
}

int file_replaceable(const char *path)
{
	char *name = new_name(path);
	int fd = create(name, 0600), err = fd < 0 ? errno : 0;

	if (fd >= 0) {
		close(fd);
		unlink(name);
	}
	xfree(name);
	return err;
}
