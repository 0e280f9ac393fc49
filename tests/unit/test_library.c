/*
 * test_library.c - checks the index of the D library that the build makes: it agrees with the texts
 * of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "compiler/builtins/lang.h"
#include "compiler/compile.h"
#include "compiler/library.h"
#include "compiler/session.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

static void equal_tables(const void *a, const void *b, uint32_t n, uint32_t of, size_t size)
{
	assert_int_equal(n, of);
	assert_memory_equal(a, b, n * size);
}

static void equal_indexes(const struct libindex *a, const struct libindex *b)
{
	equal_tables(a->item, b->item, a->nitem, b->nitem, sizeof(*a->item));
	equal_tables(a->name, b->name, a->nname, b->nname, sizeof(*a->name));
	equal_tables(a->probe, b->probe, a->nprobe, b->nprobe, sizeof(*a->probe));
	equal_tables(a->clause, b->clause, a->nclause, b->nclause, sizeof(*a->clause));
	equal_tables(a->set, b->set, a->nset, b->nset, sizeof(*a->set));
	equal_tables(a->text, b->text, a->ntext, b->ntext, 1);
}

/*
 * Checks that the index in the build is up to date: the parser makes the same index of the texts
 * now.
 */
static void index_is_that_of_the_texts(void **state)
{
	struct arena a = {0};
	struct diag d = {0};
	struct libindex x;

	(void)state;
	assert_int_equal(libindex_make(&a, NULL, library_ksim, &x, &d), 0);
	equal_indexes(&x, &library_ksim_index);
	assert_int_equal(libindex_make(&a, library_ksim, library_texts, &x, &d), 0);
	equal_indexes(&x, &library_index);
	assert_true(x.nname > 500 && x.nprobe > 100 && x.nclause > 30);
	arena_release(&a);
}

static void finds_each_name(void **state)
{
	const struct libindex *x = &library_index;

	(void)state;
	for (uint32_t i = 0; i < x->nname; i++) {
		uint32_t at = libindex_find(x, x->name[i].kind, x->text + x->name[i].name);

		assert_true(at <= i);
		for (; at < i; at++)
			assert_true(libindex_is(x, at, x->name[i].kind, x->text + x->name[i].name));
	}
	assert_int_equal(libindex_find(x, LIB_STRUCT, "no such struct"), x->nname);
	assert_int_equal(libindex_find(x, LIB_PRAGMA, "ipinfo_t"), x->nname);
}

/* ------------------------------------------------ programs, compiled in both ways */

/*
 * Adds @text to the compiler @c, whose errors are in @d, and appends to @out the program, or the
 * error. The text may use all names, as library texts may. Returns whether the text compiles.
 */
static bool compile(struct compiler *c, struct diag *d, const char *text, struct strbuf *out)
{
	struct src src = {SRC_LIB, "", text, strlen(text), false};
	struct compile_dump dump = {.typed = out, .bpf = out};
	struct parse_opts po = {.right = PD_RIGHT_NAME, .lib = true};
	unsigned matched;
	bool good;

	good = !d->nerr && !compiler_add(c, &src, &po, &matched, NULL) && compiler_finish(c, &dump);
	if (!good) {
		strbuf_reset(out);
		diag_text(d, true, out);
		diag_help(d, out);
	}
	return good;
}

/* Compiles @text with the index of the library. */
static bool compile_indexed(const char *text, struct strbuf *out)
{
	struct compile_opts o = {.lang = dtrace_lang(), .replay = true};
	struct diag d = {0};
	struct compiler *c = compiler_new(&o, &d);
	bool good = compile(c, &d, text, out);

	compiler_free(c);
	diag_release(&d);
	return good;
}

/* A compiler that has read the whole library, and its errors. */
static struct compiler *whole;
static struct diag whole_errors;

static int read_whole_library(void **state)
{
	static struct compile_opts o = {.replay = true, .whole = true};

	(void)state;
	o.lang = dtrace_lang();
	whole = compiler_new(&o, &whole_errors);
	return whole_errors.nerr ? -1 : 0;
}

static int free_whole_library(void **state)
{
	(void)state;
	compiler_free(whole);
	diag_release(&whole_errors);
	return 0;
}

/*
 * Compiles @text with the whole library. A child process does it, because a compiler compiles only
 * one program, and reading the library takes longer than a fork.
 */
static bool compile_whole(const char *text, struct strbuf *out)
{
	const char *why = NULL;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		bool good = compile(whole, &whole_errors, text, out);

		_exit(file_write(ends[1], out->s, out->len) ? !good : 2);
	}
	close(ends[1]);
	assert_true(file_read_fd(ends[0], FILE_TEXT_MAX, out, &why));
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return !WEXITSTATUS(status);
}

/*
 * Returns whether the program compiles and has code. Fails the test if the compiler makes another
 * program, or reports another error, with the index than with the whole library.
 */
static bool compiles(const char *text)
{
	struct strbuf indexed = {0}, by_whole = {0};
	bool good = compile_indexed(text, &indexed), code = good && indexed.len;

	assert_int_equal(compile_whole(text, &by_whole), good);
	if (strcmp(strbuf_text(&indexed), strbuf_text(&by_whole)))
		print_error("%s\n", text);
	assert_string_equal(strbuf_text(&indexed), strbuf_text(&by_whole));
	strbuf_release(&indexed);
	strbuf_release(&by_whole);
	return code;
}

/*
 * Returns a D expression that makes the compiler look up name @n of the index, or NULL if there is
 * no such expression.
 */
static const char *use(struct arena *a, const struct lib_name *n, const char *name)
{
	switch ((enum lib_kind)n->kind) {
	case LIB_STRUCT:
		return arena_printf(a, "sizeof (struct %s)", name);
	case LIB_UNION:
		return arena_printf(a, "sizeof (union %s)", name);
	case LIB_ENUM:
		return arena_printf(a, "sizeof (enum %s)", name);
	case LIB_TYPEDEF:
		return arena_printf(a, "sizeof (%s)", name);
	case LIB_ENUMERATOR:
	case LIB_GLOBAL:
	case LIB_EXTERN:
	case LIB_INLINE:
		return name;
	case LIB_THIS:
		return arena_printf(a, "this->%s", name);
	case LIB_SELF:
		return arena_printf(a, "self->%s", name);
	case LIB_TRANSLATOR:
	case LIB_PRAGMA:
		break;
	}
	return NULL;
}

/*
 * Compiles a separate program for each name. If a program had two names, an error in the index
 * could be hidden: a declaration that one name needs would be there because of the other name.
 */
static void names_mean_the_same(void **state)
{
	const struct libindex *x = &library_index;
	struct arena a = {0};
	unsigned good = 0;

	(void)state;
	for (uint32_t i = 0; i < x->nname; i++) {
		const char *e = use(&a, &x->name[i], x->text + x->name[i].name);

		if (e)
			good += compiles(arena_printf(&a, "BEGIN { trace(%s); }", e));
	}
	assert_true(good > 200);
	arena_release(&a);
}

/* Appends a statement for each member of argument @i that a translator defines. */
static void use_members(const struct session *s, const struct probe *p, uint32_t i,
			struct strbuf *b)
{
	struct type *t = probe_arg_type(p, i);
	const struct translator *x;

	if (!type_is(t, T_PTR) || !probe_arg_xlated(p->decl, i))
		return;
	for (size_t k = 0; k < s->names.xl.n; k++) {
		x = s->names.xl.v[k];
		if (!type_same(x->out, type_strip(t)->to) ||
		    !type_same(x->in_type[0], p->decl->param[p->decl->arg[i].in[0]]))
			continue;
		for (uint32_t m = 0; m < x->nmember; m++) {
			struct member member;

			if (type_member(x->out, x->member[m].name, &member) &&
			    !type_is_sou(member.type))
				strbuf_addf(b, " trace(args[%u]->%s);", i, x->member[m].name);
		}
	}
}

/*
 * For each probe, compiles a program that uses the members of all arguments. So the compiler also
 * needs their translators, and the clauses that the library adds (hidden clauses).
 */
static void probes_mean_the_same(void **state)
{
	const struct session *s = (const struct session *)whole;
	struct strbuf b = {0};
	unsigned good = 0;

	(void)state;
	for (size_t i = 0; i < s->probes.stable.n; i++) {
		const struct probe *p = s->probes.stable.v[i];

		if (p->family)
			continue;
		strbuf_reset(&b);
		strbuf_addf(&b, "%s:::%s {", p->prov, p->name);
		for (uint32_t k = 0; k < probe_nargs(p); k++)
			use_members(s, p, k, &b);
		strbuf_adds(&b, " @ = count(); }");
		good += compiles(b.s);
	}
	assert_true(good > 30);
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(index_is_that_of_the_texts),
		cmocka_unit_test(finds_each_name),
		cmocka_unit_test(names_mean_the_same),
		cmocka_unit_test(probes_mean_the_same),
	};

	return cmocka_run_group_tests(tests, read_whole_library, free_whole_library);
}
