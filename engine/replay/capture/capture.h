/*
 * capture.h - reads packets from capture files (pcap and pcapng), pipes, standard input and
 * interfaces.
 *
 * The reader reads large blocks into one buffer and reuses the buffer, so memory does not grow with
 * the file. It does not look into packets; see dissect.h for that.
 */
#ifndef ENGINE_REPLAY_CAPTURE_CAPTURE_H
#define ENGINE_REPLAY_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct diag;
struct pcap_filter;
struct sniffer;

/* Direction of a packet, as the capture has it. */
enum capture_dir { CAPTURE_DIR_UNKNOWN, CAPTURE_DIR_IN, CAPTURE_DIR_OUT };

/* An interface that packets of the file were captured on. A classic pcap file has one interface. */
struct capture_iface {
	uint32_t linktype; /* link type of the packets, LINKTYPE_*; see dissect.h */
	/* maximum number of captured bytes of a packet; 0 if there is no limit */
	uint32_t snaplen;
	uint32_t index;   /* number of the interface in its section, from 0 */
	uint32_t serial;  /* unique number of the interface in the file, from 1 */
	const char *name; /* name of the interface, or NULL */

	/* Conversion of a timestamp to nanoseconds; private to the formats. */
	uint64_t ts_mul, ts_div; /* time in ns = ts * ts_mul / ts_div; ts_mul or ts_div is 1 */
	uint64_t ts_off;         /* offset in ns, which is added to the result (modulo 2^64) */
	/* if not 0, the unit is 2^-ts_bin seconds, and ts_mul and ts_div are not used */
	uint8_t ts_bin;
};

/* The process whose socket sent or received a packet, for files that name this process. */
struct packet_owner {
	uint32_t pid; /* process ID; 0 if it is unknown */
	/* name of the command, truncated as in the kernel; "" if it is unknown */
	char name[16];
	/* names as in struct replay_names of ksim.h */
	char user[32], cgroup[256], container[64], netns[64];
};

struct packet {
	const unsigned char *data; /* valid until the next capture_next() */
	uint32_t caplen;           /* number of captured bytes, at data */
	uint32_t wirelen;          /* number of bytes of the packet on the wire; at least caplen */
	/* time in ns since the epoch; if the packet has no time, the time of the previous packet */
	uint64_t ts_ns;
	const struct capture_iface *iface; /* valid until the next capture_next() */
	enum capture_dir dir;
	struct packet_owner owner; /* owner of the packet; valid if owner.pid is not 0 */
};

enum capture_result {
	/* the capture is damaged or unreadable from here on; the diag has the reason */
	CAPTURE_BAD = -1,
	CAPTURE_END = 0,
	CAPTURE_PACKET = 1,
	/*
	 * The caller should call again, because a pipe had no data for a second, an interface had
	 * no packet for 20 ms, a signal came, or many packets were filtered out.
	 */
	CAPTURE_AGAIN = 2,
};

/*
 * Opens the file @path, or standard input if @path is "-", and recognises its format. Returns NULL,
 * with the error in @d, if the file cannot be opened or is no capture file.
 */
struct capture *capture_open(const char *path, struct diag *d);

/*
 * Opens a capture as capture_open() does. Calls @opened, unless it is NULL, after opening the file
 * and before reading it. If @opened returns false, with the error in @d, this function returns
 * NULL.
 */
struct capture *capture_open_then(const char *path, bool (*opened)(struct diag *d), struct diag *d);

/*
 * Opens a capture as capture_open() does, from descriptor @fd. The capture owns @fd from then on,
 * even on failure. @name is used in messages.
 */
struct capture *capture_fdopen(int fd, const char *name, struct diag *d);

/*
 * Makes a capture of packets from sniffer @s, which the capture owns from then on. @name is the
 * name of the interface.
 */
struct capture *capture_from_sniffer(struct sniffer *s, const char *name);

void capture_close(struct capture *c);

/* Reads the next packet into @out. Its data is valid until the next call. */
enum capture_result capture_next(struct capture *c, struct packet *out, struct diag *d);

/* A packet in the buffer that has not been read yet. */
struct peeked_packet {
	const unsigned char *data;
	const struct capture_iface *iface;
	uint64_t ts_ns; /* valid if `whole` */
	uint32_t caplen, wirelen;
	uint32_t size;   /* size of the record in bytes */
	uint16_t header; /* size of the part of the record before `data` */
	/* these members describe the whole record: it has no options, for example */
	bool whole;
};

/*
 * Describes in @out a packet in the buffer that capture_next() has not returned yet. @at points to
 * the packet's record, or is NULL for the record after the last packet read. Ignores the filter.
 * Returns false if no complete packet record begins at @at, or if the format must read the record
 * to describe it. @at and @out are valid until capture_generation() changes.
 */
bool capture_peek(const struct capture *c, const unsigned char *at, struct peeked_packet *out);

/* Returns the record after @p. */
static inline const unsigned char *capture_after(const struct peeked_packet *p)
{
	return p->data - p->header + p->size;
}

uint32_t capture_generation(const struct capture *c);

/*
 * Reads the packet @p, which capture_peek() described when capture_generation() was @generation.
 * Returns false, and reads nothing, if the caller must call capture_next() instead. The reasons
 * are: @p is not the next packet or is not whole, the buffer has changed, there is a filter, or the
 * capture ends before @p.
 */
bool capture_take(struct capture *c, const struct peeked_packet *p, uint32_t generation);

/*
 * Sets a filter: capture_next() then returns only packets that match @s. Call this function only
 * once. @s must outlive the capture.
 */
void capture_set_filter(struct capture *c, struct pcap_filter *s);

/*
 * The following functions are for processes that share a file.
 *
 * capture_seek() continues at the first bytes at or after byte @off that look like a record. This
 * is a guess. It is right if another process, which reads the file up to this place, ends exactly
 * there. The interfaces read so far stay known. Returns false, possibly with an error in @d, if
 * nothing looks like a record.
 *
 * capture_set_end() ends the capture before the first record that begins at or after byte @off.
 * After the end, capture_pos() returns where that record begins.
 */
bool capture_seek(struct capture *c, uint64_t off, struct diag *d);
void capture_set_end(struct capture *c, uint64_t off);

/*
 * Continues at byte @off, where a record begins. @packets packets precede it. Returns 0, or -1 with
 * the error in @d.
 */
int capture_resume(struct capture *c, uint64_t off, uint64_t packets, struct diag *d);

/*
 * Returns a number that changes with each block that later blocks depend on: a section header, an
 * interface, or a packet without time, which gets the time of the previous packet.
 */
uint32_t capture_dependencies(const struct capture *c);

/*
 * capture_pos() returns the offset in the file of the next record to read. capture_size() returns
 * the size of the file, or 0 if the capture is not a regular file.
 */
uint64_t capture_pos(const struct capture *c);
uint64_t capture_size(const struct capture *c);

/* Returns the name for messages: the path, "standard input", or the name of the interface. */
const char *capture_name(const struct capture *c);

/* Returns whether the format can store which process a packet belongs to. */
bool capture_has_owners(const struct capture *c);

/* Returns whether dtrace wrote the current section, so that its packets have a direction. */
bool capture_written_by_dtrace(const struct capture *c);

/* Returns the number of packets read so far. */
uint64_t capture_count(const struct capture *c);

#endif
