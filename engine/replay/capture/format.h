/*
 * format.h - the interface of a capture format, and the buffered reader that formats use.
 *
 * Each format has one source file, and one struct capture_format in formats[] of capture.c. Only
 * the functions of that struct know the layout of a record. The reader handles bytes: it fills the
 * buffer, seeks and skips. This header is private to the formats and to inline.h; users of captures
 * include capture.h.
 *
 * A parser that finds only a part of a record keeps nothing of it, and later parses the record
 * again from its start. So reading a slow pipe can be interrupted at any point.
 */
#ifndef ENGINE_REPLAY_CAPTURE_FORMAT_H
#define ENGINE_REPLAY_CAPTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "engine/replay/capture/capture.h"

/* maximum length of a record in bytes; a longer record is an error in the file */
#define CAPTURE_RECORD_MAX (64u << 20)
#define CAPTURE_NSEC 1000000000ull

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct capture_format {
	/* name of the format, used in messages; NULL for an interface, which is not a file */
	const char *name;

	/*
	 * Tests whether the file has this format, with reader_first_bytes(). If it has, moves to
	 * the first record and returns CAPTURE_PACKET. If it has not, returns CAPTURE_END. If the
	 * file cannot be read, returns CAPTURE_BAD or CAPTURE_AGAIN, with the error in @d.
	 */
	enum capture_result (*recognise)(struct capture *c, struct diag *d);

	/* Reads the next packet, as capture_next() does, but ignores the filter. */
	enum capture_result (*next)(struct capture *c, struct packet *out, struct diag *d);

	/*
	 * Describes the packet of the record at @p, without its owner. Returns false if the record
	 * is damaged, incomplete in the buffer, not a packet, or of a rare kind. The member is NULL
	 * if the format does not use the buffer.
	 */
	bool (*peek)(const struct capture *c, const unsigned char *p, struct peeked_packet *out);

	/*
	 * Returns the size in bytes of the record that may begin at @p, or 0 if no record can begin
	 * there. @left bytes from @p on are in the buffer. *@sec is the time of the previous record
	 * in seconds, or 0 if it is unknown; the function sets it to the time of this record.
	 * pcapng ignores @sec. capture_seek() uses this function to find several records in a row.
	 */
	size_t (*record_size)(const struct capture *c, const unsigned char *p, size_t left,
			      uint32_t *sec);
	size_t align; /* the file offset of each record is a multiple of this number */

	bool has_owners; /* the format can store the process that a packet belongs to */

	void (*free_state)(void *state); /* frees capture.state; NULL if there is nothing to free */
};

struct capture {
	/* format of the file; NULL if it is not recognised yet */
	const struct capture_format *format;
	void *state;                /* state of the parser, private to the format */
	struct pcap_filter *filter; /* filter, borrowed; NULL if all packets are wanted */
	/* layout of records that inline.h may read; owned by state; NULL if it may read none */
	const struct capture_layout *layout;
	char *name;

	/* Set by formats. */
	/* interfaces of this section; a classic pcap has one section */
	VEC(struct capture_iface) iface;
	uint32_t serial;       /* serial of the newest interface */
	uint64_t npkt;         /* number of packets read so far */
	uint32_t dependencies; /* result of capture_dependencies() */
	bool by_dtrace;        /* dtrace wrote this section */
	bool swap;             /* the byte order of the section is not that of this machine */

	/* Set by the reader. */
	int fd;                 /* descriptor of the file; -1 if packets come from an interface */
	bool regular;           /* the file is a regular file, so the reader can seek */
	uint64_t size;          /* size in bytes of a regular file */
	uint64_t nread;         /* file offset of the byte after `end` */
	uint64_t stop_at;       /* records at or after this offset are not read */
	uint64_t skip;          /* number of bytes to skip before the next record */
	uint32_t generation;    /* incremented when bytes in the buffer move or change */
	unsigned char *p, *end; /* start and end of the unread bytes in the buffer */
	unsigned char *buf;     /* the buffer, which has `cap` bytes */
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

/* Returns the offset of c->p in the file, in bytes. */
static inline uint64_t reader_pos(const struct capture *c)
{
	return c->nread - (uint64_t)(c->end - c->p);
}

/* Returns the number of bytes in the buffer that are still unread. */
static inline size_t reader_left(const struct capture *c)
{
	return (size_t)(c->end - c->p);
}

/*
 * Reads until @need bytes are at c->p. Each function returns CAPTURE_PACKET when they have arrived,
 * CAPTURE_AGAIN when a pipe is empty or a signal came, and CAPTURE_BAD with the error in @d. They
 * differ in the result at the end of the file:
 *
 *	reader_fill()		CAPTURE_END, wherever the file ends
 *	reader_fill_start()	CAPTURE_END between two records; within a record, CAPTURE_BAD
 *	reader_fill_record()	CAPTURE_BAD, because the caller has begun to read a record
 *
 * The buffer grows with the bytes read, and never by a length from a damaged file.
 */
enum capture_result reader_fill(struct capture *c, size_t need, struct diag *d);
enum capture_result reader_fill_start(struct capture *c, size_t need, struct diag *d);
enum capture_result reader_fill_record(struct capture *c, size_t need, struct diag *d);

/*
 * Reads as reader_fill() does, but waits for a pipe instead of returning CAPTURE_AGAIN. A signal
 * ends the wait with an error. The recognise() functions use it.
 */
enum capture_result reader_first_bytes(struct capture *c, size_t need, struct diag *d);

/*
 * Skips c->skip bytes, which may be more than the buffer holds. Returns the same results as
 * reader_fill_record().
 */
enum capture_result reader_skip(struct capture *c, struct diag *d);

/* Continues at byte @off of the file. Returns 0, or -1 with the error in @d. */
int reader_seek(struct capture *c, uint64_t off, struct diag *d);

/* Initialises the reader, which owns @fd from then on, and allocates the buffer. */
void reader_init(struct capture *c, int fd);
void reader_release(struct capture *c);

/* -------------------------------------------------------------- used by formats */

/*
 * Records an error that says after which packet the file is damaged, and why. The reason is made
 * from the printf format @what and @value. Returns CAPTURE_BAD.
 */
enum capture_result capture_damaged(const struct capture *c, struct diag *d, const char *what,
				    unsigned long long value) __attribute__((format(printf, 3, 0)));

/* Records the error that the file ends in the middle of a record. Returns CAPTURE_BAD. */
enum capture_result capture_cut_short(const struct capture *c, struct diag *d);

/*
 * Adds an interface to the section, with timestamps in microseconds and no name. The returned
 * pointer is valid until the next call.
 */
struct capture_iface *capture_add_iface(struct capture *c, uint32_t linktype, uint32_t snaplen);

/* Removes all interfaces, because a new section begins. */
void capture_forget_ifaces(struct capture *c);

extern const struct capture_format format_pcap, format_pcapng, format_sniffer;

#endif
