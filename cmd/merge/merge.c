/* merge.c - implements the tasks --merge and --diff. */
#include "cmd/merge/merge.h"

#include "cmd/arguments.h"
#include "cmd/errors.h"
#include "cmd/merge/files.h"
#include "cmd/merge/opener.h"
#include "cmd/outputs.h"
#include "cmd/rights.h"
#include "cmd/run.h"
#include "cmd/signals.h"
#include "cmd/target/target.h"

/* Returns the paths of the files, which are the operands. Sets *@n to their number. */
static const char *const *paths(const struct arguments *args, size_t *n)
{
	*n = args->arg.n - 1;
	return args->arg.v + 1;
}

/*
 * Opens the outputs of the run before the files are parsed, because the right to open outputs is
 * given up before the parsing. When run() is called later, it finds the outputs open. With -x
 * follow, a process (the opener) opens the files again and again, so this process gives up its
 * rights here.
 */
static int open_outputs(struct arguments *args, struct outputs *out, struct diag *d)
{
	size_t n;
	int err;

	if (args->o.files.follow) {
		const char *const *path = paths(args, &n);

		args->o.files.opener = opener_start(path, n, d);
		if (!args->o.files.opener)
			return fatal_diag(&args->o, d);
		rights_with_opener();
	} else {
		args->o.files.opened = run_confinement(args);
	}
	signals_prepare();
	err = outputs_listen(out, args, d);
	if (!err)
		err = outputs_view(args, NULL, d);
	if (err || !args->o.files.follow)
		return err;
	signals_catch(out->out);
	return run_confinement(args)(d) ? 0 : fatal_diag(&args->o, d);
}

static int show(struct arguments *args, struct outputs *out, struct diag *d)
{
	struct targets none = {0};
	struct run_parts parts = {.args = args, .out = out, .targets = &none, .d = d};
	size_t n;
	const char *const *path = paths(args, &n);
	int status;

	parts.merged = aggfiles_open(path, n, &args->o.files, &interrupted, d);
	if (!parts.merged)
		return fatal_diag(&args->o, d);
	args->o.consumer.aggsatend = true;
	if (!args->o.files.follow)
		aggfiles_report(parts.merged, args->o.consumer.err);
	status = run(&parts, aggfiles_program(parts.merged));
	if (args->o.files.follow)
		aggfiles_report(parts.merged, stderr);
	aggfiles_free(parts.merged);
	return status;
}

/*
 * Rejects options that apply only to a traced run. With --diff, also rejects options that need
 * several snapshots. --merge accepts -x aggoutonly, which omits the aggregations at the end of a
 * run that only serves metrics.
 */
static int refuse_options(const struct cmd_opts *o, bool merge)
{
	const char *name = o->aggout                           ? "aggout"
			   : o->consumer.aggout.rate           ? "aggoutrate"
			   : o->consumer.aggout.only && !merge ? "aggoutonly"
			   : o->capture                        ? "capture"
			   : o->packet_filter                  ? "filter"
			   : o->view && !merge                 ? "view"
			   : o->listen && !merge               ? "listen"
			   : o->files.follow && !merge         ? "follow"
							       : NULL;

	return name ? fatal("failed to set -x %s: it does not apply to %s", name,
			    merge ? "--merge" : "--diff")
		    : 0;
}

int merge_files(struct arguments *args, struct outputs *out, struct diag *d)
{
	int status = refuse_options(&args->o, true);

	if (!status)
		status = open_outputs(args, out, d);
	if (!status)
		status = show(args, out, d);
	outputs_stop(out, args);
	opener_stop(args->o.files.opener);
	return status;
}

int diff_files(struct arguments *args, struct diag *d)
{
	size_t n;
	const char *const *path = paths(args, &n);
	int status = refuse_options(&args->o, false);

	if (status)
		return status;
	args->o.files.opened = run_confinement(args);
	status = aggfiles_diff(path, n, &args->o.files, &args->o.consumer, d);
	return status < 0 ? fatal_diag(&args->o, d) : status;
}
