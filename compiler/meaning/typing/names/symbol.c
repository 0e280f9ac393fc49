/*
 * symbol.c - finds the addresses and types of kernel symbols.
 *
 * A symbol becomes the expression *(T *)address, so the rest of the compiler does not know symbols.
 * Such a read is checked at run time, like a read through any pointer of unknown origin. The
 * address comes from the kernel's symbol table. The type comes from an extern declaration of the
 * program or of the library (translators/kernel.d), else from the kernel's BTF.
 */
#include "compiler/meaning/typing/names/symbol.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/program.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

struct symbol {
	uint64_t addr;
	struct type *type; /* NULL if the type is unknown */
	/* the variable is per-CPU: its address is relative to the base of each CPU's copy */
	bool percpu;
};

static int unresolved(struct compiler *c, const struct expr *e, const char *why)
{
	c->typing->lacks |= e->lib;
	diag_error(c->d, D_IDENT_UNDEF, e->loc, "failed to resolve %s`%s: %s", e->mod, e->name,
		   why);
	return -1;
}

static int find_address(struct compiler *c, const struct expr *e, uint64_t *addr)
{
	enum symbol_found found;
	uint64_t size;

	if (c->opt->replay)
		return diag_error(c->d, D_UNSUPPORTED, e->loc,
				  "%s`%s cannot be read in replay: captures do not have the "
				  "memory of the kernel",
				  e->mod, e->name);
	found = c->opt->symbol ? c->opt->symbol(e->mod, e->name, addr, &size) : SYMBOL_NO_NAME;
	if (found == SYMBOL_NO_MODULE)
		return unresolved(c, e, "Unknown module name");
	if (found == SYMBOL_FOUND)
		return 0;
	unresolved(c, e, "Unknown symbol name");
	hint_symbol(c, e->name);
	if (c->opt->symbol && c->opt->symbol("", "jiffies", addr, &size) != SYMBOL_FOUND)
		diag_hint(c->d, "this kernel lists functions only (CONFIG_KALLSYMS_ALL is off), or "
				"hides addresses");
	return -1;
}

/*
 * Returns the type from an extern declaration or from BTF, or NULL if neither has the symbol. Sets
 * @percpu if BTF says that the variable is per-CPU.
 */
static struct type *find_type(struct compiler *c, const struct expr *e, bool *percpu)
{
	const struct decl_var *dv = symtab_get(&c->names->syms, NAME_EXTERN, e->lib, e->name);
	struct type *t;
	uint32_t func;

	if (!dv)
		dv = symtab_get(&c->names->syms, NAME_EXTERN, true, e->name);
	t = c->names->btf && (!dv || !e->lib) ? btf_find_var(c->names->btf, e->name, percpu) : NULL;
	t = dv ? dv->type : t;
	func = !t && c->names->btf ? btf_find_func(c->names->btf, e->name) : 0;
	return func ? btf_func_type(c->names->btf, func) : t;
}

static int find(struct compiler *c, const struct expr *e, struct symbol *s)
{
	s->percpu = false;
	s->type = find_type(c, e, &s->percpu);
	return find_address(c, e, &s->addr);
}

static struct expr *node(struct compiler *c, const struct expr *at, enum expr_kind kind)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = kind, .loc = at->loc, .lib = true};
	return e;
}

static struct expr *name_node(struct compiler *c, const struct expr *at, const char *mod,
			      const char *name)
{
	struct expr *e = node(c, at, E_IDENT);

	e->mod = mod;
	e->name = intern(&c->names->intern, name);
	return e;
}

/* Replaces @e by (to *)(@addr + `__per_cpu_offset[cpu]), the address of this CPU's copy. */
static int make_percpu(struct compiler *c, struct expr *e, const struct expr *addr, struct type *to)
{
	struct expr *offset = node(c, e, E_INDEX), *sum = node(c, e, E_BINARY),
		    *number = node(c, e, E_CAST);
	const struct expr *was = e->written ? e->written : arena_memdup(c->arena, e, sizeof(*e));

	offset->a = name_node(c, e, "", "__per_cpu_offset");
	offset->arg = arena_newn(c->arena, struct expr *, 1);
	offset->arg[0] = name_node(c, e, NULL, "cpu");
	offset->narg = 1;
	number->a = arena_memdup(c->arena, addr, sizeof(*addr));
	number->ctype = &type_ulong;
	sum->op = B_ADD;
	sum->a = number;
	sum->b = offset;
	*e = (struct expr){.kind = E_CAST,
			   .loc = e->loc,
			   .lib = e->lib,
			   .ctype = type_ptr(c->arena, to),
			   .a = sum,
			   .written = was};
	return sema_expr(c, e);
}

/* Replaces @e by the address of symbol @s, as a pointer to @to. */
static void make_address(struct compiler *c, struct expr *e, const struct symbol *s,
			 struct type *to)
{
	const struct expr *was = e->written ? e->written : arena_memdup(c->arena, e, sizeof(*e));

	*e = (struct expr){.kind = E_INT,
			   .loc = e->loc,
			   .lib = e->lib,
			   .ival = s->addr,
			   .height = 1,
			   .type = type_ptr(c->arena, to),
			   .written = was,
			   .typed = true,
			   .is_const = true,
			   .value = (int64_t)s->addr};
}

static int address_of(struct compiler *c, struct expr *e, const struct symbol *s)
{
	struct type *to = s->type ? s->type : &type_void;
	struct expr addr;

	if (!s->percpu) {
		make_address(c, e, s, to);
		return 0;
	}
	addr = *e;
	make_address(c, &addr, s, to);
	return make_percpu(c, e, &addr, to);
}

int sema_symbol(struct compiler *c, struct expr *e)
{
	struct symbol s;
	struct expr *at;

	if (find(c, e, &s))
		return -1;
	if (!s.type) {
		diag_error(c->d, D_SYM_NOTYPES, e->loc,
			   "no symbolic type information is available for %s`%s", e->mod, e->name);
		diag_hint(c->d, "declare it: extern int %s;", e->name);
		return -1;
	}
	at = arena_memdup(c->arena, e, sizeof(*e));
	if (address_of(c, at, &s))
		return -1;
	if (type_is(s.type, T_FUNC)) {
		*e = *at;
		return 0;
	}
	*e = (struct expr){.kind = E_UNARY,
			   .op = U_DEREF,
			   .loc = at->loc,
			   .lib = at->lib,
			   .type = s.type,
			   .a = at,
			   .height = (uint16_t)(at->height + 1),
			   .written = at->written};
	return 0;
}

int sema_symbol_address(struct compiler *c, struct expr *e)
{
	struct symbol s;

	if (find(c, e->a, &s))
		return -1;
	return address_of(c, e, &s);
}

int symbol_declare(struct compiler *c, const struct decl_var *dv)
{
	bool lib = dv->loc.src->kind == SRC_LIB;
	const struct decl_var *old = symtab_get(&c->names->syms, NAME_EXTERN, lib, dv->name);

	if (old && !type_same(old->type, dv->type))
		return diag_error(c->d, D_DECL_IDRED, dv->loc,
				  "identifier redeclared: %s\n\t current: %s %s\n\tprevious: %s %s",
				  dv->name, type_text(c, dv->type), dv->name,
				  type_text(c, old->type), dv->name);
	symtab_put(&c->names->syms, NAME_EXTERN, lib, dv->name, (void *)(uintptr_t)dv);
	return 0;
}

const struct decl_var *symbol_declared(struct compiler *c, const char *name)
{
	return symtab_get(&c->names->syms, NAME_EXTERN, false, name);
}
