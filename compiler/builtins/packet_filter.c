/*
 * packet_filter.c - tests packets with the expression of -x filter; see packet_filter.h.
 *
 * The expression becomes one function in each unit (the eBPF program of one hook), which all probes
 * of the unit call. For most packets, one copy of their first bytes is enough for the test. The
 * other bytes of a packet may be in pages (skb_shared_info), or in further buffers that are linked
 * to the first one:
 *
 *   sk_buff:  head ... data [linear part] tail ... end [skb_shared_info: frags, frag_list]
 *                                                        |              |
 *                                                        pages          next sk_buff, with parts
 *                                                                       of the same kinds
 *
 * At cgroup_skb hooks, the kernel copies bytes outside of the linear part (bpf_skb_load_bytes()).
 * At other hooks, the code follows the pointers. The address of a page is computed from two
 * variables of the kernel. If the kernel hides these variables (without CONFIG_KALLSYMS_ALL), bytes
 * in pages count as unreadable at these other hooks.
 */
#include "compiler/builtins/packet_filter.h"

#include <stddef.h>

#include "base/arena.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/options.h"
#include "ir/classic.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/types/type.h"
#include "providers/kernel.h"
#include "providers/provider.h"

#define MOST_PAGES 64 /* the kernel's limit, CONFIG_MAX_SKB_FRAGS, is 17 to 45 */
/* maximum number of buffers in a list; a datagram of 64 KB in fragments of 1,480 bytes has 45 */
#define MOST_BUFFERS 64
#define PAGE_BITS 12

/*
 * The layout of an entry of skb_shared_info.frags: a struct skb_frag, or before Linux 6.9 a struct
 * bio_vec with the same layout. An entry describes bytes in one page.
 */
enum { FRAG_PAGE = 0, FRAG_LEN = 8, FRAG_OFF = 12, FRAG_SIZE = 16, FRAG_NO_MEMORY = 1 };

/* Indexes of the parameters of the filter function. */
enum { P_AT, P_LINEAR, P_LEN, P_PACKET, NPARAM };

static uint32_t offset(const struct routines *all, enum kernel_member m)
{
	return kernel_offset(&all->c->names->kernel, m);
}

static int read_member(struct irb *b, const struct routines *all, int base, enum kernel_member m,
		       unsigned size)
{
	return irb_read(b, base, (int32_t)offset(all, m), size, false, NOBLOCK);
}

/* Returns a register with the address of the skb_shared_info of buffer @skb. */
static int shared_info(struct irb *b, const struct routines *all, int skb)
{
	int head = read_member(b, all, skb, KM_SKB_HEAD, 8);
	int end = read_member(b, all, skb, KM_SKB_END, 4);

	return irb_bin(b, IR_ADD, head, end);
}

/* Calls routine @r, whose two parameters are numbers. */
static int call_two(struct irb *b, struct routines *all, const struct routine *r, int x, int y)
{
	return call_routine(b, all, r, 0, 2, (struct ir_arg[]){{ARG_REG, x, 0}, {ARG_REG, y, 0}});
}

/* ----------------------------------------------------------------- bytes in pages */

/* Values to compute the address of a page. */
struct page_map {
	/* addresses of the kernel's variables page_offset_base and vmemmap_base */
	uint64_t memory, pages;
	uint32_t page_size; /* size of a struct page in bytes */
};

/*
 * Fills in @m. Returns false if this kernel hides or lacks the two variables. Only x86-64 has them.
 */
static bool find_pages(const struct compiler *c, struct page_map *m)
{
	struct type *page = kernel_struct(&c->names->kernel, KS_PAGE);
	uint64_t size;

	if (!c->opt->symbol || !page || !page->size)
		return false;
	m->page_size = page->size;
	return c->opt->symbol("", "page_offset_base", &m->memory, &size) == SYMBOL_FOUND &&
	       c->opt->symbol("", "vmemmap_base", &m->pages, &size) == SYMBOL_FOUND;
}

/* Returns a register with the address of byte @off in the memory of struct page @page. */
static int page_address(struct irb *b, const struct page_map *m, int page, int off)
{
	int first = irb_read(b, irb_const(b, (int64_t)m->pages), 0, 8, false, NOBLOCK);
	int memory = irb_read(b, irb_const(b, (int64_t)m->memory), 0, 8, false, NOBLOCK);
	int number = irb_bini(b, IR_DIV, irb_bin(b, IR_SUB, page, first), m->page_size);

	memory = irb_bin(b, IR_ADD, memory, irb_bini(b, IR_SHL, number, PAGE_BITS));
	return irb_bin(b, IR_ADD, memory, off);
}

/*
 * Generates a function with the parameters (skb, off). The function searches the pages of buffer
 * skb for the byte at offset "off" after the linear part. It returns the byte's address, which is
 * negative like all addresses of the kernel. If the pages end before that byte, it returns 1 + the
 * distance from their end to the byte. It returns 0 if the address is unknown.
 */
static void gen_in_pages(struct irb *b, struct routines *all, uint32_t with)
{
	int skb = irb_param(b, 0), off = irb_param(b, 1), info, npage, result, rest, frag, at, len,
	    page;
	int more = irb_block(b, "page"), behind = irb_block(b, "behind"),
	    here = irb_block(b, "here");
	int next = irb_block(b, "next page"), memory = irb_block(b, "memory");
	struct page_map m = {0};
	struct irb_loop l;

	(void)with;
	find_pages(all->c, &m);
	info = shared_info(b, all, skb);
	npage = read_member(b, all, info, KM_SHARED_NFRAG, 1);
	result = irb_var(b);
	rest = irb_var(b);
	irb_assign_imm(b, result, 0);
	irb_assign(b, rest, off);
	irb_loop(b, &l, MOST_PAGES, 1);
	irb_br(b, CC_UGE, l.i, npage, behind, more);
	irb_place(b, behind);
	irb_assign(b, result, irb_bini(b, IR_ADD, irb_value(b, rest), 1));
	irb_jmp(b, l.done);
	irb_place(b, more);
	frag = irb_bin(b, IR_ADD, info, irb_bini(b, IR_MUL, irb_value(b, l.i), FRAG_SIZE));
	frag = irb_bini(b, IR_ADD, frag, (int64_t)offset(all, KM_SHARED_FRAGS));
	len = irb_read(b, frag, FRAG_LEN, 4, false, NOBLOCK);
	irb_br(b, CC_ULT, rest, len, here, next);
	irb_place(b, here);
	page = irb_read(b, frag, FRAG_PAGE, 8, false, NOBLOCK);
	irb_bri(b, CC_BITS, page, FRAG_NO_MEMORY, l.done, memory);
	irb_place(b, memory);
	at = irb_read(b, frag, FRAG_OFF, 4, false, NOBLOCK);
	at = irb_bin(b, IR_ADD, at, irb_value(b, rest));
	irb_assign(b, result, page_address(b, &m, page, at));
	irb_jmp(b, l.done);
	irb_place(b, next);
	irb_update(b, IR_SUB, rest, len);
	irb_loop_end(b, &l);
	irb_ret_reg(b, irb_value(b, result));
}

static uint32_t two_numbers(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	(void)with, (void)size;
	return 2;
}

static const struct routine in_pages = {"packet page", gen_in_pages, two_numbers};

/*
 * Generates a function with the parameters (skb, off). It returns the address of byte off after the
 * linear part, or 0 if the address is unknown.
 */
static void gen_behind(struct irb *b, struct routines *all, uint32_t with)
{
	int skb = irb_param(b, 0), off = irb_param(b, 1), at, info, other, rest, result, len, own;
	int paged = irb_block(b, "in a page"), list = irb_block(b, "behind the pages");
	int buffer = irb_block(b, "buffer"), in = irb_block(b, "in it"),
	    next = irb_block(b, "next");
	int near = irb_block(b, "linear"), away = irb_block(b, "its pages");
	struct irb_loop l;

	(void)with;
	at = call_two(b, all, &in_pages, skb, off);
	irb_bri(b, CC_SLE, at, 0, paged, list);
	irb_place(b, paged);
	irb_ret_reg(b, at);
	irb_place(b, list);
	info = shared_info(b, all, skb);
	other = irb_var(b);
	rest = irb_var(b);
	result = irb_var(b);
	irb_assign(b, other, read_member(b, all, info, KM_SHARED_LIST, 8));
	irb_assign(b, rest, irb_bini(b, IR_SUB, at, 1));
	irb_assign_imm(b, result, 0);
	irb_loop(b, &l, MOST_BUFFERS, 1);
	irb_bri(b, CC_EQ, other, 0, l.done, buffer);
	irb_place(b, buffer);
	len = read_member(b, all, irb_value(b, other), KM_SKB_LEN, 4);
	irb_br(b, CC_ULT, rest, len, in, next);
	irb_place(b, in);
	own = irb_bin(b, IR_SUB, len, read_member(b, all, irb_value(b, other), KM_SKB_DATA_LEN, 4));
	irb_br(b, CC_SLT, rest, own, near, away);
	irb_place(b, near);
	at = read_member(b, all, irb_value(b, other), KM_SKB_DATA, 8);
	irb_assign(b, result, irb_bin(b, IR_ADD, at, irb_value(b, rest)));
	irb_jmp(b, l.done);
	irb_place(b, away);
	at = irb_bin(b, IR_SUB, irb_value(b, rest), own);
	irb_assign(b, result, call_two(b, all, &in_pages, irb_value(b, other), at));
	irb_jmp(b, l.done);
	irb_place(b, next);
	irb_update(b, IR_SUB, rest, len);
	irb_assign(b, other, read_member(b, all, irb_value(b, other), KM_SKB_NEXT, 8));
	irb_loop_end(b, &l);
	irb_ret_reg(b, irb_value(b, result));
}

static const struct routine behind_linear = {"packet behind", gen_behind, two_numbers};

/* The last parameter of copy_bytes has two numbers: offset << N_BITS | number of bytes. */
#define N_BITS 8

/*
 * Generates a function with the parameters (to, at, linear, skb, off << N_BITS | n). It copies the
 * n bytes (at most @with) at offset off of the packet to the address in parameter to. It returns 0,
 * or another number if a byte cannot be read.
 */
static void gen_copy(struct irb *b, struct routines *all, uint32_t with)
{
	int to = irb_param(b, 0), at = irb_param(b, 1), linear = irb_param(b, 2);
	int skb = irb_param(b, 3), which = irb_param(b, 4), n, off, from, where, bad, c;
	int more = irb_block(b, "byte"), near = irb_block(b, "linear"),
	    away = irb_block(b, "behind");
	int found = irb_block(b, "found"), good = irb_block(b, "known"),
	    wrong = irb_block(b, "bad");
	struct irb_loop l;

	n = irb_bini(b, IR_AND, which, (1 << N_BITS) - 1);
	off = irb_bini(b, IR_SHR, which, N_BITS);
	where = irb_var(b);
	bad = irb_var(b);
	irb_assign_imm(b, where, 0);
	irb_assign_imm(b, bad, 0);
	irb_loop(b, &l, with, 1);
	irb_br(b, CC_UGE, l.i, n, l.done, more);
	irb_place(b, more);
	from = irb_bin(b, IR_ADD, off, irb_value(b, l.i));
	irb_br(b, CC_SLT, from, linear, near, away);
	irb_place(b, near);
	irb_assign(b, where, irb_bin(b, IR_ADD, at, from));
	irb_jmp(b, found);
	irb_place(b, away);
	irb_assign(b, where,
		   call_two(b, all, &behind_linear, skb, irb_bin(b, IR_SUB, from, linear)));
	irb_jmp(b, found);
	irb_place(b, found);
	irb_bri(b, CC_EQ, where, 0, wrong, good);
	irb_place(b, good);
	c = irb_read(b, irb_value(b, where), 0, 1, false, wrong);
	irb_store(b, irb_bin(b, IR_ADD, to, irb_value(b, l.i)), 0, 1, c);
	irb_jmp(b, l.next);
	irb_place(b, wrong);
	irb_assign_imm(b, bad, 1);
	irb_jmp(b, l.done);
	irb_loop_end(b, &l);
	irb_ret_reg(b, irb_value(b, bad));
}

static uint32_t copy_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	size[0] = with;
	return 5;
}

static const struct routine copy_bytes = {"packet bytes", gen_copy, copy_params};

/* ------------------------------------------------------------------- the filter */

/*
 * Ways to read bytes outside of the linear part: by a helper with the program's context, by
 * following the pointers to pages, or not at all.
 */
enum reach { REACH_CONTEXT, REACH_PAGES, REACH_NOTHING };

struct filter {
	struct routines *all;
	enum reach reach;
	int param[NPARAM];
};

static void no_bytes(struct irb *b, int r, int lost)
{
	int good = irb_block(b, "read");

	irb_bri(b, CC_EQ, r, 0, good, lost);
	irb_place(b, good);
}

static void load_far(void *ctx, struct irb *b, int32_t slot, int off, int n, uint32_t max, int lost)
{
	const struct filter *f = ctx;
	const int *p = f->param;
	int which, dead = irb_cold_block(b, "not readable");

	switch (f->reach) {
	case REACH_CONTEXT:
		no_bytes(b,
			 irb_call(b, IR_CALL, HELPER_skb_load_bytes, 4,
				  (struct ir_arg[]){{ARG_REG, p[P_PACKET], 0},
						    {ARG_REG, off, 0},
						    {ARG_FRAME, 0, slot},
						    {ARG_REG, n, 0}}),
			 lost);
		return;
	case REACH_PAGES:
		which = irb_bin(b, IR_OR, irb_bini(b, IR_SHL, off, N_BITS), n);
		no_bytes(b,
			 call_routine(b, f->all, &copy_bytes, (max + 7) & ~7u, 5,
				      (struct ir_arg[]){{ARG_FRAME, 0, slot},
							{ARG_REG, p[P_AT], 0},
							{ARG_REG, p[P_LINEAR], 0},
							{ARG_REG, p[P_PACKET], 0},
							{ARG_REG, which, 0}}),
			 lost);
		return;
	case REACH_NOTHING:
		irb_jmp(b, lost);
		irb_place(b, dead);
	}
}

static void gen_filter(struct irb *b, struct routines *all, uint32_t with)
{
	struct filter f = {.all = all, .reach = (enum reach)with};
	struct classic_packet packet = {.far = load_far, .ctx = &f};

	for (int i = 0; i < NPARAM; i++)
		f.param[i] = irb_param(b, (unsigned)i);
	packet.at = f.param[P_AT];
	packet.linear = f.param[P_LINEAR];
	packet.len = packet.wire = f.param[P_LEN];
	classic_gen(b, all->c->opt->packet_filter, &packet);
}

static uint32_t filter_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	(void)with, (void)size;
	return NPARAM;
}

static const struct routine filter = {"packet filter", gen_filter, filter_params};
/*
 * The member params is NULL, so the verifier checks this function anew at each call. This is
 * necessary, because the function passes the program's context to a helper.
 */
static const struct routine filter_in_context = {"packet filter", gen_filter, NULL};

/*
 * Makes a number of a pointer by negating the pointer twice. irb_scalar() only negates registers
 * that are marked as pointers. A hook argument that may be NULL is not marked, but old verifiers
 * treat it as a pointer.
 */
static int as_number(struct irb *b, int x)
{
	return irb_neg(b, irb_neg(b, x));
}

int emit_passes(struct fire *g, struct expr **arg, uint32_t narg)
{
	struct page_map m;
	enum reach reach = g->u->hook->kind == HOOK_CGROUP_SKB ? REACH_CONTEXT
			   : find_pages(g->c, &m)              ? REACH_PAGES
							       : REACH_NOTHING;
	struct ir_arg a[NPARAM];

	for (uint32_t i = 0; i < narg; i++)
		a[i] = (struct ir_arg){ARG_REG, as_number(g->b, gen(g, arg[i])), 0};
	if (reach == REACH_CONTEXT)
		a[P_PACKET].reg = irb_ctx(g->b);
	return gen_routine(g, reach == REACH_CONTEXT ? &filter_in_context : &filter, reach, NPARAM,
			   a);
}
