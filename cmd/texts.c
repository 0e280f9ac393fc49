/* texts.c - reads the D programs (texts) of the command line. */
#include "cmd/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/about/scripts.h"
#include "cmd/arguments.h"
#include "cmd/errors.h"
#include "compiler/syntax/parse.h"
#include "consumer/aggs/file.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some editors begin a file with this mark */

/* ------------------------------------------------------------------- messages */

/*
 * Appends the usage of the script @t to the message if the error may be about the arguments of the
 * script.
 */
static void add_synopsis(const struct arguments *args, const struct text *t, const struct diag *d,
			 struct strbuf *b)
{
	bool of_arguments = args->arg.n > 1 || d->tag == D_MACRO_UNDEF;
	char *usage = of_arguments && t->opt == 's' ? script_synopsis(t->path ? t->path : t->arg)
						    : NULL;

	if (usage)
		strbuf_addf(b, "; %s", usage);
	xfree(usage);
}

int text_failed(const struct arguments *args, const struct text *t, const struct diag *d)
{
	struct strbuf b = {0};

	strbuf_addf(&b,
		    t->opt == 's' ? "failed to compile script %s: "
				  : "invalid probe specifier %s: ",
		    t->arg);
	diag_text(d, args->o.errtags, &b);
	add_synopsis(args, t, d, &b);
	strbuf_addc(&b, '\n');
	if (!args->o.consumer.nohint)
		diag_help(d, &b);
	complain_text(&b);
	strbuf_release(&b);
	return EXIT_FATAL;
}

/* -------------------------------------------------------------------- reading */

void text_find(struct text *t)
{
	char *installed = t->path || !strcmp(t->arg, "-") ? NULL : script_find(t->arg);
	struct stat here, there;

	if (installed && access(t->arg, F_OK)) {
		t->path = installed;
		return;
	}
	if (installed && !stat(installed, &there) && !stat(t->arg, &here) &&
	    (here.st_ino != there.st_ino || here.st_dev != there.st_dev))
		complain(0,
			 "-s %s is the file in this folder, not the installed script (dtrace %s "
			 "runs that)",
			 t->arg, t->arg);
	xfree(installed);
}

static int read_file(const char *name, bool foreign, struct strbuf *b)
{
	int fd = !strcmp(name, "-") ? STDIN_FILENO : -1;
	const char *why = NULL;
	bool whole;

	if (fd < 0 && foreign) {
		fd = file_open_of_others(name, FILE_TEXT_MAX, &why);
	} else if (fd < 0) {
		fd = open(name, O_RDONLY | O_CLOEXEC);
		why = strerror(errno);
	}
	if (fd < 0)
		return fatal("failed to open %s: %s", name, why);
	whole = file_read_fd(fd, FILE_TEXT_MAX, b, &why);
	if (fd != STDIN_FILENO)
		close(fd);
	if (!whole)
		return fatal("failed to read %s: %s", name, why);
	if (b->len >= 3 && !memcmp(b->s, BYTE_ORDER_MARK, 3)) {
		b->len -= 3;
		memmove(b->s, b->s + 3, b->len + 1);
	}
	return 0;
}

static int read_script(struct arguments *args, struct text *t, struct diag *d)
{
	struct cpp_opts *cpp = &args->o.cpp;
	size_t given = cpp->arg.n;
	struct strbuf b = {0};
	bool on = cpp->on, foreign;
	const char *name;
	int err;

	text_find(t);
	name = t->path ? t->path : t->arg;
	/* Users run scripts that they trust, but they may check the scripts of others. */
	foreign = args->task == TASK_CHECK && file_check_owner(name);
	err = read_file(name, foreign, &b);
	if (!err && args->task == TASK_CHECK)
		err = arguments_first_line(args, strbuf_text(&b), foreign);
	if (!err && cpp->on && cpp_run(cpp, name, foreign, &b, d))
		err = text_failed(args, t, d);
	/* The first line of one script does not preprocess the next script. */
	cpp->on = on;
	cpp->arg.n = given;
	t->owned = b.s;
	t->src = (struct src){SRC_FILE, t->arg, b.s, b.len, false};
	return err;
}

/* Takes the text of -P, -m, -f, -n or -i, which is the option's argument itself. */
static int take_argument(struct text *t)
{
	size_t skip = 0;

	if (t->opt == 'i') {
		if (!strcmp(t->arg, "any") || if_nametoindex(t->arg))
			return fatal("-i %s: -i takes the number of a probe; to read an interface, "
				     "use -r %s",
				     t->arg, t->arg);
		/* Only a whole number is an ID. As in DTrace, -i 2-2 means the probe name "-2". */
		skip = strspn(t->arg, "0123456789");
		if (strchr(" \t\n{/;", t->arg[skip]))
			skip = 0;
	}
	t->src = (struct src){SRC_CMDLINE, "", t->arg + skip, strlen(t->arg + skip), false};
	return 0;
}

/* -------------------------------------------------------------------- pragmas */

bool text_is_overruled(const struct arguments *args, const char *option)
{
	return (args->form_given && !strcmp(option, "oformat")) ||
	       option_is_given(&args->o, option);
}

/*
 * Carries out those pragmas of @t that change how texts are read and compiled. This is done before
 * any text is compiled. Errors are ignored here, because the parser finds and reports them later.
 */
static void set_early_options(struct arguments *args, const struct text *t)
{
	const char *name, *value;
	uint32_t off = 0;

	while (next_option(&args->names, &t->src, &off, &name, &value))
		if (option_is_early(name) && !text_is_overruled(args, name) && !args->o.locked)
			option_set(&args->o, name, value);
}

int texts_read(struct arguments *args, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < args->text.n; i++) {
		struct text *t = &args->text.v[i];

		err = t->opt == 's' ? read_script(args, t, d) : take_argument(t);
		if (!err)
			set_early_options(args, t);
	}
	return err;
}

uint64_t texts_digest(const struct arguments *args)
{
	struct strbuf b = {0};
	uint64_t h;

	for (size_t i = 0; i < args->text.n; i++)
		strbuf_add(&b, args->text.v[i].src.text, strlen(args->text.v[i].src.text) + 1);
	h = aggfile_checksum(b.s, b.len);
	strbuf_release(&b);
	return h;
}
