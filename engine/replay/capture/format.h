/*
 * format.h - what a capture format implements, and the buffered reader below it.
 *
 * A format is one file with one row (struct capture_format) that capture.c lists in formats[].
 * Only the row knows what a record looks like.  The reader knows bytes: it fills the buffer,
 * seeks and skips.  The formats' private header: users of captures include capture.h.
 *
 * Every parser starts a record over when the record is not complete yet.  A slow pipe can
 * therefore be left, and come back to, at any point.
 */
#ifndef REPLAY_CAPTURE_FORMAT_H
#define REPLAY_CAPTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "engine/replay/capture/capture.h"

#define CAPTURE_RECORD_MAX (64u << 20) /* bytes; a longer record is damage */
#define CAPTURE_NSEC 1000000000ull

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct capture_format {
	const char *name; /* for messages; NULL: packets of an interface, not of a file */

	/*
	 * Is the file in this format?  Reads what it needs with reader_first_bytes().
	 * CAPTURE_PACKET: yes, and the reader stands at the first record.  CAPTURE_END: no.
	 * CAPTURE_BAD or CAPTURE_AGAIN: the file cannot be read; the error is in @d.
	 */
	enum capture_result (*recognise)(struct capture *c, struct diag *d);

	/* As capture_next(), without the filter. */
	enum capture_result (*next)(struct capture *c, struct packet *out, struct diag *d);

	/*
	 * Describes the packet of the record at @p, without its time and owner.  Returns the size
	 * of the record in bytes; 0: the record is damaged, not wholly in the buffer, or no
	 * packet.  NULL: this format has no record in the buffer to look at.
	 */
	size_t (*peek)(const struct capture *c, const unsigned char *p, struct packet *out);

	/*
	 * Does a record begin at @p, judging by the @left bytes there?  Returns its size in bytes;
	 * 0: no.  *@sec is the second of the record before, in the file's time (0: unknown); the
	 * function sets it to this record's.  capture_seek() accepts a chain of such records.
	 */
	size_t (*record_size)(const struct capture *c, const unsigned char *p, size_t left,
			      uint32_t *sec);
	size_t align; /* file offsets of records are multiples of this, in bytes */

	bool tells_owners; /* has fields for the process that a packet belongs to */

	void (*free_state)(void *state); /* frees capture.state; NULL: nothing to free */
};

struct capture {
	const struct capture_format *format; /* NULL: not recognised yet */
	void *state;                         /* the format's own */
	struct pcap_filter *filter;          /* borrowed; NULL: all packets are wanted */
	char *name;

	/* What formats tell of the file. */
	VEC(struct capture_iface) iface; /* of this section; a classic pcap has one section */
	uint32_t serial;                 /* of the interface added last */
	uint64_t npkt;                   /* packets read so far */
	uint32_t dependencies;           /* see capture_dependencies() */
	bool by_dtrace;                  /* dtrace wrote this section */
	bool swap;                       /* the section has the other byte order */

	/* The reader's. */
	int fd;                 /* -1: not a file */
	bool regular;           /* a regular file, which can seek */
	uint64_t size;          /* bytes of a regular file */
	uint64_t nread;         /* offset in the file of the byte behind `end` */
	uint64_t stop_at;       /* no record that begins at this offset or behind is read */
	uint64_t skip;          /* bytes to skip before the next record */
	uint32_t generation;    /* incremented when bytes in the buffer move or are replaced */
	unsigned char *p, *end; /* unread bytes in the buffer */
	unsigned char *buf;     /* `cap` bytes */
	size_t cap;
};

/* -------------------------------------------------- fields in the section's byte order */

static inline uint32_t get32(const struct capture *c, const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return unlikely(c->swap) ? __builtin_bswap32(v) : v;
}

static inline uint16_t get16(const struct capture *c, const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint64_t get64(const struct capture *c, const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap64(v) : v;
}

/* ----------------------------------------------------------------------- the reader */

/* Offset in the file of c->p, in bytes. */
static inline uint64_t reader_pos(const struct capture *c)
{
	return c->nread - (uint64_t)(c->end - c->p);
}

/* Bytes in the buffer that are not read yet. */
static inline size_t reader_left(const struct capture *c)
{
	return (size_t)(c->end - c->p);
}

/*
 * Reads until @need bytes are at c->p.  Each function returns CAPTURE_PACKET when they are there,
 * CAPTURE_AGAIN when a pipe has nothing yet, and CAPTURE_BAD with the error in @d.  They differ
 * in what the end of the file means:
 *
 *	reader_fill()		CAPTURE_END, wherever the file ends
 *	reader_fill_start()	CAPTURE_END between records, damage within one
 *	reader_fill_record()	damage: the caller is inside a record
 *
 * The buffer grows with the bytes that came, never with a length that a damaged file promises.
 */
enum capture_result reader_fill(struct capture *c, size_t need, struct diag *d);
enum capture_result reader_fill_start(struct capture *c, size_t need, struct diag *d);
enum capture_result reader_fill_record(struct capture *c, size_t need, struct diag *d);

/* As reader_fill() for recognise(): waits for a pipe.  A signal ends the wait with an error. */
enum capture_result reader_first_bytes(struct capture *c, size_t need, struct diag *d);

/* Skips c->skip bytes, which may be longer than the buffer.  Results as reader_fill_record(). */
enum capture_result reader_skip(struct capture *c, struct diag *d);

/* Continues at byte @off of the file.  0, or -1 with the error in @d. */
int reader_seek(struct capture *c, uint64_t off, struct diag *d);

/* Allocates the buffer. */
void reader_init(struct capture *c, int fd);
void reader_release(struct capture *c);

/* -------------------------------------------------------------- what formats report */

/* Records "damaged after packet N" with @what, a printf format for @value.  Returns CAPTURE_BAD. */
enum capture_result capture_damaged(const struct capture *c, struct diag *d, const char *what,
				    unsigned long long value) __attribute__((format(printf, 3, 0)));

/* As capture_damaged(), for a file that ends in the middle of a record. */
enum capture_result capture_cut_short(const struct capture *c, struct diag *d);

/*
 * Adds an interface to the section, with time in microseconds and no name.  The pointer is valid
 * until the next one is added.
 */
struct capture_iface *capture_add_iface(struct capture *c, uint32_t linktype, uint32_t snaplen);

/* A new section begins: its interfaces are described anew. */
void capture_forget_ifaces(struct capture *c);

extern const struct capture_format format_pcap, format_pcapng, format_sniffer;

#endif
