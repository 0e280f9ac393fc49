/*
 * prefix.c - checks the network prefixes that D programs give to cidr( ) and net( ).
 */
#include "compiler/meaning/prefix.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/diag.h"
#include "base/prefix.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

uint32_t prefix_mask(unsigned bits, unsigned i)
{
	if (bits <= 32 * i)
		return 0;
	bits -= 32 * i;
	return bits >= 32 ? UINT32_MAX : htonl(~(UINT32_MAX >> bits));
}

/* Converts an IPv4 network that is written in IPv6 form (::ffff:10.0.0.0/104) to IPv4's form. */
static void undress(struct prefix *p)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	if (!p->v6 || p->bits < 96 || memcmp(p->addr, mapped, sizeof(mapped)))
		return;
	p->v6 = false;
	p->bits -= 96;
	memmove(p->addr, p->addr + 12, 4);
	memset(p->addr + 4, 0, 12);
}

static bool has_host_bits(const struct prefix *p)
{
	uint32_t w;

	for (unsigned i = 0; i < (p->v6 ? 4u : 1u); i++) {
		memcpy(&w, p->addr + 4 * i, 4);
		if (w & ~prefix_mask(p->bits, i))
			return true;
	}
	return false;
}

const char *prefix_parse(const char *text, struct prefix *out)
{
	const char *wrong = prefix_read(text, out);

	if (wrong)
		return wrong;
	if (has_host_bits(out))
		return "the address has nonzero bits after the prefix";
	undress(out);
	return NULL;
}

unsigned addr_size(struct type *t)
{
	struct type *to;

	t = type_strip(t);
	if (t->kind == T_ARRAY)
		return type_is_integer(t->to) && (t->size == 4 || t->size == 16) ? t->size : 0;
	to = t->kind == T_PTR ? type_strip(t->to) : NULL;
	if (!to || !(type_is_integer(to) ||
		     (to->name && (!strcmp(to->name, "in_addr") || !strcmp(to->name, "in6_addr")))))
		return 0;
	return to->size == 4 || to->size == 16 ? to->size : 0;
}

/*
 * Checks the first argument of net() or cidr() in the user's program. If it is a literal, it must
 * be an address.
 */
static int check_address(struct compiler *c, const struct expr *call)
{
	const struct expr *e = expr_kept(call->arg[0]);
	struct prefix p;

	if (call->lib || e->kind != E_STR || (!prefix_parse(e->str, &p) && !strchr(e->str, '/')))
		return 0;
	return diag_error(c->d, D_PROTO_ARG, e->loc, "%s( ) argument #1: \"%s\" is not an address",
			  call->name, e->str);
}

int sema_cidr(struct compiler *c, const struct expr *call)
{
	const struct expr *e = expr_kept(call->arg[1]);
	struct prefix p;
	const char *wrong;

	if (e->kind != E_STR)
		return diag_error(c->d, D_PROTO_ARG, e->loc,
				  "cidr( ) argument #2 must be a string constant, like "
				  "\"10.0.0.0/8\"");
	wrong = prefix_parse(e->str, &p);
	if (wrong)
		return diag_error(c->d, D_PROTO_ARG, e->loc,
				  "cidr( ) argument #2: \"%s\" is no network: %s", e->str, wrong);
	return check_address(c, call);
}

int sema_net(struct compiler *c, const struct expr *call)
{
	const struct expr *bits = call->arg[1];

	if (!bits->is_const || bits->value < 0 || bits->value > 128)
		return diag_error(c->d, D_PROTO_ARG, call->arg[1]->loc,
				  "net( ) argument #2 must be an integer constant from 0 to 128");
	return check_address(c, call);
}
