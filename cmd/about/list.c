/* list.c - prints the rows of dtrace -l. */
#include "cmd/about/list.h"

#include <string.h>

#include "cmd/about/doc.h"
#include "compiler/compile.h"

#define COLUMNS 80

void list_header(FILE *out)
{
	fprintf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

void list_attributes(FILE *out, const char *title, struct stability s)
{
	fprintf(out,
		"\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: "
		"%s\n",
		title, stability_level_name(s.name), stability_level_name(s.data),
		stability_class_name(s.class));
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

static void hooks(FILE *out, const struct probe_listing *l)
{
	fprintf(out, "\tHooks\n");
	for (uint32_t i = 0; i < l->nhook; i++)
		fprintf(out, "\t\t%s\n", l->hook[i]);
	if (!l->nhook)
		fprintf(out, "\t\tNone: this kernel lacks %s\n",
			l->missing ? l->missing : "all of them");
	for (uint32_t i = 0; i < l->npassed; i++)
		fprintf(out, "\t\tpassed over: %s\n", l->passed[i]);
	fputc('\n', out);
}

/*
 * Prints @text in lines of at most COLUMNS columns, each indented by @tabs tabs. If @first is not
 * NULL, the first line begins with @first.
 */
static void wrapped(FILE *out, unsigned tabs, const char *first, const char *text)
{
	unsigned column = tabs * 8 + (first ? (unsigned)strlen(first) : 0);
	size_t n;

	fprintf(out, "%.*s%s", (int)tabs, "\t\t\t\t", first ? first : "");
	for (bool begun = false; *text; text += n, text += strspn(text, " \n")) {
		n = strcspn(text, " \n");
		if (begun && column + 1 + n > COLUMNS) {
			fprintf(out, "\n%.*s", (int)tabs, "\t\t\t\t");
			column = tabs * 8;
		} else if (begun) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)n, text);
		column += (unsigned)n;
		begun = true;
	}
	fputc('\n', out);
}

static void members(FILE *out, unsigned arg, const struct doc_type *t)
{
	for (size_t i = 0; i < t->member.n; i++) {
		const struct doc_member *m = &t->member.v[i];

		fprintf(out, "\t\targs[%u]->%s: %s\n", arg, m->name, m->type);
		wrapped(out, 3, NULL, m->text);
	}
}

static void explain(FILE *out, const struct probe_listing *l, const struct doc *doc, bool all)
{
	const struct doc_probe *p = doc_probe(doc, l->prov, l->name);
	bool begun = false;
	char name[32];

	if (!p)
		return;
	fprintf(out, "\tDescription\n");
	wrapped(out, 2, NULL, p->text);
	for (size_t i = 0; i < p->arg.n; i++) {
		if (!*p->arg.v[i].text)
			continue;
		fprintf(out, begun ? "" : "\n\tArguments\n");
		begun = true;
		snprintf(name, sizeof(name), "args[%zu]: ", i);
		wrapped(out, 2, name, p->arg.v[i].text);
	}
	fputc('\n', out);
	if (!all || !p->arg.n)
		return;
	fprintf(out, "\tMembers\n");
	for (unsigned i = 0; i < p->arg.n; i++)
		if (doc_type(doc, p->arg.v[i].type))
			members(out, i, doc_type(doc, p->arg.v[i].type));
	fputc('\n', out);
}

void list_row(FILE *out, const struct probe_listing *l, const struct doc *doc, bool all)
{
	fprintf(out, "%5u %10s %17s %33s %s\n", l->id, l->prov, l->mod, l->func, l->name);
	if (!doc)
		return;
	list_stability(out, l);
	if (l->stable)
		hooks(out, l);
	explain(out, l, doc, all);
}
