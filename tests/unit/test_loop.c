/*
 * test_loop.c - checks the results of loops in IR, in the checked virtual machine and, if the test
 * may load programs, in the kernel.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "ir/bpf/bpf.h"
#include "engine/kernel/bpf.h"
#include "engine/vm/vm.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "tests/check.h"

static struct arena arena;
static struct irb b;
static struct ir_unit unit;
static struct insn *insn;
static uint32_t ninsn;

static int setup(void **state)
{
	(void)state;
	arena_init(&arena);
	memset(&unit, 0, sizeof(unit));
	irb_init(&b, &arena, "test");
	vec_apush(&arena, &unit.func, b.f);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static uint64_t in_machine(void)
{
	static struct map_def maps[3] = {[MAP_ID_GLOBAL] = {.kind = MAP_GLOBAL,
							    .name = "global",
							    .key_size = 4,
							    .value_size = 1024,
							    .max_entries = 1},
					 [MAP_ID_PERCPU] = {.kind = MAP_PERCPU,
							    .name = "percpu",
							    .key_size = 4,
							    .value_size = 1024,
							    .max_entries = 1},
					 [MAP_ID_RING] = {.kind = MAP_RING,
							  .name = "records",
							  .max_entries = 65536}};
	struct unit u = {.hook = HOOK_RUN, .target = "test", .insn = insn, .ninsn = ninsn};
	struct program p = {.map = maps, .nmap = 3, .nunit = 1, .unit = &u};
	struct diag d = {0};
	struct record_sink k = {0};
	struct vm *vm = vm_new(&p, VM_CHECKED, &d);
	uint64_t r;

	assert_non_null(vm);
	r = vm_run(vm, 0, (uint64_t[1]){0}, 1, &k);
	vm_free(vm);
	return r;
}

/*
 * Runs the program in the kernel, if the test may load programs, and checks that it returns @want.
 * The code needs no change, because the kernel marks local calls in the same way as our machine.
 */
static void in_kernel(uint64_t want)
{
	static char log[1 << 20];
	struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
				   .insn = insn,
				   .ninsn = ninsn};
	union bpf_attr attr;
	int fd = kbpf_prog_load("loop", &s, NULL, 0);

	memset(&attr, 0, sizeof(attr));
	if (fd == -EPERM || fd == -EACCES || fd == -ENOSYS)
		return; /* the test may not load programs, or the kernel has no BPF */
	if (fd < 0) {
		kbpf_prog_load("loop", &s, log, sizeof(log));
		fprintf(stderr, "%s\n", log + (strlen(log) > 2000 ? strlen(log) - 2000 : 0));
	}
	assert_true(fd >= 0);
	attr.test.prog_fd = (uint32_t)fd;
	assert_int_equal(syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)), 0);
	assert_int_equal(attr.test.retval, (uint32_t)want);
	close(fd);
}

/* Ends the first function, which returns register @v. Checks that the program returns @want. */
static void expect(int v, uint64_t want)
{
	struct diag d = {0};

	irb_ret_reg(&b, v);
	for (size_t i = 0; i < unit.func.n; i++) {
		ir_tidy(unit.func.v[i]);
		ir_check(unit.func.v[i]);
	}
	assert_int_equal(bpf_generate(&arena, &unit, &insn, &ninsn, &d), 0);
	assert_int_equal(in_machine(), want);
	in_kernel(want);
}

/* Returns a register with value @v that the builder cannot fold. */
static int opaque(int64_t v)
{
	int32_t slot = irb_frame(&b, 8);

	irb_store(&b, FRAME, slot, 8, irb_const(&b, v));
	return irb_loadv(&b, FRAME, slot, 8, false);
}

static int variable(int64_t v)
{
	int var = irb_var(&b);

	irb_assign_imm(&b, var, v);
	return var;
}

/* Adds 0, 3, 6 ... 99 to 7. The step is 3, so no value of the counter equals the bound 100. */
static void test_sum(void **state)
{
	struct irb_loop l;
	int sum = variable(7), i;

	(void)state;
	i = irb_loop(&b, &l, 100, 3);
	irb_update(&b, IR_ADD, sum, i);
	irb_loop_end(&b, &l);
	expect(sum, 7 + 3 * (33 * 34 / 2));
}

/*
 * Computes the length of a text on the stack. The bytes are stored at fixed offsets, and the loop
 * reads them at computed offsets.
 */
static void test_strlen(void **state)
{
	static const char text[64] = "The length of a text whose end the program must search for.";
	struct irb_loop l;
	int at, c, more = irb_block(&b, "more"), i, len = variable(64);
	int32_t slot = irb_frame(&b, sizeof(text));
	int64_t word;

	(void)state;
	for (int k = 0; k < 64; k += 8) {
		memcpy(&word, text + k, 8);
		irb_store(&b, FRAME, slot + k, 8, irb_const(&b, word));
	}
	at = irb_addr(&b, FRAME, slot);
	i = irb_loop(&b, &l, sizeof(text), 1);
	c = irb_loadv(&b, irb_bin(&b, IR_ADD, at, i), 0, 1, false);
	irb_assign(&b, len, i);
	irb_bri(&b, CC_EQ, c, 0, l.done, more);
	irb_place(&b, more);
	irb_loop_end(&b, &l);
	expect(len, strlen(text));
}

/*
 * A value computed before the loop is still right in the last round, when many other values are
 * spilled.
 */
static void test_values_from_before(void **state)
{
	struct irb_loop l;
	int v[20], sum = variable(0);
	uint64_t want = 0;

	(void)state;
	for (int k = 0; k < 20; k++)
		v[k] = irb_bini(&b, IR_MUL, opaque(k), 3);
	irb_loop(&b, &l, 5, 1);
	for (int k = 0; k < 20; k++) {
		int x = irb_bin(&b, IR_XOR, v[k], v[(k + 7) % 20]);

		irb_update(&b, IR_ADD, sum, irb_bin(&b, IR_ADD, x, l.i));
	}
	irb_loop_end(&b, &l);
	irb_update(&b, IR_ADD, sum, v[19]);
	for (uint64_t i = 0; i < 5; i++)
		for (uint64_t k = 0; k < 20; k++)
			want += ((3 * k) ^ (3 * ((k + 7) % 20))) + i;
	expect(sum, want + 57);
}

/*
 * Computes Fibonacci numbers. The variables keep their values from round to round, although each
 * round has a call.
 */
static void test_calls_in_rounds(void **state)
{
	struct irb_loop l;
	int x = variable(0), y = variable(1), next;

	(void)state;
	irb_loop(&b, &l, 40, 1);
	irb_call(&b, IR_CALL, HELPER_ktime_get_ns, 0, NULL);
	next = irb_bin(&b, IR_ADD, x, y);
	irb_assign(&b, x, y);
	irb_assign(&b, y, next);
	irb_loop_end(&b, &l);
	expect(x, 102334155);
}

/*
 * Adds up the numbers 5, 13, 21 ... 53. Rounds with other numbers end early (a jump to the next
 * round), and 61, the next in this sequence, ends the loop.
 */
static void test_next_and_done(void **state)
{
	struct irb_loop l;
	int i, sum = variable(0), digit, five = irb_block(&b, "five"),
	       on = irb_cold_block(&b, "on");

	(void)state;
	i = irb_loop(&b, &l, 100, 1);
	digit = irb_bini(&b, IR_AND, i, 7);
	irb_bri(&b, CC_EQ, digit, 5, on, l.next);
	irb_place(&b, on);
	irb_bri(&b, CC_UGE, i, 57, l.done, five);
	irb_place(&b, five);
	irb_update(&b, IR_ADD, sum, i);
	irb_loop_end(&b, &l);
	expect(sum, 5 + 13 + 21 + 29 + 37 + 45 + 53);
}

/* The result of a test in one round is not reused in the next. */
static void test_conditions_change(void **state)
{
	struct irb_loop l;
	int x = variable(1), even = variable(0), odd = variable(0), bit;
	int yes = irb_block(&b, "yes"), no = irb_block(&b, "no");

	(void)state;
	irb_loop(&b, &l, 10, 1);
	bit = irb_bini(&b, IR_AND, irb_value(&b, x), 1);
	irb_bri(&b, CC_EQ, bit, 0, yes, no);
	irb_place(&b, yes);
	irb_updatei(&b, IR_ADD, even, 1);
	irb_updatei(&b, IR_SHR, x, 1);
	irb_jmp(&b, l.next);
	irb_place(&b, no);
	irb_updatei(&b, IR_ADD, odd, 1);
	irb_updatei(&b, IR_MUL, x, 3);
	irb_updatei(&b, IR_ADD, x, 1);
	irb_loop_end(&b, &l);
	/* x takes the values 1 4 2 1 4 2 1 4 2 1. */
	expect(irb_bin(&b, IR_ADD, irb_bini(&b, IR_MUL, even, 100), odd), 604);
}

/* Runs two loops one after the other, in a function that is called twice. */
static void test_in_a_function(void **state)
{
	struct irb main = b;
	struct irb_loop l;
	int n, sum, v;

	(void)state;
	irb_init(&b, &arena, "sums");
	vec_apush(&arena, &unit.func, b.f);
	n = irb_param(&b, 0);
	sum = variable(0);
	for (int k = 0; k < 2; k++) {
		int on = irb_block(&b, "on"), i = irb_loop(&b, &l, 50, 1);

		irb_br(&b, CC_UGT, i, n, l.done, on);
		irb_place(&b, on);
		irb_update(&b, IR_ADD, sum, i);
		irb_loop_end(&b, &l);
	}
	irb_ret_reg(&b, sum);
	b = main;
	v = irb_call(&b, IR_LCALL, 1, 1, (struct ir_arg[]){{ARG_IMM, 0, 10}});
	n = irb_call(&b, IR_LCALL, 1, 1, (struct ir_arg[]){{ARG_IMM, 0, 20}});
	expect(irb_bin(&b, IR_ADD, irb_bini(&b, IR_MUL, v, 1000), n), 110000 + 420);
}

/*
 * The loop is too long for one jump, so the jump back goes through islands (groups of jumps) inside
 * the loop.
 */
static void test_far(void **state)
{
	struct irb_loop l;
	int sum = variable(0), i, wide;

	(void)state;
	i = irb_loop(&b, &l, 3, 1);
	for (int k = 0; k < 12000; k++) {
		wide = variable((int64_t)k << 33);
		irb_update(&b, IR_ADD, sum, irb_bini(&b, IR_SHR, wide, 33));
	}
	irb_update(&b, IR_ADD, sum, i);
	irb_loop_end(&b, &l);
	expect(sum, 3 * (11999ull * 12000 / 2) + 3);
	assert_true(ninsn > 36000);
}

/* A loop that never repeats is removed. */
static void test_never_round(void **state)
{
	struct irb_loop l;
	struct ir_loops found;
	int sum = variable(5);

	(void)state;
	irb_loop(&b, &l, 3, 1);
	irb_updatei(&b, IR_ADD, sum, 1);
	irb_jmp(&b, l.done);
	irb_loop_end(&b, &l);
	expect(sum, 6);
	ir_find_loops(b.f, &found);
	assert_int_equal(found.n, 0);
	vec_free(&found);
}

/* ------------------------------------------------------------------ mistakes */

static void nested(void)
{
	struct irb_loop l, in;

	irb_loop(&b, &l, 3, 1);
	irb_loop(&b, &in, 3, 1);
}

static void endless(void)
{
	int again = irb_block(&b, "again");

	irb_jmp(&b, again);
	irb_place(&b, again);
	irb_jmp(&b, again);
	ir_check(b.f);
}

static void assigned_late(void)
{
	struct irb_loop l;
	int last = irb_var(&b), sum = variable(0);

	irb_loop(&b, &l, 3, 1);
	irb_update(&b, IR_ADD, sum, last);
	irb_assign(&b, last, l.i);
	irb_loop_end(&b, &l);
	irb_ret_reg(&b, sum);
	ir_check(b.f);
}

static void says(void (*fn)(void), const char *what)
{
	char said[200] = {0};
	int fd[2], status;
	pid_t child;

	assert_int_equal(pipe(fd), 0);
	child = fork();
	if (!child) {
		dup2(fd[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		fn();
		_exit(0);
	}
	close(fd[1]);
	while (read(fd[0], said + strlen(said), sizeof(said) - 1 - strlen(said)) > 0)
		;
	close(fd[0]);
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status));
	assert_non_null(strstr(said, what));
}

static void test_mistakes(void **state)
{
	(void)state;
	says(nested, "a loop within a loop");
	says(endless, "jump back to b1");
	says(assigned_late, "used before it is assigned");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_sum),
		TEST(test_strlen),
		TEST(test_values_from_before),
		TEST(test_calls_in_rounds),
		TEST(test_next_and_done),
		TEST(test_conditions_change),
		TEST(test_in_a_function),
		TEST(test_far),
		TEST(test_never_round),
		TEST(test_mistakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
