/* policy.c - parses and applies a policy. */
#include "fleet/host/policy.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/glob.h"
#include "base/strbuf.h"
#include "fleet/labels.h"

bool key_parse(const char *hex, uint8_t key[KEY_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	if (strlen(hex) != 2 * KEY_SIZE || hex[strspn(hex, digits)])
		return false;
	for (int i = 0; i < KEY_SIZE; i++)
		key[i] = (uint8_t)((strchr(digits, hex[2 * i]) - digits) << 4 |
				   (strchr(digits, hex[2 * i + 1]) - digits));
	return true;
}

void key_text(struct strbuf *b, const uint8_t key[KEY_SIZE])
{
	for (int i = 0; i < KEY_SIZE; i++)
		strbuf_addf(b, "%02x", key[i]);
}

/* Returns the next word of the line, or NULL if there is none. Moves @s behind the word. */
static char *word(char **s)
{
	char *w = strtok_r(NULL, " \t\r", s);

	return w && *w ? w : NULL;
}

static const char *take_key(struct policy *p, char **rest)
{
	char *hex = word(rest), *name = word(rest);
	struct policy_key k;

	if (!hex || !key_parse(hex, k.key))
		return "needs 64 hexadecimal digits";
	if (!name)
		return "the name of the key's owner is missing";
	if (word(rest))
		return "unexpected text follows the name";
	for (size_t i = 0; i < p->key.n; i++)
		if (!memcmp(p->key.v[i].key, k.key, KEY_SIZE))
			return "an earlier line has this key, so this line has no effect";
	k.name = arena_strdup(&p->mem, name);
	vec_push(&p->key, k);
	return NULL;
}

/* Adds a pattern to a list. Returns an error if the list has it already. */
static const char *add_pattern(struct policy *p, policy_patterns *to, const char *pattern)
{
	for (size_t i = 0; i < to->n; i++)
		if (!strcmp(to->v[i], pattern))
			return "a pattern is listed twice";
	vec_push(to, arena_strdup(&p->mem, pattern));
	return NULL;
}

static const char *take_probes(struct policy *p, policy_patterns *to, char **rest)
{
	const char *why = "needs patterns of probes";

	for (char *w; (w = word(rest));) {
		int colons = 0;

		for (const char *c = w; *c; c++)
			colons += *c == ':';
		if (colons != 3)
			return "probes are provider:module:function:name";
		why = add_pattern(p, to, w);
		if (why)
			return why;
	}
	return why;
}

static const char *take_fleet(struct policy *p, char **rest)
{
	char *w = word(rest);

	if (!w)
		return "needs a name";
	p->fleet = arena_strdup(&p->mem, w);
	return word(rest) ? "unexpected text follows the name" : NULL;
}

static const char *take_replay(struct policy *p, char **rest)
{
	const char *why = "needs paths of captures";

	for (char *w; (w = word(rest));) {
		why = *w == '/' ? add_pattern(p, &p->replay, w) : "captures need absolute paths";
		if (why)
			return why;
	}
	return why;
}

/* Returns an error if an earlier line sets the same bound, because only one could have an effect.
 */
static const char *set_once(struct policy *p, const char *what, const char *owner)
{
	const char *name = arena_printf(&p->mem, "%s %s", what, owner);

	return add_pattern(p, &p->set, name) ? "an earlier line sets it" : NULL;
}

static const char *take_number(uint64_t *v, char **rest)
{
	char *w = word(rest);

	if (!w || !*w || strspn(w, "0123456789") != strlen(w) || strlen(w) > 15)
		return "needs a number";
	*v = strtoull(w, NULL, 10);
	return *v ? NULL : "must be at least 1";
}

/*
 * Returns the limit for the keys of owner @name. Adds an empty limit, for this line, if there is
 * none.
 */
static struct policy_limit *limit_of(struct policy *p, const char *name, unsigned line)
{
	struct policy_limit none = {.name = arena_strdup(&p->mem, name), .line = line};

	for (size_t i = 0; i < p->limit.n; i++)
		if (!strcmp(p->limit.v[i].name, name))
			return &p->limit.v[i];
	vec_push(&p->limit, none);
	return &p->limit.v[p->limit.n - 1];
}

/*
 * Parses a day, and stores the first second of the next day in @until. Returns an error, or NULL.
 */
static const char *take_day(uint64_t *until, char **rest)
{
	struct tm day = {0};
	char *w = word(rest), *end = w ? strptime(w, "%Y-%m-%d", &day) : NULL;

	if (!end || *end)
		return "needs a day, as in 2027-01-31";
	*until = (uint64_t)timegm(&day) + 24 * 3600;
	return NULL;
}

static const char *take_hosts(struct policy *p, policy_patterns *to, char **rest)
{
	const char *why = "needs names of hosts";

	for (char *w; (w = word(rest));) {
		struct strbuf wrong = {0};
		bool ok = target_check(w, &wrong);

		strbuf_release(&wrong);
		if (!ok)
			return "hosts are selected by NAME, KEY=VALUE or KEY!=VALUE";
		why = add_pattern(p, to, w);
		if (why)
			return why;
	}
	return why;
}

static const char *take_groups(struct policy *p, char **rest)
{
	char *w = word(rest);

	p->groups_required = w && !strcmp(w, "required");
	return !w || (strcmp(w, "required") && strcmp(w, "optional"))
		       ? "must be required or optional"
	       : word(rest) ? "unexpected text follows the word"
			    : NULL;
}

/*
 * The bounds of one run (struct policy_use). A line such as "cpu 50" sets a bound for all owners,
 * and "limit NAME cpu 50" sets it for one owner.
 */
static const struct {
	const char *name;
	size_t at; /* offset in struct policy_use */
	uint64_t usual;
} uses[] = {
	{"cpu", offsetof(struct policy_use, cpu), 100},
	{"memory", offsetof(struct policy_use, memory), 1 << 30},
	{"tasks", offsetof(struct policy_use, tasks), 128},
	{"files", offsetof(struct policy_use, files), 65536},
	{"cost", offsetof(struct policy_use, cost), 10},
};

#define USES (sizeof(uses) / sizeof(*uses))

static uint64_t *use_at(struct policy_use *u, size_t i)
{
	return (uint64_t *)((char *)u + uses[i].at);
}

/* Returns the bound with this name in @u, or NULL if there is none. */
static uint64_t *use_of(struct policy_use *u, const char *name)
{
	for (size_t i = 0; i < USES; i++)
		if (!strcmp(uses[i].name, name))
			return use_at(u, i);
	return NULL;
}

static const char *take_limit(struct policy *p, unsigned line, char **rest)
{
	char *name = word(rest), *what = word(rest);
	struct policy_limit *l;
	const char *why;
	uint64_t *use;

	if (!name || !what)
		return "needs the name of a key's owner, and a rule";
	l = limit_of(p, name, line);
	if (!strcmp(what, "probes"))
		return take_probes(p, &l->probes, rest);
	if (!strcmp(what, "hosts"))
		return take_hosts(p, &l->hosts, rest);
	use = use_of(&l->use, what);
	why = use                        ? take_number(use, rest)
	      : !strcmp(what, "seconds") ? take_number(&l->seconds, rest)
	      : !strcmp(what, "rate")    ? take_number(&l->rate, rest)
	      : !strcmp(what, "daily")   ? take_number(&l->daily, rest)
	      : !strcmp(what, "until")   ? take_day(&l->until, rest)
					 : "unknown rule";
	return why          ? why
	       : word(rest) ? "unexpected text follows the rule"
			    : set_once(p, what, name);
}

static const char *take_line(struct policy *p, unsigned line, const char *what, char **rest)
{
	const struct {
		const char *name;
		uint64_t *v;
	} number[] = {
		{"seconds", &p->seconds}, {"keys", &p->keys},   {"bytes", &p->bytes},
		{"rate", &p->rate},       {"lease", &p->lease}, {"runs", &p->runs},
		{"daily", &p->daily},
	};
	const char *why;
	uint64_t *v;

	if (!strcmp(what, "key"))
		return take_key(p, rest);
	if (!strcmp(what, "limit"))
		return take_limit(p, line, rest);
	if (!strcmp(what, "probes"))
		return take_probes(p, &p->probes, rest);
	if (!strcmp(what, "replay"))
		return take_replay(p, rest);
	if (!strcmp(what, "fleet") || !strcmp(what, "groups")) {
		why = *what == 'f' ? take_fleet(p, rest) : take_groups(p, rest);
		return why ? why : set_once(p, what, "");
	}
	v = use_of(&p->use, what);
	for (size_t i = 0; i < sizeof(number) / sizeof(*number) && !v; i++)
		if (!strcmp(number[i].name, what))
			v = number[i].v;
	if (!v)
		return "unknown setting";
	why = take_number(v, rest);
	return why          ? why
	       : word(rest) ? "unexpected text follows the number"
			    : set_once(p, what, "");
}

/* Returns the first limit for an owner without a key, which would have no effect, or NULL. */
static const struct policy_limit *idle_limit(const struct policy *p)
{
	for (size_t i = 0; i < p->limit.n; i++) {
		size_t k = 0;

		while (k < p->key.n && strcmp(p->key.v[k].name, p->limit.v[i].name))
			k++;
		if (k == p->key.n)
			return &p->limit.v[i];
	}
	return NULL;
}

bool policy_parse(struct policy *p, const char *text, struct strbuf *wrong)
{
	const struct policy_limit *idle;
	unsigned line = 0;

	memset(p, 0, sizeof(*p));
	arena_init(&p->mem);
	p->fleet = FLEET_DEFAULT;
	p->seconds = 60;
	p->keys = 10000;
	p->bytes = 4 << 20;
	p->rate = 1000;
	p->lease = 30;
	p->runs = 16;
	p->daily = 250;
	for (size_t i = 0; i < USES; i++)
		*use_at(&p->use, i) = uses[i].usual;
	for (const char *end; *text; text = *end ? end + 1 : end) {
		char *copy, *rest = NULL, *what;
		const char *why;

		line++;
		end = text + strcspn(text, "\n");
		copy = arena_strndup(&p->mem, text, (size_t)(end - text));
		copy[strcspn(copy, "#")] = '\0';
		what = strtok_r(copy, " \t\r", &rest);
		why = what ? take_line(p, line, what, &rest) : NULL;
		if (why) {
			strbuf_addf(wrong, "line %u: %s: %s", line, what, why);
			return false;
		}
	}
	idle = idle_limit(p);
	if (idle)
		strbuf_addf(wrong, "line %u: limit: no key has the name %s", idle->line,
			    idle->name);
	return !idle;
}

void policy_release(struct policy *p)
{
	for (size_t i = 0; i < p->limit.n; i++) {
		vec_free(&p->limit.v[i].probes);
		vec_free(&p->limit.v[i].hosts);
	}
	vec_free(&p->limit);
	vec_free(&p->key);
	vec_free(&p->probes);
	vec_free(&p->replay);
	vec_free(&p->set);
	arena_release(&p->mem);
}

struct policy_limit policy_limit(const struct policy *p, const char *name)
{
	struct policy_limit l = {0};
	struct policy_use usual = p->use;

	for (size_t i = 0; i < p->limit.n; i++)
		if (!strcmp(p->limit.v[i].name, name))
			l = p->limit.v[i];
	if (!l.seconds)
		l.seconds = p->seconds;
	if (!l.rate)
		l.rate = p->rate;
	if (!l.daily)
		l.daily = p->daily;
	for (size_t i = 0; i < USES; i++)
		if (!*use_at(&l.use, i))
			*use_at(&l.use, i) = *use_at(&usual, i);
	if (!l.probes.n)
		l.probes = p->probes;
	return l;
}

const char *policy_signer(const struct policy *p, const uint8_t key[KEY_SIZE], uint64_t now)
{
	for (size_t i = 0; i < p->key.n; i++) {
		const char *name = p->key.v[i].name;
		uint64_t until;

		if (memcmp(p->key.v[i].key, key, KEY_SIZE))
			continue;
		until = policy_limit(p, name).until;
		if (!until || now < until)
			return name;
	}
	return NULL;
}

/*
 * Copies the component of the path up to the next '/' to @part, and moves @p to that '/'. Returns
 * false if the component is too long.
 */
static bool take_part(const char **p, char part[256])
{
	size_t n = strcspn(*p, "/");

	if (n > 255)
		return false;
	memcpy(part, *p, n);
	part[n] = '\0';
	*p += n;
	return true;
}

/* Returns whether the path matches the pattern. Wildcards do not match '/'. */
static bool path_matches(const char *pattern, const char *path)
{
	char one[256], other[256];

	for (;; pattern++, path++) {
		if (!take_part(&pattern, one) || !take_part(&path, other) || !*one != !*other)
			return false;
		if (!glob_match(one, other) || *pattern != *path)
			return false;
		if (!*pattern)
			return true;
	}
}

bool policy_replay(const struct policy *p, const char *path)
{
	if (*path != '/' || strstr(path, "/../") ||
	    (strlen(path) >= 3 && !strcmp(path + strlen(path) - 3, "/..")))
		return false;
	for (size_t i = 0; i < p->replay.n; i++)
		if (path_matches(p->replay.v[i], path))
			return true;
	return false;
}
