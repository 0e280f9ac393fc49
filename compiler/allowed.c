/*
 * allowed.c - the probes that programs may enable.
 */
#include "compiler/allowed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/syntax/ast.h"

struct pattern {
	const char *field[PD_NAME + 1];
};

struct allowed {
	struct arena mem;
	const char *path;
	VEC(struct pattern) v;
};

/*
 * Splits @word at its colons into the four fields of @p. Returns false if @word does not have
 * exactly three colons.
 */
static bool cut(struct pattern *p, char *word)
{
	for (int i = 0; i <= PD_NAME; i++) {
		char *colon = strchr(word, ':');

		if (!colon != (i == PD_NAME))
			return false;
		p->field[i] = word;
		if (colon)
			*colon = '\0';
		word = colon + 1;
	}
	return true;
}

/*
 * Adds the probe descriptions of @line to @a. A '#' starts a comment. Returns the first word that
 * does not have four fields, or NULL if all words have them.
 */
static const char *read_line(struct allowed *a, char *line)
{
	char *rest = NULL;

	line[strcspn(line, "#")] = '\0';
	for (char *w = strtok_r(line, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
		const char *text = arena_strdup(&a->mem, w);
		struct pattern p;

		if (!cut(&p, w))
			return text;
		vec_push(&a->v, p);
	}
	return NULL;
}

static int read_lines(struct allowed *a, char *text, struct diag *d)
{
	unsigned line = 0;

	for (char *next; text; text = next) {
		const char *wrong;

		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		line++;
		wrong = read_line(a, text);
		if (wrong)
			return diag_error(d, D_SYS, NOLOC,
					  "failed to set -x probes: %s: line %u: %s: allowed "
					  "probes are provider:module:function:name",
					  a->path, line, wrong);
	}
	return 0;
}

struct allowed *allowed_read(const char *path, struct diag *d)
{
	struct allowed *a = xcalloc(1, sizeof(*a));
	struct strbuf b = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	const char *why = fd < 0 ? strerror(errno) : NULL;

	arena_init(&a->mem);
	a->path = path;
	if (fd < 0 || !file_read_fd(fd, FILE_TEXT_MAX, &b, &why))
		err = diag_error(d, D_SYS, NOLOC, "failed to set -x probes: failed to read %s: %s",
				 path, why);
	else if (b.len && memchr(b.s, 0, b.len))
		err = diag_error(d, D_SYS, NOLOC, "failed to set -x probes: %s is not a text file",
				 path);
	else
		err = read_lines(a, arena_strdup(&a->mem, b.s), d);
	if (fd >= 0)
		close(fd);
	strbuf_release(&b);
	if (!err)
		return a;
	allowed_free(a);
	return NULL;
}

void allowed_free(struct allowed *a)
{
	if (!a)
		return;
	vec_free(&a->v);
	arena_release(&a->mem);
	xfree(a);
}

const char *allowed_path(const struct allowed *a)
{
	return a->path;
}

static bool matches(const struct pattern *t, const struct probe *p)
{
	return glob_match(t->field[PD_PROV], p->prov) && glob_match(t->field[PD_MOD], p->mod) &&
	       glob_match(t->field[PD_FUNC], p->func) && glob_match(t->field[PD_NAME], p->name);
}

bool allowed_probe(const struct allowed *a, const struct probe *p)
{
	if (!strcmp(p->prov, "dtrace") ||
	    (!strcmp(p->prov, "profile") && !strncmp(p->name, "tick-", 5)))
		return true;
	for (size_t i = 0; i < a->v.n; i++)
		if (matches(&a->v.v[i], p))
			return true;
	return false;
}
