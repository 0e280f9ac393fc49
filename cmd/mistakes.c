/* mistakes.c - prints messages for wrong command lines. */
#include "cmd/mistakes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cmd/about/scripts.h"
#include "cmd/arguments.h"
#include "cmd/errors.h"
#include "engine/replay/local.h"
#include "engine/replay/source.h"

/*
 * The suffix of a capture may be followed by the number that tcpdump -C and -W add, and then by the
 * suffix of a compressed file.
 */
bool looks_like_capture(const char *name)
{
	static const char *const suffixes[] = {".pcapng", ".pcap", ".cap"};
	static const char *const packed[] = {"", ".gz", ".zst", ".xz", ".lz4", ".bz2"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const char *rest = strstr(name, suffixes[i]);

		if (!rest || rest == name)
			continue;
		rest += strlen(suffixes[i]);
		rest += strspn(rest, "0123456789");
		for (size_t k = 0; k < sizeof(packed) / sizeof(packed[0]); k++)
			if (!strcmp(rest, packed[k]))
				return true;
	}
	return false;
}

/* ------------------------------------------------------------------- wrong words */

int no_long_option(const char *word)
{
	char *name = xstrdup(word);
	const char *meant;
	int status;

	name[strcspn(name, "=")] = '\0';
	meant = option_meant(name);
	if (option_is_static(name) || (meant && !strcmp(meant, name)))
		status = misused("illegal option -- %s: did you mean -x %s?", word, word);
	else if (!strcmp(name, "list") || !strcmp(name, "usage"))
		status = misused("illegal option -- %s: did you mean %s?", word,
				 *name == 'l' ? "-l" : "--help");
	else if (meant)
		status = misused("illegal option -- %s: did you mean -x %s?", word, meant);
	else
		status = misused("illegal option -- %s: dtrace --help lists the options", word);
	xfree(name);
	return status;
}

int no_script(const char *name)
{
	char *near = script_near(name);
	int status;

	if (near)
		status = fatal("no probes specified: there is no script %s: did you mean %s?", name,
			       near);
	else
		status = fatal("no probes specified: there is no script %s; dtrace --scripts lists "
			       "all scripts",
			       name);
	xfree(near);
	return status;
}

int no_list_operand(const char *word)
{
	char *script = script_find(word);
	const char *what = script              ? "the probes of a script, use -l -s"
			   : strchr(word, ':') ? "a probe, use -l -n"
					       : "the probes of a provider, use -l -P";

	xfree(script);
	return fatal("extraneous argument '%s': to list %s %s", word, what, word);
}

int no_program(const struct arguments *args)
{
	const char *name = args->arg.n > 1 ? args->arg.v[1] : NULL;

	if (!name)
		return args->replay ? fatal("no program to run on %s: give a script name, -n or -s",
					    args->replay)
				    : fatal("no probes specified");
	if (looks_like_capture(name) && !args->replay)
		return fatal("no probes specified: to read the capture %s, use -r %s", name, name);
	if (looks_like_capture(name))
		return fatal("no probes specified: " JOIN_CAPTURES, args->replay, name);
	if (!access(name, R_OK))
		return fatal("no probes specified: to run the script %s, use -s %s", name, name);
	if (strchr(name, '{'))
		return fatal("no probes specified: to run a program, put -n before it: -n '%s'",
			     name);
	if (strchr(name, ':'))
		return fatal("no probes specified: to trace a probe, use -n '%s'", name);
	return no_script(name);
}

static int check_argument(const struct arguments *args, const char *arg)
{
	const char *script = args->text.v[0].arg;
	size_t n = strcspn(arg, "=");
	char name[32];

	if (!args->replay && looks_like_capture(arg))
		return fatal("%s is not an argument of %s: to read a capture, use -r %s", arg,
			     script, arg);
	if (looks_like_capture(arg))
		return fatal("%s is not an argument of %s; " JOIN_CAPTURES, arg, script,
			     args->replay, arg);
	snprintf(name, sizeof(name), "%.*s", (int)n, arg);
	if (arg[n] && n < sizeof(name) && option_is_static(name))
		return fatal("%s is not an argument of %s: to set an option, use -x %s", arg,
			     script, arg);
	return 0;
}

int options_among_arguments(const struct arguments *args)
{
	int err = 0;

	if (args->text.n && args->text.v[0].path)
		for (size_t i = 1; !err && i < args->arg.n; i++)
			err = check_argument(args, args->arg.v[i]);
	return err;
}

/* ------------------------------------------- options that contradict each other */

/*
 * Warns of -x host=ADDRESS. The user probably means tcpdump's "host 192.0.2.1", but -x host sets
 * the name of this host.
 */
static void warn_of_host(const struct arguments *args)
{
	const char *host = args->o.compile.host;
	unsigned char bytes[16];

	if (host && !args->o.locked &&
	    (inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1))
		complain(0,
			 "-x host=%s sets the name of this host; to select packets of %s, use -x "
			 "addr=%s",
			 host, host, host);
}

static int check_filters(const struct arguments *args)
{
	const char *live = filters_about(&args->o.filter, FILTER_LIVE);

	if (args->replay && live)
		return fatal("failed to set -x %s: it applies to live runs only; captures do not "
			     "record users, cgroups or network namespaces",
			     live);
	warn_of_host(args);
	if (args->o.files.follow)
		return fatal("failed to set -x follow: it applies to --merge only");
	if (!args->replay && args->o.local)
		return fatal("failed to set -x local: it applies to captures only; to filter a "
			     "live run by local address, use -x laddr=");
	return 0;
}

static int check_capture(const struct arguments *args)
{
	if (strcmp(args->replay, "-") && !replay_is_live(args->replay) &&
	    access(args->replay, R_OK))
		return fatal("failed to open %s: %s%s", args->replay, strerror(errno),
			     errno == ENOENT && !strpbrk(args->replay, "/.")
				     ? ", and no such interface"
				     : "");
	return 0;
}

int impossible_options(const struct arguments *args, struct diag *d)
{
	struct local l;
	int err;

	if (local_init(&l, args->o.local, d))
		return fatal_diag(&args->o, d);
	local_release(&l);
	if (args->o.live_only && args->replay)
		return fatal("the program is for live tracing (-x live): captures do not have the "
			     "data that it needs");
	if (args->o.promiscuous && (!args->replay || !replay_is_live(args->replay)))
		return fatal("failed to set -x promisc: it applies to -r INTERFACE only");
	err = args->replay ? check_capture(args) : 0;
	return err ? err : check_filters(args);
}
