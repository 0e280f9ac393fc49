/*
 * fuzz_parse.c - parses any bytes as D text. There must be no crash, no endless loop and no deep
 * recursion.
 *
 * A text that parses is also copied and printed. The first byte of the input chooses the kind of
 * text: a script, a library file, command-line text, a probe description or a C prototype.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct run {
	struct arena arena;
	struct intern names;
	struct scope scope;
	struct diag d;
	struct strbuf out;
};

static void run_init(struct run *r)
{
	memset(r, 0, sizeof(*r));
	arena_init(&r->arena);
	intern_init(&r->names, &r->arena);
	scope_init(&r->scope, &r->arena, NULL, NULL);
}

static void run_release(struct run *r)
{
	strbuf_release(&r->out);
	diag_release(&r->d);
	intern_release(&r->names);
	arena_release(&r->arena);
}

static void use_expr(struct run *r, const struct expr *e)
{
	if (e)
		expr_text(expr_clone(&r->arena, e), &r->out);
}

static void use_stmts(struct run *r, const struct stmt *s)
{
	for (; s; s = s->next) {
		use_expr(r, s->expr);
		use_stmts(r, s->body);
		use_stmts(r, s->other);
	}
}

static void use_tree(struct run *r, const struct ast *t)
{
	const struct clause *c;
	const struct decl_inline *in;

	ast_dump(t, &r->out);
	for (c = t->clause; c; c = c->next) {
		use_expr(r, c->pred);
		use_stmts(r, stmt_clone(&r->arena, c->body));
	}
	for (in = t->inl; in; in = in->next)
		use_expr(r, in->expr);
}

static int as_program(struct run *r, const struct src *src, unsigned how)
{
	static const char *const arg[] = {"./x.d", "name", "42", "-7", "a text", "a:b"};
	bool used[6] = {false};
	struct macros m = {arg, 6, used, how & 16, 1234};
	struct parse_opts o = {.right = (enum pd_right)(how & 3),
			       .bare = src->kind == SRC_CMDLINE,
			       .lib = src->kind == SRC_LIB,
			       .macros = how & 32 ? NULL : &m};
	struct ast t;
	int err = parse_program(&r->arena, &r->names, &r->scope, src, &o, &t, &r->d);

	if (!err)
		use_tree(r, &t);
	return err;
}

static int parse_as(struct run *r, const struct src *src, unsigned how)
{
	struct probe_desc desc;
	struct type *t;

	if ((how & 0xc0) != 0xc0)
		return as_program(r, src, how);
	if (how & 1)
		return parse_desc(&r->arena, &r->names, src, (enum pd_right)(how >> 1 & 3), &desc,
				  &r->d);
	t = parse_proto(&r->arena, &r->names, &r->scope, src->text, &r->d);
	if (t)
		type_name(t, &r->out);
	return t ? 0 : -1;
}

/* Checks that an error was reported, with a text and a place, if and only if the parse failed. */
static void check_diag(struct run *r, const struct src *src, int err)
{
	if (!err != !r->d.nerr)
		BUG("result %d with %d errors", err, r->d.nerr);
	if (!err)
		return;
	diag_text(&r->d, true, &r->out);
	if (r->d.loc.src == src && r->d.loc.off > src->len)
		BUG("error beyond the end of the text");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum src_kind kind[] = {SRC_FILE, SRC_LIB, SRC_CMDLINE, SRC_FILE};
	unsigned how = size ? data[0] : 0;
	struct run r;
	char *text;
	struct src src;

	if (!size)
		return 0;
	/*
	 * the memory has exactly the size of the text, so that a sanitizer sees reads past the end
	 */
	text = xmalloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	src = (struct src){kind[how >> 6 & 3], "fuzz.d", text, size - 1, false};
	run_init(&r);
	check_diag(&r, &src, parse_as(&r, &src, how));
	run_release(&r);
	xfree(text);
	return 0;
}
