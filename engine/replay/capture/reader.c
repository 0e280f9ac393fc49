/*
 * reader.c - the buffered reader that capture formats use.
 *
 * The reader reads blocks of BLOCK bytes, each to the start of the buffer, and records are used in
 * place. If a record continues after the end of a block, the rest of the record is read into the
 * buffer behind the block. So the address of a record depends only on its offset in the file, and
 * not on the place where reading began. This makes processes that share a file print the same
 * pointers.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "engine/replay/capture/format.h"
#include "engine/replay/fixed_memory.h"

#define BLOCK (512u << 10)
#define PIPE_WAIT_MS 1000

/* Doubles the buffer for a larger record. */
static void grow(struct capture *c)
{
	size_t used = (size_t)(c->p - c->buf), have = reader_left(c);

	c->generation++;
	c->buf = fixed_memory_grow(c->buf, c->cap, c->cap * 2);
	c->cap *= 2;
	c->p = c->buf + used;
	c->end = c->p + have;
}

/*
 * Returns how many bytes to read next: up to the end of the block, but more if the @need bytes at
 * c->p end after the block.
 */
static size_t room_for(const struct capture *c, size_t need)
{
	size_t upto = (size_t)(c->p - c->buf) + need;

	if (upto < BLOCK)
		upto = BLOCK;
	if (upto > c->cap)
		upto = c->cap;
	return upto - (size_t)(c->end - c->buf);
}

/* Calls read(2) once, to get @need bytes at c->p. Returns CAPTURE_PACKET if it read any. */
static enum capture_result read_more(struct capture *c, size_t need, struct diag *d)
{
	struct pollfd pfd = {.fd = c->fd, .events = POLLIN};
	size_t room = room_for(c, need);
	int ready = c->regular ? 1 : poll(&pfd, 1, PIPE_WAIT_MS);
	ssize_t n;

	if (!ready)
		return CAPTURE_AGAIN;
	n = ready < 0 ? -1 : read(c->fd, c->end, room < BLOCK ? room : BLOCK);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return CAPTURE_AGAIN;
	if (n < 0) {
		diag_error(d, D_SYS, NOLOC, "failed to read %s: %s", c->name, strerror(errno));
		return CAPTURE_BAD;
	}
	c->end += n;
	c->nread += (uint64_t)n;
	return n ? CAPTURE_PACKET : CAPTURE_END;
}

enum capture_result reader_fill(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r;

	if (c->p == c->end && c->p >= c->buf + BLOCK) {
		c->p = c->end = c->buf + (size_t)(c->p - c->buf) % BLOCK;
		c->generation++;
	}
	while (reader_left(c) < need) {
		if (c->end == c->buf + c->cap)
			grow(c);
		r = read_more(c, need, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	return CAPTURE_PACKET;
}

enum capture_result reader_fill_record(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r = reader_fill(c, need, d);

	return r == CAPTURE_END ? capture_cut_short(c, d) : r;
}

enum capture_result reader_fill_start(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r = reader_fill(c, need, d);

	return r == CAPTURE_END && c->end != c->p ? capture_cut_short(c, d) : r;
}

enum capture_result reader_first_bytes(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r;

	do {
		errno = 0;
		r = reader_fill(c, need, d);
	} while (r == CAPTURE_AGAIN && errno != EINTR);
	if (r == CAPTURE_AGAIN)
		diag_error(d, D_SYS, NOLOC, "interrupted while waiting for %s", c->name);
	return r;
}

enum capture_result reader_skip(struct capture *c, struct diag *d)
{
	enum capture_result r;
	size_t n;

	for (;;) {
		n = reader_left(c);
		if (n > c->skip)
			n = (size_t)c->skip;
		c->p += n;
		c->skip -= n;
		if (!c->skip)
			return CAPTURE_PACKET;
		r = reader_fill_record(c, 1, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
}

int reader_seek(struct capture *c, uint64_t off, struct diag *d)
{
	if (lseek(c->fd, (off_t)off, SEEK_SET) < 0)
		return diag_error(d, D_SYS, NOLOC, "failed to read %s: %s", c->name,
				  strerror(errno));
	c->p = c->end = c->buf + off % BLOCK;
	c->nread = off;
	c->generation++;
	c->skip = 0;
	return 0;
}

void reader_init(struct capture *c, int fd)
{
	struct stat st;

	c->fd = fd;
	c->stop_at = UINT64_MAX;
	c->cap = 2 * BLOCK;
	c->buf = fixed_memory_map(FIXED_CAPTURE, c->cap);
	c->p = c->end = c->buf;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		c->regular = true;
		c->size = (uint64_t)st.st_size;
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
}

void reader_release(struct capture *c)
{
	if (c->fd >= 0)
		close(c->fd);
	fixed_memory_unmap(c->buf, c->cap);
}
