/* outputs.c - opens the outputs of a run. */
#include "cmd/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/arguments.h"
#include "cmd/errors.h"
#include "cmd/rights.h"
#include "cmd/texts.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/snapshots.h"
#include "consumer/screen/view.h"
#include "consumer/serve/serve.h"
#include "ir/program.h"

/* File that holds messages back while a screen is open, or NULL. */
static FILE *messages;

void outputs_report(const char *line)
{
	fprintf(messages ? messages : stderr, "dtrace: %s\n", line);
}

/*
 * Opens @path for writing. @how is O_APPEND or O_TRUNC. On failure, returns NULL and sets errno to
 * an error for file_error().
 */
static FILE *open_stream(const char *path, int how)
{
	int fd = file_open_output(path, how);

	return fd < 0 ? NULL : fdopen(fd, how == O_APPEND ? "a" : "w");
}

/* --------------------------------------------------------------------- -o and stdout */

/*
 * Finds the width of @out: the width of the terminal, or else $COLUMNS. Also finds out whether @out
 * shows colours, which only a terminal does.
 */
static void look_at_output(FILE *out, struct consumer_opts *o)
{
	const char *columns = getenv("COLUMNS"), *none = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(fileno(out));
	struct winsize w = {0};

	if (terminal && !ioctl(fileno(out), TIOCGWINSZ, &w))
		o->columns = w.ws_col;
	else if (columns && atoi(columns) > 0)
		o->columns = atoi(columns);
	o->colour = terminal && !(none && *none) && term && strcmp(term, "dumb");
}

int outputs_open(struct outputs *o, struct arguments *args)
{
	struct consumer_opts *c = &args->o.consumer;

	if (args->output) {
		FILE *f = open_stream(args->output, O_APPEND);

		if (!f)
			return fatal("failed to open output file '%s': %s", args->output,
				     file_error(errno));
		o->out = f;
	}
	c->out = o->out;
	c->outname = args->output;
	c->err = stderr;
	c->is_static = option_is_static;
	look_at_output(o->out, c);
	return 0;
}

int outputs_close(struct outputs *o, const struct arguments *args, int status)
{
	int err = 0;

	if (fflush(o->out))
		err = errno;
	/* Some file systems report a failed write only when the file is closed. */
	if (o->out != stdout && fclose(o->out) && !err)
		err = errno;
	if (err && status == 0)
		status = fatal("failed to write to %s: %s",
			       o->out == stdout ? "<stdout>" : args->output, strerror(err));
	return status;
}

/* ---------------------------------------------------------------------- -x capture */

static bool captures(const struct program *p)
{
	for (uint32_t i = 0; i < p->nclause; i++)
		for (uint32_t k = 0; k < p->clause[i].nact; k++)
			if (p->clause[i].act[k].kind == ACT_CAPTURE)
				return true;
	return false;
}

static int open_capture(struct arguments *args, const struct program *p)
{
	const char *name = args->o.capture;
	bool to_stdout = name && !strcmp(name, "-");

	if (!name)
		return 0;
	if (!captures(p))
		return fatal("failed to set -x capture: the program has no probe with a packet "
			     "(args[0] of an ip, tcp or udp probe)");
	if (to_stdout && !args->output)
		return fatal("failed to set -x capture=-: packets go to stdout, so send other "
			     "output to a file with -o");
	args->o.consumer.capture = to_stdout ? stdout : open_stream(name, O_TRUNC);
	args->o.consumer.capture_name = name;
	if (!args->o.consumer.capture)
		return fatal("failed to open the capture '%s': %s", name, file_error(errno));
	return 0;
}

/* ----------------------------------------------------------------------- -x aggout */

static void add_number(struct strbuf *b, uint64_t v)
{
	strbuf_add(b, &v, sizeof(v));
}

static void add_text(struct strbuf *b, const char *s)
{
	add_number(b, s ? strlen(s) : UINT64_MAX);
	strbuf_adds(b, s ? s : "");
}

/*
 * Returns the number of this run for its file. --merge takes files with the same number as one run.
 * The number is random, except for replays of a capture file.
 *
 * Replays of one capture file that must count the same get the same number. It is a digest of the
 * program's texts (@texts) and arguments, the options that change what the program counts, and the
 * size of the file. The digest does not include the compiled program, because this also depends on
 * the output form.
 */
static uint64_t run_id(const struct arguments *args, uint64_t texts)
{
	struct strbuf b = {0};
	struct stat st;
	uint64_t id;

	if (!args->replay || stat(args->replay, &st) || !S_ISREG(st.st_mode))
		return getrandom(&id, sizeof(id), 0) == (ssize_t)sizeof(id) ? id : now_real();
	add_number(&b, texts);
	for (size_t i = 0; i < args->text.n; i++)
		add_number(&b, (uint64_t)args->text.v[i].opt);
	for (size_t i = 1; i < args->arg.n; i++)
		add_text(&b, args->arg.v[i]);
	options_add_counted(&b, &args->o);
	add_number(&b, (uint64_t)st.st_size);
	id = aggfile_checksum(b.s, b.len);
	strbuf_release(&b);
	return id;
}

/*
 * Opens the output of -x aggout. A regular file is replaced as a whole, so that a reader finds
 * either the old or the new file. A pipe, a device or an open descriptor cannot be replaced, so
 * dtrace writes to it.
 */
static int open_snapshots(struct arguments *args)
{
	struct consumer_opts *o = &args->o.consumer;
	char *path = file_resolve_output(args->o.aggout);
	int err = path ? 0 : errno;

	if (!path && !err && o->aggout.rate)
		return fatal("failed to set -x aggoutrate: '%s' is not a regular file, so it "
			     "cannot be replaced",
			     args->o.aggout);
	if (path)
		o->aggout.snapshots = snapshots_start(path);
	else if (!err)
		o->aggout.file = open_stream(args->o.aggout, O_APPEND);
	if (!err && !o->aggout.file && !o->aggout.snapshots)
		err = errno;
	xfree(path);
	return err ? fatal("failed to open '%s' for aggregations: %s", args->o.aggout,
			   file_error(err))
		   : 0;
}

static int open_aggout(struct arguments *args, const struct program *p)
{
	struct consumer_opts *o = &args->o.consumer;
	static struct utsname host;
	int err;

	if (!args->o.aggout && (o->aggout.rate || o->aggout.only))
		return fatal("failed to set -x %s: it needs -x aggout=FILE",
			     o->aggout.rate ? "aggoutrate" : "aggoutonly");
	if (!args->o.aggout)
		return 0;
	if (!p->nagg && !o->aggout.only)
		return fatal("failed to set -x aggout: the program has no aggregations");
	err = open_snapshots(args);
	if (err)
		return err;
	uname(&host);
	o->aggout.host = args->o.compile.host ? args->o.compile.host
			 : args->replay       ? args->replay
					      : host.nodename;
	o->aggout.name = args->o.aggout;
	o->aggout.program = texts_digest(args);
	o->aggout.run = run_id(args, o->aggout.program);
	return 0;
}

int outputs_open_files(struct arguments *args, const struct program *p)
{
	int err = open_capture(args, p);

	return err ? err : open_aggout(args, p);
}

/* ------------------------------------------------------------ -x listen and -x view */

int outputs_listen(struct outputs *o, struct arguments *args, struct diag *d)
{
	if (!args->o.listen || o->serve)
		return 0;
	o->serve = serve_new(args->o.listen, outputs_report, d);
	if (!o->serve)
		return fatal_diag(&args->o, d);
	args->o.consumer.serve = o->serve;
	if (!args->o.consumer.quiet)
		complain(0, "metrics are at %s", serve_url(o->serve));
	return 0;
}

int outputs_view(struct arguments *args, const struct program *p, struct diag *d)
{
	struct consumer_opts *o = &args->o.consumer;

	if (!args->o.view)
		return 0;
	if (p && !p->nagg)
		return fatal("failed to set -x view: the program has no aggregation to show");
	if (o->view)
		return 0;
	rights_with_view();
	o->view = view_new(d);
	if (!o->view)
		return fatal_diag(&args->o, d);
	if (view_messages(o->view))
		o->err = messages = view_messages(o->view);
	return 0;
}

void outputs_stop(struct outputs *o, struct arguments *args)
{
	serve_free(o->serve);
	view_free(args->o.consumer.view);
	messages = NULL;
	args->o.consumer.err = stderr;
	args->o.consumer.view = NULL;
	args->o.consumer.serve = o->serve = NULL;
}
