/*
 * expand.c - expands semantic operations (such as an update of an aggregation) into calls, loads
 * and branches.
 *
 * Copies a function instruction by instruction. Registers and blocks keep their numbers; new ones
 * get the numbers after these.
 */

#include "base/xalloc.h"
#include "ir/agg_table.h"
#include "ir/agg_update.h"
#include "ir/area.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/table.h"

#define BPF_NOEXIST 1

/* The stack slots for the copy of the header of one packet. */
struct header_copy {
	int skb;     /* register with the sk_buff */
	bool tagged; /* the header may follow VLAN tags */
	int32_t dynptr, buf;
};

struct expand {
	struct irb b;
	const struct program *p;
	const struct ir_target *t;
	uint32_t zeros_off;
	struct ir_unit *u;
	int *update_count; /* for each aggregation, the number of its updates in the unit */
	/*
	 * for each aggregation, the index of the function that inserts a key; 0 if there is none
	 * yet
	 */
	int *insert_func;
	const struct ir_func *from; /* the function and the block that are being expanded */
	int block;
	struct ir_lookups lookups;
	/* register with the address of this CPU's value; NOREG while it is not looked up */
	int percpu;
	bool area; /* set when IR_AREA was reached; the area itself may be looked up later */
	/*
	 * variable with the address of the word that marks the claimed area; 0 if no area is
	 * claimed
	 */
	int claimed;
	VEC(struct header_copy) header_copy;
};

static struct ir_arg arg_frame(int32_t off)
{
	return (struct ir_arg){ARG_FRAME, 0, off};
}

static struct ir_arg arg_map(int64_t map)
{
	return (struct ir_arg){ARG_MAP, 0, map};
}

#define CALL(b, helper, ...) \
	irb_call(b, IR_CALL, HELPER_##helper, \
		 sizeof((struct ir_arg[]){__VA_ARGS__}) / sizeof(struct ir_arg), \
		 (struct ir_arg[]){__VA_ARGS__})

/*
 * Appends a copy of @in. The arguments are copied too, because later passes change them in place.
 */
static void append_raw(struct expand *x, const struct ir_insn *in)
{
	struct ir_insn copy = *in;

	if (in->narg)
		copy.arg = arena_memdup(x->b.arena, in->arg, in->narg * sizeof(*in->arg));
	irb_append(&x->b, &copy);
}

/*
 * Emits dst = reg. So other code finds the result of an expansion in the register that it expects.
 */
static void move_to(struct expand *x, int dst, int reg)
{
	struct ir_insn mov = {.op = IR_MOV, .dst = dst, .a = reg};

	append_raw(x, &mov);
}

/* Emits a call whose result is put into register @dst. @dst is NOREG if the call has no result. */
static void call_to(struct expand *x, int dst, enum ir_op op, int func, unsigned narg,
		    const struct ir_arg *arg)
{
	struct ir_insn in = {.op = op,
			     .dst = dst,
			     .imm = func,
			     .narg = (uint8_t)narg,
			     .arg = arena_memdup(x->b.arena, arg, narg * sizeof(*arg))};

	append_raw(x, &in);
}

static void cast_to(struct expand *x, int dst, int p, int64_t btf_id)
{
	call_to(x, dst, IR_KCALL, x->t->kfunc_cast, 2,
		(struct ir_arg[]){arg_reg(p), arg_imm(btf_id)});
}

/* Emits a jump to @zero if @reg is 0, else to @then. */
static void branch_zero(struct expand *x, int reg, int then, int zero)
{
	irb_bri(&x->b, CC_EQ, reg, 0, zero, then);
}

static int address(struct expand *x, int base, int32_t off)
{
	return irb_addr(&x->b, base, off);
}

/* Emits a lookup of this CPU's value. Returns a register with its address, which may be NULL. */
static int look_up_percpu(struct expand *x)
{
	struct irb *b = &x->b;
	int32_t mark = irb_frame_mark(b), key = irb_frame(b, 4);
	int p;

	irb_storei(b, FRAME, key, 4, 0);
	p = CALL(b, map_lookup_elem, arg_map(MAP_ID_PERCPU), arg_frame(key));
	irb_frame_release(b, mark);
	return p;
}

/* Returns whether this CPU's value was looked up on every path to the current instruction. */
static bool has_percpu(const struct expand *x)
{
	return x->percpu && (x->t->replay || ir_dominates(x->from, x->lookups.percpu, x->block));
}

/*
 * Adds 1 to the counter at offset @off of struct percpu. Counted events are rare, so it does not
 * matter that this may need a separate lookup.
 */
static void count_event(struct expand *x, size_t off)
{
	struct irb *b = &x->b;
	int found, done, p;

	if (has_percpu(x)) {
		irb_atomic_add(b, x->percpu, (int32_t)off, irb_const(b, 1));
		return;
	}
	found = irb_cold_block(b, "count");
	done = irb_cold_block(b, "counted");
	p = look_up_percpu(x);
	branch_zero(x, p, found, done);
	irb_place(b, found);
	irb_atomic_add(b, p, (int32_t)off, irb_const(b, 1));
	irb_jmp(b, done);
	irb_place(b, done);
}

static void expand_copy(struct expand *x, const struct ir_insn *in)
{
	struct irb *b = &x->b;
	struct ir_arg dst = in->b == FRAME ? arg_frame(in->boff)
					   : arg_reg(address(x, in->b, in->boff));
	int src = address(x, in->a, in->off), r, next;
	bool str = in->op == IR_COPYSTR;

	r = str ? CALL(b, probe_read_kernel_str, dst, arg_imm(in->imm), arg_reg(src))
		: CALL(b, probe_read_kernel, dst, arg_imm(in->imm), arg_reg(src));
	if (!in->t)
		return;
	next = irb_block(b, "read");
	irb_bri(b, str ? CC_SLT : CC_NE, r, 0, in->t, next);
	irb_place(b, next);
}

static void expand_read(struct expand *x, const struct ir_insn *in)
{
	struct ir_insn copy = {.op = IR_COPY,
			       .a = in->a,
			       .off = in->off,
			       .b = FRAME,
			       .imm = in->size,
			       .t = in->t};
	struct ir_insn load = {.op = IR_LOADV,
			       .dst = in->dst,
			       .a = FRAME,
			       .size = in->size,
			       .sgn = in->sgn};
	int32_t mark = irb_frame_mark(&x->b);

	copy.boff = load.off = irb_frame(&x->b, 8);
	expand_copy(x, &copy);
	append_raw(x, &load);
	irb_frame_release(&x->b, mark);
}

/* Returns a register with the IP version in the first byte of the header at register @p. */
static int header_version(struct expand *x, int p)
{
	struct irb *b = &x->b;

	int32_t mark, byte;
	int v;

	if (x->t->rdonly_cast) {
		p = irb_call(b, IR_KCALL, x->t->kfunc_cast, 2,
			     (struct ir_arg[]){arg_reg(p), arg_imm(x->t->iphdr_btf_id)});
		return irb_bini(b, IR_SHR, irb_load(b, p, 0, 1, false), 4);
	}
	mark = irb_frame_mark(b);
	byte = irb_frame(b, 8);
	CALL(b, probe_read_kernel, arg_frame(byte), arg_imm(1), arg_reg(p));
	v = irb_bini(b, IR_SHR, irb_loadv(b, FRAME, byte, 1, false), 4);
	irb_frame_release(b, mark);
	return v;
}

/*
 * If the header at @reg has version 4, assigns @reg to variable @p and jumps to @done, else jumps
 * to @other.
 */
static void accept_if_v4(struct expand *x, int p, int reg, int done, int other)
{
	struct irb *b = &x->b;
	int yes = irb_cold_block(b, "version 4");

	irb_bri(b, CC_EQ, header_version(x, reg), 4, yes, other);
	irb_place(b, yes);
	irb_assign(b, p, reg);
	irb_jmp(b, done);
}

/* The state of the search for an IP header. */
struct header {
	int skb, data; /* registers with the sk_buff and the address of its data */
	/*
	 * register with the size in bytes of the VLAN tags before the header; NOREG if none may
	 * precede it
	 */
	int skip;
	/*
	 * registers with the number of bytes from the header on, in total and in the linear part;
	 * both are signed
	 */
	int len, linear;
	int p;    /* variable for the result */
	int done; /* block that continues after the search */
};

static int slice(struct expand *x, const struct header *h, int32_t dynptr, int32_t buf, int64_t len)
{
	struct ir_arg off = h->skip == NOREG ? arg_imm(0) : arg_reg(h->skip);

	return irb_call(&x->b, IR_KCALL, x->t->kfunc_dynptr_slice, 4,
			(struct ir_arg[]){arg_frame(dynptr), off, arg_frame(buf), arg_imm(len)});
}

#define IP4_HDR 20
#define IP6_HDR 40

/* Returns the first instruction that sets @reg, or NULL. */
static const struct ir_insn *find_definition(const struct ir_func *f, int reg)
{
	for (size_t i = 0; i < f->block.n; i++)
		for (size_t k = 0; k < f->block.v[i]->insn.n; k++)
			if (f->block.v[i]->insn.v[k].dst == reg)
				return &f->block.v[i]->insn.v[k];
	return NULL;
}

/*
 * Returns the offset of the word of the context that was loaded into @reg, or -1 if @reg was not
 * loaded from the context.
 */
static int32_t context_offset(struct expand *x, int reg)
{
	const struct ir_insn *in = find_definition(x->b.f, reg),
			     *ctx = in && in->op == IR_LOAD ? find_definition(x->b.f, in->a) : NULL;

	return ctx && ctx->op == IR_CTX ? in->off : -1;
}

/*
 * Returns whether registers @a and @b have the same packet. Each probe of a hook loads the packet
 * from the context again, into another register.
 */
static bool same_packet(struct expand *x, int a, int b)
{
	int32_t off = context_offset(x, a);

	return a == b || (off >= 0 && off == context_offset(x, b));
}

static struct header_copy find_header_copy(struct expand *x, const struct header *h)
{
	struct header_copy c = {.skb = h->skb, .tagged = h->skip != NOREG};

	for (size_t i = 0; i < x->header_copy.n; i++)
		if (x->header_copy.v[i].tagged == c.tagged &&
		    same_packet(x, x->header_copy.v[i].skb, c.skb))
			return x->header_copy.v[i];
	c.dynptr = irb_frame(&x->b, 16);
	c.buf = irb_frame(&x->b, IP6_HDR);
	vec_apush(x->b.arena, &x->header_copy, c);
	return c;
}

/*
 * Asks the kernel for a copy of a header that is not in the linear part. Jumps to @lost if the
 * kernel provides no copy, and to @none if the packet is too short for a header of its version.
 */
static void slice_header(struct expand *x, const struct header *h, int lost, int none)
{
	struct irb *b = &x->b;
	struct header_copy c = find_header_copy(x, h);
	int first = irb_cold_block(b, "slice"), ok = irb_cold_block(b, "sliced");
	int second = irb_cold_block(b, "slice again"), ok4 = irb_cold_block(b, "sliced again"), r;

	r = irb_call(b, IR_KCALL, x->t->kfunc_dynptr_from_skb, 3,
		     (struct ir_arg[]){arg_reg(h->skb), arg_imm(0), arg_frame(c.dynptr)});
	branch_zero(x, r, lost, first);
	irb_place(b, first);
	r = slice(x, h, c.dynptr, c.buf, IP6_HDR);
	branch_zero(x, r, ok, second);
	irb_place(b, ok);
	irb_assign(b, h->p, r);
	irb_jmp(b, h->done);
	irb_place(b, second);
	r = slice(x, h, c.dynptr, c.buf, IP4_HDR);
	branch_zero(x, r, ok4, lost);
	irb_place(b, ok4);
	accept_if_v4(x, h->p, r, h->done, none);
}

/*
 * Finds the header if the linear part has fewer than IP6_HDR bytes from the header on. The header
 * may be a short IPv4 header, or may be in pages.
 */
static void find_nonlinear_header(struct expand *x, const struct header *h, int none)
{
	struct irb *b = &x->b;
	int small = irb_cold_block(b, "small"), longer = irb_cold_block(b, "longer");
	int paged = irb_cold_block(b, "paged"), pull = irb_cold_block(b, "pull");
	int lost = irb_cold_block(b, "unreadable");

	irb_bri(b, CC_SGE, h->linear, IP4_HDR, small, paged);
	irb_place(b, small);
	accept_if_v4(x, h->p, h->data, h->done, longer);
	irb_place(b, longer);
	irb_bri(b, CC_SGE, h->len, IP6_HDR, pull, none);
	irb_place(b, paged);
	irb_bri(b, CC_SGE, h->len, IP4_HDR, pull, none);
	irb_place(b, pull);
	if (x->t->skb_dynptr)
		slice_header(x, h, lost, none);
	else
		irb_jmp(b, lost);
	irb_place(b, lost);
	count_event(x, offsetof(struct percpu, unreadable));
	irb_jmp(b, none);
}

/* Returns a register with the 2 bytes at offset @off of the linear part. */
static int load_tag(struct expand *x, int data, int32_t off)
{
	struct irb *b = &x->b;
	int32_t mark = irb_frame_mark(b), at = irb_frame(b, 8);
	int v;

	if (x->t->rdonly_cast) {
		v = irb_call(b, IR_KCALL, x->t->kfunc_cast, 2,
			     (struct ir_arg[]){arg_reg(data), arg_imm(x->t->iphdr_btf_id)});
		v = irb_load(b, v, off, 2, false);
	} else {
		CALL(b, probe_read_kernel, arg_frame(at), arg_imm(2),
		     arg_reg(irb_bini(b, IR_ADD, data, off)));
		v = irb_loadv(b, FRAME, at, 2, false);
	}
	irb_frame_release(b, mark);
	return v;
}

/*
 * Jumps to @ip if protocol @proto is IPv4 or IPv6, to @tag if it is a VLAN tag, and else to @none.
 */
static void branch_protocol(struct expand *x, int proto, int ip, int tag, int none)
{
	static const uint16_t kinds[] = {0x0800, 0x86dd, 0x8100, 0x88a8};
	struct irb *b = &x->b;

	for (int i = 0; i < 4; i++) {
		int next = i == 3 ? none : irb_block(b, "other");

		irb_bri(b, CC_EQ, proto, __builtin_bswap16(kinds[i]), i < 2 ? ip : tag, next);
		if (next != none)
			irb_place(b, next);
	}
}

/*
 * Skips one or two VLAN tags in the frame before an IP header. Jumps to @none if there is no IP
 * header.
 */
static void skip_tags(struct expand *x, struct header *h, int none)
{
	struct irb *b = &x->b;
	int found = irb_block(b, "ip"), look = irb_cold_block(b, "tags");
	int tag[2] = {irb_cold_block(b, "tagged"), irb_cold_block(b, "tagged twice")};

	h->skip = irb_var(b);
	irb_assign_imm(b, h->skip, 0);
	branch_protocol(x, irb_load(b, h->skb, (int32_t)x->t->off_skb_protocol, 2, false), found,
			look, none);
	irb_place(b, look);
	irb_bri(b, CC_SGE, h->linear, 8, tag[0], none);
	for (int i = 0; i < 2; i++) {
		irb_place(b, tag[i]);
		irb_assign_imm(b, h->skip, 4 * (i + 1));
		branch_protocol(x, load_tag(x, h->data, 4 * i + 2), found, i ? none : tag[1], none);
	}
	irb_place(b, found);
	h->data = irb_bin(b, IR_ADD, h->data, h->skip);
	h->linear = irb_bin(b, IR_SUB, h->linear, h->skip);
	h->len = irb_bin(b, IR_SUB, h->len, h->skip);
}

/*
 * Emits dst = the address of the readable IP header of an skb, or 0. The header is usually in the
 * linear part, and one comparison shows whether it is. Senders of AF_PACKET and some drivers leave
 * the header in a page. Then a plain load from the linear part would read bytes of an earlier
 * packet.
 */
static void find_header(struct expand *x, const struct ir_insn *in, int data)
{
	struct irb *b = &x->b;
	int len = irb_load(b, in->a, (int32_t)x->t->off_skb_len, 4, false);
	int paged = irb_load(b, in->a, (int32_t)x->t->off_skb_data_len, 4, false);
	struct header h = {in->a,
			   data,
			   NOREG,
			   len,
			   irb_bin(b, IR_SUB, len, paged),
			   irb_var(b),
			   irb_block(b, "header")};
	int none = irb_cold_block(b, "no header");
	int here = irb_block(b, "linear"), away = irb_cold_block(b, "not wholly linear");

	if (in->imm)
		skip_tags(x, &h, none);
	irb_bri(b, CC_SGE, h.linear, IP6_HDR, here, away);
	irb_place(b, here);
	irb_assign(b, h.p, h.data);
	irb_jmp(b, h.done);
	irb_place(b, away);
	find_nonlinear_header(x, &h, none);
	irb_place(b, none);
	irb_assign_imm(b, h.p, 0);
	irb_jmp(b, h.done);
	irb_place(b, h.done);
	if (x->t->rdonly_cast)
		cast_to(x, in->dst, h.p, x->t->iphdr_btf_id);
	else
		move_to(x, in->dst, h.p);
}

static void expand_skbptr(struct expand *x, const struct ir_insn *in)
{
	int data = irb_load(&x->b, in->a, (int32_t)x->t->off_skb_data, 8, false);

	/*
	 * Replay needs no check of the header. If the header was not captured, replay marks the
	 * packet as no IP packet, so no code reads the header.
	 */
	if (x->t->replay)
		move_to(x, in->dst, data);
	else
		find_header(x, in, data);
}

static void expand_reserve(struct expand *x, const struct ir_insn *in)
{
	struct irb *b = &x->b;
	int next = irb_block(b, "record");

	call_to(x, in->dst, IR_CALL, HELPER_ringbuf_reserve, 3,
		(struct ir_arg[]){arg_map(MAP_ID_RING), arg_imm(in->imm), arg_imm(0)});
	branch_zero(x, in->dst, next, in->t);
	irb_place(b, next);
}

/* ----------------------------------------------------------------- scratch */

/*
 * Returns a register with the address of the first scratch area on this CPU. Jumps to @none if the
 * lookup fails.
 */
static int find_areas(struct expand *x, int none)
{
	const struct ir_area *a = &x->b.f->area;
	struct irb *b = &x->b;
	int32_t key;
	int p, found;

	if (a->map == MAP_ID_PERCPU)
		return address(x, x->percpu, (int32_t)a->off);
	key = irb_frame(b, 4);
	found = irb_block(b, "scratch");
	irb_storei(b, FRAME, key, 4, 0);
	p = CALL(b, map_lookup_elem, arg_map(a->map), arg_frame(key));
	branch_zero(x, p, found, none);
	irb_place(b, found);
	return address(x, p, (int32_t)a->off);
}

/*
 * Claims a scratch area. Returns a register with the offset of that area from the first one. If all
 * areas are in use, counts the firing as lost (percpu.nested) and jumps to @none.
 */
static int claim_area(struct expand *x, int none)
{
	struct irb *b = &x->b;
	int full = irb_cold_block(b, "nested too deep"), go = irb_block(b, "area");
	int busy = address(x, x->percpu, (int32_t)b->f->area.busy), n = area_claim(b, busy, full);

	irb_assign(b, x->claimed, area_word(b, busy, n));
	irb_jmp(b, go);
	irb_place(b, full);
	count_event(x, offsetof(struct percpu, nested));
	irb_jmp(b, none);
	irb_place(b, go);
	return irb_bini(b, IR_MUL, n, b->f->area.size);
}

/* Handles IR_AREA. The area itself is looked up later, where it is first needed. */
static void expand_area(struct expand *x, const struct ir_insn *in)
{
	const struct ir_area *a = &x->b.f->area;

	x->area = true;
	if (!a->size)
		append_raw(x, &(struct ir_insn){.op = IR_CONST, .dst = in->dst});
	if (!a->size || !a->claim)
		return;
	x->claimed = irb_var(&x->b);
	irb_assign_imm(&x->b, x->claimed, 0);
}

static void find_area(struct expand *x)
{
	const struct ir_insn *in = x->lookups.area_insn;
	int own, at;

	if (x->b.f->area.claim) {
		own = claim_area(x, in->t);
		at = irb_bin(&x->b, IR_ADD, find_areas(x, in->t), own);
	} else {
		at = find_areas(x, in->t);
	}
	move_to(x, in->dst, at);
}

/*
 * Releases the claimed area. If the event was rejected before an area was claimed, there is nothing
 * to release.
 */
static void expand_area_release(struct expand *x)
{
	const struct ir_area *a = &x->b.f->area;
	struct irb *b = &x->b;
	int some, left;

	if (!a->size || !a->claim || x->lookups.area < 0)
		return;
	some = irb_block(b, "area in use");
	left = irb_block(b, "left");
	irb_bri(b, CC_EQ, x->claimed, 0, left, some);
	irb_place(b, some);
	irb_storei(b, x->claimed, 0, 8, 0);
	irb_jmp(b, left);
	irb_place(b, left);
}

/* ------------------------------------------------------------ aggregations */

static void agg_lookup(struct expand *x, int32_t map, struct ir_arg key, int slot)
{
	call_to(x, slot, IR_CALL, HELPER_map_lookup_elem, 2, (struct ir_arg[]){arg_map(map), key});
}

/*
 * Adds the key with a value of zeros to @map and jumps to @found. Continues in a new block if the
 * map has no room.
 */
static void agg_try_insert(struct expand *x, int32_t map, struct ir_arg key, int slot, int found)
{
	int full = irb_cold_block(&x->b, "full");

	call_to(x, NOREG, IR_CALL, HELPER_map_update_elem, 4,
		(struct ir_arg[]){arg_map(map),
				  key,
				  {ARG_GLOBAL, 0, x->zeros_off},
				  arg_imm(BPF_NOEXIST)});
	agg_lookup(x, map, key, slot);
	branch_zero(x, slot, found, full);
	irb_place(&x->b, full);
}

/*
 * Inserts a key that the map does not have. Sets @slot to the address of the value and jumps to
 * @found.
 */
static void agg_insert(struct expand *x, const struct agg_info *ai, struct ir_arg key, int slot,
		       int found, int done)
{
	agg_try_insert(x, ai->map, key, slot, found);
	count_event(x, offsetof(struct percpu, agg_drops));
	irb_jmp(&x->b, done);
}

/*
 * Makes a function that inserts a key, for an aggregation that is updated in several places. Inline
 * code at each place would take longer to load. The function's parameter is the address of the key.
 * The function returns the address of the value, or 0.
 */
static int make_insert_func(struct expand *x, const struct agg_info *ai)
{
	struct expand f = *x;
	struct irb *b = &f.b;
	int key, slot, found, done;

	irb_init(b, x->b.arena, arena_printf(x->b.arena, "insert @%s", ai->name));
	b->no_cse = true;
	found = irb_block(b, "found");
	done = irb_cold_block(b, "no room");
	key = irb_param(b, 0);
	f.percpu = x->t->replay ? irb_map_value(b, MAP_ID_PERCPU, 0) : NOREG;
	slot = irb_var(b);
	agg_insert(&f, ai, arg_reg(key), slot, found, done);
	irb_place(b, found);
	irb_ret_reg(b, slot);
	irb_place(b, done);
	irb_ret(b);
	vec_apush(b->arena, &x->u->func, b->f);
	return (int)x->u->func.n - 1;
}

/* Inserts the key by inline code, or by a call if the aggregation is updated in several places. */
static void agg_miss(struct expand *x, const struct agg_info *ai, struct ir_arg key, int slot,
		     int found, int done)
{
	int *func = &x->insert_func[ai->index];

	if (x->update_count[ai->index] == 1) {
		agg_insert(x, ai, key, slot, found, done);
		return;
	}
	if (!*func)
		*func = make_insert_func(x, ai);
	call_to(x, slot, IR_LCALL, *func, 1, (struct ir_arg[]){key});
	branch_zero(x, slot, found, done);
}

static int agg_generation(struct expand *x, const struct agg_info *ai)
{
	struct irb *b = &x->b;

	return irb_loadv(b, irb_global(b, GLOBAL_GEN_OFF + 4 * (int64_t)ai->index), 0, AGG_GEN_SIZE,
			 false);
}

static void agg_store_generation(struct expand *x, const struct agg_info *ai, struct ir_arg key)
{
	struct irb *b = &x->b;
	int gen = agg_generation(x, ai);

	if (key.kind == ARG_FRAME)
		irb_store(b, FRAME, (int32_t)key.imm, 4, gen);
	else
		irb_store(b, key.reg, 0, 4, gen);
}

static struct table_ref table_of(const struct expand *x, const struct agg_info *ai)
{
	const struct map_def *m = &x->p->map[ai->map];

	return (struct table_ref){.map = (uint32_t)ai->map,
				  .number = ai->table,
				  .key_size = m->key_size,
				  .value_size = (m->value_size + 7) & ~7u,
				  .wake = x->p->wake};
}

/*
 * Returns the index of the function that adds keys to the table of @ai. Makes that function if the
 * unit does not have it yet.
 */
static int table_func(struct expand *x, const struct agg_info *ai, const struct table_ref *t)
{
	int *func = &x->insert_func[ai->index];
	struct irb b;

	if (*func)
		return *func;
	irb_init(&b, x->b.arena, arena_printf(x->b.arena, "table @%s", ai->name));
	b.no_cse = true;
	irb_table_add(&b, t);
	vec_apush(x->b.arena, &x->u->func, b.f);
	return *func = (int)x->u->func.n - 1;
}

/*
 * Updates a key of an aggregation in a table (MAP_TABLE) in the arena, the memory that programs and
 * dtrace share. While the table is full, new keys go to a hash of the kernel, until the engine has
 * enlarged the table. The hash needs its own code for updates, because the verifier distinguishes
 * pointers to its values from pointers to the arena.
 */
static void agg_table(struct expand *x, const struct agg_info *ai, const struct ir_insn *in,
		      const int *word)
{
	struct irb *b = &x->b;
	struct table_ref t = table_of(x, ai);
	int found = irb_block(b, "update"), done = irb_block(b, "updated");
	int none = irb_cold_block(b, "table is full"), slot = irb_var(b), more;
	int fresh, other;

	irb_table_find(b, &t, in->arg[0], word, table_func(x, ai, &t), slot, found, none);
	irb_place(b, found);
	irb_agg_update(b, &(struct agg_update){ai, NULL, slot, 0, in->b, in->a, in->atomic});
	irb_jmp(b, done);
	irb_place(b, none);
	fresh = irb_cold_block(b, "new key"), other = irb_cold_block(b, "in the hash");
	more = irb_var(b);
	agg_lookup(x, ai->overflow, in->arg[0], more);
	branch_zero(x, more, other, fresh);
	irb_place(b, fresh);
	agg_try_insert(x, ai->overflow, in->arg[0], more, other);
	count_event(x, offsetof(struct percpu, agg_drops));
	irb_jmp(b, done);
	irb_place(b, other);
	irb_agg_update(b, &(struct agg_update){ai, NULL, more, 0, in->b, in->a, in->atomic});
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Sets @word to registers with the words of the key of @in. Adds the generation of the aggregation
 * to the first word.
 */
static void agg_words(struct expand *x, const struct agg_info *ai, const struct ir_insn *in,
		      int *word)
{
	struct irb *b = &x->b;

	for (unsigned i = 0; i + 1 < in->narg; i++) {
		const struct ir_arg *a = &in->arg[i + 1];

		word[i] = a->kind == ARG_REG ? a->reg : irb_const(b, a->imm);
	}
	word[0] = irb_bin(b, IR_OR, agg_generation(x, ai), word[0]);
}

static void agg_keyed(struct expand *x, const struct agg_info *ai, const struct ir_insn *in)
{
	bool table = x->p->map[ai->map].kind == MAP_TABLE;
	int word[TABLE_KEY_MAX / 8];
	struct irb *b = &x->b;
	int miss, found, done, slot;

	if (in->narg > 1)
		agg_words(x, ai, in, word);
	else
		agg_store_generation(x, ai, in->arg[0]);
	if (table) {
		agg_table(x, ai, in, in->narg > 1 ? word : NULL);
		return;
	}
	for (int i = 0; i + 1 < in->narg; i++)
		irb_store(b, FRAME, (int32_t)in->arg[0].imm + 8 * i, 8, word[i]);
	if (x->t->replay && irb_agg_by_key(ai)) {
		irb_agg_update(b, &(struct agg_update){.ai = ai,
						       .key = &in->arg[0],
						       .value = in->b,
						       .incr = in->a});
		return;
	}
	miss = irb_cold_block(b, "miss");
	found = irb_block(b, "update"), done = irb_block(b, "updated");
	slot = irb_var(b);
	agg_lookup(x, ai->map, in->arg[0], slot);
	branch_zero(x, slot, found, miss);
	irb_place(b, miss);
	agg_miss(x, ai, in->arg[0], slot, found, done);
	irb_place(b, found);
	irb_agg_update(b, &(struct agg_update){ai, NULL, slot, 0, in->b, in->a, in->atomic});
	irb_jmp(b, done);
	irb_place(b, done);
}

static void expand_agg(struct expand *x, const struct ir_insn *in)
{
	const struct agg_info *ai = &x->p->agg[in->id];

	if (ai->map >= 0)
		agg_keyed(x, ai, in);
	else
		irb_agg_update(&x->b, &(struct agg_update){ai, NULL, x->percpu, (int32_t)ai->off,
							   in->b, in->a, in->atomic});
}

/* ------------------------------------------------------------------ driver */

static void expand_insn(struct expand *x, const struct ir_insn *in)
{
	switch ((enum ir_op)in->op) {
	case IR_CAST:
		cast_to(x, in->dst, in->a, in->imm);
		break;
	case IR_PERCPU:
		move_to(x, in->dst, address(x, x->percpu, (int32_t)in->imm));
		break;
	case IR_TASK:
		call_to(x, in->dst, IR_CALL, HELPER_get_current_task_btf, 0, NULL);
		break;
	case IR_READ:
		expand_read(x, in);
		break;
	case IR_COPY:
	case IR_COPYSTR:
		expand_copy(x, in);
		break;
	case IR_SKBPTR:
		expand_skbptr(x, in);
		break;
	case IR_RESERVE:
		expand_reserve(x, in);
		break;
	case IR_COMMIT:
		call_to(x, NOREG, IR_CALL, HELPER_ringbuf_submit, 2,
			(struct ir_arg[]){arg_reg(in->a), arg_imm(0)});
		break;
	case IR_DISCARD:
		call_to(x, NOREG, IR_CALL, HELPER_ringbuf_discard, 2,
			(struct ir_arg[]){arg_reg(in->a), arg_imm(0)});
		break;
	case IR_COUNT:
		count_event(x, (size_t)in->imm);
		break;
	case IR_AGG:
		expand_agg(x, in);
		break;
	case IR_AREA:
		expand_area(x, in);
		break;
	case IR_AREA_RELEASE:
		expand_area_release(x);
		break;
	default:
		append_raw(x, in);
		break;
	}
}

/*
 * Creates the registers and blocks of @f in the new function, so that instructions can be copied
 * unchanged.
 */
static void copy_layout(struct expand *x, const struct ir_func *f)
{
	struct ir_func *g = x->b.f;

	g->ret = f->ret;
	g->area = f->area;
	g->spill_base = f->spill_base;
	g->spill_size = f->spill_size;
	g->params = f->params;
	g->frame = x->b.frame_used = f->frame;
	for (size_t i = g->reg.n; i < f->reg.n; i++)
		vec_apush(x->b.arena, &g->reg, f->reg.v[i]);
	for (size_t i = 1; i < f->block.n; i++) {
		irb_block(&x->b, f->block.v[i]->label);
		g->block.v[i]->cold = f->block.v[i]->cold;
		g->block.v[i]->loop = f->block.v[i]->loop;
	}
}

/* Looks up this CPU's value. The value always exists; only the verifier needs the test for NULL. */
static void find_percpu(struct expand *x)
{
	struct irb *b = &x->b;
	int none = irb_cold_block(b, "no value"), next = irb_block(b, "start");

	x->percpu = look_up_percpu(x);
	branch_zero(x, x->percpu, next, none);
	irb_place(b, none);
	irb_ret(b);
	irb_place(b, next);
}

/* Emits the lookups that instruction @in needs, or that the code at its jump targets needs. */
static void do_lookups(struct expand *x, struct ir_insn *in, bool *area)
{
	const struct ir_lookups *l = &x->lookups;
	bool wants_area = ir_needs_area(x->from, l, in) || (x->from->spill_base && x->area);
	bool jumps = in->t || in->op >= IR_JMP;

	if (x->block == l->percpu && !x->percpu &&
	    (jumps || ir_needs_percpu(x->p, in) || (l->area == x->block && wants_area)))
		find_percpu(x);
	if (x->area && x->block == l->area && !*area && (jumps || wants_area)) {
		find_area(x);
		*area = true;
	}
}

static void expand_block(struct expand *x)
{
	struct ir_block *blk = x->from->block.v[x->block];
	bool area = false;

	for (size_t j = 0; j < blk->insn.n; j++) {
		do_lookups(x, &blk->insn.v[j], &area);
		expand_insn(x, &blk->insn.v[j]);
	}
}

static struct ir_func *expand_func(struct expand *x, const struct ir_func *f)
{
	irb_init(&x->b, f->arena, f->name);
	copy_layout(x, f);
	x->b.no_cse = true;
	x->from = f;
	x->percpu = NOREG;
	x->area = false;
	x->claimed = NOREG;
	x->header_copy.n = 0;
	x->lookups = ir_find_lookups(f, x->p);
	for (size_t i = 0; i < f->order.n; i++) {
		if (i)
			irb_place(&x->b, f->order.v[i]);
		/*
		 * Replay has only one CPU, so the address is constant. The entry block must begin
		 * with the parameters (struct ir_unit), so the second block makes the address.
		 */
		if (i == 1 && x->t->replay)
			x->percpu = irb_map_value(&x->b, MAP_ID_PERCPU, 0);
		x->block = f->order.v[i];
		expand_block(x);
	}
	return x->b.f;
}

static void count_sites(struct expand *x, const struct ir_func *f)
{
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op == IR_AGG)
				x->update_count[blk->insn.v[j].id]++;
	}
}

void ir_expand(struct ir_unit *u, const struct program *p, const struct ir_target *t,
	       uint32_t zeros_off)
{
	struct expand x = {.p = p, .t = t, .zeros_off = zeros_off, .u = u};
	size_t n = u->func.n;

	x.update_count = xcalloc(p->nagg, sizeof(*x.update_count));
	x.insert_func = xcalloc(p->nagg, sizeof(*x.insert_func));
	for (size_t i = 0; i < n; i++)
		count_sites(&x, u->func.v[i]);
	for (size_t i = 0; i < n; i++) {
		struct ir_func *f = expand_func(&x, u->func.v[i]);

		/* expand_func() may have added functions, which may have moved the array */
		u->func.v[i] = f;
	}
	xfree(x.update_count);
	xfree(x.insert_func);
}
