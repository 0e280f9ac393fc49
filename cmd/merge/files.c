/* files.c - reads the files of --merge and --diff. */
#include "cmd/merge/files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "cmd/merge/opener.h"
#include "consumer/oformat/diff.h"
#include "consumer/aggs/file.h"
#include "consumer/consumer.h"
#include "consumer/oformat/oformat.h"
#include "consumer/aggs/merge.h"
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

/* Appends a note: @out is left out, because @kept is of the same run. */
static void note_left_out(struct strbuf *notes, const struct aggfile *out,
			  const struct aggfile *kept)
{
	strbuf_addf(notes, "dtrace: %s and %s are of the same run: %s is left out%s\n", kept->path,
		    out->path, out->path,
		    out->id.sequence < kept->id.sequence ? ", because it is older" : "");
}

/*
 * Keeps the latest file of each run and frees the others. A snapshot contains the numbers since the
 * start of the run, so two snapshots would count a run twice.
 */
static void keep_latest(struct files *f, struct strbuf *notes)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct aggfile *out = f->v[i];
		size_t k = 0;

		while (k < n && !aggfile_same_run(f->v[k], out))
			k++;
		if (k == n) {
			f->v[n++] = out;
			continue;
		}
		if (out->id.sequence > f->v[k]->id.sequence) {
			out = f->v[k];
			f->v[k] = f->v[i];
		}
		note_left_out(notes, out, f->v[k]);
		aggfile_free(out);
	}
	f->n = n;
}

/*
 * Appends a note if normalize() divides aggregation @agg by different numbers in two of the files.
 * A file without rows of the aggregation is ignored. @shown is the end of the message, which says
 * how the values are shown.
 */
static void note_normal(struct strbuf *notes, const struct files *f, uint32_t agg,
			const char *shown)
{
	const struct aggfile *one = NULL;

	for (size_t i = 0; i < f->n; i++) {
		const struct aggfile_agg *a = &f->v[i]->agg[agg];

		if (!a->nrow)
			continue;
		if (!one)
			one = f->v[i];
		if (one->agg[agg].normal == a->normal)
			continue;
		strbuf_addf(notes,
			    "dtrace: normalize() divides @%s by %" PRId64 " in %s and by %" PRId64
			    " in %s: %s\n",
			    a->info.name, one->agg[agg].normal, one->path, a->normal, f->v[i]->path,
			    shown);
		return;
	}
}

static void note_normals(struct strbuf *notes, const struct files *f, const char *shown)
{
	for (uint32_t i = 0; i < f->v[0]->nagg; i++)
		note_normal(notes, f, i, shown);
}

/* ------------------------------------------------------------------------ many as one */

struct aggfiles {
	const char *const *path;
	size_t npath;
	struct files first;  /* files read first; the program points into them */
	struct files now;    /* files read last; may be the same as @first */
	struct strbuf notes; /* messages about the files in @now, one line for each message */
	bool follow, any_program;
	bool no_folders;                /* each path names a file, so folders are not read */
	bool (*opened)(struct diag *d); /* see struct aggfiles_how */
	struct opener *opener;
	struct merge_refresh more;
	struct arena mem;
	const struct program *program;
};

/* A file that has been read but not parsed. */
struct text {
	/* path with escapes, because another user may have chosen the names of files in a folder */
	char *path;
	struct strbuf bytes;
	struct diag d; /* why the file could not be read, or no error */
};

struct texts {
	VEC(struct text) text;
	bool failed; /* the last file could not be read, so reading stopped */
};

static void release_text(struct text *x)
{
	xfree(x->path);
	strbuf_release(&x->bytes);
	diag_release(&x->d);
}

/*
 * Appends the paths of the files in a folder to @path, sorted, each with a NUL at its end. Returns
 * the number of files, or -1 if @folder is not a folder that can be read.
 */
static int files_in(const char *folder, struct strbuf *path)
{
	struct dirent **e;
	int n = scandir(folder, &e, aggfile_filter, alphasort);

	for (int i = 0; i < n; i++) {
		strbuf_addf(path, "%s/%s", folder, e[i]->d_name);
		strbuf_addc(path, '\0');
		free(e[i]);
	}
	if (n >= 0)
		free(e);
	return n;
}

static void load(struct texts *t, const char *path, bool in_folder)
{
	struct text x = {0};
	bool ok = in_folder ? aggfile_read_foreign(path, &x.bytes, &x.d)
			    : aggfile_read(path, &x.bytes, &x.d);

	x.path = visible_copy(path);
	t->failed = !ok;
	vec_push(&t->text, x);
}

static void load_path(const struct aggfiles *a, struct texts *t, const char *path)
{
	struct strbuf in = {0};
	int n = a->no_folders ? -1 : files_in(path, &in);
	const char *at = in.s;

	if (n < 0)
		load(t, path, false);
	for (; !t->failed && n > 0; n--, at += strlen(at) + 1)
		load(t, at, true);
	strbuf_release(&in);
}

/* Adds a file that the opener (opener.h) passed. Returns false if the file could not be read. */
static bool take_text(void *ctx, const char *path, struct strbuf *bytes, const char *why)
{
	struct texts *t = ctx;
	struct text x = {.path = visible_copy(path), .bytes = *bytes};

	if (why)
		diag_error(&x.d, D_SYS, NOLOC, "failed to read %s: %s", x.path, why);
	t->failed = why != NULL;
	vec_push(&t->text, x);
	return !t->failed;
}

static bool load_all(const struct aggfiles *a, struct texts *t, struct diag *d)
{
	if (a->opener)
		return opener_read(a->opener, take_text, t, d);
	for (size_t i = 0; !t->failed && i < a->npath; i++)
		load_path(a, t, a->path[i]);
	return !a->opened || a->opened(d);
}

static bool parse(const struct aggfiles *a, struct files *f, struct text *x, struct diag *d)
{
	struct aggfile *file;

	if (x->d.nerr) {
		*d = x->d;
		x->d = (struct diag){0};
		return false;
	}
	file = aggfile_parse(x->path, strbuf_text(&x->bytes), x->bytes.len, d);
	if (!file)
		return false;
	f->v = xrealloc(f->v, (f->n + 1) * sizeof(*f->v));
	f->v[f->n++] = file;
	return aggfile_agree(a->first.n ? a->first.v[0] : f->v[0], file, a->any_program, d);
}

/*
 * Reads and parses the files. All files are read before the first one is parsed. Rights are given
 * up in between, after which no file can be opened.
 */
static bool read_files(const struct aggfiles *a, struct files *f, struct diag *d)
{
	struct texts t = {0};
	bool ok = load_all(a, &t, d);

	for (size_t i = 0; i < t.text.n; i++) {
		ok = ok && parse(a, f, &t.text.v[i], d);
		release_text(&t.text.v[i]);
	}
	vec_free(&t.text);
	return ok;
}

/* Reads the files again. If no file is left, keeps the files that were read before. */
static bool read_again(struct aggfiles *a, struct diag *d)
{
	struct files f = {0};
	bool ok = read_files(a, &f, d);

	if (!ok || !f.n) {
		release(&f);
		return ok;
	}
	strbuf_reset(&a->notes);
	keep_latest(&f, &a->notes);
	note_normals(&a->notes, &f, "the total is not divided");
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

/* Reads the files for the first time. With -x follow, waits until there is at least one file. */
static bool await_files(struct aggfiles *a, volatile sig_atomic_t *interrupted, struct diag *d)
{
	static const struct timespec pause = {0, 100000000};

	while (read_again(a, d) && !a->now.n && a->follow && !*interrupted)
		nanosleep(&pause, NULL);
	if (!a->now.n && !d->nerr)
		diag_error(d, D_SYS, NOLOC, "--merge found no aggregation files");
	return a->now.n;
}

struct aggfiles *aggfiles_open(const char *const *path, size_t n, const struct aggfiles_how *how,
			       volatile sig_atomic_t *interrupted, struct diag *d)
{
	struct aggfiles *a;

	if (!n) {
		diag_error(d, D_SYS, NOLOC,
			   "--merge needs the names of aggregation files; -x aggout=FILE writes "
			   "one");
		return NULL;
	}
	a = xcalloc(1, sizeof(*a));
	a->path = path;
	a->npath = n;
	a->follow = how->follow;
	a->any_program = how->any_program;
	a->opened = how->opened;
	a->opener = how->opener;
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
	a->more = (struct merge_refresh){files_now, a, rate, wake_fd};
	return merge_source_new(&a->mem, a->now.v, (uint32_t)a->now.n, a->follow ? &a->more : NULL);
}

/* Prints the events that the host of @f lost. Losses make the numbers of the file too small. */
static void report_losses(const struct aggfile *f, FILE *err)
{
	for (uint32_t i = 0; i < f->nloss; i++)
		fprintf(err, "dtrace: %s: host %s lost events or data (%s): %" PRIu64 "\n", f->path,
			f->id.host, f->loss[i].kind, f->loss[i].count);
}

void aggfiles_report(const struct aggfiles *a, FILE *err)
{
	fputs(strbuf_text(&a->notes), err);
	for (size_t i = 0; i < a->now.n; i++)
		report_losses(a->now.v[i], err);
}

void aggfiles_free(struct aggfiles *a)
{
	if (!a)
		return;
	if (a->now.v != a->first.v)
		release(&a->now);
	release(&a->first);
	strbuf_release(&a->notes);
	arena_release(&a->mem);
	xfree(a);
}

/* --------------------------------------------------------------------------- two compared */

int aggfiles_diff(const char *const *path, size_t n, const struct aggfiles_how *how,
		  const struct consumer_opts *o, struct diag *d)
{
	const struct aggfiles two = {.path = path,
				     .npath = 2,
				     .no_folders = true,
				     .any_program = how->any_program,
				     .opened = how->opened};
	const struct aggdiff_form *form = aggdiff_form(o->oformat ? o->oformat->name : "text");
	struct strbuf b = {0}, notes = {0};
	struct files f = {0};
	int err = -1;

	if (n != 2)
		return diag_error(d, D_SYS, NOLOC,
				  "--diff needs two aggregation files: first the older, then the "
				  "newer");
	if (!form)
		return diag_error(d, D_SYS, NOLOC,
				  "--diff prints text, csv or json (-x oformat), not %s",
				  o->oformat->name);
	if (read_files(&two, &f, d)) {
		for (size_t i = 0; i < f.n; i++)
			report_losses(f.v[i], o->err);
		note_normals(&notes, &f, "each file is divided by its own number");
		fputs(strbuf_text(&notes), o->err);
		aggdiff_show(&b, form, f.v[0], f.v[1], &o->style.percentiles);
		fwrite(strbuf_text(&b), 1, b.len, o->out);
		err = 0;
	}
	strbuf_release(&b);
	strbuf_release(&notes);
	release(&f);
	return err;
}
