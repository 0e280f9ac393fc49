/* test_waiting.c - checks when a relay stops waiting for its hosts. */
#include "fleet/waiting.h"
#include "tests/check.h"

#define S 1000000000ull

enum { BEGAN = 100, END = 1000 }; /* seconds since 1970; in these tests also seconds since boot */

static struct waiting ten(void)
{
	return (struct waiting){.until = END, .grace_s = 10, .heard = BEGAN * S};
}

static struct host_state *expect(struct hosts *h, const char *host)
{
	return hosts_get(h, &(struct report_key){host, "", 0});
}

static void answer(struct waiting *w, struct host_state *h, enum phase p, uint64_t at)
{
	h->sequence++;
	h->phase = p;
	waiting_note(w, h, at * S);
}

/* Checks that waiting_update() sets w->over to @over at the time @at. */
static void check(struct waiting *w, const struct hosts *h, uint64_t at, bool over)
{
	bool before = w->over;

	assert_int_equal(waiting_update(w, h, true, at * S, at), over != before);
	assert_int_equal(w->over, over);
}

/*
 * One host ends, and another one never answers. The relay waits for 10 s after the answer of the
 * first host. Then the run stays over.
 */
static void missing_hosts_are_given_up_once(void **state)
{
	struct waiting w = ten();
	struct hosts h = {0};
	struct host_state *a = expect(&h, "a"), *b = expect(&h, "b");

	(void)state;
	expect(&h, "low");
	answer(&w, a, PHASE_TRACING, BEGAN + 2);
	answer(&w, a, PHASE_ENDED, BEGAN + 4);
	check(&w, &h, BEGAN + 11, false);
	for (uint64_t at = BEGAN + 13; at < BEGAN + 30; at++)
		check(&w, &h, at, true);
	/* Two hosts answer later. The relay waits until they have ended, but not for "low". */
	answer(&w, b, PHASE_TRACING, BEGAN + 30);
	check(&w, &h, BEGAN + 30, false);
	answer(&w, expect(&h, "c"), PHASE_ENDED, BEGAN + 31);
	answer(&w, b, PHASE_ENDED, BEGAN + 31);
	check(&w, &h, BEGAN + 31, true);
	check(&w, &h, BEGAN + 32, true);
	hosts_release(&h);
}

/* The hosts of a large site do not answer at the same time. */
static void each_new_host_renews_the_wait(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct waiting w = ten();
	struct hosts h = {0};
	uint64_t at = BEGAN;

	(void)state;
	expect(&h, "low");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		at += 8;
		answer(&w, expect(&h, names[i]), PHASE_ENDED, at);
		check(&w, &h, at, false);
	}
	/* Only the first answer of a host counts. */
	answer(&w, expect(&h, "a"), PHASE_ENDED, at + 8);
	check(&w, &h, at + 9, false);
	check(&w, &h, at + 11, true);
	hosts_release(&h);
}

/* If all hosts have ended and sent their output, the relay does not wait. */
static void nobody_is_missing(void **state)
{
	struct waiting w = ten();
	struct hosts h = {0};
	struct host_state *a = expect(&h, "a");

	(void)state;
	answer(&w, a, PHASE_ENDED, BEGAN + 1);
	a->out = 5;
	check(&w, &h, BEGAN + 1, false);
	a->shown = 5;
	assert_false(waiting_update(&w, &h, false, (BEGAN + 1) * S, BEGAN + 1));
	check(&w, &h, BEGAN + 1, true);
	hosts_release(&h);
}

/* No host is expected, so the relay waits for hosts that it does not know. */
static void unknown_hosts_may_answer(void **state)
{
	struct waiting w = ten();
	struct hosts h = {0};

	(void)state;
	check(&w, &h, BEGAN + 9, false);
	check(&w, &h, BEGAN + 11, true);
	check(&w, &h, BEGAN + 12, true);
}

/* The server of the site is away at first, so the relay learns late which hosts are expected. */
static void the_wait_begins_with_the_inventory(void **state)
{
	struct waiting w = ten();
	struct hosts h = {0};

	(void)state;
	assert_false(waiting_update(&w, &h, false, (BEGAN + 20) * S, BEGAN + 20));
	expect(&h, "a");
	w.heard = (BEGAN + 20) * S;
	check(&w, &h, BEGAN + 29, false);
	check(&w, &h, BEGAN + 31, true);
	hosts_release(&h);
}

/* After the end of the run and 10 s, the relay waits for no host, whatever it knows. */
static void the_wait_is_bounded(void **state)
{
	struct waiting w = ten();
	struct hosts h = {0};

	(void)state;
	answer(&w, expect(&h, "a"), PHASE_TRACING, END);
	check(&w, &h, END + 9, false);
	assert_true(waiting_update(&w, &h, false, (END + 10) * S, END + 10) && w.over);
	check(&w, &h, END + 11, true);
	hosts_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_hosts_are_given_up_once),
		cmocka_unit_test(each_new_host_renews_the_wait),
		cmocka_unit_test(nobody_is_missing),
		cmocka_unit_test(unknown_hosts_may_answer),
		cmocka_unit_test(the_wait_begins_with_the_inventory),
		cmocka_unit_test(the_wait_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
