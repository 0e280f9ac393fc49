/*
 * output.c - writes the data of a run.
 *
 * write(2) is used because a signal can arrive while dtrace waits for a slow reader. stdio does not
 * report how many bytes it wrote before the signal, and discards the rest.
 */
#include "consumer/output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"

/* size of a batch in bytes; larger batches save no time */
#define BATCH 65536

/*
 * Writes @n bytes to @f, after the bytes that stdio has buffered. A stream in memory has no
 * descriptor, so stdio writes to such a stream.
 */
static bool write_out(FILE *f, const char *s, size_t n)
{
	int fd = fileno(f);

	if (fd < 0)
		return fwrite(s, 1, n, f) == n && !fflush(f);
	return !fflush(f) && file_write(fd, s, n);
}

void output_flush(struct output *o)
{
	if (o->buf.len && !o->broken && !o->hidden && !write_out(o->f, o->buf.s, o->buf.len)) {
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

/*
 * Makes the stream's descriptor refer to the file of the descriptor @to. The number of the stream's
 * descriptor stays the same, so that commands inherit the redirected output. Returns 0 or a
 * positive errno.
 */
static int redirect(struct output *o, int to)
{
	int fd = fileno(o->f);

	if (fd < 0)
		return EBADF;
	if (!o->before)
		o->before = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (o->before < 0) {
		o->before = 0;
		return errno;
	}
	return dup2(to, fd) < 0 ? errno : 0;
}

int output_redirect(struct output *o, int fd)
{
	int err;

	if (fd < 0) {
		o->reopened = false;
		return o->before ? redirect(o, o->before) : 0;
	}
	err = redirect(o, fd);
	o->reopened |= !err;
	return err;
}

void output_truncate(struct output *o)
{
	int fd = fileno(o->f);

	if (fd >= 0 && !ftruncate(fd, 0))
		lseek(fd, 0, SEEK_SET);
}

void output_release(struct output *o)
{
	if (o->before)
		close(o->before);
	strbuf_release(&o->buf);
}
