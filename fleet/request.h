/*
 * request.h - what a viewer asks of hosts.
 */
#ifndef FLEET_REQUEST_H
#define FLEET_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/message.h"

struct policy;
struct strbuf;

enum { PROGRAM_MAX = 64 << 10 };

/* All pointers borrow from the message or from the caller. */
struct request {
	const char *id;     /* of the run: is_run_id() */
	const char *hosts;  /* pattern of the names of those who are asked */
	const char *replay; /* a capture on each of them; NULL: live */
	const char *program;
	uint64_t until;   /* seconds since 1970: when it ends everywhere */
	uint64_t seconds; /* how long that was from the start */
	uint64_t rate;    /* ms from a snapshot to the next */
	bool stop;        /* it is to end now */
};

/* Appends the message. */
void request_write(struct strbuf *out, const struct request *r);

/* NULL: @r is what @m asks; else why it is no request.  The program is copied to @m's memory. */
const char *request_read(struct request *r, struct message *m);

/*
 * Parses the request in @data, signed, without checking who signed it: for requests that were
 * accepted before. False: it cannot be read. In either case the caller releases @m, which @r
 * borrows from.
 */
bool request_signed(struct request *r, struct message *m, const void *data, size_t size);

/* May that be done here, @now (seconds since 1970)?  False: the reason is appended to @why. */
bool request_allowed(const struct request *r, const struct policy *p, uint64_t now,
		     struct strbuf *why);

/*
 * Is the file, after following links, one that a request may read? Then @real, of PATH_MAX bytes,
 * gets its path, and that path is the one to open.
 */
bool capture_allowed(const struct policy *p, const char *path, char *real, struct strbuf *why);

#endif
