/*
 * cpp.c - runs the C preprocessor on scripts.
 *
 * The preprocessor reads a copy of the script in memory. The copy lacks the first line of the
 * script if that line begins with #!. A line marker before the text gives the script's name to the
 * preprocessor's messages.
 */
#include "cmd/cpp.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/spawn.h"
#include "sandbox/command.h"

#define D_VERSION "0x0100d000" /* D 1.13.0: the three numbers have 8, 12 and 12 bits */

/* maximum time for the script of somebody else, in seconds */
#define FOREIGN_S 10

/* -------------------------------------------------------------------- the input */

/* Appends the name of a macro that consists of the system's name and release: "__Linux_6_18_0". */
static void define_system(struct strbuf *b)
{
	struct utsname u;
	size_t from = b->len;

	if (uname(&u))
		return;
	strbuf_addf(b, "__%s_%s", u.sysname, u.release);
	for (size_t i = from; i < b->len; i++)
		if (!isalnum((unsigned char)b->s[i]))
			b->s[i] = '_';
}

/*
 * Replaces the gcc keywords found in the system's headers with D's keywords, or deletes them.
 * Attributes are kept, because they decide where the members of structs are.
 */
static const char gcc_words[] = "#define __extension__\n"
				"#define __inline inline\n"
				"#define __inline__ inline\n"
				"#define __const const\n"
				"#define __const__ const\n"
				"#define __volatile volatile\n"
				"#define __volatile__ volatile\n"
				"#define __restrict restrict\n"
				"#define __restrict__ restrict\n"
				"#define __signed signed\n"
				"#define __signed__ signed\n"
				"#define _Noreturn\n"
				"#define _Float32 float\n"
				"#define _Float64 double\n"
				"#define _Float32x double\n"
				"#define _Float64x long double\n"
				"#define _Float128 long double\n"
				"#define __float128 long double\n"
				"#define __builtin_va_list void *\n"
				"#define __alignof__(type) sizeof (type)\n"
				"#define __asm__(...)\n"
				"#define _Static_assert(...) struct __asserted\n";

/*
 * Appends the macros that D predefines. The 3 in the line marker says that the text is a system
 * header, because only such a header may redefine __STDC__. __STDC__ becomes 0 with -X a, which is
 * the default, and with -X t.
 */
static void add_definitions(struct strbuf *b, const char *stdc)
{
	strbuf_adds(b, "# 1 \"<dtrace>\" 3\n");
	if (!stdc || *stdc == 'a' || *stdc == 't')
		strbuf_adds(b, "#undef __STDC__\n#define __STDC__ 0\n");
	strbuf_adds(b, "#define __SVR4 1\n#define __Linux 1\n#define __SUNW_D 1\n#define "
		       "__SUNW_D_64 1\n#define __SUNW_D_VERSION " D_VERSION "\n#define ");
	define_system(b);
	strbuf_adds(b, " 1\n");
	if (!stdc || *stdc != 's') /* the traditional preprocessor has no "..." */
		strbuf_adds(b, gcc_words);
}

static void add_name(struct strbuf *b, const char *name)
{
	strbuf_adds(b, "# 1 \"");
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			strbuf_addc(b, '\\');
		strbuf_addc(b, *name);
	}
	strbuf_adds(b, "\"\n");
}

/*
 * Writes the preprocessor's whole input to a file in memory. Returns its descriptor, or -1 with
 * errno set.
 */
static int input(const struct cpp_opts *o, const char *name, const struct strbuf *text)
{
	size_t skip = !strncmp(text->s, "#!", 2) ? strcspn(text->s, "\n") : 0;
	int fd = memfd_create("script", MFD_CLOEXEC);
	struct strbuf b = {0};
	ssize_t n;

	add_definitions(&b, o->stdc);
	add_name(&b, name);
	strbuf_add(&b, text->s + skip, text->len - skip);
	n = fd < 0 ? -1 : pwrite(fd, b.s, b.len, 0);
	if (fd >= 0 && n != (ssize_t)b.len) {
		close(fd);
		fd = -1;
	}
	strbuf_release(&b);
	return fd;
}

/* -------------------------------------------------------------------- running it */

typedef VEC(const char *) words;
typedef VEC(char *) copies;

/*
 * Sets the preprocessor's arguments. linux and unix are undefined, because D programs may use them
 * as names. __SIZEOF_INT128__ is undefined because headers use 128-bit integers if it is defined,
 * and D has no such integers. Words of -x cppargs are in @copy, whose strings the caller frees.
 */
static void arguments(const struct cpp_opts *o, const char *dir, words *w, copies *copy)
{
	static const char *const always[] = {"-D__unix", "-Ulinux", "-Uunix",
					     "-U__SIZEOF_INT128__"};

	vec_push(w, o->path ? o->path : "cpp");
	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
		vec_push(w, always[i]);
	if (o->stdc && *o->stdc == 's')
		vec_push(w, "-traditional-cpp");
	if (o->headers)
		vec_push(w, "-H");
	vec_push(w, "-iquote");
	vec_push(w, dir);
	for (size_t i = 0; i < o->arg.n; i += 2) {
		if (o->arg.v[i]) {
			vec_push(w, o->arg.v[i]);
			vec_push(w, o->arg.v[i + 1]);
			continue;
		}
		vec_push(copy, xstrdup(o->arg.v[i + 1]));
		for (char *rest = NULL, *s = copy->v[copy->n - 1]; (s = strtok_r(s, " \t", &rest));
		     s = NULL)
			vec_push(w, s);
	}
	vec_push(w, "-");
	vec_push(w, NULL);
}

/*
 * Replaces @to by what can be read from @fd until @end, by now_monotonic(), or without a time limit
 * if @end is 0. Returns 0 or a positive errno.
 */
static int read_all(int fd, uint64_t end, struct strbuf *to)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char buf[16384];
	ssize_t n = 1;

	strbuf_reset(to);
	while (n && to->len <= FILE_TEXT_MAX) {
		uint64_t now = end ? now_monotonic() : 0;

		if (end && (now >= end || !poll(&p, 1, (int)((end - now) / 1000000) + 1)))
			return ETIMEDOUT;
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno != EINTR)
			return errno;
		strbuf_add(to, buf, n > 0 ? (size_t)n : 0);
	}
	return n ? EFBIG : 0;
}

/*
 * Replaces @text by what the command prints for the input @in. Returns 0, or a positive errno if
 * the command could not be started, or -1 if the command failed, with the reason in @why.
 */
static int filter(const words *w, bool foreign, int in, struct strbuf *text, const char **why)
{
	uint64_t end = foreign ? now_monotonic() + FOREIGN_S * 1000000000ull : 0;
	int fd[2], status = 0, err;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return errno;
	err = foreign ? command_start(&pid, w->v, in, fd[1], true)
		      : spawn_command(&pid, w->v[0], w->v, in, fd[1], 0);
	close(fd[1]);
	if (err) {
		close(fd[0]);
		return err;
	}
	err = read_all(fd[0], end, text);
	close(fd[0]);
	/* The command has its own session, so this also kills the processes that it started. */
	if (err && foreign)
		kill(-pid, SIGKILL);
	else if (err)
		kill(pid, SIGTERM);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*why = err ? strerror(err) : NULL;
	return err || status ? -1 : 0;
}

static int failed(int err, const char *why, const char *path, struct diag *d)
{
	if (err == -1)
		return diag_error(d, D_SYS, NOLOC,
				  "Preprocessor failed to process input program%s%s",
				  why ? ": " : "", why ? why : "");
	return diag_error(d, D_SYS, NOLOC,
			  "Preprocessor not found: %s: %s (install the package cpp, or set -x "
			  "cpppath=FILE)",
			  path, strerror(err));
}

int cpp_run(const struct cpp_opts *o, const char *name, bool foreign, struct strbuf *text,
	    struct diag *d)
{
	const char *slash = strrchr(name, '/'), *why = NULL;
	struct strbuf dir = {0};
	words w = {0};
	copies copy = {0};
	int in = input(o, name, text), err;

	strbuf_addf(&dir, "%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".");
	arguments(o, dir.s, &w, &copy);
	err = in < 0 ? errno : filter(&w, foreign, in, text, &why);
	if (err)
		failed(err, why, w.v[0], d);
	if (in >= 0)
		close(in);
	vec_free(&w);
	for (size_t i = 0; i < copy.n; i++)
		xfree(copy.v[i]);
	vec_free(&copy);
	strbuf_release(&dir);
	return err ? -1 : 0;
}
