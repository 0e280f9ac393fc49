/*
 * main.c - the dtrace command: what the user asked for, in order.
 *
 * The only place that knows both engines.  Exit status: 0, 1 (fatal), 2 (usage)
 * or what exit(n) said.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/memory_limit.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/builtins/lang.h"
#include "cmd/merge/files.h"
#include "cmd/cases.h"
#include "cmd/check.h"
#include "cmd/about/complete.h"
#include "cmd/jobs.h"
#include "cmd/late/modules.h"
#include "cmd/late/processes.h"
#include "cmd/about/doc.h"
#include "cmd/handover.h"
#include "cmd/about/help.h"
#include "cmd/about/list.h"
#include "cmd/options.h"
#include "cmd/merge/opener.h"
#include "cmd/rights.h"
#include "cmd/about/scripts.h"
#include "cmd/target/target.h"
#include "compiler/allowed.h"
#include "compiler/syntax/parse.h"
#include "consumer/aggs/file.h"
#include "consumer/broker.h"
#include "consumer/oformat/oformat.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/oformat/prom.h"
#include "consumer/screen/screen.h"
#include "consumer/serve/serve.h"
#include "consumer/aggs/snapshots.h"
#include "consumer/symbols/usyms.h"
#include "consumer/screen/view.h"
#include "procinfo/owner.h"
#include "procinfo/symbols.h"
#include "engine/kernel/kernel.h"
#include "engine/source.h"
#include "engine/replay/local.h"
#include "engine/replay/source.h"
#include "sandbox/reader.h"

#define EXIT_FATAL 1
#define EXIT_USAGE 2

enum {
	OPT_HELP = 256,
	OPT_CHECK,
	OPT_TEST,
	OPT_COMPLETE,
	OPT_LIBXO,
	OPT_VERSION,
	OPT_SCRIPTS,
	OPT_MERGE,
	OPT_DIFF
}; /* options without a letter */

/* One -P, -m, -f, -n, -i or -s. */
struct text {
	int opt;
	const char *arg;
	struct src src;
	char *owned; /* contents of a file */
	char *path;  /* of a script that is installed, known by its name; else NULL */
};

/* One -c or -p. */
struct process {
	int opt;
	const char *arg;
};

struct cmd {
	struct cmd_opts o;
	VEC(struct text) text;
	const char *name; /* of the command, as it was called */
	VEC(struct process) process;
	struct targets targets;            /* what became of them */
	struct source *source;             /* that runs */
	struct late_processes *later;      /* probes of processes that may come; NULL: none */
	struct late_modules *late_modules; /* likewise of the kernel's modules */
	struct follow follow;
	struct allowed *allowed; /* -x probes */
	bool hushed;             /* by the command line, not by a script */
	bool form_given;         /* -x oformat, --libxo */
	bool agg_lowered;        /* -x aggsize said more than there may be */
	bool clocked;            /* the program has clocks on each CPU, and CPUs may come */
	bool reaches_out;        /* the program runs others, or opens files, as it goes */
	VEC(const char *) arg;   /* $0, $1 ... */
	VEC(char *) xopt;        /* copies of the -x arguments, cut at the '=' */
	bool *arg_used;
	const char *replay, *output, *complete, *test;
	bool list, check, compile_only, disasm, help, version, scripts;
	int (*aggfiles)(struct cmd *m); /* --merge, --diff: their files are shown */
	struct aggfiles *merged;        /* those of --merge */
	bool headed;                    /* the heading of a list is out */
	unsigned verbose;               /* how often -v was given */
	char mode;                      /* of -A -G -h -l -V */
	FILE *out;
	char samples[64]; /* a program of our own: see add_samples() */
	struct src sampling;
	struct serve *serve;   /* NULL: no -x listen */
	struct broker *broker; /* NULL: the program does nothing outside, or the run is live */
	struct compiler *c;
	struct arena mem;
	struct intern names; /* of the options of early_pragmas() */
	struct doc doc;      /* what -lv says of probes */
	struct diag d;
	struct strbuf ast, typed, ir, plain, bpf;
};

/* What the user asked for, by signals: 1: the end, 2: at once, without the aggregations. */
static volatile sig_atomic_t interrupted;
static int out_fd, null_fd = -1;

#define SAME_PRESS_NS 500000000u

/*
 * Two signals within half a second are one press: timeout(1) sends one to us and one
 * to the group that we are in.  Who presses again may wait for a write that does not
 * end: it is made to end.  The third does not wait.
 */
static void on_signal(int sig)
{
	static uint64_t pressed;
	uint64_t now = now_monotonic();
	int saved_errno = errno;

	(void)sig;
	if (interrupted && now - pressed < SAME_PRESS_NS)
		return;
	pressed = now;
	if (++interrupted > 2) {
		screen_restore();
		_exit(EXIT_FATAL);
	}
	if (interrupted == 2 && null_fd >= 0)
		dup2(null_fd, out_fd);
	errno = saved_errno;
}

static int complain(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int complain(int status, const char *fmt, ...)
{
	va_list ap;

	fputs("dtrace: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return status;
}

static int misuse(void)
{
	usage(stderr);
	return EXIT_USAGE;
}

#define fatal(...) complain(EXIT_FATAL, __VA_ARGS__)
#define misused(...) complain(EXIT_USAGE, __VA_ARGS__)

/* The text that the recorded error is in; the first if it is in none. */
static const struct text *text_of_error(const struct cmd *m)
{
	for (size_t i = 0; i < m->text.n; i++)
		if (&m->text.v[i].src == m->d.loc.src)
			return &m->text.v[i];
	return &m->text.v[0];
}

/*
 * A script that does not compile with the arguments it was given: how it is to be used, if it says
 * so.
 */
static void add_synopsis(const struct cmd *m, const struct text *t, struct strbuf *b)
{
	bool of_arguments = m->arg.n > 1 || m->d.tag == D_MACRO_UNDEF;
	char *usage = of_arguments && t->opt == 's' ? script_synopsis(t->path ? t->path : t->arg)
						    : NULL;

	if (usage)
		strbuf_addf(b, "; %s", usage);
	xfree(usage);
}

/* Says the recorded error, behind what was being done. */
static int fatal_diag(struct cmd *m, const struct text *t)
{
	struct strbuf b = {0};

	if (t && t->opt == 's')
		strbuf_addf(&b, "failed to compile script %s: ", t->arg);
	else if (t)
		strbuf_addf(&b, "invalid probe specifier %s: ", t->arg);
	diag_text(&m->d, m->o.errtags, &b);
	if (t)
		add_synopsis(m, t, &b);
	strbuf_addc(&b, '\n');
	if (!m->o.consumer.nohint)
		diag_help(&m->d, &b);
	fprintf(stderr, "dtrace: %s", b.s);
	strbuf_release(&b);
	return EXIT_FATAL;
}

/* ------------------------------------------------------------- command line */

static int set_option(struct cmd *m, const char *arg)
{
	char *name = xstrdup(arg), *value = strchr(name, '=');
	int r;

	vec_push(&m->xopt, name); /* options may keep the strings */
	if (value)
		*value++ = '\0';
	m->o.at_command_line = true;
	r = option_set(&m->o, name, value);
	m->o.at_command_line = false;
	if (r)
		return fatal("failed to set -x %s: %s", name, option_wrong(&m->o, r));
	return 0;
}

/* -b SIZE is -x bufsize=SIZE, -X DIALECT is -x stdc=DIALECT. */
static int set_named(struct cmd *m, char letter, const char *option)
{
	int r = option_set(&m->o, option, optarg);

	return r ? fatal("failed to set -%c %s: %s", letter, optarg, option_strerror(r)) : 0;
}

/* --libxo FORM[,pretty]: FreeBSD's shapes; "json" is another form here than with -x oformat. */
static int set_libxo(struct cmd *m, const char *arg)
{
	static const char *const forms[][2] = {
		{"json", "libxo-json"},
		{"xml", "xml"},
		{"html", "html"},
		{"text", "text"},
	};
	size_t n = strcspn(arg, ",");

	m->o.consumer.pretty = !strcmp(arg + n, ",pretty");
	for (size_t i = 0; (!arg[n] || m->o.consumer.pretty) && i < sizeof(forms) / sizeof(*forms);
	     i++)
		if (strlen(forms[i][0]) == n && !strncmp(forms[i][0], arg, n))
			return option_set(&m->o, "oformat", forms[i][1]);
	return fatal("failed to set --libxo %s: %s", arg, option_strerror(OPTION_BAD));
}

static int set_mode(struct cmd *m, int c)
{
	if (m->mode && m->mode != c)
		return misused("only one of the [-AGhlV] options can be specified at a time");
	m->mode = (char)c;
	m->list |= c == 'l';
	return 0;
}

static int not_yet(const char *what)
{
	return fatal("%s is not supported", what);
}

struct letter;
typedef int letter_fn(struct cmd *m, const struct letter *l);

/* An option of the command line: a row. */
struct letter {
	int c;            /* as getopt has it */
	bool arg;         /* it takes an argument */
	const char *word; /* it is --word; NULL: it is -c */
	letter_fn *take;
	size_t off;       /* of what it sets in struct cmd */
	const char *text; /* of an -x option, or for messages */
};

static void *at_offset(struct cmd *m, const struct letter *l)
{
	return (char *)m + l->off;
}

static int take_text(struct cmd *m, const struct letter *l)
{
	vec_push(&m->text, ((struct text){.opt = l->c, .arg = optarg}));
	return 0;
}

static int take_flag(struct cmd *m, const struct letter *l)
{
	*(bool *)at_offset(m, l) = true;
	return 0;
}

static int take_word(struct cmd *m, const struct letter *l)
{
	*(const char **)at_offset(m, l) = optarg;
	return 0;
}

static int take_named(struct cmd *m, const struct letter *l)
{
	return set_named(m, (char)l->c, l->text);
}

static int take_mode(struct cmd *m, const struct letter *l)
{
	return set_mode(m, l->c);
}

static int take_process(struct cmd *m, const struct letter *l)
{
	vec_push(&m->process, ((struct process){l->c, optarg}));
	return 0;
}

static int take_bits(struct cmd *m, const struct letter *l)
{
	(void)m;
	return strcmp(optarg, l->text) ? misused("illegal option -- %c%s", l->c, optarg) : 0;
}

static int take_not_yet(struct cmd *m, const struct letter *l)
{
	(void)m;
	return not_yet(l->text);
}

#define JOIN_CAPTURES "captures are read as one with: mergecap -w - %s %s | dtrace -r -"

static int take_replay(struct cmd *m, const struct letter *l)
{
	if (m->replay)
		return misused("-r may be given only once; " JOIN_CAPTURES, m->replay, optarg);
	return take_word(m, l);
}

static int take_libdir(struct cmd *m, const struct letter *l)
{
	(void)l;
	vec_push(&m->o.libdir, (const char *)optarg);
	return 0;
}

static int take_verbose(struct cmd *m, const struct letter *l)
{
	(void)l;
	m->verbose++;
	return 0;
}

static int take_option(struct cmd *m, const struct letter *l)
{
	(void)l;
	return set_option(m, optarg);
}

static int take_libxo(struct cmd *m, const struct letter *l)
{
	(void)l;
	return set_libxo(m, optarg);
}

static int take_version(struct cmd *m, const struct letter *l)
{
	(void)l;
	m->version = true;
	return set_mode(m, 'V');
}

static int take_check(struct cmd *m, const struct letter *l)
{
	(void)l;
	if (optarg)
		vec_push(&m->text, ((struct text){.opt = 's', .arg = optarg}));
	m->check = m->compile_only = true;
	return 0;
}

static int merge_files(struct cmd *m);
static int diff_files(struct cmd *m);

static int take_aggfiles(struct cmd *m, const struct letter *l)
{
	m->aggfiles = l->c == OPT_MERGE ? merge_files : diff_files;
	return 0;
}

#define IN(member) offsetof(struct cmd, member)

static const struct letter letters[] = {
	{'P', true, NULL, take_text, 0, NULL},
	{'m', true, NULL, take_text, 0, NULL},
	{'f', true, NULL, take_text, 0, NULL},
	{'n', true, NULL, take_text, 0, NULL},
	{'i', true, NULL, take_text, 0, NULL},
	{'s', true, NULL, take_text, 0, NULL},
	{'b', true, NULL, take_named, 0, "bufsize"},
	{'D', true, NULL, take_named, 0, "define"},
	{'U', true, NULL, take_named, 0, "undef"},
	{'I', true, NULL, take_named, 0, "incdir"},
	{'X', true, NULL, take_named, 0, "stdc"},
	{'e', false, NULL, take_flag, IN(compile_only), NULL},
	{'F', false, NULL, take_flag, IN(o.consumer.flowindent), NULL},
	{'q', false, NULL, take_flag, IN(o.consumer.quiet), NULL},
	{'S', false, NULL, take_flag, IN(disasm), NULL},
	{'w', false, NULL, take_flag, IN(o.destructive), NULL},
	{'Z', false, NULL, take_flag, IN(o.compile.zdefs), NULL},
	{'C', false, NULL, take_flag, IN(o.cpp.on), NULL},
	{'H', false, NULL, take_flag, IN(o.cpp.headers), NULL},
	{'O', false, NULL, take_flag, IN(o.consumer.aggsatend), NULL},
	{OPT_HELP, false, "help", take_flag, IN(help), NULL},
	{OPT_SCRIPTS, false, "scripts", take_flag, IN(scripts), NULL},
	{'o', true, NULL, take_word, IN(output), NULL},
	{'r', true, NULL, take_replay, IN(replay), NULL},
	{OPT_TEST, true, "test", take_word, IN(test), NULL},
	/* for the shells' completion */
	{OPT_COMPLETE, true, "complete", take_word, IN(complete), NULL},
	{'A', false, NULL, take_mode, 0, NULL},
	{'G', false, NULL, take_mode, 0, NULL},
	{'h', false, NULL, take_mode, 0, NULL},
	{'l', false, NULL, take_mode, 0, NULL},
	{'V', false, NULL, take_mode, 0, NULL},
	{'c', true, NULL, take_process, 0, NULL},
	{'p', true, NULL, take_process, 0, NULL},
	{'3', true, NULL, take_bits, 0, "2"},
	{'6', true, NULL, take_bits, 0, "4"},
	{'a', false, NULL, take_not_yet, 0, "anonymous tracing (-a)"},
	{'B', false, NULL, take_not_yet, 0, "printing the calls of output handlers (-B)"},
	{'d', false, NULL, take_not_yet, 0, "printing a program without its branches (-d)"},
	{'W', true, NULL, take_not_yet, 0, "waiting for a process of a name (-W)"},
	{'L', true, NULL, take_libdir, 0, NULL},
	{'v', false, NULL, take_verbose, 0, NULL},
	{'x', true, NULL, take_option, 0, NULL},
	{OPT_LIBXO, true, "libxo", take_libxo, 0, NULL},
	{OPT_VERSION, false, "version", take_version, 0, NULL},
	{OPT_CHECK, true, "check", take_check, 0, NULL},
	{OPT_MERGE, false, "merge", take_aggfiles, 0, NULL},
	{OPT_DIFF, false, "diff", take_aggfiles, 0, NULL},
};

#define LETTERS (sizeof(letters) / sizeof(*letters))

/*
 * --port=80, which is -x port=80; or what else it may have been meant to be.  The usage would hide
 * it.
 */
static int no_long_option(const char *word)
{
	char *name = xstrdup(word);
	const char *meant;
	int status;

	name[strcspn(name, "=")] = '\0';
	meant = option_meant(name);
	if (option_is_static(name) || (meant && !strcmp(meant, name)))
		status = misused("illegal option -- %s: did you mean -x %s?", word, word);
	else if (!strcmp(name, "list") || !strcmp(name, "usage"))
		status = misused("illegal option -- %s: did you mean %s?", word,
				 *name == 'l' ? "-l" : "--help");
	else if (meant)
		status = misused("illegal option -- %s: did you mean -x %s?", word, meant);
	else
		status = misused("illegal option -- %s: dtrace --help shows those there are", word);
	xfree(name);
	return status;
}

/* WORD: what of the command line was looked at. */
static int no_option(int c, const char *word)
{
	const char *what = c == ':' ? "option requires an argument" : "illegal option";

	if (!strncmp(word, "--", 2) && c != ':')
		return no_long_option(word + 2);
	if (!strncmp(word, "--", 2))
		fprintf(stderr, "dtrace: %s -- %s\n", what, word + 2);
	else
		fprintf(stderr, "dtrace: %s -- %c\n", what, optopt);
	return misuse();
}

static int one_option(struct cmd *m, int c, const char *word)
{
	for (size_t i = 0; i < LETTERS; i++)
		if (letters[i].c == c)
			return letters[i].take(m, &letters[i]);
	return no_option(c, word);
}

/* Without a program the first operand may be the name of a script: dtrace tcplife. */
static void take_script(struct cmd *m)
{
	char *path = m->text.n || m->mode || m->aggfiles || m->arg.n < 2 ? NULL
									 : script_find(m->arg.v[1]);

	if (!path)
		return;
	vec_push(&m->text, ((struct text){.opt = 's', .arg = m->arg.v[1], .path = path}));
	m->arg.n--;
	memmove(m->arg.v + 1, m->arg.v + 2, (m->arg.n - 1) * sizeof(*m->arg.v));
}

/* --check: the operands are the scripts. */
static int take_checked(struct cmd *m)
{
	for (size_t i = 1; m->check && i < m->arg.n; i++)
		vec_push(&m->text, ((struct text){.opt = 's', .arg = m->arg.v[i]}));
	if (!m->check)
		return 0;
	m->arg.n = 1;
	return m->text.n ? 0 : misused("--check needs the name of a script");
}

/* By its name: what tcpdump and others write. */
/*
 * By its suffix: a number may follow, as tcpdump -C and -W add one, then the suffix of a compressed
 * file.
 */
static bool looks_like_capture(const char *name)
{
	static const char *const suffixes[] = {".pcapng", ".pcap", ".cap"};
	static const char *const packed[] = {"", ".gz", ".zst", ".xz", ".lz4", ".bz2"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const char *rest = strstr(name, suffixes[i]);

		if (!rest || rest == name)
			continue;
		rest += strlen(suffixes[i]);
		rest += strspn(rest, "0123456789");
		for (size_t k = 0; k < sizeof(packed) / sizeof(packed[0]); k++)
			if (!strcmp(rest, packed[k]))
				return true;
	}
	return false;
}

/* Behind the name of a script: port=80 is no argument of it, nor is a capture. */
static int options_among_arguments(const struct cmd *m)
{
	for (size_t i = 1; m->text.n && m->text.v[0].path && i < m->arg.n; i++) {
		size_t n = strcspn(m->arg.v[i], "=");
		char name[32];

		if (!m->replay && looks_like_capture(m->arg.v[i]))
			return fatal("%s is no argument of %s: a capture is read with -r %s",
				     m->arg.v[i], m->text.v[0].arg, m->arg.v[i]);
		if (looks_like_capture(m->arg.v[i]))
			return fatal("%s is no argument of %s; " JOIN_CAPTURES, m->arg.v[i],
				     m->text.v[0].arg, m->replay, m->arg.v[i]);
		snprintf(name, sizeof(name), "%.*s", (int)n, m->arg.v[i]);
		if (m->arg.v[i][n] && n < sizeof(name) && option_is_static(name))
			return fatal("%s is no argument of %s but an option: -x %s", m->arg.v[i],
				     m->text.v[0].arg, m->arg.v[i]);
	}
	return 0;
}

/* -G and -h: the arguments are the other command's, so none of them is looked at twice. */
static int make_objects(const struct cmd *m, char **argv)
{
	int err;

	if (m->mode == 'h' && !m->text.n)
		return misused("-h makes a header of a script (-s); for help say dtrace%s%s --help",
			       m->arg.n > 1 ? " " : "", m->arg.n > 1 ? m->arg.v[1] : "");
	err = handover(argv);
	if (err != ENOENT)
		return fatal("failed to run %s for -G or -h: %s", HANDOVER_TO, strerror(err));
	return fatal("making objects and headers (-G, -h) is left to " HANDOVER_TO
		     " of systemtap-sdt-dev, which is not installed");
}

/* For getopt_long(), what the rows say. */
static void describe(char *opts, struct option *longs)
{
	*opts++ = ':'; /* what is wrong is ours to say */
	for (const struct letter *l = letters; l < letters + LETTERS; l++) {
		if (l->word) {
			*longs++ = (struct option){l->word,
						   l->c == OPT_CHECK ? optional_argument
						   : l->arg          ? required_argument
								     : no_argument,
						   NULL, l->c};
			continue;
		}
		*opts++ = (char)l->c;
		if (l->arg)
			*opts++ = ':';
	}
	*opts = '\0';
}

static int parse_args(struct cmd *m, int argc, char **argv)
{
	struct option longs[LETTERS + 1] = {0};
	char opts[2 * LETTERS + 2] = "";
	const char *bad;
	int c, err;

	if (argc == 1)
		return misuse();
	m->name = argv[0];
	vec_push(&m->arg, m->name);
	describe(opts, longs);
	err = option_environment(&m->o, (const char *const *)environ, &bad);
	if (err)
		return fatal("failed to set %s: %s", bad, option_wrong(&m->o, err));
	while ((c = getopt_long(argc, argv, opts, longs, NULL)) != -1) {
		err = one_option(m, c, argv[optind - 1]);
		if (err)
			return err;
	}
	for (; optind < argc; optind++)
		vec_push(&m->arg, (const char *)argv[optind]);
	err = take_checked(m);
	if (err)
		return err;
	take_script(m);
	options_are_given(&m->o);
	m->form_given = m->o.consumer.oformat;
	m->hushed = m->o.consumer.quiet;
	if (m->o.confine && !strcmp(m->o.confine, "off"))
		rights_off();
	if (m->replay && m->process.n)
		return misused("-r cannot be combined with -c or -p: a capture has no processes");
	if (m->mode == 'A')
		return not_yet("making boot-time enablings (-A)");
	return options_among_arguments(m);
}

/* ------------------------------------------------------------------- texts */

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static int read_file(const char *name, struct strbuf *b)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "re") : stdin;
	int err;

	if (!f)
		return fatal("failed to open %s: %s", name, strerror(errno));
	err = file_read(f, b);
	if (f != stdin)
		fclose(f);
	if (err)
		return fatal("failed to read %s: %s", name, strerror(err));
	if (b->len >= 3 && !memcmp(b->s, BYTE_ORDER_MARK, 3)) { /* some editors begin with one */
		b->len -= 3;
		memmove(b->s, b->s + 3, b->len + 1);
	}
	return 0;
}

/* -s NAME: where there is no such file, it is the script of that name. */
static void find_script(struct text *t)
{
	if (!t->path && strcmp(t->arg, "-") && access(t->arg, F_OK))
		t->path = script_find(t->arg);
}

/*
 * The options of one word of a script's first line that change whether it compiles. @rest: the
 * words behind it.
 */
static int take_letters(struct cmd *m, const char *word, char **rest)
{
	int err = 0;

	for (; *word && !err; word++) {
		const struct letter *l = letters;

		while (l < letters + LETTERS && l->c != *word)
			l++;
		if (l == letters + LETTERS)
			break;
		if (!l->arg) {
			err = strchr("Cw", *word) ? l->take(m, l) : 0;
			continue;
		}
		optarg = word[1] ? (char *)word + 1 : strtok_r(NULL, " \t", rest);
		return optarg && strchr("xDUI", *word) ? l->take(m, l) : 0;
	}
	return err;
}

/* --check: what running the script by its first line, "#!/usr/sbin/dtrace -Cs", would say. */
static int take_first_line(struct cmd *m, const char *text)
{
	char *line, *word, *rest;
	bool ours = false;
	int err = 0;

	if (strncmp(text, "#!", 2))
		return 0;
	line = xstrdup(text + 2);
	line[strcspn(line, "\n")] = '\0';
	vec_push(&m->xopt, line); /* options may keep parts of it */
	for (word = strtok_r(line, " \t", &rest); word && !err;
	     word = strtok_r(NULL, " \t", &rest)) {
		const char *base = strrchr(word, '/');

		if (ours && *word == '-')
			err = take_letters(m, word + 1, &rest);
		ours |= !strcmp(base ? base + 1 : word, "dtrace");
	}
	return err;
}

static int read_text(struct cmd *m, struct text *t)
{
	struct strbuf b = {0};
	int err;

	if (t->opt == 'i' && (!strcmp(t->arg, "any") || if_nametoindex(t->arg)))
		return fatal("-i %s: -i is for a probe's number; -r %s reads the interface", t->arg,
			     t->arg);
	if (t->opt != 's') {
		/* -i 2-2: behind a number that is none comes a name. */
		size_t skip = t->opt == 'i' ? strspn(t->arg, "0123456789") : 0;

		if (strchr(" \t\n{/;", t->arg[skip]))
			skip = 0;
		t->src = (struct src){SRC_CMDLINE, "", t->arg + skip, strlen(t->arg + skip), false};
		return 0;
	}
	find_script(t);
	err = read_file(t->path ? t->path : t->arg, &b);
	if (!err && m->check)
		err = take_first_line(m, strbuf_text(&b));
	if (!err && m->o.cpp.on && cpp_run(&m->o.cpp, t->path ? t->path : t->arg, &b, &m->d))
		err = fatal_diag(m, t);
	t->owned = b.s;
	t->src = (struct src){SRC_FILE, t->arg, b.s, b.len, false};
	return err;
}

static struct parse_opts parse_opts(struct cmd *m, const struct text *t, struct macros *mac)
{
	struct parse_opts o = {.right = PD_RIGHT_NAME,
			       .bare = t->opt != 's',
			       .empty = m->o.empty,
			       .macros = mac,
			       .host = m->o.compile.host};

	m->arg.v[0] = t->opt == 's' ? t->arg : m->name;
	*mac = (struct macros){m->arg.v, (unsigned)m->arg.n, m->arg_used, m->o.defaultargs,
			       targets_first(&m->targets)};
	if (t->opt == 'P')
		o.right = PD_RIGHT_PROV;
	else if (t->opt == 'm')
		o.right = PD_RIGHT_MOD;
	else if (t->opt == 'f')
		o.right = PD_RIGHT_FUNC;
	return o;
}

static void match_line(struct cmd *m, const struct text *t, unsigned n)
{
	if (m->o.consumer.quiet || m->compile_only)
		return;
	if (t->opt == 's')
		fprintf(stderr, "dtrace: script '%s' matched %u probe%s\n", t->arg, n,
			n == 1 ? "" : "s");
	else
		fprintf(stderr, "dtrace: description '%.*s' matched %u probe%s\n",
			(int)strcspn(t->arg, "{/;"), t->arg, n, n == 1 ? "" : "s");
}

static void report_description(void *ctx, const char *desc, const struct probe_listing *l)
{
	struct cmd *m = ctx;

	fprintf(m->out, "\n%s\n", desc);
	list_stability(m->out, l);
}

/* -v: how far what the text uses can be relied on; with -e of each description, too. */
static void report_stability(struct cmd *m, const struct text *t)
{
	struct program_stability s = compiler_stability(m->c, &t->src, NULL, NULL);

	if (t->opt == 's')
		fprintf(m->out, "\nStability attributes for script %s:\n\n", t->arg);
	else
		fprintf(m->out, "\nStability attributes for description %.*s:\n\n",
			(int)strcspn(t->arg, "{/;"), t->arg);
	list_attributes(m->out, "Minimum Probe Description Attributes", s.desc);
	fputc('\n', m->out);
	list_attributes(m->out, "Minimum Statement Attributes", s.body);
	if (m->compile_only)
		compiler_stability(m->c, &t->src, report_description, m);
	else
		fputc('\n', m->out);
	fflush(m->out); /* before what others write to standard error */
}

/*
 * The form that a program would have its output in is for the user to change, and so is where it
 * writes.
 */
static bool is_overruled(const struct cmd *m, const char *option)
{
	return (m->form_given && !strcmp(option, "oformat")) || option_is_given(&m->o, option);
}

/*
 * Some options change how texts are read and compiled, so their pragmas are looked
 * for before.  What is wrong with one is said when it is parsed.
 */
static void early_pragmas(struct cmd *m, const struct text *t)
{
	const char *name, *value;
	uint32_t off = 0;

	while (next_option(&m->names, &t->src, &off, &name, &value))
		if (option_is_early(name) && !is_overruled(m, name) && !m->o.locked)
			option_set(&m->o, name, value);
}

/* Options of the programs, set as if -x had been given. */
static int set_pragmas(struct cmd *m)
{
	const char *name, *value;
	struct loc loc;
	int r;

	for (unsigned i = 0; compiler_option(m->c, i, &name, &value, &loc); i++) {
		if (m->o.locked && option_is_static(name))
			return diag_error(&m->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option '%s': programs may only say how "
					  "their output looks (-x locked)",
					  name);
		if (!strcmp(name, "probes"))
			return diag_error(&m->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option 'probes': which are allowed is not "
					  "for programs "
					  "to say");
		r = is_overruled(m, name) ? 0 : option_set(&m->o, name, value);
		if (r)
			return diag_error(&m->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option '%s'%s%s%s: %s", name,
					  value ? " to '" : "", value ? value : "",
					  value ? "'" : "", option_wrong(&m->o, r));
	}
	return 0;
}

/* Any of the texts may allow destructive actions, so this is asked when all are read. */
static int check_outside(struct cmd *m)
{
	const char *name, *value;
	struct loc loc;

	for (unsigned i = 0; !m->o.destructive && compiler_option(m->c, i, &name, &value, &loc);
	     i++)
		if (option_reaches_outside(name) && !is_overruled(m, name))
			return diag_error(&m->d, D_PRAGMA_OPTSET, loc,
					  "failed to set option '%s': a program may write files "
					  "and open ports only "
					  "with -w or #pragma D option destructive; or say "
					  "yourself -x %s=...",
					  name, name);
	return 0;
}

/* Said where the last text ends: only then is it known.  The last argument speaks for all. */
static int check_arguments(struct cmd *m, const struct src *last)
{
	struct loc end = {last, (uint32_t)last->len};
	size_t i = m->arg.n - 1;

	if (end.off && last->text[end.off - 1] == '\n')
		end.off--;

	if (m->o.argref)
		return 0;
	if (i > 0 && !m->arg_used[i]) {
		diag_error(&m->d, D_MACRO_UNUSED, end,
			   "extraneous argument '%s' ($%zu is not referenced)", m->arg.v[i], i);
		if (looks_like_capture(m->arg.v[i]) && !m->replay)
			diag_hint(&m->d, "a capture is read with -r %s", m->arg.v[i]);
		else if (looks_like_capture(m->arg.v[i]))
			diag_hint(&m->d, JOIN_CAPTURES, m->replay, m->arg.v[i]);
		return -1;
	}
	return 0;
}

static uint64_t sample_rate(const struct cmd *m)
{
	return m->o.consumer.aggrate ? m->o.consumer.aggrate : AGGRATE;
}

/*
 * A probe of our own at which the consumer looks at aggregations, for forms that show them over
 * time.
 */
static int add_samples(struct cmd *m)
{
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true};
	unsigned matched;

	if (!m->o.view && (!m->o.consumer.oformat || !m->o.consumer.oformat->sample))
		return 0;
	snprintf(m->samples, sizeof(m->samples), "profile:::tick-%" PRIu64 "ns { __sample(); }",
		 sample_rate(m));
	m->sampling = (struct src){SRC_LIB, "samples", m->samples, strlen(m->samples), false};
	return compiler_add(m->c, &m->sampling, &o, &matched, NULL) ? fatal_diag(m, NULL) : 0;
}

static int add_texts(struct cmd *m)
{
	unsigned *matched = xcalloc(m->text.n, sizeof(*matched));
	int err = 0;

	for (size_t i = 0; i < m->text.n && !err; i++) {
		struct text *t = &m->text.v[i];
		struct macros mac;
		struct parse_opts o = parse_opts(m, t, &mac);

		err = compiler_add(m->c, &t->src, &o, &matched[i], m->o.dump ? &m->ast : NULL);
		if (!err)
			err = set_pragmas(m);
		m->o.consumer.agg_matched += matched[i];
		if (!err && i + 1 == m->text.n)
			err = check_arguments(m, &t->src);
		if (err)
			err = fatal_diag(m, t);
	}
	if (!err && check_outside(m))
		err = fatal_diag(m, text_of_error(m));
	if (!err)
		err = add_samples(m);
	for (size_t i = 0; i < m->text.n && !err; i++) {
		match_line(m, &m->text.v[i], matched[i]);
		if (m->verbose)
			report_stability(m, &m->text.v[i]);
	}
	xfree(matched);
	return err;
}

static void tell_warnings(struct cmd *m)
{
	const char *w;

	for (unsigned i = 0; (w = compiler_warning(m->c, i)); i++)
		fprintf(stderr, "dtrace: %s\n", w);
}

/* ----------------------------------------------------------------- listing */

/* Once, before the first row; at the end if there was none, but not before an error. */
static void heading(struct cmd *m)
{
	if (!m->headed)
		list_header(m->out);
	m->headed = true;
}

static void row(void *ctx, const struct probe_listing *l)
{
	struct cmd *m = ctx;

	heading(m);
	list_row(m->out, l, m->verbose ? &m->doc : NULL, m->verbose > 1);
}

static void no_row(void *ctx, const char *desc, const char *lacks)
{
	(void)ctx;
	fprintf(stderr, "dtrace: failed to match %s: No probe matches description%s%s\n", desc,
		lacks ? ": it lacks " : "", lacks ? lacks : "");
}

/* -l WORD: else all would be listed, whatever was asked for. */
static int not_listed(const char *word)
{
	char *script = script_find(word);
	const char *what = script              ? "script? Then say -l -s"
			   : strchr(word, ':') ? "probe? Then say -l -n"
					       : "provider? Then say -l -P";

	xfree(script);
	return fatal("extraneous argument '%s': is it a %s %s", word, what, word);
}

static int list_probes(struct cmd *m)
{
	struct text all = {.opt = 'n', .arg = ""};
	size_t n = m->text.n ? m->text.n : 1;

	if (!m->text.n && m->arg.n > 1)
		return not_listed(m->arg.v[1]);
	if (m->verbose)
		doc_read(&m->doc);
	all.src = (struct src){SRC_CMDLINE, "", "", 0, false};
	for (size_t i = 0; i < n; i++) {
		struct text *t = m->text.n ? &m->text.v[i] : &all;
		struct macros mac;
		struct parse_opts o = parse_opts(m, t, &mac);

		if (compiler_list(m->c, &t->src, &o, m->verbose, row, no_row, m))
			return fatal_diag(m, t);
	}
	heading(m);
	tell_warnings(m);
	return 0;
}

/* ----------------------------------------------------------------- running */

/* Are CPUs to be followed as they go and come? */
static bool is_clocked(const struct program *p)
{
	for (uint32_t i = 0; i < p->nunit; i++)
		if (p->unit[i].hook == HOOK_PROFILE)
			return true;
	return false;
}

/* What ends a wait for records: a process that has ended, somebody who asks for metrics, a key. */
static int wake_fd(struct cmd *m, const struct program *p)
{
	int fd[] = {p->names ? owner_watch() : -1,
		    m->targets.v.n ? m->targets.epoll : -1,
		    m->serve ? serve_fd(m->serve) : -1,
		    m->o.consumer.view ? view_fd(m->o.consumer.view) : -1,
		    late_processes_fd(m->later),
		    late_modules_fd(m->late_modules)};
	struct epoll_event ev = {.events = EPOLLIN};
	int all, one = 0, n = 0;

	for (size_t i = 0; i < sizeof(fd) / sizeof(*fd); i++) {
		n += fd[i] >= 0;
		one = fd[i] >= 0 ? fd[i] : one;
	}
	if (n < 2)
		return one;
	all = epoll_create1(EPOLL_CLOEXEC);
	for (size_t i = 0; i < sizeof(fd) / sizeof(*fd); i++)
		if (fd[i] >= 0)
			epoll_ctl(all, EPOLL_CTL_ADD, fd[i], &ev);
	return all;
}

/* A screen shows messages when it has ended. */
static FILE *messages;

static void report(const char *line)
{
	fprintf(messages ? messages : stderr, "dtrace: %s\n", line);
}

/* Before a capture is read: afterwards nothing may be opened. */
static int start_serving(struct cmd *m)
{
	if (!m->o.listen || m->serve)
		return 0;
	m->serve = serve_new(m->o.listen, report, &m->d);
	if (!m->serve)
		return fatal_diag(m, NULL);
	m->o.consumer.serve = m->serve;
	if (!m->o.consumer.quiet)
		fprintf(stderr, "dtrace: metrics are at %s\n", serve_url(m->serve));
	return 0;
}

/* What goes on when the capture is open, and needs leave. */
static bool (*confinement(const struct cmd *m))(struct diag *d)
{
	if (m->o.listen)
		return confine_serving;
	return m->replay && replay_is_live(m->replay) ? confine_receiving : confine_replay;
}

/*
 * -x view: messages to the terminal wait until it is free again.  @p: NULL if it is not known yet.
 */
static int open_view(struct cmd *m, const struct program *p)
{
	if (!m->o.view)
		return 0;
	if (p && !p->nagg)
		return fatal("failed to set -x view: the program has no aggregation to show");
	if (m->o.consumer.view)
		return 0;
	m->o.consumer.view = view_new(&m->d);
	if (!m->o.consumer.view)
		return fatal_diag(m, NULL);
	if (view_messages(m->o.consumer.view))
		m->o.consumer.err = messages = view_messages(m->o.consumer.view);
	return 0;
}

/* Does the run end at a record that the consumer alone can tell from others? */
static bool ends_at_record(const struct consumer_opts *o)
{
	return o->count || (o->bufpolicy && !strcmp(o->bufpolicy, "fill"));
}

static struct source *make_source(struct cmd *m, const struct program *p)
{
	struct replay_opts r = {.path = m->replay,
				.local = m->o.local,
				.filter = m->o.sieve,
				.duration = m->o.consumer.duration,
				.conns = m->o.conns,
				.jobs = m->o.listen || ends_at_record(&m->o.consumer) ? 1
										      : m->o.jobs,
				.bufsize = m->o.consumer.bufsize,
				.way = m->o.checked ? VM_CHECKED
				       : m->o.nojit ? VM_INTERPRETED
						    : VM_NATIVE,
				.promiscuous = m->o.promiscuous,
				.asks_owner = filters_owner(&m->o.filter) != NULL,
				.opened = m->replay ? confinement(m) : NULL,
				.progress = m->o.view ? NULL : stderr};
	struct kernel_opts k = {.bufsize = m->o.consumer.bufsize,
				.verbose_log = m->verbose,
				.costs = m->o.consumer.footer,
				.wake_fd = m->replay ? 0 : wake_fd(m, p)};

	if (m->merged)
		return aggfiles_source(m->merged, sample_rate(m), k.wake_fd);
	return m->replay ? replay_source_new(&r) : kernel_source_new(&k);
}

/*
 * Ends the run as exit(0) does when one of the signals comes.  SIGHUP stays ignored if it was, as
 * nohup(1) wants.  SA_RESTART: what is being written goes on; waiting for events ends all the same.
 */
static void catch_signals(FILE *out)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, hup;

	out_fd = fileno(out);
	sigaddset(&sa.sa_mask, SIGINT);
	sigaddset(&sa.sa_mask, SIGTERM);
	sigaddset(&sa.sa_mask, SIGHUP);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error to report, not a death */
}

/*
 * The probes are live: what else there is to do takes fewer rights, but for what the program runs.
 */
static bool is_live(void *ctx, struct diag *d)
{
	struct cmd *m = ctx;

	if (m->merged)
		return true;
	for (size_t i = 0; i < m->targets.v.n; i++)
		if (m->targets.v.v[i].at != HOLD_EXEC)
			usyms_see((uint64_t)m->targets.v.v[i].pid);
		else
			usyms_expect((uint64_t)m->targets.v.v[i].pid);
	targets_go(&m->targets, m->o.destructive);
	if (!m->replay && !m->o.view && !m->hushed && isatty(STDERR_FILENO))
		fputs("dtrace: tracing; Ctrl-C ends it\n", stderr);
	if (!m->replay && !m->process.n && !m->reaches_out)
		return confine_live(m->clocked || m->later || m->late_modules ? kernel_clocks_open
									      : NULL,
				    d);
	return true;
}

static bool targets_are_over(void *ctx)
{
	struct cmd *m = ctx;

	late_processes_look(m->later, m->source);
	late_modules_look(m->late_modules, m->source);
	return m->process.n &&
	       targets_over(&m->targets, m->o.consumer.quiet ? NULL : m->o.consumer.err);
}

/* What we run ourselves (BEGIN, END, ticks) is on the one CPU that is wanted, too. */
static int stay_on_cpu(const struct cmd *m)
{
	cpu_set_t set;

	if (!m->o.compile.only_cpu || m->replay)
		return m->o.compile.only_cpu > 1; /* a capture has CPU 0 */
	CPU_ZERO(&set);
	CPU_SET(m->o.compile.only_cpu - 1, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/*
 * Of the memory that a control group allows, by default, to the keys in the kernel.  The same keys
 * are in our memory too, twice while they are shown.
 */
#define MEMORY_SHARE 8

#define AGGSIZE_MAX (1ull << 31) /* live, in the kernel's memory */

/* Sizes that no kernel has room for, in DTrace's words. */
static void tell_lowered(const struct cmd *m)
{
	if (m->replay || m->o.consumer.quiet)
		return;
	if (m->o.consumer.bufsize > KERNEL_BUFSIZE_MAX)
		fputs("dtrace: buffer size lowered to 2g\n", stderr);
	if (m->agg_lowered)
		fputs("dtrace: aggregation size lowered to 2g\n", stderr);
}

/* In replay: before anything of the capture is read, as it has all rights. */
static int start_broker(struct cmd *m, const struct program *p)
{
	if (!m->replay || !m->reaches_out)
		return 0;
	m->broker = broker_start(p, m->out, &m->d);
	if (!m->broker)
		return fatal_diag(m, NULL);
	m->o.consumer.outside = broker_outside(m->broker);
	rights_with_broker();
	return 0;
}

/* Before rights are given up: see on_signal(). */
static void open_null(void)
{
	if (null_fd < 0)
		null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
}

/* What start_serving() and open_view() opened. */
static void close_helpers(struct cmd *m)
{
	serve_free(m->serve);
	view_free(m->o.consumer.view);
}

/* -Z: those of processes that may load more, and of modules. */
static void await_probes(struct cmd *m, const struct program *p)
{
	const struct awaited *a;
	unsigned n;

	if (m->merged)
		return;
	a = compiler_awaited(m->c, &n);
	m->later = late_processes_new(a, n, p->placed, m->allowed, report);
	m->late_modules = late_modules_new(a, n, report);
}

static int run(struct cmd *m, const struct program *p)
{
	struct source *s;
	struct consumer *c = NULL;
	int status = start_serving(m);

	if (!status)
		status = open_view(m, p);
	if (status) {
		close_helpers(m);
		return status;
	}
	status = EXIT_FATAL;
	m->reaches_out = broker_is_needed(p);
	m->clocked = is_clocked(p);
	await_probes(m, p);
	s = m->source = make_source(m, p);
	tell_lowered(m);
	if (start_broker(m, p))
		goto out;
	if (stay_on_cpu(m)) {
		status = fatal("failed to set -x cpu: %s", option_strerror(OPTION_BAD));
		goto out;
	}
	open_null();
	if (s->ops->start(s, p, &m->d)) {
		fatal_diag(m, NULL);
		goto out;
	}
	catch_signals(m->out);
	m->follow = (struct follow){is_live, targets_are_over, m};
	m->o.consumer.follow = &m->follow;
	c = consumer_new(p, s, &m->o.consumer);
	if (consumer_run(c, &m->d, &interrupted))
		fatal_diag(m, NULL);
	else
		status = consumer_status(c);
out:
	if (c)
		consumer_free(c);
	s->ops->free(s);
	late_processes_free(m->later);
	late_modules_free(m->late_modules);
	broker_stop(m->broker); /* behind the jobs of the source, which have its socket open, too */
	snapshots_end(m->o.consumer.snapshots);
	close_helpers(m);
	return status;
}

/* What changes more than our own output needs leave. */
static int may_run(const struct program *p, const struct cmd *m)
{
	if (p->destructive && !m->o.destructive)
		return fatal("could not enable tracing: Destructive actions not allowed");
	if (p->impossible)
		return fatal("could not enable tracing: %s", p->impossible);
	if (m->o.consumer.count && !consumer_can_count(p))
		return fatal(
			"-x count: no clause prints a record (BEGIN, END and tick do not count)");
	return 0;
}

static void show(FILE *to, const struct strbuf *b)
{
	if (b->s)
		fputs(b->s, to);
}

/* -S goes to stderr beside the run; -x dump=STAGE to stdout. */
static void show_dumps(struct cmd *m)
{
	const char *want = m->o.dump;

	if (m->disasm)
		show(stderr, &m->bpf);
	if (!want)
		return;
	show(m->out, !strcmp(want, "ast")     ? &m->ast
		     : !strcmp(want, "typed") ? &m->typed
		     : !strcmp(want, "ir")    ? &m->ir
		     : !strcmp(want, "plain") ? &m->plain
					      : &m->bpf);
}

static int verify(struct cmd *m, const struct program *p)
{
	if (m->replay || kernel_verify(p, &m->d) == 0)
		return 0;
	return fatal_diag(m, NULL);
}

/* No script that is installed: what may have been meant is said. */
static int no_script(const char *name)
{
	char *near = script_near(name);
	int status;

	if (near)
		status = fatal("no probes specified: there is no script %s: did you mean %s?", name,
			       near);
	else
		status = fatal("no probes specified: there is no script %s; dtrace --scripts lists "
			       "them",
			       name);
	xfree(near);
	return status;
}

/*
 * A script's name was meant: of a file, or of one that is installed; or what an option goes before.
 */
static int nothing_specified(const struct cmd *m)
{
	const char *name = m->arg.n > 1 ? m->arg.v[1] : NULL;

	if (!name)
		return m->replay ? fatal("nothing to do with %s: give a script name, -n or -s",
					 m->replay)
				 : fatal("no probes specified");
	if (looks_like_capture(name) && !m->replay)
		return fatal("no probes specified: is %s a capture? Then say -r %s", name, name);
	if (looks_like_capture(name))
		return fatal("no probes specified: " JOIN_CAPTURES, m->replay, name);
	if (!access(name, R_OK))
		return fatal("no probes specified: is %s a script? Then say -s %s", name, name);
	if (strchr(name, '{'))
		return fatal("no probes specified: is %s a program? Then say -n before it", name);
	if (strchr(name, ':'))
		return fatal("no probes specified: is %s a probe? Then say -n '%s'", name, name);
	return no_script(name);
}

static bool captures(const struct program *p)
{
	for (uint32_t i = 0; i < p->nclause; i++)
		for (uint32_t k = 0; k < p->clause[i].nact; k++)
			if (p->clause[i].act[k].kind == ACT_CAPTURE)
				return true;
	return false;
}

/* @how: O_APPEND or O_TRUNC.  NULL with an error of file_open_output() in errno. */
static FILE *open_stream(const char *path, int how)
{
	int fd = file_open_output(path, how);

	return fd < 0 ? NULL : fdopen(fd, how == O_APPEND ? "a" : "w");
}

/* -x capture: what is printed goes elsewhere if the packets go to standard output. */
static int open_capture(struct cmd *m, const struct program *p)
{
	const char *name = m->o.capture;
	bool out = name && !strcmp(name, "-");

	if (!name)
		return 0;
	if (!captures(p))
		return fatal("capture: no probe of the program has a packet (args[0] of an ip, tcp "
			     "or udp probe)");
	if (out && !m->output)
		return fatal("capture=-: packets go to standard output: say with -o where what is "
			     "printed goes");
	m->o.consumer.capture = out ? stdout : open_stream(name, O_TRUNC);
	if (!m->o.consumer.capture)
		return fatal("failed to open the capture '%s': %s", name, file_error(errno));
	return 0;
}

/* Of what was given with -n, -s and their like: the same program, wherever it runs. */
static uint64_t digest(const struct cmd *m)
{
	struct strbuf b = {0};
	uint64_t h;

	for (size_t i = 0; i < m->text.n; i++)
		strbuf_add(&b, m->text.v[i].src.text, strlen(m->text.v[i].src.text) + 1);
	h = aggfile_checksum(b.s, b.len);
	strbuf_release(&b);
	return h;
}

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
 * Which run this is.  The replay of a file counts the same each time, so its run is a digest of all
 * that decides what is counted: what was compiled, with filters and arguments in it, the file's
 * size, and the options that replay asks.  Any other run happens once: a random number.
 */
static uint64_t run_id(const struct cmd *m, const struct program *p)
{
	struct strbuf b = {0};
	struct stat st;
	uint64_t id;

	if (!m->replay || stat(m->replay, &st) || !S_ISREG(st.st_mode))
		return getrandom(&id, sizeof(id), 0) == (ssize_t)sizeof(id) ? id : now_real();
	add_number(&b, digest(m));
	for (uint32_t i = 0; i < p->nunit; i++)
		strbuf_add(&b, p->unit[i].insn, p->unit[i].ninsn * sizeof(*p->unit[i].insn));
	for (uint32_t i = 0; i < p->ninit; i++)
		strbuf_add(&b, p->init[i].data, p->init[i].size);
	for (uint32_t i = 0; i < p->nstr; i++)
		add_text(&b, p->str[i]);
	add_text(&b, m->o.sieve);
	add_text(&b, m->o.local);
	add_number(&b, m->o.consumer.duration);
	add_number(&b, m->o.consumer.count);
	add_number(&b, m->o.conns);
	add_number(&b, (uint64_t)st.st_size);
	id = aggfile_checksum(b.s, b.len);
	strbuf_release(&b);
	return id;
}

/*
 * Who has the file of before open, or looks for it while we run, finds that; but a pipe, a device
 * or what is open already is written to.
 */
static int begin_aggout(struct cmd *m)
{
	struct consumer_opts *o = &m->o.consumer;
	char *path = file_to_replace(m->o.aggout);
	int err = path ? 0 : errno;

	if (!path && !err && o->aggout_rate)
		return fatal("aggoutrate: '%s' is no file that can be replaced", m->o.aggout);
	if (path)
		o->snapshots = snapshots_to(path);
	else if (!err)
		o->aggout = open_stream(m->o.aggout, O_APPEND);
	if (!err && !o->aggout && !o->snapshots)
		err = errno;
	xfree(path);
	return err ? fatal("failed to open '%s' for aggregations: %s", m->o.aggout, file_error(err))
		   : 0;
}

/* -x aggout: opened before rights are given up. */
static int open_aggout(struct cmd *m, const struct program *p)
{
	struct consumer_opts *o = &m->o.consumer;
	static struct utsname host;
	int err;

	if (!m->o.aggout && (o->aggout_rate || o->aggout_only))
		return fatal("%s: say with -x aggout=FILE where the aggregations go",
			     o->aggout_rate ? "aggoutrate" : "aggoutonly");
	if (!m->o.aggout)
		return 0;
	if (!p->nagg && !o->aggout_only)
		return fatal("aggout: the program has no aggregations");
	err = begin_aggout(m);
	if (err)
		return err;
	uname(&host);
	o->agg_host = m->o.compile.host ? m->o.compile.host : m->replay ? m->replay : host.nodename;
	o->agg_program = digest(m);
	o->agg_run = run_id(m, p);
	return 0;
}

static int compile_and_run(struct cmd *m)
{
	struct compile_dump dump = {&m->ast, &m->typed, &m->ir, &m->plain, &m->bpf};
	const struct program *p;
	int err;

	if (!m->text.n)
		return m->compile_only && m->arg.n < 2 ? 0 : nothing_specified(m);
	err = add_texts(m);
	if (err)
		return err;
	tell_warnings(m);
	p = compiler_finish(m->c, m->disasm || m->o.dump ? &dump : NULL);
	if (!p)
		return fatal_diag(m, text_of_error(m));
	if (m->o.destructive && !m->o.consumer.quiet)
		fputs("dtrace: allowing destructive actions\n", stderr);
	show_dumps(m);
	if (m->compile_only)
		return m->o.verify ? verify(m, p) : 0;
	err = may_run(p, m);
	if (!err)
		err = open_capture(m, p);
	if (!err)
		err = open_aggout(m, p);
	if (err)
		return err;
	if (!p->nunit)
		return m->o.compile.zdefs ? run(m, p)
		       : m->o.compile.host
			       ? fatal("no probe of the program is for host %s", m->o.compile.host)
			       : fatal("no probes matched");
	return run(m, p);
}

/* How wide what we print to is, and whether it shows colours: only a terminal does. */
static void look_at_output(struct cmd *m)
{
	const char *columns = getenv("COLUMNS"), *none = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(fileno(m->out));
	struct winsize w = {0};

	if (terminal && !ioctl(fileno(m->out), TIOCGWINSZ, &w))
		m->o.consumer.columns = w.ws_col;
	else if (columns && atoi(columns) > 0)
		m->o.consumer.columns = atoi(columns);
	m->o.consumer.colour = terminal && !(none && *none) && term && strcmp(term, "dumb");
}

static int open_output(struct cmd *m)
{
	if (m->output) {
		FILE *f = open_stream(m->output, O_APPEND);

		if (!f)
			return fatal("failed to open output file '%s': %s", m->output,
				     file_error(errno));
		m->out = f;
	}
	m->o.consumer.out = m->out;
	m->o.consumer.outname = m->output;
	m->o.consumer.err = stderr;
	m->o.consumer.is_static = option_is_static;
	look_at_output(m);
	return 0;
}

/* What is wrong with the capture's name or with -x local is said before anything is started. */
static int check_replay(struct cmd *m)
{
	struct local l;

	if (local_init(&l, m->o.local, &m->d))
		return fatal_diag(m, NULL);
	local_release(&l);
	if (m->o.live_only && m->replay)
		return fatal("the program is for live tracing (-x live): a capture does not tell "
			     "what it asks for");
	if (m->o.promiscuous && (!m->replay || !replay_is_live(m->replay)))
		return fatal("failed to set -x promisc: it is for -r INTERFACE");
	if (m->replay && strcmp(m->replay, "-") && !replay_is_live(m->replay) &&
	    access(m->replay, R_OK))
		return fatal("failed to open %s: %s%s", m->replay, strerror(errno),
			     errno == ENOENT && !strpbrk(m->replay, "/.")
				     ? ", nor an interface of that name"
				     : "");
	return 0;
}

/* Before the programs are read, as they may name the first by $target. */
static int hold_targets(struct cmd *m)
{
	int err = 0;

	for (size_t i = 0; i < m->process.n && !err; i++) {
		const struct process *p = &m->process.v[i];

		err = p->opt == 'p'
			      ? targets_grab(&m->targets, p->arg, &m->d)
			      : targets_start(&m->targets, p->arg, m->o.hold, &m->o.env, &m->d);
	}
	return err ? fatal_diag(m, NULL) : 0;
}

static enum symbol_found symbol_address(const char *mod, const char *name, uint64_t *addr,
					uint64_t *size)
{
	return ksyms_address(ksyms_kernel(), mod, name, addr, size);
}

/* For comparisons of a name with a literal. */
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

/* The system's directory is read first, and instead of what is built in. */
static void set_libraries(struct cmd *m)
{
	if (m->o.syslibdir) {
		m->o.compile.nolibs = true;
		vec_push(&m->o.libdir, m->o.syslibdir);
		memmove(m->o.libdir.v + 1, m->o.libdir.v,
			(m->o.libdir.n - 1) * sizeof(*m->o.libdir.v));
		m->o.libdir.v[0] = m->o.syslibdir;
	}
	m->o.compile.libdir = m->o.libdir.v;
	m->o.compile.nlibdir = (unsigned)m->o.libdir.n;
}

/* -x probes */
static int set_allowed(struct cmd *m)
{
	if (!m->o.probes)
		return 0;
	m->allowed = allowed_read(m->o.probes, &m->d);
	m->o.compile.allowed = m->allowed;
	return m->allowed ? 0 : fatal_diag(m, NULL);
}

static int check_scripts(struct cmd *m)
{
	int status = 0;

	for (size_t i = 0; i < m->text.n; i++)
		if (m->text.v[i].opt == 's')
			status |= check_script(&m->o, m->text.v[i].arg, m->text.v[i].src.text,
					       targets_first(&m->targets), m->out);
	return status ? EXIT_FATAL : 0;
}

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

static int read_texts(struct cmd *m)
{
	int err = 0;

	for (size_t i = 0; !err && i < m->text.n; i++) {
		err = read_text(m, &m->text.v[i]);
		if (!err)
			early_pragmas(m, &m->text.v[i]);
	}
	return err;
}

/* tcpdump's "host 192.0.2.1" was meant, where nobody else set the name. */
static void warn_of_host(const struct cmd *m)
{
	const char *host = m->o.compile.host;
	unsigned char bytes[16];

	if (host && !m->o.locked &&
	    (inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1))
		complain(0,
			 "-x host=%s says what this host is called; packets of %s alone are -x "
			 "addr=%s",
			 host, host, host);
}

static int check_filters(struct cmd *m)
{
	if (m->replay && filters_live(&m->o.filter))
		return fatal("failed to set -x %s: a capture does not tell whose its packets are",
			     filters_live(&m->o.filter));
	if (!m->replay && m->o.sieve)
		return fatal("failed to set -x filter: it is for what -r reads; here port=, addr=, "
			     "pid= ... are filters");
	warn_of_host(m);
	if (m->o.files.follow)
		return fatal("failed to set -x follow: it is for the files of --merge");
	if (!m->replay && m->o.local)
		return fatal("failed to set -x local: it is for what -r reads; live this host is "
			     "this host, and laddr= "
			     "is a filter");
	return 0;
}

/* What the compiler asks the machine it is on. */
static void ask_kernel(struct compile_opts *o)
{
	o->fentry = kernel_fentry;
	o->kprobes = kprobes;
	o->kprobe_at = kernel_kprobe_at;
	o->uprobes = kernel_uprobes;
	o->stack_at = kernel_stack_at;
	o->writes_user = kernel_writes_user;
	o->settle = settle;
	o->named = named_id;
	o->symbol = symbol_address;
}

static void set_compiler(struct cmd *m)
{
	const struct oformat_ops *oformat = m->o.consumer.oformat;
	struct compile_opts *o = &m->o.compile;

	o->replay = m->replay != NULL;
	o->timed = m->o.view || (oformat && oformat->timed);
	o->counted = m->o.consumer.footer || m->o.listen || (oformat && oformat->counts);
	o->filter = filters_text(&m->o.filter);
	o->filter_task = m->replay ? NULL : filters_task(&m->o.filter);
	o->filter_owner = filters_owner(&m->o.filter);
	o->lang = dtrace_lang();
	settling = &m->targets;
	if (m->o.listen)
		serve_expect();
	ask_kernel(o);
	o->ncpu = m->replay ? 1 : kernel_ncpu();
	o->agg_limit = memory_limit("/proc/self/cgroup", "/sys/fs/cgroup") / MEMORY_SHARE;
	m->agg_lowered = !m->replay && o->agg_bytes > AGGSIZE_MAX;
	if (m->agg_lowered)
		o->agg_bytes = AGGSIZE_MAX;
	set_libraries(m);
	o->capture = m->o.capture != NULL;
}

static int prepare(struct cmd *m)
{
	int err = read_texts(m);

	if (!err)
		err = check_replay(m);
	if (!err)
		err = open_output(m);
	if (!err && !m->replay && !m->compile_only && !kernel_supported(&m->d))
		err = fatal_diag(m, NULL);
	if (!err)
		err = hold_targets(m);
	if (err)
		return err;
	m->arg_used = xcalloc(m->arg.n, sizeof(bool));
	err = check_filters(m);
	if (err)
		return err;
	set_compiler(m);
	return set_allowed(m);
}

static int work(struct cmd *m)
{
	int err = prepare(m);

	if (err)
		return err;
	if (m->check)
		return check_scripts(m);
	m->c = compiler_new(&m->o.compile, &m->d);
	if (m->d.nerr)
		return fatal_diag(m, NULL);
	return m->list ? list_probes(m) : compile_and_run(m);
}

/*
 * What run() opens, before the files are parsed; without the rights that go then run() finds it
 * open.
 */
static int open_for_merge(struct cmd *m)
{
	int status;

	if (m->o.files.follow) { /* files are opened as long as the run goes on */
		m->o.files.opener = opener_start(m->arg.v + 1, m->arg.n - 1, &m->d);
		if (!m->o.files.opener)
			return fatal_diag(m, NULL);
		rights_with_broker();
	} else {
		m->o.files.opened = confinement(m);
	}
	open_null();
	status = start_serving(m);
	status = status ? status : open_view(m, NULL);
	if (status || !m->o.files.follow)
		return status;
	catch_signals(m->out);
	return confinement(m)(&m->d) ? 0 : fatal_diag(m, NULL);
}

/* --merge, --diff: nothing is traced.  What the files have is left at the end, all of it. */
static int merge_files(struct cmd *m)
{
	int status = open_for_merge(m);

	if (!status)
		m->merged = aggfiles_open(m->arg.v + 1, m->arg.n - 1, &m->o.files, &interrupted,
					  &m->d);
	if (!status && !m->merged)
		status = fatal_diag(m, NULL);
	if (status) {
		close_helpers(m);
		opener_stop(m->o.files.opener);
		return status;
	}
	m->o.consumer.aggsatend = true;
	if (!m->o.files.follow)
		aggfiles_tell(m->merged, m->o.consumer.err);
	status = run(m, aggfiles_program(m->merged));
	if (m->o.files.follow)
		aggfiles_tell(m->merged, stderr);
	aggfiles_free(m->merged);
	opener_stop(m->o.files.opener);
	return status;
}

static int diff_files(struct cmd *m)
{
	int status;

	if (m->o.view || m->o.listen || m->o.files.follow)
		return fatal("failed to set -x %s: --diff shows what files have, once",
			     m->o.view     ? "view"
			     : m->o.listen ? "listen"
					   : "follow");
	m->o.files.opened = confinement(m);
	status = aggfiles_diff(m->arg.v + 1, m->arg.n - 1, &m->o.files, &m->o.consumer, &m->d);
	return status < 0 ? fatal_diag(m, NULL) : status;
}

static int show_aggfiles(struct cmd *m)
{
	int status = open_output(m);

	return status ? status : m->aggfiles(m);
}

static int close_output(struct cmd *m, int status)
{
	int err = 0;

	if (fflush(m->out))
		err = errno;
	if (m->out != stdout && fclose(m->out) && !err) /* some file systems say it only then */
		err = errno;
	if (err && status == 0)
		status = fatal("failed to write to %s: %s",
			       m->out == stdout ? "<stdout>" : m->output, strerror(err));
	return status;
}

/* The first files we open must not become standard input or output: using those fails instead. */
static void keep_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Of the command, or of the script that is named. */
static int show_help(struct cmd *m)
{
	if (!m->text.n && m->arg.n > 1)
		return no_script(m->arg.v[1]);
	if (!m->text.n) {
		help(m->out);
		return 0;
	}
	if (m->text.v[0].opt == 's')
		find_script(&m->text.v[0]);
	if (m->text.v[0].opt != 's' ||
	    !script_usage(m->text.v[0].path ? m->text.v[0].path : m->text.v[0].arg, m->out))
		return fatal("%s says nothing of itself: a script begins with a comment that does",
			     m->text.v[0].arg);
	return 0;
}

static int list_scripts(struct cmd *m)
{
	const char *word = m->arg.n > 1 ? m->arg.v[1] : "";

	if (m->arg.n > 2)
		return misused("--scripts takes one word, which the names and lines that are shown "
			       "contain");
	if (script_list(word, m->out))
		return 0;
	if (script_dir())
		return fatal("no script says %s of itself; dtrace --scripts lists all", word);
	return fatal("no scripts are installed beside this command");
}

static int act(struct cmd *m, char **argv)
{
	if (m->test)
		return cases_run(m->test, m->out);
	if (m->complete) /* a script's name was taken for the one to run */
		return complete(m->complete,
				m->text.n      ? m->text.v[0].arg
				: m->arg.n > 1 ? m->arg.v[1]
					       : "",
				m->out);
	if (m->help)
		return show_help(m);
	if (m->mode == 'V') {
		version(m->out, m->version || m->verbose);
		return 0;
	}
	if (m->aggfiles)
		return show_aggfiles(m);
	if (m->scripts)
		return list_scripts(m);
	if (m->mode == 'G' || m->mode == 'h')
		return make_objects(m, argv);
	return work(m);
}

static void release(struct cmd *m)
{
	compiler_free(m->c);
	allowed_free(m->allowed);
	for (size_t i = 0; i < m->text.n; i++)
		xfree(m->text.v[i].owned), xfree(m->text.v[i].path);
	for (size_t i = 0; i < m->xopt.n; i++)
		xfree(m->xopt.v[i]);
	targets_release(&m->targets);
	readers_stop();
	filters_release(&m->o.filter);
	strbuf_release(&m->o.why);
	vec_free(&m->process);
	vec_free(&m->o.env);
	vec_free(&m->o.cpp.arg);
	vec_free(&m->xopt);
	vec_free(&m->text);
	vec_free(&m->arg);
	vec_free(&m->o.libdir);
	vec_free(&m->o.given);
	intern_release(&m->names);
	arena_release(&m->mem);
	xfree(m->arg_used);
	strbuf_release(&m->ast);
	strbuf_release(&m->typed);
	strbuf_release(&m->ir);
	strbuf_release(&m->plain);
	strbuf_release(&m->bpf);
	doc_release(&m->doc);
	diag_release(&m->d);
}

int main(int argc, char **argv)
{
	struct cmd m = {.out = stdout, .o.consumer.promkeys = PROM_KEYS};
	int status;

	if (argc > 1 && !strcmp(argv[1], "--reader")) /* see sandbox/reader.h */
		spawner_main(reader_jobs, argv + 2);
	keep_standard_files();
	symbols_report(report);
	owner_report(report);
	arena_init(&m.mem);
	intern_init(&m.names, &m.mem);
	status = parse_args(&m, argc, argv);
	if (!status)
		status = act(&m, argv);
	status = close_output(&m, status);
	release(&m);
	return status;
}
