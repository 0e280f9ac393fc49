/*
 * audit.h - the audit stream, which records who requested which runs, and what hosts did.
 *
 * A host publishes an entry when it accepts or refuses a request, when it accepts a request to end
 * a run, and when a run has ended. Its subject, heads (message.h) and body are:
 *
 *	fleet.audit.HOST   what, host, id, time, run, owner, key, hosts, replay, seconds, sha, size,
 *	                   end, bytes, cost, why; the start of the program
 *
 * The heads are the members of struct audit_entry. The host signs the message (answer.h).
 */
#ifndef FLEET_AUDIT_H
#define FLEET_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/host/policy.h"

struct message;
struct strbuf;

enum audit_what { AUDIT_ACCEPTED, AUDIT_REFUSED, AUDIT_STOPPED, AUDIT_ENDED };

enum {
	AUDIT_HASH = 64,      /* hexadecimal digits of a SHA-256 hash */
	AUDIT_PROGRAM = 1024, /* an entry has at most this many bytes of the program */
	AUDIT_TEXT = 500,     /* maximum bytes of each text of an entry, except its program */
	AUDIT_MAX = 8192,     /* more than the bytes of any signed entry */
};

/*
 * An entry. All texts borrow from the message or from the caller. Texts that do not apply are "".
 */
struct audit_entry {
	enum audit_what what;
	const char *host, *id; /* name and ID of the host */
	uint64_t time;         /* when it happened, ns since 1970, by the host's clock */
	const char *run;       /* ID of the run */
	const char *owner;     /* name of the key's owner in the policy */
	uint8_t key[KEY_SIZE]; /* public key that signed the request */
	const char *hosts;     /* target of the request (labels.h) */
	const char *replay;    /* capture to replay */
	uint64_t seconds;      /* requested duration */
	const char *program;   /* program, or the first @start bytes of it; may contain any byte */
	size_t start;
	uint64_t size;   /* bytes of the whole program */
	const char *sha; /* SHA-256 of the whole program, AUDIT_HASH digits */
	const char *end; /* kind of the end (newest.h), for AUDIT_ENDED */
	uint64_t bytes;  /* bytes of aggregations and of output, for AUDIT_ENDED */
	uint64_t cost;   /* CPU time of the probes, ns, for AUDIT_ENDED; 0 if it is unknown */
	const char *why; /* reason for the refusal or the end */
};

/* Returns the word for what happened, such as "accepted". */
const char *audit_word(enum audit_what what);

/* Writes the SHA-256 hash of the program to @sha, as hexadecimal digits with a NUL. */
void audit_hash(char sha[AUDIT_HASH + 1], const char *program);

/* Appends the subject of the entries of host @host, which may be any text. */
void audit_subject(struct strbuf *out, const char *host);

/*
 * Appends the subject of the entry to @subject, and the message to @b. Cuts the program and long
 * texts, so that the signed message has less than AUDIT_MAX bytes. Ignores e->start.
 */
void audit_write(struct strbuf *subject, struct strbuf *b, const struct audit_entry *e);

/*
 * Reads @m as an entry under @subject. Returns false if the message is malformed, or is from
 * another host than the subject names. The entry borrows from @m.
 */
bool audit_read(struct audit_entry *e, const struct message *m, const char *subject);

/*
 * Appends the entry as a line for people, and escapes what others chose. @stored is when the server
 * stored the entry, ns since 1970. If the host's time differs by more than a minute, the line says
 * so.
 */
void audit_line(struct strbuf *out, const struct audit_entry *e, uint64_t stored);

/* The heading of the columns that audit_line() writes. */
extern const char audit_heading[];

#endif
