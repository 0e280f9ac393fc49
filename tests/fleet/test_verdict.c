/* test_verdict.c - checks which snapshots a viewer adds up. */
#include <string.h>

#include "agg/agg.h"
#include "base/strbuf.h"
#include "consumer/aggs/file.h"
#include "fleet/viewer/verdict.h"
#include "tests/check.h"

/* Adds a state of the host with a snapshot of the aggregation @name = count(). */
static struct host_state *add(struct hosts *h, const char *host, uint64_t epoch, const char *name)
{
	struct report_key k = {host, "1d", epoch};
	struct host_state *s = hosts_get(h, &k);
	struct aggfile_agg a = {.info = {.name = name}, .normal = 1};
	struct aggfile f = {.id = {.program = 1, .host = host, .run = epoch}, .agg = &a, .nagg = 1};

	a.info.kind.fn = AGG_COUNT;
	a.info.kind.value_size = agg_fns[AGG_COUNT]->size(a.info.kind.param);
	aggfile_put(&s->snapshot, &f);
	s->naggs = 1;
	return s;
}

/*
 * A host has one vote about which aggregations are usual, even if it begins the run many times. A
 * host that is left out has none.
 */
static void hosts_have_one_vote(void **state)
{
	struct hosts h = {0};
	struct host_state *out = add(&h, "d", 1, "mine");

	(void)state;
	add(&h, "a", 1, "mine");
	add(&h, "a", 2, "mine");
	add(&h, "a", 3, "mine");
	add(&h, "b", 1, "all");
	add(&h, "c", 1, "all");
	out->rejected = "it is not signed";
	hosts_find_odd(&h);
	for (size_t i = 0; i < h.v.n; i++)
		assert_int_equal(host_counts(h.v.v[i]),
				 *h.v.v[i]->host == 'b' || *h.v.v[i]->host == 'c');
	hosts_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(hosts_have_one_vote)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
