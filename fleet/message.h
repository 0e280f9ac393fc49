/*
 * message.h - what hosts and viewers tell each other: heads, one a line, and a body.
 *
 *	"DTFLEET1\n"   { key " " value "\n" }   "\n"   body
 *
 * Keys are small letters.  Whoever sent it: nothing is believed that was not looked at.
 */
#ifndef FLEET_MESSAGE_H
#define FLEET_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct strbuf;

enum { MESSAGE_HEADS = 32, MESSAGE_LINE = 1024 };

struct message {
	struct arena mem;
	struct {
		const char *key, *value;
	} head[MESSAGE_HEADS];
	unsigned nhead;
	const void *body; /* in the parsed message */
	size_t len;
};

/* False: it is no such message.  In either case to be released. */
bool message_parse(struct message *m, const void *data, size_t size);
void message_release(struct message *m);

/* NULL: there is no such head. */
const char *message_get(const struct message *m, const char *key);

/* False: there is none, or it is no number that fits. */
bool message_number(const struct message *m, const char *key, uint64_t *v);

/*
 * Whose message is it?  What it says must be what its subject, which the server looks at, says:
 * else NULL.  Lives as long as @m.
 */
const char *message_sender(const struct message *m, const char *subject);

/* Makes text of others safe to show: control characters become '?', except line ends and tabs. */
void message_plain(char *s, size_t n);

/* Writing one: begin, heads (a line's end in a value becomes a blank), the body. */
void message_begin(struct strbuf *b);
void message_head(struct strbuf *b, const char *key, const char *value);
void message_head_number(struct strbuf *b, const char *key, uint64_t v);
void message_body(struct strbuf *b, const void *p, size_t n);

/* May it be part of a subject and of a file's name?  Letters, digits and -, not too many. */
bool is_run_id(const char *s);

/* A host's name as one part of a subject: what may not be there as %XX.  Appended. */
void subject_host(struct strbuf *b, const char *host);

/* May a host be called that?  As -x host of dtrace has it. */
bool is_host_name(const char *s);

#endif
