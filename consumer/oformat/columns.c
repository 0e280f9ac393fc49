/* columns.c - makes names for keys and for recorded values. */
#include "consumer/oformat/columns.h"

#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "consumer/values/datum.h"
#include "consumer/values/printf.h"
#include "ir/format.h"
#include "ir/program.h"

/*
 * Replaces a character that column names cannot have. A label can be module`name, or $1 if it is a
 * macro argument.
 */
static char clean(char c)
{
	return c == '`' || c == '$' ? '_' : c;
}

static bool same(const char *a, const char *b)
{
	while (*a && clean(*a) == clean(*b))
		a++, b++;
	return !*a && !*b;
}

/* Returns the number of keys among the first @n that are called @name. */
static uint32_t count_keys(const struct agg_info *ai, uint32_t n, const char *name)
{
	uint32_t found = 0;

	for (uint32_t k = 0; k < n; k++)
		found += ai->key[k].label && !ai->key[k].layout && same(ai->key[k].label, name);
	return found;
}

/*
 * Appends @label and a number that makes the name unique. If the name is taken, adds nkey to the
 * number and tries again. Two keys still cannot get the same name, because their numbers differ
 * modulo nkey.
 */
static void numbered_key(struct strbuf *out, const struct agg_info *ai, const char *label,
			 const char *between, uint32_t number)
{
	size_t from = out->len;

	do {
		out->len = from;
		strbuf_addf(out, "%s%s%u", label, between, number);
		number += ai->nkey;
	} while (count_keys(ai, ai->nkey, out->s + from));
}

void key_name(struct strbuf *out, const struct agg_info *ai, uint32_t i)
{
	const char *label = ai->key[i].label;
	size_t from = out->len;
	uint32_t earlier = label ? count_keys(ai, i, label) : 0;

	if (!label)
		numbered_key(out, ai, "key", "", i + 1);
	else if (earlier)
		numbered_key(out, ai, label, "_", earlier + 1);
	else
		strbuf_adds(out, label);
	for (; from < out->len; from++)
		out->s[from] = clean(out->s[from]);
}

static bool has_column(const struct strbuf *h, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = h->len ? h->s : NULL; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, name, n) && (!at[n] || at[n] == ','))
			return true;
	}
	return false;
}

const char *columns_add(struct strbuf *h, const char *label, uint32_t number)
{
	struct strbuf b = {0};
	size_t at;

	if (label)
		strbuf_adds(&b, label);
	else
		strbuf_addf(&b, "value%u", number);
	for (unsigned i = 2; has_column(h, b.s); i++) {
		strbuf_reset(&b);
		strbuf_addf(&b, "%s_%u", label ? label : "value", i);
	}
	strbuf_adds(h, h->len ? "," : "");
	at = h->len;
	strbuf_adds(h, b.s);
	strbuf_release(&b);
	return h->s + at;
}

const struct datum *columns_argument(const struct fmt_args *args, const struct format *f,
				     uint32_t *at)
{
	while (*at < args->narg) {
		const struct datum *d = &args->arg[(*at)++];

		if (!d->fixed && !d->layout && fmt_shows(f, *at - 1))
			return d;
	}
	return NULL;
}
