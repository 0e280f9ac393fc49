/*
 * options.c - the options that setopt() can change while tracing. Each of them is a row of
 * options[].
 */
#include "consumer/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agg/percentile.h"
#include "base/duration.h"
#include "consumer/symbols/stack.h"

#define STACK_INDENT_MAX 1000
#define AGGRATE_MIN 200000u /* minimum of -x aggrate in ns, because no tick is shorter */

/* -------------------------------------------------------------- forms of values */

bool option_bool(const char *s, bool *out)
{
	static const char *const on[] = {"", "yes", "on", "true", "enable", "enabled", "set", "1"};
	static const char *const off[] = {"no",       "off",   "false", "disable",
					  "disabled", "unset", "0"};

	for (size_t i = 0; i < sizeof(on) / sizeof(*on); i++)
		if (!s || !strcasecmp(s, on[i])) {
			*out = true;
			return true;
		}
	for (size_t i = 0; i < sizeof(off) / sizeof(*off); i++)
		if (!strcasecmp(s, off[i])) {
			*out = false;
			return true;
		}
	return false;
}

/* Parses a number at the start of @s. Sets *@rest to the text after the number. */
static bool number(const char *s, uint64_t *v, const char **rest)
{
	char *end;

	if (!s || *s < '0' || *s > '9')
		return false;
	errno = 0;
	*v = strtoull(s, &end, 0);
	*rest = end;
	return !errno;
}

bool option_size(const char *s, uint64_t *out)
{
	static const char suffix[] = "kmgt";
	const char *rest, *p;
	unsigned shift = 0;
	uint64_t v;

	if (!number(s, &v, &rest))
		return false;
	if (*rest) {
		p = strchr(suffix, *rest | 0x20);
		if (!p || rest[1])
			return false;
		shift = 10 * (unsigned)(p - suffix + 1);
	}
	if (v << shift >> shift != v)
		return false;
	*out = v << shift;
	return true;
}

bool option_rate(const char *s, uint64_t *out)
{
	const char *rest;
	uint64_t v, unit;

	if (!number(s, &v, &rest))
		return false;
	if (!strcasecmp(rest, "hz")) {
		*out = v ? 1000000000 / v : 0;
		return v != 0;
	}
	unit = *rest ? duration_unit(rest) : 1;
	*out = v * unit;
	return unit && v <= UINT64_MAX / unit;
}

const char *option_strerror(int err)
{
	switch (err) {
	case OPTION_UNKNOWN:
		return "Invalid option name";
	case OPTION_UNSUPPORTED:
		return "Option is not supported";
	case OPTION_VERSION:
		return "Requested version is not supported";
	case OPTION_NOT_HERE:
		return "Only the command line may set this option";
	}
	return "Invalid value for specified option";
}

/* -------------------------------------------------------------------- the options */

struct option;
typedef int set_fn(struct consumer_opts *o, const struct option *opt, const char *value);

struct option {
	const char *name;
	set_fn *set;
	size_t off; /* offset of the value in struct consumer_opts */
	bool early; /* a pragma that sets the option takes effect before the program is compiled */
};

static int set_bool(struct consumer_opts *o, const struct option *opt, const char *value)
{
	return option_bool(value, (bool *)((char *)o + opt->off)) ? 0 : OPTION_BAD;
}

static int set_int(struct consumer_opts *o, const struct option *opt, const char *value)
{
	int64_t *to = (int64_t *)((char *)o + opt->off);
	char *end;
	long long v;

	errno = 0;
	v = strtoll(value, &end, 0);
	if (end == value || *end || errno || v < 0)
		return OPTION_BAD;
	*to = v;
	return 0;
}

static int set_indent(struct consumer_opts *o, const struct option *opt, const char *value)
{
	struct consumer_opts to;

	if (set_int(&to, opt, value) || to.stackindent > STACK_INDENT_MAX)
		return OPTION_BAD;
	o->stackindent = to.stackindent + 1;
	return 0;
}

/*
 * Checks the syntax of -x statusrate, switchrate or cleanrate, and ignores the rate. dtrace has no
 * buffers to switch or clean, and checks its status once a second.
 */
static int set_rate(struct consumer_opts *o, const struct option *opt, const char *value)
{
	uint64_t ns;

	(void)o, (void)opt;
	return option_rate(value, &ns) ? 0 : OPTION_BAD;
}

/*
 * Sets -x aggrate. This has an effect only before tracing. Once tracing has started, a tick probe
 * with a fixed rate takes the samples.
 */
static int set_aggrate(struct consumer_opts *o, const struct option *opt, const char *value)
{
	uint64_t ns;

	(void)opt;
	if (!option_rate(value, &ns) || ns < AGGRATE_MIN)
		return OPTION_BAD;
	o->aggrate = ns;
	return 0;
}

static int set_encoding(struct consumer_opts *o, const struct option *opt, const char *value)
{
	(void)opt;
	if (strcmp(value, "ascii") && strcmp(value, "utf8"))
		return OPTION_BAD;
	o->style.utf8 = *value == 'u';
	return 0;
}

static int set_percentiles(struct consumer_opts *o, const struct option *opt, const char *value)
{
	(void)opt;
	return percentiles_parse(value, &o->style.percentiles) ? 0 : OPTION_BAD;
}

#define OPT(name, set) {#name, set, offsetof(struct consumer_opts, name), false}
#define EARLY_OPT(name, set) {#name, set, offsetof(struct consumer_opts, name), true}

static const struct option options[] = {
	OPT(quiet, set_bool),
	OPT(flowindent, set_bool),
	OPT(rawbytes, set_bool),
	EARLY_OPT(footer, set_bool),
	EARLY_OPT(cost, set_bool),
	OPT(strict, set_bool),
	OPT(droptags, set_bool),
	OPT(aggsortkey, set_bool),
	OPT(aggsortrev, set_bool),
	OPT(promkeys, set_int),
	OPT(aggsortpos, set_int),
	OPT(aggsortkeypos, set_int),
	OPT(agghist, set_bool),
	OPT(aggpack, set_bool),
	{"aggzoom", set_bool, offsetof(struct consumer_opts, style.zoom), false},
	{"encoding", set_encoding, 0, false},
	{"percentiles", set_percentiles, 0, false},
	OPT(stackindent, set_indent),
	OPT(resolve, set_bool),
	EARLY_OPT(aggrate, set_aggrate),
	{"statusrate", set_rate, 0, false},
	{"switchrate", set_rate, 0, false},
	{"cleanrate", set_rate, 0, false},
};

struct resolver *consumer_resolver(const struct consumer_opts *o)
{
	return o->resolve ? o->resolver : NULL;
}

int consumer_stackindent(const struct consumer_opts *o)
{
	return o->stackindent ? (int)o->stackindent - 1 : STACK_INDENT;
}

const char *consumer_option(unsigned n, bool *flag)
{
	if (n >= sizeof(options) / sizeof(*options))
		return NULL;
	*flag = options[n].set == set_bool;
	return options[n].name;
}

bool consumer_option_is_early(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].name, name))
			return options[i].early;
	return false;
}

int consumer_setopt(struct consumer_opts *o, const char *name, const char *value)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].name, name))
			return options[i].set(o, &options[i], value ? value : "");
	return OPTION_UNKNOWN;
}
