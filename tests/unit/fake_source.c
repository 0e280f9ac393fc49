/*
 * fake_source.c - the program and the source of events for unit tests of whole runs; see
 * fake_source.h.
 */
#include "tests/unit/fake_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "tests/check.h"

/* ------------------------------------------------------------ the fake source */

struct fake_source fake;

static int fake_fire(struct source *s, enum run_kind kind, const uint64_t *args,
		     struct record_sink *k)
{
	step_fn *fn = kind == RUN_BEGIN ? fake.begin : kind == RUN_END ? fake.end : NULL;

	(void)s, (void)args;
	if (fn)
		fn(k);
	return 0;
}

static int fake_go(struct source *s, struct record_sink *k, struct diag *d)
{
	(void)s, (void)k, (void)d;
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
struct map_def maps[4] = {{.kind = MAP_GLOBAL},
			  {.kind = MAP_PERCPU, .value_size = PERCPU},
			  {.kind = MAP_RING},
			  {.kind = MAP_PERCPU_HASH, .value_size = 8}};
static struct probe_info probes[] = {{1, "dtrace", "", "", "BEGIN"},
				     {2, "dtrace", "", "", "END"},
				     {3, "dtrace", "", "", "ERROR"},
				     {71445, "ip", "kernel", "none", "receive"}};
static struct unit units[] = {{.hook = HOOK_RUN, .run = RUN_BEGIN}};
struct clause_info clauses[4];
struct agg_info aggs[2];
struct program prog;

struct field int_field = {.kind = FIELD_INT, .off = 8, .size = 4};
struct action_info acts[4][4];

int setup(void **state)
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

int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

struct int_record {
	struct record r;
	int32_t v[2];
};

void fire_int(struct record_sink *k, uint32_t probe, int32_t v)
{
	struct int_record r = {{probe + 1, 1}, {v, 0}};

	k->record(k->ctx, &r.r, sizeof(r));
}

const struct format *format(const char *text)
{
	const char *err;

	return format_parse(&arena, text, &err);
}

/* ---------------------------------------------------------------------- runs */

struct consumer_opts opts;
volatile sig_atomic_t signals;
static char *out_text, *err_text;
int status;

void runs(bool quiet, int result, const char *out, const char *err)
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

void begin_1(struct record_sink *k)
{
	fire_int(k, P_BEGIN, 1);
}

void receive_5(struct record_sink *k)
{
	fire_int(k, P_RECEIVE, 5);
}

void end_2(struct record_sink *k)
{
	fire_int(k, P_END, 2);
}
