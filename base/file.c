/*
 * file.c - see file.h.
 */
#include "base/file.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

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
