/*
 * fuzz_aggfile.c - whatever another machine sends as a file of aggregations is refused, or can be shown
 * and compared.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/aggdiff.h"
#include "consumer/aggfile.h"
#include "consumer/consumer.h"
#include "consumer/merge.h"
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

static void compare(struct aggfile *f)
{
	struct strbuf b = {0};

	aggdiff_show(&b, f, f);
	strbuf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All but the checksum, which is made here. */
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
		compare(f);
	}
	aggfile_free(f);
	diag_release(&d);
	strbuf_release(&b);
	return 0;
}
