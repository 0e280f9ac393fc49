/*
 * libindex.c - writes the index of the D library (the built-in texts in translators/ and
 * providers/) as C code.
 *
 * usage: libindex FILE KSIM TEXT...
 *
 * KSIM is engine/replay/ksim.h. It declares the types that the texts need, in place of the kernel's
 * BTF. The texts come in the order in which dtrace reads them.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "compiler/syntax/libindex.h"

static FILE *out;

static void write_texts(const struct libindex *x, const char *of)
{
	fprintf(out, "static const char %s_text[] = \"\"", of);
	for (uint32_t at = 0; at < x->ntext; at += (uint32_t)strlen(x->text + at) + 1)
		fprintf(out, "\n\t\"%s\\0\"", x->text + at);
	fprintf(out, ";\n");
}

static void write_items(const struct libindex *x, const char *of)
{
	fprintf(out, "static const struct lib_item %s_item[] = {\n", of);
	for (uint32_t i = 0; i < x->nitem; i++)
		fprintf(out, "\t{%u, %u, %u},\n", x->item[i].from, x->item[i].to, x->item[i].text);
	fprintf(out, "\t{0, 0, 0},\n};\n");
}

static void write_names(const struct libindex *x, const char *of)
{
	fprintf(out, "static const struct lib_name %s_name[] = {\n", of);
	for (uint32_t i = 0; i < x->nname; i++)
		fprintf(out, "\t{%u, %u, %u}, /* %s */\n", x->name[i].name, x->name[i].kind,
			x->name[i].item, x->text + x->name[i].name);
	fprintf(out, "\t{0, 0, 0},\n};\n");
}

static void write_probes(const struct libindex *x, const char *of)
{
	fprintf(out, "static const struct lib_probe %s_probe[] = {\n", of);
	for (uint32_t i = 0; i < x->nprobe; i++)
		fprintf(out, "\t{%u, %u, %u, %u, %u},\n", x->probe[i].prov, x->probe[i].name,
			x->probe[i].decl, x->probe[i].deriv, x->probe[i].off);
	fprintf(out, "\t{0, 0, 0, 0, 0},\n};\n");
}

static void write_clauses(const struct libindex *x, const char *of)
{
	fprintf(out, "static const struct lib_clause %s_clause[] = {\n", of);
	for (uint32_t i = 0; i < x->nclause; i++)
		fprintf(out, "\t{%u, %u, %u, %u, %u, %u},\n", x->clause[i].off, x->clause[i].set,
			x->clause[i].nset, x->clause[i].item, x->clause[i].desc,
			x->clause[i].chain);
	fprintf(out, "\t{0, 0, 0, 0, 0, 0},\n};\n");
	fprintf(out, "static const uint32_t %s_set[] = {\n", of);
	for (uint32_t i = 0; i < x->nset; i++)
		fprintf(out, "\t%u,\n", x->set[i]);
	fprintf(out, "\t0,\n};\n");
}

static void write_index(const struct libindex *x, const char *of)
{
	write_texts(x, of);
	write_items(x, of);
	write_names(x, of);
	write_probes(x, of);
	write_clauses(x, of);
	fprintf(out,
		"const struct libindex %s = {%s_item, %s_name, %s_probe, %s_clause, %s_set, "
		"%s_text,\n\t%u, %u, %u, %u, %u, %u};\n\n",
		of, of, of, of, of, of, of, x->nitem, x->nname, x->nprobe, x->nclause, x->nset,
		x->ntext);
}

/* Reads the file @path into @l. The caller frees l->text. Ends the program on failure. */
static void read_text(const char *path, struct library_text *l)
{
	struct strbuf b = {0};
	const char *why;

	if (!file_read_foreign(AT_FDCWD, path, FILE_TEXT_MAX, &b, &why)) {
		fprintf(stderr, "libindex: %s: %s\n", path, why);
		exit(1);
	}
	*l = (struct library_text){path, b.s, strlen(b.s)};
}

static void make(struct arena *a, const struct library_text *types,
		 const struct library_text *texts, const char *of)
{
	struct diag d = {0};
	struct strbuf b = {0};
	struct libindex x;

	if (libindex_make(a, types, texts, &x, &d)) {
		diag_text(&d, false, &b);
		fprintf(stderr, "libindex: %s\n", b.s);
		exit(1);
	}
	write_index(&x, of);
}

int main(int argc, char **argv)
{
	struct library_text *l = calloc((size_t)argc + 1, sizeof(*l));
	struct arena a;

	if (argc < 4 || !l) {
		fprintf(stderr, "usage: libindex FILE KSIM TEXT...\n");
		return 2;
	}
	out = fopen(argv[1], "w");
	if (!out) {
		perror(argv[1]);
		return 1;
	}
	arena_init(&a);
	read_text(argv[2], &l[0]); /* l[1] stays zero: it ends the list that begins with l[0] */
	for (int i = 3; i < argc; i++)
		read_text(argv[i], &l[i - 1]);
	fprintf(out, "/* Made by tools/libindex.c. */\n#include \"compiler/library.h\"\n\n");
	make(&a, NULL, l, "library_ksim_index");
	make(&a, l, l + 2, "library_index");
	for (int i = 0; i < argc; i++)
		xfree((void *)(uintptr_t)l[i].text);
	free(l);
	arena_release(&a);
	if (ferror(out) | fclose(out)) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
