/* labels.c - parses labels, and matches targets. */
#include "fleet/labels.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

#define DIGITS "0123456789"
#define HEX DIGITS "abcdef"
#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "-._/:"
#define SEPARATORS ", \t\r\n"

/* --------------------------------------------------------------------------- labels */

/* Returns whether the @n bytes at @s are KEY=VALUE. Stores the length of the key. */
static bool is_label(const char *s, size_t n, size_t *key)
{
	*key = strspn(s, WORD);
	if (!*key || *key > LABEL_MAX || *key >= n || s[*key] != '=')
		return false;
	return n - *key > 1 && n - *key - 1 <= LABEL_MAX &&
	       strspn(s + *key + 1, WORD) >= n - *key - 1;
}

static int compare(const char *a, size_t na, const char *b, size_t nb)
{
	int c = memcmp(a, b, na < nb ? na : nb);

	return c ? c : (na > nb) - (na < nb);
}

/*
 * Inserts one label, so that @labels stays sorted. Removes the label with the same key. @n is the
 * length of @label, and @key is the length of the key in it.
 */
static void put(struct strbuf *labels, const char *label, size_t n, size_t key)
{
	struct strbuf b = {0};
	bool there = false;

	for (const char *p = strbuf_text(labels); *p;) {
		size_t len = strcspn(p, ","), k = strcspn(p, "=");
		int c = compare(p, k, label, key);

		if (c >= 0 && !there) {
			strbuf_addf(&b, "%s%.*s", b.len ? "," : "", (int)n, label);
			there = true;
		}
		if (c)
			strbuf_addf(&b, "%s%.*s", b.len ? "," : "", (int)len, p);
		p += len + (p[len] == ',');
	}
	if (!there)
		strbuf_addf(&b, "%s%.*s", b.len ? "," : "", (int)n, label);
	strbuf_release(labels);
	*labels = b;
}

bool labels_add(struct strbuf *labels, const char *text, struct strbuf *wrong)
{
	while (*text) {
		size_t n, key;

		text += strspn(text, SEPARATORS);
		if (*text == '#') {
			text += strcspn(text, "\n");
			continue;
		}
		n = strcspn(text, SEPARATORS);
		if (!n)
			break;
		if (!is_label(text, n, &key)) {
			strbuf_addf(wrong,
				    "'%.*s' is not a label: write KEY=VALUE where KEY and VALUE "
				    "have letters, digits and -._/:, and at most %d characters "
				    "each",
				    n > 100 ? 100 : (int)n, text, LABEL_MAX);
			return false;
		}
		put(labels, text, n, key);
		text += n;
	}
	if (labels->len > LABELS_MAX) {
		strbuf_addf(wrong, "the labels have more than %d bytes", LABELS_MAX);
		return false;
	}
	return true;
}

bool are_labels(const char *labels)
{
	struct strbuf b = {0}, wrong = {0};
	bool ok = labels_add(&b, labels, &wrong) && !strcmp(strbuf_text(&b), labels);

	strbuf_release(&b);
	strbuf_release(&wrong);
	return ok;
}

/* Copies the value of a label to @value. Returns false if there is no such label. */
static bool find(const char *labels, const char *key, size_t n, char value[LABEL_MAX + 1])
{
	for (const char *p = labels ? labels : ""; *p;) {
		size_t len = strcspn(p, ","), k = strcspn(p, "=");

		if (k == n && k < len && !memcmp(p, key, n) && len - k - 1 <= LABEL_MAX) {
			memcpy(value, p + k + 1, len - k - 1);
			value[len - k - 1] = '\0';
			return true;
		}
		p += len + (p[len] == ',');
	}
	return false;
}

/* -------------------------------------------------------------------------- targets */

/*
 * Reads 16 hexadecimal digits and the character @end from the beginning of @s, and moves @s behind
 * @end. Returns false if @s does not begin with them.
 */
static bool take_number(const char **s, char end, uint64_t *v)
{
	if (strspn(*s, HEX) != 16 || (*s)[16] != end)
		return false;
	*v = strtoull(*s, NULL, 16);
	*s += 16 + (end != '\0');
	return true;
}

/* Splits a term "SEED/FROM-TO" (without the "~"). */
static bool read_share(const char *term, char seed[LABEL_MAX + 1], uint64_t *from, uint64_t *to)
{
	size_t n = strspn(term, WORD);
	const char *slash = memchr(term, '/', n);

	n = slash ? (size_t)(slash - term) : 0;
	if (!n || n > LABEL_MAX)
		return false;
	memcpy(seed, term, n);
	seed[n] = '\0';
	term = slash + 1;
	return take_number(&term, '-', from) && take_number(&term, '\0', to);
}

static bool share_matches(const char *term, const char *host)
{
	char seed[LABEL_MAX + 1];
	uint64_t from, to, share;

	if (!read_share(term, seed, &from, &to))
		return false;
	share = target_share(seed, host);
	return share >= from && share <= to;
}

static bool label_matches(const char *term, const char *equals, const char *labels)
{
	bool not = equals > term && equals[-1] == '!';
	size_t key = (size_t)(equals - term) - not;
	char value[LABEL_MAX + 1];

	return (find(labels, term, key, value) && glob_match(equals + 1, value)) != not;
}

static bool term_matches(const char *term, const char *host, const char *labels)
{
	const char *equals = strchr(term, '=');

	if (*term == '~')
		return share_matches(term + 1, host);
	return equals ? label_matches(term, equals, labels) : glob_match(term, host);
}

/* Copies the next term to @term, and moves @target behind it. Returns false if there is none. */
static bool next_term(const char **target, char *term)
{
	size_t n;

	if (!*target)
		return false;
	n = strcspn(*target, ",");
	memcpy(term, *target, n);
	term[n] = '\0';
	*target = (*target)[n] ? *target + n + 1 : NULL;
	return true;
}

static bool check_term(const char *term, struct strbuf *wrong)
{
	const char *equals = strchr(term, '=');
	char seed[LABEL_MAX + 1];
	uint64_t from, to;
	size_t key;

	if (*term == '~' && !read_share(term + 1, seed, &from, &to)) {
		strbuf_addf(wrong, "'%s' does not select a share of the hosts", term);
		return false;
	}
	if (*term == '~' || !equals)
		return true;
	key = strspn(term, WORD);
	if (!key || (term + key != equals && (term[key] != '!' || term + key + 1 != equals))) {
		strbuf_addf(wrong, "'%s': a label is selected by KEY=PATTERN or KEY!=PATTERN",
			    term);
		return false;
	}
	return true;
}

static bool checked_term_matches(const char *term, const char *host, const char *labels)
{
	struct strbuf wrong = {0};
	bool ok = check_term(term, &wrong) && term_matches(term, host, labels);

	strbuf_release(&wrong);
	return ok;
}

static bool match(const char *target, const char *host, const char *labels, bool names_only)
{
	char term[TARGET_MAX + 1];

	if (strlen(target) > TARGET_MAX)
		return false;
	while (next_term(&target, term)) {
		if (names_only && *term != '~' && strchr(term, '='))
			continue;
		if (!checked_term_matches(term, host, labels))
			return false;
	}
	return true;
}

bool target_match(const char *target, const char *host, const char *labels)
{
	return match(target, host, labels, false);
}

bool target_match_name(const char *target, const char *host)
{
	return match(target, host, NULL, true);
}

bool target_check(const char *target, struct strbuf *wrong)
{
	char term[TARGET_MAX + 1];

	if (strlen(target) > TARGET_MAX) {
		strbuf_addf(wrong, "the selection of hosts is longer than %d bytes", TARGET_MAX);
		return false;
	}
	while (next_term(&target, term))
		if (!check_term(term, wrong))
			return false;
	return true;
}

uint64_t target_share(const char *seed, const char *host)
{
	uint8_t hash[crypto_hash_sha256_BYTES];
	struct strbuf b = {0};
	uint64_t v = 0;

	strbuf_addf(&b, "%s/%s", seed, host);
	crypto_hash_sha256(hash, (const uint8_t *)b.s, b.len);
	strbuf_release(&b);
	for (int i = 0; i < 8; i++)
		v = v << 8 | hash[i];
	return v;
}

void target_add_share(struct strbuf *target, const char *seed, uint64_t from, uint64_t to)
{
	strbuf_addf(target, "%s~%s/%016" PRIx64 "-%016" PRIx64, target->len ? "," : "", seed, from,
		    to);
}
