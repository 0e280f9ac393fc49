/*
 * options.c - sets the -x options. Each option is a row of options[].
 *
 * Options that setopt() can change while tracing are rows of consumer/options.c instead.
 * option_set() searches that table if no row here has the name.
 */
#include "cmd/options.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "compiler/meaning/hints/hint.h"
#include "consumer/oformat/oformat.h"
#include "engine/replay/tcp/table.h"

enum option_kind {
	/*
	 * The next kinds store the value in the member of struct cmd_opts at the offset of the row.
	 * The comment of a kind begins with the type of this member.
	 */
	OPT_FLAG,   /* bool */
	OPT_SIZE,   /* uint64_t */
	OPT_SIZE32, /* uint32_t */
	/* uint64_t; the member is the value plus 1, so that 0 means the default */
	OPT_SIZE_OR_0,
	OPT_CONNS,   /* uint32_t, at least TCP_CONNS_MIN */
	OPT_WORD,    /* const char *: one of the words of the row */
	OPT_TEXT,    /* const char * */
	OPT_OUTSIDE, /* const char *; the option makes dtrace write a file or open a port */
	/* const struct oformat_ops *; the value is the name of an output format */
	OPT_FORM,
	OPT_TIME,         /* uint64_t in ns; the value is a number with its unit */
	OPT_CPU,          /* uint32_t; the member is the number of the CPU plus 1 */
	OPT_HOST,         /* const char *; the value has letters, digits, '.', '_' and '-' */
	OPT_HOLD,         /* enum target_hold */
	OPT_ATTR,         /* struct stability */
	OPT_SETENV,       /* env_changes; the value is "NAME=value" */
	OPT_UNSETENV,     /* env_changes; the value is "NAME" */
	OPT_COMMAND_LINE, /* const char *, like OPT_WORD, but only the command line may set it */

	OPT_LIBDIR, /* the value is added to cmd_opts.libdir */
	/* the word of the row (if there is one) and the value are added to cpp_opts.arg */
	OPT_CPP,

	/*
	 * DTrace options that tune mechanisms which this dtrace does not have. The value is only
	 * checked.
	 */
	OPT_NO_FLAG,
	OPT_NO_SIZE,
	OPT_NO_WORD,
	OPT_VERSION, /* the value must not exceed the version that -V prints */

	/*
	 * DTrace options that would change the output but are not implemented. Setting one is an
	 * error.
	 */
	OPT_UNSUPPORTED,
	OPT_UNSUPPORTED_FLAG, /* as OPT_UNSUPPORTED, but setting the option to off is allowed */
};

#define HOST_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
#define HOLD_WORDS "exec preinit postinit main"
#define VERSION_MINOR 13 /* the 13 in "D 1.13", which -V prints */

enum {
	EARLY = 1,   /* a pragma that sets the option takes effect before the program is compiled */
	COUNTED = 2, /* the option changes what a program counts in a capture */
	READS = 4,   /* compiling reads other files than the program, or runs the preprocessor */
};

#define IN(member) offsetof(struct cmd_opts, member)

static const struct option {
	const char *name;
	enum option_kind kind;
	size_t off;
	/* possible values, separated by blanks; for OPT_CPP: an option of cpp, or NULL */
	const char *words;
	unsigned flags; /* set of EARLY, COUNTED and READS */
} options[] = {
	{"bufsize", OPT_SIZE, IN(consumer.bufsize), NULL, 0},
	{"aggsize", OPT_SIZE, IN(compile.agg_bytes), NULL, EARLY | COUNTED},
	{"specsize", OPT_SIZE_OR_0, IN(consumer.specsize), NULL, COUNTED},
	{"nspec", OPT_SIZE_OR_0, IN(compile.nspec), NULL, EARLY | COUNTED},
	{"strsize", OPT_SIZE32, IN(compile.strsize), NULL, EARLY | COUNTED},
	{"scratchsize", OPT_SIZE32, IN(compile.scratchsize), NULL, EARLY | COUNTED},
	{"stackframes", OPT_SIZE32, IN(compile.stackframes), NULL, EARLY | COUNTED},
	{"ustackframes", OPT_SIZE32, IN(compile.ustackframes), NULL, EARLY | COUNTED},
	{"jstackframes", OPT_SIZE32, IN(compile.jstackframes), NULL, EARLY | COUNTED},
	{"zdefs", OPT_FLAG, IN(compile.zdefs), NULL, EARLY},
	{"noskips", OPT_FLAG, IN(compile.noskips), NULL, EARLY},
	{"nolibs", OPT_FLAG, IN(compile.nolibs), NULL, EARLY | COUNTED},
	{"maps", OPT_WORD, IN(maps), "arena kernel", 0},
	{"nocast", OPT_FLAG, IN(compile.nocast), NULL, 0},
	{"nofentry", OPT_FLAG, IN(compile.nofentry), NULL, 0},
	{"defaultargs", OPT_FLAG, IN(defaultargs), NULL, EARLY},
	{"argref", OPT_FLAG, IN(argref), NULL, 0},
	{"errtags", OPT_FLAG, IN(errtags), NULL, 0},
	{"nohint", OPT_FLAG, IN(consumer.nohint), NULL, EARLY},
	{"locked", OPT_FLAG, IN(locked), NULL, 0},
	{"probes", OPT_TEXT, IN(probes), NULL, READS},
	{"host", OPT_HOST, IN(compile.host), NULL, COUNTED},
	{"empty", OPT_FLAG, IN(empty), NULL, 0},
	{"destructive", OPT_FLAG, IN(destructive), NULL, 0},
	{"checked", OPT_FLAG, IN(checked), NULL, 0},
	{"nojit", OPT_FLAG, IN(nojit), NULL, 0},
	{"verify", OPT_FLAG, IN(verify), NULL, 0},
	{"dump", OPT_WORD, IN(dump), "ast typed ir plain bpf", 0},
	{"local", OPT_TEXT, IN(local), NULL, COUNTED},
	{"live", OPT_FLAG, IN(live_only), NULL, EARLY},
	{"promisc", OPT_FLAG, IN(promiscuous), NULL, 0},
	{"filter", OPT_TEXT, IN(packet_filter), NULL, EARLY | COUNTED},
	{"aggout", OPT_OUTSIDE, IN(aggout), NULL, 0},
	{"aggoutrate", OPT_TIME, IN(consumer.aggout.rate), NULL, 0},
	{"aggoutonly", OPT_FLAG, IN(consumer.aggout.only), NULL, 0},
	{"signalstatus", OPT_FLAG, IN(signal_status), NULL, 0},
	{"capture", OPT_OUTSIDE, IN(capture), NULL, EARLY},
	{"pcapsize", OPT_SIZE32, IN(compile.pcapsize), NULL, EARLY},
	{"slower", OPT_TIME, IN(compile.slower), NULL, EARLY | COUNTED},
	{"duration", OPT_TIME, IN(consumer.duration), NULL, COUNTED},
	{"count", OPT_SIZE, IN(consumer.count), NULL, COUNTED},
	{"bpfrate", OPT_TIME, IN(bpf_rate), NULL, 0},
	{"cpu", OPT_CPU, IN(compile.only_cpu), NULL, EARLY | COUNTED},
	{"libdir", OPT_LIBDIR, 0, NULL, COUNTED | READS},
	{"syslibdir", OPT_TEXT, IN(syslibdir), NULL, COUNTED | READS},
	{"evaltime", OPT_HOLD, IN(hold), HOLD_WORDS, 0},
	{"setenv", OPT_SETENV, IN(env), NULL, 0},
	{"unsetenv", OPT_UNSETENV, IN(env), NULL, 0},
	{"cpp", OPT_FLAG, IN(cpp.on), NULL, READS},
	{"cpphdrs", OPT_FLAG, IN(cpp.headers), NULL, 0},
	{"cpppath", OPT_TEXT, IN(cpp.path), NULL, 0},
	{"define", OPT_CPP, 0, "-D", 0},
	{"undef", OPT_CPP, 0, "-U", 0},
	{"incdir", OPT_CPP, 0, "-I", 0},
	{"cppargs", OPT_CPP, 0, NULL, 0},
	{"amin", OPT_ATTR, IN(compile.amin), NULL, EARLY},
	{"oformat", OPT_FORM, IN(consumer.oformat), NULL, EARLY},
	{"title", OPT_TEXT, IN(consumer.title), NULL, 0},
	{"view", OPT_WORD, IN(view), "top", EARLY},
	{"follow", OPT_FLAG, IN(files.follow), NULL, 0},
	{"anyprogram", OPT_FLAG, IN(files.any_program), NULL, 0},
	{"unit", OPT_TEXT, IN(consumer.unit), NULL, 0},
	{"confine", OPT_COMMAND_LINE, IN(confine), "on off", 0},
	{"listen", OPT_OUTSIDE, IN(listen), NULL, EARLY},
	{"jobs", OPT_SIZE32, IN(jobs), NULL, 0},
	{"conns", OPT_CONNS, IN(conns), NULL, COUNTED},

	{"bufpolicy", OPT_WORD, IN(consumer.bufpolicy), "switch ring fill", COUNTED},
	{"bufresize", OPT_NO_WORD, 0, "auto manual", 0},
	{"linkmode", OPT_NO_WORD, 0, "kernel dynamic static", 0},
	{"stdc", OPT_WORD, IN(cpp.stdc), "a c s t", 0},
	{"version", OPT_VERSION, 0, NULL, 0},
	{"dynvarsize", OPT_NO_SIZE, 0, NULL, 0},
	{"jstackstrsize", OPT_NO_SIZE, 0, NULL, 0},
	{"maxframes", OPT_NO_SIZE, 0, NULL, 0},
	{"lockmem", OPT_NO_SIZE, 0, NULL, 0},
	{"pgmax", OPT_NO_SIZE, 0, NULL, 0},
	{"temporal", OPT_NO_FLAG, 0, NULL, 0}, /* records are always in the order of time */
	{"pspec", OPT_NO_FLAG, 0, NULL, 0},
	{"lazyload", OPT_NO_FLAG, 0, NULL, 0},
	{"knodefs", OPT_NO_FLAG, 0, NULL, 0},
	{"unodefs", OPT_NO_FLAG, 0, NULL, 0},
	{"bpflog", OPT_NO_FLAG, 0, NULL, 0},
	{"quietresize", OPT_NO_FLAG, 0, NULL, 0},
	{"noresolve", OPT_NO_FLAG, 0, NULL, 0},

	{"grabanon", OPT_UNSUPPORTED_FLAG, 0, NULL, 0},
	{"zone", OPT_UNSUPPORTED, 0, NULL, 0},
	{"kdefs", OPT_UNSUPPORTED, 0, NULL, 0},
	{"udefs", OPT_UNSUPPORTED, 0, NULL, 0},
	{"linktype", OPT_UNSUPPORTED, 0, NULL, 0},
	{"late", OPT_UNSUPPORTED, 0, NULL, 0},
	{"tree", OPT_UNSUPPORTED, 0, NULL, 0},
	{"iregs", OPT_UNSUPPORTED, 0, NULL, 0},
	{"tregs", OPT_UNSUPPORTED, 0, NULL, 0},
	{"verbose", OPT_UNSUPPORTED, 0, NULL, 0},
	{"ctypes", OPT_UNSUPPORTED, 0, NULL, 0},
	{"dtypes", OPT_UNSUPPORTED, 0, NULL, 0},
	{"core", OPT_UNSUPPORTED, 0, NULL, 0},
	{"aggpercpu", OPT_UNSUPPORTED_FLAG, 0, NULL, 0},
	{"printsize", OPT_UNSUPPORTED, 0, NULL, 0},
};

static int set_size(void *to, enum option_kind kind, const char *value)
{
	uint64_t size;

	if (!option_size(value, &size) || !size || (kind != OPT_SIZE && size > UINT32_MAX) ||
	    (kind == OPT_CONNS && size < TCP_CONNS_MIN))
		return OPTION_BAD;
	if (kind == OPT_SIZE)
		*(uint64_t *)to = size;
	else
		*(uint32_t *)to = (uint32_t)size;
	return 0;
}

static int check_word(const char *words, const char *value)
{
	size_t n = value ? strlen(value) : 0;

	for (const char *w = words; n && *w; w += strcspn(w, " "), w += *w == ' ')
		if (strcspn(w, " ") == n && !strncmp(w, value, n))
			return 0;
	return OPTION_BAD;
}

static int check_version(const char *value)
{
	unsigned major, minor, micro = 0;
	char dot, rest;
	int n = value ? sscanf(value, "%u%c%u.%u%c", &major, &dot, &minor, &micro, &rest) : 0;

	if (n < 3 || n > 4 || dot != '.')
		return OPTION_BAD;
	return major > 1 || (major == 1 && minor > VERSION_MINOR) ? OPTION_VERSION : 0;
}

static int set_cpu(uint32_t *to, const char *value)
{
	uint64_t cpu;

	if (!option_size(value, &cpu) || cpu >= CPU_SETSIZE)
		return OPTION_BAD;
	*to = (uint32_t)cpu + 1;
	return 0;
}

static int set_form(const struct oformat_ops **to, const char *value)
{
	const struct oformat_ops *oformat = value ? oformat_find(value) : NULL;

	if (!oformat)
		return OPTION_BAD;
	*to = oformat;
	return 0;
}

/*
 * Reads a time. Rejects a number without a unit, because users mean seconds where option_rate()
 * would read nanoseconds.
 */
static int set_time(uint64_t *to, const char *value)
{
	size_t digits = value ? strspn(value, "0123456789") : 0;

	if (!digits || !value[digits] || !strcasecmp(value + digits, "hz") ||
	    !option_rate(value, to) || !*to)
		return OPTION_BAD;
	return 0;
}

static int set_hold(enum target_hold *to, const char *value)
{
	static const struct {
		const char *name;
		enum target_hold hold;
	} row[] = {
		{"exec", HOLD_EXEC},
		{"preinit", HOLD_ENTRY},
		{"postinit", HOLD_MAIN},
		{"main", HOLD_MAIN},
	};

	for (size_t i = 0; value && i < sizeof(row) / sizeof(*row); i++)
		if (!strcmp(row[i].name, value)) {
			*to = row[i].hold;
			return 0;
		}
	return OPTION_BAD;
}

/*
 * Adds a change of the environment. The value must be "NAME=value" if @whole is set, else "NAME".
 */
static int set_env(env_changes *to, bool whole, const char *value)
{
	if (!value || !*value || *value == '=' || whole != !!strchr(value, '='))
		return OPTION_BAD;
	vec_push(to, value);
	return 0;
}

/* Adds option @word with its value to cpp's arguments; without @word, the words in @value. */
static int set_cpp(struct cpp_opts *cpp, const char *word, const char *value)
{
	if (!value)
		return OPTION_BAD;
	vec_push(&cpp->arg, word);
	vec_push(&cpp->arg, value);
	return 0;
}

static int set(struct cmd_opts *o, const struct option *opt, const char *value)
{
	void *to = (char *)o + opt->off;
	uint64_t size;
	bool flag;
	int err;

	switch (opt->kind) {
	case OPT_FLAG:
		return option_bool(value, to) ? 0 : OPTION_BAD;
	case OPT_SIZE:
	case OPT_SIZE32:
	case OPT_CONNS:
		return set_size(to, opt->kind, value);
	case OPT_SIZE_OR_0:
		if (!option_size(value, &size) || size == UINT64_MAX)
			return OPTION_BAD;
		*(uint64_t *)to = size + 1;
		return 0;
	case OPT_COMMAND_LINE:
		if (!o->at_command_line)
			return OPTION_NOT_HERE;
		/* fall through */
	case OPT_WORD:
		err = check_word(opt->words, value);
		*(const char **)to = err ? *(const char **)to : value;
		return err;
	case OPT_TEXT:
	case OPT_OUTSIDE:
		*(const char **)to = value;
		return value ? 0 : OPTION_BAD;
	case OPT_HOST:
		*(const char **)to = value;
		return value && *value && strlen(value) <= HOST_NAME_MAX &&
				       !value[strspn(value, HOST_CHARS)]
			       ? 0
			       : OPTION_BAD;
	case OPT_TIME:
		return set_time(to, value);
	case OPT_CPU:
		return set_cpu(to, value);
	case OPT_FORM:
		return set_form(to, value);
	case OPT_LIBDIR:
		if (value)
			vec_push(&o->libdir, value);
		return value ? 0 : OPTION_BAD;
	case OPT_CPP:
		return set_cpp(&o->cpp, opt->words, value);
	case OPT_HOLD:
		return set_hold(to, value);
	case OPT_SETENV:
	case OPT_UNSETENV:
		return set_env(to, opt->kind == OPT_SETENV, value);
	case OPT_NO_FLAG:
		return option_bool(value, &flag) ? 0 : OPTION_BAD;
	case OPT_NO_SIZE:
		return option_size(value, &size) ? 0 : OPTION_BAD;
	case OPT_NO_WORD:
		return check_word(opt->words, value);
	case OPT_VERSION:
		return check_version(value);
	case OPT_ATTR:
		return stability_parse(value, to) ? 0 : OPTION_BAD;
	case OPT_UNSUPPORTED_FLAG:
		if (option_bool(value, &flag) && !flag)
			return 0;
		break;
	case OPT_UNSUPPORTED:
		break;
	}
	return OPTION_UNSUPPORTED;
}

static const struct option *find_option(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i].name, name))
			return &options[i];
	return NULL;
}

bool option_reaches_outside(const char *name)
{
	const struct option *opt = find_option(name);

	return opt && opt->kind == OPT_OUTSIDE;
}

bool option_starts_command(const char *name, const char *value)
{
	const struct option *opt = find_option(name);

	if (!strcmp(name, "cpppath") || !strcmp(name, "cppargs"))
		return true;
	return opt && opt->kind == OPT_CPP && value && *value == '@';
}

bool option_reads_files(const char *name)
{
	const struct option *opt = find_option(name);

	return opt && opt->flags & READS;
}

void options_are_given(struct cmd_opts *o)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].kind == OPT_OUTSIDE && *(const char **)((char *)o + options[i].off))
			vec_push(&o->given, options[i].name);
}

bool option_is_given(const struct cmd_opts *o, const char *name)
{
	for (size_t i = 0; i < o->given.n; i++)
		if (!strcmp(o->given.v[i], name))
			return true;
	return false;
}

int option_environment(struct cmd_opts *o, const char *const *env, const char **bad)
{
	static const char prefix[] = "DTRACE_OPT_";
	char name[64];
	int err = 0;

	for (; *env && !err; env++) {
		const char *from = *env + sizeof(prefix) - 1, *value = strchr(*env, '=');

		if (strncmp(*env, prefix, sizeof(prefix) - 1) || !value ||
		    value - from >= (int)sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(value - from), from);
		err = option_set(o, name, value[1] ? value + 1 : NULL);
		*bad = *env;
	}
	return err;
}

/* Returns the names of all output formats, separated by blanks. */
static const char *form_words(void)
{
	static char words[256];
	const struct oformat_ops *form;

	*words = '\0';
	for (unsigned i = 0; (form = oformat_at(i)); i++) {
		size_t n = strlen(words);

		snprintf(words + n, sizeof(words) - n, "%s%s", i ? " " : "", form->name);
	}
	return words;
}

const char *option_name(unsigned n, const char **words)
{
	static const unsigned own = sizeof(options) / sizeof(*options);
	const char *name;
	bool flag;

	if (n >= own) {
		*words = "";
		name = filter_name(&n, own);
		if (name)
			return name;
		name = consumer_option(n - own, &flag);
		*words = name && flag ? NULL : "";
		return name;
	}
	switch (options[n].kind) {
	case OPT_FLAG:
	case OPT_NO_FLAG:
		*words = NULL;
		break;
	case OPT_FORM:
		*words = form_words();
		break;
	case OPT_WORD:
	case OPT_COMMAND_LINE:
	case OPT_NO_WORD:
	case OPT_HOLD:
		*words = options[n].words;
		break;
	default:
		*words = "";
	}
	return options[n].kind == OPT_UNSUPPORTED || options[n].kind == OPT_UNSUPPORTED_FLAG
		       ? ""
		       : options[n].name;
}

const char *option_wrong(const struct cmd_opts *o, int err)
{
	if (o->why.len)
		return o->why.s;
	return err == OPTION_FILTER ? o->filter.wrong.s : option_strerror(err);
}

bool option_is_early(const char *name)
{
	const struct option *opt = find_option(name);

	if (opt)
		return opt->flags & EARLY;
	return filter_exists(name) || consumer_option_is_early(name);
}

bool option_is_static(const char *name)
{
	return find_option(name) || filter_exists(name);
}

/* Names that other commands use for our filters and options. */
static const struct {
	const char *theirs, *ours;
} elsewhere[] = {
	{"comm", "execname"},
	{"command", "execname"},
	{"container", "cgroup"},
	{"csv", "oformat=csv"},
	{"dport", "port, lport or rport"},
	{"dst", "addr, laddr or raddr"},
	{"ip", "addr, laddr or raddr"},
	{"json", "oformat=json"},
	{"name", "execname"},
	{"net", "addr, laddr or raddr"},
	{"seconds", "duration"},
	{"sport", "port, lport or rport"},
	{"src", "addr, laddr or raddr"},
	{"time", "duration"},
	{"timeout", "duration"},
	{"top", "view=top"},
	{"uid", "user"},
};

const char *option_meant(const char *name)
{
	const char *words, *near = NULL, *other;
	unsigned least = strlen(name) / 2 < 2 ? strlen(name) / 2 + 1 : 3;

	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (!strcmp(elsewhere[i].theirs, name))
			return elsewhere[i].ours;
	for (unsigned i = 0; (other = option_name(i, &words)); i++) {
		unsigned far = *other ? hint_nearness(name, other) : least;

		if (far < least) {
			least = far;
			near = other;
		}
	}
	return near;
}

static void suggest(struct cmd_opts *o, const char *name)
{
	const char *meant = option_meant(name);

	if (meant)
		strbuf_addf(&o->why, "%s: did you mean %s?", option_strerror(OPTION_UNKNOWN),
			    meant);
}

/*
 * Writes a message about a wrong value of option @n to o->why. If the option takes a time, the
 * message gives examples of times. If the option takes only certain words, the message lists the
 * words. For other options, writes nothing.
 */
static void explain_value(struct cmd_opts *o, unsigned n)
{
	const char *words;

	option_name(n, &words);
	if (options[n].kind == OPT_TIME)
		strbuf_addf(&o->why, "%s: expected a time with its unit: 10s, 500ms, 5m",
			    option_strerror(OPTION_BAD));
	if (!words || !*words)
		return;
	strbuf_addf(&o->why, "%s: possible values: ", option_strerror(OPTION_BAD));
	for (; *words; words++)
		if (*words == ' ')
			strbuf_adds(&o->why, ", ");
		else
			strbuf_addc(&o->why, *words);
}

int option_set(struct cmd_opts *o, const char *name, const char *value)
{
	const struct option *opt = find_option(name);
	int err;

	strbuf_reset(&o->why);
	if (opt) {
		err = set(o, opt, value);
		if (err == OPTION_BAD)
			explain_value(o, (unsigned)(opt - options));
		return err;
	}
	if (filter_exists(name))
		return filter_add(&o->filter, name, value) ? 0 : OPTION_FILTER;
	err = consumer_setopt(&o->consumer, name, value);
	if (err == OPTION_UNKNOWN)
		suggest(o, name);
	return err;
}

static void add_number(struct strbuf *out, const char *name, uint64_t v)
{
	strbuf_addf(out, "%s=%" PRIu64, name, v);
	strbuf_addc(out, '\0');
}

static void add_text(struct strbuf *out, const char *name, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "%s=%s", name, text);
	strbuf_addc(out, '\0');
}

static void add_counted(struct strbuf *out, const struct cmd_opts *o, const struct option *opt)
{
	const void *from = (const char *)o + opt->off;

	switch (opt->kind) {
	case OPT_FLAG:
		add_number(out, opt->name, *(const bool *)from);
		break;
	case OPT_SIZE:
	case OPT_SIZE_OR_0:
	case OPT_TIME:
		add_number(out, opt->name, *(const uint64_t *)from);
		break;
	case OPT_SIZE32:
	case OPT_CONNS:
	case OPT_CPU:
		add_number(out, opt->name, *(const uint32_t *)from);
		break;
	case OPT_WORD:
	case OPT_TEXT:
	case OPT_HOST:
		add_text(out, opt->name, *(const char *const *)from);
		break;
	case OPT_LIBDIR:
		for (size_t i = 0; i < o->libdir.n; i++)
			add_text(out, opt->name, o->libdir.v[i]);
		break;
	default:
		BUG("option %s cannot be counted", opt->name);
	}
}

void options_add_counted(struct strbuf *out, const struct cmd_opts *o)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].flags & COUNTED)
			add_counted(out, o, &options[i]);
	add_text(out, "packets", o->compile.filter);
	add_text(out, "processes", o->compile.filter_task);
}

uint64_t option_sample_rate(const struct cmd_opts *o)
{
	return o->consumer.aggrate ? o->consumer.aggrate : AGGRATE;
}

void options_release(struct cmd_opts *o)
{
	filters_release(&o->filter);
	strbuf_release(&o->why);
	vec_free(&o->env);
	vec_free(&o->cpp.arg);
	vec_free(&o->libdir);
	vec_free(&o->given);
}
