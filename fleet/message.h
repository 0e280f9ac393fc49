/*
 * message.h - messages of hosts and viewers.
 *
 * A message has a first line, any number of heads, an empty line and a body:
 *
 *	"DTFLEET1\n"   { key " " value "\n" }   "\n"   body
 *
 * The keys of heads are lower-case letters. A message may come from anybody, so the parser checks
 * everything.
 */
#ifndef FLEET_MESSAGE_H
#define FLEET_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct strbuf;

enum { RUN_ID_MAX = 48, MESSAGE_HEADS = 32, MESSAGE_LINE = 1024 };

struct message {
	struct arena mem;
	struct {
		const char *key, *value;
	} head[MESSAGE_HEADS];
	unsigned nhead;
	const void *body; /* borrowed from the parsed data */
	size_t len;
};

/*
 * Parses the @size bytes at @data. Returns false if the bytes are no message. The caller releases
 * @m in both cases.
 */
bool message_parse(struct message *m, const void *data, size_t size);
void message_release(struct message *m);

/* Returns the value of the head @key, or NULL if @m has no such head. @m owns the value. */
const char *message_get(const struct message *m, const char *key);

/* Reads the value of the head @key as a number. Returns false if the head is missing or invalid. */
bool message_number(const struct message *m, const char *key, uint64_t *v);

/*
 * Returns whether the head "run" of the message is @run. The subject does not prove that the
 * message belongs to the run, because the signature does not cover the subject.
 */
bool message_is_of(const struct message *m, const char *run);

struct report_key;

/*
 * Reads the host, its ID and the epoch from the heads of @m, a report or output, into @key. The
 * strings in @key are owned by @m. Returns false if @subject names another host or run: the server
 * checks only who may use a subject, so the heads must agree with the subject.
 */
bool message_key(const struct message *m, const char *subject, struct report_key *key);

/* Appends the last parts of a subject, ".HOST.ID.EPOCH". */
void subject_key(struct strbuf *b, const struct report_key *key);

/*
 * These functions write a message. Call message_begin() first, then message_head() or
 * message_head_number() for each head, and message_body() last. Line ends in a value become blanks,
 * and a value is cut so that its line has at most MESSAGE_LINE bytes.
 */
void message_begin(struct strbuf *b);
void message_head(struct strbuf *b, const char *key, const char *value);
void message_head_number(struct strbuf *b, const char *key, uint64_t v);
void message_body(struct strbuf *b, const void *p, size_t n);

/*
 * Returns whether @s is the ID of a run: 1 to RUN_ID_MAX letters, digits and "-". So an ID can be
 * part of a subject and of a file name. The names of programs that always run follow the same rule.
 */
bool is_run_id(const char *s);

/*
 * Appends a host's name as one part of a subject, with each dot as %2E. @host must be a name that
 * is_host_name() accepts.
 */
void subject_host(struct strbuf *b, const char *host);

/* Returns whether a subject matches a pattern, in which a part "*" stands for any one part. */
bool subject_matches(const char *pattern, const char *subject);

/*
 * Returns whether a host may have this name. The rule is that of dtrace's -x host. In addition, a
 * name must not begin with a dot, because the host's file would be hidden.
 */
bool is_host_name(const char *s);

#endif
