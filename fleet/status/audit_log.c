/* audit_log.c - prints the entries of the audit stream. */
#include "fleet/status/audit_log.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/glob.h"
#include "base/strbuf.h"
#include "fleet/answer.h"
#include "fleet/audit.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"

enum { READ_MS = 600000, WAIT_MS = 200, NO_STREAM_MS = 3000 };

struct log {
	const struct audit_query *q;
	struct known *known;
	uint64_t printed, wrong, junk; /* numbers of entries */
};

static bool is_of_owner(const struct audit_entry *e, const char *owner)
{
	struct strbuf key = {0};
	bool is;

	key_text(&key, e->key);
	is = !strcmp(e->owner, owner) ||
	     (strlen(owner) >= 8 && !strncmp(key.s, owner, strlen(owner)));
	strbuf_release(&key);
	return is;
}

static bool is_asked(const struct log *l, const struct audit_entry *e)
{
	return (!l->q->owner || is_of_owner(e, l->q->owner)) &&
	       (!l->q->host || glob_match(l->q->host, e->host));
}

/*
 * Checks the signature with the key of the host and ID in the entry, because the subject has no ID.
 */
static enum answer check(struct log *l, const struct audit_entry *e, const struct net_message *from)
{
	struct strbuf who = {0};
	const void *p;
	size_t size;
	enum answer a;

	strbuf_adds(&who, "audit.");
	subject_host(&who, e->host);
	strbuf_addf(&who, ".%s", e->id);
	a = answer_open(l->known, who.s, 2, from->data, from->size, &p, &size);
	strbuf_release(&who);
	return a;
}

static void print(struct log *l, const struct audit_entry *e, const struct net_message *from)
{
	struct strbuf b = {0};
	enum answer a = check(l, e, from);

	if (!l->printed++)
		puts(audit_heading);
	l->wrong += a != ANSWER_GOOD;
	audit_line(&b, e, from->time);
	printf("%s%s", a == ANSWER_GOOD ? "" : "NOT SIGNED BY ITS HOST: ", b.s);
	strbuf_release(&b);
}

static void on_entry(void *ctx, const struct net_message *from)
{
	struct log *l = ctx;
	struct message m = {0};
	struct audit_entry e;
	uint8_t key[KEY_SIZE];
	const void *p;
	size_t size;

	if (from->time > l->q->to)
		return;
	if (!sign_open(from->data, from->size, &p, &size, key) || !message_parse(&m, p, size) ||
	    !audit_read(&e, &m, from->subject))
		l->junk++;
	else if (is_asked(l, &e))
		print(l, &e, from);
	message_release(&m);
}

bool audit_print(struct net *n, struct known *k, const struct audit_query *q)
{
	struct log l = {.q = q, .known = k};
	struct net_reader *r = net_reader_since(n, STREAM_AUDIT, NULL, q->from);
	uint64_t began = now_boot(), heard = began;
	bool done = false;

	while (!done && now_boot() - began < READ_MS * 1000000ull &&
	       now_boot() - heard < NO_STREAM_MS * 1000000ull) {
		if (net_reader_receive(r, WAIT_MS, on_entry, &l))
			heard = now_boot();
		else
			done = net_reader_is_done(r);
	}
	net_reader_free(r);
	if (!done)
		fprintf(stderr, "dtrace-fleet: the audit stream could not be read to its end\n");
	if (l.junk)
		fprintf(stderr,
			"dtrace-fleet: %" PRIu64 " messages of the audit stream are not entries\n",
			l.junk);
	if (l.wrong)
		fprintf(stderr, "dtrace-fleet: %" PRIu64 " entries have a wrong signature\n",
			l.wrong);
	return done && !l.junk && !l.wrong;
}
