/*
 * early_exit.c - lets a unit (the eBPF program of a hook) return at once if the value of one
 * argument rules out all its probes.
 *
 * The kernel calls a hook such as sockops:::op for many operations, but each probe fires at one or
 * two of them. So the unit first tests the operation. Without this test, every run would test the
 * guards (conditions) of all probes one after the other.
 */
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/probes/probes.h"
#include "ir/ir.h"
#include "providers/provider.h"

#define MOST 4 /* maximum number of values; more tests would cost more than they save */

/* A set of values that an expression can have. If @any is set, no value is excluded. */
struct values {
	bool any;
	uint32_t n;
	int32_t v[MOST];
};

static const struct values all = {.any = true}, none = {0};

static bool has(const struct values *s, int32_t v)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->v[i] == v)
			return true;
	return false;
}

static struct values intersection(struct values a, struct values b)
{
	struct values out = none;

	if (a.any || b.any)
		return a.any ? b : a;
	for (uint32_t i = 0; i < a.n; i++)
		if (has(&b, a.v[i]))
			out.v[out.n++] = a.v[i];
	return out;
}

static struct values union_of(struct values a, struct values b)
{
	if (a.any || b.any)
		return all;
	for (uint32_t i = 0; i < b.n; i++) {
		if (has(&a, b.v[i]))
			continue;
		if (a.n == MOST)
			return all;
		a.v[a.n++] = b.v[i];
	}
	return a;
}

/*
 * Returns whether reading @e is cheap and cannot fail: @e is an integer argument of hook @h or, if
 * hook.behind is set, an integer member of args[0].
 */
static bool is_cheap(const struct hook *h, const struct expr *e)
{
	if (!type_is_integer(e->type))
		return false;
	if (e->kind == E_MEMBER && e->arrow && h->behind) {
		e = expr_target(e->a);
		return e->kind == E_IDENT && e->symkind == SYM_HOSTARG && e->ival == 0;
	}
	return e->kind == E_IDENT && e->symkind == SYM_HOSTARG && !h->behind;
}

/* Returns whether two cheap expressions are the same. */
static bool is_same(const struct expr *a, const struct expr *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == E_MEMBER ? a->name == b->name : a->ival == b->ival;
}

/*
 * If @e compares a cheap expression with a constant by ==, or by != if @unequal, returns the cheap
 * expression, and stores the constant in *@v. Else returns NULL.
 */
static const struct expr *compared(const struct hook *h, const struct expr *e, bool unequal,
				   int32_t *v)
{
	const struct expr *x;

	if (e->kind != E_BINARY || e->op != (unequal ? B_NE : B_EQ) || !e->b->is_const ||
	    e->b->value < 0 || e->b->value > INT32_MAX)
		return NULL;
	*v = (int32_t)e->b->value;
	x = expr_kept(e->a);
	return is_cheap(h, x) ? x : NULL;
}

/* Returns the values of @x for which condition @e can be true (if @truth) or false (if !@truth). */
static struct values when(const struct hook *h, const struct expr *e, bool truth,
			  const struct expr *x)
{
	const struct expr *y;
	int32_t v;

	e = expr_kept(e);
	if (e->is_const)
		return !!e->value == truth ? all : none;
	if (e->kind == E_UNARY && e->op == U_NOT)
		return when(h, e->a, !truth, x);
	if (e->kind == E_COND)
		return union_of(intersection(when(h, e->a, true, x), when(h, e->b, truth, x)),
				intersection(when(h, e->a, false, x), when(h, e->c, truth, x)));
	if (e->kind == E_BINARY && (e->op == B_LAND || e->op == B_LOR)) {
		struct values a = when(h, e->a, truth, x), b = when(h, e->b, truth, x);

		return (e->op == B_LAND) == truth ? intersection(a, b) : union_of(a, b);
	}
	y = compared(h, e, !truth, &v);
	return y && is_same(x, y) ? (struct values){.n = 1, .v = {v}} : all;
}

/*
 * Returns the values of @x for which probe @f of the unit can do anything. Looks at conditions of
 * the library only. A user's predicate must run even if it is false, because it may have faults to
 * report.
 */
static struct values wanted(const struct hook *h, const struct firing *f, const struct expr *x)
{
	struct values v = f->use->guard ? when(h, f->use->guard, true, x) : all, any_site = none;

	for (size_t i = 0; i < f->site.n; i++) {
		const struct enabling *en = f->site.v[i].en;

		any_site = union_of(any_site, en->hidden && en->pred && !expr_changes(en->pred)
						      ? when(h, en->pred, true, x)
						      : all);
	}
	return intersection(v, any_site);
}

/* Returns the first cheap expression that condition @e compares with a constant, or NULL. */
static const struct expr *first_compared(const struct hook *h, const struct expr *e)
{
	const struct expr *x;
	int32_t v;

	e = expr_kept(e);
	x = compared(h, e, false, &v);
	if (!x && (e->kind == E_COND || e->kind == E_UNARY || e->kind == E_BINARY))
		x = first_compared(h, e->a);
	if (!x && e->kind == E_BINARY)
		x = first_compared(h, e->b);
	return x;
}

void test_early_exit(struct linker *l, const struct hook_unit *hu, struct irb *b,
		     struct unit_build *u, int off)
{
	const struct firing *first = &hu->firing.v[0];
	const struct expr *cond = first->use->guard ? first->use->guard : first->site.v[0].en->pred;
	const struct expr *x = cond ? first_compared(hu->hook, cond) : NULL;
	struct fire g = fire_of(l, b, u, first);
	struct values v = none;
	int on, r;

	if (!x || hu->firing.n == 1) /* a single firing tests its guard first anyway */
		return;
	for (size_t i = 0; i < hu->firing.n; i++)
		v = union_of(v, wanted(hu->hook, &hu->firing.v[i], x));
	if (v.any || !v.n)
		return;
	on = irb_block(b, "wanted");
	g.in_native = true;
	r = gen(&g, x);
	irb_push(b);
	for (uint32_t i = 0; i < v.n; i++) {
		int next = i + 1 < v.n ? irb_block(b, "not this value") : off;

		irb_bri(b, CC_EQ, r, v.v[i], on, next);
		if (next != off)
			irb_place(b, next);
	}
	irb_pop(b);
	irb_place(b, on);
}
