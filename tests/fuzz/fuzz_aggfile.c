/*
 * fuzz_aggfile.c - checks that any bytes as a file of aggregations are either refused, or can be
 * shown and compared without harm. Such files may come from other machines.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "agg/percentile.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/oformat/diff.h"
#include "consumer/aggs/file.h"
#include "consumer/consumer.h"
#include "consumer/aggs/merge.h"
#include "engine/source.h"

static void show(struct aggfile *f)
{
	struct consumer_opts o = {.quiet = true};
	struct source *s;
	volatile sig_atomic_t never = 0;
	const struct program *p;
	struct consumer *c;
	struct diag d = {0};
	struct arena mem;
	char *text = NULL;
	size_t n;

	arena_init(&mem);
	s = merge_source_new(&mem, &f, 1, NULL);
	o.out = o.err = open_memstream(&text, &n);
	p = merge_program(&mem, &f, 1);
	s->ops->start(s, p, &d);
	c = consumer_new(p, s, &o);
	consumer_run(c, &d, &never);
	consumer_free(c);
	s->ops->free(s);
	fclose(o.out);
	free(text);
	diag_release(&d);
	arena_release(&mem);
}

static void compare(const struct aggfile *before, const struct aggfile *after)
{
	static const char *const form[] = {"text", "json", "csv"};
	const struct percentiles at = {2, {50 * PERCENT, 99900}};

	for (size_t i = 0; i < sizeof(form) / sizeof(*form); i++) {
		struct strbuf b = {0};

		aggdiff_show(&b, aggdiff_form(form[i]), before, after, &at);
		strbuf_release(&b);
	}
}

/*
 * Compares @f with a file that has the same aggregations but no rows, so that each row is a
 * difference.
 */
static void compare_with_none(const struct aggfile *f)
{
	struct aggfile none = *f;

	none.agg = xcalloc(f->nagg + 1, sizeof(*none.agg));
	for (uint32_t i = 0; i < f->nagg; i++) {
		none.agg[i] = f->agg[i];
		none.agg[i].nrow = 0;
	}
	compare(f, &none);
	compare(&none, f);
	xfree(none.agg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input is the file without its checksum, which this function computes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf b = {0};
	struct diag d = {0};
	struct aggfile *f;
	uint64_t sum;

	strbuf_add(&b, data, size);
	sum = aggfile_checksum(data, size);
	strbuf_add(&b, &sum, sizeof(sum));
	f = aggfile_parse("fuzz", b.s, b.len, &d);
	if (f) {
		show(f);
		compare(f, f);
		compare_with_none(f);
	}
	aggfile_free(f);
	diag_release(&d);
	strbuf_release(&b);
	return 0;
}
