/*
 * test_consumer.c - whole runs on a fake source: records, aggregations, faults, losses and the
 * output.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/table.h"
#include "consumer/consumer.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/spec.h"
#include "engine/source.h"
#include "ir/program.h"
#include "tests/check.h"

enum { NCPU = 2, PERCPU = sizeof(struct percpu) + 64, KEYS = 32 };

/* ------------------------------------------------------------ the fake source */

typedef void step_fn(struct record_sink *k);

/* One entry of the fake source's only hash map. */
struct entry {
	unsigned char key[64];
	int64_t val[NCPU][4];
};

static struct {
	struct source s;
	struct source_ops ops;
	step_fn *begin, *end, *wait, *stop;
	void (*each)(void); /* called after a map was read: changes values during a report */
	int nwait;          /* how many times wait() returns 1 */
	int wait_result;    /* result of wait() after that */
	bool went, stopped;
	uint64_t now;
	struct entry entry[KEYS];
	uint32_t nentry, value_size, deleted;
	_Alignas(8) unsigned char globals[GLOBAL_GEN_OFF + 64];
	_Alignas(8) unsigned char percpu[NCPU][PERCPU];
	struct source_loss loss;
} fake;

static int fake_fire(struct source *s, enum run_kind kind, const uint64_t *args,
		     struct record_sink *k)
{
	step_fn *fn = kind == RUN_BEGIN ? fake.begin : kind == RUN_END ? fake.end : NULL;

	(void)s, (void)args;
	if (fn)
		fn(k);
	return 0;
}

static int fake_go(struct source *s, struct diag *d)
{
	(void)s, (void)d;
	fake.went = true;
	return 0;
}

static int fake_wait(struct source *s, struct record_sink *k, struct diag *d)
{
	(void)s;
	if (fake.wait)
		fake.wait(k);
	if (fake.nwait-- > 0)
		return 1;
	if (fake.wait_result < 0)
		return diag_error(d, D_SYS, NOLOC, "cut short");
	return fake.wait_result;
}

static int fake_stop(struct source *s, struct record_sink *k)
{
	(void)s;
	fake.stopped = true;
	if (fake.stop)
		fake.stop(k);
	return 0;
}

static int fake_map_each(struct source *s, uint32_t map,
			 bool (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	unsigned char values[NCPU * 32];
	uint32_t kept = 0;

	(void)s;
	assert_int_equal(map, MAP_ID_FIRST_OTHER);
	for (uint32_t i = 0; i < fake.nentry; i++) {
		uint64_t *v = (uint64_t *)(void *)memset(values, 0, sizeof(values));

		for (uint32_t cpu = 0; cpu < NCPU; cpu++)
			memcpy((char *)v + cpu * fake.value_size, fake.entry[i].val[cpu],
			       fake.value_size);
		if (fn(ctx, fake.entry[i].key, v))
			fake.deleted++;
		else
			fake.entry[kept++] = fake.entry[i];
	}
	fake.nentry = kept;
	if (fake.each)
		fake.each();
	return 0;
}

static const void *fake_percpu(struct source *s)
{
	(void)s;
	return fake.percpu;
}

static void *fake_globals(struct source *s)
{
	(void)s;
	return fake.globals;
}

static uint64_t fake_now(struct source *s)
{
	(void)s;
	return fake.now;
}

static void fake_loss(struct source *s, struct source_loss *out)
{
	(void)s;
	*out = fake.loss;
}

/* ------------------------------------------------------------------ a program */

static struct arena arena;
static const char *strs[] = {"receive", "192.0.2.1"};
static struct map_def maps[] = {{.kind = MAP_GLOBAL},
				{.kind = MAP_PERCPU, .value_size = PERCPU},
				{.kind = MAP_RING},
				{.kind = MAP_PERCPU_HASH, .value_size = 8}};
static struct probe_info probes[] = {{1, "dtrace", "", "", "BEGIN"},
				     {2, "dtrace", "", "", "END"},
				     {3, "dtrace", "", "", "ERROR"},
				     {71445, "ip", "kernel", "none", "receive"}};
enum { P_BEGIN, P_END, P_ERROR, P_RECEIVE };
static struct unit units[] = {{.hook = HOOK_RUN, .run = RUN_BEGIN}};
static struct clause_info clauses[4];
static struct agg_info aggs[2];
static struct program prog;

static struct field int_field = {.kind = FIELD_INT, .off = 8, .size = 4};
static struct action_info acts[4][4];

/* Makes a program with one clause for each probe, by default { trace(<int>); }. */
static int setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.ops = (struct source_ops){.name = "kernel",
				       .fire = fake_fire,
				       .go = fake_go,
				       .wait = fake_wait,
				       .stop = fake_stop,
				       .map_each = fake_map_each,
				       .percpu = fake_percpu,
				       .globals = fake_globals,
				       .now = fake_now,
				       .loss = fake_loss};
	fake.s = (struct source){.ops = &fake.ops, .ncpu = NCPU};
	fake.now = 1;
	memset(acts, 0, sizeof(acts));
	for (uint32_t i = 0; i < 4; i++) {
		acts[i][0] = (struct action_info){.kind = ACT_TRACE,
						  .field = &int_field,
						  .nfield = 1};
		clauses[i] = (struct clause_info){i, 16, 0, acts[i], 1, 0};
	}
	prog = (struct program){.unit = units,
				.nunit = 1,
				.map = maps,
				.nmap = 4,
				.probe = probes,
				.nprobe = 4,
				.clause = clauses,
				.nclause = 4,
				.agg = aggs,
				.nagg = 0,
				.str = strs,
				.nstr = 2};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

struct int_record {
	struct record r;
	int32_t v[2];
};

/* Passes on a record of probe @probe's clause, with one int. */
static void fire_int(struct record_sink *k, uint32_t probe, int32_t v)
{
	struct int_record r = {{probe + 1, 1}, {v, 0}};

	k->record(k->ctx, &r.r, sizeof(r));
}

static const struct format *format(const char *text)
{
	const char *err;

	return format_parse(&arena, text, &err);
}

/* ---------------------------------------------------------------------- runs */

static struct consumer_opts opts;
static volatile sig_atomic_t signals;
static char *out_text, *err_text;
static int status;

/*
 * Runs the program and compares the output and the errors with @out and @err. @out has the newline
 * that ends every run only if aggregations follow it.
 */
static void runs(bool quiet, int result, const char *out, const char *err)
{
	size_t out_len, err_len;
	struct diag d = {0};
	struct consumer *c;

	opts.quiet = quiet;
	opts.out = open_memstream(&out_text, &out_len);
	opts.err = open_memstream(&err_text, &err_len);
	c = consumer_new(&prog, &fake.s, &opts);
	assert_int_equal(consumer_run(c, &d, &signals), result);
	status = consumer_status(c);
	consumer_free(c);
	diag_release(&d);
	fclose(opts.out);
	fclose(opts.err);
	if (!prog.nagg) {
		assert_true(out_len && out_text[out_len - 1] == '\n');
		out_text[out_len - 1] = '\0';
	}
	assert_string_equal(out_text, out);
	assert_string_equal(err_text, err);
	free(out_text);
	free(err_text);
	memset(&opts, 0, sizeof(opts));
	signals = 0;
}

#define HEADER "CPU     ID                    FUNCTION:NAME\n"

static void begin_1(struct record_sink *k)
{
	fire_int(k, P_BEGIN, 1);
}

static void receive_5(struct record_sink *k)
{
	fire_int(k, P_RECEIVE, 5);
}

static void end_2(struct record_sink *k)
{
	fire_int(k, P_END, 2);
}

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

/* The consumer does not print records that other CPUs wrote before the gate closed. */
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

/* A row may borrow its value from the caller until the value first changes. */
static void test_lent_values(void **state)
{
	const uint64_t mine[2] = {1, 2};
	struct aggtab t = {0};
	struct agg_row *r;

	(void)state;
	assert_true(aggtab_add_borrowed(&t, "a", 1, mine));
	assert_false(aggtab_add_borrowed(&t, "a", 1, NULL));
	assert_ptr_equal(aggtab_find(&t, "a", 1)->val, mine);
	r = aggtab_get(&t, "a", 1, sizeof(mine));
	assert_ptr_not_equal(r->val, mine);
	assert_memory_equal(r->val, mine, sizeof(mine));
	assert_ptr_equal(aggtab_get(&t, "a", 1, sizeof(mine))->val, r->val);
	assert_false(aggtab_add_borrowed(&t, "a", 1, mine));
	assert_int_equal(t.row.n, 1);
	aggtab_release(&t);
}

/* A packed value reads the same as before packing, and adding to the value works. */
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
		assert_null(aggtab_find(&t, &i, sizeof(i))->val);
		assert_memory_equal(agg_row_value(aggtab_find(&t, &i, sizeof(i)), room,
						  sizeof(room)),
				    v[i], sizeof(room));
		assert_memory_equal(aggtab_get(&t, &i, sizeof(i), sizeof(room))->val, v[i],
				    sizeof(room));
		aggtab_get(&t, &i, sizeof(i), sizeof(room))->val[5]++;
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
	     "dtrace: 2 probe firings missed: their CPUs were running other tracing programs\n"
	     "dtrace: 9 tick firings skipped: too many were due at once\n"
	     "dtrace: 2 packets older than one before them: shown up to 2 us late\n"
	     "dtrace: 3 packets far ahead of all others: shown at the times of the packets before "
	     "them\n");
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
	     "dtrace: firings failed                              0\n"
	     "dtrace: packets with unreadable headers             0\n"
	     "dtrace: tick firings skipped                        0\n"
	     "dtrace: packets out of order                        0\n"
	     "dtrace: network namespaces not entered              0\n"
	     "dtrace: TCP connections given up                    0\n"
	     "dtrace: datagrams not reassembled                   0\n"
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

/* -------------------------------------------------------------- aggregations */

static struct field two_keys[] = {{.kind = FIELD_STRING, .off = 4, .size = 20},
				  {.kind = FIELD_UINT, .off = 24, .size = 2}};
static struct field one_string[] = {{.kind = FIELD_STRING, .off = 4, .size = 20}};
static struct field one_port[] = {{.kind = FIELD_UINT, .off = 4, .size = 2}};

/* Makes aggregation 0 keyed: @a[key ...] = fn(). */
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

/* Makes aggregation @i un-keyed and returns its value on CPU @cpu: the @i-th 32 bytes. */
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

/* The same address in binary, interned and text form is one key. */
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

/* Key of @a[stack(2), port]. The top frames belong to tracing and differ with other tracers. */
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
 * Addresses without a symbol: programs that are not listed, trampolines that are gone, a module
 * that was loaded later.
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

/* The kernel names the trampoline of a traced function only while it lives. */
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
 * A stack() action removes no frame. A function that ends with a call that never returns keeps its
 * own name in the stack.
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

/* printa() of two aggregations prints the keys of both, with 0 for a key that one of them lacks. */
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

/* After clear(): a late update of the old generation, then an update of the new generation. */
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

/* printa(@a); clear(@a): the next line includes events that were counted during the printing. */
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

/* After trunc(): the entries swap places, and one entry gets a late update. */
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

/* A key may have two entries. The growth of both counts, in whatever order they come. */
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

/* Minima and maxima have no sums to subtract, so a value that changed late counts as new. */
static void wait_extremes(struct record_sink *k)
{
	int64_t *v = (int64_t *)(void *)(fake.percpu[0] + aggs[0].off);

	switch (step++) {
	case 0:
		fire_int(k, P_RECEIVE, 0);
		fire_int(k, P_BEGIN, 0); /* prints 0: cleared */
		v[1] = 30;               /* still of generation 0 */
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

/* A key that appears between the snapshot and the new generation is kept. */
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

struct shown {
	uint32_t n, cpu[8];
};

static void show_cpu(void *ctx, const struct record *rec)
{
	struct shown *s = ctx;

	s->cpu[s->n++] = rec->cpu;
}

/*
 * Records of an earlier speculation whose end was lost do not join the next one. Each CPU has a
 * limit of its own.
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

#define RUN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(test_lines),
		RUN(test_quiet),
		RUN(test_signal),
		RUN(test_exit_in_begin),
		RUN(test_exit_is_last),
		RUN(test_source_breaks),
		RUN(test_printf),
		RUN(test_setopt),
		RUN(test_trace),
		RUN(test_faults),
		RUN(test_lent_values),
		RUN(test_packed_values),
		RUN(test_drops),
		RUN(test_footer),
		RUN(test_broken_output),
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
		RUN(test_specs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
