/*
 * output.c - what goes to stdout: gathered, and written in pieces.
 *
 * Written by write(2), as a signal may come while the reader is slow: stdio does
 * not say how much of a buffer is out then, and throws the rest away.
 */
#include "consumer/output.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* A piece.  Larger ones save no time. */
#define BATCH 65536

/* Somebody else may have made it non-blocking: it is one with their descriptor. */
static bool wait_for_room(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

static bool write_all(int fd, const char *s, size_t n)
{
	while (n) {
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

/* A stream in memory has no descriptor.  What others wrote to @f goes first. */
static bool write_out(FILE *f, const char *s, size_t n)
{
	int fd = fileno(f);

	if (fd < 0)
		return fwrite(s, 1, n, f) == n && !fflush(f);
	return !fflush(f) && write_all(fd, s, n);
}

void output_flush(struct output *o)
{
	if (o->buf.len && !o->broken && !write_out(o->f, o->buf.s, o->buf.len)) {
		o->error = errno;
		o->broken = true;
	}
	strbuf_reset(&o->buf);
}

void output_spill(struct output *o)
{
	if (o->buf.len >= BATCH)
		output_flush(o);
}

void output_release(struct output *o)
{
	strbuf_release(&o->buf);
}
