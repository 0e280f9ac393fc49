/*
 * main.c - the dtrace command: parses the arguments and does the task that they ask for.
 *
 * The exit status is 0, EXIT_FATAL, EXIT_USAGE or the argument of a program's exit(). With -x
 * strict it can be 3 (consumer.h), and with -x signalstatus 128 plus the number of a signal.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/about/complete.h"
#include "cmd/about/help.h"
#include "cmd/about/scripts.h"
#include "cmd/arguments.h"
#include "cmd/cases.h"
#include "cmd/check.h"
#include "cmd/errors.h"
#include "cmd/handover.h"
#include "cmd/jobs.h"
#include "cmd/merge/merge.h"
#include "cmd/mistakes.h"
#include "cmd/outputs.h"
#include "cmd/program.h"
#include "cmd/run.h"
#include "cmd/target/target.h"
#include "cmd/texts.h"
#include "consumer/consumer.h"
#include "consumer/oformat/prom.h"
#include "engine/kernel/kernel.h"
#include "procinfo/maps.h"
#include "procinfo/owner.h"
#include "procinfo/symbols.h"
#include "sandbox/reader.h"

struct command {
	struct arguments args;
	struct outputs out;
	struct targets targets;
	struct build build;
	struct diag d;
};

/* --------------------------------------------------------- --help, --scripts, -G and -h */

/*
 * Prints the help of the command, or the description of the script if the command line names one.
 */
static int show_help(struct arguments *args, FILE *out)
{
	struct text *t = args->text.n ? &args->text.v[0] : NULL;

	if (!t && args->arg.n > 1)
		return no_script(args->arg.v[1]);
	if (!t) {
		help(out);
		return 0;
	}
	if (t->opt == 's')
		text_find(t);
	if (t->opt != 's' || !script_usage(t->path ? t->path : t->arg, out))
		return fatal("%s has no description: a script begins with a comment that "
			     "describes it",
			     t->arg);
	return 0;
}

static int list_scripts(const struct arguments *args, FILE *out)
{
	const char *word = args->arg.n > 1 ? args->arg.v[1] : "";

	if (args->arg.n > 2)
		return misused("--scripts takes at most one word, to search for");
	if (script_list(word, out))
		return 0;
	if (script_dir())
		return fatal("no script matches %s; dtrace --scripts lists all scripts", word);
	return fatal("no scripts are installed with this command");
}

/* Runs systemtap's dtrace, which makes objects and headers, with the arguments of this command. */
static int make_objects(const struct arguments *args, char **argv)
{
	int err;

	if (args->mode == 'h' && !args->text.n)
		return misused("-h makes a header from a script (-s); for help use dtrace%s%s "
			       "--help",
			       args->arg.n > 1 ? " " : "", args->arg.n > 1 ? args->arg.v[1] : "");
	err = handover(argv);
	if (err != ENOENT)
		return fatal("failed to run %s for -G or -h: %s", HANDOVER_TO, strerror(err));
	return fatal("-G and -h need " HANDOVER_TO
		     ", which is not installed (package systemtap-sdt-dev)");
}

/* ---------------------------------------------------------- -l, --check and tracing */

/*
 * Stops the processes of -p and starts the commands of -c. This is done before the texts are
 * compiled, because the texts may use $target.
 */
static int hold_targets(struct command *m)
{
	const struct arguments *args = &m->args;
	int err = 0;

	for (size_t i = 0; i < args->process.n && !err; i++) {
		const struct process *p = &args->process.v[i];

		err = p->opt == 'p' ? targets_grab(&m->targets, p->arg, &m->d)
				    : targets_start(&m->targets, p->arg, args->o.hold, &args->o.env,
						    &m->d);
	}
	return err ? fatal_diag(&args->o, &m->d) : 0;
}

static int prepare(struct command *m)
{
	struct arguments *args = &m->args;
	int err = texts_read(args, &m->d);

	if (!err)
		err = impossible_options(args, &m->d);
	if (!err)
		err = outputs_open(&m->out, args);
	if (!err && !args->replay && !args->compile_only && !kernel_supported(&m->d))
		err = fatal_diag(&args->o, &m->d);
	if (!err)
		err = hold_targets(m);
	if (err)
		return err;
	m->build =
		(struct build){.args = args, .targets = &m->targets, .out = m->out.out, .d = &m->d};
	return build_begin(&m->build);
}

static int list_probes(struct command *m)
{
	int err = prepare(m);

	return err ? err : build_list(&m->build);
}

static int check_scripts(struct command *m)
{
	struct arguments *args = &m->args;
	int err = prepare(m);

	for (size_t i = 0; !err && i < args->text.n; i++)
		if (args->text.v[i].opt == 's' &&
		    check_script(&args->o, args->text.v[i].arg, args->text.v[i].src.text,
				 targets_first(&m->targets), m->out.out))
			err = EXIT_FATAL;
	return err;
}

/* Implements -e -x verify, which loads the program into the kernel but attaches nothing. */
static int verify(struct command *m, const struct program *p)
{
	const struct arguments *args = &m->args;

	if (!args->o.verify || args->replay || kernel_verify(p, &m->d) == 0)
		return 0;
	return fatal_diag(&args->o, &m->d);
}

/*
 * Rejects a program with destructive actions without -w, a program that cannot run on this host,
 * and -x count for a program without a clause that counts.
 */
static int may_run(const struct arguments *args, const struct program *p)
{
	if (p->destructive && !args->o.destructive)
		return fatal("could not enable tracing: Destructive actions not allowed");
	if (p->impossible)
		return fatal("could not enable tracing: %s", p->impossible);
	if (args->o.consumer.count && !consumer_can_count(p))
		return fatal("failed to set -x count: no clause prints a record that counts (those "
			     "of BEGIN, END, ERROR and tick do not)");
	return 0;
}

static int check_has_probes(const struct arguments *args, const struct program *p)
{
	if (p->nunit || args->o.compile.zdefs)
		return 0;
	return args->o.compile.host
		       ? fatal("no probe of the program is for host %s", args->o.compile.host)
		       : fatal("no probes matched");
}

static int run_program(struct command *m, const struct program *p)
{
	const struct run_parts parts = {.args = &m->args,
					.out = &m->out,
					.targets = &m->targets,
					.build = &m->build,
					.d = &m->d};
	int err = may_run(&m->args, p);

	if (!err)
		err = outputs_open_files(&m->args, p);
	if (!err)
		err = check_has_probes(&m->args, p);
	return err ? err : run(&parts, p);
}

static int trace(struct command *m)
{
	const struct arguments *args = &m->args;
	const struct program *p;
	int err = prepare(m);

	if (err)
		return err;
	if (!args->text.n)
		return args->compile_only && args->arg.n < 2 ? 0 : no_program(args);
	err = build_program(&m->build, &p);
	if (err)
		return err;
	return args->compile_only ? verify(m, p) : run_program(m, p);
}

/* ---------------------------------------------------------------------- the tasks */

static int do_task(struct command *m, char **argv)
{
	struct arguments *args = &m->args;
	FILE *out = m->out.out;
	int err;

	switch (args->task) {
	case TASK_TRACE:
		return trace(m);
	case TASK_LIST:
		return list_probes(m);
	case TASK_CHECK:
		return check_scripts(m);
	case TASK_OBJECTS:
		return make_objects(args, argv);
	case TASK_SCRIPTS:
		return list_scripts(args, out);
	case TASK_MERGE:
		err = outputs_open(&m->out, args);
		return err ? err : merge_files(args, &m->out, &m->d);
	case TASK_DIFF:
		err = outputs_open(&m->out, args);
		return err ? err : diff_files(args, &m->d);
	case TASK_VERSION:
		version(out, args->long_version || args->verbose);
		return 0;
	case TASK_HELP:
		return show_help(args, out);
	case TASK_COMPLETE:
		/* If the word names a script, arguments_parse() has taken it as the program. */
		return complete(args->complete,
				args->text.n      ? args->text.v[0].arg
				: args->arg.n > 1 ? args->arg.v[1]
						  : "",
				out);
	case TASK_TEST:
		return cases_run(args->test, out);
	}
	return EXIT_USAGE;
}

/* A command of -c may need descriptors that the caller has opened for it. */
static bool starts_command(const struct arguments *args)
{
	for (size_t i = 0; i < args->process.n; i++)
		if (args->process.v[i].opt == 'c')
			return true;
	return false;
}

static void release(struct command *m)
{
	build_end(&m->build);
	targets_release(&m->targets);
	readers_stop();
	maps_stop();
	arguments_release(&m->args);
	diag_release(&m->d);
}

int main(int argc, char **argv)
{
	struct command m = {.out.out = stdout, .args.o.consumer.promkeys = PROM_KEYS};
	int status;

	/* sandbox/reader.c runs this command with --reader as the spawner, which forks readers */
	if (argc > 1 && !strcmp(argv[1], "--reader"))
		spawner_main(reader_jobs, argv + 2);
	/* procinfo/maps.c runs this command with --maps as its helper */
	if (argc > 1 && !strcmp(argv[1], "--maps"))
		maps_main();
	maps_use_helper();
	file_keep_standard();
	maps_report(outputs_report);
	symbols_report(outputs_report);
	owner_report(outputs_report);
	status = arguments_parse(&m.args, argc, argv);
	if (!starts_command(&m.args))
		file_close_inherited(argv);
	if (!status)
		status = do_task(&m, argv);
	status = outputs_close(&m.out, &m.args, status);
	release(&m);
	return status;
}
