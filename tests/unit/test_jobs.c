/*
 * test_jobs.c - checks what dtrace merges if a process sends damaged data. With -x jobs, each
 * process replays a chunk of the file and sends its results.
 */
#include "engine/replay/jobs.c"

#include <stdlib.h>

#include "tests/check.h"

enum { MAP_COUNTS = MAP_ID_FIRST_OTHER, NMAP, JOBS = 3 };

static struct map_def defs[NMAP] = {
	[MAP_ID_GLOBAL] = {.kind = MAP_GLOBAL, .value_size = sizeof(struct globals)},
	[MAP_ID_PERCPU] = {.kind = MAP_PERCPU, .value_size = sizeof(struct percpu)},
	[MAP_ID_RING] = {.kind = MAP_RING, .max_entries = 1 << 16},
	[MAP_COUNTS] = {.kind = MAP_PERCPU_HASH, .key_size = 8, .value_size = 8},
};
static const struct program program = {.map = defs, .nmap = NMAP};
static struct replay replay;

/* ------------------------------------------------------------------ sent data */

static void send_head(struct strbuf *b, uint64_t start)
{
	struct outcome o = {.start = start, .end = start + 1, .packets = 1, .independent = 1};
	struct percpu losses = {.events = 7};

	strbuf_add(b, &o, sizeof(o));
	strbuf_add(b, &losses, sizeof(losses));
}

/* Sends a count of @key. A damaged count has a word that the value does not have. */
static void send_count(struct strbuf *b, uint64_t key, uint64_t count, bool damaged)
{
	uint16_t n = damaged ? 1 : ALL_WORDS, index = 9;

	strbuf_addc(b, 1);
	strbuf_add(b, &key, sizeof(key));
	strbuf_add(b, &n, sizeof(n));
	if (damaged)
		strbuf_add(b, &index, sizeof(index));
	strbuf_add(b, &count, sizeof(count));
}

static void send_end(struct strbuf *b)
{
	strbuf_addc(b, 0);
	strbuf_add(b, mark, sizeof(mark));
}

/* ---------------------------------------------------------------------- tests */

struct counts {
	unsigned keys;
	uint64_t sum[4]; /* for each key, the sum of its values */
};

static bool note_counts(void *ctx, const void *key, const void *values)
{
	const uint64_t *k = key, *v = values;
	struct counts *c = ctx;

	c->keys++;
	assert_in_range(*k, 0, 3);
	for (int i = 0; i <= JOBS; i++)
		c->sum[*k] += v[i];
	return false;
}

/* The values of the chunk whose data is damaged, and those of later chunks, do not count. */
static void test_damaged(void **state)
{
	struct jobs *j = xcalloc(1, sizeof(*j));
	struct record_sink k = {0};
	struct counts c = {0};
	struct diag d = {0};
	const struct percpu *p;
	uint64_t offset;

	(void)state;
	replay.prog = &program;
	replay.vm = vm_new(&program, VM_INTERPRETED, &d);
	assert_non_null(replay.vm);
	replay.env = vm_env(replay.vm);
	tick_init(&replay.ticks);
	j->n = JOBS;
	j->started = true;
	j->progress = mmap(NULL, JOBS * sizeof(*j->progress), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(j->progress != MAP_FAILED);
	make_maps(j, &program);
	for (int i = 0; i < JOBS; i++) {
		j->v[i].to = j->v[i].from = -1;
		send_head(&j->v[i].received, (uint64_t)i);
	}
	send_count(&j->v[0].received, 1, 10, false);
	send_count(&j->v[1].received, 1, 20, false);
	send_count(&j->v[1].received, 2, 20, false);
	send_count(&j->v[1].received, 3, 20, true);
	send_count(&j->v[2].received, 1, 30, false);
	for (int i = 0; i < JOBS; i++)
		send_end(&j->v[i].received);

	assert_int_equal(jobs_wait(j, &replay, &k), JOBS_REST);
	assert_int_equal(jobs_rest_offset(j, &offset), 1);
	assert_int_equal(jobs_map_each(j, &replay, MAP_COUNTS, note_counts, &c), 0);
	assert_int_equal(c.keys, 1);
	assert_int_equal(c.sum[1], 10);
	p = jobs_percpu(j, &replay);
	assert_int_equal(p[1].events, 7);
	assert_int_equal(p[2].events, 0);
	assert_int_equal(p[3].events, 0);

	j->nmerged = 0; /* there is no process to wait for */
	jobs_free(j, &replay);
	vm_free(replay.vm);
	tick_release(&replay.ticks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
