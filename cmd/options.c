/*
 * options.c - the -x options: one row each.
 *
 * Options that only change what is printed are the consumer's (setopt() can set
 * those while tracing); they are tried when no row here has the name.
 */
#include "cmd/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool parse_size(const char *s, uint64_t *out)
{
	static const char suffix[] = "kmgt";
	const char *p;
	char *end;
	uint64_t v;
	unsigned shift = 0;

	if (!s || *s < '0' || *s > '9')
		return false;
	v = strtoull(s, &end, 0);
	if (*end) {
		p = strchr(suffix, *end | 0x20);
		if (!p || end[1])
			return false;
		shift = 10 * (unsigned)(p - suffix + 1);
	}
	if (v << shift >> shift != v)
		return false;
	*out = v << shift;
	return true;
}

static bool parse_bool(const char *s, bool *out)
{
	static const char *const yes[] = {"yes", "on", "true", "enable", "enabled", "set", "1"};
	static const char *const no[] = {"no", "off", "false", "disable", "disabled", "unset", "0"};

	if (!s) {
		*out = true;
		return true;
	}
	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++) {
		if (!strcasecmp(s, yes[i]) || !strcasecmp(s, no[i])) {
			*out = !strcasecmp(s, yes[i]);
			return true;
		}
	}
	return false;
}

enum option_kind {
	OPT_FLAG,    /* bool at off */
	OPT_SIZE,    /* uint64_t */
	OPT_SIZE32,  /* uint32_t */
	OPT_TEXT,    /* const char * */
	OPT_ACCEPT,  /* known to DTrace, without meaning here: any value is taken */
};

static const struct {
	const char *name;
	enum option_kind kind;
	size_t off;
} options[] = {
	{"bufsize", OPT_SIZE, offsetof(struct cmd_opts, bufsize)},
	{"aggsize", OPT_SIZE, offsetof(struct cmd_opts, compile.agg_bytes)},
	{"strsize", OPT_SIZE32, offsetof(struct cmd_opts, compile.strsize)},
	{"stackframes", OPT_SIZE32, offsetof(struct cmd_opts, compile.stackframes)},
	{"zdefs", OPT_FLAG, offsetof(struct cmd_opts, compile.zdefs)},
	{"nolibs", OPT_FLAG, offsetof(struct cmd_opts, compile.nolibs)},
	{"nocast", OPT_FLAG, offsetof(struct cmd_opts, compile.nocast)},
	{"defaultargs", OPT_FLAG, offsetof(struct cmd_opts, defaultargs)},
	{"argref", OPT_FLAG, offsetof(struct cmd_opts, argref)},
	{"errtags", OPT_FLAG, offsetof(struct cmd_opts, errtags)},
	{"caret", OPT_FLAG, offsetof(struct cmd_opts, caret)},
	{"empty", OPT_FLAG, offsetof(struct cmd_opts, empty)},
	{"destructive", OPT_FLAG, offsetof(struct cmd_opts, destructive)},
	{"checked", OPT_FLAG, offsetof(struct cmd_opts, checked)},
	{"verify", OPT_FLAG, offsetof(struct cmd_opts, verify)},
	{"dump", OPT_TEXT, offsetof(struct cmd_opts, dump)},
	{"local", OPT_TEXT, offsetof(struct cmd_opts, local)},
	{"conns", OPT_SIZE32, offsetof(struct cmd_opts, conns)},
	{"bufpolicy", OPT_ACCEPT, 0},
	{"bufresize", OPT_ACCEPT, 0},
	{"specsize", OPT_ACCEPT, 0},
	{"nspec", OPT_ACCEPT, 0},
	{"dynvarsize", OPT_ACCEPT, 0},
	{"switchrate", OPT_ACCEPT, 0},
	{"aggrate", OPT_ACCEPT, 0},
	{"statusrate", OPT_ACCEPT, 0},
	{"cleanrate", OPT_ACCEPT, 0},
	{"ustackframes", OPT_ACCEPT, 0},
	{"jstackframes", OPT_ACCEPT, 0},
	{"jstackstrsize", OPT_ACCEPT, 0},
	{"temporal", OPT_ACCEPT, 0},
	{"amin", OPT_ACCEPT, 0},
	{"pspec", OPT_ACCEPT, 0},
	{"evaltime", OPT_ACCEPT, 0},
	{"stdc", OPT_ACCEPT, 0},
	{"version", OPT_ACCEPT, 0},
	{"linkmode", OPT_ACCEPT, 0},
	{"lazyload", OPT_ACCEPT, 0},
	{"pgmax", OPT_ACCEPT, 0},
	{"knodefs", OPT_ACCEPT, 0},
	{"unodefs", OPT_ACCEPT, 0},
	{"scratchsize", OPT_ACCEPT, 0},
	{"maxframes", OPT_ACCEPT, 0},
};

static int set(struct cmd_opts *o, enum option_kind kind, void *to, const char *value)
{
	uint64_t size;

	(void)o;
	switch (kind) {
	case OPT_FLAG:
		return parse_bool(value, to) ? 0 : -2;
	case OPT_TEXT:
		*(const char **)to = value;
		return value ? 0 : -2;
	case OPT_ACCEPT:
		return 0;
	case OPT_SIZE:
	case OPT_SIZE32:
		if (!parse_size(value, &size) || !size || (kind != OPT_SIZE && size > UINT32_MAX))
			return -2;
		if (kind == OPT_SIZE)
			*(uint64_t *)to = size;
		else
			*(uint32_t *)to = (uint32_t)size;
		return 0;
	}
	return -1;
}

bool option_is_static(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i].name, name))
			return true;
	return false;
}

int option_set(struct cmd_opts *o, const char *name, const char *value)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i].name, name))
			return set(o, options[i].kind, (char *)o + options[i].off, value);
	return consumer_setopt(&o->consumer, name, value);
}
