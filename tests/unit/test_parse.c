/* test_parse.c - checks the lexer and the parser by their errors and by dumps of their trees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "compiler/syntax/parse.h"
#include "tests/check.h"
#include "ir/types/type.h"

struct fixture {
	struct arena arena;
	struct intern names;
	struct scope scope;
	struct diag d;
	struct strbuf out;
	struct src src;
	struct ast ast;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	arena_init(&f->arena);
	intern_init(&f->names, &f->arena);
	scope_init(&f->scope, &f->arena, NULL, NULL);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	strbuf_release(&f->out);
	diag_release(&f->d);
	intern_release(&f->names);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static int parse_n(struct fixture *f, const char *text, size_t len, enum src_kind kind,
		   const struct macros *m, enum pd_right right)
{
	struct parse_opts o = {.right = right,
			       .bare = kind == SRC_CMDLINE,
			       .lib = kind == SRC_LIB,
			       .macros = m};

	diag_release(&f->d);
	strbuf_reset(&f->out);
	strbuf_adds(&f->out, "");
	f->src = (struct src){kind, "t.d", arena_strndup(&f->arena, text, len), len, false};
	return parse_program(&f->arena, &f->names, &f->scope, &f->src, &o, &f->ast, &f->d);
}

static int parse_as(struct fixture *f, const char *text, enum src_kind kind, const struct macros *m,
		    enum pd_right right)
{
	return parse_n(f, text, strlen(text), kind, m, right);
}

static int parse(struct fixture *f, const char *text)
{
	return parse_as(f, text, SRC_FILE, NULL, PD_RIGHT_NAME);
}

/* Checks that the text parses. Prints the errors if it does not. */
static void parse_ok(struct fixture *f, const char *text, enum src_kind kind)
{
	if (parse_as(f, text, kind, NULL, PD_RIGHT_NAME)) {
		diag_text(&f->d, true, &f->out);
		fail_msg("%s: %s", text, f->out.s);
	}
}

/* Returns the dump of the statements of a clause, without the lines of the clause itself. */
static const char *body_dump(struct fixture *f, const char *stmts)
{
	const struct stmt *s;

	parse_ok(f, arena_printf(&f->arena, "BEGIN { %s }", stmts), SRC_FILE);
	for (s = f->ast.clause->body; s; s = s->next)
		expr_dump(s->expr, 0, &f->out);
	return f->out.s;
}

static const char *expr_as_text(struct fixture *f, const char *e)
{
	parse_ok(f, arena_printf(&f->arena, "BEGIN { %s; }", e), SRC_FILE);
	expr_text(f->ast.clause->body->expr, &f->out);
	return f->out.s;
}

static struct expr *first_expr(struct fixture *f, const char *e)
{
	parse_ok(f, arena_printf(&f->arena, "BEGIN { %s; }", e), SRC_FILE);
	return f->ast.clause->body->expr;
}

static const char *error_text(struct fixture *f, const char *text, enum src_kind kind,
			      enum pd_right right)
{
	if (!parse_as(f, text, kind, NULL, right))
		fail_msg("parses: %s", text);
	diag_text(&f->d, true, &f->out);
	return f->out.s;
}

/* ------------------------------------------------------------------ expressions */

/* Appends the expression fully parenthesised, to show precedence. */
static void add_shape(const struct expr *e, struct strbuf *b)
{
	static const char *const op[] = {"",   "||", "^^", "&&", "|",  "^", "&", "==", "!=", "<",
					 "<=", ">",  ">=", "<<", ">>", "+", "-", "*",  "/",  "%"};

	if (e->kind == E_IDENT) {
		strbuf_adds(b, e->name);
		return;
	}
	strbuf_addc(b, '(');
	if (e->kind == E_UNARY)
		strbuf_adds(b, "u");
	add_shape(e->a, b);
	strbuf_adds(b, e->kind == E_COND     ? "?"
		       : e->kind == E_ASSIGN ? "="
		       : e->kind == E_COMMA  ? ","
		       : e->kind == E_UNARY  ? ""
					     : op[e->op]);
	if (e->b)
		add_shape(e->b, b);
	if (e->c) {
		strbuf_adds(b, ":");
		add_shape(e->c, b);
	}
	strbuf_addc(b, ')');
}

static void precedence(void **state)
{
	static const char *const rows[][2] = {
		{"a + b * c", "(a+(b*c))"},
		{"a - b - c", "((a-b)-c)"},
		{"a / b % c", "((a/b)%c)"},
		{"a << b + c", "(a<<(b+c))"},
		{"a < b << c", "(a<(b<<c))"},
		{"a == b < c", "(a==(b<c))"},
		{"a & b == c", "(a&(b==c))"},
		{"a ^ b & c", "(a^(b&c))"},
		{"a | b ^ c", "(a|(b^c))"},
		{"a && b | c", "(a&&(b|c))"},
		{"a ^^ b && c", "(a^^(b&&c))"},
		{"a || b ^^ c", "(a||(b^^c))"},
		{"a || b && c || d", "((a||(b&&c))||d)"},
		{"a ? b : c ? d : e", "(a?b:(c?d:e))"},
		{"a ? b ? c : d : e", "(a?(b?c:d):e)"},
		{"a = b = c", "(a=(b=c))"},
		{"a = b ? c : d", "(a=(b?c:d))"},
		{"a, b = c, d", "((a,(b=c)),d)"},
		{"-a * b", "((ua)*b)"},
		{"!a == b", "((ua)==b)"},
		{"*a++", "(u(ua))"},
		{"(a + b) * c", "((a+b)*c)"},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct expr *e = first_expr(f, rows[i][0]);

		add_shape(e, &f->out);
		assert_string_equal(f->out.s, rows[i][1]);
	}
}

/* An expression that is parsed and printed as D gives the same text again. */
static void expressions_as_text(void **state)
{
	static const char *const rows[] = {
		"a + b * (c - d)",
		"this->x = self->y + 1",
		"self->a[tid]",
		"@ = count()",
		"@a[execname, pid] = quantize(arg0)",
		"printa(\"%@d\\n\", @a, @)",
		"args[2]->ip_saddr",
		"curpsinfo->pr_psargs == \"a\\\"b\"",
		"`sym + mod`sym",
		"sizeof (int)",
		"sizeof (x)",
		"offsetof(int, counter)",
		"stringof(x)",
		"(int)x",
		"(char *)x + 1",
		"xlate <int *>(x)->probe",
		"a.self->string.counter",
		"x++ + ++y",
		"- -x",
		"a ^^ b",
		"x <<= 2",
		"a ? b : c",
		"a[1, \"x\"]++",
		"!~x",
		"&x->y",
		"f()",
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(expr_as_text(f, rows[i]), rows[i]);
}

static void odd_forms(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(expr_as_text(f, "stringof x"), "stringof(x)");
	assert_string_equal(expr_as_text(f, "sizeof this->q"), "sizeof (this->q)");
	assert_string_equal(expr_as_text(f, "a \\\n + b"), "a + b");
	assert_string_equal(expr_as_text(f, "a /* c */ / b"), "a / b");
	assert_string_equal(expr_as_text(f, "a\n/* c */\n+ b"), "a + b");
}

static void integer_types(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
		const char *type;
	} rows[] = {
		{"0", 0, "int"},
		{"2147483647", 2147483647, "int"},
		{"2147483648", 2147483648, "long"},
		{"0x7fffffff", 0x7fffffff, "int"},
		{"0xffffffff", 0xffffffff, "unsigned int"},
		{"037777777777", 0xffffffff, "unsigned int"},
		{"0x100000000", 0x100000000, "long"},
		{"0xffffffffffffffff", UINT64_MAX, "unsigned long"},
		{"1u", 1, "unsigned int"},
		{"4294967296U", 4294967296, "unsigned long"},
		{"1l", 1, "long"},
		{"1LL", 1, "long long"},
		{"1ul", 1, "unsigned long"},
		{"1llu", 1, "unsigned long long"},
		{"0xffffffffffffffffll", UINT64_MAX, "unsigned long long"},
		{"'a'", 'a', "int"},
		{"'ab'", 'a' << 8 | 'b', "int"},
		{"'\\n'", '\n', "int"},
		{"'\\''", 0x5c27, "int"},
		{"'\\0'", 0, "int"},
		{"'\\x41\\102'", 0x4142, "int"},
		{"'abcdefgh'", 0x6162636465666768, "long"},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct expr *e = first_expr(f, rows[i].text);

		assert_int_equal(e->kind, E_INT);
		assert_true(e->ival == rows[i].value);
		assert_string_equal(e->type->name, rows[i].type);
	}
}

static void strings(void **state)
{
	struct fixture *f = *state;
	struct expr *e = first_expr(f, "\"a\\tb\\\\\\x41\\101\\q\"");

	assert_string_equal(e->str, "a\tb\\AA\\q");
	assert_int_equal(e->len, 8);
	e = first_expr(f, "\"cut\\0here\"");
	assert_string_equal(e->str, "cut");
	assert_int_equal(e->len, 3);
	e = first_expr(f, "\"\"");
	assert_int_equal(e->len, 0);
}

/* A cast needs the name of a type. A variable in parentheses is not a cast. */
static void casts(void **state)
{
	struct fixture *f = *state;

	parse_ok(f, "typedef struct iflib *iflib_rxq_t; struct iflib { int x; };", SRC_FILE);
	assert_int_equal(first_expr(f, "(uint16_t)x")->kind, E_CAST);
	assert_int_equal(first_expr(f, "(iflib_rxq_t)arg0")->kind, E_CAST);
	assert_int_equal(first_expr(f, "(kernel`iflib_rxq_t)arg0")->kind, E_CAST);
	assert_int_equal(first_expr(f, "(struct kernel`iflib *)arg0")->kind, E_CAST);
	assert_int_equal(first_expr(f, "((kernel`iflib_rxq_t)arg0)->x")->kind, E_MEMBER);
	assert_int_equal(first_expr(f, "(string)arg0")->kind, E_CAST);
	assert_int_equal(first_expr(f, "(userland char *)arg0")->kind, E_CAST);
	assert_int_equal(first_expr(f, "(int (*)(int))arg0")->kind, E_CAST);
	assert_int_equal(first_expr(f, "(nosuch) - 1")->kind, E_BINARY);
	assert_int_equal(first_expr(f, "(uint16_t) == 1")->kind, E_BINARY);
	assert_int_equal(first_expr(f, "(uint16_t * x)")->kind, E_BINARY);
	assert_int_equal(first_expr(f, "(kernel`var)")->kind, E_IDENT);
}

/* ------------------------------------------------------------ programs, clauses */

static void descriptions(void **state)
{
	static const struct {
		const char *text;
		enum pd_right right;
		const char *field[4];
	} rows[] = {
		{"BEGIN{}", PD_RIGHT_NAME, {"", "", "", "BEGIN"}},
		{"a:b{}", PD_RIGHT_NAME, {"", "", "a", "b"}},
		{"a:b:c{}", PD_RIGHT_NAME, {"", "a", "b", "c"}},
		{"a:b:c:d{}", PD_RIGHT_NAME, {"a", "b", "c", "d"}},
		{"tcp:::{}", PD_RIGHT_NAME, {"tcp", "", "", ""}},
		{":::send", PD_RIGHT_NAME, {"", "", "", "send"}},
		{"fbt::*[!a-z]?_\\*:entry{}", PD_RIGHT_NAME, {"fbt", "", "*[!a-z]?_\\*", "entry"}},
		{"tick-1s", PD_RIGHT_NAME, {"", "", "", "tick-1s"}},
		{"tcp{}", PD_RIGHT_PROV, {"tcp", "", "", ""}},
		{"kernel", PD_RIGHT_MOD, {"", "kernel", "", ""}},
		{"ip:kernel", PD_RIGHT_MOD, {"ip", "kernel", "", ""}},
		{"kernel:tcp_input", PD_RIGHT_FUNC, {"", "kernel", "tcp_input", ""}},
		{"return { }", PD_RIGHT_NAME, {"", "", "", "return"}},
		{"string:::x", PD_RIGHT_NAME, {"string", "", "", "x"}},
	};
	struct fixture *f = *state;
	size_t i, k;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(parse_as(f, rows[i].text, SRC_CMDLINE, NULL, rows[i].right), 0);
		for (k = 0; k < 4; k++)
			assert_string_equal(f->ast.clause->desc[0].field[k], rows[i].field[k]);
	}
	parse_ok(f, "42 { }", SRC_FILE);
	assert_int_equal(f->ast.clause->desc[0].id, 42);
	assert_string_equal(f->ast.clause->desc[0].field[PD_NAME], "");
}

static void description_alone(void **state)
{
	struct fixture *f = *state;
	struct probe_desc d;
	struct src src = {SRC_CMDLINE, "", " ip:::send ", 11, false};

	assert_int_equal(parse_desc(&f->arena, &f->names, &src, PD_RIGHT_NAME, &d, &f->d), 0);
	assert_string_equal(d.text, "ip:::send");
	assert_string_equal(d.field[PD_PROV], "ip");
	src.text = "";
	src.len = 0;
	assert_int_equal(parse_desc(&f->arena, &f->names, &src, PD_RIGHT_PROV, &d, &f->d), 0);
	assert_string_equal(d.field[PD_PROV], "");
	src.text = "ip { }";
	src.len = 6;
	assert_int_equal(parse_desc(&f->arena, &f->names, &src, PD_RIGHT_PROV, &d, &f->d), -1);
}

static void clauses(void **state)
{
	struct fixture *f = *state;
	const struct clause *c;

	parse_ok(f, "a:b:c:d,\n e \n/ x / 2 > 1 /\n{ y; } tick-1s { } BEGIN{1}", SRC_FILE);
	c = f->ast.clause;
	assert_int_equal(c->ndesc, 2);
	assert_non_null(c->pred);
	assert_true(c->has_body);
	c = c->next;
	assert_null(c->pred);
	assert_null(c->body);
	assert_true(c->has_body);
	c = c->next;
	assert_int_equal(c->body->expr->ival, 1);
	assert_null(c->next);
	parse_ok(f, "BEGIN { ; ; } END {@=count();;}", SRC_FILE);
	assert_null(f->ast.clause->body);
	assert_null(f->ast.clause->next->body->next);
}

/* The parser distinguishes the "/" at the end of a predicate from a division. */
static void predicate_ends(void **state)
{
	static const char *const rows[][2] = {
		{"BEGIN / a / b / { }", "a / b"},
		{"BEGIN /a/ /* c */ { }", "a"},
		{"BEGIN /a/\n#pragma D option quiet\n{ }", "a"},
		{"BEGIN /(a / (b))/{}", "(a / (b))"},
		{"BEGIN /a /\\\n 2/ {}", "a / 2"},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		parse_ok(f, rows[i][0], SRC_FILE);
		expr_text(f->ast.clause->pred, &f->out);
		assert_string_equal(f->out.s, rows[i][1]);
	}
}

static void if_else(void **state)
{
	struct fixture *f = *state;
	const struct stmt *s;

	parse_ok(f, "BEGIN { if (a) { b; c } else if (d) e; else { } ; f; if (g) ; }", SRC_FILE);
	s = f->ast.clause->body;
	assert_int_equal(s->kind, S_IF);
	assert_non_null(s->body->next);
	assert_int_equal(s->other->kind, S_IF);
	assert_null(s->other->other);
	assert_int_equal(s->next->kind, S_EXPR);
	assert_null(s->next->next->body);
	s = stmt_clone(&f->arena, s);
	assert_string_equal(s->other->body->expr->name, "e");
	assert_ptr_not_equal(s->body, f->ast.clause->body->body);
}

static void seed_programs(void **state)
{
	static const char *const rows[] = {
		"ip:::receive {@[args[2]->ip_saddr] = count();}",
		"tcp:::accept-established { @[args[3]->tcps_raddr, args[3]->tcps_lport] = "
		"count();;}",
		"profile-997 /arg0/ { @[stack()] = count(); } tick-60s { exit(0); }",
		"fbt::ufs_open:,fbt::ufs_close:,\nfbt::ufs_create:",
		"syscall::read:return /execname == \"sshd\"/ { @ = quantize(arg0); }",
		"entry { self->s = timestamp } return /self->s/ { "
		"@ = quantize(timestamp - self->s); self->s = 0; }",
		"dtrace:::BEGIN {}",
		"fbt::dofileread:entry /args[3]->uio_resid > 0/ { 1 }",
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		parse_ok(f, rows[i], SRC_CMDLINE);
	parse_ok(f,
		 "#!/usr/sbin/dtrace -s\n"
		 "#pragma D option quiet\n"
		 "inline int qg0 = 100018;\n"
		 "struct iflib_intr_info { uint64_t fast_intr_ts; uint64_t task_rx_ts; };\n"
		 "struct iflib_intr_info ii[int];\n"
		 "int qlen[int];\n"
		 "char *driver_name[2];\n"
		 "BEGIN { driver_name[0] = (const char *)`name + 1; }\n"
		 "fbt::axgbe_msix_que:entry,\nfbt::ixgbe_msix_que:entry\n"
		 "/pid == 0 && (tid == qg0 || \\\n tid == qg0) && (!self->prefix_set)/ {\n"
		 "\tii[tid].fast_intr_ts = timestamp;\n"
		 "\tthis->q_len = qlen[tid]++;\n"
		 "\tself->p = stringof(*(driver_name));\n"
		 "\tself->rxq_id = (uint16_t)((kernel`uint64_t)arg0);\n"
		 "\tthis->q = stringof(this->grouptask.gt_name);\n"
		 "}\n",
		 SRC_FILE);
}

static void pragmas(void **state)
{
	struct fixture *f = *state;
	const struct pragma *p;

	parse_ok(f,
		 "#pragma D option quiet\n # pragma D option bufsize=4m\n#pragma foo bar\n"
		 "#ident \"x\"\n#line 7 \"y.d\"\n# 8 \"y.d\"\n#\n"
		 "BEGIN {\n#pragma D option strsize = \"1k\"\n}\n"
		 "#pragma D depends_on library net.d\n#pragma D binding \"1.2\" X\n",
		 SRC_FILE);
	p = f->ast.pragma;
	assert_string_equal(p->arg[0], "quiet");
	assert_null(p->arg[1]);
	p = p->next;
	assert_string_equal(p->arg[1], "4m");
	p = p->next;
	assert_string_equal(p->arg[1], "1k");
	p = p->next;
	assert_string_equal(p->name, "depends_on");
	assert_string_equal(p->arg[1], "net.d");
	p = p->next;
	assert_string_equal(p->arg[0], "1.2");
	assert_null(p->next);
}

static void macro_variables(void **state)
{
	static const char *const arg[] = {"./x.d", "read", "42", "-1", "a b", "0x1g"};
	bool used[6] = {false};
	struct macros m = {arg, 6, used, false, 77};
	struct fixture *f = *state;
	const struct stmt *s;

	assert_int_equal(parse_as(f,
				  "syscall::$1:entry,pid$target::$$2:x {"
				  "$1; $2; $3; $4; $5; $$2; $0; $target; $pid; $projid }",
				  SRC_FILE, &m, PD_RIGHT_NAME),
			 0);
	assert_string_equal(f->ast.clause->desc[0].field[PD_FUNC], "read");
	assert_string_equal(f->ast.clause->desc[0].text, "syscall::read:entry");
	assert_string_equal(f->ast.clause->desc[1].field[PD_PROV], "pid77");
	assert_string_equal(f->ast.clause->desc[1].field[PD_FUNC], "42");
	s = f->ast.clause->body;
	assert_string_equal(s->expr->name, "read");
	assert_int_equal((s = s->next)->expr->ival, 42);
	assert_true((s = s->next)->expr->ival == UINT64_MAX);
	assert_string_equal((s = s->next)->expr->str, "a b");
	assert_string_equal((s = s->next)->expr->str, "0x1g");
	assert_string_equal((s = s->next)->expr->str, "42");
	assert_string_equal((s = s->next)->expr->str, "./x.d");
	assert_int_equal((s = s->next)->expr->ival, 77);
	assert_int_equal((s = s->next)->expr->ival, getpid());
	assert_int_equal((s = s->next)->expr->ival, 0);
	assert_true(used[0] && used[1] && used[2] && used[5]);

	m.defaultargs = true;
	assert_int_equal(parse_as(f, "BEGIN { $9; $$9; }", SRC_FILE, &m, PD_RIGHT_NAME), 0);
	assert_int_equal(f->ast.clause->body->expr->kind, E_INT);
	assert_string_equal(f->ast.clause->body->next->expr->str, "");
}

/* ----------------------------------------------------------------- declarations */

static const char *declared(struct fixture *f, const char *text)
{
	parse_ok(f, text, SRC_LIB);
	ast_dump(&f->ast, &f->out);
	return f->out.s;
}

static void variables(void **state)
{
	static const char *const rows[][2] = {
		{"int x;", "global x <int>\n"},
		{"int*x;", "global x <int *>\n"},
		{"uint32_t x, *y[2];", "global x <uint32_t>\nglobal y <uint32_t *[2]>\n"},
		{"kernel`uint32_t x;", "global x <uint32_t>\n"},
		{"self int x; this string y;", "self x <int>\nthis y <string>\n"},
		{"int a[string, int *];", "global a <int> keys - <string> - <int *>\n"},
		{"char b[2][3], c[1 + 2 * 3];", "global b <char [2][3]>\nglobal c <char [7]>\n"},
		{"long long unsigned x;", "global x <unsigned long long>\n"},
		{"const volatile short int x;", "global x <short>\n"},
		{"extern int x[];", "extern global x <int [0]>\n"},
		{"int (*fp)(int);", "global fp <int (*)()>\n"},
		{"int (*fa[3])(void);", "global fa <int (*[3])()>\n"},
		{"userland char *u;", "global u <userland char *>\n"},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(declared(f, rows[i][0]), rows[i][1]);
}

static void inlines(void **state)
{
	struct fixture *f = *state;
	const struct decl_inline *in;

	parse_ok(f,
		 "inline int N = 3; inline string s[int k, string d] = k == 1 ? \"a\" : d;"
		 "char buf[N * 2];",
		 SRC_FILE);
	in = f->ast.inl;
	assert_string_equal(in->name, "N");
	assert_false(in->lib);
	in = in->next;
	assert_int_equal(in->nparam, 2);
	assert_string_equal(in->param[1], "d");
	assert_int_equal(f->ast.var->type->nelem, 6);
}

static void translators(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(declared(f, "typedef struct { int a; string self; } out_t;"
					"translator out_t < struct in *p, int len > {"
					" a = p->x; self = \"s\"; };"),
			    "translator <out_t> p <struct in *> len <int>\n"
			    "  a =\n    member ->x\n      ident p\n"
			    "  self =\n    str \"s\"\n");
}

static void providers(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(declared(f, "typedef struct { int x; } out_t;"
					"provider p { probe a__b(struct in *p, int len) :"
					" (out_t *p, out_t *(p, len), void, int len);"
					" probe c(); probe d(int); };"),
			    "provider p\n"
			    "  probe a-b p <struct in *> len <int>\n"
			    "    arg <out_t *> from 0\n"
			    "    arg <out_t *> from 0 1\n"
			    "    arg <void> from\n"
			    "    arg <int> from 1\n"
			    "  probe c\n"
			    "  probe d - <int>\n");
}

static void derivations(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(declared(f, "ip:::receive\n"
					"\ton rawtp:::a / args[0] / 2 / (args[0], 1)\n"
					"\ton cgroup_skb:::b (args[0])\n"
					"or\n"
					"\ton fbt::c:entry\n;\n"
					"tcp:::x on rawtp:::y / (z) / ;"),
			    "derivation ip:::receive\n"
			    "  group\n"
			    "    on rawtp:::a\n"
			    "      guard\n"
			    "        binary /\n"
			    "          index\n            ident args\n            int 0 : int\n"
			    "          int 2 : int\n"
			    "      native\n        index\n          ident args\n"
			    "          int 0 : int\n"
			    "      native\n        int 1 : int\n"
			    "    on cgroup_skb:::b\n"
			    "      native\n        index\n          ident args\n"
			    "          int 0 : int\n"
			    "  group\n"
			    "    on fbt::c:entry\n"
			    "derivation tcp:::x\n"
			    "  group\n"
			    "    on rawtp:::y\n"
			    "      guard\n        ident z\n");
}

struct parts {
	uint32_t from[8], to[8];
	unsigned n;
};

static void note_part(void *ctx, uint32_t from, uint32_t to)
{
	struct parts *p = ctx;

	p->from[p->n] = from;
	p->to[p->n++] = to;
}

/* The parser reports the offsets of each declaration. The text between them can be parsed alone. */
static void declarations_read_alone(void **state)
{
	static const char text[] =
		"ip:::receive\n"
		"\ton rawtp:::a / args[0] != ';' / (args[0], \";\\\";\", 4 / 2)\n"
		"or /* not here; nor \" there */ on fbt::c:entry (args[1])\n;\n"
		"#pragma D attributes Evolving/Evolving/ISA i\n"
		"tcp:::x on rawtp:::y / (z) / ;\n"
		"inline int i = 3; /* the last but one */\n"
		"rawtp:::y\n{\n\tx = 1;\n}\n"
		"#pragma D attributes Private/Private/ISA x\n";
	struct parts parts = {.n = 0};
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true, .ctx = &parts};
	struct fixture *f = *state;
	const char *all;
	unsigned pragmas = 0;
	struct ast t;

	declared(f, text);
	o.declared = note_part;
	assert_int_equal(parse_program(&f->arena, &f->names, &f->scope, &f->src, &o, &t, &f->d), 0);
	assert_int_equal(parts.n, 4);
	for (; t.pragma; t.pragma = t.pragma->next)
		pragmas++;
	assert_int_equal(pragmas, 2);
	strbuf_reset(&f->out);
	ast_dump(&t, &f->out);
	all = arena_strdup(&f->arena, f->out.s);
	o.declared = NULL;
	strbuf_reset(&f->out);
	/*
	 * The lines of a dump are sorted by kind of declaration, so the test compares sets of lines
	 * and not their order.
	 */
	for (unsigned i = 0; i < parts.n; i++) {
		assert_true(!i || parts.from[i] >= parts.to[i - 1]);
		o.from = parts.from[i];
		o.to = parts.to[i];
		assert_int_equal(parse_program(&f->arena, &f->names, &f->scope, &f->src, &o, &t,
					       &f->d),
				 0);
		assert_null(t.pragma);
		ast_dump(&t, &f->out);
	}
	assert_int_equal(strlen(f->out.s), strlen(all));
	for (const char *line = f->out.s; *line; line = strchr(line, '\n') + 1) {
		char *one = arena_strndup(&f->arena, line, strcspn(line, "\n"));

		assert_non_null(strstr(all, one));
	}
}

static void prototypes(void **state)
{
	static const struct {
		const char *text;
		uint32_t nparam, required;
		bool variadic;
	} rows[] = {
		{"string (ipaddr_t *)", 1, 1, false},
		{"uint64_t (uint64_t)", 1, 1, false},
		{"size_t (string)", 1, 1, false},
		{"uint16_t (uint16_t, ...)", 2, 1, true},
		{"string (int64_t [, int])", 2, 1, false},
		{"string (string, int [, int [, string]])", 4, 2, false},
		{"int (void)", 0, 0, false},
		{"int ()", 0, 0, false},
	};
	struct fixture *f = *state;
	struct type *t;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		t = parse_proto(&f->arena, &f->names, &f->scope, rows[i].text, &f->d);
		assert_non_null(t);
		assert_int_equal(t->kind, T_FUNC);
		assert_int_equal(t->nmember, rows[i].nparam);
		assert_int_equal(t->nelem, rows[i].required);
		if (rows[i].variadic)
			assert_int_equal(t->member[t->nmember - 1].type->kind, T_VOID);
	}
	t = parse_proto(&f->arena, &f->names, &f->scope, "struct sk_buff *", &f->d);
	assert_int_equal(t->kind, T_PTR);
	assert_null(parse_proto(&f->arena, &f->names, &f->scope, "int (", &f->d));
}

/* ----------------------------------------------------------------------- layout */

/* Declarations that the test compiles as C, and also parses as D text. */
#define LAYOUT_TYPES \
	enum lay_e { LAY_A, LAY_B = -1 }; \
	struct lay_plain { \
		char a; \
		int b; \
		char c; \
		long d; \
		short e[3]; \
		void (*f)(int, char *); \
		char g; \
	}; \
	struct lay_bits { \
		unsigned a : 3, b : 5; \
		unsigned c : 25; \
		char d : 4; \
		long e : 40; \
		unsigned short f : 9; \
		int : 0; \
		unsigned g : 1; \
		int : 7; \
		_Bool h : 1; \
		enum lay_e i : 4; \
		char j; \
	}; \
	struct lay_nest { \
		char a; \
		union { \
			long u; \
			struct { \
				int s; \
				char t; \
			}; \
		}; \
		struct lay_plain in; \
		struct lay_nest *next; \
		char flex[]; \
	}; \
	struct lay_packed { \
		char a; \
		int b; \
		unsigned c : 5; \
		unsigned d : 30; \
		long e; \
	} __attribute__((packed)); \
	struct lay_aligned { \
		char a; \
		int b __attribute__((aligned(16))); \
		char c; \
	};

LAYOUT_TYPES

#define TEXT(...) #__VA_ARGS__
#define AS_TEXT(x) TEXT(x)

static struct type *lay(struct fixture *f, const char *name)
{
	return scope_find(&f->scope, TAG_STRUCT, name);
}

static void check_member(struct type *t, const char *name, size_t bitoff, size_t bits)
{
	struct member m;

	assert_true(type_member(t, name, &m));
	if (m.bitoff != bitoff || m.bits != bits)
		fail_msg("%s: bit %u width %u, not %zu %zu", name, m.bitoff, m.bits, bitoff, bits);
}

/* Finds the first set bit and the number of set bits in @n bytes. */
static void bits_of(const void *p, size_t n, size_t *first, size_t *count)
{
	const unsigned char *b = p;
	size_t i;

	*first = *count = 0;
	for (i = n * 8; i-- > 0;) {
		if (!(b[i / 8] >> i % 8 & 1))
			continue;
		*first = i;
		++*count;
	}
}

#define SIZE(tag) \
	do { \
		assert_int_equal(lay(f, #tag)->size, sizeof(struct tag)); \
		assert_int_equal(lay(f, #tag)->align, _Alignof(struct tag)); \
	} while (0)
#define MEMBER(tag, m) check_member(lay(f, #tag), #m, offsetof(struct tag, m) * 8, 0)
#define FIELD(tag, m) \
	do { \
		struct tag x; \
		size_t first, n; \
		memset(&x, 0, sizeof(x)); \
		x.m = -1; \
		bits_of(&x, sizeof(x), &first, &n); \
		check_member(lay(f, #tag), #m, first, n); \
	} while (0)

static void layout(void **state)
{
	struct fixture *f = *state;

	parse_ok(f, AS_TEXT(LAYOUT_TYPES), SRC_FILE);
	SIZE(lay_plain);
	MEMBER(lay_plain, b);
	MEMBER(lay_plain, d);
	MEMBER(lay_plain, e);
	MEMBER(lay_plain, f);
	MEMBER(lay_plain, g);
	SIZE(lay_bits);
	FIELD(lay_bits, a);
	FIELD(lay_bits, b);
	FIELD(lay_bits, c);
	FIELD(lay_bits, d);
	FIELD(lay_bits, e);
	FIELD(lay_bits, f);
	FIELD(lay_bits, g);
	FIELD(lay_bits, h);
	FIELD(lay_bits, i);
	MEMBER(lay_bits, j);
	SIZE(lay_nest);
	MEMBER(lay_nest, u);
	MEMBER(lay_nest, t);
	MEMBER(lay_nest, in);
	MEMBER(lay_nest, next);
	MEMBER(lay_nest, flex);
	SIZE(lay_packed);
	MEMBER(lay_packed, b);
	FIELD(lay_packed, c);
	FIELD(lay_packed, d);
	MEMBER(lay_packed, e);
	SIZE(lay_aligned);
	MEMBER(lay_aligned, b);
	MEMBER(lay_aligned, c);
}

static void types(void **state)
{
	struct fixture *f = *state;
	struct type *t;
	int64_t v;

	parse_ok(f,
		 "typedef struct fwd fwd_t; struct fwd { fwd_t *next; int v; };"
		 "enum { A, B = 5, C, D = A + C * 2, }; enum neg { M = -1 };"
		 "typedef void (*btf_trace_x)(void *, struct sk_buff *);",
		 SRC_FILE);
	t = scope_find(&f->scope, TAG_TYPEDEF, "fwd_t");
	assert_int_equal(t->size, 16);
	assert_int_equal(type_strip(t)->kind, T_STRUCT);
	assert_true(scope_enumerator(&f->scope, "D", &v, &t));
	assert_int_equal(v, 12);
	assert_true(t->sgn);
	assert_true(scope_enumerator(&f->scope, "M", &v, &t));
	assert_true(t->sgn);
	t = type_strip(scope_find(&f->scope, TAG_TYPEDEF, "btf_trace_x"));
	assert_int_equal(t->kind, T_PTR);
	assert_int_equal(t->to->kind, T_FUNC);
	assert_int_equal(t->to->nmember, 2);
}

/* ----------------------------------------------------------------------- errors */

static void errors(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "[D_EMPTY] line 1: empty D program translation unit"},
		{"/* */\n#pragma D option quiet\n",
		 "[D_EMPTY] line 3: empty D program translation unit"},
		{"BEGIN", "[D_SYNTAX] line 1: expected predicate and/or actions following probe "
			  "description"},
		{"BEGIN /1/", "[D_SYNTAX] line 1: expected actions { } following probe "
			      "description and predicate"},
		{"BEGIN {", "[D_SYNTAX] line 1: syntax error near end of input"},
		{"BEGIN { x = }", "[D_SYNTAX] line 1: syntax error near \"}\""},
		{"BEGIN {\n for (;;) }", "[D_SYNTAX] line 2: syntax error near \"for\""},
		{"BEGIN { x y }", "[D_SYNTAX] line 1: syntax error near \"y\""},
		{"BEGIN { 1.5 }", "[D_SYNTAX] line 1: floating-point constants are not permitted"},
		{"BEGIN { 1e3 }", "[D_SYNTAX] line 1: floating-point constants are not permitted"},
		{"BEGIN { a[] }", "[D_SYNTAX] line 1: syntax error near \"]\""},
		{"BEGIN { # }", "[D_SYNTAX] line 1: syntax error near \"#\""},
		{"BEGIN { } ;", "[D_SYNTAX] line 1: syntax error near \";\""},
		{"BEGIN, { }", "[D_SYNTAX] line 1: syntax error near \"{\""},
		{"BEGIN { self }", "[D_SYNTAX] line 1: syntax error near \"}\""},
		{"BEGIN { x->for }", "[D_SYNTAX] line 1: syntax error near \"for\""},
		{"a:b:c:d:e { }", "[D_PDESC_INVAL] line 1: invalid probe description "
				  "\"a:b:c:d:e\": Overspecified probe description"},
		{"4294967296 { }",
		 "[D_PDESC_INVAL] line 1: identifier 4294967296 exceeds maximum probe id"},
		{"0 { }", "[D_PDESC_INVAL] line 1: invalid probe identifier 0: Unknown probe "
			  "identifier"},
		{"BEGIN { 08 }",
		 "[D_INT_DIGIT] line 1: integer constant 08 contains invalid digit '8'"},
		{"BEGIN { 18446744073709551616 }",
		 "[D_INT_OFLOW] line 1: integer constant 18446744073709551616 cannot be "
		 "represented in any built-in integral type"},
		{"BEGIN { 9223372036854775808 }",
		 "[D_INT_OFLOW] line 1: integer constant 9223372036854775808 cannot be "
		 "represented in any built-in integral type"},
		{"BEGIN { 'abcdefghi' }", "[D_CHR_OFLOW] line 1: character constant is too long"},
		{"BEGIN { '' }", "[D_CHR_NULL] line 1: empty character constant"},
		{"BEGIN { 'a\n' }", "[D_CHR_NL] line 2: newline encountered in character constant"},
		{"BEGIN { \"a\n\" }", "[D_STR_NL] line 2: newline encountered in string literal"},
		{"BEGIN { /* /* */ }", "[D_SYNTAX] line 1: /* encountered inside a comment"},
		{"BEGIN { /* ", "[D_SYNTAX] line 1: end-of-file encountered before matching */"},
		{"BEGIN { $1 }", "[D_MACRO_UNDEF] line 1: macro argument $1 is not defined"},
		{"BEGIN { $target }",
		 "[D_MACRO_UNDEF] line 1: macro variable $target is not defined"},
		{"x$1 { }", "[D_MACRO_UNDEF] line 1: macro argument $1 is not defined"},
		{"#include <x.h>\n",
		 "[D_PRAGCTL_INVAL] line 1: invalid control directive: #include"},
		{"#error  it is \n", "[D_PRAGERR] line 1: #error: it is"},
		{"#pragma D nosuch\n", "[D_PRAGMA_INVAL] line 1: invalid D pragma: nosuch"},
		{"#pragma D option\n", "[D_PRAGMA_MALFORM] line 1: malformed #pragma D option: "
				       "#pragma D option name[=value] is expected"},
		{"#pragma D depends_on foo x\n",
		 "[D_PRAGMA_INVAL] line 1: invalid class \"foo\" specified by pragma"},
		{"static int x;",
		 "[D_DECL_BADCLASS] line 1: specified storage class not appropriate in D"},
		{"self this int x;", "[D_DECL_CLASS] line 1: only one storage class "
				     "allowed in a declaration"},
		{"struct s { self int x; };",
		 "[D_DECL_BADCLASS] line 1: specified storage class not appropriate here"},
		{"int char x;", "[D_DECL_COMBO] line 1: invalid type combination"},
		{"long long long x;", "[D_DECL_COMBO] line 1: invalid type combination"},
		{"unsigned string x;", "[D_DECL_SIGNINT] line 1: invalid type declaration: signed "
				       "and unsigned may only be used with integer type"},
		{"int struct s x;", "[D_DECL_COMBO] line 1: invalid type combination"},
		{"int x = 3;", "[D_SYNTAX] line 1: syntax error near \"=\""},
		{"int f(int x) { }", "[D_SYNTAX] line 1: syntax error near \"{\""},
		{"int x[];", "[D_DECL_ARRNULL] line 1: array declaration requires array dimension "
			     "or tuple signature: x"},
		{"int x[0];", "[D_DECL_ARRSUB] line 1: positive integral constant expression or "
			      "tuple signature expected as array declaration subscript"},
		{"int x[y];", "[D_DECL_ARRSUB] line 1: positive integral constant expression or "
			      "tuple signature expected as array declaration subscript"},
		{"int x[1 / 0];", "[D_DECL_ARRSUB] line 1: positive integral constant expression "
				  "or tuple signature expected as array declaration subscript"},
		{"int x[int][int];",
		 "[D_DECL_ARRSUB] line 1: only a name may have a tuple of key types"},
		{"int x[4000000000];", "[D_LIMIT] line 1: array is too large"},
		{"void x;", "[D_DECL_VOIDOBJ] line 1: cannot have void object: x"},
		{"struct a x;",
		 "[D_DECL_INCOMPLETE] line 1: incomplete struct/union/enum struct a: x"},
		{"struct a { struct a x; };",
		 "[D_DECL_INCOMPLETE] line 1: incomplete struct/union/enum struct a: x"},
		{"struct a { struct { struct a x[2]; } y; };",
		 "[D_DECL_INCOMPLETE] line 1: incomplete struct/union/enum struct a: x"},
		{"struct a { void x; };", "[D_DECL_VOIDOBJ] line 1: cannot have void member: x"},
		{"struct a { int x, x; };", "[D_DECL_IDRED] line 1: identifier redeclared: x"},
		{"struct a { int x; }; struct a { int y; };",
		 "[D_DECL_TYPERED] line 1: type redeclared: struct a"},
		{"typedef int t1; typedef long t1;",
		 "[D_DECL_TYPERED] line 1: type redeclared: t1"},
		{"struct a { int x : 33; };",
		 "[D_DECL_BFSIZE] line 1: bit-field too big for type: x"},
		{"struct a { int x : 0; };", "[D_DECL_BFCONST] line 1: positive integral constant "
					     "expression expected as bit-field size"},
		{"struct a { int *x : 3; };",
		 "[D_DECL_BFTYPE] line 1: invalid type for bit-field: x"},
		{"enum e { A, A };", "[D_DECL_IDRED] line 1: identifier redeclared: A"},
		{"enum e { A = x };",
		 "[D_DECL_ENCONST] line 1: enumerator must be integral constant: A"},
		{"enum nosuch x;",
		 "[D_TYPE_ERR] line 1: failed to resolve type enum nosuch: Unknown type name"},
		{"BEGIN { (struct nosuch *)x; }",
		 "[D_TYPE_ERR] line 1: failed to resolve type struct nosuch: Unknown type name"},
		{"BEGIN { xlate <nosuch_t>(x); }",
		 "[D_TYPE_ERR] line 1: failed to resolve type nosuch_t: Unknown type name"},
		{"provider p { probe a(int x) : (int y); };",
		 "[D_IDENT_UNDEF] line 1: y is not a native argument of probe a"},
		{"provider p { probe a() : (int); };",
		 "[D_PROTO_LEN] line 1: argument #1 of probe a has no native argument: "
		 "the probe has only 0 of them"},
		{"inline int x[int] = 1;",
		 "[D_DECL_PROTO_NAME] line 1: parameter #1 of inline 'x' has no name"},
		{"# 12 \"foo.d\"\nBEGIN { ) }",
		 "[D_SYNTAX] \"foo.d\", line 12: syntax error near \")\""},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *got;

		scope_init(&f->scope, &f->arena, NULL, NULL);
		got = error_text(f, rows[i].text, SRC_FILE, PD_RIGHT_NAME);
		if (strcmp(got, rows[i].error))
			fail_msg("%s\ngot  %s\nwant %s", rows[i].text, got, rows[i].error);
	}
}

static void errors_on_the_command_line(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(error_text(f, "BEGIN { x = }", SRC_CMDLINE, PD_RIGHT_NAME),
			    "[D_SYNTAX] in action list: syntax error near \"}\"");
	assert_string_equal(error_text(f, "BEGIN /x = / { }", SRC_CMDLINE, PD_RIGHT_NAME),
			    "[D_SYNTAX] in predicate: syntax error near \"/\"");
	assert_string_equal(error_text(f, "tcp:x", SRC_CMDLINE, PD_RIGHT_PROV),
			    "[D_PDESC_INVAL] invalid probe description \"tcp:x\": Overspecified "
			    "probe description");
	assert_string_equal(error_text(f, "", SRC_CMDLINE, PD_RIGHT_NAME),
			    "[D_EMPTY] empty D program translation unit");
}

static void hints(void **state)
{
	static const char *const rows[][2] = {
		{"BEGIN { while (1) ; }", "D has no loops"},
		{"BEGIN { x", "is a closing } missing?"},
		{"int x = 3;", "declarations have no initialisers: assign a value in a clause"},
		{"#define X 1\n", "#include, #define and #if need the C preprocessor: use -C"},
		{"foo_t x;", "if this is a declaration: unknown type name foo_t"},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(parse(f, rows[i][0]), -1);
		assert_non_null(f->d.hint);
		assert_string_equal(f->d.hint, rows[i][1]);
	}
}

/* ----------------------------------------------------------------------- limits */

static char *repeat(struct fixture *f, const char *before, const char *s, unsigned n,
		    const char *after)
{
	struct strbuf b = {0};
	char *res;

	strbuf_adds(&b, before);
	while (n--)
		strbuf_adds(&b, s);
	strbuf_adds(&b, after);
	res = arena_strdup(&f->arena, b.s);
	strbuf_release(&b);
	return res;
}

/* The parser refuses texts that are nested too deep, and accepts texts that are very long. */
static void limits(void **state)
{
	static const char *const deep[][3] = {
		{"BEGIN { ", "(", ""},
		{"BEGIN { ", "- ", "x; }"},
		{"BEGIN { x ", "+ 1 ", "; }"},
		{"BEGIN { x", ".y", "; }"},
		{"BEGIN { x", "[0]", "; }"},
		{"BEGIN { x", ", x", "; }"},
		{"BEGIN { ", "x ? 1 : ", "2; }"},
		{"BEGIN { ", "x = ", "2; }"},
		{"BEGIN { ", "f(", ""},
		{"BEGIN { ", "sizeof ", "x; }"},
		{"BEGIN { ", "if (x) ", "y; }"},
		{"BEGIN { ", "if (x) { ", ""},
		{"BEGIN { ", "(int)", "x; }"},
		{"", "struct { ", ""},
		{"int ", "(", ""},
		{"int ", "*", "x;"},
		{"int x", "[1]", ";"},
		{"int x", "(int (*", ""},
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(deep) / sizeof(*deep); i++) {
		const char *text = repeat(f, deep[i][0], deep[i][1], 20000, deep[i][2]);

		assert_int_equal(parse(f, text), -1);
		assert_int_equal(f->d.tag, D_LIMIT);
	}
	parse_ok(f, repeat(f, "BEGIN { x ", "+ 1 ", 900, "; }"), SRC_FILE);
	parse_ok(f, repeat(f, "BEGIN { ", "x ? 1 : ", 900, "2; }"), SRC_FILE);
	parse_ok(f, repeat(f, "BEGIN { ", "x; ", 100000, "}"), SRC_FILE);
	parse_ok(f, repeat(f, "BEGIN { f(1", ", 1", 100000, "); }"), SRC_FILE);
	parse_ok(f, repeat(f, "BEGIN { ", "(", 100, repeat(f, "x", ")", 100, "}")), SRC_FILE);
}

static void nul_bytes(void **state)
{
	static const char *const rows[] = {"BEGIN { \0 }", "\0",
					   "BEGIN\0{ }",   "BEGIN { \"a\0b\" }",
					   "#pragma D \0", "BEGIN /\0/ {",
					   "int x\0;"};
	static const size_t len[] = {11, 1, 9, 15, 11, 10, 7};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int err = parse_n(f, rows[i], len[i], SRC_FILE, NULL, PD_RIGHT_NAME);

		assert_int_equal(err, i == 3 ? 0 : -1); /* only a string may contain NUL */
	}
}

static void dump(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(body_dump(f, "@a[x, 1] = sum((int)y.z); q++; \"t\\n\""),
			    "assign =\n"
			    "  agg @a\n"
			    "    ident x\n"
			    "    int 1 : int\n"
			    "  call sum\n"
			    "    cast <int>\n"
			    "      member .z\n"
			    "        ident y\n"
			    "postfix ++\n"
			    "  ident q\n"
			    "str \"t\\n\"\n");
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(precedence),
		TEST(expressions_as_text),
		TEST(odd_forms),
		TEST(integer_types),
		TEST(strings),
		TEST(casts),
		TEST(descriptions),
		TEST(description_alone),
		TEST(clauses),
		TEST(predicate_ends),
		TEST(if_else),
		TEST(seed_programs),
		TEST(pragmas),
		TEST(macro_variables),
		TEST(variables),
		TEST(inlines),
		TEST(translators),
		TEST(providers),
		TEST(derivations),
		TEST(declarations_read_alone),
		TEST(prototypes),
		TEST(layout),
		TEST(types),
		TEST(errors),
		TEST(errors_on_the_command_line),
		TEST(hints),
		TEST(limits),
		TEST(nul_bytes),
		TEST(dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
