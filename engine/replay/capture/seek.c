/*
 * seek.c - finds a record after any byte of a capture file.
 *
 * No format marks the start of a record. So the search accepts a position only if several things
 * that look like records follow one another from there.
 */
#include "base/diag.h"
#include "engine/replay/capture/format.h"

/*
 * The search requires this number of records, each directly after the previous one. Random bytes do
 * not look like so many.
 */
#define CHAIN 6
#define SEARCH_FIRST \
	(256 << 10) /* number of bytes of the first search; each retry reads four times as many */
/* number of bytes that the largest search reads */
#define SEARCH_MAX (1 << 24)

/*
 * Returns whether the bytes from @p on look like CHAIN records. @at_end means that the buffer has
 * the end of the file. Then fewer records are enough, if the last one ends at the end of the file.
 */
static bool is_chain(const struct capture *c, const unsigned char *p, bool at_end)
{
	uint32_t sec = 0;

	for (unsigned i = 0; i < CHAIN; i++) {
		size_t left = (size_t)(c->end - p);
		size_t n = c->format->record_size(c, p, left, &sec);

		if (!n || n > left)
			return false;
		p += n;
		if (p == c->end)
			return at_end;
	}
	return true;
}

static bool find_record(struct capture *c)
{
	struct diag d = {0};
	size_t want = SEARCH_FIRST;
	bool at_end = false;

	while (want <= SEARCH_MAX && !at_end) {
		at_end = reader_fill(c, want, &d) != CAPTURE_PACKET;
		for (unsigned char *p = c->p; p < c->end; p += c->format->align)
			if (is_chain(c, p, at_end)) {
				c->p = p;
				diag_release(&d);
				return true;
			}
		want *= 4;
	}
	diag_release(&d);
	return false;
}

/*
 * Seeks a second time, so that the address of the record depends only on its file offset
 * (reader.c).
 */
bool capture_seek(struct capture *c, uint64_t off, struct diag *d)
{
	uint64_t align = c->format->align;

	off = (off + align - 1) / align * align;
	return !reader_seek(c, off, d) && find_record(c) && !reader_seek(c, reader_pos(c), d);
}

int capture_resume(struct capture *c, uint64_t off, uint64_t packets, struct diag *d)
{
	c->npkt = packets;
	return reader_seek(c, off, d);
}

void capture_set_end(struct capture *c, uint64_t off)
{
	c->stop_at = off;
}
