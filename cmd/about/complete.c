/*
 * complete.c - prints words for the shells' completion.
 *
 * The words come from the tables that the compiler reads, so none can be forgotten. Only probes()
 * lists some probes of dtrace and profile itself.
 */
#include "cmd/about/complete.h"

#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/xalloc.h"
#include "cmd/about/doc.h"
#include "cmd/about/scripts.h"
#include "cmd/errors.h"
#include "cmd/options.h"
#include "compiler/builtins/lang.h"
#include "compiler/meaning/lang.h"
#include "providers/provider.h"

/*
 * Prints the probes of stable providers that have arguments, and some probes of the providers
 * dtrace and profile. The kernel itself has thousands of probes: dtrace -l lists them.
 */
static void probes(const struct doc *d, FILE *to)
{
	static const char *const more[] = {"BEGIN",   "END",      "ERROR",
					   "tick-1s", "tick-10s", "profile-97"};

	for (size_t i = 0; i < d->provider.n; i++)
		for (size_t k = 0; k < d->provider.v[i].probe.n; k++)
			if (d->provider.v[i].probe.v[k].arg.n)
				fprintf(to, "%s:::%s\n", d->provider.v[i].name,
					d->provider.v[i].probe.v[k].name);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		fprintf(to, "%s\n", more[i]);
}

/*
 * Prints the providers, except the providers of processes, whose names end with the number of a
 * process.
 */
static void providers(const struct doc *d, FILE *to)
{
	for (size_t i = 0; i < d->provider.n; i++)
		fprintf(to, "%s\n", d->provider.v[i].name);
	for (int i = 0; host_providers[i]; i++)
		if (!host_providers[i]->is)
			fprintf(to, "%s\n", host_providers[i]->name);
}

static void socket_providers(const struct doc *d, FILE *to)
{
	for (size_t i = 0; i < d->provider.n; i++)
		if (doc_has_owner(&d->provider.v[i]))
			fprintf(to, "%s\n", d->provider.v[i].name);
}

static void members_of(const struct doc *d, const struct doc_probe *p, FILE *to)
{
	for (size_t i = 0; i < p->arg.n; i++) {
		const struct doc_type *t = doc_type(d, p->arg.v[i].type);

		for (size_t k = 0; t && k < t->member.n; k++)
			fprintf(to, "args[%zu]->%s\n", i, t->member.v[k].name);
	}
}

/*
 * Prints the members of the structs that the arguments of @probe point to. @probe has the form
 * "ip:::send".
 */
static void members(const struct doc *d, const char *probe, FILE *to)
{
	const char *name = strrchr(probe, ':');
	char provider[64];

	if (!name || (size_t)snprintf(provider, sizeof(provider), "%.*s", (int)strcspn(probe, ":"),
				      probe) >= sizeof(provider))
		return;
	if (doc_probe(d, provider, name + 1))
		members_of(d, doc_probe(d, provider, name + 1), to);
}

/*
 * Prints the name @s. Skips the library's own names, which begin with "__". Also skips "arg0-9",
 * because this row of the table stands for ten names.
 */
static void name(const char *s, FILE *to)
{
	if (s && strncmp(s, "__", 2) && !strchr(s, '-'))
		fprintf(to, "%s\n", s);
}

static void words(const struct doc *d, FILE *to)
{
	const struct lang *l = dtrace_lang();

	for (uint32_t i = 0; i < l->nvar; i++)
		name(l->var[i].name, to);
	for (uint32_t i = 0; i < l->nsubr; i++)
		name(l->subr[i].name, to);
	for (uint32_t i = 0; i < l->naction; i++)
		name(l->action[i].name, to);
	for (unsigned i = 0; i < AGG_FN_MAX; i++)
		name(agg_fns[i]->name, to);
	for (size_t i = 0; i < d->constant.n; i++)
		name(d->constant.v[i].name, to);
}

static void values(const char *option, const char *words, FILE *to)
{
	if (!*words)
		fprintf(to, "%s=\n", option);
	for (size_t n; *words; words += n, words += *words == ' ') {
		n = strcspn(words, " ");
		fprintf(to, "%s=%.*s\n", option, (int)n, words);
	}
}

static void options(FILE *to)
{
	const char *option, *words;

	for (unsigned i = 0; (option = option_name(i, &words)); i++) {
		if (!*option)
			continue;
		if (words)
			values(option, words, to);
		else
			fprintf(to, "%s\n", option);
	}
}

/* Prints the first word of each line of the list of scripts. */
static void scripts(FILE *to)
{
	char *text = NULL;
	size_t size = 0;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return;
	script_list("", list);
	fclose(list);
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n')
		fprintf(to, "%.*s\n", (int)strcspn(s, " \n"), s);
	free(text);
}

/*
 * Prints the words in the usage of script @name that a user types literally, such as wide and stack
 * in "[wide | stack]".
 */
static void arguments(const char *name, FILE *to)
{
	char *path = script_find(name), *usage = path ? script_synopsis(path) : NULL;

	for (const char *s = usage ? usage : ""; *s; s++) {
		size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz");

		if (n && (*s == '[' || (*s == ' ' && s[-1] == '|')) &&
		    (s[n + 1] == ']' || s[n + 1] == ' '))
			fprintf(to, "%.*s\n", (int)n, s + 1);
	}
	xfree(usage);
	xfree(path);
}

int complete(const char *kind, const char *word, FILE *to)
{
	struct doc d = {0};
	int status = 0;

	doc_read(&d);
	if (!strcmp(kind, "probes"))
		probes(&d, to);
	else if (!strcmp(kind, "providers"))
		providers(&d, to);
	else if (!strcmp(kind, "socket-providers"))
		socket_providers(&d, to);
	else if (!strcmp(kind, "members"))
		members(&d, word, to);
	else if (!strcmp(kind, "words"))
		words(&d, to);
	else if (!strcmp(kind, "options"))
		options(to);
	else if (!strcmp(kind, "scripts"))
		scripts(to);
	else if (!strcmp(kind, "arguments"))
		arguments(word, to);
	else
		status = EXIT_USAGE;
	doc_release(&d);
	return status;
}
