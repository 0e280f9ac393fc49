/* test_history.c - checks the counts of always-on programs that a viewer shows for a period. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/sum.h"
#include "fleet/history.h"
#include "fleet/message.h"
#include "fleet/when.h"
#include "tests/check.h"

/* Writes an aggregation file of "@[KEY] = count()" or "@[KEY] = max()". The keys are numbers. */
static void write_file(struct strbuf *b, enum agg_fn fn, size_t n, const uint64_t *key,
		       uint64_t *val, uint64_t losses)
{
	struct field field = {.kind = FIELD_UINT, .size = 8};
	struct aggfile_row row[4];
	struct aggfile_loss loss = {"events", losses};
	struct aggfile_agg a = {.info = {.name = "_", .key = &field, .nkey = 1}, .normal = 1};
	struct aggfile f = {.id = {.program = 1, .host = "h", .run = 2, .time = 3},
			    .agg = &a,
			    .nagg = 1,
			    .loss = &loss,
			    .nloss = losses > 0};
	size_t words = fn == AGG_MAX ? 2 : 1;

	a.info.kind.fn = fn;
	a.info.kind.value_size = agg_fns[fn]->size(a.info.kind.param);
	assert_int_equal(a.info.kind.value_size, words * 8);
	for (size_t i = 0; i < n; i++)
		row[i] = (struct aggfile_row){(const uint8_t *)&key[i], 8, &val[i * words]};
	a.row = row;
	a.nrow = n;
	strbuf_reset(b);
	aggfile_put(b, &f);
}

/* Returns the rows of a file as text, "KEY=VALUE ...". */
static const char *rows_of(const struct strbuf *b)
{
	static char text[128];
	struct diag d = {0};
	struct aggfile *f = aggfile_parse("file", b->s, b->len, &d);
	size_t n = 0;

	assert_non_null(f);
	*text = '\0';
	for (size_t i = 0; i < f->agg->nrow; i++) {
		uint64_t key;

		memcpy(&key, f->agg->row[i].key, 8);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%d=%d", n ? " " : "", (int)key,
				      (int)f->agg->row[i].val[0]);
	}
	for (uint32_t i = 0; i < f->nloss; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ", %d %s", (int)f->loss[i].count,
				      f->loss[i].kind);
	aggfile_free(f);
	diag_release(&d);
	return text;
}

/*
 * The files of several hosts can be added up. The difference of two snapshots has the counts of the
 * time between them.
 */
static void files_are_added_and_subtracted(void **state)
{
	const uint64_t key[] = {1, 2, 3};
	uint64_t first[] = {5, 6, 7}, second[] = {9, 6}, max[] = {1, 4};
	struct strbuf a = {0}, b = {0}, out = {0};
	struct aggsum *s = aggsum_new();
	struct diag d = {0};

	(void)state;
	write_file(&a, AGG_COUNT, 2, key, first, 0);
	write_file(&b, AGG_COUNT, 2, key, second, 4);
	assert_null(aggsum_id(s));
	assert_false(aggsum_subtract(s, "a", a.s, a.len, &d));
	assert_true(aggsum_add(s, "b", b.s, b.len, &d));
	assert_true(aggsum_has_losses(s, true));
	assert_true(aggsum_subtract(s, "a", a.s, a.len, &d));
	aggsum_write(s, aggsum_id(s), &out);
	assert_string_equal(rows_of(&out), "1=4, 4 events");
	assert_true(aggsum_add(s, "a", a.s, a.len, &d) && aggsum_add(s, "a", a.s, a.len, &d));
	strbuf_reset(&out);
	aggsum_write(s, aggsum_id(s), &out);
	assert_string_equal(rows_of(&out), "1=14 2=12, 4 events");
	aggsum_free(s);
	/*
	 * The program has cleared one key and removed another one, so the earlier counts of both
	 * are lost.
	 */
	s = aggsum_new();
	write_file(&a, AGG_COUNT, 3, key, first, 0);
	second[0] = 2;
	write_file(&b, AGG_COUNT, 2, key, second, 0);
	assert_true(aggsum_add(s, "b", b.s, b.len, &d) && aggsum_subtract(s, "a", a.s, a.len, &d));
	strbuf_reset(&out);
	aggsum_write(s, aggsum_id(s), &out);
	assert_string_equal(rows_of(&out), "1=2, 2 keys that clear() or trunc() removed");
	/*
	 * The sum refuses a file of another program, a damaged file, and a file with max(), because
	 * results of max() cannot be subtracted.
	 */
	write_file(&b, AGG_MAX, 1, key, max, 0);
	assert_false(aggsum_add(s, "b", b.s, b.len, &d));
	assert_false(aggsum_add(s, "b", b.s, b.len - 1, &d));
	aggsum_free(s);
	s = aggsum_new();
	assert_true(aggsum_add(s, "b", b.s, b.len, &d));
	assert_false(aggsum_subtract(s, "b", b.s, b.len, &d));
	aggsum_free(s);
	strbuf_release(&a);
	strbuf_release(&b);
	strbuf_release(&out);
	diag_release(&d);
}

/* Intervals that come twice count once, and gaps are named. */
static void history_names_gaps(void **state)
{
	const uint64_t s = 1000000000u, key = 1;
	uint64_t val = 1;
	struct history h = {.from = 100 * s, .to = 200 * s, .step = 50 * s};
	struct interval i = {.program = "p", .host = "a.b", .id = "0a", .epoch = 1, .number = 1};
	struct strbuf subject = {0}, b = {0}, file = {0}, out = {0};
	struct interval r;
	struct message m;

	(void)state;
	write_file(&file, AGG_COUNT, 1, &key, &val, 0);
	i.from = 90 * s;
	i.to = 130 * s;
	interval_write(&subject, &b, &i, file.s, file.len);
	assert_string_equal(subject.s, "fleet.history.p.a%2Eb.0a");
	assert_true(message_parse(&m, b.s, b.len) && interval_read(&r, &m, subject.s));
	assert_true(r.from == i.from && r.to == i.to && r.number == 1 && m.len == file.len);
	assert_false(interval_read(&r, &m, "fleet.history.p.a%2Eb.0b"));
	assert_true(history_add(&h, &r, m.body, m.len));
	assert_false(history_add(&h, &r, m.body, m.len));
	message_release(&m);
	i.number = 3;
	i.from = 150 * s;
	i.to = 190 * s;
	assert_true(history_add(&h, &i, file.s, file.len));
	i.number = 4;
	i.from = 190 * s;
	i.to = 230 * s; /* the interval ends after the time that the history covers */
	assert_false(history_add(&h, &i, file.s, file.len));
	history_of(&h, "c", "0c");
	history_of(&h, "fra", "0f")->relay = true;
	assert_int_equal(history_missing(&h, 1000 * s, &out), 0);
	setenv("TZ", "UTC", 1);
	assert_string_equal(out.s, "a.b: no data from 1970-01-01 00:02:10 UTC to 1970-01-01 "
				   "00:02:30 UTC\nc: no data at all\n"
				   "fra: no data, because it is a relay; to see the "
				   "history of its hosts, name their server with -S\n");
	assert_int_equal(h.sum.n, 2);
	strbuf_reset(&b);
	aggsum_write(h.sum.v[1], aggsum_id(h.sum.v[1]), &b);
	assert_string_equal(rows_of(&b), "1=1");
	history_release(&h);
	strbuf_release(&subject);
	strbuf_release(&b);
	strbuf_release(&file);
	strbuf_release(&out);
}

/* Adds an interval without a file. */
static bool add_interval(struct history *h, const char *host, uint64_t number, uint64_t from,
			 uint64_t to)
{
	struct interval i = {.program = "p", .host = host, .id = "0a", .epoch = 1};

	i.number = number;
	i.from = from;
	i.to = to;
	i.lacks = "why";
	return history_add(h, &i, NULL, 0);
}

/*
 * A host that stops sending is reported. One very long interval, of this host or of another one,
 * does not change that.
 */
static void long_intervals_excuse_nobody(void **state)
{
	const uint64_t s = 1000000000u, now = 100000 * s;
	struct history h = {.from = 0, .to = now};
	struct strbuf out = {0};

	(void)state;
	setenv("TZ", "UTC", 1);
	assert_true(add_interval(&h, "liar", 1, 0, now));
	for (uint64_t k = 0; k < 4; k++) {
		assert_true(add_interval(&h, "dead", k + 1, k * 10 * s, (k + 1) * 10 * s));
		assert_true(add_interval(&h, "disk", k + 1, k * 10 * s, (k + 1) * 10 * s));
	}
	assert_true(add_interval(&h, "disk", 5, 40 * s, 90000 * s));
	assert_true(add_interval(&h, "live", 1, 0, now - 25 * s));
	for (uint64_t k = 0; k < 2; k++)
		assert_true(add_interval(&h, "live", k + 2, now - (25 - k * 5) * s,
					 now - (20 - k * 5) * s));
	history_missing(&h, now, &out);
	assert_non_null(strstr(out.s, "dead: no data from 1970-01-01 00:00:40 UTC"));
	assert_non_null(strstr(out.s, "disk: no data from 1970-01-02 01:00:00 UTC"));
	assert_null(strstr(out.s, "live: nothing"));
	history_release(&h);
	strbuf_release(&out);
}

/*
 * A missing interval is reported even if it was short, because the intervals are numbered. An
 * interval that comes twice is no gap.
 */
static void short_intervals_are_missed(void **state)
{
	const uint64_t s = 1000000000u;
	struct history h = {.from = 0, .to = 100 * s};
	struct interval i = {.program = "p", .host = "a", .id = "0a", .epoch = s, .number = 1};
	struct strbuf out = {0};

	(void)state;
	setenv("TZ", "UTC", 1);
	i.lacks = "x";
	assert_true(add_interval(&h, "a", 1, 0, s));
	assert_true(add_interval(&h, "a", 2, s, 2 * s));
	assert_false(add_interval(&h, "a", 2, s, 2 * s));
	history_missing(&h, 5 * s, &out);
	assert_null(strstr(out.s, "nothing"));
	strbuf_reset(&out);
	assert_true(add_interval(&h, "a", 4, 3 * s, 4 * s));
	history_missing(&h, 5 * s, &out);
	assert_non_null(strstr(out.s, "a: no data from 1970-01-01 00:00:02 UTC to 1970-01-01 "
				      "00:00:03 UTC\n"));
	i.from = s; /* a later run, whose clock is behind */
	i.to = 2 * s;
	assert_false(history_add(&h, &i, NULL, 0));
	i.number = 2; /* a later run, whose first interval is missing */
	i.from = 4 * s;
	i.to = 5 * s;
	assert_true(history_add(&h, &i, NULL, 0));
	strbuf_reset(&out);
	history_missing(&h, 6 * s, &out);
	assert_non_null(strstr(out.s, "a: a later run ends earlier"));
	assert_non_null(strstr(out.s, "a: no data from 1970-01-01 00:00:04 UTC"));
	history_release(&h);
	strbuf_release(&out);
}

/* The memory for the lines about a host is limited. */
static void reasons_are_bounded(void **state)
{
	struct history h = {.from = 0, .to = 1000000000000u};
	struct interval i = {.program = "p", .host = "a", .id = "0a", .epoch = 1};

	(void)state;
	for (uint64_t k = 0; k < 10000; k++) {
		i.lacks = k % 2 ? "one reason that is quite long" : "another that is not short";
		i.number = k + 1;
		i.from = k * 1000;
		i.to = i.from + 1000;
		assert_true(history_add(&h, &i, NULL, 0));
	}
	assert_true(h.v.v[0].missing.len < 1 << 17);
	assert_non_null(strstr(h.v.v[0].missing.s, "a: more data is missing\n"));
	history_release(&h);
}

static void times_are_parsed(void **state)
{
	static const struct {
		const char *text;
		uint64_t s;
	} good[] = {
		{"now", 86400},
		{"-2h", 79200},
		{"-1d", 0},
		{"@7", 7},
		{"00:10", 87000},
		{"1970-01-03", 172800},
		{"-90s", 86310},
		{"1970-01-02 10:00", 122400},
		{"1970-01-02T10:00:01", 122401},
	};
	static const char *const bad[] = {"", "yesterday", "-2", "-2x", "@", "@7x", "25:99", "-h"};
	uint64_t now = 86400 * 1000000000ull, ns;

	(void)state;
	setenv("TZ", "UTC", 1);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(when_parse(good[i].text, now, &ns));
		assert_true(ns == good[i].s * 1000000000u);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(when_parse(bad[i], now, &ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_added_and_subtracted),
		cmocka_unit_test(history_names_gaps),
		cmocka_unit_test(long_intervals_excuse_nobody),
		cmocka_unit_test(short_intervals_are_missed),
		cmocka_unit_test(reasons_are_bounded),
		cmocka_unit_test(times_are_parsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
