/* run.c - runs a compiled program. */
#include "cmd/run.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "cmd/arguments.h"
#include "cmd/errors.h"
#include "cmd/late/modules.h"
#include "cmd/late/processes.h"
#include "cmd/merge/files.h"
#include "cmd/outputs.h"
#include "cmd/program.h"
#include "cmd/rights.h"
#include "cmd/signals.h"
#include "cmd/target/target.h"
#include "compiler/compile.h"
#include "consumer/aggs/snapshots.h"
#include "consumer/consumer.h"
#include "consumer/outside.h"
#include "consumer/screen/view.h"
#include "consumer/serve/serve.h"
#include "consumer/symbols/usyms.h"
#include "engine/kernel/kernel.h"
#include "engine/replay/source.h"
#include "engine/source.h"
#include "procinfo/maps.h"
#include "procinfo/owner.h"

struct run {
	const struct run_parts *parts;
	struct arguments *args;
	const struct program *p;
	struct source *source;
	/* enables probes of processes that start later, or NULL */
	struct late_processes *late_processes;
	/* enables probes of modules that are loaded later, or NULL */
	struct late_modules *late_modules;
	struct outside outside; /* what a replay opens before it gives up its rights */
	struct follow follow;
	/* the program has profile-N probes; these must also fire on CPUs that come online later */
	bool clocked;
	bool lists_bpf; /* the program has iter:::bpf_prog */
	enum outside_reach reach;
};

confine_fn *run_confinement(const struct arguments *args)
{
	bool receives = args->replay && replay_is_live(args->replay);

	if (args->o.listen)
		return receives ? confine_receiving_and_serving : confine_serving;
	return receives ? confine_receiving : confine_replay;
}

/* --------------------------------------------------------------------- the source */

/*
 * Returns a descriptor that is readable when any of the @n descriptors at @fd is readable. Entries
 * of -1 are skipped. Returns -1 if all entries are -1.
 */
static int any_of(const int *fd, size_t n)
{
	struct epoll_event ev = {.events = EPOLLIN};
	int all, one = -1;
	size_t some = 0;

	for (size_t i = 0; i < n; i++) {
		some += fd[i] >= 0;
		one = fd[i] >= 0 ? fd[i] : one;
	}
	if (some < 2)
		return one;
	all = epoll_create1(EPOLL_CLOEXEC);
	for (size_t i = 0; i < n; i++)
		if (fd[i] >= 0)
			epoll_ctl(all, EPOLL_CTL_ADD, fd[i], &ev);
	return all;
}

/*
 * Returns a descriptor that becomes readable when a wait for records must end early:
 * - a control group was created or ended;
 * - a process ended or mapped a file;
 * - it is time to look for new modules;
 * - somebody requested metrics, or a key was pressed.
 */
static int wake_fd(const struct run *run)
{
	const struct run_parts *parts = run->parts;
	struct view *view = run->args->o.consumer.view;
	const int fd[] = {
		run->p->names ? owner_watch() : -1,
		parts->targets->v.n ? parts->targets->epoll : -1,
		parts->out->serve ? serve_fd(parts->out->serve) : -1,
		view ? view_fd(view) : -1,
		late_processes_fd(run->late_processes),
		late_modules_fd(run->late_modules),
	};

	return any_of(fd, sizeof(fd) / sizeof(*fd));
}

/* Returns whether a record ends the run. Only the consumer recognises such a record. */
static bool ends_at_record(const struct consumer_opts *o)
{
	return o->count || (o->bufpolicy && !strcmp(o->bufpolicy, "fill"));
}

static struct source *replay_source(const struct run *run)
{
	struct arguments *args = run->args;
	const struct cmd_opts *o = &args->o;
	bool one_process = o->listen || ends_at_record(&o->consumer);
	struct replay_opts opts = {.path = args->replay,
				   .local = o->local,
				   .filter = o->packet_filter,
				   .duration = o->consumer.duration,
				   .conns = o->conns,
				   .jobs = one_process ? 1 : o->jobs,
				   .bufsize = o->consumer.bufsize,
				   .mode = o->checked ? VM_CHECKED
					   : o->nojit ? VM_INTERPRETED
						      : VM_NATIVE,
				   .promiscuous = o->promiscuous,
				   .asks_owner = filters_about(&o->filter, FILTER_OWNER) != NULL,
				   .opened = run->reach == REACH_ANY ? NULL : run_confinement(args),
				   .progress = o->view ? NULL : stderr};

	return replay_source_new(&opts);
}

static struct source *make_source(struct run *run)
{
	struct arguments *args = run->args;
	struct kernel_opts opts = {.bufsize = args->o.consumer.bufsize,
				   .verbose_log = args->verbose,
				   .costs = args->o.consumer.footer || args->o.consumer.cost,
				   .bpf_rate = args->o.bpf_rate};
	int fd;

	if (run->parts->merged)
		return aggfiles_source(run->parts->merged, option_sample_rate(&args->o),
				       wake_fd(run));
	if (args->replay)
		return replay_source(run);
	fd = wake_fd(run);
	opts.wake_fd = fd < 0 ? 0 : fd;
	return kernel_source_new(&opts);
}

/* ------------------------------------------------------------------ before the start */

static bool is_clocked(const struct program *p)
{
	for (uint32_t i = 0; i < p->nunit; i++)
		if (p->unit[i].hook == HOOK_PROFILE)
			return true;
	return false;
}

static bool lists_bpf(const struct program *p)
{
	for (uint32_t i = 0; i < p->nunit; i++)
		if (p->unit[i].hook == HOOK_RUN && p->unit[i].run == RUN_BPF_PROG)
			return true;
	return false;
}

/* Prepares to enable probes that do not exist yet (-Z), when their process or module comes. */
static void await_probes(struct run *run)
{
	const struct build *b = run->parts->build;
	const struct awaited *a;
	unsigned n;

	if (!b)
		return;
	a = compiler_awaited(b->c, &n);
	run->late_processes = late_processes_new(a, n, run->p->late_args, b->allowed,
						 outputs_report);
	run->late_modules = late_modules_new(a, n, outputs_report);
}

/* Reports, in DTrace's words, that sizes were lowered because they exceeded a limit. */
static void report_lowered(const struct run *run)
{
	const struct build *b = run->parts->build;
	uint64_t bytes = b ? b->agg_lowered : 0;
	unsigned unit = 0;

	if (run->args->replay || run->args->o.consumer.quiet)
		return;
	if (run->args->o.consumer.bufsize > KERNEL_BUFSIZE_MAX)
		complain(0, "buffer size lowered to 2g");
	if (!bytes)
		return;
	while (unit < 3 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	complain(0, "aggregation size lowered to %" PRIu64 "%.1s", bytes, &"bkmg"[unit]);
}

/*
 * Decides whether a replay can be confined, before any byte of the capture is read. Files with
 * constant names and tshark are opened and started here. A program that runs commands or computes
 * the names of files needs its rights to the end.
 */
static int prepare_outside(struct run *run)
{
	const char *confine = run->args->o.confine;
	bool off = confine && !strcmp(confine, "off");

	if (!run->args->replay || run->reach == REACH_NOTHING)
		return 0;
	if (run->reach == REACH_KNOWN) {
		run->outside = (struct outside){.p = run->p, .o = &run->args->o.consumer};
		outside_prepare(&run->outside);
		run->args->o.consumer.outside = &run->outside;
		return 0;
	}
	if (!off && (confine || !geteuid()))
		return fatal("cannot confine this replay: its program runs commands (system()), or "
			     "opens files whose names it computes (freopen()); -x confine=off runs "
			     "it with all rights, although an attacker may have made the capture");
	if (!off)
		complain(0, "this replay is not confined, because its program has system() or a "
			    "freopen() of a computed name");
	/* A confined replay cannot look up names of this machine, and this one must not. */
	owner_numbers_only();
	usyms_numbers_only();
	return 0;
}

/* Binds this process to the CPU of -x cpu, because BEGIN, END and ticks run in this process. */
static int stay_on_cpu(const struct arguments *args)
{
	uint32_t only = args->o.compile.only_cpu; /* number of the CPU plus 1; 0 for all CPUs */
	cpu_set_t set;
	bool wrong = false;

	if (args->replay) {
		wrong = only > 1; /* all packets of a capture are on CPU 0 */
	} else if (only) {
		CPU_ZERO(&set);
		CPU_SET(only - 1, &set);
		wrong = sched_setaffinity(0, sizeof(set), &set) != 0;
	}
	return wrong ? fatal("failed to set -x cpu: %s", option_strerror(OPTION_BAD)) : 0;
}

/* ------------------------------------------------------------------ while it runs */

static void let_targets_go(struct run *run)
{
	struct targets *targets = run->parts->targets;

	for (size_t i = 0; i < targets->v.n; i++)
		usyms_remember((uint64_t)targets->v.v[i].pid);
	targets_resume(targets, run->args->o.destructive);
}

/*
 * Called when the probes are live. Lets the processes of -c and -p run. Then a live run gives up
 * rights, unless it has processes of -c or -p, or the program runs commands or opens files.
 */
static bool begin_run(void *ctx, struct diag *d)
{
	struct run *run = ctx;
	struct arguments *args = run->args;
	bool clocks = run->clocked || run->late_processes || run->late_modules;

	if (run->parts->merged)
		return true;
	let_targets_go(run);
	if (args->replay)
		return true;
	if (!args->o.view && !args->quiet_given && isatty(STDERR_FILENO))
		complain(0, "tracing; Ctrl-C ends it");
	if (args->process.n || run->reach)
		return true;
	maps_stop(); /* the next helper has only the rights that stay */
	return confine_live(run->lists_bpf ? kernel_programs_open
			    : clocks       ? kernel_clocks_open
					   : NULL,
			    d);
}

/*
 * Called after each wait for records. Enables awaited probes whose process or module exists now.
 * Returns true if there are processes of -c and -p and all of them have ended.
 */
static bool find_awaited_or_end(void *ctx)
{
	struct run *run = ctx;
	const struct consumer_opts *o = &run->args->o.consumer;

	late_processes_look(run->late_processes, run->source);
	late_modules_look(run->late_modules, run->source);
	return run->args->process.n && targets_ended(run->parts->targets, o->quiet ? NULL : o->err);
}

static int consume(struct run *run)
{
	struct arguments *args = run->args;
	struct consumer *c;
	int status;

	run->follow = (struct follow){begin_run, find_awaited_or_end, run};
	args->o.consumer.follow = &run->follow;
	c = consumer_new(run->p, run->source, &args->o.consumer);
	if (consumer_run(c, run->parts->d, &interrupted))
		status = fatal_diag(&args->o, run->parts->d);
	else
		status = consumer_status(c);
	if (args->o.signal_status && interrupted_by && !status)
		status = 128 + interrupted_by;
	consumer_free(c);
	return status;
}

static int start_and_consume(struct run *run)
{
	const struct run_parts *parts = run->parts;
	int err = prepare_outside(run);

	if (!err)
		err = stay_on_cpu(run->args);
	if (err)
		return err;
	signals_prepare();
	if (run->source->ops->start(run->source, run->p, parts->d))
		return fatal_diag(&run->args->o, parts->d);
	signals_catch(parts->out->out);
	return consume(run);
}

static int run_source(struct run *run)
{
	int status;

	run->reach = outside_reach(run->p);
	run->clocked = is_clocked(run->p);
	run->lists_bpf = lists_bpf(run->p);
	await_probes(run);
	run->source = make_source(run);
	report_lowered(run);
	status = start_and_consume(run);
	run->source->ops->free(run->source);
	late_processes_free(run->late_processes);
	late_modules_free(run->late_modules);
	outside_release(&run->outside);
	snapshots_stop(run->args->o.consumer.aggout.snapshots);
	return status;
}

int run(const struct run_parts *parts, const struct program *p)
{
	struct run run = {.parts = parts, .args = parts->args, .p = p};
	int status = outputs_listen(parts->out, parts->args, parts->d);

	if (!status)
		status = outputs_view(parts->args, p, parts->d);
	if (!status)
		status = run_source(&run);
	outputs_stop(parts->out, parts->args);
	return status;
}
