/*
 * aggfiles.c - several snapshots are shown as one, or two of them are compared.
 */
#include "cmd/aggfiles.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/aggdiff.h"
#include "consumer/aggfile.h"
#include "consumer/consumer.h"
#include "consumer/merge.h"
#include "engine/source.h"

struct files {
	struct aggfile **v;
	size_t n;
};

static void release(struct files *f)
{
	for (size_t i = 0; i < f->n; i++)
		aggfile_free(f->v[i]);
	xfree(f->v);
}

/* What a host lost makes all numbers less than they should be. */
static void tell_losses(const struct aggfile *f, FILE *err)
{
	for (uint32_t i = 0; i < f->nloss; i++)
		fprintf(err, "dtrace: %s (%s): lost, %s: %" PRIu64 "\n", f->path, f->id.host,
			f->loss[i].kind, f->loss[i].count);
}

static bool read_all(struct files *f, const char *const *path, size_t n, struct diag *d)
{
	f->v = xcalloc(n, sizeof(*f->v));
	for (; f->n < n; f->n++) {
		f->v[f->n] = aggfile_read(path[f->n], d);
		if (!f->v[f->n] || (f->n && !aggfile_agree(f->v[0], f->v[f->n], d)))
			return f->n += f->v[f->n] != NULL, false;
	}
	return true;
}

static bool same_run(const struct aggfile *a, const struct aggfile *b)
{
	return a->id.epoch == b->id.epoch && !strcmp(a->id.host, b->id.host);
}

/* Snapshots are cumulative: adding two of one run would count it twice. */
static void keep_latest(struct files *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		size_t k = 0;

		while (k < n && !same_run(f->v[k], f->v[i]))
			k++;
		if (k == n) {
			f->v[n++] = f->v[i];
			continue;
		}
		if (f->v[i]->id.sequence > f->v[k]->id.sequence) {
			struct aggfile *older = f->v[k];

			f->v[k] = f->v[i];
			f->v[i] = older;
		}
		aggfile_free(f->v[i]);
	}
	f->n = n;
}

static int show(struct files *f, const struct consumer_opts *o, struct diag *d)
{
	struct source *s = merge_source_new(f->v, (uint32_t)f->n);
	volatile sig_atomic_t never = 0;
	const struct program *p;
	struct consumer *c;
	struct arena mem;
	int err;

	arena_init(&mem);
	p = merge_program(&mem, f->v, (uint32_t)f->n);
	s->ops->start(s, p, d);
	c = consumer_new(p, s, o);
	err = consumer_run(c, d, &never) ? -1 : consumer_status(c);
	consumer_free(c);
	s->ops->free(s);
	arena_release(&mem);
	return err;
}

int aggfiles_merge(const char *const *path, size_t n, const struct consumer_opts *o, struct diag *d)
{
	struct files f = {0};
	int err = -1;

	if (!n)
		return diag_error(d, D_SYS, NOLOC, "--merge takes the files that are to be added up");
	if (read_all(&f, path, n, d)) {
		keep_latest(&f);
		for (size_t i = 0; i < f.n; i++)
			tell_losses(f.v[i], o->err);
		err = show(&f, o, d);
	}
	release(&f);
	return err;
}

int aggfiles_diff(const char *const *path, size_t n, const struct consumer_opts *o, struct diag *d)
{
	struct strbuf b = {0};
	struct files f = {0};
	int err = -1;

	if (n != 2)
		return diag_error(d, D_SYS, NOLOC, "--diff takes two files: from before, and from after");
	if (read_all(&f, path, n, d)) {
		for (size_t i = 0; i < f.n; i++)
			tell_losses(f.v[i], o->err);
		aggdiff_show(&b, f.v[0], f.v[1]);
		fwrite(strbuf_text(&b), 1, b.len, o->out);
		err = 0;
	}
	strbuf_release(&b);
	release(&f);
	return err;
}
