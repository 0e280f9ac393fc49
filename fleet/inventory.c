/* inventory.c - reads and writes entries of the inventory. */
#include "fleet/inventory.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "fleet/admins.h"
#include "fleet/identity.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"

#define HOST BUCKET_HOSTS "host."
#define PLAN BUCKET_HOSTS "plan."

static const char *const plans[] = {
	[PLAN_EXPECTED] = "expected",
	[PLAN_RETIRED] = "retired",
	[PLAN_RELAY] = "relay",
};

const char relay_unnamed[] = "this host says that it is a relay, but no administrator has named it "
			     "as one (dtrace-fleet expect --relay NAME)";

static int compare(const struct member *m, const char *host, const char *id)
{
	int c = strcmp(m->host, host);

	return c ? c : strcmp(m->id, id);
}

/* Returns the index of the member in in->v, or the index where it belongs. */
static size_t place(const struct inventory *in, const char *host, const char *id)
{
	size_t at = 0, to = in->v.n;

	while (at < to) {
		size_t mid = (at + to) / 2;

		if (compare(&in->v.v[mid], host, id) < 0)
			at = mid + 1;
		else
			to = mid;
	}
	return at;
}

const struct member *inventory_find(const struct inventory *in, const char *host, const char *id)
{
	size_t at = place(in, host, id);

	return at < in->v.n && !compare(&in->v.v[at], host, id) ? &in->v.v[at] : NULL;
}

static struct member *get(struct inventory *in, const char *host, const char *id)
{
	struct member one = {0};
	size_t at = place(in, host, id);

	if (at < in->v.n && !compare(&in->v.v[at], host, id))
		return &in->v.v[at];
	one.host = xstrdup(host);
	one.id = xstrdup(id);
	vec_push(&in->v, one);
	memmove(&in->v.v[at + 1], &in->v.v[at], (in->v.n - 1 - at) * sizeof(*in->v.v));
	in->v.v[at] = one;
	return &in->v.v[at];
}

static void add_key(struct strbuf *b, const char *kind, const char *host, const char *last)
{
	strbuf_adds(b, kind);
	subject_host(b, host);
	strbuf_addf(b, ".%s", last);
}

/*
 * Returns whether @subject is the key of the entry that names @host and @id. The server only checks
 * who may write to a subject, so an entry must not name another host than its subject does. The
 * last part of a plan's key is random, and is not compared.
 */
static bool is_key(const char *subject, bool plan, const char *host, const char *id)
{
	struct strbuf b = {0};
	bool same;

	add_key(&b, plan ? PLAN : HOST, host, plan ? "" : id);
	same = plan ? !strncmp(subject, b.s, b.len) : !strcmp(subject, b.s);
	strbuf_release(&b);
	return same;
}

bool inventory_take(struct inventory *in, const char *subject, const void *data, size_t size,
		    uint64_t time)
{
	struct message msg;
	bool ok = message_parse(&msg, data, size);
	const char *host = ok ? message_get(&msg, "host") : NULL;
	const char *id = ok ? message_get(&msg, "id") : NULL;
	const char *plan = ok ? message_get(&msg, "plan") : NULL;
	const char *version = ok ? message_get(&msg, "version") : NULL;
	const char *labels = ok ? message_get(&msg, "labels") : NULL;
	struct member *m;

	ok = is_host_name(host) && id && (!*id || is_identity(id)) && (plan || *id) &&
	     is_key(subject, plan, host, id);
	if (ok) {
		m = get(in, host, id);
		if (plan && time >= m->planned) {
			m->planned = time;
			m->retired = !strcmp(plan, plans[PLAN_RETIRED]);
			m->named_relay = !strcmp(plan, plans[PLAN_RELAY]) && !*id;
		} else if (!plan) {
			m->registered = true;
			m->relay = message_get(&msg, "relay");
			m->seen = time;
			health_read(&m->health, &msg);
			xfree(m->version);
			m->version = version ? visible_copy(version) : NULL;
			xfree(m->labels);
			m->labels = labels && are_labels(labels) ? xstrdup(labels) : NULL;
		}
	}
	message_release(&msg);
	return ok;
}

/* Adds a line to in->forged. @who is HOST.ID, as in the subject. */
static void note_forged(struct inventory *in, const char *who)
{
	visible_add(&in->forged, who, strlen(who));
	strbuf_adds(&in->forged,
		    ": its entry in the inventory is not signed by its known key, so its labels "
		    "and its health may be forged; if the host has a new key, remove its line from "
		    "the file of known keys\n");
}

/* Remembers a plan that no administrator has signed, unless it is malformed. */
static void add_loose(struct inventory *in, const void *data, size_t size, uint64_t time)
{
	struct message m = {0};
	struct loose_plan l = {.time = time};

	if (message_parse(&m, data, size) && is_host_name(message_get(&m, "host")) &&
	    message_get(&m, "plan")) {
		l.host = xstrdup(message_get(&m, "host"));
		vec_push(&in->loose, l);
	}
	message_release(&m);
}

/* Returns whether a later plan for a host of the same name counts. */
static bool is_replaced(const struct inventory *in, const struct loose_plan *l)
{
	for (size_t i = place(in, l->host, ""); i < in->v.n && !strcmp(in->v.v[i].host, l->host);
	     i++)
		if (in->v.v[i].planned >= l->time)
			return true;
	return false;
}

bool inventory_has_loose(const struct inventory *in, const char *host)
{
	for (size_t i = 0; i < in->loose.n; i++)
		if (!strcmp(in->loose.v[i].host, host))
			return true;
	return false;
}

void inventory_note_loose(struct inventory *in)
{
	const struct loose_plan *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < in->loose.n; i++) {
		const struct loose_plan *l = &in->loose.v[i];

		if (is_replaced(in, l))
			continue;
		n += !first || strcmp(first->host, l->host);
		first = first ? first : l;
	}
	if (!n)
		return;
	strbuf_adds(&in->forged, first->host);
	if (n > 1)
		strbuf_addf(&in->forged, " and %zu more", n - 1);
	strbuf_adds(&in->forged, ": its plan (expect, retire) is not signed by a listed key of an "
				 "administrator, so it does not count; repeat the command with "
				 "such a key (-k)\n");
}

void inventory_forget_notes(struct inventory *in)
{
	for (size_t i = 0; i < in->loose.n; i++)
		xfree(in->loose.v[i].host);
	vec_free(&in->loose);
	strbuf_release(&in->forged);
}

void inventory_receive(struct inventory *in, const char *subject, const void *data, size_t size,
		       uint64_t time)
{
	const void *p = data;
	size_t n = size;
	uint64_t stored = time;
	enum answer a = ANSWER_GOOD;

	if (!strncmp(subject, HOST, strlen(HOST))) {
		a = answer_open(&in->known, subject, 2, data, size, &p, &n);
		if (a != ANSWER_GOOD && known_has(&in->known, subject, 2))
			note_forged(in, subject + strlen(HOST));
	} else if (!admins_open(in->admins, data, size, &p, &n, &time)) {
		add_loose(in, p, n, stored);
		return;
	}
	if (a == ANSWER_UNSIGNED) {
		p = data; /* a host of a former version does not sign its entry */
		n = size;
	}
	inventory_take(in, subject, p, n, time);
}

bool inventory_names_relay(const struct inventory *in, const char *host)
{
	const struct member *m = inventory_find(in, host, "");

	return m && m->named_relay;
}

bool inventory_is_relay(const struct inventory *in, const struct member *m)
{
	return m->named_relay || (m->relay && inventory_names_relay(in, m->host));
}

bool inventory_is_asked(const struct inventory *in, const char *target, const char *host,
			const char *id, bool labels)
{
	const struct member *m = inventory_find(in, host, id);
	bool known = false;

	if (inventory_names_relay(in, host))
		return true;
	if (!labels)
		return target_match_name(target, host);
	if (m && m->registered)
		return target_match(target, host, m->labels);
	/*
	 * A machine with a new certificate has a new ID. Its labels may be in the entry of the old
	 * ID.
	 */
	for (size_t i = place(in, host, ""); i < in->v.n && !strcmp(in->v.v[i].host, host); i++) {
		m = &in->v.v[i];
		known |= m->registered;
		if (m->registered && target_match(target, host, m->labels))
			return true;
	}
	return !known && target_match_name(target, host);
}

/*
 * Returns whether @m and @o are entries of the same machine and @o is newer. The two entries have
 * different IDs, because an ID depends on the machine's certificate.
 */
static bool is_renewed(const struct member *m, const struct member *o)
{
	return o != m && o->registered && o->seen > m->seen && identity_same_machine(m->id, o->id);
}

/*
 * Returns whether viewers expect @o instead of @m. Both are entries of the same name.
 * - If @m has an ID, @o must be the same machine with a newer certificate.
 * - If @m has no ID, @o must have registered and not be retired. If in addition @m is a relay, @o
 *   must be a relay: an agent with the relay's name does not answer for the site.
 */
static bool is_covered(const struct member *m, const struct member *o)
{
	if (*m->id)
		return is_renewed(m, o);
	return o->registered && !o->retired && (o->relay || !m->named_relay);
}

bool inventory_expects(const struct inventory *in, const struct member *m)
{
	const struct member *from = m, *end = in->v.v + in->v.n;

	if (m->retired)
		return false;
	while (from > in->v.v && !strcmp(from[-1].host, m->host))
		from--;
	for (; from < end && !strcmp(from->host, m->host); from++)
		if (is_covered(m, from))
			return false;
	return true;
}

void inventory_release(struct inventory *in)
{
	for (size_t i = 0; i < in->v.n; i++) {
		xfree(in->v.v[i].host);
		xfree(in->v.v[i].id);
		xfree(in->v.v[i].version);
		xfree(in->v.v[i].labels);
	}
	vec_free(&in->v);
	inventory_forget_notes(in);
	known_release(&in->known);
}

void inventory_host(struct strbuf *subject, struct strbuf *b, const char *host, const char *id,
		    const char *version, const char *labels, const struct health *health)
{
	add_key(subject, HOST, host, id);
	message_begin(b);
	message_head(b, "host", host);
	message_head(b, "id", id);
	message_head(b, "version", version);
	if (*labels)
		message_head(b, "labels", labels);
	health_write(b, health);
	message_body(b, NULL, 0);
}

void inventory_relay(struct strbuf *subject, struct strbuf *b, const char *name, const char *id,
		     const char *version)
{
	add_key(subject, HOST, name, id);
	message_begin(b);
	message_head(b, "host", name);
	message_head(b, "id", id);
	message_head(b, "version", version);
	message_head(b, "relay", "yes");
	message_body(b, NULL, 0);
}

void inventory_plan(struct strbuf *b, const char *host, const char *id, enum plan plan,
		    const char *fleet, uint64_t time)
{
	message_begin(b);
	message_head(b, "host", host);
	message_head(b, "id", id);
	message_head(b, "plan", plans[plan]);
	message_head(b, "fleet", fleet);
	message_head_number(b, "time", time);
	message_body(b, NULL, 0);
}

void inventory_plan_subject(struct strbuf *subject, const char *host, const char *token)
{
	add_key(subject, PLAN, host, token);
}
