/*
 * macro.c - macro variables: $1, $$1, $target, $pid and such.
 *
 * The value of a macro variable is a text. lex.c makes a token of the text; probe descriptions use
 * the text itself.
 */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "compiler/syntax/lex.h"

static long macro_pid(const struct macros *m)
{
	(void)m;
	return getpid();
}

static long macro_ppid(const struct macros *m)
{
	(void)m;
	return getppid();
}

static long macro_uid(const struct macros *m)
{
	(void)m;
	return getuid();
}

static long macro_euid(const struct macros *m)
{
	(void)m;
	return geteuid();
}

static long macro_gid(const struct macros *m)
{
	(void)m;
	return getgid();
}

static long macro_egid(const struct macros *m)
{
	(void)m;
	return getegid();
}

static long macro_sid(const struct macros *m)
{
	(void)m;
	return getsid(0);
}

static long macro_pgid(const struct macros *m)
{
	(void)m;
	return getpgid(0);
}

/* The IDs of projects and tasks of Solaris. Linux has neither, so scripts that print them get 0. */
static long macro_zero(const struct macros *m)
{
	(void)m;
	return 0;
}

static long macro_target(const struct macros *m)
{
	return m ? m->target : -1;
}

/*
 * The macro variables with names. value() returns the value of the variable, or -1 if the variable
 * is not defined in this run.
 */
static const struct macro_row {
	const char *name;
	long (*value)(const struct macros *m);
} macro_table[] = {
	{"pid", macro_pid},     {"ppid", macro_ppid},     {"uid", macro_uid},
	{"euid", macro_euid},   {"gid", macro_gid},       {"egid", macro_egid},
	{"sid", macro_sid},     {"pgid", macro_pgid},     {"projid", macro_zero},
	{"taskid", macro_zero}, {"target", macro_target},
};

static const char *named_value(const struct lexer *lx, const char *name)
{
	size_t i;
	long v;

	for (i = 0; i < sizeof(macro_table) / sizeof(*macro_table); i++) {
		if (strcmp(macro_table[i].name, name))
			continue;
		v = macro_table[i].value(lx->macros);
		return v == -1 ? NULL : arena_printf(lx->arena, "%ld", v);
	}
	return NULL;
}

/*
 * Returns the value of argument @n. If the argument was not given, returns @missing with -x
 * defaultargs, else NULL.
 */
static const char *arg_value(const struct lexer *lx, unsigned n, const char *missing)
{
	const struct macros *m = lx->macros;

	if (!m)
		return NULL;
	if (n >= m->narg)
		return m->defaultargs ? missing : NULL;
	if (m->used)
		m->used[n] = true;
	return m->arg[n];
}

static unsigned arg_number(const char *s, const char *end)
{
	unsigned n = 0;

	for (; s < end; s++) {
		if (n > 100000)
			break; /* no command has so many arguments */
		n = n * 10 + (unsigned)(*s - '0');
	}
	return n;
}

const char *macro_value(const struct lexer *lx, uint32_t off, uint32_t *end)
{
	const char *text = lx->src->text, *s = text + off, *name, *p, *v;
	bool twice = s[1] == '$';

	p = name = s + 1 + twice;
	if (isdigit((unsigned char)*p)) {
		while (isdigit((unsigned char)*p))
			p++;
		v = arg_value(lx, arg_number(name, p), twice ? "" : "0");
	} else {
		while (isalnum((unsigned char)*p) || *p == '_')
			p++;
		v = named_value(lx, arena_strndup(lx->arena, name, (size_t)(p - name)));
	}
	*end = (uint32_t)(p - text);
	if (!v && p == name)
		diag_error(lx->d, D_SYNTAX, (struct loc){lx->src, off}, "syntax error near \"$\"");
	else if (!v)
		diag_error(lx->d, D_MACRO_UNDEF, (struct loc){lx->src, off},
			   "macro %s %.*s is not defined",
			   isdigit((unsigned char)*name) ? "argument" : "variable", (int)(p - s),
			   s);
	if (!v && !strncmp(name, "target", (size_t)(p - name)) && p - name == strlen("target"))
		diag_hint(lx->d, "$target is the process of -c COMMAND or -p PID: add one of them");
	else if (!v && p > name && !isdigit((unsigned char)*name) && !twice)
		diag_hint(lx->d, "a variable of the clause has no $: did you mean this->%.*s?",
			  (int)(p - name), name);
	return v;
}

const char *macro_expand(const struct lexer *lx, uint32_t from, uint32_t to)
{
	const char *text = lx->src->text, *v;
	struct strbuf b = {0};

	while (from < to) {
		const char *dollar = memchr(text + from, '$', to - from);
		uint32_t stop = dollar ? (uint32_t)(dollar - text) : to;

		strbuf_add(&b, text + from, stop - from);
		from = stop;
		if (from == to)
			break;
		v = macro_value(lx, from, &from);
		if (!v) {
			strbuf_release(&b);
			return NULL;
		}
		strbuf_adds(&b, v);
	}
	return arena_take(lx->arena, &b);
}
