/*
 * list.c - dtrace -l: one row a probe, with -v its attributes and arguments.
 */
#include "cmd/list.h"

#include "compiler/compile.h"

void list_header(FILE *out)
{
	fprintf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

void list_attributes(FILE *out, const char *title, struct stability s)
{
	fprintf(out, "\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n",
		title, stability_level_name(s.name), stability_level_name(s.data), stability_class_name(s.class));
}

void list_stability(FILE *out, const struct probe_listing *l)
{
	fputc('\n', out);
	list_attributes(out, "Probe Description Attributes", l->desc);
	fputc('\n', out);
	list_attributes(out, "Argument Attributes", l->args);
	fprintf(out, "\n\tArgument Types\n");
	for (uint32_t i = 0; i < l->narg; i++)
		fprintf(out, "\t\targs[%u]: %s\n", i, l->arg[i]);
	if (!l->narg)
		fprintf(out, "\t\tNone\n");
	fputc('\n', out);
}

static void details(FILE *out, const struct probe_listing *l)
{
	list_stability(out, l);
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
