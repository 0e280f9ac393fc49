/*
 * test_backup.c - checks that a unit and its backup together act on each event once, wherever an
 * interrupt with events of its own comes.
 *
 * The test runs both programs in an interpreter. Before each instruction, an interrupt may come.
 * The model of the kernel is that of __bpf_trace_run() (kernel/trace/bpf_trace.c): it runs the unit
 * and then the backup, and skips a program that is already running.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/units.h"
#include "engine/vm/isa.h"
#include "ir/bpf/bpf.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "tests/check.h"
#include "tests/unit/fake_machine.h"

/*
 * Offsets in the MAP_PERCPU value: the counter that stands for the user's clause, and the address
 * of the unit's counter.
 */
enum { COUNTER = sizeof(struct percpu), BUSY = COUNTER + 8, PERCPU_SIZE = BUSY + 8 };

enum { DEPTH_MAX = 4 };

/* The ends of two stacks. */
#define TASK_STACK 0xffffc90000014000
#define IRQ_STACK 0xffffc90000024000

/* The address of the unit's counter. */
#define UNIT_ACTIVE 0xffff888000001000

struct prog {
	struct insn *insn;
	uint32_t ninsn;
	unsigned active; /* as prog->active of the kernel, for one CPU */
	uint64_t misses;
};

/* One CPU of the model. */
static struct {
	uint64_t percpu[PERCPU_SIZE / 8];
	struct prog unit, backup;
	uint32_t rarity;  /* an interrupt comes before one in so many instructions */
	uint32_t longest; /* maximum number of events in an interrupt */
	unsigned depth;
	unsigned acted; /* how often programs have acted on the current event */
	uint64_t random, events, lost, saved;
} cpu;

static uint32_t below(uint32_t n)
{
	cpu.random = cpu.random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(cpu.random >> 33) % n;
}

/* ------------------------------------------------------------------- the interpreter */

static void interrupt(uint64_t sp);

/* Returns the memory at address @at of the model. Only the counter has an address as in the kernel.
 */
static void *memory(uint64_t at)
{
	return at == UNIT_ACTIVE ? (void *)&cpu.unit.active : (void *)(uintptr_t)at;
}

static uint64_t load(uint64_t at, unsigned code)
{
	uint64_t v = 0;

	memcpy(&v, memory(at), isa_bytes(code));
	return v;
}

static void store(uint64_t at, unsigned code, uint64_t v)
{
	memcpy(memory(at), &v, isa_bytes(code));
}

static uint64_t compute(unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case ADD:
		return a + b;
	case SUB:
		return a - b;
	case AND:
		return a & b;
	case XOR:
		return a ^ b;
	case LSH:
		return a << (b & 63);
	case RSH:
		return a >> (b & 63);
	case MOV:
		return b;
	default:
		fail_msg("operation %u is missing in the interpreter", op);
		return 0;
	}
}

static bool jumps(unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case JA:
		return true;
	case JEQ:
		return a == b;
	case JNE:
		return a != b;
	case JGT:
		return a > b;
	case JGE:
		return a >= b;
	case JLT:
		return a < b;
	case JLE:
		return a <= b;
	default:
		fail_msg("jump %u is missing in the interpreter", op);
		return false;
	}
}

/* Calls a kernel helper with the registers @r. */
static void call(int helper, uint64_t *r)
{
	switch (helper) {
	case HELPER_map_lookup_elem:
		r[0] = (uint64_t)(uintptr_t)cpu.percpu;
		break;
	case HELPER_probe_read_kernel:
		memcpy(memory(r[1]), memory(r[3]), r[2]);
		r[0] = 0;
		break;
	default:
		fail_msg("helper %d is missing in the interpreter", helper);
	}
}

/* Runs @p for the event with the context at @ctx, and may interrupt it before each instruction. */
static void execute(const struct prog *p, uint64_t ctx)
{
	uint64_t frame[64], r[11] = {[1] = ctx, [10] = (uint64_t)(uintptr_t)(frame + 64)};
	unsigned acted = cpu.acted;

	for (uint32_t pc = 0;; pc++) {
		const struct insn *i = &p->insn[pc];
		uint64_t b = i->code & SRC_X ? r[i->src] : (uint64_t)(int64_t)i->imm;
		unsigned op = isa_op(i->code);

		cpu.acted = acted;
		interrupt(ctx);
		cpu.acted = acted;
		assert_true(pc < p->ninsn);
		switch (isa_class(i->code)) {
		case CL_LD:
			r[i->dst] = (uint64_t)i->imm; /* the number of a map */
			pc++;
			break;
		case CL_LDX:
			r[i->dst] = load(r[i->src] + (uint64_t)i->off, i->code);
			break;
		case CL_ST:
			store(r[i->dst] + (uint64_t)i->off, i->code, (uint64_t)(int64_t)i->imm);
			break;
		case CL_STX:
			if (isa_mode(i->code) == MODE_ATOMIC) {
				uint64_t at = r[i->dst] + (uint64_t)i->off;

				assert_int_equal(i->imm, ATOMIC_ADD);
				store(at, i->code, load(at, i->code) + r[i->src]);
				acted += at == (uint64_t)(uintptr_t)&cpu.percpu[COUNTER / 8];
			} else {
				store(r[i->dst] + (uint64_t)i->off, i->code, r[i->src]);
			}
			break;
		case CL_ALU64:
			r[i->dst] = compute(op, r[i->dst], b);
			break;
		case CL_ALU:
			r[i->dst] = (uint32_t)compute(op, (uint32_t)r[i->dst], (uint32_t)b);
			break;
		case CL_JMP:
			if (op == JMP_EXIT) {
				cpu.acted = acted;
				return;
			}
			if (op == JMP_CALL) {
				if (i->src == INSN_KFUNC)
					r[0] = r[1]; /* bpf_rdonly_cast() */
				else
					call(i->imm, r);
			} else if (jumps(op, r[i->dst], b)) {
				pc += (uint32_t)(int32_t)i->off;
			}
			break;
		default:
			fail_msg("instruction %02x is missing in the interpreter", i->code);
		}
	}
}

/* ------------------------------------------------------------------- the kernel */

/* Returns whether the kernel ran @p for the event. */
static bool run(struct prog *p, uint64_t ctx)
{
	if (p->active) {
		p->misses++;
		return false;
	}
	p->active = 1;
	execute(p, ctx);
	p->active = 0;
	return true;
}

/*
 * An event, whose context is somewhere below @sp. Checks that programs act on it as often as they
 * must.
 */
static void event(uint64_t sp)
{
	uint64_t ctx = sp - 64 - 8 * below(100);
	bool by_unit, by_backup;

	cpu.events++;
	cpu.acted = 0;
	by_unit = run(&cpu.unit, ctx);
	assert_int_equal(cpu.acted, by_unit);
	interrupt(ctx);
	cpu.acted = by_unit;
	by_backup = run(&cpu.backup, ctx) && cpu.percpu[BUSY / 8];
	assert_int_equal(cpu.acted, by_unit || by_backup);
	cpu.lost += !by_unit && !by_backup;
	cpu.saved += !by_unit && by_backup;
}

/*
 * An interrupt may come, while the stack is used down to @sp. The first one uses the CPU's stack
 * for interrupts, and further ones go on there. Each event has another path, and so another
 * context.
 */
static void interrupt(uint64_t sp)
{
	if (cpu.depth == DEPTH_MAX || below(cpu.rarity))
		return;
	sp = cpu.depth ? sp - 256 : IRQ_STACK;
	cpu.depth++;
	for (uint32_t n = 1 + below(below(4) ? 3 : cpu.longest); n; n--)
		event(sp - 8 * below(200));
	cpu.depth--;
}

/* ------------------------------------------------------------------- the tests */

static struct arena arena;

/*
 * Begins a program. As in a unit, the first block only reads the context: ir_expand() adds the
 * look-up of the per-CPU value to a later block.
 */
static void begin(struct irb *b, const char *name)
{
	int start;

	irb_init(b, &arena, name);
	start = irb_block(b, "start");
	irb_ctx(b);
	irb_jmp(b, start);
	irb_place(b, start);
}

/* Ends a program, and generates its code in the steps of compiler/code/units/encode.c. */
static void generate(struct prog *p, struct irb *b)
{
	struct map_def maps[] =
		{[MAP_ID_GLOBAL] = {.kind = MAP_GLOBAL, .name = "global", .key_size = 4},
		 [MAP_ID_PERCPU] = {.kind = MAP_PERCPU,
				    .name = "percpu",
				    .key_size = 4,
				    .value_size = PERCPU_SIZE},
		 [MAP_ID_RING] = {.kind = MAP_RING, .name = "records", .max_entries = 4096}};
	struct kfunc kfuncs[] = {{"bpf_rdonly_cast", 1}};
	struct program program = {.map = maps, .nmap = 3, .kfunc = kfuncs, .nkfunc = 1};
	struct ir_target target = {.rdonly_cast = true};
	struct ir_unit unit = {0};
	struct diag d = {0};

	irb_ret(b);
	ir_prune(b->f);
	ir_check(b->f);
	ir_optimise(b->f);
	vec_apush(&arena, &unit.func, b->f);
	ir_expand(&unit, &program, &target, 0);
	assert_int_equal(unit.func.n, 1);
	ir_thread_jumps(b->f);
	ir_tidy(b->f);
	ir_check(b->f);
	assert_int_equal(bpf_generate(&arena, &unit, &p->insn, &p->ninsn, &d), 0);
}

/* Makes both programs. @counter is the argument of enter_backup(). */
static int make_programs(uint32_t counter)
{
	struct irb b;
	int off;

	arena_init(&arena);
	memset(&cpu, 0, sizeof(cpu));
	begin(&b, "unit");
	irb_count(&b, COUNTER);
	generate(&cpu.unit, &b);
	begin(&b, "backup");
	off = irb_block(&b, "off");
	enter_backup(&b, BUSY, counter, off);
	irb_count(&b, COUNTER);
	irb_jmp(&b, off);
	irb_place(&b, off);
	generate(&cpu.backup, &b);
	return 0;
}

/* The backup reads the counter through a pointer. */
static int setup(void **state)
{
	(void)state;
	return make_programs(1);
}

/* Linux 6.1 has no bpf_rdonly_cast(), so the backup calls a helper to read the counter. */
static int setup_without_cast(void **state)
{
	(void)state;
	return make_programs(0);
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* Runs some events of a process, and checks the counts that dtrace reports. */
static void check(uint32_t rarity, uint32_t longest, uint32_t n)
{
	const struct percpu *p = (struct percpu *)cpu.percpu;

	cpu.rarity = rarity;
	cpu.longest = longest;
	for (uint32_t i = 0; i < n; i++)
		event(TASK_STACK - 8 * below(500));
	assert_int_equal(cpu.percpu[COUNTER / 8], cpu.events - cpu.lost);
	assert_int_equal(p->backup_runs, cpu.saved);
	assert_int_equal(cpu.unit.misses - p->backup_runs, cpu.lost);
	assert_true(cpu.saved > n / 1000);
}

static void know_counter(void)
{
	cpu.percpu[BUSY / 8] = UNIT_ACTIVE;
}

static void test_few_events_in_an_interrupt(void **state)
{
	(void)state;
	know_counter();
	check(50, 1, 20000);
}

/* An interrupt may deliver hundreds of packets. */
static void test_hundreds_of_events_in_an_interrupt(void **state)
{
	(void)state;
	know_counter();
	check(300, 300, 5000);
}

static void test_rare_interrupts(void **state)
{
	(void)state;
	know_counter();
	check(3000, 300, 50000);
}

static void test_without_cast(void **state)
{
	(void)state;
	know_counter();
	check(50, 10, 20000);
}

/* If the engine does not know where the kernel counts, events that the kernel skips are missed. */
static void test_without_counter(void **state)
{
	(void)state;
	cpu.rarity = 50;
	cpu.longest = 10;
	for (uint32_t i = 0; i < 20000; i++)
		event(TASK_STACK - 8 * below(500));
	assert_int_equal(cpu.saved, 0);
	assert_int_equal(((struct percpu *)cpu.percpu)->backup_runs, 0);
	assert_int_equal(cpu.percpu[COUNTER / 8], cpu.events - cpu.unit.misses);
	assert_true(cpu.unit.misses > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_few_events_in_an_interrupt, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hundreds_of_events_in_an_interrupt, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_rare_interrupts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_cast, setup_without_cast, teardown),
		cmocka_unit_test_setup_teardown(test_without_counter, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
