/*
 * arguments.c - parses the command line.
 *
 * Each option of the command line is a row of letters[].
 */
#include "cmd/arguments.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cmd/about/scripts.h"
#include "cmd/errors.h"
#include "cmd/mistakes.h"
#include "cmd/rights.h"

/* Values that getopt_long() returns for options without a letter. */
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
};

struct letter;
typedef int letter_fn(struct arguments *args, const struct letter *l);

/* An option of the command line. */
struct letter {
	/* the option's letter, or the value that getopt_long() returns for a long option */
	int c;
	bool arg; /* the option has an argument, which is in optarg when take() is called */
	/* the name of a long option, without "--"; NULL if the option is a letter */
	const char *word;
	letter_fn *take;
	size_t off; /* offset of the member of struct arguments that take() sets */
	/*
	 * The name of the -x option that take() sets, a text for the message of take(), or the
	 * second digit of -32 or -64.
	 */
	const char *text;
	enum task task; /* the task that the option asks for, if take() uses it */
};

/* ------------------------------------------------------------ what options do */

static void ask_for(struct arguments *args, enum task task)
{
	if (task > args->task)
		args->task = task;
}

static void *member(struct arguments *args, const struct letter *l)
{
	return (char *)args + l->off;
}

static int take_text(struct arguments *args, const struct letter *l)
{
	vec_push(&args->text, ((struct text){.opt = l->c, .arg = optarg}));
	return 0;
}

static int take_flag(struct arguments *args, const struct letter *l)
{
	*(bool *)member(args, l) = true;
	return 0;
}

static int take_word(struct arguments *args, const struct letter *l)
{
	*(const char **)member(args, l) = optarg;
	return 0;
}

/* Sets the -x option that a letter stands for: -b SIZE is -x bufsize=SIZE. */
static int take_named(struct arguments *args, const struct letter *l)
{
	int err = option_set(&args->o, l->text, optarg);

	return err ? fatal("failed to set -%c %s: %s", l->c, optarg, option_strerror(err)) : 0;
}

static int take_task(struct arguments *args, const struct letter *l)
{
	ask_for(args, l->task);
	return 0;
}

/* Takes an option that asks for a task and has an argument: --complete KIND, --test FOLDER. */
static int take_task_word(struct arguments *args, const struct letter *l)
{
	ask_for(args, l->task);
	return take_word(args, l);
}

static int take_mode(struct arguments *args, const struct letter *l)
{
	char mode = l->c == OPT_VERSION ? 'V' : (char)l->c;

	if (args->mode && args->mode != mode)
		return misused("only one of the [-AGhlV] options can be specified at a time");
	args->mode = mode;
	args->long_version |= l->c == OPT_VERSION;
	ask_for(args, l->task);
	return 0;
}

static int take_process(struct arguments *args, const struct letter *l)
{
	vec_push(&args->process, ((struct process){l->c, optarg}));
	return 0;
}

/* Accepts -32 and -64, which getopt_long() reads as -3 and -6 with an argument. */
static int take_bits(struct arguments *args, const struct letter *l)
{
	(void)args;
	return strcmp(optarg, l->text) ? misused("illegal option -- %c%s", l->c, optarg) : 0;
}

static int take_unsupported(struct arguments *args, const struct letter *l)
{
	(void)args;
	return fatal("%s is not supported", l->text);
}

static int take_replay(struct arguments *args, const struct letter *l)
{
	if (args->replay)
		return misused("-r may be given only once; " JOIN_CAPTURES, args->replay, optarg);
	return take_word(args, l);
}

static int take_libdir(struct arguments *args, const struct letter *l)
{
	(void)l;
	vec_push(&args->o.libdir, (const char *)optarg);
	return 0;
}

static int take_verbose(struct arguments *args, const struct letter *l)
{
	(void)l;
	args->verbose++;
	return 0;
}

static int take_option(struct arguments *args, const struct letter *l)
{
	char *name = xstrdup(optarg), *value = strchr(name, '=');
	int err;

	(void)l;
	vec_push(&args->kept, name);
	if (value)
		*value++ = '\0';
	args->o.at_command_line = true;
	err = option_set(&args->o, name, value);
	args->o.at_command_line = false;
	return err ? fatal("failed to set -x %s: %s", name, option_wrong(&args->o, err)) : 0;
}

/*
 * Takes --libxo FORM[,pretty], which chooses an output form of FreeBSD's libxo. Its form "json" is
 * not the same as -x oformat=json.
 */
static int take_libxo(struct arguments *args, const struct letter *l)
{
	static const char *const forms[][2] = {
		{"json", "libxo-json"},
		{"xml", "xml"},
		{"html", "html"},
		{"text", "text"},
	};
	const char *rest = optarg + strcspn(optarg, ",");
	size_t n = (size_t)(rest - optarg);

	(void)l;
	args->o.consumer.pretty = !strcmp(rest, ",pretty");
	for (size_t i = 0;
	     (!*rest || args->o.consumer.pretty) && i < sizeof(forms) / sizeof(*forms); i++)
		if (strlen(forms[i][0]) == n && !strncmp(forms[i][0], optarg, n))
			return option_set(&args->o, "oformat", forms[i][1]);
	return fatal("failed to set --libxo %s: %s", optarg, option_strerror(OPTION_BAD));
}

static int take_check(struct arguments *args, const struct letter *l)
{
	if (optarg)
		vec_push(&args->text, ((struct text){.opt = 's', .arg = optarg}));
	args->compile_only = true;
	return take_task(args, l);
}

/* ------------------------------------------------------------- table of options */

#define IN(name) offsetof(struct arguments, name)
#define OPTION(name) .take = take_named, .text = name
#define FLAG(name) .take = take_flag, .off = IN(name)
#define NOT_SUPPORTED(what) .take = take_unsupported, .text = what
#define MODE(which) .take = take_mode, .task = which

static const struct letter letters[] = {
	{'P', true, .take = take_text},
	{'m', true, .take = take_text},
	{'f', true, .take = take_text},
	{'n', true, .take = take_text},
	{'i', true, .take = take_text},
	{'s', true, .take = take_text},
	{'b', true, OPTION("bufsize")},
	{'D', true, OPTION("define")},
	{'U', true, OPTION("undef")},
	{'I', true, OPTION("incdir")},
	{'X', true, OPTION("stdc")},
	{'e', false, FLAG(compile_only)},
	{'F', false, FLAG(o.consumer.flowindent)},
	{'q', false, FLAG(o.consumer.quiet)},
	{'S', false, FLAG(show_code)},
	{'w', false, FLAG(o.destructive)},
	{'Z', false, FLAG(o.compile.zdefs)},
	{'C', false, FLAG(o.cpp.on)},
	{'H', false, FLAG(o.cpp.headers)},
	{'O', false, FLAG(o.consumer.aggsatend)},
	{'o', true, .take = take_word, .off = IN(output)},
	{'r', true, .take = take_replay, .off = IN(replay)},
	{'A', false, .take = take_mode},
	{'G', false, MODE(TASK_OBJECTS)},
	{'h', false, MODE(TASK_OBJECTS)},
	{'l', false, MODE(TASK_LIST)},
	{'V', false, MODE(TASK_VERSION)},
	{'c', true, .take = take_process},
	{'p', true, .take = take_process},
	{'3', true, .take = take_bits, .text = "2"},
	{'6', true, .take = take_bits, .text = "4"},
	{'a', false, NOT_SUPPORTED("anonymous tracing (-a)")},
	{'B', false, NOT_SUPPORTED("printing the calls of output handlers (-B)")},
	{'d', false, NOT_SUPPORTED("printing the program after its transformation (-d)")},
	{'W', true, NOT_SUPPORTED("waiting for a process by name (-W)")},
	{'L', true, .take = take_libdir},
	{'v', false, .take = take_verbose},
	{'x', true, .take = take_option},
	{OPT_LIBXO, true, "libxo", .take = take_libxo},
	{OPT_VERSION, false, "version", MODE(TASK_VERSION)},
	{OPT_HELP, false, "help", .take = take_task, .task = TASK_HELP},
	{OPT_SCRIPTS, false, "scripts", .take = take_task, .task = TASK_SCRIPTS},
	{OPT_MERGE, false, "merge", .take = take_task, .task = TASK_MERGE},
	{OPT_DIFF, false, "diff", .take = take_task, .task = TASK_DIFF},
	{OPT_CHECK, true, "check", .take = take_check, .task = TASK_CHECK},
	{OPT_TEST, true, "test", .take = take_task_word, .off = IN(test), .task = TASK_TEST},
	{OPT_COMPLETE, true, "complete", .take = take_task_word, .off = IN(complete),
	 .task = TASK_COMPLETE},
};

#define LETTERS (sizeof(letters) / sizeof(*letters))

static const struct letter *find_letter(int c)
{
	for (size_t i = 0; i < LETTERS; i++)
		if (letters[i].c == c)
			return &letters[i];
	return NULL;
}

/*
 * Writes the rows of letters[] in the format that getopt_long() reads: short options to @opts, and
 * long options to @longs.
 */
static void describe(char *opts, struct option *longs)
{
	*opts++ = ':'; /* makes getopt_long() print no messages */
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

/* ------------------------------------------------------------- the command line */

/*
 * Reports the option @word, which getopt_long() rejected. @c is '?' if the option is unknown, and
 * ':' if its argument is missing.
 */
static int no_option(int c, const char *word)
{
	const char *what = c == ':' ? "option requires an argument" : "illegal option";

	if (!strncmp(word, "--", 2) && c != ':')
		return no_long_option(word + 2);
	if (!strncmp(word, "--", 2))
		complain(EXIT_USAGE, "%s -- %s", what, word + 2);
	else
		complain(EXIT_USAGE, "%s -- %c", what, optopt);
	return misuse();
}

static int parse_options(struct arguments *args, int argc, char **argv)
{
	struct option longs[LETTERS + 1] = {0};
	char opts[2 * LETTERS + 2] = "";
	int c, err = 0;

	describe(opts, longs);
	while (!err && (c = getopt_long(argc, argv, opts, longs, NULL)) != -1) {
		const struct letter *l = find_letter(c);

		err = l ? l->take(args, l) : no_option(c, argv[optind - 1]);
	}
	return err;
}

/*
 * Takes the first operand as the program if it names an installed script and the command line has
 * no other program: "dtrace tcplife".
 */
static void take_script(struct arguments *args)
{
	bool may = !args->text.n && !args->mode && args->task != TASK_MERGE &&
		   args->task != TASK_DIFF;
	char *path = may && args->arg.n > 1 ? script_find(args->arg.v[1]) : NULL;

	if (!path)
		return;
	vec_push(&args->text, ((struct text){.opt = 's', .arg = args->arg.v[1], .path = path}));
	args->arg.n--;
	memmove(args->arg.v + 1, args->arg.v + 2, (args->arg.n - 1) * sizeof(*args->arg.v));
}

/* Takes all operands as scripts if the task is --check. */
static int take_checked(struct arguments *args)
{
	if (args->task != TASK_CHECK)
		return 0;
	for (size_t i = 1; i < args->arg.n; i++)
		vec_push(&args->text, ((struct text){.opt = 's', .arg = args->arg.v[i]}));
	args->arg.n = 1;
	return args->text.n ? 0 : misused("--check needs the name of a script");
}

/* Takes the operands: the arguments that follow the options. */
static int take_operands(struct arguments *args, int argc, char **argv)
{
	int err;

	for (; optind < argc; optind++)
		vec_push(&args->arg, (const char *)argv[optind]);
	err = take_checked(args);
	if (!err)
		take_script(args);
	return err;
}

int arguments_parse(struct arguments *args, int argc, char **argv)
{
	const char *bad;
	int err;

	arena_init(&args->mem);
	intern_init(&args->names, &args->mem);
	if (argc == 1)
		return misuse();
	args->name = argv[0];
	vec_push(&args->arg, args->name);
	err = option_environment(&args->o, (const char *const *)environ, &bad);
	if (err)
		return fatal("failed to set %s: %s", bad, option_wrong(&args->o, err));
	err = parse_options(args, argc, argv);
	if (!err)
		err = take_operands(args, argc, argv);
	if (err)
		return err;
	options_are_given(&args->o);
	args->form_given = args->o.consumer.oformat;
	args->quiet_given = args->o.consumer.quiet;
	if (args->o.confine && !strcmp(args->o.confine, "off"))
		rights_off();
	if (args->replay && args->process.n)
		return misused("-r cannot be combined with -c or -p: a capture has no processes");
	if (args->mode == 'A')
		return fatal("making boot-time enablings (-A) is not supported");
	return options_among_arguments(args);
}

void arguments_release(struct arguments *args)
{
	for (size_t i = 0; i < args->text.n; i++) {
		xfree(args->text.v[i].owned);
		xfree(args->text.v[i].path);
	}
	for (size_t i = 0; i < args->kept.n; i++)
		xfree(args->kept.v[i]);
	vec_free(&args->text);
	vec_free(&args->process);
	vec_free(&args->arg);
	vec_free(&args->kept);
	options_release(&args->o);
	intern_release(&args->names);
	arena_release(&args->mem);
}

/* ------------------------------------------------------ the first line of a script */

/*
 * Returns whether the option with letter @l and argument @arg (NULL if it has none) is ignored,
 * because it could start a command, or because a script that others can change (@foreign) must not
 * choose files. If so, prints a message.
 */
static bool is_left_out(const struct letter *l, const char *arg, bool foreign)
{
	char *name = xstrdup(l->text ? l->text
			     : arg   ? arg
				     : "cpp"),
	     *end = name + strcspn(name, "=");
	const char *value = l->text ? arg : *end ? end + 1 : NULL;
	bool starts, reads;

	*end = '\0';
	starts = option_starts_command(name, value);
	reads = foreign && option_reads_files(name);
	if (starts || reads)
		complain(0,
			 "--check ignores -%c%s%s in a script's first line, because %s; give the "
			 "option on the command line",
			 l->c, arg ? " " : "", arg ? arg : "",
			 starts ? "this option could start a command"
				: "other users can change the script and this option reads files");
	xfree(name);
	return starts || reads;
}

/*
 * Applies the letters of one word of the line, such as "Cs". If the last letter of the word has an
 * argument, the argument is the next word. @rest is the state of strtok_r(), which returns the next
 * word.
 */
static int take_letters(struct arguments *args, const char *word, char **rest, bool foreign)
{
	int err = 0;

	for (; *word && !err; word++) {
		const struct letter *l = find_letter(*word);

		if (!l)
			break;
		if (!l->arg) {
			if (*word == 'w' ||
			    (*word == 'C' && !args->o.cpp.on && !is_left_out(l, NULL, foreign)))
				err = l->take(args, l);
			continue;
		}
		optarg = word[1] ? (char *)word + 1 : strtok_r(NULL, " \t", rest);
		if (!optarg || !strchr("xDUI", *word) || is_left_out(l, optarg, foreign))
			return 0;
		return l->take(args, l);
	}
	return err;
}

int arguments_first_line(struct arguments *args, const char *text, bool foreign)
{
	char *line, *word, *rest;
	bool behind_command = false;
	int err = 0;

	if (strncmp(text, "#!", 2))
		return 0;
	line = xstrdup(text + 2);
	line[strcspn(line, "\n")] = '\0';
	vec_push(&args->kept, line);
	for (word = strtok_r(line, " \t", &rest); word && !err;
	     word = strtok_r(NULL, " \t", &rest)) {
		const char *base = strrchr(word, '/');

		if (behind_command && *word == '-')
			err = take_letters(args, word + 1, &rest, foreign);
		behind_command |= !strcmp(base ? base + 1 : word, "dtrace");
	}
	return err;
}
