/*
 * capture.h - reads pcap and pcapng files, pipes and standard input.
 *
 * The whole reader: large read(2) blocks into one buffer that is used again and
 * again, so memory does not grow with the file.  Knows nothing of what is in a
 * packet; dissect.h does.
 */
#ifndef REPLAY_CAPTURE_H
#define REPLAY_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct diag;
struct pcap_filter;
struct sniffer;

/* Which way a packet went, if the file says so. */
enum capture_dir { CAPTURE_DIR_UNKNOWN, CAPTURE_DIR_IN, CAPTURE_DIR_OUT };

/* An interface of the file; a classic pcap has one. */
struct capture_iface {
	uint32_t linktype; /* LINKTYPE_*: see dissect.h */
	uint32_t snaplen;  /* 0: no limit */
	uint32_t index;    /* in its section, from 0 */
	uint32_t serial;   /* differs for every interface of the file, from 1 */
	const char *name;  /* NULL: not known */

	/* How a timestamp becomes nanoseconds; private to capture.c. */
	uint64_t ts_mul, ts_div; /* ns = ts * mul / div, one of them 1 */
	uint64_t ts_off;         /* added, in ns (modulo 2^64) */
	uint8_t ts_bin;          /* not 0: the unit is 2^-ts_bin seconds instead */
};

/* Whose socket a packet came from or went to, if the file says so. */
struct packet_owner {
	uint32_t pid; /* 0: it does not say */
	/* as the kernel has it: the start of the command's name.  "": it does not say */
	char name[16];
	char user[32], cgroup[256], container[64], netns[64]; /* as struct replay_names of ksim.h */
};

struct packet {
	const unsigned char *data; /* valid until the next capture_next() */
	uint32_t caplen;           /* bytes at data */
	uint32_t wirelen;          /* bytes the packet had; never less than caplen */
	uint64_t ts_ns;            /* since the epoch; of the packet before if the file has none */
	const struct capture_iface *iface; /* valid until the next capture_next() */
	enum capture_dir dir;
	struct packet_owner owner; /* the name is of use only with a pid */
};

enum capture_result {
	CAPTURE_BAD = -1, /* damaged or unreadable from here on; the reason is in the diag */
	CAPTURE_END = 0,
	CAPTURE_PACKET = 1,
	/*
	 * a pipe had nothing for a second, a signal came, or many packets were left out: ask again
	 */
	CAPTURE_AGAIN = 2,
};

/*
 * Opens @path, "-" for standard input, and reads as much as tells the format.
 * NULL with the error in @d if it cannot be opened or is no capture file.
 */
struct capture *capture_open(const char *path, struct diag *d);

/*
 * The same; @opened (may be NULL) is called when the file is open, before anything of it is
 * read.  If it returns false, with the error in @d, nothing is read.
 */
struct capture *capture_open_then(const char *path, bool (*opened)(struct diag *d), struct diag *d);

/* The same with a descriptor, which then belongs to the capture; @name is for messages. */
struct capture *capture_fdopen(int fd, const char *name, struct diag *d);

/* What comes from @s, which then belongs to the capture; @name is the interface's. */
struct capture *capture_from_sniffer(struct sniffer *s, const char *name);

void capture_close(struct capture *c);

/* The next packet of the file. */
enum capture_result capture_next(struct capture *c, struct packet *out, struct diag *d);

/*
 * What capture_next() will give, as far as it is in memory already: the record at @*at, which moves
 * on to the one behind (NULL: to begin with, that behind the last packet given).  Only where it is,
 * how long, and of which interface is told.  A pcap_filter is not asked.  False: whatever is there
 * is not looked at.
 * @*at and what was told are good until capture_generation() changes.
 */
bool capture_peek(const struct capture *c, const unsigned char **at, struct packet *out);
uint32_t capture_generation(const struct capture *c);

/* From here on only packets that pass @s are given.  It must live as long as the capture.  Once. */
void capture_set_filter(struct capture *c, struct pcap_filter *s);

/*
 * For those who share a file.  capture_seek(): goes on with the first record at or behind byte
 * @off, or what looks like one: that it is, whoever reads what is before it finds out.  False: none
 * is found (or @d).  The interfaces that were described so far are known.  capture_set_end(): no
 * record is read that begins at @off or behind it; then capture_pos() says where it begins.
 */
bool capture_seek(struct capture *c, uint64_t off, struct diag *d);
void capture_set_end(struct capture *c, uint64_t off);

/*
 * Goes on with the record at byte @off, which is one; @packets are before it.  0, or -1 with the
 * error in @d.
 */
int capture_resume(struct capture *c, uint64_t off, uint64_t packets, struct diag *d);

/*
 * Changes with each block by which what is behind it hangs on what is before it: a section's
 * beginning, an interface, a packet without time.
 */
uint32_t capture_dependencies(const struct capture *c);

/* Bytes used up so far and bytes in all (0: not a regular file), for progress reports. */
uint64_t capture_pos(const struct capture *c);
uint64_t capture_size(const struct capture *c);

/* As messages name it: the path, or "standard input". */
const char *capture_name(const struct capture *c);

/* Has the format a place for whose packets are? */
bool capture_tells_owners(const struct capture *c);

/* Was what is read so far written by dtrace, which says of its packets which way they went? */
bool capture_written_by_dtrace(const struct capture *c);

/* Packets read so far. */
uint64_t capture_count(const struct capture *c);

#endif
