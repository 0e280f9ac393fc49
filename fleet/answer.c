/* answer.c - signs and checks the messages of hosts. */
#include "fleet/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "fleet/files.h"
#include "fleet/identity.h"
#include "fleet/message.h"

enum {
	KNOWN_MAX = 16 << 20,
	/*
	 * maximum number of bytes of a host's name, plus 1; a dot takes three bytes in a subject
	 * ("%2E")
	 */
	NAME_PARTS = 65,
	NEW_IDS = 64, /* maximum number of new IDs that a viewer learns of one host name */
};

static bool make_key(uint8_t seed[SEED_SIZE], const char *path)
{
	uint8_t key[KEY_SIZE];
	struct strbuf b = {0};
	bool ok = sign_new(seed, key);

	key_text(&b, seed);
	strbuf_addc(&b, '\n');
	ok = ok && file_keep(path, b.s, b.len);
	memset(b.s, 0, b.len);
	strbuf_release(&b);
	return ok;
}

bool answer_key(uint8_t seed[SEED_SIZE], const char *path, struct strbuf *wrong)
{
	struct strbuf b = {0};
	bool there = file_get(path, 0, 256, &b), ok;

	if (!there && errno == ENOENT) {
		ok = make_key(seed, path);
		if (!ok)
			strbuf_addf(wrong, "%s: %s", path, strerror(errno));
		return ok;
	}
	strbuf_text(&b);
	if (b.len)
		b.s[strcspn(b.s, "\n")] = '\0';
	ok = there && !file_is_open_to(path, 077) && key_parse(b.s, seed);
	if (!ok)
		strbuf_addf(wrong,
			    "%s: this file has no key, or other users may read it (chmod 600)",
			    path);
	strbuf_release(&b);
	return ok;
}

/*
 * Returns the index of the key of @who in k->v. If there is no such key, returns the index at which
 * to insert it.
 */
static size_t place(const struct known *k, const char *who)
{
	size_t from = 0, to = k->v.n;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (strcmp(k->v.v[mid].who, who) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void add(struct known *k, const char *who, const uint8_t key[KEY_SIZE], bool is_new)
{
	size_t at = place(k, who);
	struct known_key one = {.is_new = is_new};

	if (at < k->v.n && !strcmp(k->v.v[at].who, who))
		return;
	one.who = xstrdup(who);
	memcpy(one.key, key, KEY_SIZE);
	vec_push(&k->v, one);
	memmove(&k->v.v[at + 1], &k->v.v[at], (k->v.n - 1 - at) * sizeof(one));
	k->v.v[at] = one;
}

/*
 * Reads the whole file. A missing file counts as empty. Returns false, with the error in errno, on
 * failure or if the file is too large.
 */
static bool read_file(const char *path, struct strbuf *b)
{
	uint64_t size = file_size(path);

	errno = 0;
	if (!file_get(path, 0, KNOWN_MAX + 1, b))
		return errno == ENOENT;
	if (b->len <= KNOWN_MAX && b->len >= size)
		return true;
	errno = b->len > KNOWN_MAX ? EFBIG : EIO;
	return false;
}

static bool read_line(struct known *k, char *line)
{
	char *key = strchr(line, ' ');
	uint8_t bytes[KEY_SIZE];

	if (!key)
		return false;
	*key++ = '\0';
	if (!key_parse(key, bytes))
		return false;
	add(k, line, bytes, false);
	return true;
}

bool known_read(struct known *k, const char *path)
{
	struct strbuf b = {0};
	char *rest = NULL;
	bool ok = read_file(path, &b);

	strbuf_text(&b);
	for (char *l = ok && b.s ? strtok_r(b.s, "\n", &rest) : NULL; l && ok;
	     l = strtok_r(NULL, "\n", &rest)) {
		ok = read_line(k, l);
		if (!ok)
			errno = 0;
	}
	strbuf_release(&b);
	return ok;
}

/* Sets @b to a newline if the file does not end with one. Otherwise leaves @b empty. */
static void end_last_line(const char *path, struct strbuf *b)
{
	uint64_t size = file_size(path);

	if (size && file_get(path, size - 1, 1, b) && b->len && *b->s == '\n')
		strbuf_reset(b);
	else if (b->len)
		*b->s = '\n';
}

/* Appends in one write, because other viewers may append at the same time. */
static bool append(const char *path, const struct strbuf *b)
{
	mode_t mask = umask(077);
	int fd = file_open_output(path, O_APPEND), err = errno;
	ssize_t n = 0;

	umask(mask);
	if (fd >= 0) {
		n = write(fd, b->s, b->len);
		err = n < 0 ? errno : ENOSPC;
		close(fd);
	}
	errno = err;
	return n == (ssize_t)b->len;
}

bool known_write(struct known *k, const char *path)
{
	struct strbuf b = {0};
	size_t start;
	bool ok = true;

	end_last_line(path, &b);
	start = b.len;
	for (size_t i = 0; i < k->v.n; i++) {
		if (!k->v.v[i].is_new)
			continue;
		strbuf_addf(&b, "%s ", k->v.v[i].who);
		key_text(&b, k->v.v[i].key);
		strbuf_addc(&b, '\n');
		k->v.v[i].is_new = false;
	}
	if (b.len > start)
		ok = append(path, &b);
	strbuf_release(&b);
	return ok;
}

void known_release(struct known *k)
{
	for (size_t i = 0; i < k->v.n; i++)
		xfree(k->v.v[i].who);
	vec_free(&k->v);
}

/*
 * Returns whether the @n bytes at @p are a valid HOST.ID, where HOST has %2E in place of each dot.
 */
static bool is_who(const char *p, size_t n)
{
	char host[3 * NAME_PARTS] = "", id[IDENTITY_MAX + 1] = "", *to = host;
	const char *dot = memchr(p, '.', n), *end = p + n;

	if (!dot || dot - p >= (ptrdiff_t)sizeof(host) || end - dot > IDENTITY_MAX + 1)
		return false;
	for (; p < dot; p++)
		if (dot - p >= 3 && !memcmp(p, "%2E", 3)) {
			*to++ = '.';
			p += 2;
		} else {
			*to++ = *p;
		}
	memcpy(id, dot + 1, (size_t)(end - dot - 1));
	return is_host_name(host) && is_identity(id);
}

bool known_add(struct known *k, const char *who, const uint8_t key[KEY_SIZE], bool is_new)
{
	if (is_new && !is_who(who, strlen(who)))
		return false;
	add(k, who, key, is_new);
	return true;
}

/*
 * Appends HOST.ID, the first two of the last @parts parts of the subject. Returns false if these
 * two parts are not a valid HOST.ID.
 */
static bool add_who(struct strbuf *b, const char *subject, int parts)
{
	const char *p = subject + strlen(subject), *end;

	while (p > subject && parts)
		parts -= *--p == '.';
	if (parts)
		return false;
	p++;
	end = strchr(p, '.');
	end = end ? end + 1 + strcspn(end + 1, ".") : p + strlen(p);
	strbuf_add(b, p, (size_t)(end - p));
	return is_who(p, (size_t)(end - p));
}

bool known_has(const struct known *k, const char *subject, int parts)
{
	struct strbuf who = {0};
	bool has = false;
	size_t at;

	if (add_who(&who, subject, parts)) {
		at = place(k, who.s);
		has = at < k->v.n && !strcmp(k->v.v[at].who, who.s);
	}
	strbuf_release(&who);
	return has;
}

/*
 * Returns whether k->v has the maximum number of new IDs for the host name in @who. @at is the
 * index at which @who is, or would be inserted.
 */
static bool is_crowded(const struct known *k, size_t at, const char *who)
{
	size_t n = strcspn(who, ".") + 1, from = at, to = at, fresh = 0;

	while (from && !strncmp(k->v.v[from - 1].who, who, n))
		fresh += k->v.v[--from].is_new;
	while (to < k->v.n && !strncmp(k->v.v[to].who, who, n))
		fresh += k->v.v[to++].is_new;
	return fresh >= NEW_IDS;
}

/*
 * Returns whether the file of known keys has the host name in @who, with other keys and not with
 * @key. @at is the index in k->v at which @who is, or would be inserted.
 */
static bool is_other(const struct known *k, size_t at, const char *who, const uint8_t *key)
{
	size_t n = strcspn(who, ".") + 1;
	bool other = false;

	while (at && !strncmp(k->v.v[at - 1].who, who, n))
		at--;
	for (; at < k->v.n && !strncmp(k->v.v[at].who, who, n); at++) {
		if (k->v.v[at].is_new)
			continue;
		if (!memcmp(k->v.v[at].key, key, KEY_SIZE))
			return false; /* the same host, with a new certificate */
		other = true;
	}
	return other;
}

static void learn(struct known *k, size_t at, const char *who, const uint8_t key[KEY_SIZE])
{
	bool other = is_other(k, at, who, key);

	add(k, who, key, true);
	k->v.v[at].other = other;
}

static bool is_message(const void *data, size_t size)
{
	struct message m;
	bool ok = message_parse(&m, data, size);

	message_release(&m);
	return ok;
}

enum answer answer_open(struct known *k, const char *subject, int parts, const void *data,
			size_t size, const void **p, size_t *n)
{
	uint8_t key[KEY_SIZE];
	struct strbuf who = {0};
	enum answer a = ANSWER_GOOD;
	size_t at;

	if (!sign_open(data, size, p, n, key)) {
		bool head = size > SIGNED_HEAD &&
			    is_message((const char *)data + SIGNED_HEAD, size - SIGNED_HEAD);

		return head || is_message(data, size) ? ANSWER_UNSIGNED : ANSWER_JUNK;
	}
	if (!add_who(&who, subject, parts)) {
		strbuf_release(&who);
		return ANSWER_JUNK;
	}
	at = place(k, who.s);
	if (at == k->v.n || strcmp(k->v.v[at].who, who.s)) {
		if (is_crowded(k, at, who.s))
			a = ANSWER_JUNK;
		else
			learn(k, at, who.s, key);
	} else if (memcmp(k->v.v[at].key, key, KEY_SIZE))
		a = ANSWER_FOREIGN;
	strbuf_release(&who);
	return a;
}

const char *answer_text(enum answer a)
{
	return a == ANSWER_FOREIGN ? "its answer is not signed by the host's known key"
				   : "its answer is not signed, or its signature is wrong";
}
