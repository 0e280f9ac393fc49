/*
 * subrs.c - the subroutines: one row each.
 *
 * String results are not computed here: strings.c writes them where they go.
 */
#include <string.h>

#include "compiler/irgen.h"

static int emit_swap16(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_swap(g->b, gen(g, arg[0]), 2);
}

static int emit_swap32(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_swap(g->b, gen(g, arg[0]), 4);
}

static int emit_swap64(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_swap(g->b, gen(g, arg[0]), 8);
}

static int emit_strlen(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return gen_strlen(g, arg[0]);
}

/* __ip_header(skb, off): where the IP header at skb->data + off can be read, or NULL. */
static int emit_ip_header(struct fire *g, struct expr **arg, uint32_t narg)
{
	int skb = gen(g, arg[0]), r;
	int64_t off = 0;

	if (narg > 1)
		expr_const(arg[1], &off);
	r = irb_skbptr(g->b, skb, (int32_t)off);
	irb_reg(g->b, r)->pc = PC_SAFE;
	irb_reg(g->b, r)->ptype = type_strip(scope_find(&g->c->kernel, TAG_STRUCT, "iphdr"));
	return r;
}

static const struct subr subrs[] = {
	/* name        returns     takes                  min max  string           emit */
	{"htons",      "uint16_t", {"uint16_t"},          1, 1, SUBR_NOT_STR,    emit_swap16, false},
	{"ntohs",      "uint16_t", {"uint16_t"},          1, 1, SUBR_NOT_STR,    emit_swap16, false},
	{"htonl",      "uint32_t", {"uint32_t"},          1, 1, SUBR_NOT_STR,    emit_swap32, false},
	{"ntohl",      "uint32_t", {"uint32_t"},          1, 1, SUBR_NOT_STR,    emit_swap32, false},
	{"htonll",     "uint64_t", {"uint64_t"},          1, 1, SUBR_NOT_STR,    emit_swap64, false},
	{"ntohll",     "uint64_t", {"uint64_t"},          1, 1, SUBR_NOT_STR,    emit_swap64, false},
	{"strlen",     "size_t",   {"string"},            1, 1, SUBR_NOT_STR,    emit_strlen, false},
	{"strjoin",    "string",   {"string", "string"},  2, 2, SUBR_STRJOIN,    NULL,        false},
	{"lltostr",    "string",   {"int64_t", "int"},    1, 2, SUBR_LLTOSTR,    NULL,        false},
	{"inet_ntoa",  "string",   {"ptr"},               1, 1, SUBR_INET_NTOA,  NULL,        false},
	{"inet_ntoa6", "string",   {"ptr"},               1, 1, SUBR_INET_NTOA6, NULL,        false},
	{"inet_ntop",  "string",   {"int", "ptr"},        2, 2, SUBR_INET_NTOP,  NULL,        false},
	{"__enum_string", "string", {"string", "string", "int"}, 3, 3, SUBR_ENUM, NULL,       true},
	{"__ip_header", "ptr",     {"ptr", "int"},        1, 2, SUBR_NOT_STR,    emit_ip_header, true},
};

const struct subr *subr_find(const char *name)
{
	for (size_t i = 0; i < sizeof(subrs) / sizeof(*subrs); i++)
		if (!strcmp(subrs[i].name, name))
			return &subrs[i];
	return NULL;
}
