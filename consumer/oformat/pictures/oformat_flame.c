/*
 * oformat_flame.c - implements -x oformat=flame, which prints one flame graph at the end.
 *
 * Each aggregation appears in the graph with the rows that were last shown, by printa() or at the
 * end.
 */
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/oformat/tables.h"
#include "consumer/oformat/pictures/flame.h"
#include "consumer/oformat/pictures/fold.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/pictures/title.h"

struct flames {
	struct oformat f;
	struct fold *fold; /* for each aggregation: the rows last shown */
};

static struct flames *flames_of(struct oformat *f)
{
	return (struct flames *)f;
}

static void begin(struct oformat *f)
{
	flames_of(f)->fold = xcalloc(f->p->nagg + 1, sizeof(struct fold));
}

static void release(struct oformat *f)
{
	for (uint32_t i = 0; i < f->p->nagg; i++)
		fold_release(&flames_of(f)->fold[i]);
	xfree(flames_of(f)->fold);
}

static void table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	(void)fmt;
	for (uint32_t i = 0; i < t->nagg; i++) {
		struct fold *fold = &flames_of(f)->fold[t->agg[i]];

		fold_release(fold);
		fold_add(fold, f->p, t, i);
	}
}

static void end(struct oformat *f)
{
	struct fold all = {0};
	char *title = title_of(f, fold_wants);

	for (uint32_t i = 0; i < f->p->nagg; i++)
		fold_join(&all, &flames_of(f)->fold[i]);
	fold_sort(&all);
	flame_draw(&f->out->buf, &all, title, f->o->unit);
	fold_release(&all);
	xfree(title);
}

const struct oformat_ops oformat_flame = {
	.name = "flame",
	.size = sizeof(struct flames),
	.begin = begin,
	OFORMAT_NO_RECORDS,
	.table = table,
	.end = end,
	.release = release,
};
