/*
 * options.c - the options that may change while tracing: one row each.
 */
#include "consumer/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/stack.h"

#define STACK_INDENT_MAX 1000

struct option;
typedef int set_fn(struct consumer_opts *o, const struct option *opt, const char *value);

struct option {
	const char *name;
	set_fn *set;
	size_t off; /* in struct consumer_opts */
};

static int set_bool(struct consumer_opts *o, const struct option *opt, const char *value)
{
	static const char *const on[] = {"", "yes", "on", "true", "enable", "enabled", "set", "1"};
	static const char *const off[] = {"no",       "off",   "false", "disable",
					  "disabled", "unset", "0"};
	bool *to = (bool *)((char *)o + opt->off);

	for (size_t i = 0; i < sizeof(on) / sizeof(on[0]); i++)
		if (!strcmp(value, on[i])) {
			*to = true;
			return 0;
		}
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcmp(value, off[i])) {
			*to = false;
			return 0;
		}
	return -2;
}

static int set_int(struct consumer_opts *o, const struct option *opt, const char *value)
{
	int64_t *to = (int64_t *)((char *)o + opt->off);
	char *end;
	long long v;

	errno = 0;
	v = strtoll(value, &end, 0);
	if (end == value || *end || errno || v < 0)
		return -2;
	*to = v;
	return 0;
}

static int set_indent(struct consumer_opts *o, const struct option *opt, const char *value)
{
	struct consumer_opts to;

	if (set_int(&to, opt, value) || to.stackindent > STACK_INDENT_MAX)
		return -2;
	o->stackindent = to.stackindent + 1;
	return 0;
}

/* Has no meaning here: whatever it is set to. */
static int set_nothing(struct consumer_opts *o, const struct option *opt, const char *value)
{
	(void)o, (void)opt, (void)value;
	return 0;
}

#define OPT(name, set) \
	{ \
#name, set, offsetof(struct consumer_opts, name) \
	}

static const struct option options[] = {
    OPT(quiet, set_bool),
    OPT(flowindent, set_bool),
    OPT(rawbytes, set_bool),
    OPT(footer, set_bool),
    OPT(droptags, set_bool),
    OPT(aggsortkey, set_bool),
    OPT(aggsortrev, set_bool),
    OPT(aggsortpos, set_int),
    OPT(aggsortkeypos, set_int),
    OPT(stackindent, set_indent),
    {"resolve", set_bool, offsetof(struct consumer_opts, names)},
    {"agghist", set_nothing, 0},
    {"aggpack", set_nothing, 0},
    {"aggzoom", set_nothing, 0},
    {"aggrate", set_nothing, 0},
    {"statusrate", set_nothing, 0},
    {"switchrate", set_nothing, 0},
    {"cleanrate", set_nothing, 0},
};

int consumer_stackindent(const struct consumer_opts *o)
{
	return o->stackindent ? (int)o->stackindent - 1 : STACK_INDENT;
}

int consumer_setopt(struct consumer_opts *o, const char *name, const char *value)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].name, name))
			return options[i].set(o, &options[i], value ? value : "");
	return -1;
}
