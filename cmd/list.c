/*
 * list.c - dtrace -l: one row a probe, with -v its attributes and arguments.
 */
#include "cmd/list.h"

#include "compiler/compile.h"

void list_header(FILE *out)
{
	fprintf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

static void attributes(FILE *out, const char *title, const char *names, const char *data,
		       const char *class)
{
	fprintf(out, "\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n\n",
		title, names, data, class);
}

static void details(FILE *out, const struct probe_listing *l)
{
	fputc('\n', out);
	attributes(out, "Probe Description Attributes", "Private", "Private", "Unknown");
	if (l->stable)
		attributes(out, "Argument Attributes", "Evolving", "Evolving", "ISA");
	else
		attributes(out, "Argument Attributes", "Private", "Private", "Unknown");
	fprintf(out, "\tArgument Types\n");
	for (uint32_t i = 0; i < l->narg; i++)
		fprintf(out, "\t\targs[%u]: %s\n", i, l->arg[i]);
	if (!l->narg)
		fprintf(out, "\t\tNone\n");
	fputc('\n', out);
	if (!l->stable)
		return;
	fprintf(out, "\tHooks\n");
	for (uint32_t i = 0; i < l->nhook; i++)
		fprintf(out, "\t\t%s\n", l->hook[i]);
	if (!l->nhook)
		fprintf(out, "\t\tNone: this kernel lacks %s\n", l->missing ? l->missing : "all of them");
	for (uint32_t i = 0; i < l->npassed; i++)
		fprintf(out, "\t\tpassed over: %s\n", l->passed[i]);
	fputc('\n', out);
}

void list_row(FILE *out, const struct probe_listing *l, bool verbose)
{
	fprintf(out, "%5u %10s %17s %33s %s\n", l->id, l->prov, l->mod, l->func, l->name);
	if (verbose)
		details(out, l);
}
