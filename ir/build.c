/*
 * build.c - the IR builder. It appends operations, folds constants, and eliminates common
 * subexpressions (CSE).
 */
#include <stdint.h>
#include <string.h>

#include "base/xalloc.h"
#include "ir/ir.h"

static const bool op_pure[] = {
#define X(op, name, pure) pure,
	IR_OPS(X)
#undef X
};

bool ir_is_pure(enum ir_op op)
{
	return op_pure[op];
}

void irb_init(struct irb *b, struct arena *a, const char *name)
{
	memset(b, 0, sizeof(*b));
	b->arena = a;
	b->f = arena_new(a, struct ir_func);
	b->f->arena = a;
	b->f->name = name;
	b->cur = NOBLOCK;
	vec_apush(a, &b->f->reg, (struct ir_reg){0}); /* NOREG */
	irb_place(b, irb_block(b, "entry"));
}

int irb_block(struct irb *b, const char *label)
{
	struct ir_block *blk = arena_new(b->arena, struct ir_block);

	blk->label = label;
	vec_apush(b->arena, &b->f->block, blk);
	return (int)b->f->block.n - 1;
}

int irb_cold_block(struct irb *b, const char *label)
{
	int blk = irb_block(b, label);

	b->f->block.v[blk]->cold = true;
	return blk;
}

static struct ir_block *cur_block(struct irb *b)
{
	return b->f->block.v[b->cur];
}

bool irb_is_open(struct irb *b)
{
	struct ir_block *blk = cur_block(b);

	return !blk->insn.n || blk->insn.v[blk->insn.n - 1].op < IR_JMP;
}

/* --------------------------------------------------------------- dominators */

/*
 * Returns the block that dominates @x and is at @depth of the dominator tree. @x must be at least
 * as deep.
 */
static int ancestor(struct ir_block *const *blk, int x, int depth)
{
	while (blk[x]->depth > depth)
		x = blk[blk[x]->jump]->depth >= depth ? blk[x]->jump : blk[x]->idom;
	return x;
}

bool ir_dominates(const struct ir_func *f, int d, int b)
{
	return f->block.v[b]->depth >= f->block.v[d]->depth &&
	       ancestor(f->block.v, b, f->block.v[d]->depth) == d;
}

/*
 * @d is a dominator of block @x. Returns how many instructions of @d are on every path to the
 * instruction at index @lim of @x.
 */
static size_t limit_in(struct ir_block *const *blk, int d, int x, size_t lim)
{
	return x == d ? lim : blk[ancestor(blk, x, blk[d]->depth + 1)]->lim;
}

int ir_common_dominator(const struct ir_func *f, int x, int y)
{
	struct ir_block *const *blk = f->block.v;
	int depth = blk[x]->depth < blk[y]->depth ? blk[x]->depth : blk[y]->depth;
	int u = ancestor(blk, x, depth), v = ancestor(blk, y, depth);

	while (u != v) {
		bool far = blk[u]->jump != blk[v]->jump;

		u = far ? blk[u]->jump : blk[u]->idom;
		v = far ? blk[v]->jump : blk[v]->idom;
	}
	return u;
}

/*
 * Returns the nearest common dominator of two points, the instructions at @xlim of block @x and at
 * @ylim of block @y. Sets *@lim to the number of the dominator's instructions that are on every
 * path to both points.
 */
static int common_point(const struct ir_func *f, int x, size_t xlim, int y, size_t ylim,
			size_t *lim)
{
	struct ir_block *const *blk = f->block.v;
	int u = ir_common_dominator(f, x, y);

	xlim = limit_in(blk, u, x, xlim);
	ylim = limit_in(blk, u, y, ylim);
	*lim = xlim < ylim ? xlim : ylim;
	return u;
}

/*
 * Sets the jump pointer of block @x, whose dominators are final now. Deeper blocks have longer
 * jumps, so ancestor() takes O(log depth) steps.
 */
static void set_jump(struct ir_block *const *blk, int x)
{
	int up = blk[x]->idom, j = blk[up]->jump;

	blk[x]->jump = blk[up]->depth - blk[j]->depth == blk[j]->depth - blk[blk[j]->jump]->depth
			       ? blk[j]->jump
			       : up;
}

/*
 * Adds a reference to block @x. The current block has one. Each block also refers to its immediate
 * dominator: from the first jump to the block until it is placed, is no longer current, and has no
 * references itself. A block without references dominates no later code, so its values leave the
 * CSE table.
 */
static void ref_block(struct irb *b, int x)
{
	b->f->block.v[x]->nopen++;
}

static void unref_block(struct irb *b, int x)
{
	while (!--b->f->block.v[x]->nopen && x)
		x = b->f->block.v[x]->idom;
}

/* Records a jump from the current block to @to. */
static void add_edge(struct irb *b, int to)
{
	struct ir_block *t;
	int idom = b->cur;

	if (to == NOBLOCK || (b->cur && !cur_block(b)->npred))
		return;
	t = b->f->block.v[to];
	if (t->loop && t->placed)
		return; /* this is a jump back; the dominators of the header are final */
	if (!t->npred++) {
		t->lim = cur_block(b)->insn.n;
		ref_block(b, idom);
	} else {
		idom = common_point(b->f, t->idom, t->lim, idom, cur_block(b)->insn.n, &t->lim);
		ref_block(b, idom);
		unref_block(b, t->idom);
	}
	t->idom = idom;
	t->depth = b->f->block.v[idom]->depth + 1;
}

void irb_place(struct irb *b, int block)
{
	if (b->f->block.v[block]->placed)
		BUG("block %d is placed twice", block);
	b->f->block.v[block]->placed = true;
	/* the block is unreachable; ir_prune() drops it */
	if (block && !b->f->block.v[block]->npred) {
		b->f->block.v[block]->depth = 1;
		ref_block(b, 0);
	}
	vec_apush(b->arena, &b->f->order, block);
	set_jump(b->f->block.v, block);
	ref_block(b, block);
	if (b->f->order.n > 1)
		unref_block(b, b->cur);
	b->cur = block;
}

void irb_push(struct irb *b)
{
	vec_apush(b->arena, &b->scope, b->cse.n);
	vec_apush(b->arena, &b->fact_scope, b->fact.n);
}

void irb_pop(struct irb *b)
{
	size_t n = b->scope.v[--b->scope.n], nfact = b->fact_scope.v[--b->fact_scope.n];

	/*
	 * The newest entry of a bucket comes first, unless find_cse() or decided() has dropped it.
	 */
	for (; b->cse.n > n; b->cse.n--) {
		const struct cse_entry *c = &b->cse.v[b->cse.n - 1];

		if (b->cse_bucket[c->hash % IRB_BUCKETS] == b->cse.n)
			b->cse_bucket[c->hash % IRB_BUCKETS] = c->next;
	}
	for (; b->fact.n > nfact; b->fact.n--) {
		const struct fact *f = &b->fact.v[b->fact.n - 1];

		if (b->fact_bucket[f->hash % IRB_BUCKETS] == b->fact.n)
			b->fact_bucket[f->hash % IRB_BUCKETS] = f->next;
	}
}

/* --------------------------------------------------------------- registers */

static int new_reg(struct irb *b)
{
	vec_apush(b->arena, &b->f->reg, (struct ir_reg){0});
	return (int)b->f->reg.n - 1;
}

struct ir_reg *irb_reg(struct irb *b, int reg)
{
	return &b->f->reg.v[reg];
}

bool irb_is_const(struct irb *b, int reg, int64_t *v)
{
	if (reg <= 0 || !irb_reg(b, reg)->is_const)
		return false;
	*v = irb_reg(b, reg)->value;
	return true;
}

int irb_var(struct irb *b)
{
	int r = new_reg(b);

	irb_reg(b, r)->is_var = true;
	return r;
}

/* ---------------------------------------------------------------------- CSE */

static bool same(const struct ir_insn *x, const struct ir_insn *y)
{
	unsigned i;

	if (x->op != y->op || x->size != y->size || x->cc != y->cc || x->sgn != y->sgn ||
	    x->a != y->a || x->b != y->b || x->off != y->off || x->boff != y->boff ||
	    x->id != y->id || x->imm != y->imm || x->narg != y->narg)
		return false;
	for (i = 0; i < x->narg; i++)
		if (x->arg[i].kind != y->arg[i].kind || x->arg[i].reg != y->arg[i].reg ||
		    x->arg[i].imm != y->arg[i].imm)
			return false;
	return true;
}

/*
 * Returns whether an equal, earlier operation can replace operation @in. An operation that reads a
 * variable cannot be replaced.
 */
static bool can_cse(struct irb *b, const struct ir_insn *in)
{
	if (b->no_cse || !(ir_is_pure(in->op) || (in->op == IR_READ && !in->t)))
		return false;
	if (in->a > 0 && irb_reg(b, in->a)->is_var)
		return false;
	if (in->b > 0 && irb_reg(b, in->b)->is_var)
		return false;
	for (unsigned i = 0; i < in->narg; i++)
		if (in->arg[i].kind == ARG_REG && irb_reg(b, in->arg[i].reg)->is_var)
			return false;
	return true;
}

/* ---------------------------------------------------------------- appending */

static void append(struct irb *b, struct ir_insn in)
{
	if (!irb_is_open(b))
		return; /* the code after a terminator is unreachable */
	add_edge(b, in.t);
	add_edge(b, in.f);
	vec_apush(b->arena, &cur_block(b)->insn, in);
	b->ninsn++;
}

void irb_append(struct irb *b, const struct ir_insn *in)
{
	append(b, *in);
}

/* ------------------------------------------------------------ available values */

/* Returns whether the value of @c is available in the current block. */
static bool is_available(struct irb *b, const struct cse_entry *c)
{
	return ir_dominates(b->f, c->block, b->cur) &&
	       c->at < limit_in(b->f->block.v, c->block, b->cur, SIZE_MAX);
}

static size_t *bucket(struct irb *b, size_t **all, uint32_t hash)
{
	if (!*all)
		*all = arena_newn(b->arena, size_t, IRB_BUCKETS);
	return &(*all)[hash % IRB_BUCKETS];
}

static uint32_t mix(uint32_t h, uint64_t v)
{
	v = (h ^ v) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(v >> 32);
}

static uint32_t hash_insn(const struct ir_insn *in)
{
	uint32_t h = mix(in->op, (uint64_t)(uint32_t)in->a << 32 | (uint32_t)in->b);

	h = mix(mix(h, (uint64_t)(uint32_t)in->off << 32 | (uint32_t)in->id), (uint64_t)in->imm);
	for (unsigned i = 0; i < in->narg; i++)
		h = mix(mix(h, (uint64_t)in->arg[i].imm), (uint64_t)in->arg[i].reg);
	return h;
}

static const struct cse_entry *find_cse(struct irb *b, const struct ir_insn *in, uint32_t hash)
{
	size_t *at = bucket(b, &b->cse_bucket, hash);

	while (*at) {
		struct cse_entry *c = &b->cse.v[*at - 1];

		if (!b->f->block.v[c->block]->nopen) {
			*at = c->next; /* the value is never available again */
			continue;
		}
		if (c->hash == hash && same(&c->in, in) && is_available(b, c))
			return c;
		at = &c->next;
	}
	return NULL;
}

/* Returns the hash of a condition. A condition and its opposite have equal hashes. */
static uint32_t hash_condition(const struct ir_insn *br)
{
	return mix(mix((uint32_t)br->a, (uint64_t)br->b), (uint64_t)br->imm);
}

/* Returns whether the block can no longer dominate later code. */
static bool is_closed(const struct ir_block *blk)
{
	return blk->placed && !blk->nopen;
}

/*
 * Tests whether a known condition decides branch @br here. Returns 1 if the condition of @br is
 * true, 0 if it is false, and -1 if it is not known.
 */
static int decided(struct irb *b, const struct ir_insn *br, uint32_t hash)
{
	size_t *at = bucket(b, &b->fact_bucket, hash);

	while (*at) {
		struct fact *f = &b->fact.v[*at - 1];
		const struct ir_block *blk = b->f->block.v[f->block];

		if (is_closed(blk) || blk->npred > 1) {
			*at = f->next;
			continue;
		}
		if (f->br.a == br->a && f->br.b == br->b && f->br.imm == br->imm &&
		    (f->br.cc == br->cc ||
		     (br->cc != CC_BITS && f->br.cc == ir_cc_invert(br->cc))) &&
		    blk->placed && ir_dominates(b->f, f->block, b->cur))
			return (f->br.cc == br->cc) == f->holds;
		at = &f->next;
	}
	return -1;
}

int irb_decided(struct irb *b, enum ir_cc cc, int x, int64_t imm)
{
	struct ir_insn br = {.op = IR_BR, .cc = cc, .a = x, .imm = imm};
	int64_t c;

	if (irb_is_const(b, x, &c))
		return ir_fold_cc(cc, c, imm);
	return irb_reg(b, x)->is_var || b->no_cse ? -1 : decided(b, &br, hash_condition(&br));
}

static void add_fact(struct irb *b, const struct ir_insn *br, uint32_t hash, int block, bool holds)
{
	size_t *first = bucket(b, &b->fact_bucket, hash);

	vec_apush(b->arena, &b->fact, ((struct fact){*br, block, holds, hash, *first}));
	*first = b->fact.n;
}

static void emit_branch(struct irb *b, struct ir_insn br)
{
	bool vars = irb_reg(b, br.a)->is_var || (br.b && irb_reg(b, br.b)->is_var);
	uint32_t hash = hash_condition(&br);
	int known = vars || b->no_cse ? -1 : decided(b, &br, hash);

	if (known >= 0) {
		irb_jmp(b, known ? br.t : br.f);
		return;
	}
	append(b, br);
	if (vars || b->no_cse || br.t == br.f || (b->cur && !cur_block(b)->npred))
		return;
	add_fact(b, &br, hash, br.t, true);
	add_fact(b, &br, hash, br.f, false);
}

static void add_cse(struct irb *b, const struct ir_insn *in, uint32_t hash)
{
	size_t *first = bucket(b, &b->cse_bucket, hash);
	struct ir_reg *r = irb_reg(b, in->dst);

	vec_apush(b->arena, &b->cse,
		  ((struct cse_entry){*in, b->cur, cur_block(b)->insn.n, hash, *first}));
	*first = b->cse.n;
	r->op = in->op;
	r->size = in->size;
	r->sgn = in->sgn;
}

static bool is_pointer(struct irb *b, int reg)
{
	return reg == FRAME || irb_reg(b, reg)->ptr || irb_reg(b, reg)->pc != PC_ANY;
}

/*
 * Returns whether the verifier regards the result of @in as a pointer. For a load, the caller sets
 * that later.
 */
static bool gives_pointer(struct irb *b, const struct ir_insn *in)
{
	switch ((enum ir_op)in->op) {
	case IR_CTX:
	case IR_GLOBAL:
	case IR_PERCPU:
	case IR_TASK:
	case IR_CAST:
	case IR_SKBPTR:
	case IR_AREA:
	case IR_ARENA:
		return true;
	case IR_ADD:
	case IR_SUB:
	case IR_ADDR:
		return is_pointer(b, in->a) || is_pointer(b, in->b);
	default:
		return false;
	}
}

/*
 * A cast costs nothing, but its result occupies a register or 8 bytes of stack as long as later
 * code uses it. So code that comes more blocks later casts again.
 */
enum { CAST_BLOCKS = 100 };

static int emit(struct irb *b, struct ir_insn in)
{
	bool merge = can_cse(b, &in);
	uint32_t hash = merge ? hash_insn(&in) : 0;
	const struct cse_entry *c = merge ? find_cse(b, &in, hash) : NULL;

	if (c && (in.op != IR_CAST || b->cur - c->block <= CAST_BLOCKS))
		return c->in.dst;
	in.dst = new_reg(b);
	irb_reg(b, in.dst)->ptr = gives_pointer(b, &in);
	if (merge)
		add_cse(b, &in, hash);
	append(b, in);
	return in.dst;
}

#define INSN(...) ((struct ir_insn){__VA_ARGS__})

int irb_memo_find(struct irb *b, const void *what, int when)
{
	struct ir_insn in = INSN(.op = IR_NOP, .id = when, .imm = (int64_t)(uintptr_t)what);
	const struct cse_entry *c = find_cse(b, &in, hash_insn(&in));

	return c ? c->in.dst : NOREG;
}

void irb_memo_add(struct irb *b, const void *what, int when, int value)
{
	struct ir_insn in = INSN(.op = IR_NOP, .id = when, .imm = (int64_t)(uintptr_t)what);
	uint32_t hash = hash_insn(&in);
	size_t *first = bucket(b, &b->cse_bucket, hash), at = cur_block(b)->insn.n;

	in.dst = value;
	/*
	 * The value exists once the last instruction of the block has run. So its entry refers to
	 * that instruction, and the value is available behind a branch that is appended next.
	 */
	if (at)
		at--;
	vec_apush(b->arena, &b->cse, ((struct cse_entry){in, b->cur, at, hash, *first}));
	*first = b->cse.n;
}

int irb_const(struct irb *b, int64_t v)
{
	int r = emit(b, INSN(.op = IR_CONST, .imm = v));

	irb_reg(b, r)->is_const = true;
	irb_reg(b, r)->value = v;
	return r;
}

/* Returns the number of bytes that can hold every value of register @r as an unsigned number. */
static unsigned width(const struct ir_reg *r)
{
	switch ((enum ir_op)r->op) {
	case IR_SET:
		return 1;
	case IR_SWAP:
		return r->size;
	case IR_LOAD:
	case IR_EXT:
		return r->sgn ? 8 : r->size;
	default:
		return 8;
	}
}

static void widen(struct ir_reg *var, unsigned bytes)
{
	if (var->size < bytes)
		var->size = (uint8_t)bytes;
}

void irb_assign(struct irb *b, int var, int value)
{
	struct ir_insn in = INSN(.op = IR_MOV, .a = value);
	int64_t c;

	if (irb_is_const(b, value, &c)) {
		irb_assign_imm(b, var, c);
		return;
	}
	in.dst = var;
	irb_reg(b, var)->ptr |= is_pointer(b, value);
	widen(irb_reg(b, var), width(irb_reg(b, value)));
	append(b, in);
}

int irb_value(struct irb *b, int var)
{
	int v = emit(b, INSN(.op = IR_MOV, .a = var));

	irb_reg(b, v)->ptr = irb_reg(b, var)->ptr;
	irb_reg(b, v)->or_null = true; /* the variable may have held any value */
	if (!b->looping && irb_reg(b, var)->size && irb_reg(b, var)->size < 8) {
		irb_reg(b, v)->op = IR_EXT;
		irb_reg(b, v)->size = irb_reg(b, var)->size;
	}
	return v;
}

void irb_assign_imm(struct irb *b, int var, int64_t imm)
{
	struct ir_insn in = INSN(.op = IR_CONST, .imm = imm);

	in.dst = var;
	widen(irb_reg(b, var), imm >> 8 == 0 ? 1 : imm >> 16 == 0 ? 2 : imm >> 32 == 0 ? 4 : 8);
	append(b, in);
}

static bool fits32(int64_t v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

static bool fold_bin(enum ir_op op, uint64_t x, uint64_t y, uint64_t *out)
{
	switch (op) {
	case IR_ADD:
		*out = x + y;
		return true;
	case IR_SUB:
		*out = x - y;
		return true;
	case IR_MUL:
		*out = x * y;
		return true;
	case IR_DIV:
		*out = y ? x / y : 0;
		return y != 0;
	case IR_MOD:
		*out = y ? x % y : x;
		return y != 0;
	case IR_AND:
		*out = x & y;
		return true;
	case IR_OR:
		*out = x | y;
		return true;
	case IR_XOR:
		*out = x ^ y;
		return true;
	case IR_SHL:
		*out = x << (y & 63);
		return true;
	case IR_SHR:
		*out = x >> (y & 63);
		return true;
	case IR_SAR:
		*out = (uint64_t)((int64_t)x >> (y & 63));
		return true;
	default:
		return false;
	}
}

/* Returns whether x op imm is always x, as for adding 0 or multiplying by 1. */
static bool is_identity(enum ir_op op, int64_t imm)
{
	switch (op) {
	case IR_ADD:
	case IR_SUB:
	case IR_OR:
	case IR_XOR:
	case IR_SHL:
	case IR_SHR:
	case IR_SAR:
		return imm == 0;
	case IR_MUL:
	case IR_DIV:
		return imm == 1;
	case IR_AND:
		return imm == -1;
	default:
		return false;
	}
}

/*
 * Negates the value twice, because the verifier forgets that the negative of a pointer was a
 * pointer. The number stays the same. So this is right, too, for a variable that holds a pointer on
 * some paths only.
 */
int irb_scalar(struct irb *b, int x)
{
	if (!b->verified || x <= 0 || !is_pointer(b, x))
		return x;
	return irb_neg(b, irb_neg(b, x));
}

static bool is_additive(enum ir_op op)
{
	return op == IR_ADD || op == IR_SUB;
}

int irb_bini(struct irb *b, enum ir_op op, int x, int64_t imm)
{
	uint64_t r;
	int64_t c;

	if (op == IR_SHL || op == IR_SHR || op == IR_SAR)
		imm &= 63; /* as the machine does; the verifier refuses larger shifts */
	if (irb_is_const(b, x, &c) && fold_bin(op, (uint64_t)c, (uint64_t)imm, &r))
		return irb_const(b, (int64_t)r);
	if (is_identity(op, imm) && !irb_reg(b, x)->is_var)
		return x;
	if (!is_additive(op))
		x = irb_scalar(b, x);
	if (!fits32(imm))
		return emit(b, INSN(.op = op, .a = x, .b = irb_const(b, imm)));
	return emit(b, INSN(.op = op, .a = x, .imm = imm));
}

static bool commutes(enum ir_op op)
{
	return op == IR_ADD || op == IR_MUL || op == IR_AND || op == IR_OR || op == IR_XOR;
}

int irb_bin(struct irb *b, enum ir_op op, int x, int y)
{
	int64_t c;

	if (irb_is_const(b, y, &c) && !((op == IR_DIV || op == IR_MOD) && !c))
		return irb_bini(b, op, x, c);
	if (commutes(op) && irb_is_const(b, x, &c))
		return irb_bini(b, op, y, c);
	if (!is_additive(op)) {
		x = irb_scalar(b, x);
		y = irb_scalar(b, y);
	}
	return emit(b, INSN(.op = op, .a = x, .b = y));
}

int irb_neg(struct irb *b, int x)
{
	int64_t c;

	if (irb_is_const(b, x, &c))
		return irb_const(b, (int64_t)(0 - (uint64_t)c));
	return emit(b, INSN(.op = IR_NEG, .a = x));
}

int irb_select(struct irb *b, int mask, int x, int y)
{
	return irb_bin(b, IR_XOR, y, irb_bin(b, IR_AND, irb_bin(b, IR_XOR, x, y), mask));
}

int irb_at_least(struct irb *b, int x, int64_t least)
{
	return irb_bini(b, IR_SHR, irb_bin(b, IR_SUB, irb_const(b, least - 1), x), 63);
}

static int64_t fold_ext(int64_t v, unsigned size, bool sgn)
{
	unsigned sh = 64 - 8 * size;

	if (size >= 8)
		return v;
	return sgn ? (int64_t)((uint64_t)v << sh) >> sh : (int64_t)((uint64_t)v << sh >> sh);
}

/* Returns whether extending @x from @size bytes would not change the value. */
static bool ext_is_noop(struct irb *b, int x, unsigned size, bool sgn)
{
	const struct ir_reg *r = irb_reg(b, x);

	switch ((enum ir_op)r->op) {
	case IR_SET:
		return true;
	case IR_SWAP:
		return r->size < size || (r->size == size && !sgn);
	case IR_LOAD:
	case IR_EXT:
		if (r->sgn)
			return r->size <= size && sgn;
		return r->size < size || (r->size == size && !sgn);
	default:
		return false;
	}
}

int irb_ext(struct irb *b, int x, unsigned size, bool sgn)
{
	int64_t c;

	if (size >= 8)
		return x;
	if (irb_is_const(b, x, &c))
		return irb_const(b, fold_ext(c, size, sgn));
	if (ext_is_noop(b, x, size, sgn))
		return x;
	x = irb_scalar(b, x);
	return emit(b, INSN(.op = IR_EXT, .a = x, .size = (uint8_t)size, .sgn = sgn));
}

int irb_swap(struct irb *b, int x, unsigned size)
{
	int64_t c;

	if (irb_is_const(b, x, &c)) {
		if (size == 2)
			return irb_const(b, __builtin_bswap16((uint16_t)c));
		if (size == 4)
			return irb_const(b, __builtin_bswap32((uint32_t)c));
		return irb_const(b, (int64_t)__builtin_bswap64((uint64_t)c));
	}
	x = irb_scalar(b, x);
	return emit(b, INSN(.op = IR_SWAP, .a = x, .size = (uint8_t)size));
}

bool ir_fold_cc(enum ir_cc cc, int64_t x, int64_t y)
{
	uint64_t ux = (uint64_t)x, uy = (uint64_t)y;

	switch (cc) {
	case CC_EQ:
		return x == y;
	case CC_NE:
		return x != y;
	case CC_ULT:
		return ux < uy;
	case CC_ULE:
		return ux <= uy;
	case CC_UGT:
		return ux > uy;
	case CC_UGE:
		return ux >= uy;
	case CC_SLT:
		return x < y;
	case CC_SLE:
		return x <= y;
	case CC_SGT:
		return x > y;
	case CC_SGE:
		return x >= y;
	case CC_BITS:
		return (ux & uy) != 0;
	}
	BUG("unknown condition %d", cc);
}

enum ir_cc ir_cc_invert(enum ir_cc cc)
{
	switch (cc) {
	case CC_EQ:
		return CC_NE;
	case CC_NE:
		return CC_EQ;
	case CC_ULT:
		return CC_UGE;
	case CC_ULE:
		return CC_UGT;
	case CC_UGT:
		return CC_ULE;
	case CC_UGE:
		return CC_ULT;
	case CC_SLT:
		return CC_SGE;
	case CC_SLE:
		return CC_SGT;
	case CC_SGT:
		return CC_SLE;
	case CC_SGE:
		return CC_SLT;
	case CC_BITS:
		break;
	}
	BUG("condition %d has no inverse", cc);
}

int irb_set(struct irb *b, enum ir_cc cc, int x, int y)
{
	int64_t c, d;

	if (irb_is_const(b, y, &d)) {
		if (irb_is_const(b, x, &c))
			return irb_const(b, ir_fold_cc(cc, c, d));
		if (fits32(d))
			return emit(b, INSN(.op = IR_SET, .cc = cc, .a = x, .imm = d));
	}
	return emit(b, INSN(.op = IR_SET, .cc = cc, .a = x, .b = y));
}

void irb_take_params(struct irb *b, int param[FUNC_PARAMS])
{
	const struct func_params *p = &b->f->params;
	int none = irb_cold_block(b, "null"), body = irb_block(b, "body"), some;

	for (uint32_t i = 0; i < p->n; i++)
		param[i] = irb_param(b, i);
	for (uint32_t i = 0; i < p->n; i++) {
		if (!p->size[i])
			continue;
		some = irb_block(b, "not null");
		irb_bri(b, CC_EQ, param[i], 0, none, some);
		irb_place(b, some);
	}
	irb_jmp(b, body);
	irb_place(b, none);
	irb_ret(b);
	irb_place(b, body);
}

int irb_ctx(struct irb *b)
{
	return emit(b, INSN(.op = IR_CTX));
}

int irb_param(struct irb *b, unsigned i)
{
	return emit(b, INSN(.op = IR_PARAM, .imm = i));
}

int irb_load(struct irb *b, int base, int32_t off, unsigned size, bool sgn)
{
	return emit(b, INSN(.op = IR_LOAD, .a = base, .off = off, .size = (uint8_t)size,
			    .sgn = sgn && size < 8));
}

int irb_loadv(struct irb *b, int base, int32_t off, unsigned size, bool sgn)
{
	return emit(b, INSN(.op = IR_LOADV, .a = base, .off = off, .size = (uint8_t)size,
			    .sgn = sgn && size < 8));
}

void irb_store(struct irb *b, int base, int32_t off, unsigned size, int v)
{
	int64_t c;

	if (irb_is_const(b, v, &c) && fits32(fold_ext(c, size, true))) {
		irb_storei(b, base, off, size, fold_ext(c, size, true));
		return;
	}
	if (size < 8)
		v = irb_scalar(b, v);
	append(b, INSN(.op = IR_STORE, .a = base, .off = off, .size = (uint8_t)size, .b = v));
}

void irb_storei(struct irb *b, int base, int32_t off, unsigned size, int64_t imm)
{
	append(b, INSN(.op = IR_STORE, .a = base, .off = off, .size = (uint8_t)size, .imm = imm));
}

void irb_atomic_add(struct irb *b, int base, int32_t off, int v)
{
	v = irb_scalar(b, v);
	append(b, INSN(.op = IR_ATOMIC, .a = base, .off = off, .size = 8, .b = v));
}

void irb_count(struct irb *b, int32_t off)
{
	append(b, INSN(.op = IR_COUNT, .imm = off));
}

int irb_exchange(struct irb *b, int base, int32_t off, int v)
{
	return emit(b, INSN(.op = IR_XCHG, .a = base, .off = off, .size = 8, .b = v));
}

int irb_fetch_add(struct irb *b, int base, int32_t off, int v)
{
	return emit(b, INSN(.op = IR_FETCH, .a = base, .off = off, .size = 8, .b = v));
}

int irb_arena(struct irb *b, int address)
{
	return emit(b, INSN(.op = IR_ARENA, .a = address));
}

int irb_addr(struct irb *b, int base, int32_t off)
{
	if (!off && base != FRAME)
		return base;
	return emit(b, INSN(.op = IR_ADDR, .a = base, .off = off));
}

int irb_map_value(struct irb *b, int map, int64_t off)
{
	return emit(b, INSN(.op = IR_GLOBAL, .id = map, .imm = off));
}

int irb_global(struct irb *b, int64_t off)
{
	return irb_map_value(b, MAP_ID_GLOBAL, off);
}

int irb_percpu(struct irb *b, int64_t off)
{
	return emit(b, INSN(.op = IR_PERCPU, .imm = off));
}

int irb_task(struct irb *b)
{
	return emit(b, INSN(.op = IR_TASK));
}

int irb_cast(struct irb *b, int p, uint32_t btf_id)
{
	return emit(b, INSN(.op = IR_CAST, .a = p, .imm = btf_id));
}

int irb_pc(struct irb *b)
{
	return emit(b, INSN(.op = IR_PC));
}

int irb_call(struct irb *b, enum ir_op op, int func, unsigned narg, const struct ir_arg *arg)
{
	return emit(b, INSN(.op = op, .imm = func, .narg = (uint8_t)narg,
			    .arg = arena_memdup(b->arena, arg, narg * sizeof(*arg))));
}

int irb_cmpxchg(struct irb *b, int base, int old, int v)
{
	const struct ir_arg arg[] = {{ARG_REG, base, 0}, {ARG_REG, old, 0}, {ARG_REG, v, 0}};

	return emit(b, INSN(.op = IR_CMPXCHG, .size = 8, .narg = 3,
			    .arg = arena_memdup(b->arena, arg, sizeof(arg))));
}

int irb_read(struct irb *b, int base, int32_t off, unsigned size, bool sgn, int fault)
{
	return emit(b, INSN(.op = IR_READ, .a = base, .off = off, .size = (uint8_t)size,
			    .sgn = sgn && size < 8, .t = fault));
}

void irb_copy(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len, int fault)
{
	append(b, INSN(.op = IR_COPY, .a = src, .off = off, .b = dst, .boff = dstoff, .imm = len,
		       .t = fault));
}

void irb_copystr(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
		 int fault)
{
	append(b, INSN(.op = IR_COPYSTR, .a = src, .off = off, .b = dst, .boff = dstoff, .imm = len,
		       .t = fault));
}

int irb_area(struct irb *b, int none)
{
	return emit(b, INSN(.op = IR_AREA, .t = none));
}

void irb_area_release(struct irb *b)
{
	append(b, INSN(.op = IR_AREA_RELEASE));
}

int irb_skbptr(struct irb *b, int skb, bool tags)
{
	return emit(b, INSN(.op = IR_SKBPTR, .a = skb, .imm = tags));
}

int irb_reserve(struct irb *b, uint32_t size, int fail)
{
	return emit(b, INSN(.op = IR_RESERVE, .imm = size, .t = fail));
}

void irb_commit(struct irb *b, int rec)
{
	append(b, INSN(.op = IR_COMMIT, .a = rec));
}

void irb_discard(struct irb *b, int rec)
{
	append(b, INSN(.op = IR_DISCARD, .a = rec));
}

void irb_agg(struct irb *b, int agg, struct ir_arg key, const struct ir_arg *word, unsigned nword,
	     int value, int incr, bool atomic)
{
	struct ir_arg *arg = arena_newn(b->arena, struct ir_arg, nword + 1);

	arg[0] = key;
	for (unsigned i = 0; i < nword; i++)
		arg[i + 1] = word[i];
	value = irb_scalar(b, value);
	incr = irb_scalar(b, incr);
	append(b, INSN(.op = IR_AGG, .id = agg, .b = value, .a = incr, .atomic = atomic,
		       .narg = (uint8_t)(nword + 1), .arg = arg));
}

void irb_jmp(struct irb *b, int t)
{
	append(b, INSN(.op = IR_JMP, .t = t));
}

void irb_bri(struct irb *b, enum ir_cc cc, int x, int64_t imm, int t, int f)
{
	int64_t c;

	if (cc == CC_BITS)
		x = irb_scalar(b, x);
	if (irb_is_const(b, x, &c))
		irb_jmp(b, ir_fold_cc(cc, c, imm) ? t : f);
	else if (fits32(imm))
		emit_branch(b, INSN(.op = IR_BR, .cc = cc, .a = x, .imm = imm, .t = t, .f = f));
	else
		emit_branch(b, INSN(.op = IR_BR, .cc = cc, .a = x, .b = irb_const(b, imm), .t = t,
				    .f = f));
}

void irb_br(struct irb *b, enum ir_cc cc, int x, int y, int t, int f)
{
	int64_t c;

	if (irb_is_const(b, y, &c))
		irb_bri(b, cc, x, c, t, f);
	else
		emit_branch(b, INSN(.op = IR_BR, .cc = cc, .a = x, .b = y, .t = t, .f = f));
}

void irb_ret(struct irb *b)
{
	append(b, INSN(.op = IR_RET, .imm = b->f->ret));
}

void irb_ret_reg(struct irb *b, int v)
{
	append(b, INSN(.op = IR_RET, .a = v));
}

/* -------------------------------------------------------------------- frame */

int32_t irb_frame_mark(struct irb *b)
{
	return b->frame_used;
}

void irb_frame_release(struct irb *b, int32_t mark)
{
	b->frame_used = mark;
}

int32_t irb_frame(struct irb *b, uint32_t size)
{
	b->frame_used += (int32_t)((size + 7) & ~7u);
	if (b->frame_used > b->f->frame)
		b->f->frame = b->frame_used;
	return -b->frame_used;
}
