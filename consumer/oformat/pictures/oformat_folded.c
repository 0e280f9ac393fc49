/*
 * oformat_folded.c - implements -x oformat=folded, which prints a line for each stack, in the form
 * that flame graph tools read.
 *
 * As in the output of stackcollapse.pl, the outermost frame comes first: vmlinux`a;vmlinux`b 12.
 * The output does not say which frames belong to the kernel.
 */
#include <inttypes.h>

#include "consumer/oformat/tables.h"
#include "consumer/oformat/pictures/fold.h"
#include "consumer/oformat/oformat.h"
#include "consumer/output.h"

/* Appends the name of a frame. A ';' in the name is escaped, because ';' separates frames. */
static void add_name(struct strbuf *out, const struct frame *f)
{
	for (size_t i = 0; i < f->len; i++)
		if (f->name[i] == ';')
			strbuf_adds(out, "\\x3b");
		else
			strbuf_addc(out, f->name[i]);
}

static void add_row(struct strbuf *out, const struct agg_row *row)
{
	struct frame f;
	size_t at = 0;

	while (fold_frame(row, &at, &f)) {
		add_name(out, &f);
		strbuf_addc(out, at < row->klen ? ';' : ' ');
	}
	strbuf_addf(out, "%" PRId64 "\n", (int64_t)*agg_row_val(row));
}

static void table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	struct fold fold = {0};

	(void)fmt;
	for (uint32_t i = 0; i < t->nagg; i++)
		fold_add(&fold, f->p, t, i);
	fold_sort(&fold);
	for (size_t i = 0; i < fold.tab.row.n; i++) {
		add_row(&f->out->buf, fold.tab.row.v[i]);
		output_spill(f->out);
	}
	fold_release(&fold);
}

const struct oformat_ops oformat_folded = {
	.name = "folded",
	.size = sizeof(struct oformat),
	OFORMAT_NO_RECORDS,
	.table = table,
};
