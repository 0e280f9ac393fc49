/*
 * aggfiles.c - several snapshots are shown as one, or two of them are compared.
 */
#include "cmd/aggfiles.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* ------------------------------------------------------------------------ many as one */

struct aggfiles {
	const char *const *path;
	size_t npath;
	struct files first, now; /* the program is that of the first: they stay */
	bool follow;
	struct merge_more more;
	struct arena mem;
	const struct program *program;
};

/* Not what file_replace() has not written to the end. */
static int is_shown(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* The paths of the files of a folder, by name, a NUL behind each; how many, or -1 if it is none. */
static int files_in(const char *folder, struct strbuf *path)
{
	struct dirent **e;
	int n = scandir(folder, &e, is_shown, alphasort);

	for (int i = 0; i < n; i++) {
		strbuf_addf(path, "%s/%s", folder, e[i]->d_name);
		strbuf_addc(path, '\0');
		free(e[i]);
	}
	if (n >= 0)
		free(e);
	return n;
}

/* Of the files that are followed one may be gone again. */
static bool read_one(const struct aggfiles *a, struct files *f, const char *path, bool in_folder, struct diag *d)
{
	struct diag own = {0};
	struct aggfile *file = in_folder ? aggfile_read_foreign(path, &own) : aggfile_read(path, &own);

	if (!file && a->follow && access(path, F_OK) && errno == ENOENT) {
		diag_release(&own);
		return true;
	}
	if (!file) {
		*d = own;
		return false;
	}
	f->v = xrealloc(f->v, (f->n + 1) * sizeof(*f->v));
	f->v[f->n++] = file;
	return aggfile_agree(a->first.n ? a->first.v[0] : f->v[0], file, d);
}

static bool read_path(const struct aggfiles *a, struct files *f, const char *path, struct diag *d)
{
	struct strbuf in = {0};
	int n = files_in(path, &in);
	const char *at = in.s;
	bool ok = true;

	if (n < 0)
		ok = read_one(a, f, path, false, d);
	for (; ok && n > 0; n--, at += strlen(at) + 1)
		ok = read_one(a, f, at, true, d);
	strbuf_release(&in);
	return ok;
}

/* What there is now in place of what there was; that stays if there is nothing any more. */
static bool read_again(struct aggfiles *a, struct diag *d)
{
	struct files f = {0};
	bool ok = true;

	for (size_t i = 0; ok && i < a->npath; i++)
		ok = read_path(a, &f, a->path[i], d);
	if (!ok || !f.n) {
		release(&f);
		return ok;
	}
	keep_latest(&f);
	if (!a->first.n)
		a->first = f;
	else if (a->now.v != a->first.v)
		release(&a->now);
	a->now = f;
	return true;
}

static struct aggfile *const *files_now(void *ctx, uint32_t *n, struct diag *d)
{
	struct aggfiles *a = ctx;

	if (!read_again(a, d))
		return NULL;
	*n = (uint32_t)a->now.n;
	return a->now.v;
}

/* Of those that are followed none may be there yet. */
static bool await_files(struct aggfiles *a, volatile sig_atomic_t *interrupted, struct diag *d)
{
	static const struct timespec pause = {0, 100000000};

	while (read_again(a, d) && !a->now.n && a->follow && !*interrupted)
		nanosleep(&pause, NULL);
	if (!a->now.n && !d->nerr)
		diag_error(d, D_SYS, NOLOC, "there is no file to show");
	return a->now.n;
}

struct aggfiles *aggfiles_open(const char *const *path, size_t n, bool follow, volatile sig_atomic_t *interrupted,
			       struct diag *d)
{
	struct aggfiles *a;

	if (!n) {
		diag_error(d, D_SYS, NOLOC, "--merge takes the files that are to be added up");
		return NULL;
	}
	a = xcalloc(1, sizeof(*a));
	a->path = path;
	a->npath = n;
	a->follow = follow;
	arena_init(&a->mem);
	if (!await_files(a, interrupted, d)) {
		aggfiles_free(a);
		return NULL;
	}
	a->program = merge_program(&a->mem, a->now.v, (uint32_t)a->now.n);
	return a;
}

const struct program *aggfiles_program(const struct aggfiles *a)
{
	return a->program;
}

struct source *aggfiles_source(struct aggfiles *a, uint64_t rate, int wake_fd)
{
	a->more = (struct merge_more){files_now, a, rate, wake_fd};
	return merge_source_new(&a->mem, a->now.v, (uint32_t)a->now.n, a->follow ? &a->more : NULL);
}

/* What a host lost makes all numbers less than they should be. */
static void tell_losses(const struct aggfile *f, FILE *err)
{
	for (uint32_t i = 0; i < f->nloss; i++)
		fprintf(err, "dtrace: %s (%s): lost, %s: %" PRIu64 "\n", f->path, f->id.host,
			f->loss[i].kind, f->loss[i].count);
}

void aggfiles_tell_losses(const struct aggfiles *a, FILE *err)
{
	for (size_t i = 0; i < a->now.n; i++)
		tell_losses(a->now.v[i], err);
}

void aggfiles_free(struct aggfiles *a)
{
	if (!a)
		return;
	if (a->now.v != a->first.v)
		release(&a->now);
	release(&a->first);
	arena_release(&a->mem);
	xfree(a);
}

/* --------------------------------------------------------------------------- two compared */

int aggfiles_diff(const char *const *path, size_t n, const struct consumer_opts *o, struct diag *d)
{
	const struct aggfiles as_they_are = {0};
	struct strbuf b = {0};
	struct files f = {0};
	int err = -1;

	if (n != 2)
		return diag_error(d, D_SYS, NOLOC, "--diff takes two files: from before, and from after");
	if (read_one(&as_they_are, &f, path[0], false, d) &&
	    read_one(&as_they_are, &f, path[1], false, d)) {
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
