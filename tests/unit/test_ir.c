/*
 * test_ir.c - checks the IR builder, the passes over IR and the eBPF generator, by running the
 * generated code in the checked virtual machine.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "ir/bpf/bpf.h"
#include "engine/vm/vm.h"
#include "ir/area.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "tests/check.h"

#define RESULTS 128 /* offset of the results in the MAP_GLOBAL value */

static struct arena arena;
static struct irb b;
static struct map_def maps[3];
static struct kfunc kfuncs[4] = {{"bpf_rdonly_cast", 1},
				 {"bpf_cast_to_kern_ctx", 2},
				 {"bpf_dynptr_from_skb", 3},
				 {"bpf_dynptr_slice", 4}};
static int64_t result[64];
static uint32_t ninsn;
static struct bpf_alloc alloc;
/* functions number 1 and 2, which the code of a test calls */
static struct ir_func *functions[3];

static int setup(void **state)
{
	(void)state;
	arena_init(&arena);
	irb_init(&b, &arena, "test");
	memset(result, 0, sizeof(result));
	memset(functions, 0, sizeof(functions));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/*
 * Begins a test's function. As in a unit, the first block only reads the context: ir_expand() adds
 * the look-up of the per-CPU value to a later block.
 */
static void begin(void)
{
	int start = irb_block(&b, "start");

	irb_ctx(&b);
	irb_jmp(&b, start);
	irb_place(&b, start);
}

static void put(unsigned i, int reg)
{
	irb_store(&b, irb_global(&b, RESULTS + 8 * (int64_t)i), 0, 8, reg);
}

/* Returns a register with value @v that the builder cannot fold. */
static int opaque(int64_t v)
{
	int32_t slot = irb_frame(&b, 8);

	irb_store(&b, FRAME, slot, 8, irb_const(&b, v));
	return irb_loadv(&b, FRAME, slot, 8, false);
}

/* Finishes the function, generates its code, runs the code and fetches the results. */
static void run(void)
{
	struct program p = {.map = maps, .nmap = 3, .kfunc = kfuncs, .nkfunc = 4, .nunit = 1};
	struct ir_target t = {.replay = true};
	struct unit u = {.hook = HOOK_RUN, .target = "test"};
	struct diag d = {0};
	struct record_sink k = {0};
	struct ir_unit iru = {0};
	struct ir_func *f;
	struct vm *vm;

	maps[MAP_ID_GLOBAL] = (struct map_def){.kind = MAP_GLOBAL,
					       .name = "global",
					       .key_size = 4,
					       .value_size = 1024,
					       .max_entries = 1};
	maps[MAP_ID_PERCPU] = (struct map_def){.kind = MAP_PERCPU,
					       .name = "percpu",
					       .key_size = 4,
					       .value_size = 1024,
					       .max_entries = 1};
	maps[MAP_ID_RING] = (struct map_def){.kind = MAP_RING,
					     .name = "records",
					     .max_entries = 65536};
	irb_ret(&b);
	ir_prune(b.f);
	ir_check(b.f);
	ir_optimise(b.f);
	vec_apush(&arena, &iru.func, b.f);
	for (int i = 0; functions[i]; i++)
		vec_apush(&arena, &iru.func, functions[i]);
	ir_expand(&iru, &p, &t, 0);
	for (size_t i = 0; i < iru.func.n; i++) {
		ir_tidy(iru.func.v[i]);
		ir_check(iru.func.v[i]);
	}
	f = iru.func.v[0];
	bpf_allocate_registers(&arena, f, &alloc);
	bpf_generate(&arena, &iru, &u.insn, &u.ninsn, &d);
	assert_null(d.nerr ? d.msg : NULL);
	ninsn = u.ninsn;
	p.unit = &u;
	vm = vm_new(&p, VM_CHECKED, &d);
	assert_non_null(vm);
	vm_run(vm, 0, (uint64_t[10]){0}, 10, &k);
	memcpy(result, (char *)vm_globals(vm) + RESULTS, sizeof(result));
	vm_free(vm);
	diag_release(&d);
}

static void test_folds(void **state)
{
	int x = irb_const(&b, 6), y = irb_const(&b, 7), v;
	int64_t c;

	(void)state;
	assert_true(irb_is_const(&b, irb_bin(&b, IR_MUL, x, y), &c) && c == 42);
	assert_true(irb_is_const(&b, irb_ext(&b, irb_const(&b, 0x1ff), 1, true), &c) && c == -1);
	assert_true(irb_is_const(&b, irb_swap(&b, irb_const(&b, 0x0102), 2), &c) && c == 0x0201);
	assert_true(
		irb_is_const(&b, irb_set(&b, CC_ULT, irb_const(&b, 1), irb_const(&b, -1)), &c) &&
		c == 1);
	v = irb_ctx(&b);
	assert_int_equal(irb_bini(&b, IR_ADD, v, 0), v);
	assert_int_equal(irb_load(&b, v, 8, 4, false), irb_load(&b, v, 8, 4, false));
}

static void test_arithmetic(void **state)
{
	int x, y;

	(void)state;
	begin();
	x = opaque(-100);
	y = opaque(7);
	put(0, irb_bin(&b, IR_ADD, x, y));
	put(1, irb_bin(&b, IR_SUB, y, x)); /* y's register may hold the result */
	put(2, irb_bin(&b, IR_MUL, x, y));
	put(3, irb_bin(&b, IR_DIV, y, irb_bini(&b, IR_ADD, y, -5)));
	put(4, irb_bin(&b, IR_SAR, x, y));
	put(5, irb_bini(&b, IR_SHR, x, 60));
	put(6, irb_neg(&b, x));
	put(7, irb_ext(&b, x, 2, false));
	put(8, irb_ext(&b, x, 1, true));
	put(9, irb_swap(&b, y, 4));
	put(10, irb_set(&b, CC_SLT, x, y));
	put(11, irb_set(&b, CC_ULT, x, y));
	put(12, irb_bin(&b, IR_ADD, x, irb_const(&b, 0x123456789abcdef0)));
	run();
	assert_int_equal(result[0], -93);
	assert_int_equal(result[1], 107);
	assert_int_equal(result[2], -700);
	assert_int_equal(result[3], 3);
	assert_int_equal(result[4], -1);
	assert_int_equal(result[5], 15);
	assert_int_equal(result[6], 100);
	assert_int_equal(result[7], 0xff9c);
	assert_int_equal(result[8], -100);
	assert_int_equal(result[9], 0x07000000);
	assert_int_equal(result[10], 1);
	assert_int_equal(result[11], 0);
	assert_int_equal(result[12], 0x123456789abcdef0 - 100);
}

/* A value computed in one arm of a branch is not reused after the arms meet. */
static void test_arms(void **state)
{
	int x, yes = irb_block(&b, "yes"), no = irb_block(&b, "no"), done = irb_block(&b, "done"),
	       v;

	(void)state;
	begin();
	x = opaque(5);
	v = irb_var(&b);
	irb_bri(&b, CC_EQ, x, 6, yes, no);
	irb_place(&b, yes);
	irb_assign(&b, v, irb_bini(&b, IR_MUL, x, 100));
	irb_jmp(&b, done);
	irb_place(&b, no);
	irb_assign(&b, v, irb_bini(&b, IR_ADD, x, 1));
	irb_jmp(&b, done);
	irb_place(&b, done);
	put(0, v);
	put(1, irb_bini(&b, IR_MUL, x, 100));
	run();
	assert_int_equal(result[0], 6);
	assert_int_equal(result[1], 500);
}

/*
 * If an earlier test, or an earlier opposite test, decides the result of a test, the later test is
 * removed.
 */
static void test_decided(void **state)
{
	int x, y1 = irb_block(&b, "y1"), y2 = irb_block(&b, "y2"), no = irb_block(&b, "no");
	int end = irb_block(&b, "end");
	size_t before;

	(void)state;
	begin();
	x = opaque(5);
	irb_bri(&b, CC_NE, x, 0, y1, no);
	irb_place(&b, y1);
	before = b.f->block.v[b.cur]->insn.n;
	irb_bri(&b, CC_EQ, x, 0, no, y2);
	assert_int_equal(b.f->block.v[y1]->insn.v[before].op, IR_JMP);
	assert_int_equal(b.f->block.v[y1]->insn.v[before].t, y2);
	irb_place(&b, y2);
	put(0, irb_const(&b, 1));
	irb_jmp(&b, end);
	irb_place(&b, no);
	put(0, irb_const(&b, 2));
	irb_jmp(&b, end);
	irb_place(&b, end);
	run();
	assert_int_equal(result[0], 1);
}

/*
 * A hundred branches go to distant blocks and back. Most of these jumps are too long for one
 * instruction, so they go through islands (groups of jumps in the middle of the code). Every other
 * instruction has 16 bytes, and no island may be inserted inside it.
 */
static void test_far_jumps(void **state)
{
	int x, sum = irb_var(&b), wide = irb_var(&b), next[100], away[100];

	(void)state;
	begin();
	irb_assign_imm(&b, sum, 0);
	x = opaque(5);
	for (int i = 0; i < 100; i++) {
		next[i] = irb_block(&b, "next");
		away[i] = irb_cold_block(&b, "away");
		irb_bri(&b, i % 3 ? CC_EQ : CC_NE, x, i, away[i], next[i]);
		irb_place(&b, away[i]);
		irb_assign(&b, sum, irb_bini(&b, IR_ADD, sum, 1));
		irb_jmp(&b, next[i]);
		irb_place(&b, next[i]);
		for (int k = 0; k < 400; k++) {
			irb_assign_imm(&b, wide, (int64_t)k << 33);
			irb_assign(&b, sum, irb_bin(&b, IR_ADD, sum, wide));
		}
	}
	put(0, sum);
	run();
	assert_true(ninsn > 3 * 32768);
	/*
	 * The branch is taken for i = 5. It is also taken for the 34 multiples of 3 below 100,
	 * because none of these is 5.
	 */
	assert_int_equal(result[0] & 0xffffffff, 34 + 1);
	assert_int_equal(result[0] >> 33, 100 * (399 * 400 / 2));
}

/*
 * A long function has long jumps to its end, and short jumps that skip one instruction. An island
 * (a group of jumps) may not be inserted between a short jump and its target. Each of the 100 * 250
 * comparisons adds 1 if (5 ^ i) < k.
 */
static void test_far_jumps_over_near_ones(void **state)
{
	int x, sum = irb_var(&b), end = irb_block(&b, "end");

	(void)state;
	begin();
	irb_assign_imm(&b, sum, 0);
	x = opaque(5);
	for (int i = 0; i < 100; i++) {
		int next = irb_block(&b, "next");

		irb_bri(&b, CC_EQ, x, 1000 + i, end, next);
		irb_place(&b, next);
		for (int k = 0; k < 250; k++) {
			int more = irb_set(&b, CC_ULT, irb_bini(&b, IR_XOR, x, i),
					   irb_const(&b, k));

			irb_assign(&b, sum, irb_bin(&b, IR_ADD, sum, more));
		}
	}
	irb_jmp(&b, end);
	irb_place(&b, end);
	put(0, sum);
	run();
	assert_true(ninsn > 2 * 32768);
	for (int64_t i = 0, want = 0; i <= 100; i++) {
		if (i == 100)
			assert_int_equal(result[0], want);
		else
			want += 249 - (5 ^ i);
	}
}

/*
 * Claims a scratch area (memory that one execution of a unit uses for strings) while the areas in
 * the bit mask @given are in use. Expects to get area @number, or -1 if all areas are in use.
 */
static void claim_among(unsigned given, int64_t number)
{
	int busy, n, none = irb_cold_block(&b, "none"), end = irb_block(&b, "end");

	begin();
	busy = irb_global(&b, RESULTS);
	for (int i = 0; i < AREAS; i++)
		irb_storei(&b, busy, 8 * i, 8, given >> i & 1);
	put(AREAS, irb_const(&b, -1));
	n = area_claim(&b, busy, none);
	put(AREAS, n);
	for (int i = 0; i < AREAS; i++)
		put((unsigned)(AREAS + 1 + i), irb_loadv(&b, busy, 8 * i, 8, false));
	irb_storei(&b, area_word(&b, busy, n), 0, 8, 0);
	irb_jmp(&b, end);
	irb_place(&b, none);
	irb_jmp(&b, end);
	irb_place(&b, end);
	run();
	assert_int_equal(result[AREAS], number);
	for (int i = 0; i < AREAS; i++) {
		assert_int_equal(result[i], given >> i & 1);
		if (number >= 0)
			assert_int_equal(result[AREAS + 1 + i], (given >> i & 1) || i == number);
	}
}

static void test_areas(void **state)
{
	for (unsigned given = 0; given < 1 << AREAS; given++) {
		int64_t number = 0;

		while (given >> number & 1)
			number++;
		teardown(state);
		setup(state);
		claim_among(given, number < AREAS ? number : -1);
	}
}

/* Returns a function whose result has its five parameters as decimal digits. */
static struct ir_func *digits_of(void)
{
	int v;

	irb_init(&b, &arena, "digits");
	v = irb_param(&b, 0);
	for (unsigned i = 1; i < 5; i++)
		v = irb_bin(&b, IR_ADD, irb_bini(&b, IR_MUL, v, 10), irb_param(&b, i));
	irb_ret_reg(&b, v);
	return b.f;
}

/*
 * Returns a function that calls digits_of()'s function with its own five parameters, in the order
 * @order.
 */
static struct ir_func *hands_on(const unsigned *order)
{
	struct ir_arg arg[5];
	int param[5];

	irb_init(&b, &arena, "hands on");
	for (unsigned i = 0; i < 5; i++)
		param[i] = irb_param(&b, i);
	for (unsigned i = 0; i < 5; i++)
		arg[i] = (struct ir_arg){ARG_REG, param[order[i]], 0};
	irb_ret_reg(&b, irb_call(&b, IR_LCALL, 1, 5, arg));
	return b.f;
}

/*
 * A call whose arguments are the parameters in another order needs a permutation of registers. It
 * is right even if the permutation has two cycles.
 */
static void test_arguments_in_cycles(void **state)
{
	static const unsigned order[][5] = {{0, 1, 2, 3, 4}, {1, 2, 3, 4, 0}, {1, 0, 3, 2, 4},
					    {1, 0, 3, 4, 2}, {2, 3, 0, 1, 4}, {4, 3, 2, 1, 0},
					    {3, 4, 2, 1, 0}, {1, 1, 0, 4, 3}};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		struct ir_arg one_to_five[5];
		int64_t want = 0;
		struct irb main;

		teardown(state);
		setup(state);
		main = b;
		functions[0] = digits_of();
		functions[1] = hands_on(order[i]);
		b = main;
		begin();
		for (unsigned k = 0; k < 5; k++) {
			one_to_five[k] = (struct ir_arg){ARG_IMM, 0, k + 1};
			want = want * 10 + order[i][k] + 1;
		}
		put(0, irb_call(&b, IR_LCALL, 2, 5, one_to_five));
		run();
		assert_int_equal(result[0], want);
	}
}

/* The program calls twice(), and calls a function that calls twice() two times. */
static void test_functions(void **state)
{
	struct irb main = b;
	struct ir_func *twice, *four;
	int v, x2;

	(void)state;
	irb_init(&b, &arena, "twice");
	v = irb_param(&b, 0);
	irb_ret_reg(&b, irb_bin(&b, IR_ADD, v, v));
	twice = b.f;
	irb_init(&b, &arena, "four times and");
	v = irb_param(&b, 0);
	x2 = irb_param(&b, 1);
	v = irb_call(&b, IR_LCALL, 1, 1, (struct ir_arg[]){{ARG_REG, v, 0}});
	v = irb_call(&b, IR_LCALL, 1, 1, (struct ir_arg[]){{ARG_REG, v, 0}});
	irb_ret_reg(&b, irb_bin(&b, IR_ADD, v, x2));
	four = b.f;
	b = main;
	begin();
	v = opaque(21);
	put(0, irb_call(&b, IR_LCALL, 1, 1, (struct ir_arg[]){{ARG_REG, v, 0}}));
	put(1, irb_call(&b, IR_LCALL, 2, 2, (struct ir_arg[]){{ARG_REG, v, 0}, {ARG_IMM, 0, 7}}));
	put(2, v);
	functions[0] = twice;
	functions[1] = four;
	run();
	assert_int_equal(result[0], 42);
	assert_int_equal(result[1], 4 * 21 + 7);
	assert_int_equal(result[2], 21);
}

/* Thirty values are live across a call, so most of them spill to the stack. */
static void test_spills(void **state)
{
	int v[30], call;

	(void)state;
	begin();
	for (int i = 0; i < 30; i++)
		v[i] = irb_bini(&b, IR_MUL, opaque(i), 3);
	call = irb_call(&b, IR_CALL, 5, 0, NULL);
	put(30, call);
	for (int i = 0; i < 30; i++)
		put((unsigned)i,
		    irb_bin(&b, IR_SUB, irb_bin(&b, IR_SHL, v[i], v[1]), v[(i + 7) % 30]));
	run();
	assert_true(alloc.spilled);
	for (int i = 0; i < 30; i++)
		assert_int_equal(result[i], (int64_t)((uint64_t)(3 * i) << 3) - 3 * ((i + 7) % 30));
}

/*
 * The arguments of a call are in the right registers. Here this is a call of the helper that copies
 * memory.
 */
static void test_call_arguments(void **state)
{
	static const char text[8] = "abcdefg";
	int x, y;
	int32_t from = irb_frame(&b, 8), to = irb_frame(&b, 8);
	uint64_t word;

	(void)state;
	begin();
	memcpy(&word, text, 8);
	irb_store(&b, FRAME, from, 8, irb_const(&b, (int64_t)word));
	irb_storei(&b, FRAME, to, 8, 0);
	x = irb_addr(&b, FRAME, from);
	y = irb_addr(&b, FRAME, to);
	irb_copy(&b, y, 0, x, 2, 4, NOBLOCK);
	put(0, irb_loadv(&b, FRAME, to, 8, false));
	run();
	memcpy(&word, "cdef\0\0\0", 8);
	assert_int_equal(result[0], (int64_t)word);
}

/* Reads of parts of one object in memory become one read, and an unused sum is removed. */
static void test_merges_reads(void **state)
{
	struct strbuf text = {0};
	int p, r[3];

	(void)state;
	begin();
	p = opaque(16);
	r[0] = irb_read(&b, p, 4, 4, false, NOBLOCK);
	r[1] = irb_read(&b, p, 20, 2, false, NOBLOCK);
	r[2] = irb_read(&b, p, 100, 1, false, NOBLOCK);
	irb_bini(&b, IR_ADD, p, 12345);
	put(0, irb_bin(&b, IR_ADD, irb_bin(&b, IR_ADD, r[0], r[1]), r[2]));
	irb_ret(&b);
	ir_optimise(b.f);
	ir_print(b.f, &text);
	assert_non_null(strstr(text.s, "copy [fp"));
	assert_null(strstr(strstr(text.s, "copy [fp") + 1, "copy"));
	assert_null(strstr(text.s, "read"));
	assert_null(strstr(text.s, "12345"));
	strbuf_release(&text);
}

/* Reads through a variable do not merge across an assignment to it. */
static void test_does_not_merge_reads_across_assignment(void **state)
{
	int32_t at = irb_frame(&b, 16);
	int p, x, y;

	(void)state;
	begin();
	irb_storei(&b, FRAME, at, 8, 11);
	irb_storei(&b, FRAME, at + 8, 8, 22);
	p = irb_var(&b);
	irb_assign(&b, p, irb_addr(&b, FRAME, at));
	x = irb_read(&b, p, 0, 8, false, NOBLOCK);
	irb_assign(&b, p, irb_addr(&b, FRAME, at + 8));
	y = irb_read(&b, p, 0, 8, false, NOBLOCK);
	put(0, x);
	put(1, y);
	run();
	assert_int_equal(result[0], 11);
	assert_int_equal(result[1], 22);
}

static void test_stack_limit(void **state)
{
	struct diag d = {0};
	struct ir_unit iru = {0};
	struct insn *insn;
	uint32_t n;

	(void)state;
	irb_frame(&b, 600);
	irb_ret(&b);
	vec_apush(&arena, &iru.func, b.f);
	assert_int_equal(bpf_generate(&arena, &iru, &insn, &n, &d), BPF_STACK_EXCEEDED);
	assert_int_equal(d.nerr, 0);
	/* Scratch memory is in use already, so this is an error. */
	b.f->spill_base = irb_const(&b, 0);
	assert_int_equal(bpf_generate(&arena, &iru, &insn, &n, &d), -1);
	assert_string_equal(d.msg, "the program for 'test' needs 600 bytes of stack; the kernel "
				   "allows 512");
	diag_release(&d);
}

/*
 * Offset of sk in struct sk_buff. Some code reads the socket from argument 1, other code from
 * argument 0, the sk_buff.
 */
enum { SK = 8 };

static int first_argument(void)
{
	begin();
	return irb_load(&b, irb_ctx(&b), 0, 8, false);
}

static bool asks_for_sk(int value)
{
	bool looks;

	if (value)
		put(0, value);
	irb_ret(&b);
	ir_optimise(b.f);
	looks = ir_may_read(b.f, 1, SK, 8);
	irb_init(&b, &arena, "test");
	return looks;
}

static void test_looks_at(void **state)
{
	struct ir_arg arg = {.kind = ARG_REG};
	int skb, var;

	(void)state;
	skb = first_argument();
	assert_true(asks_for_sk(irb_load(&b, skb, SK, 8, false)));
	skb = first_argument();
	assert_true(asks_for_sk(irb_read(&b, skb, SK + 4, 4, false, NOBLOCK)));
	begin();
	assert_true(asks_for_sk(irb_load(&b, irb_ctx(&b), 8, 8, false)));
	skb = first_argument();
	irb_copy(&b, FRAME, irb_frame(&b, 64), skb, 0, 64, NOBLOCK);
	assert_true(asks_for_sk(0));
	skb = first_argument();
	assert_true(asks_for_sk(irb_load(&b, irb_bini(&b, IR_ADD, skb, SK), 0, 8, false)));
	skb = first_argument();
	var = irb_var(&b);
	irb_assign(&b, var, skb);
	assert_true(asks_for_sk(irb_load(&b, var, SK, 8, false)));
	skb = first_argument(); /* once the pointer is stored, any code may read the object */
	assert_true(asks_for_sk(skb));
	arg.reg = first_argument();
	assert_true(asks_for_sk(irb_call(&b, IR_CALL, 1, 1, &arg)));
}

static void test_does_not_look(void **state)
{
	int skb;

	(void)state;
	skb = first_argument();
	assert_false(asks_for_sk(irb_load(&b, skb, SK + 8, 8, false)));
	skb = first_argument();
	assert_false(asks_for_sk(irb_load(&b, skb, SK - 8, 8, false)));
	skb = first_argument(); /* this reads another object at the offset of sk */
	assert_false(asks_for_sk(irb_load(&b, irb_load(&b, skb, 16, 8, false), SK, 8, false)));
	skb = first_argument();
	assert_false(asks_for_sk(irb_set(&b, CC_EQ, skb, irb_const(&b, 7))));
	skb = first_argument();
	assert_false(asks_for_sk(irb_load(&b, irb_skbptr(&b, skb, 0), SK, 8, false)));
	skb = first_argument();
	irb_copy(&b, FRAME, irb_frame(&b, 64), skb, SK + 8, 64, NOBLOCK);
	assert_false(asks_for_sk(0));
	begin(); /* a read whose result is unused does not count */
	irb_load(&b, irb_ctx(&b), 8, 8, false);
	assert_false(asks_for_sk(0));
	begin();
	assert_false(asks_for_sk(irb_load(&b, irb_ctx(&b), 16, 8, false)));
}

/*
 * Makes code that asks a helper which probe fires. The code uses the answer in block @yes and, if
 * @elsewhere is set, in another block. Optimises the code, and returns the block that then contains
 * the call.
 */
static int asks_in(int yes, bool elsewhere)
{
	int no = irb_block(&b, "no"), end = irb_block(&b, "end"), answer, at = -1;

	answer = irb_call(&b, IR_PURECALL, HELPER_get_attach_cookie, 1,
			  (struct ir_arg[]){{ARG_REG, irb_ctx(&b), 0}});
	answer = irb_bini(&b, IR_ADD, answer, 5);
	irb_bri(&b, CC_EQ, opaque(1), 1, yes, no);
	irb_push(&b);
	irb_place(&b, yes);
	put(0, irb_bini(&b, IR_MUL, answer, 3));
	irb_jmp(&b, end);
	irb_pop(&b);
	irb_place(&b, no);
	if (elsewhere)
		put(1, answer);
	irb_jmp(&b, end);
	irb_place(&b, end);
	irb_ret(&b);
	ir_prune(b.f);
	ir_optimise(b.f);
	ir_check(b.f);
	for (size_t i = 0; i < b.f->order.n; i++) {
		const struct ir_block *blk = b.f->block.v[b.f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op == IR_PURECALL)
				at = b.f->order.v[i];
	}
	return at;
}

static void test_asks_late(void **state)
{
	int yes = irb_block(&b, "yes");

	(void)state;
	assert_int_equal(asks_in(yes, false), yes);
	begin();
	yes = irb_block(&b, "yes");
	assert_int_not_equal(asks_in(yes, true), yes);
}

/*
 * The message of an internal error has the path of the source file in the tree, and the line. If
 * ccache's base_dir is set, the path is relative to the build folder.
 */
static void test_internal_error(void **state)
{
	static const char before[] = "dtrace: internal error at ", file[] = "ir/build.c:";
	char said[200] = {0}, *path = said + strlen(before);
	int fd[2], status;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	child = fork();
	if (!child) {
		dup2(fd[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		irb_place(&b, 0); /* already placed */
		_exit(0);
	}
	close(fd[1]);
	assert_true(read(fd[0], said, sizeof(said) - 1) > 0);
	close(fd[0]);
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status));
	assert_memory_equal(said, before, strlen(before));
	assert_int_not_equal(*path, '/');
	assert_ptr_equal(strstr(path, file), strchr(path, ':') - strlen(file) + 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_folds),         TEST(test_arithmetic),
		TEST(test_arms),          TEST(test_decided),
		TEST(test_spills),        TEST(test_call_arguments),
		TEST(test_merges_reads),  TEST(test_does_not_merge_reads_across_assignment),
		TEST(test_stack_limit),   TEST(test_looks_at),
		TEST(test_does_not_look), TEST(test_internal_error),
		TEST(test_far_jumps),     TEST(test_far_jumps_over_near_ones),
		TEST(test_asks_late),     TEST(test_functions),
		TEST(test_areas),         TEST(test_arguments_in_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
