/* census.c - collects and writes answers of relays about their hosts. */
#include "fleet/viewer/census.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "base/xalloc.h"
#include "fleet/answer.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"
#include "fleet/viewer/newest.h"

enum {
	SHARE = 8,        /* bytes of a share in an answer */
	LACKS_MAX = 512,  /* maximum bytes of the reasons in an answer */
	HEADS_MAX = 4096, /* more bytes than the signature and all heads of an answer have */
};

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void census_begin(struct census *c, const struct inventory *in, const char *target,
		  const char *seed)
{
	const char *before = "";

	*c = (struct census){0};
	for (size_t i = 0; i < in->v.n; i++) {
		const struct member *m = &in->v.v[i];

		if (!inventory_expects(in, m))
			continue;
		if (inventory_is_relay(in, m)) {
			struct census_relay r = {.host = xstrdup(m->host), .id = xstrdup(m->id)};

			vec_push(&c->relays, r);
		} else if (strcmp(m->host, before) && target_match(target, m->host, m->labels)) {
			vec_push(&c->own, target_share(seed, m->host));
			before = m->host;
		}
	}
}

void census_release(struct census *c)
{
	for (size_t i = 0; i < c->relays.n; i++) {
		xfree(c->relays.v[i].host);
		xfree(c->relays.v[i].id);
		strbuf_release(&c->relays.v[i].lacks);
		vec_free(&c->relays.v[i].shares);
	}
	vec_free(&c->relays);
	vec_free(&c->own);
}

static struct census_relay *find(const struct census *c, const struct report_key *k)
{
	for (size_t i = 0; i < c->relays.n; i++) {
		struct census_relay *r = &c->relays.v[i];

		if (!strcmp(r->host, k->host) && (!*r->id || !strcmp(r->id, k->id)))
			return r;
	}
	return NULL;
}

static uint64_t get_share(const uint8_t *p)
{
	uint64_t v = 0;

	for (int i = 0; i < SHARE; i++)
		v = v << 8 | p[i];
	return v;
}

static void put_share(struct strbuf *b, uint64_t v)
{
	for (int i = SHARE - 1; i >= 0; i--)
		strbuf_addc(b, (char)(v >> 8 * i));
}

/* Replaces the relay's previous answer by the answer in @m. */
static void take(struct census_relay *r, const struct message *m, uint64_t sequence)
{
	const char *lacks = message_get(m, "lacks");

	r->sequence = sequence;
	strbuf_reset(&r->lacks);
	if (lacks)
		visible_add(&r->lacks, lacks, strlen(lacks));
	r->shares.n = 0;
	for (size_t at = 0; at < m->len; at += SHARE)
		vec_push(&r->shares, get_share((const uint8_t *)m->body + at));
}

bool census_receive(struct census *c, struct inventory *in, const char *run,
		    const struct net_message *from)
{
	struct message m = {0};
	struct report_key k;
	struct census_relay *r = NULL;
	uint64_t sequence;
	const void *p;
	bool ok;
	size_t n;

	if (answer_open(&in->known, from->subject, 3, from->data, from->size, &p, &n) !=
	    ANSWER_GOOD)
		return false;
	ok = message_parse(&m, p, n) && message_key(&m, from->subject, &k) &&
	     message_is_of(&m, run) && message_number(&m, "sequence", &sequence) &&
	     message_get(&m, "census") && !(m.len % SHARE) && (r = find(c, &k)) &&
	     sequence > r->sequence;
	if (ok)
		take(r, &m, sequence);
	message_release(&m);
	return ok;
}

bool census_is_complete(const struct census *c)
{
	for (size_t i = 0; i < c->relays.n; i++)
		if (!c->relays.v[i].sequence || c->relays.v[i].lacks.len)
			return false;
	return true;
}

void census_lacks(const struct census *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->relays.n; i++) {
		const struct census_relay *r = &c->relays.v[i];

		if (!r->sequence)
			strbuf_addf(out, "%s: has not said which hosts it has\n", r->host);
		else if (r->lacks.len)
			strbuf_addf(out, "%s: %s\n", r->host, r->lacks.s);
	}
}

uint64_t *census_shares(const struct census *c, size_t *n)
{
	uint64_t *v;
	size_t at = c->own.n;

	*n = c->own.n;
	for (size_t i = 0; i < c->relays.n; i++)
		*n += c->relays.v[i].shares.n;
	v = xcalloc(*n + 1, sizeof(*v));
	if (at)
		memcpy(v, c->own.v, at * sizeof(*v));
	for (size_t i = 0; i < c->relays.n; i++) {
		size_t more = c->relays.v[i].shares.n;

		if (more)
			memcpy(v + at, c->relays.v[i].shares.v, more * sizeof(*v));
		at += more;
	}
	qsort(v, *n, sizeof(*v), compare);
	return v;
}

/* Appends the first reason why the answer is not complete, in one line. */
static void add_lacks(const struct census *c, const char *lacks, struct strbuf *b)
{
	if (lacks)
		strbuf_adds(b, lacks);
	else
		census_lacks(c, b);
	if (b->len)
		b->s[strcspn(b->s, "\n")] = '\0';
	if (b->len > LACKS_MAX)
		b->s[LACKS_MAX] = '\0';
}

void census_write(const struct census *c, const char *run, const struct report_key *key,
		  uint64_t sequence, const char *version, const char *lacks, uint64_t max,
		  struct strbuf *out)
{
	struct strbuf why = {0};
	size_t n;
	uint64_t *v = census_shares(c, &n);

	if (max && n * SHARE + HEADS_MAX > max) {
		n = 0;
		lacks = "the relay has more hosts than one message of the upper server can list";
	}
	add_lacks(c, lacks, &why);
	message_begin(out);
	message_head(out, "census", "yes");
	message_head(out, "run", run);
	message_head(out, "host", key->host);
	message_head(out, "id", key->id);
	message_head_number(out, "epoch", key->epoch);
	message_head_number(out, "sequence", sequence);
	message_head(out, "version", version);
	if (*strbuf_text(&why))
		message_head(out, "lacks", why.s);
	message_body(out, NULL, 0);
	for (size_t i = 0; i < n; i++)
		put_share(out, v[i]);
	strbuf_release(&why);
	xfree(v);
}
