/*
 * pcap.c - pcap(), and the action __capture() of -x capture. They record the bytes of a packet, and
 * notes from the probe's arguments, such as the process or the interface.
 *
 * translators/net.d computes in D where the bytes begin and how many there are.
 */
#include "compiler/builtins/pcap.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/xalloc.h"
#include "compiler/code/clause.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"
#include "providers/kernel.h"

#define NONSENSE (1 << 20) /* a length that is wrong: no packet has so many bytes in one piece */

/*
 * Indexes of the call's arguments after pcap_check(): the user's arguments, then values that are
 * computed from the user's arguments, then the notes.
 */
enum { SKB, LINK, AT, THERE, WIRE, TYPE, TIME, NOTES, NARG = NOTES + PACKET_NNOTE };

/*
 * The sources of the notes: member @member of the probe's argument that points to a struct @type.
 */
static const struct note {
	const char *type, *member;
} notes[] = {
	[PACKET_PID] = {"csinfo", "cs_pid"},
	[PACKET_NAME] = {"csinfo", "cs_execname"},
	[PACKET_USER] = {"csinfo", "cs_user"},
	[PACKET_CGROUP] = {"csinfo", "cs_cgroup_path"},
	[PACKET_CONTAINER] = {"csinfo", "cs_container"},
	[PACKET_NETNS] = {"csinfo", "cs_netns_name"},
	[PACKET_IFACE] = {"ifinfo", "if_name"},
	[PACKET_REASON] = {"dropinfo", "drop_reason"},
};

static struct expr *node(struct compiler *c, const struct expr *call, enum expr_kind kind,
			 const char *name)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = kind,
			   .loc = call->loc,
			   .lib = true,
			   .name = intern(&c->names->intern, name)};
	return e;
}

static struct expr *number(struct compiler *c, const struct expr *call, int v)
{
	struct expr *e = node(c, call, E_INT, "");

	e->ival = (uint64_t)(int64_t)v;
	e->type = &type_int;
	return e;
}

/* Returns the expression (struct sk_buff *)skb, in which skb is the first argument of @call. */
static struct expr *as_skb(struct compiler *c, const struct expr *call)
{
	struct expr *e = node(c, call, E_CAST, "");
	struct type *skb = kernel_struct(&c->names->lib, KS_SK_BUFF);

	if (!skb)
		BUG("there is no struct sk_buff");
	e->ctype = type_ptr(c->arena, skb);
	e->a = expr_clone(c->arena, call->arg[SKB]);
	return e;
}

/*
 * Returns the expression name[(struct sk_buff *)skb, link], in which skb and link are the arguments
 * of @call.
 */
static struct expr *inline_of(struct compiler *c, const struct expr *call, const char *name)
{
	struct expr *e = node(c, call, E_INDEX, name);

	e->a = node(c, call, E_IDENT, name);
	e->narg = 2;
	e->arg = arena_newn(c->arena, struct expr *, 2);
	e->arg[0] = as_skb(c, call);
	e->arg[1] = expr_clone(c->arena, call->arg[LINK]);
	return e;
}

/* Returns the index of the probe's argument that points to struct @tag, or -1 if there is none. */
static int argument_of(const struct probe *p, const char *tag)
{
	for (uint32_t i = 0; i < probe_nargs(p); i++) {
		struct type *t = type_strip(probe_arg_type(p, i));

		if (t->kind != T_PTR)
			continue;
		t = type_strip(t->to);
		if (t->kind == T_STRUCT && t->name && !strcmp(t->name, tag))
			return (int)i;
	}
	return -1;
}

/* Returns the expression args[@i]->member. */
static struct expr *member_of(struct compiler *c, const struct expr *call, int i,
			      const char *member)
{
	struct expr *args = node(c, call, E_INDEX, "args"), *e = node(c, call, E_MEMBER, member);

	args->a = node(c, call, E_IDENT, "args");
	args->narg = 1;
	args->arg = arena_newn(c->arena, struct expr *, 1);
	args->arg[0] = number(c, call, i);
	e->arrow = true;
	e->a = args;
	return e;
}

/*
 * Finds the argument i that points to struct @tag, and returns the expression args[i]->member with
 * its type set. Returns NULL if there is no such argument, or if the number i differs between the
 * probes.
 */
static struct expr *told(struct compiler *c, const struct expr *call, const char *tag,
			 const char *member)
{
	struct attempt a;
	int i = c->typing->nprobe ? argument_of(c->typing->probe[0], tag) : -1, bad;
	struct expr *e;

	if (i < 0)
		return NULL;
	e = member_of(c, call, i, member);
	attempt_begin(&a, c);
	bad = sema_expr(&a.c, e);
	if (!bad)
		attempt_keep(&a, c);
	attempt_end(&a);
	return bad ? NULL : e;
}

static void add_notes(struct compiler *c, const struct expr *call, struct expr **arg)
{
	for (unsigned i = 0; i < PACKET_NNOTE; i++) {
		arg[i] = told(c, call, notes[i].type, notes[i].member);
		if (!arg[i]) {
			arg[i] = number(c, call, -1);
			sema_expr(c, arg[i]);
		}
	}
}

static int check_link(struct compiler *c, struct expr *call)
{
	struct expr *link = call->arg[LINK];

	if (sema_expr(c, link))
		return -1;
	return type_is_integer(link->type) ? 0 : sema_bad_arg(c, call, LINK, "int");
}

static struct type *slot_type(struct compiler *c)
{
	struct type *byte = arena_new(c->arena, struct type);

	*byte = type_uchar;
	byte->is_char = false;
	byte->ptr_to_me = NULL;
	return type_array(c->arena, byte, (uint32_t)sizeof(struct packet_slot) + c->opt->pcapsize);
}

int pcap_check(struct compiler *c, struct expr *call)
{
	struct expr **arg = arena_newn(c->arena, struct expr *, NARG);

	if (sema_nargs(c, call, 2, 2, D_PROTO_LEN))
		return -1;
	arg[SKB] = call->arg[SKB];
	arg[LINK] = call->arg[LINK];
	arg[AT] = inline_of(c, call, "__pcap_at");
	arg[THERE] = inline_of(c, call, "__pcap_there");
	arg[WIRE] = inline_of(c, call, "__pcap_wire");
	arg[TYPE] = inline_of(c, call, "__pcap_link");
	arg[TIME] = node(c, call, E_IDENT, "walltimestamp");
	if (sema_expr(c, arg[SKB]))
		return -1;
	if (!type_is(arg[SKB]->type, T_PTR) && !type_is_integer(arg[SKB]->type))
		return sema_bad_arg(c, call, SKB, "void *");
	if (check_link(c, call))
		return -1;
	for (int i = AT; i < NOTES; i++)
		if (sema_expr(c, arg[i]))
			return -1;
	add_notes(c, call, arg + NOTES);
	call->arg = arg;
	call->narg = NARG;
	call->type = slot_type(c);
	return 0;
}

void pcap_emit(struct fire *g, const struct expr *call, struct action_info *out)
{
	record_arg(g, out, call);
	for (unsigned i = NOTES; i < NARG; i++)
		record_arg(g, out, call->arg[i]);
}

/*
 * Checks __capture(), which -x capture inserts into clauses, and replaces it by
 * pcap(args[i]->pkt_addr, PCAP_IP). args[i] is the argument that points to a struct pktinfo. If the
 * probe has no such argument, records an error, and the compiler then leaves __capture() out.
 */
int capture_check(struct compiler *c, struct expr *call)
{
	struct expr *packet = told(c, call, "pktinfo", "pkt_addr");

	if (!packet)
		return diag_error(c->d, D_UNSUPPORTED, call->loc, "no packet to capture");
	call->narg = 2;
	call->arg = arena_newn(c->arena, struct expr *, 2);
	call->arg[SKB] = packet;
	call->arg[LINK] = node(c, call, E_IDENT, "PCAP_IP");
	return pcap_check(c, call);
}

/* Returns @n limited to @max, or 0 if @n is larger than any packet. */
static int bounded(struct irb *b, int n, uint32_t max)
{
	int v = irb_var(b), wrong = irb_block(b, "no length"), right = irb_block(b, "length");
	int cut = irb_block(b, "cut"), end = irb_block(b, "bounded");

	irb_assign(b, v, n);
	irb_bri(b, CC_UGT, n, NONSENSE, wrong, right);
	irb_place(b, wrong);
	irb_assign_imm(b, v, 0);
	irb_jmp(b, end);
	irb_place(b, right);
	irb_bri(b, CC_UGT, n, max, cut, end);
	irb_place(b, cut);
	irb_assign_imm(b, v, max);
	irb_jmp(b, end);
	irb_place(b, end);
	return v;
}

void pcap_write(struct fire *g, const struct expr *call, struct dest d)
{
	struct irb *b = g->b;
	int32_t off = d.off;
	int at = irb_scalar(b, gen(g, call->arg[AT])), there = gen(g, call->arg[THERE]);
	int n = bounded(b, there, d.size - (uint32_t)sizeof(struct packet_slot)), r;
	int none = irb_block(b, "not readable"), end = irb_block(b, "packet");

	irb_store(b, d.base, off + (int32_t)offsetof(struct packet_slot, time), 8,
		  gen(g, call->arg[TIME]));
	irb_store(b, d.base, off + (int32_t)offsetof(struct packet_slot, wire), 4,
		  gen(g, call->arg[WIRE]));
	irb_store(b, d.base, off + (int32_t)offsetof(struct packet_slot, link), 4,
		  gen(g, call->arg[TYPE]));
	irb_store(b, d.base, off + (int32_t)offsetof(struct packet_slot, len), 4, n);
	r = irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		     (struct ir_arg[]){{ARG_REG,
					irb_addr(b, d.base,
						 off + (int32_t)sizeof(struct packet_slot)),
					0},
				       {ARG_REG, n, 0},
				       {ARG_REG, at, 0}});
	irb_bri(b, CC_EQ, r, 0, end, none);
	irb_place(b, none);
	irb_storei(b, d.base, off + (int32_t)offsetof(struct packet_slot, len), 4, 0);
	irb_jmp(b, end);
	irb_place(b, end);
}
