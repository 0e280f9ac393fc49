/* audit.c - writes, reads and shows entries of the audit stream. */
#include "fleet/audit.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "fleet/identity.h"
#include "fleet/message.h"
#include "fleet/when.h"

#define MINUTE 60000000000ull

enum { KEY_SHOWN = 8 /* digits of the key; the policy has all 64 */ };

_Static_assert(2 * crypto_hash_sha256_BYTES == AUDIT_HASH, "digits");

static const char *const words[] = {
	[AUDIT_ACCEPTED] = "accepted",
	[AUDIT_REFUSED] = "refused",
	[AUDIT_STOPPED] = "stopped",
	[AUDIT_ENDED] = "ended",
};

#define WORDS (sizeof(words) / sizeof(*words))

const char *audit_word(enum audit_what what)
{
	return words[what];
}

void audit_hash(char sha[AUDIT_HASH + 1], const char *program)
{
	uint8_t hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const uint8_t *)program, strlen(program));
	sodium_bin2hex(sha, AUDIT_HASH + 1, hash, sizeof(hash));
}

/* Writes a head whose value has at most AUDIT_TEXT bytes. A longer value ends with "...". */
static void head(struct strbuf *b, const char *key, const char *value)
{
	struct strbuf cut = {0};

	if (strlen(value) > AUDIT_TEXT) {
		strbuf_addf(&cut, "%.*s...", AUDIT_TEXT - 3, value);
		message_head(b, key, cut.s);
	} else if (*value) {
		message_head(b, key, value);
	}
	strbuf_release(&cut);
}

void audit_subject(struct strbuf *out, const char *host)
{
	strbuf_adds(out, "fleet.audit.");
	subject_host(out, host);
}

void audit_write(struct strbuf *subject, struct strbuf *b, const struct audit_entry *e)
{
	struct strbuf key = {0};
	size_t start = strlen(e->program);

	audit_subject(subject, e->host);
	key_text(&key, e->key);
	message_begin(b);
	message_head(b, "what", words[e->what]);
	message_head(b, "host", e->host);
	message_head(b, "id", e->id);
	message_head_number(b, "time", e->time);
	message_head(b, "run", e->run);
	message_head(b, "key", key.s);
	message_head_number(b, "seconds", e->seconds);
	message_head_number(b, "size", e->size);
	message_head_number(b, "bytes", e->bytes);
	message_head_number(b, "cost", e->cost);
	head(b, "owner", e->owner);
	head(b, "hosts", e->hosts);
	head(b, "replay", e->replay);
	head(b, "sha", e->sha);
	head(b, "end", e->end);
	head(b, "why", e->why);
	message_body(b, e->program, start < AUDIT_PROGRAM ? start : AUDIT_PROGRAM);
	strbuf_release(&key);
}

static bool read_what(const struct message *m, enum audit_what *what)
{
	const char *word = message_get(m, "what");

	for (size_t i = 0; word && i < WORDS; i++)
		if (!strcmp(words[i], word)) {
			*what = (enum audit_what)i;
			return true;
		}
	return false;
}

/* Returns a text of the entry, or "" if it has none. */
static const char *text(const struct message *m, const char *key)
{
	const char *value = message_get(m, key);

	return value ? value : "";
}

static bool is_of(const struct audit_entry *e, const char *subject)
{
	struct strbuf own = {0};
	bool same;

	if (!is_host_name(e->host) || !is_identity(e->id) || !is_run_id(e->run))
		return false;
	audit_subject(&own, e->host);
	same = !strcmp(own.s, subject);
	strbuf_release(&own);
	return same;
}

bool audit_read(struct audit_entry *e, const struct message *m, const char *subject)
{
	*e = (struct audit_entry){.host = text(m, "host"),
				  .id = text(m, "id"),
				  .run = text(m, "run"),
				  .owner = text(m, "owner"),
				  .hosts = text(m, "hosts"),
				  .replay = text(m, "replay"),
				  .sha = text(m, "sha"),
				  .end = text(m, "end"),
				  .why = text(m, "why"),
				  .program = m->body,
				  .start = m->len};
	return read_what(m, &e->what) && is_of(e, subject) && key_parse(text(m, "key"), e->key) &&
	       message_number(m, "time", &e->time) && message_number(m, "seconds", &e->seconds) &&
	       message_number(m, "size", &e->size) && message_number(m, "bytes", &e->bytes) &&
	       message_number(m, "cost", &e->cost) && e->start <= AUDIT_PROGRAM;
}

const char audit_heading[] =
	"TIME                     HOST             WHAT      OWNER      KEY       RUN"
	"                          DETAILS";

static void add(struct strbuf *out, const char *s)
{
	visible_add(out, s, strlen(s));
}

/* Appends @s, which others chose, escaped and in a column of @width bytes. */
static void column(struct strbuf *out, const char *s, size_t width)
{
	size_t from = out->len;

	add(out, *s ? s : "-");
	do
		strbuf_addc(out, ' ');
	while (out->len - from < width + 1);
}

static void add_program(struct strbuf *out, const struct audit_entry *e)
{
	if (e->start)
		visible_add(out, e->program, e->start);
	if (e->size > e->start)
		strbuf_addf(out, "... (%" PRIu64 " bytes, SHA-256 ", e->size);
	if (e->size > e->start) {
		add(out, e->sha);
		strbuf_addc(out, ')');
	}
}

/* Appends the request: its target hosts, its capture or its seconds, and its program. */
static void add_request(struct strbuf *out, const struct audit_entry *e)
{
	strbuf_adds(out, "hosts ");
	add(out, *e->hosts ? e->hosts : "*");
	if (*e->replay) {
		strbuf_adds(out, ", capture ");
		add(out, e->replay);
	} else {
		strbuf_addf(out, ", %" PRIu64 " s", e->seconds);
	}
	strbuf_adds(out, ": ");
	add_program(out, e);
}

static void add_end(struct strbuf *out, const struct audit_entry *e)
{
	add(out, e->end);
	strbuf_addf(out, ", %" PRIu64 " bytes", e->bytes);
	if (e->cost)
		strbuf_addf(out, ", %" PRIu64 " ms of CPU for its probes", e->cost / 1000000);
	if (*e->why) {
		strbuf_adds(out, ": ");
		add(out, e->why);
	}
}

void audit_line(struct strbuf *out, const struct audit_entry *e, uint64_t stored)
{
	char when[WHEN_SIZE];
	struct strbuf key = {0};
	uint64_t later = stored > e->time ? stored - e->time : e->time - stored;

	key_text(&key, e->key);
	key.s[KEY_SHOWN] = '\0';
	column(out, when_text(when, e->time), 24);
	column(out, e->host, 16);
	column(out, words[e->what], 9);
	column(out, e->owner, 10);
	column(out, key.s, 9);
	column(out, e->run, 28);
	if (e->what == AUDIT_STOPPED)
		strbuf_adds(out, "ended on request");
	if (e->what == AUDIT_STOPPED)
		add(out, e->why);
	if (e->what == AUDIT_REFUSED) {
		add(out, e->why);
		strbuf_adds(out, "; ");
	}
	if (e->what == AUDIT_ACCEPTED || e->what == AUDIT_REFUSED)
		add_request(out, e);
	else if (e->what == AUDIT_ENDED)
		add_end(out, e);
	if (later > MINUTE)
		strbuf_addf(out, " (stored %s)", when_text(when, stored));
	strbuf_addc(out, '\n');
	strbuf_release(&key);
}
