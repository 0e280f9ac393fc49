/*
 * test_consumer.c - whole runs on a fake source. The tests check how records, faults, losses and
 * speculations are handled, and the output.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "consumer/spec.h"
#include "tests/check.h"
#include "tests/unit/fake_source.h"

/* ------------------------------------------------------------------- records */

static void test_lines(void **state)
{
	(void)state;
	fake.begin = begin_1;
	fake.wait = receive_5;
	fake.end = end_2;
	runs(false, 0,
	     HEADER "  1      1                           :BEGIN         1\n"
		    "  1  71445                     none:receive         5\n"
		    "  1      2                             :END         2\n",
	     "");
	assert_true(fake.went && fake.stopped);
}

static void test_quiet(void **state)
{
	(void)state;
	fake.begin = begin_1;
	fake.wait = receive_5;
	fake.end = end_2;
	runs(true, 0, "152", "");
}

static void interrupt(struct record_sink *k)
{
	receive_5(k);
	signals = 1;
}

static void test_signal(void **state)
{
	(void)state;
	fake.wait = interrupt;
	fake.nwait = 100;
	fake.end = end_2;
	runs(true, 0, "5\n2", "");
	assert_int_equal(fake.nwait, 99);
}

static void test_exit_in_begin(void **state)
{
	(void)state;
	acts[P_BEGIN][1] = (struct action_info){.kind = ACT_EXIT, .field = &int_field, .nfield = 1};
	clauses[P_BEGIN].nact = 2;
	fake.begin = begin_1;
	fake.end = end_2;
	runs(true, 0, "12", "");
	assert_int_equal(status, 1);
	assert_false(fake.went);
}

/*
 * After exit(), the consumer does not print records that other CPUs wrote before tracing stopped.
 */
static void test_exit_is_last(void **state)
{
	(void)state;
	acts[P_RECEIVE][0].kind = ACT_EXIT;
	fake.wait = receive_5;
	fake.stop = receive_5;
	fake.end = end_2;
	fake.nwait = 100;
	runs(false, 0,
	     HEADER "  1  71445                     none:receive \n"
		    "  1      2                             :END         2\n",
	     "");
	assert_int_equal(status, 5);
	assert_int_equal(fake.nwait, 99);
}

static void test_source_breaks(void **state)
{
	(void)state;
	fake.wait = receive_5;
	fake.wait_result = -1;
	fake.end = end_2;
	runs(true, -1, "52", "");
}

static void test_printf(void **state)
{
	(void)state;
	acts[P_BEGIN][0].kind = ACT_PRINTF;
	acts[P_BEGIN][0].fmt = format("hi %d\n");
	acts[P_BEGIN][1] = (struct action_info){.kind = ACT_DEFAULT};
	clauses[P_BEGIN].nact = 2;
	fake.begin = begin_1;
	runs(false, 0, HEADER "  1      1                           :BEGIN hi 1\n\n", "");
}

static void test_setopt(void **state)
{
	(void)state;
	acts[P_BEGIN][0] = (struct action_info){.kind = ACT_SETOPT, .str = "quiet"};
	acts[P_BEGIN][1] = (struct action_info){.kind = ACT_SETOPT, .str = "nonesuch", .str2 = "1"};
	clauses[P_BEGIN].nact = 2;
	fake.begin = begin_1;
	fake.wait = receive_5;
	runs(false, 0, HEADER "  1      1                           :BEGIN 5",
	     "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): couldn't set option "
	     "\"nonesuch\" to \"1\": Invalid option name\n");
}

/* -------------------------------------------------------------- trace() of things */

#define NFIELD 9

static struct field trace_fields[NFIELD] = {
	{.kind = FIELD_INT, .off = 8, .size = 8},      {.kind = FIELD_UINT, .off = 16, .size = 4},
	{.kind = FIELD_UINT, .off = 20, .size = 2},    {.kind = FIELD_INT, .off = 22, .size = 1},
	{.kind = FIELD_STRING, .off = 24, .size = 20}, {.kind = FIELD_STRING, .off = 44, .size = 8},
	{.kind = FIELD_STRING, .off = 52, .size = 20}, {.kind = FIELD_BYTES, .off = 72, .size = 20},
	{.kind = FIELD_STRING, .off = 92, .size = 20},
};
static unsigned char trace_record[112];

static void put(uint32_t off, const void *p, size_t n)
{
	memcpy(trace_record + off, p, n);
}

static void fill_trace(void)
{
	struct record r = {P_BEGIN + 1, 0};
	uint32_t intern[2] = {DSTR_INTERN, 0}, ip6 = DSTR_IP6;

	memset(trace_record, 0, sizeof(trace_record));
	put(0, &r, sizeof(r));
	put(8, &(int64_t){-1}, 8);
	put(16, &(uint32_t){0xffffffff}, 4);
	put(20, &(uint16_t){0xffff}, 2);
	put(22, &(int8_t){-1}, 1);
	put(28, "caf\xc3\xa9", 6);
	put(44, intern, sizeof(intern));
	put(52, &ip6, 4);
	put(56, "\x20\x01\x0d\xb8", 4);
	put(72, "\001bin\377", 5);
}

static void begin_trace(struct record_sink *k)
{
	fill_trace();
	k->record(k->ctx, (const struct record *)(const void *)trace_record, sizeof(trace_record));
}

static void set_trace(void)
{
	static struct action_info a[NFIELD];

	for (int i = 0; i < NFIELD; i++)
		a[i] = (struct action_info){.kind = ACT_TRACE,
					    .field = &trace_fields[i],
					    .nfield = 1};
	clauses[P_BEGIN] = (struct clause_info){P_BEGIN, sizeof(trace_record), 0, a, NFIELD, 0};
	fake.begin = begin_trace;
}

#define DUMP \
	"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n" \
	"         0: 01 62 69 6e ff 00 00 00 00 00 00 00 00 00 00 00  .bin............\n" \
	"        10: 00 00 00 00                                      ....\n"

static void test_trace(void **state)
{
	(void)state;
	set_trace();
	runs(false, 0,
	     HEADER "  0      1                           :BEGIN "
		    "               -1 4294967295 65535  -1"
		    "  caf\xc3\xa9                            "
		    "  receive                          "
		    "  2001:db8::                       " DUMP
		    "                                   \n",
	     "");
	set_trace();
	runs(true, 0, "-1429496729565535-1caf\xc3\xa9receive2001:db8::" DUMP, "");
}

/* -------------------------------------------------------------------- faults */

static void fault(struct record_sink *k, struct fault_record f)
{
	k->record(k->ctx, (const struct record *)(const void *)&f, sizeof(f));
}

static void error_fires(struct record_sink *k, int32_t code)
{
	fire_int(k, P_ERROR, code);
	fault(k, (struct fault_record){0, 1, P_ERROR + 1, 1, 8, FAULT_BADADDR, 0});
}

static void wait_faults(struct record_sink *k)
{
	fault(k, (struct fault_record){0, 1, P_RECEIVE + 1, 1, 16, FAULT_BADADDR, 0});
	error_fires(k, FAULT_BADADDR);
	fire_int(k, P_RECEIVE, 5);
	fault(k, (struct fault_record){0, 1, P_RECEIVE + 1, 0, -1, FAULT_DIVZERO, 7});
	error_fires(k, FAULT_DIVZERO);
}

#define FAULTS \
	"dtrace: error on enabled probe ID 4 (ID 71445: ip:kernel:none:receive): " \
	"invalid address (0x0) in action #1 at DIF offset 16\n" \
	"dtrace: error on enabled probe ID 4 (ID 71445: ip:kernel:none:receive): " \
	"divide-by-zero in predicate\n"

static void test_faults(void **state)
{
	(void)state;
	fake.wait = wait_faults;
	runs(false, 0,
	     HEADER "  1      3                           :ERROR         1\n"
		    "  1  71445                     none:receive         5\n"
		    "  1      3                           :ERROR         4\n",
	     FAULTS "dtrace: 2 errors in ERROR probe enabling\n");
}

/* A row may borrow its value from the caller, until the value changes for the first time. */
static void test_lent_values(void **state)
{
	const uint64_t mine[2] = {1, 2};
	struct aggtab t = {0};
	struct agg_row *r;

	(void)state;
	assert_true(aggtab_add_borrowed(&t, "a", 1, mine, false));
	assert_false(aggtab_add_borrowed(&t, "a", 1, NULL, false));
	assert_ptr_equal(agg_row_val(aggtab_find(&t, "a", 1)), mine);
	r = aggtab_get(&t, "a", 1, sizeof(mine));
	assert_ptr_not_equal(agg_row_val(r), mine);
	assert_memory_equal(agg_row_val(r), mine, sizeof(mine));
	assert_ptr_equal(agg_row_val(aggtab_get(&t, "a", 1, sizeof(mine))), agg_row_val(r));
	assert_false(aggtab_add_borrowed(&t, "a", 1, mine, false));
	assert_int_equal(t.row.n, 1);
	aggtab_release(&t);
}

/*
 * aggtab_get_once() adds rows for keys that come only once. It indexes them later, but a search
 * still finds these rows, and all rows that were added before.
 */
static void test_once(void **state)
{
	enum { N = 3000, FIRST = 100 };
	struct aggtab t = {0};

	(void)state;
	for (uint64_t i = 0; i < FIRST; i++)
		*agg_row_val(aggtab_get(&t, &(uint64_t){i * 3}, sizeof(i), 8)) = 1;
	for (uint64_t i = 0; i < N; i++) {
		bool had = i % 1000 == 999 || (i % 3 == 0 && i < 3 * FIRST);
		struct agg_row *r;

		if (i % 1000 == 999) /* searches after each thousand rows */
			(*agg_row_val(aggtab_get(&t, &i, sizeof(i), 8)))++;
		r = aggtab_get_once(&t, &i, sizeof(i), 8);
		assert_int_equal(*agg_row_val(r), had);
		*agg_row_val(r) += i;
	}
	assert_int_equal(t.row.n, N);
	for (uint64_t i = 0; i < N; i++) {
		bool had = i % 1000 == 999 || (i % 3 == 0 && i < 3 * FIRST);
		struct agg_row *r = aggtab_find(&t, &i, sizeof(i));

		assert_int_equal(*agg_row_val(r), i + had);
		assert_ptr_equal(aggtab_get(&t, &i, sizeof(i), 8), r);
	}
	assert_null(aggtab_find(&t, &(uint64_t){N}, 8));
	assert_int_equal(t.row.n, N);
	aggtab_release(&t);
}

/* Packing does not change a value, and a packed value can be added to. */
static void test_packed_values(void **state)
{
	enum { WORDS = 1002 };
	static uint64_t v[6][WORDS], room[WORDS];
	struct aggtab t = {0};
	uint64_t x = 1;

	(void)state;
	v[1][0] = 1;
	v[2][WORDS - 1] = UINT64_MAX;
	v[3][63] = 127;
	v[3][64] = 128;
	v[3][900] = 1ull << 63;
	for (int i = 0; i < WORDS; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		v[4][i] = x >> (x >> 58);
		v[5][i] = UINT64_MAX;
	}
	for (int i = 0; i < 6; i++) {
		assert_true(aggtab_add_packed(&t, &i, sizeof(i), v[i], sizeof(v[i])));
		assert_false(aggtab_add_packed(&t, &i, sizeof(i), v[0], sizeof(v[i])));
	}
	for (int i = 0; i < 6; i++) {
		memset(room, 0xa5, sizeof(room));
		assert_true(aggtab_find(&t, &i, sizeof(i))->packed);
		assert_memory_equal(agg_row_value(aggtab_find(&t, &i, sizeof(i)), room,
						  sizeof(room)),
				    v[i], sizeof(room));
		assert_memory_equal(agg_row_val(aggtab_get(&t, &i, sizeof(i), sizeof(room))), v[i],
				    sizeof(room));
		agg_row_val(aggtab_get(&t, &i, sizeof(i), sizeof(room)))[5]++;
		assert_int_equal(agg_row_value(aggtab_find(&t, &i, sizeof(i)), room,
					       sizeof(room))[5],
				 v[i][5] + 1);
	}
	aggtab_release(&t);
}

/* -------------------------------------------------------------------- losses */

static struct percpu *counters(int cpu)
{
	return (struct percpu *)(void *)fake.percpu[cpu];
}

static void test_drops(void **state)
{
	(void)state;
	counters(0)->drops = 1;
	counters(1)->drops = 3;
	counters(1)->agg_drops = 2;
	counters(0)->dyn_drops = 4;
	counters(1)->dyn_drops = 1;
	counters(0)->unreadable = 1;
	fake.loss = (struct source_loss){.missed = 2,
					 .ticks = 9,
					 .late_packets = 2,
					 .late_ns = 1001,
					 .bad_clocks = 3};
	opts.droptags = true;
	runs(false, 0, "",
	     "dtrace: [DTRACEDROP_PRINCIPAL] 1 drop on CPU 0\n"
	     "dtrace: [DTRACEDROP_PRINCIPAL] 3 drops on CPU 1\n"
	     "dtrace: [DTRACEDROP_AGGREGATION] 2 aggregation drops on CPU 1\n"
	     "dtrace: [DTRACEDROP_DYNAMIC] 5 dynamic variable drops\n"
	     "dtrace: 1 packet whose header, or a byte that -x filter tests, could not be read\n"
	     "dtrace: 2 probe firings missed: tracing programs were already running on their CPUs\n"
	     "dtrace: 9 tick firings skipped: too many were due at once\n"
	     "dtrace: 2 packets out of order: shown up to 2 us late\n"
	     "dtrace: 3 packets with a time far ahead of all others: shown at the times of the "
	     "packets before them\n");
}

static void test_footer(void **state)
{
	(void)state;
	counters(0)->events = 5;
	counters(1)->events = 2;
	fake.wait = receive_5;
	opts.footer = true;
	runs(true, 0, "5",
	     "dtrace: events seen                                 7\n"
	     "dtrace: records                                     1\n"
	     "dtrace: records dropped                             0\n"
	     "dtrace: faults                                      0\n"
	     "dtrace: aggregation keys                            0\n"
	     "dtrace: aggregation keys refused                    0\n"
	     "dtrace: variable stores refused                     0\n"
	     "dtrace: probe firings missed                        0\n"
	     "dtrace: tick firings failed                         0\n"
	     "dtrace: packets with unreadable headers             0\n"
	     "dtrace: tick firings skipped                        0\n"
	     "dtrace: packets out of order                        0\n"
	     "dtrace: network namespaces not entered              0\n"
	     "dtrace: TCP connections given up                    0\n"
	     "dtrace: datagrams not reassembled                   0\n"
	     "dtrace: frames not understood                       0\n"
	     "dtrace: packets with impossible headers             0\n"
	     "dtrace: hooks                                       0\n");
}

static void test_broken_output(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct consumer_opts o = {.out = full, .err = stderr};
	struct diag d = {0};
	struct consumer *c;

	(void)state;
	assert_non_null(full);
	fake.wait = receive_5;
	fake.nwait = 1000;
	c = consumer_new(&prog, &fake.s, &o);
	assert_int_equal(consumer_run(c, &d, &signals), -1);
	assert_string_equal(d.msg, "failed to write to <stdout>: No space left on device");
	assert_int_equal(fake.nwait, 999);
	consumer_free(c);
	diag_release(&d);
	fclose(full);
}

/* -------------------------------------------------------------- speculations */

struct shown {
	uint32_t n, cpu[8];
};

static void show_cpu(void *ctx, const struct record *rec)
{
	struct shown *s = ctx;

	s->cpu[s->n++] = rec->cpu;
}

/*
 * If the record that ends a speculation was lost, its records do not become part of the next
 * speculation with the same number. Each CPU has its own limit of memory for records of
 * speculations.
 */
static void test_specs(void **state)
{
	const struct spec_id was = {1, 1}, now = {1, 5}, other = {7, 1};
	struct specs *s = specs_new(1 + 2 * sizeof(struct record));
	struct record rec = {1, 0};
	struct shown got = {0};

	(void)state;
	assert_true(specs_keep(s, &was, &rec, sizeof(rec)));
	assert_true(specs_keep(s, &now, &rec, sizeof(rec)));
	rec.cpu = 3;
	assert_true(specs_keep(s, &now, &rec, sizeof(rec)));
	assert_true(specs_keep(s, &now, &rec, sizeof(rec)));
	assert_false(specs_keep(s, &now, &rec, sizeof(rec)));
	rec.cpu = 0;
	assert_true(specs_keep(s, &now, &rec, sizeof(rec)));
	assert_true(specs_keep(s, &other, &rec, sizeof(rec)));
	specs_commit(s, &now, show_cpu, &got);
	assert_int_equal(got.n, 4);
	assert_int_equal(got.cpu[0], 0);
	assert_int_equal(got.cpu[1], 3);
	assert_int_equal(got.cpu[2], 3);
	assert_int_equal(got.cpu[3], 0);
	specs_commit(s, &now, show_cpu, &got);
	specs_discard(s, &other);
	specs_commit(s, &other, show_cpu, &got);
	assert_int_equal(got.n, 4);
	assert_true(specs_keep(s, &other, &rec, sizeof(rec)));
	specs_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(test_lines),         RUN(test_quiet),        RUN(test_signal),
		RUN(test_exit_in_begin), RUN(test_exit_is_last), RUN(test_source_breaks),
		RUN(test_printf),        RUN(test_setopt),       RUN(test_trace),
		RUN(test_faults),        RUN(test_lent_values),  RUN(test_once),
		RUN(test_packed_values), RUN(test_drops),        RUN(test_footer),
		RUN(test_broken_output), RUN(test_specs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
