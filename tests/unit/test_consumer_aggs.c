/*
 * test_consumer_aggs.c - whole runs on a fake source. Checks how aggregations and their keys are
 * printed, and what clear() and trunc() do.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "consumer/symbols/ksyms.h"
#include "tests/check.h"
#include "tests/unit/fake_source.h"

/* -------------------------------------------------------------- aggregations */

static struct field two_keys[] = {{.kind = FIELD_STRING, .off = 4, .size = 20},
				  {.kind = FIELD_UINT, .off = 24, .size = 2}};
static struct field one_string[] = {{.kind = FIELD_STRING, .off = 4, .size = 20}};
static struct field one_port[] = {{.kind = FIELD_UINT, .off = 4, .size = 2}};

/* Gives aggregation 0 keys, as in @a[key ...] = fn(). */
static void keyed(enum agg_fn fn, struct field *key, uint32_t nkey, uint32_t key_size)
{
	uint32_t size = agg_fns[fn]->size(NULL);

	aggs[0] = (struct agg_info){.name = "a",
				    .kind = {.fn = fn, .value_size = size},
				    .key = key,
				    .nkey = nkey,
				    .key_size = key_size,
				    .map = MAP_ID_FIRST_OTHER};
	prog.nagg = 1;
	maps[MAP_ID_FIRST_OTHER].value_size = size;
	fake.value_size = size;
}

/*
 * Makes aggregation @i an aggregation without keys, with 32 bytes of the per-CPU value. Returns its
 * value on CPU @cpu.
 */
static int64_t *unkeyed(uint32_t i, enum agg_fn fn, int cpu)
{
	uint32_t off = sizeof(struct percpu) + 32 * i;

	aggs[i] = (struct agg_info){.index = i,
				    .name = "u",
				    .kind = {.fn = fn, .value_size = agg_fns[fn]->size(NULL)},
				    .map = -1,
				    .off = off};
	if (prog.nagg <= i)
		prog.nagg = i + 1;
	return (int64_t *)(void *)(fake.percpu[cpu] + off);
}

static uint32_t *generation(uint32_t agg)
{
	return (uint32_t *)(void *)(fake.globals + GLOBAL_GEN_OFF) + agg;
}

static struct entry *add_entry(uint32_t gen)
{
	struct entry *e = &fake.entry[fake.nentry++];

	assert_true(fake.nentry <= KEYS);
	memset(e, 0, sizeof(*e));
	memcpy(e->key, &gen, sizeof(gen));
	return e;
}

static void put_ip4(struct entry *e, uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	uint32_t tag = DSTR_IP4;

	memcpy(e->key + 4, &tag, 4);
	memcpy(e->key + 8, (uint8_t[]){a, b, c, d}, 4);
}

static struct entry *add_port(uint32_t gen, uint16_t port, int64_t v0, int64_t v1)
{
	struct entry *e = add_entry(gen);

	memcpy(e->key + 4, &port, sizeof(port));
	e->val[0][0] = v0;
	e->val[1][0] = v1;
	return e;
}

static void test_nothing_to_print(void **state)
{
	(void)state;
	unkeyed(0, AGG_COUNT, 0);
	unkeyed(1, AGG_MIN, 0);
	runs(true, 0, "\n", "");
}

static void test_unkeyed(void **state)
{
	(void)state;
	unkeyed(0, AGG_COUNT, 0)[0] = 40;
	unkeyed(0, AGG_COUNT, 1)[0] = 2;
	unkeyed(1, AGG_MAX, 1)[0] = 1;
	unkeyed(1, AGG_MAX, 1)[1] = -3;
	signals = 1;
	runs(false, 0, "\n\n               42\n               -3\n", "");
}

/*
 * The address in a key may be recorded in binary, interned or as text. All three are the same key.
 */
static void test_string_keys(void **state)
{
	struct entry *e;
	uint32_t intern[2] = {DSTR_INTERN, 1};

	(void)state;
	keyed(AGG_COUNT, one_string, 1, 24);
	for (int i = 0; i < 5; i++) {
		e = add_entry(0);
		put_ip4(e, (uint8_t[]){87, 186, 40, 92, 192}[i], 0, 2, 1);
		e->val[i % 2][0] = i == 3 ? 367 : 1;
	}
	e = add_entry(0);
	memcpy(e->key + 4, intern, sizeof(intern));
	e->val[0][0] = 1;
	e = add_entry(0);
	memcpy(e->key + 8, "192.0.2.1", 9);
	e->val[1][0] = 1;
	runs(true, 0,
	     "\n"
	     "  186.0.2.1                                                         1\n"
	     "  40.0.2.1                                                          1\n"
	     "  87.0.2.1                                                          1\n"
	     "  192.0.2.1                                                         3\n"
	     "  92.0.2.1                                                        367\n",
	     "");
}

static void test_two_keys(void **state)
{
	struct entry *e;

	(void)state;
	keyed(AGG_COUNT, two_keys, 2, 28);
	e = add_entry(0);
	put_ip4(e, 92, 26, 12, 92);
	memcpy(e->key + 24, &(uint16_t){4000}, 2);
	e->val[0][0] = 4;
	e = add_entry(0);
	put_ip4(e, 49, 88, 112, 75);
	memcpy(e->key + 24, &(uint16_t){22}, 2);
	e->val[1][0] = 1;
	runs(true, 0,
	     "\n"
	     "  49.88.112.75                                          22                1\n"
	     "  92.26.12.92                                         4000                4\n",
	     "");
}

/* ------------------------------------------------------------------ stacks */

/*
 * Members of the key of @a[stack(2), port]. The output leaves out the first frames of the stack,
 * which belong to the tracer.
 */
static struct field stack_and_port[] = {{.kind = FIELD_STACK, .off = 8, .size = 48},
					{.kind = FIELD_UINT, .off = 56, .size = 2}};

static void add_stack(uint16_t port, int64_t n, const uint64_t addr[5])
{
	struct entry *e = add_entry(0);
	struct stack_slot slot = {2, 1};

	memcpy(e->key + 8, &slot, sizeof(slot));
	memcpy(e->key + 16, addr, 40);
	memcpy(e->key + 56, &port, sizeof(port));
	e->val[0][0] = n;
}

/* Sets the symbol table that names the addresses. The consumer frees the table. */
static void symbols(const char *text)
{
	static char path[32];
	static int fd = -1;

	if (fd >= 0)
		close(fd);
	fd = memfd_create("kallsyms", MFD_CLOEXEC);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ksyms_forget(path);
}

static void test_stack_keys(void **state)
{
	(void)state;
	keyed(AGG_COUNT, stack_and_port, 2, 64);
	add_stack(7, 1, (uint64_t[]){0x9010, 0x1010, 0x2010, 0x3010, 0x4010});
	add_stack(7, 2, (uint64_t[]){0x9020, 0x1010, 0x1510, 0x2010, 0x3010});
	add_stack(8, 5, (uint64_t[]){0x9010, 0x1010, 0x2010, 0x3010, 0x4010});
	add_stack(8, 4, (uint64_t[5]){0x2000});
	add_stack(8, 9, (uint64_t[5]){0});
	symbols("1000 T bpf_trace_run1\n1500 t __traceiter_x\n2000 T drop\n3000 t receive\t[net]\n"
		"4000 T poll\n9000 t bpf_prog_1_dt_x\t[bpf]\n");
	runs(true, 0,
	     "\n\n"
	     "              vmlinux`drop+0x10\n              net`receive+0x10\n     7              "
	     "  3\n"
	     "\n              vmlinux`drop\n     8                4\n"
	     "\n              vmlinux`drop+0x10\n              net`receive+0x10\n     8            "
	     "    5\n"
	     "\n     8                9\n",
	     "");
	opts.stackindent = 1;
	symbols("");
	runs(true, 0,
	     "\n\n0x9010\n0x1010\n     7                1\n"
	     "\n0x9020\n0x1010\n     7                2\n"
	     "\n0x2000\n     8                4\n"
	     "\n0x9010\n0x1010\n     8                5\n"
	     "\n     8                9\n",
	     "");
	opts.stackindent = 0;
}

/*
 * Some addresses have no symbol: those of BPF programs that are not listed, of trampolines that are
 * gone, and of a module that was loaded later.
 */
static void test_stack_unnamed(void **state)
{
	(void)state;
	keyed(AGG_COUNT, stack_and_port, 2, 64);
	add_stack(1, 1, (uint64_t[5]){0x70010, 0x71010, 0x2010, 0x2020});
	add_stack(1, 2, (uint64_t[5]){0x9010, 0x71010, 0x2010, 0x2020});
	add_stack(1, 4, (uint64_t[5]){0x70010, 0x1010, 0x2010, 0x2020});
	add_stack(2, 9, (uint64_t[5]){0x9010, 0x1010, 0x71010, 0x2020});
	symbols("1000 T bpf_trace_run1\n2000 T drop\n9000 t bpf_prog_1_dt_x\t[bpf]\n");
	runs(true, 0,
	     "\n\n              vmlinux`drop+0x10\n              vmlinux`drop+0x20\n     1         "
	     "       7\n"
	     "\n              0x71010\n              vmlinux`drop+0x20\n     2                9\n",
	     "");
}

/* The kernel lists the trampoline of a traced function only while the trampoline exists. */
static void test_stack_trampoline(void **state)
{
	(void)state;
	keyed(AGG_COUNT, stack_and_port, 2, 64);
	add_stack(1, 3, (uint64_t[5]){0x9010, 0x71010, 0x2010, 0x2020});
	symbols("2000 T drop\n9000 t bpf_prog_1_dt_x\t[bpf]\n"
		"71000 t ftrace_trampoline\t[__builtin__ftrace]\n");
	runs(true, 0,
	     "\n\n              vmlinux`drop+0x10\n              vmlinux`drop+0x20\n     1         "
	     "       3\n",
	     "");
}

static void begin_stack(struct record_sink *k)
{
	uint64_t r[] = {P_BEGIN + 1, 3, 0x2005, 0x3000, 0x3100, 0x9000};

	k->record(k->ctx, (const struct record *)(const void *)r, sizeof(r));
}

/*
 * A stack() action removes no frame. If a function ends with a call that never returns, the frame
 * still has the name of this function.
 */
static void test_stack_action(void **state)
{
	static struct field f = {.kind = FIELD_STACK, .off = 8, .size = 40};
	static struct action_info a[3];

	(void)state;
	a[0] = (struct action_info){.kind = ACT_STACK, .field = &f, .nfield = 1};
	a[1] = (struct action_info){.kind = ACT_PRINTF,
				    .fmt = format("%k|%22k|%-22k|"),
				    .nfield = 3};
	a[1].field = (struct field[]){f, f, f};
	clauses[P_BEGIN] = (struct clause_info){P_BEGIN, 48, 0, a, 2, 0};
	fake.begin = begin_stack;
	symbols("2000 T bpf_prog_x\n2800 t never_returns\n3000 t after\n");
	runs(true, 0,
	     "\n              vmlinux`bpf_prog_x+0x5\n              vmlinux`never_returns+0x800\n"
	     "              vmlinux`after+0x100\n"
	     "\nvmlinux`bpf_prog_x+0x5\nvmlinux`never_returns+0x800\nvmlinux`after+0x100\n|"
	     "\nvmlinux`bpf_prog_x+0x5\nvmlinux`never_returns+0x800\n   vmlinux`after+0x100\n|"
	     "\n                      vmlinux`bpf_prog_x+0x5\n"
	     "                      vmlinux`never_returns+0x800\n"
	     "                      vmlinux`after+0x100   \n|",
	     "");
}

static void test_sort_options(void **state)
{
	(void)state;
	keyed(AGG_SUM, one_port, 1, 8);
	add_port(0, 53, 7, 1);
	add_port(0, 40000, -1, 0);
	add_port(0, 443, 8, 0);
	runs(true, 0,
	     "\n 40000               -1\n    53                8\n   443                8\n", "");
	opts.aggsortrev = true;
	runs(true, 0,
	     "\n   443                8\n    53                8\n 40000               -1\n", "");
	opts.aggsortkey = true;
	runs(true, 0,
	     "\n    53                8\n   443                8\n 40000               -1\n", "");
}

static const uint32_t both[] = {0, 1};

/*
 * The format of printa() may contain the value of an aggregation twice. printa() of two
 * aggregations prints a line for each key, with both values.
 */
static void test_printa(void **state)
{
	struct action_info *a = acts[P_END];

	(void)state;
	keyed(AGG_COUNT, one_port, 1, 8);
	add_port(0, 53, 2, 0);
	aggs[1] = aggs[0];
	aggs[1].index = 1;
	aggs[1].kind.fn = AGG_SUM;
	a[0] = (struct action_info){.kind = ACT_PRINTA,
				    .fmt = format("%5d %@4d %@-4d|\n"),
				    .agg = (uint32_t *)(uintptr_t)both,
				    .nagg = 1};
	a[1] = (struct action_info){.kind = ACT_PRINTA,
				    .agg = (uint32_t *)(uintptr_t)both,
				    .nagg = 2};
	prog.nagg = 2;
	clauses[P_END].nact = 2;
	fake.end = end_2;
	runs(false, 0,
	     HEADER "  1      2                             :END    53    2 2   |\n"
		    "\n    53                2                2\n\n\n",
	     "");
}

static void test_normalize(void **state)
{
	static struct action_info a[3];
	static struct field ten = {.kind = FIELD_INT, .off = 8, .size = 4};

	(void)state;
	unkeyed(0, AGG_SUM, 0)[0] = 1234;
	a[0] = (struct action_info){.kind = ACT_NORMALIZE,
				    .field = &ten,
				    .nfield = 1,
				    .agg = (uint32_t *)(uintptr_t)both,
				    .nagg = 1};
	a[1] = (struct action_info){.kind = ACT_PRINTA,
				    .agg = (uint32_t *)(uintptr_t)both,
				    .nagg = 1,
				    .fmt = format("%@d\n")};
	a[2] = (struct action_info){.kind = ACT_DENORMALIZE,
				    .agg = (uint32_t *)(uintptr_t)both,
				    .nagg = 1};
	clauses[P_RECEIVE].act = a;
	clauses[P_RECEIVE].nact = 3;
	acts[P_END][0] = a[1];
	fake.wait = receive_5;
	fake.end = end_2;
	runs(true, 0, "246\n1234\n\n", "");
}

/* ------------------------------------------------------------- clear and trunc */

static struct action_info agg_action(enum action_kind kind, const char *fmt)
{
	return (struct action_info){.kind = kind,
				    .fmt = fmt ? format(fmt) : NULL,
				    .agg = (uint32_t *)(uintptr_t)both,
				    .nagg = 1};
}

static int step;

/*
 * The wait() of a test of clear(). A key begins with a generation number, which clear() increments.
 * Programs may still update entries of the old generation for a moment. The first call clears,
 * updates an entry of the old generation late, and adds an entry of the new generation. The second
 * call updates the old generation late again, between two prints. The third call prints, which
 * deletes the old entries.
 */
static void wait_clear(struct record_sink *k)
{
	switch (step++) {
	case 0:
		fire_int(k, P_RECEIVE, 0);
		assert_int_equal(*generation(0), 1);
		assert_int_equal(fake.nentry, 2);
		fake.entry[0].val[1][0] += 5;
		add_port(1, 53, 1, 0);
		break;
	case 1:
		fire_int(k, P_BEGIN, 0);
		fake.entry[0].val[0][0] += 1;
		add_port(0, 80, 0, 2);
		fire_int(k, P_BEGIN, 0);
		assert_int_equal(fake.deleted, 0);
		fake.now += 200000000;
		break;
	case 2:
		fire_int(k, P_BEGIN, 0);
		assert_int_equal(fake.deleted, 3);
		fire_int(k, P_BEGIN, 0);
		break;
	}
}

static void set_clear(enum action_kind kind)
{
	step = 0;
	acts[P_RECEIVE][0] = agg_action(kind, NULL);
	acts[P_BEGIN][0] = agg_action(ACT_PRINTA, "%d=%@d ");
	acts[P_BEGIN][1] = (struct action_info){.kind = ACT_PRINTF, .fmt = format("\n")};
	clauses[P_BEGIN].nact = 2;
	fake.wait = wait_clear;
	fake.nwait = 2;
}

static void test_clear(void **state)
{
	(void)state;
	keyed(AGG_COUNT, one_port, 1, 8);
	add_port(0, 53, 10, 10);
	add_port(0, 443, 1, 0);
	set_clear(ACT_CLEAR);
	runs(true, 0,
	     "443=0 53=6 \n"
	     "443=0 80=2 53=7 \n"
	     "443=0 80=2 53=7 \n"
	     "443=0 80=2 53=7 \n\n",
	     "");
}

static bool armed;

static void count_once(void)
{
	fake.entry[0].val[0][0] += armed;
	armed = false;
}

static void wait_armed(struct record_sink *k)
{
	armed = true;
	fire_int(k, P_RECEIVE, 0);
}

/*
 * After printa(@a) and clear(@a), the next line includes the events that were counted while
 * printa() printed.
 */
static void test_clear_printed(void **state)
{
	(void)state;
	keyed(AGG_COUNT, one_port, 1, 8);
	add_port(0, 53, 10, 10);
	acts[P_RECEIVE][0] = agg_action(ACT_PRINTA, "%d=%@d\n");
	acts[P_RECEIVE][1] = agg_action(ACT_CLEAR, NULL);
	clauses[P_RECEIVE].nact = 2;
	fake.wait = wait_armed;
	fake.nwait = 2;
	fake.each = count_once;
	runs(true, 0, "53=20\n53=1\n53=1\n\n", "");
}

static void test_trunc(void **state)
{
	(void)state;
	keyed(AGG_COUNT, one_port, 1, 8);
	add_port(0, 53, 10, 10);
	add_port(0, 443, 1, 0);
	set_clear(ACT_TRUNC);
	runs(true, 0, "53=6 \n80=2 53=7 \n80=2 53=7 \n80=2 53=7 \n\n", "");
}

static void swap_first_two(void)
{
	struct entry e = fake.entry[0];

	fake.entry[0] = fake.entry[1];
	fake.entry[1] = e;
}

/*
 * The wait() of a test of trunc(). Calls trunc(), and then prints three times. Swaps the two
 * entries before each print, and updates one of them once.
 */
static void wait_two_entries(struct record_sink *k)
{
	fire_int(k, P_RECEIVE, 0);
	swap_first_two();
	fire_int(k, P_BEGIN, 0);
	fake.entry[0].val[0][0] += 2;
	swap_first_two();
	fire_int(k, P_BEGIN, 0);
	swap_first_two();
	fire_int(k, P_BEGIN, 0);
}

static void wait_two_entries_max(struct record_sink *k)
{
	fire_int(k, P_RECEIVE, 0);
	swap_first_two();
	fire_int(k, P_BEGIN, 0);
}

/*
 * One key may have two entries in the map. After trunc(), its value is the growth of both entries,
 * for both orders in which the map returns them.
 */
static void test_trunc_two_entries(void **state)
{
	(void)state;
	keyed(AGG_COUNT, one_port, 1, 8);
	add_port(0, 53, 10, 10);
	add_port(0, 53, 1, 2);
	set_clear(ACT_TRUNC);
	fake.wait = wait_two_entries;
	fake.nwait = 0;
	runs(true, 0, "\n53=2 \n53=2 \n\n", "");
}

static void test_trunc_two_entries_max(void **state)
{
	(void)state;
	keyed(AGG_MAX, one_port, 1, 8);
	add_port(0, 53, 1, 0)->val[0][1] = 7;
	add_port(0, 53, 1, 0)->val[0][1] = 9;
	acts[P_RECEIVE][0] = agg_action(ACT_TRUNC, NULL);
	acts[P_BEGIN][0] = agg_action(ACT_PRINTA, "%d=%@d ");
	acts[P_BEGIN][1] = (struct action_info){.kind = ACT_PRINTF, .fmt = format("\n")};
	clauses[P_BEGIN].nact = 2;
	fake.wait = wait_two_entries_max;
	fake.nwait = 0;
	runs(true, 0, "\n\n", "");
}

static int32_t trunc_n;

static void end_trunc(struct record_sink *k)
{
	fire_int(k, P_END, trunc_n);
}

static void trunc_keeps(int32_t n, const char *want)
{
	keyed(AGG_COUNT, one_port, 1, 8);
	fake.nentry = 0;
	*generation(0) = 0;
	for (uint16_t i = 1; i <= 5; i++)
		add_port(0, i, i, 0);
	acts[P_END][0] = agg_action(ACT_TRUNC, NULL);
	acts[P_END][0].field = &int_field;
	acts[P_END][0].nfield = 1;
	acts[P_END][1] = agg_action(ACT_PRINTA, "%d=%@d ");
	clauses[P_END].nact = 2;
	trunc_n = n;
	fake.end = end_trunc;
	runs(true, 0, want, "");
}

static void test_trunc_n(void **state)
{
	(void)state;
	trunc_keeps(2, "4=4 5=5 \n");
	trunc_keeps(-2, "1=1 2=2 \n");
	trunc_keeps(9, "1=1 2=2 3=3 4=4 5=5 \n");
	trunc_keeps(0, "\n");
}

/*
 * The wait() of a test with min() or max(). Growth of such a value cannot be computed, so if it
 * changed late, the whole value counts as new.
 */
static void wait_extremes(struct record_sink *k)
{
	int64_t *v = (int64_t *)(void *)(fake.percpu[0] + aggs[0].off);

	switch (step++) {
	case 0:
		fire_int(k, P_RECEIVE, 0);
		fire_int(k, P_BEGIN, 0); /* prints 0, because the value was cleared */
		v[1] = 30;               /* a late update of generation 0 */
		fire_int(k, P_BEGIN, 0);
		v[0] = 2;
		v[1] = 20;
		fire_int(k, P_BEGIN, 0);
		v[1] = 40;
		fire_int(k, P_BEGIN, 0);
		break;
	}
}

static void test_clear_max(void **state)
{
	(void)state;
	unkeyed(0, AGG_MAX, 0)[0] = 1;
	unkeyed(0, AGG_MAX, 0)[1] = 99;
	unkeyed(0, AGG_MAX, 1)[0] = 1;
	unkeyed(0, AGG_MAX, 1)[1] = 77;
	set_clear(ACT_CLEAR);
	acts[P_BEGIN][0] = agg_action(ACT_PRINTA, "%@d ");
	clauses[P_BEGIN].nact = 1;
	fake.wait = wait_extremes;
	fake.nwait = 0;
	runs(true, 0, "0 30 30 40 \n", "");
}

static void late_key(void)
{
	if (!step++)
		add_port(0, 7, 3, 0)->val[0][1] = -3;
}

/*
 * clear() and trunc() first take a snapshot of the values, and then begin a new generation. A key
 * that appears between these two steps is not lost.
 */
static void test_clear_min_late(void **state)
{
	(void)state;
	keyed(AGG_MIN, one_port, 1, 8);
	add_port(0, 9, 1, 0)->val[0][1] = 5;
	step = 0;
	fake.each = late_key;
	acts[P_RECEIVE][0] = agg_action(ACT_TRUNC, NULL);
	fake.wait = receive_5;
	runs(true, 0, "\n     7               -3\n", "");
}

static void wait_unkeyed(struct record_sink *k)
{
	int64_t *v = (int64_t *)(void *)(fake.percpu[1] + aggs[0].off);

	fire_int(k, P_RECEIVE, 0);
	fire_int(k, P_BEGIN, 0);
	*v += 3;
	fire_int(k, P_BEGIN, 0);
}

static void test_clear_unkeyed(void **state)
{
	(void)state;
	unkeyed(0, AGG_COUNT, 0)[0] = 10;
	unkeyed(0, AGG_COUNT, 1)[0] = 5;
	set_clear(ACT_CLEAR);
	acts[P_BEGIN][0] = agg_action(ACT_PRINTA, "%@d ");
	clauses[P_BEGIN].nact = 1;
	fake.wait = wait_unkeyed;
	fake.nwait = 1;
	runs(true, 0, "0 3 0 3 \n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(test_nothing_to_print),
		RUN(test_unkeyed),
		RUN(test_string_keys),
		RUN(test_two_keys),
		RUN(test_sort_options),
		RUN(test_printa),
		RUN(test_normalize),
		RUN(test_clear),
		RUN(test_trunc),
		RUN(test_trunc_two_entries),
		RUN(test_trunc_two_entries_max),
		RUN(test_trunc_n),
		RUN(test_clear_max),
		RUN(test_clear_min_late),
		RUN(test_clear_unkeyed),
		RUN(test_clear_printed),
		RUN(test_stack_keys),
		RUN(test_stack_action),
		RUN(test_stack_unnamed),
		RUN(test_stack_trampoline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
