/*
 * strclass.c - computes which forms a string can have, and its greatest length.
 *
 * A string is kept in the shortest form: an IP address as 16 bytes, a text that the compiler knows
 * as an index of 4 bytes. The characters of such a string are made only where they are needed.
 */
#include "compiler/meaning/strclass.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/address.h"
#include "base/arena.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/program.h"
#include "ir/types/type.h"

/*
 * A bit of strclass.forms that is no form: set if the string may be an address, or the name of a
 * number, that is computed at run time.
 */
#define COMPUTED (1u << 16)

static struct strclass cls(unsigned forms, uint32_t payload, uint32_t text)
{
	return (struct strclass){.forms = forms,
				 .size = PAYLOAD + ((payload + 3) & ~3u),
				 .text = text};
}

static void add_literal(struct strclass *s, const char *lit)
{
	if (s->nlit > STR_LITERALS)
		return;
	for (uint32_t i = 0; i < s->nlit; i++)
		if (!strcmp(s->lit[i], lit))
			return;
	if (s->nlit < STR_LITERALS)
		s->lit[s->nlit] = lit;
	s->nlit++;
}

struct strclass str_union(struct strclass a, struct strclass b)
{
	a.forms |= b.forms;
	a.size = max_u32(a.size, b.size);
	a.text = max_u32(a.text, b.text);
	a.array = max_u32(a.array, b.array);
	if (b.nlit > STR_LITERALS)
		a.nlit = b.nlit;
	for (uint32_t i = 0; i < b.nlit && b.nlit <= STR_LITERALS; i++)
		add_literal(&a, b.lit[i]);
	return a;
}

bool str_is_exact(struct strclass s)
{
	return !(s.forms & ~(FORM(DSTR_IP4) | FORM(DSTR_IP6) | FORM(DSTR_NTOP6) |
			     FORM(DSTR_INTERN) | FORM(DSTR_NULL) | COMPUTED));
}

bool str_is_own(struct strclass s)
{
	return (s.forms & ~(FORM(DSTR_NULL) | COMPUTED)) == FORM(DSTR_INTERN);
}

#define BLANK " \t\n"
#define SEPARATOR BLANK "-<>=|:;,/()[]{}"

bool str_is_layout(struct strclass s)
{
	if (!str_is_own(s) || !s.nlit || s.nlit > STR_LITERALS || (s.nlit == 1 && !*s.lit[0]))
		return false;
	for (uint32_t i = 0; i < s.nlit; i++)
		if (s.lit[i][strspn(s.lit[i], s.nlit == 1 ? SEPARATOR : BLANK)])
			return false;
	return true;
}

bool str_is_named(struct strclass s)
{
	return s.forms & FORM(DSTR_NAMED);
}

/*
 * Returns whether a variable can hold strings of class @s in binary form. Two numbers may have the
 * same name, such as a user's, so the slots of such names cannot be compared. But programs cannot
 * compare the names either, so variables can hold them.
 */
static bool stays(struct strclass s)
{
	s.forms &= ~FORM(DSTR_NAMED);
	return str_is_exact(s);
}

bool str_is_text(struct strclass s)
{
	return (s.forms & ~FORM(DSTR_NULL)) == FORM(DSTR_TEXT);
}

struct strclass str_as_text(struct strclass s)
{
	unsigned null = s.forms & FORM(DSTR_NULL);
	uint32_t text = max_u32(s.text, 1); /* room for the NUL of an empty text */
	struct strclass k = cls(FORM(DSTR_TEXT) | null, (max_u32(text, s.array) + 7) & ~7u, text);

	k.array = s.array;
	return k;
}

struct strclass str_var_class(const struct var *v)
{
	struct strclass s = v->cls;

	if (!(s.forms & COMPUTED) || !stays(s) || s.nlit > STR_LITERALS)
		s = str_as_text(s);
	/* a variable that is not set is all zeros, which is an empty text */
	s.size = max_u32(s.size, 8);
	if (var_in_map(v))
		s.forms |= FORM(DSTR_NULL);
	return s;
}

static bool prints_as(void (*print)(const uint8_t *addr, struct strbuf *out), const uint8_t *addr,
		      const char *s)
{
	struct strbuf text = {0};
	bool same;

	print(addr, &text);
	same = !strcmp(text.s, s);
	strbuf_release(&text);
	return same;
}

bool str_is_address(const char *s, enum dstr_tag *tag, uint8_t addr[16])
{
	if (inet_pton(AF_INET, s, addr) == 1) {
		*tag = DSTR_IP4;
		return prints_as(address_ip4, addr, s);
	}
	if (inet_pton(AF_INET6, s, addr) != 1)
		return false;
	*tag = prints_as(address_ip6, addr, s) ? DSTR_IP6 : DSTR_NTOP6;
	return *tag == DSTR_IP6 || prints_as(address_ntop6, addr, s);
}

uint32_t str_text_room(struct compiler *c, const struct expr *e)
{
	const struct type *t = type_strip(e->type);

	/* the arrays that the library reads, such as comm, end with a NUL */
	return t->kind == T_ARRAY && t->nelem && t->nelem < c->opt->strsize ? t->nelem + !e->lib
									    : c->opt->strsize;
}

/*
 * Returns the class of an address whose text has at most @text bytes. Two addresses are equal if
 * and only if their bytes are equal. But if strsize truncates texts, different addresses may print
 * the same characters. So the class then has the form of text.
 */
static struct strclass address_class(struct compiler *c, unsigned forms, uint32_t text)
{
	return cls(forms | (text > c->opt->strsize ? FORM(DSTR_TEXT) : COMPUTED), 16, text);
}

/*
 * Returns the class of an unknown string that is an index in program.str. Its maximum size is
 * @text.
 */
static struct strclass any_index(uint32_t text)
{
	struct strclass s = cls(FORM(DSTR_INTERN), 4, text);

	s.nlit = STR_LITERALS + 1;
	return s;
}

const char *str_bounded(struct compiler *c, const char *s)
{
	return strlen(s) < c->opt->strsize
		       ? s
		       : arena_printf(c->arena, "%.*s", (int)c->opt->strsize - 1, s);
}

static struct strclass literal_class(struct compiler *c, const struct expr *e)
{
	const char *str = str_bounded(c, e->str);
	uint32_t text = (uint32_t)strlen(str) + 1;
	struct strclass s = cls(FORM(DSTR_INTERN), 4, text);
	enum dstr_tag tag;
	uint8_t addr[16];

	if (str_is_address(str, &tag, addr))
		return cls(FORM(tag), 16, text);
	add_literal(&s, str);
	return s;
}

bool str_is_null(const struct expr *e)
{
	return expr_is_string(e) ? sval_of(e).form == S_NULL : expr_is_zero(e);
}

static enum str_form form_of(const struct subr *s)
{
	return s->chars ? S_CHARS : s->str;
}

const struct expr *str_memory(const struct expr *e)
{
	return e->kind == E_CAST ? e->a : e;
}

struct sval sval_of(const struct expr *e)
{
	e = expr_kept(e);
	switch (e->kind) {
	case E_CAST:
		return (struct sval){e->op == CONV_NULL ? S_NULL : S_MEM, e};
	case E_STR:
		return (struct sval){S_LITERAL, e};
	case E_COND:
		return e->a->is_const ? sval_of(e->a->value ? e->b : e->c)
				      : (struct sval){S_COND, e};
	case E_CALL:
		return (struct sval){form_of(e->ref.subr), e};
	case E_COMMA:
		return (struct sval){S_COMMA, e};
	case E_ASSIGN:
		return (struct sval){S_ASSIGN, e};
	case E_IDENT:
	case E_THIS:
	case E_SELF:
	case E_INDEX:
		/* SYM_PARAM occurs in definitions only */
		if (e->symkind == SYM_BUILTIN || e->symkind == SYM_PARAM)
			return (struct sval){S_NAME, e};
		if (e->symkind == SYM_VAR)
			return (struct sval){S_VAR, e};
		if (e->symkind == SYM_NATIVE || e->symkind == SYM_PROBEARG)
			return (struct sval){S_NATIVE, e};
		if (e->kind == E_INDEX)
			return (struct sval){S_MEM, e};
		break;
	case E_MEMBER:
	case E_UNARY: /* an expression "*pointer" */
		return (struct sval){S_MEM, e};
	default:
		break;
	}
	BUG("expression %d is no string", e->kind);
}

static struct strclass join_class(struct compiler *c, const struct expr *e)
{
	struct strclass x = str_class(c, e->arg[0]), y = str_class(c, e->arg[1]);

	return cls(FORM(DSTR_JOIN), 4 + x.size + y.size,
		   min_u32(x.text + y.text - 1, c->opt->strsize));
}

static struct strclass chars_class(struct compiler *c, const struct expr *e)
{
	const struct subr *s = e->ref.subr;
	unsigned null = s->may_be_null ? FORM(DSTR_NULL) : 0;
	uint32_t text = c->opt->strsize;

	if (s->shrinks && !str_is_null(e->arg[0]))
		text = min_u32(text, str_class(c, e->arg[0]).text);
	return cls(FORM(DSTR_TEXT) | null, (text + 7) & ~7u, text);
}

/*
 * Returns the string class of a net( ) call. If the argument is a text that is not an address,
 * net( ) returns that text unchanged.
 */
static struct strclass net_class(struct compiler *c, const struct expr *e)
{
	struct strclass s = address_class(c, FORM(DSTR_IP6) | FORM(DSTR_IP4), TEXT_IP6);

	return expr_is_string(e->arg[0]) ? str_union(s, str_class(c, e->arg[0])) : s;
}

bool str_other_base(const struct expr *e)
{
	return e->narg > 1 && !(e->arg[1]->is_const && e->arg[1]->value == 10);
}

/* Returns the class of the characters in memory that are the value of @e. */
static struct strclass memory_class(struct compiler *c, const struct expr *e)
{
	const struct type *t = type_strip(str_memory(e)->type);
	uint32_t room = str_text_room(c, str_memory(e));
	struct strclass s;

	if (e->kind != E_CAST || e->op != CONV_ARRAY)
		return cls(FORM(DSTR_TEXT), room, room);
	s = cls(FORM(DSTR_TEXT), t->nelem, room);
	s.array = t->nelem;
	return s;
}

static struct strclass class_of(struct compiler *c, struct sval s)
{
	const struct expr *e = s.e;

	switch (s.form) {
	case S_NULL:
		return cls(FORM(DSTR_NULL), 4, 1);
	case S_LITERAL:
		return literal_class(c, e);
	case S_NAME:
		return any_index(min_u32(max_u32(TEXT_NAME, c->wants->name_room), c->opt->strsize));
	case S_NATIVE: /* each hook may pass the string in another form */
		return cls(FORM(DSTR_TEXT), c->opt->strsize, c->opt->strsize);
	case S_MEM:
		return memory_class(c, e);
	case S_VAR:
		return str_var_class(e->ref.var);
	case S_COND:
		return str_union(str_class(c, e->b), str_class(c, e->c));
	case S_COMMA:
		return str_class(c, e->b);
	case S_ASSIGN:
		return str_class(c, e->a);
	case S_IP4:
		return address_class(c, FORM(DSTR_IP4), TEXT_IP4);
	case S_IP6:
		return address_class(c, FORM(DSTR_IP6) | FORM(DSTR_IP4), TEXT_IP6);
	case S_NTOP:
		return address_class(c, FORM(DSTR_IP6) | FORM(DSTR_NTOP6) | FORM(DSTR_IP4),
				     TEXT_IP6);
	case S_INT:
		return cls(FORM(DSTR_INT), 12, str_other_base(e) ? TEXT_BASE : TEXT_INT);
	case S_JOIN:
		return join_class(c, e);
	case S_ENUM:
		return any_index(enumstr_room(c, e));
	case S_NAMED:
		return cls(FORM(DSTR_NAMED) | COMPUTED, 12, c->opt->strsize);
	case S_NET:
		return net_class(c, e);
	case S_CHARS:
		return chars_class(c, e);
	case S_NO_STRING:
		break;
	}
	BUG("%s is no string", e->name);
}

/*
 * The result is cached only when the classes of all variables are final. An earlier result may
 * still grow.
 */
struct strclass str_class(struct compiler *c, const struct expr *e)
{
	struct sval s = sval_of(e);
	struct strclass k;

	if (s.e->cls)
		return *s.e->cls;
	k = class_of(c, s);
	if (c->wants->classes_known)
		((struct expr *)s.e)->cls = arena_memdup(c->arena, &k, sizeof(k));
	return k;
}
