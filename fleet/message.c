/* message.c - parses and writes messages. */
#include "fleet/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "fleet/identity.h"
#include "fleet/viewer/newest.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

enum { HOST_MAX = 64 };

static const char magic[] = "DTFLEET1\n";

/*
 * Stores the next line in @line and its length, without the line end, in @n. Moves @p behind the
 * line. Returns false if no line is left or the line is too long.
 */
static bool take_line(const char **p, const char *end, const char **line, size_t *n)
{
	const char *nl = memchr(*p, '\n', (size_t)(end - *p));

	if (!nl || nl - *p > MESSAGE_LINE)
		return false;
	*line = *p;
	*n = (size_t)(nl - *p);
	*p = nl + 1;
	return true;
}

static bool add_head(struct message *m, const char *line, size_t n)
{
	const char *blank = memchr(line, ' ', n);
	char *key;

	if (!blank || blank == line || m->nhead == MESSAGE_HEADS || memchr(line, 0, n))
		return false;
	key = arena_strndup(&m->mem, line, (size_t)(blank - line));
	if (key[strspn(key, LETTERS)] || message_get(m, key))
		return false;
	m->head[m->nhead].key = key;
	m->head[m->nhead++].value = arena_strndup(&m->mem, blank + 1,
						  n - (size_t)(blank + 1 - line));
	return true;
}

bool message_parse(struct message *m, const void *data, size_t size)
{
	const char *p = data, *end = p + size, *line;
	size_t n;

	memset(m, 0, sizeof(*m));
	arena_init(&m->mem);
	if (size < sizeof(magic) - 1 || memcmp(p, magic, sizeof(magic) - 1))
		return false;
	p += sizeof(magic) - 1;
	while (take_line(&p, end, &line, &n)) {
		if (!n) {
			m->body = p;
			m->len = (size_t)(end - p);
			return true;
		}
		if (!add_head(m, line, n))
			return false;
	}
	return false;
}

void message_release(struct message *m)
{
	arena_release(&m->mem);
}

const char *message_get(const struct message *m, const char *key)
{
	for (unsigned i = 0; i < m->nhead; i++)
		if (!strcmp(m->head[i].key, key))
			return m->head[i].value;
	return NULL;
}

bool message_number(const struct message *m, const char *key, uint64_t *v)
{
	const char *s = message_get(m, key);
	char *end;

	if (!s || !*s || s[strspn(s, DIGITS)])
		return false;
	errno = 0;
	*v = strtoull(s, &end, 10);
	return !errno;
}

void message_begin(struct strbuf *b)
{
	strbuf_adds(b, magic);
}

void message_head(struct strbuf *b, const char *key, const char *value)
{
	size_t most = MESSAGE_LINE - strlen(key) - 1;

	strbuf_addf(b, "%s ", key);
	for (; *value && most; value++, most--)
		strbuf_addc(b, *value == '\n' ? ' ' : *value);
	strbuf_addc(b, '\n');
}

void message_head_number(struct strbuf *b, const char *key, uint64_t v)
{
	strbuf_addf(b, "%s %" PRIu64 "\n", key, v);
}

void message_body(struct strbuf *b, const void *p, size_t n)
{
	strbuf_addc(b, '\n');
	if (n)
		strbuf_add(b, p, n);
}

bool is_run_id(const char *s)
{
	size_t n = s ? strspn(s, LETTERS CAPITALS DIGITS "-") : 0;

	return n && !s[n] && n <= RUN_ID_MAX;
}

bool subject_matches(const char *pattern, const char *subject)
{
	for (;;) {
		size_t p = strcspn(pattern, "."), s = strcspn(subject, ".");

		if (!(p == 1 && *pattern == '*' && s) && (p != s || memcmp(pattern, subject, p)))
			return false;
		pattern += p;
		subject += s;
		if (!*pattern || !*subject)
			return *pattern == *subject;
		pattern++;
		subject++;
	}
}

bool is_host_name(const char *s)
{
	size_t n = s ? strspn(s, LETTERS CAPITALS DIGITS "-._") : 0;

	return n && !s[n] && n <= HOST_MAX && *s != '.';
}

void subject_host(struct strbuf *b, const char *host)
{
	for (; *host; host++)
		if (*host == '.')
			strbuf_adds(b, "%2E");
		else
			strbuf_addc(b, *host);
}

void subject_key(struct strbuf *b, const struct report_key *key)
{
	strbuf_addc(b, '.');
	subject_host(b, key->host);
	strbuf_addf(b, ".%s.%" PRIu64, key->id, key->epoch);
}

bool message_is_of(const struct message *m, const char *run)
{
	const char *r = message_get(m, "run");

	return r && !strcmp(r, run);
}

bool message_key(const struct message *m, const char *subject, struct report_key *key)
{
	struct strbuf b = {0};
	size_t n = strlen(subject);
	bool same;

	key->host = message_get(m, "host");
	key->id = message_get(m, "id");
	if (!is_host_name(key->host) || !is_identity(key->id) ||
	    !message_number(m, "epoch", &key->epoch))
		return false;
	subject_key(&b, key);
	same = n > b.len && !strcmp(subject + n - b.len, b.s);
	strbuf_release(&b);
	return same;
}
