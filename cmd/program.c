/* program.c - compiles the programs (texts) of the command line into one program. */
#include "cmd/program.h"

#include <inttypes.h>
#include <malloc.h>
#include <string.h>

#include "base/memory_limit.h"
#include "base/xalloc.h"
#include "cmd/about/doc.h"
#include "cmd/about/list.h"
#include "cmd/arguments.h"
#include "cmd/errors.h"
#include "cmd/mistakes.h"
#include "cmd/target/target.h"
#include "cmd/texts.h"
#include "compiler/allowed.h"
#include "compiler/builtins/lang.h"
#include "compiler/compile.h"
#include "consumer/oformat/oformat.h"
#include "consumer/serve/serve.h"
#include "consumer/symbols/ksyms.h"
#include "engine/kernel/kernel.h"
#include "procinfo/owner.h"

/*
 * The keys of aggregations in the kernel may take 1/MEMORY_SHARE of a control group's memory.
 * dtrace's own copy of the keys takes another 1/MEMORY_SHARE, and a third one while keys are
 * printed.
 */
#define MEMORY_SHARE 8

/* maximum of -x aggsize in a live run, whose keys are in kernel memory */
#define AGGSIZE_MAX (1ull << 31)

/* --------------------------------------------------- what the compiler asks this host */

static enum symbol_found symbol_address(const char *mod, const char *name, uint64_t *addr,
					uint64_t *size)
{
	return ksyms_address(ksyms_kernel(), mod, name, addr, size);
}

/*
 * Finds the number of the user, control group or namespace with the name @text, which a D program
 * compares with a number. Returns false with the reason in @why if there is no such name.
 */
static bool named_id(enum named_kind what, const char *text, uint64_t *id, const char **why)
{
	unsigned level;

	switch (what) {
	case NAMED_USER:
		return owner_user_id(text, id, why);
	case NAMED_CGROUP:
		return owner_cgroup_id(text, id, &level, why);
	case NAMED_NETNS:
		return owner_netns_id(text, id, why);
	case NAMED_CONTAINER:
	case NAMED_MAX:
		break;
	}
	*why = "a container has several control groups: compare cs_cgroup_path, or use -x cgroup=";
	return false;
}

/*
 * The processes of -c and -p, for settle(). The variable is global, because the compiler passes
 * only a process ID to settle().
 */
static struct targets *settling;

static void settle(int pid)
{
	targets_settle(settling, pid);
}

static enum host_kprobes kprobes(void)
{
	static const enum host_kprobes by[] = {KPROBES_NONE, KPROBES_EACH, KPROBES_AT_ONCE};

	return by[kernel_kprobes()];
}

static uint64_t agg_limit(void)
{
	return memory_limit("/proc/self/cgroup", "/sys/fs/cgroup") / MEMORY_SHARE;
}

static void set_questions(struct cmd_opts *opts)
{
	struct compile_opts *o = &opts->compile;

	o->fentry = kernel_fentry;
	o->kprobes = kprobes;
	o->kprobe_at = kernel_kprobe_at;
	o->uprobes = kernel_uprobes;
	o->stack_at = kernel_stack_at;
	o->agg_limit = agg_limit;
	if (!opts->maps || strcmp(opts->maps, "kernel"))
		o->arena_maps = kernel_arena;
	o->writes_user = kernel_writes_user;
	o->settle = settle;
	o->named = named_id;
	o->symbol = symbol_address;
}

/* ------------------------------------------------------------------------ options */

/*
 * Sets the folders of libraries. The folder of -x syslibdir replaces the built-in library, so it is
 * read first.
 */
static void set_libraries(struct cmd_opts *o)
{
	if (o->syslibdir) {
		o->compile.nolibs = true;
		vec_push(&o->libdir, o->syslibdir);
		memmove(o->libdir.v + 1, o->libdir.v, (o->libdir.n - 1) * sizeof(*o->libdir.v));
		o->libdir.v[0] = o->syslibdir;
	}
	o->compile.libdir = o->libdir.v;
	o->compile.nlibdir = (unsigned)o->libdir.n;
}

static void set_memory(struct build *b)
{
	struct compile_opts *o = &b->args->o.compile;
	uint64_t most;

	if (b->args->replay || !o->agg_bytes)
		return;
	most = agg_limit();
	if (most > AGGSIZE_MAX)
		most = AGGSIZE_MAX;
	if (o->agg_bytes > most)
		b->agg_lowered = o->agg_bytes = most;
}

/* Makes the program count and record the data that the outputs need. */
static void set_outputs(struct cmd_opts *o)
{
	const struct oformat_ops *oformat = o->consumer.oformat;

	o->compile.timed = o->view || (oformat && oformat->timed);
	o->compile.nohint = o->consumer.nohint;
	o->compile.counted = o->consumer.footer || o->listen || (oformat && oformat->counts);
	o->compile.capture = o->capture != NULL;
	if (o->listen)
		serve_declare();
}

/*
 * Sets the filters. In a replay, -x filter selects packets before they fire probes. In a live run,
 * the code of each probe tests the packet.
 */
static int set_filters(struct build *b)
{
	struct arguments *args = b->args;
	struct compile_opts *o = &args->o.compile;

	if (!args->replay && args->o.packet_filter) {
		if (packet_filter_compile(&b->packet_filter, args->o.packet_filter, b->d))
			return fatal_diag(&args->o, b->d);
		o->packet_filter = &b->packet_filter.program;
	}
	o->filter = filters_text(&args->o.filter, o->packet_filter != NULL);
	o->filter_task = args->replay || o->packet_filter ? NULL : filters_task(&args->o.filter);
	o->filter_owner = filters_about(&args->o.filter, FILTER_OWNER);
	o->filter_ends = filters_about(&args->o.filter, FILTER_ENDS);
	return 0;
}

int build_begin(struct build *b)
{
	struct arguments *args = b->args;
	struct compile_opts *o = &args->o.compile;

	b->arg_used = xcalloc(args->arg.n, sizeof(bool));
	settling = b->targets;
	o->lang = dtrace_lang();
	o->replay = args->replay != NULL;
	o->ncpu = args->replay ? 1 : kernel_ncpu();
	set_outputs(&args->o);
	set_questions(&args->o);
	set_memory(b);
	set_libraries(&args->o);
	if (set_filters(b))
		return EXIT_FATAL;
	if (!args->o.probes)
		return 0;
	b->allowed = allowed_read(args->o.probes, b->d);
	o->allowed = b->allowed;
	return b->allowed ? 0 : fatal_diag(&args->o, b->d);
}

/*
 * Returns the options for parsing the text @t. They point to *@mac, which this function fills in.
 */
static struct parse_opts parse_opts(struct build *b, const struct text *t, struct macros *mac)
{
	struct arguments *args = b->args;
	struct parse_opts o = {.right = PD_RIGHT_NAME,
			       .bare = t->opt != 's',
			       .empty = args->o.empty,
			       .macros = mac,
			       .host = args->o.compile.host};

	args->arg.v[0] = t->opt == 's' ? t->arg : args->name;
	*mac = (struct macros){args->arg.v, (unsigned)args->arg.n, b->arg_used, args->o.defaultargs,
			       targets_first(b->targets)};
	if (t->opt == 'P')
		o.right = PD_RIGHT_PROV;
	else if (t->opt == 'm')
		o.right = PD_RIGHT_MOD;
	else if (t->opt == 'f')
		o.right = PD_RIGHT_FUNC;
	return o;
}

/* Creates the compiler, which reads the libraries. */
static int start_compiler(struct build *b)
{
	b->c = compiler_new(&b->args->o.compile, b->d);
	return b->d->nerr ? fatal_diag(&b->args->o, b->d) : 0;
}

static void print_warnings(const struct build *b)
{
	const char *w;

	for (unsigned i = 0; (w = compiler_warning(b->c, i)); i++)
		complain(0, "%s", w);
}

/* ------------------------------------------------------------------------ listing */

struct listing {
	FILE *out;
	struct doc doc;
	unsigned verbose;
	bool headed; /* the heading has been printed */
};

/*
 * Prints the heading of the list, once. It is printed before the first row, so that no heading is
 * printed if an error comes first.
 */
static void heading(struct listing *l)
{
	if (!l->headed)
		list_header(l->out);
	l->headed = true;
}

static void row(void *ctx, const struct probe_listing *p)
{
	struct listing *l = ctx;

	heading(l);
	list_row(l->out, p, l->verbose ? &l->doc : NULL, l->verbose > 1);
}

static void no_row(void *ctx, const char *desc, const char *lacks)
{
	(void)ctx;
	complain(0, "failed to match %s: No probe matches description%s%s", desc,
		 lacks ? ": this kernel lacks " : "", lacks ? lacks : "");
}

static int list_text(struct build *b, struct listing *l, const struct text *t)
{
	struct macros mac;
	struct parse_opts o = parse_opts(b, t, &mac);

	if (compiler_list(b->c, &t->src, &o, l->verbose, row, no_row, l))
		return text_failed(b->args, t, b->d);
	return 0;
}

int build_list(struct build *b)
{
	static const struct text all = {.opt = 'n',
					.arg = "",
					.src = {SRC_CMDLINE, "", "", 0, false}};
	struct listing l = {.out = b->out, .verbose = b->args->verbose};
	int err = start_compiler(b);

	if (err)
		return err;
	if (!b->args->text.n && b->args->arg.n > 1)
		return no_list_operand(b->args->arg.v[1]);
	if (l.verbose)
		doc_read(&l.doc);
	if (!b->args->text.n)
		err = list_text(b, &l, &all);
	for (size_t i = 0; !err && i < b->args->text.n; i++)
		err = list_text(b, &l, &b->args->text.v[i]);
	if (!err) {
		heading(&l);
		print_warnings(b);
	}
	doc_release(&l.doc);
	return err;
}

/* ------------------------------------------------------------- pragmas and arguments */

/*
 * Sets the options of the programs' pragmas, as -x would. Returns 0, or -1 with the error in b->d.
 */
static int set_pragmas(struct build *b)
{
	struct cmd_opts *o = &b->args->o;
	const char *name, *value;
	struct loc loc;
	int err;

	for (unsigned i = 0; compiler_option(b->c, i, &name, &value, &loc); i++) {
		if (o->locked && option_is_static(name))
			return diag_error(b->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option '%s': with -x locked, programs may "
					  "only set options of their output",
					  name);
		if (!strcmp(name, "probes"))
			return diag_error(b->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option 'probes': only the command line "
					  "may set it");
		err = text_is_overruled(b->args, name) ? 0 : option_set(o, name, value);
		if (err)
			return diag_error(b->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option '%s'%s%s%s: %s", name,
					  value ? " to '" : "", value ? value : "",
					  value ? "'" : "", option_wrong(o, err));
	}
	return 0;
}

/*
 * Rejects a pragma that opens a file or a port, unless destructive actions are allowed. Any text
 * can allow destructive actions, so this check comes after all texts are read.
 */
static int check_outside(struct build *b)
{
	const char *name, *value;
	struct loc loc;

	for (unsigned i = 0;
	     !b->args->o.destructive && compiler_option(b->c, i, &name, &value, &loc); i++)
		if (option_reaches_outside(name) && !text_is_overruled(b->args, name))
			return diag_error(b->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option '%s': this option writes a file or "
					  "opens a port, so a program may set it only with -w or "
					  "#pragma D option destructive; or set it on the command "
					  "line: -x %s=...",
					  name, name);
	return 0;
}

/*
 * Rejects the last argument if no text uses it. As in DTrace, earlier arguments may be unused. The
 * error is at the end of the last text, because only after that text the argument is known to be
 * unused.
 */
static int check_arguments(struct build *b, const struct src *last)
{
	const struct arguments *args = b->args;
	struct loc end = {last, (uint32_t)last->len};
	size_t i = args->arg.n - 1;

	if (end.off && last->text[end.off - 1] == '\n')
		end.off--;
	if (args->o.argref || i == 0 || b->arg_used[i])
		return 0;
	diag_error(b->d, D_MACRO_UNUSED, end, "extraneous argument '%s' ($%zu is not referenced)",
		   args->arg.v[i], i);
	if (looks_like_capture(args->arg.v[i]) && !args->replay)
		diag_hint(b->d, "to read a capture, use -r %s", args->arg.v[i]);
	else if (looks_like_capture(args->arg.v[i]))
		diag_hint(b->d, JOIN_CAPTURES, args->replay, args->arg.v[i]);
	return -1;
}

/* ------------------------------------------------------------------ what -v reports */

static void report_match(const struct build *b, const struct text *t, unsigned n)
{
	const char *plural = n == 1 ? "" : "s";

	if (b->args->o.consumer.quiet || b->args->compile_only)
		return;
	if (t->opt == 's')
		complain(0, "script '%s' matched %u probe%s", t->arg, n, plural);
	else
		complain(0, "description '%.*s' matched %u probe%s", (int)strcspn(t->arg, "{/;"),
			 t->arg, n, plural);
}

static void report_description(void *ctx, const char *desc, const struct probe_listing *l)
{
	FILE *out = ctx;

	fprintf(out, "\n%s\n", desc);
	list_stability(out, l);
}

/*
 * Implements -v: prints the stability of the interfaces that the text @t uses. With -e, also prints
 * the stability of each probe description.
 */
static void report_stability(const struct build *b, const struct text *t)
{
	struct program_stability s = compiler_stability(b->c, &t->src, NULL, NULL);

	if (t->opt == 's')
		fprintf(b->out, "\nStability attributes for script %s:\n\n", t->arg);
	else
		fprintf(b->out, "\nStability attributes for description %.*s:\n\n",
			(int)strcspn(t->arg, "{/;"), t->arg);
	list_attributes(b->out, "Minimum Probe Description Attributes", s.desc);
	fputc('\n', b->out);
	list_attributes(b->out, "Minimum Statement Attributes", s.body);
	if (b->args->compile_only)
		compiler_stability(b->c, &t->src, report_description, b->out);
	else
		fputc('\n', b->out);
	fflush(b->out); /* flush before messages follow on stderr */
}

/* ---------------------------------------------------------------------- compiling */

/*
 * If an output shows how aggregations change over time, adds a tick probe that takes samples at the
 * rate of -x aggrate.
 */
static int add_samples(struct build *b)
{
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true};
	const struct cmd_opts *opts = &b->args->o;
	unsigned matched;

	if (!opts->view && (!opts->consumer.oformat || !opts->consumer.oformat->sample))
		return 0;
	snprintf(b->samples, sizeof(b->samples), "profile:::tick-%" PRIu64 "ns { __sample(); }",
		 option_sample_rate(opts));
	b->sampling = (struct src){SRC_LIB, "samples", b->samples, strlen(b->samples), false};
	return compiler_add(b->c, &b->sampling, &o, &matched, NULL) ? fatal_diag(opts, b->d) : 0;
}

static int add_text(struct build *b, const struct text *t, unsigned *matched)
{
	bool last = t == &b->args->text.v[b->args->text.n - 1];
	struct macros mac;
	struct parse_opts o = parse_opts(b, t, &mac);

	if (compiler_add(b->c, &t->src, &o, matched, b->args->o.dump ? &b->ast : NULL) ||
	    set_pragmas(b) || (last && check_arguments(b, &t->src)))
		return text_failed(b->args, t, b->d);
	b->args->o.consumer.aggout.matched += *matched;
	return 0;
}

/*
 * Returns the text that contains the error in b->d, or the first text if no text contains the
 * error.
 */
static const struct text *text_of_error(const struct build *b)
{
	for (size_t i = 0; i < b->args->text.n; i++)
		if (&b->args->text.v[i].src == b->d->loc.src)
			return &b->args->text.v[i];
	return &b->args->text.v[0];
}

static int add_texts(struct build *b)
{
	size_t n = b->args->text.n;
	unsigned *matched = xcalloc(n, sizeof(*matched));
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = add_text(b, &b->args->text.v[i], &matched[i]);
	if (!err && check_outside(b))
		err = text_failed(b->args, text_of_error(b), b->d);
	if (!err)
		err = add_samples(b);
	for (size_t i = 0; i < n && !err; i++) {
		report_match(b, &b->args->text.v[i], matched[i]);
		if (b->args->verbose)
			report_stability(b, &b->args->text.v[i]);
	}
	xfree(matched);
	return err;
}

static void show(FILE *to, const struct strbuf *s)
{
	if (s->s)
		fputs(s->s, to);
}

/*
 * Prints the output of -S to stderr, so that it does not mix with what the run prints. Prints the
 * output of -x dump to the file of -o or to stdout.
 */
static void show_dumps(const struct build *b)
{
	const char *want = b->args->o.dump;

	if (b->args->show_code)
		show(stderr, &b->code);
	if (!want)
		return;
	show(b->out, !strcmp(want, "ast")     ? &b->ast
		     : !strcmp(want, "typed") ? &b->typed
		     : !strcmp(want, "ir")    ? &b->ir
		     : !strcmp(want, "plain") ? &b->plain
					      : &b->code);
}

int build_program(struct build *b, const struct program **p)
{
	struct compile_dump dump = {&b->ast, &b->typed, &b->ir, &b->plain, &b->code};
	struct arguments *args = b->args;
	int err = start_compiler(b);

	if (!err)
		err = add_texts(b);
	if (err)
		return err;
	*p = compiler_finish(b->c, args->show_code || args->o.dump ? &dump : NULL);
	print_warnings(b);
	if (!*p)
		return text_failed(args, text_of_error(b), b->d);
	if (args->o.destructive && !args->o.consumer.quiet)
		complain(0, "allowing destructive actions");
	show_dumps(b);
	/*
	 * The compiler has freed much memory. Return that memory to the kernel, because a run may
	 * take days.
	 */
	malloc_trim(0);
	return 0;
}

void build_end(struct build *b)
{
	compiler_free(b->c);
	allowed_free(b->allowed);
	packet_filter_release(&b->packet_filter);
	xfree(b->arg_used);
	strbuf_release(&b->ast);
	strbuf_release(&b->typed);
	strbuf_release(&b->ir);
	strbuf_release(&b->plain);
	strbuf_release(&b->code);
}
