/*
 * compare.c - finds comparisons with a constant that the other side never has.
 *
 * What a string may be follows from its class (strclass.h), from the literals that it chooses
 * between, from the names of an enum, and from the names of the clause's probes. What a number may
 * be follows from its type. So the same rules apply to members, variables, inlines and calls.
 */
#include <string.h>

#include "base/address.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/minmax.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/prefix.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/strclass.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

#define NEAR 3 /* texts that differ in so many characters are not similar */
#define ADDRESSES (FORM(DSTR_IP4) | FORM(DSTR_IP6) | FORM(DSTR_NTOP6))
#define LOWER \
	"abcdefghijklmnopqrstuvwxyz-0123456789" /* what a number is written with, in any base */
#define NO_THREAD "captures do not have the current process; args[1] has the owner of a socket"

/*
 * A place in the text. It may be compiled several times, for several probes, and causes a warning
 * only if the constant is impossible every time.
 */
struct doubt {
	struct loc loc;
	enum diag_where where;
	const char *text; /* the warning, or NULL if the constant is possible */
};

struct pass {
	struct compiler *c;
	const struct enabling *en;
	enum diag_where where;
	VEC(struct doubt) doubt;
};

static void note(struct pass *p, struct loc loc, const char *text)
{
	for (size_t i = 0; i < p->doubt.n; i++)
		if (p->doubt.v[i].loc.src == loc.src && p->doubt.v[i].loc.off == loc.off) {
			p->doubt.v[i].text = text ? p->doubt.v[i].text : NULL;
			return;
		}
	vec_apush(p->c->arena, &p->doubt, ((struct doubt){loc, p->where, text}));
}

/* Returns whether the program wrote @e as a name of the current thread, which captures lack. */
static bool is_unknown_thread(const struct pass *p, const struct expr *e)
{
	const struct expr *w = e->written;

	return p->c->opt->replay && w && !w->lib && w->kind == E_IDENT && thread_is_named(w->name);
}

/* -------------------------------------------------------------------- strings */

/* A literal, and what the string that it is compared with may be. */
struct known {
	const struct expr *lit;
	const char *text;
	const char *near; /* the string's value that is most similar to the text, or NULL */
	unsigned far;     /* the number of characters in which it differs */
	const char *only; /* the last value that was tried */
	bool address, thread;
	uint32_t room; /* maximum length of other values, with the NUL */
};

static bool try(struct known *k, const char *is)
{
	unsigned far = hint_nearness(k->text, is);

	k->only = is;
	if (far < k->far) {
		k->far = far;
		k->near = is;
	}
	return !strcmp(is, k->text);
}

/* Returns whether literal @e is an argument of the program ($$1), which is another in every run. */
static bool is_argument(const struct expr *e)
{
	return e->loc.src && e->loc.src->text[e->loc.off] == '$';
}

static bool class_may_be(struct known *k, struct strclass s)
{
	enum dstr_tag tag;
	uint8_t addr[16];
	bool found = s.nlit > STR_LITERALS || s.forms & FORM(DSTR_NAMED);

	for (uint32_t i = 0; i < s.nlit && s.nlit <= STR_LITERALS; i++)
		found |= try(k, s.lit[i]);
	k->address |= (s.forms & ADDRESSES) != 0;
	if (str_is_address(k->text, &tag, addr))
		found |= (s.forms & FORM(tag)) != 0;
	if (s.forms & FORM(DSTR_INT))
		found |= is_argument(k->lit) ||
			 !k->text[strspn(k->text, &LOWER[s.text == TEXT_INT ? 26 : 0])];
	if (s.forms & (FORM(DSTR_TEXT) | FORM(DSTR_JOIN))) {
		k->room = max_u32(k->room, s.text);
		found |= strlen(k->text) < s.text;
	}
	return found;
}

/* Tries a field of the names of the clause's probes. With -Z, probes may appear later. */
static bool probe_may_be(const struct pass *p, struct known *k, unsigned field)
{
	bool found = p->c->opt->zdefs;

	for (uint32_t i = 0; i < p->en->nprobe; i++) {
		const struct probe *is = p->en->probe[i];
		const char *const name[] = {is->prov, is->mod, is->func, is->name};

		found |= try(k, name[field]) || glob_is_pattern(name[field]);
	}
	return found;
}

/* Returns whether string @e may be the text of @k. A string that is not set compares as "". */
static bool may_be(const struct pass *p, const struct expr *e, struct known *k)
{
	struct sval s = sval_of(e);
	const char *name;
	bool found = !*k->text;
	size_t n;

	k->thread = is_unknown_thread(p, s.e);
	if (found || k->thread)
		return found;
	switch (s.form) {
	case S_LITERAL:
		return is_argument(s.e) || try(k, str_bounded(p->c, s.e->str));
	case S_NAME:
		return probe_may_be(p, k, s.e->ref.builtin->field);
	case S_COND:
		found = may_be(p, s.e->b, k);
		return may_be(p, s.e->c, k) || found;
	case S_COMMA:
	case S_ASSIGN:
		return may_be(p, s.e->b, k);
	case S_JOIN: /* the text must begin with the first part, if that is a literal */
		e = expr_kept(s.e->arg[0]);
		n = e->kind == E_STR ? strlen(e->str) : 0;
		if (!n || strncmp(k->text, e->str, n))
			return !n && class_may_be(k, str_class(p->c, s.e));
		k->text += n;
		found = may_be(p, s.e->arg[1], k);
		k->text -= n;
		return found;
	case S_ENUM:
		found = try(k, ENUMSTR_UNKNOWN);
		for (uint32_t i = 0; (name = enumstr_name(p->c, s.e, i)); i++)
			found |= try(k, name);
		return found || !k->near; /* other kernels have other names */
	default:
		return class_may_be(k, str_class(p->c, s.e));
	}
}

/* Returns what to write in place of the text, which is compared with @x, an address. */
static const char *address_advice(struct compiler *c, const struct known *k, const char *x)
{
	struct strbuf b = {0};
	struct prefix net;

	if (prefix_read(k->text, &net))
		return k->text[strspn(k->text, "0123456789.")]
			       ? "this text is no address"
			       : "an address is four numbers up to 255, without leading zeros";
	if (strchr(k->text, '/'))
		return arena_printf(c->arena, "write cidr(%s, \"%s\")%s", x, k->text,
				    prefix_parse(k->text, &net) ? ", without bits after the prefix"
								: "");
	(net.v6 ? address_ip6 : address_ip4)(net.addr, &b);
	x = arena_take(c->arena, &b);
	if (!strcmp(x, k->text))
		return net.v6 ? "it is an IPv4 address" : "it is an IPv6 address";
	return arena_printf(c->arena, "write \"%s\"", x);
}

/* Returns why @x can never be the text, and what to write instead. */
static const char *text_advice(const struct pass *p, const struct known *k, const struct expr *x)
{
	struct arena *a = p->c->arena;

	if (k->thread)
		return NO_THREAD;
	if (k->near)
		return arena_printf(a, "did you mean \"%s\"?", k->near);
	if (k->address)
		return address_advice(p->c, k, expr_source(p->c, x));
	if (k->room)
		return arena_printf(a, "it has at most %u characters", k->room - 1);
	if (k->only && p->en->clause->ndesc == 1 && p->en->nprobe == 1)
		return arena_printf(a, "it is \"%s\" here", k->only);
	return "none of its values is this text";
}

/* Warns if strsize cuts the literal @e, which is compared or is a key. Returns whether it does. */
static bool check_cut(struct pass *p, const struct expr *e)
{
	uint32_t max = p->c->opt->strsize;

	e = expr_kept(e);
	if (e->kind != E_STR || e->len < max)
		return false;
	note(p, e->loc,
	     arena_printf(p->c->arena,
			  "this text has %u characters and is cut to %u; use -x strsize=%u", e->len,
			  max - 1, e->len + 1));
	return true;
}

static void check_text(struct pass *p, const struct expr *e, const struct expr *x,
		       const struct expr *lit)
{
	struct known k = {.lit = lit, .text = lit->str, .far = NEAR};
	bool differs = e->op == B_NE, possible;

	if (expr_kept(x)->kind == E_STR || check_cut(p, lit))
		return;
	possible = may_be(p, x, &k) || (k.thread && differs);
	note(p, e->loc,
	     possible ? NULL
		      : arena_printf(p->c->arena, "%s is %s true: %s", expr_source(p->c, e),
				     differs ? "always" : "never", text_advice(p, &k, x)));
}

/* -------------------------------------------------------------------- numbers */

/*
 * Returns whether place @e in memory can hold @v. Sets @why to the reason if not. An enum in memory
 * has its enumerators, or flags that are combined.
 */
static bool fits(const struct pass *p, const struct expr *e, int64_t v, const char **why)
{
	struct type *t = type_strip(e->type);
	unsigned bits = e->kind == E_MEMBER ? expr_member(e).bits : 0;
	uint64_t all = 0;
	uint32_t n = 0;
	struct enumerator *of = e->kind == E_MEMBER && !bits ? type_enumerators(t, &n) : NULL;

	if (bits)
		*why = arena_printf(p->c->arena, "it has %u bits", bits);
	else
		*why = arena_printf(p->c->arena, "it is of type %s", type_text(p->c, e->type));
	for (uint32_t i = 0; i < n; i++)
		all |= (uint64_t)of[i].value;
	if (all && (int64_t)all > 0)
		return !((uint64_t)v & ~(UINT64_MAX >> __builtin_clzll(all)));
	bits = bits ? 64 - bits : 64 - 8 * t->size;
	return (t->sgn ? (int64_t)((uint64_t)v << bits) >> bits
		       : (int64_t)((uint64_t)v << bits >> bits)) == v;
}

/*
 * Returns whether number @e may be @v. Sets @why to the reason if not. A number that is calculated
 * has 64 bits, whatever its type is.
 */
static bool may_equal(const struct pass *p, const struct expr *e, int64_t v, const char **why)
{
	bool stored = e->kind == E_MEMBER || e->kind == E_INDEX || e->symkind == SYM_VAR ||
		      (e->kind == E_UNARY && e->op == U_DEREF);

	if (is_unknown_thread(p, e)) {
		*why = NO_THREAD;
		return v == const_cut(e->type, -1);
	}
	if (e->kind == E_COND)
		return may_equal(p, expr_kept(e->b), v, why) ||
		       may_equal(p, expr_kept(e->c), v, why);
	if (e->kind == E_BINARY && e->op == B_AND && e->b->is_const && e->b->value >= 0) {
		*why = arena_printf(p->c->arena, "the other side has only the bits of 0x%llx",
				    (unsigned long long)e->b->value);
		return !(v & ~e->b->value);
	}
	if ((e->kind == E_UNARY && e->op == U_NOT) ||
	    (e->kind == E_BINARY && e->op >= B_EQ && e->op <= B_GE)) {
		*why = "the other side is 0 or 1";
		return v == 0 || v == 1;
	}
	return !(stored || e->symkind == SYM_SUBR || (e->kind == E_CAST && e->op == CONV_CUT)) ||
	       fits(p, e, v, why);
}

/* Returns the operator of y < x for x > y, and so on. */
static enum binary_op turned(enum binary_op op)
{
	return op == B_LT ? B_GT : op == B_GT ? B_LT : op == B_LE ? B_GE : op == B_GE ? B_LE : op;
}

static void check_number(struct pass *p, const struct expr *e, const struct expr *x, int64_t v,
			 enum binary_op op)
{
	bool sgn = type_is_signed(e->a->type), below = sgn && v < 0;
	bool less = op == B_LT || op == B_LE, equal = op == B_EQ || op == B_NE;
	const char *why = NULL, *text = NULL;

	x = expr_kept(x);
	if (!type_is_integer(x->type) || x->is_const)
		return;
	if (!may_equal(p, x, v, &why) && (equal || sgn || !type_is_signed(x->type)) &&
	    (op == B_EQ || !is_unknown_thread(p, x)))
		text = op == B_NE || (!equal && less != below) ? "always" : "never";
	else if ((op == B_LT && ((!sgn && !v) || !may_equal(p, x, v - 1, &why))) ||
		 (op == B_GT && !may_equal(p, x, v + 1, &why)))
		text = "never"; /* @v is the first or the last of the numbers */
	if (text)
		text = arena_printf(p->c->arena, "%s is %s true: %s", expr_source(p->c, e), text,
				    why ? why : "the other side is unsigned");
	note(p, e->loc, text);
}

/* --------------------------------------------------------------------- clauses */

static void check_comparison(struct pass *p, const struct expr *e)
{
	const struct expr *a = expr_kept(e->a), *b = expr_kept(e->b);

	if (expr_is_string(a) && e->op <= B_NE && (a->kind == E_STR || b->kind == E_STR))
		check_text(p, e, b->kind == E_STR ? e->a : e->b, b->kind == E_STR ? b : a);
	else if (b->is_const && type_is_integer(b->type))
		check_number(p, e, a, b->value, e->op);
	else if (a->is_const && type_is_integer(a->type))
		check_number(p, e, b, a->value, turned(e->op));
}

/* Looks at all comparisons of the program in @e. Definitions of the library are right. */
static void look(struct pass *p, const struct expr *e)
{
	if (!e || e->lib)
		return;
	if (e->kind == E_BINARY && e->op >= B_EQ && e->op <= B_GE)
		check_comparison(p, e);
	for (uint32_t i = 0; i < e->narg; i++) {
		if (e->kind == E_AGG || (e->kind == E_INDEX && e->symkind == SYM_VAR))
			check_cut(p, e->arg[i]);
		look(p, e->arg[i]);
	}
	look(p, e->a);
	look(p, e->b);
	look(p, e->c);
}

static void look_at(void *ctx, struct stmt *s)
{
	look(ctx, s->expr);
}

void compare_warn(struct compiler *c)
{
	struct pass p = {.c = c};

	for (p.en = c->probes->enablings; p.en; p.en = p.en->next) {
		if (p.en->hidden)
			continue;
		p.where = DIAG_IN_PREDICATE;
		look(&p, p.en->pred);
		p.where = DIAG_IN_ACTIONS;
		stmt_each(p.en->body, look_at, &p);
	}
	for (size_t i = 0; i < p.doubt.n; i++) {
		struct diag d = {.now = p.doubt.v[i].where};
		struct strbuf b = {0};

		if (!p.doubt.v[i].text)
			continue;
		diag_error(&d, D_UNKNOWN, p.doubt.v[i].loc, "%s", p.doubt.v[i].text);
		strbuf_adds(&b, "warning: ");
		diag_text(&d, false, &b);
		strbuf_addc(&b, '\n');
		diag_help(&d, &b);
		diag_release(&d);
		b.s[--b.len] = '\0'; /* the caller ends the line */
		vec_apush(c->arena, &c->probes->env.warning, arena_take(c->arena, &b));
	}
}
