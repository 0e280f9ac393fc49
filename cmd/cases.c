/* cases.c - runs the cases of dtrace --test. */
#include "cmd/cases.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define SECONDS 60              /* time limit of a case in seconds */
#define FILE_BYTES (256u << 20) /* size limit of a file of a case, and of its output */
#define NGROUP 3

/*
 * Parts of the output that change with every build. In the expected and in the actual output, a
 * text that matches @re is replaced by @as before the two are compared. In @as, "\1" and "\2" stand
 * for the first and the second group of the regular expression.
 */
static const struct {
	const char *re, *as;
} masks[] = {
	{"(DIF offset) [0-9]+", "\1 N"},
	{"\\(ID [0-9]+:", "(ID N:"},
	{"^( {0,2}[0-9]{1,3}) [ 0-9]{5}[0-9] ( *[^ :\"]*:[A-Za-z_0-9-]+)", "\1      N \2"},
	{"^[ 0-9]{4}[0-9] ( *[a-z_0-9]+ .{17} .{33} [A-Za-z_0-9-]+)$", "    N \1"},
};

#define NMASK (sizeof(masks) / sizeof(*masks))

struct cases {
	FILE *to;
	regex_t re[NMASK];
	char dir[32];    /* temporary folder for the output of a case */
	unsigned n, bad; /* cases that ran, and that failed */
	bool unreadable; /* a file of the current case could not be read */
};

/* paths of the cases; global because nftw() passes no argument to its callback */
static VEC(char *) files;

/* ------------------------------------------------------------------ texts */

/*
 * Reads a file of the current case into @b. Returns false if the file does not exist. A FIFO or a
 * link to a device, which an attacker may have put into the folder, is not opened: it is reported
 * and the case fails.
 */
static bool read_whole(struct cases *c, const char *path, struct strbuf *b)
{
	const char *why;

	strbuf_reset(b);
	strbuf_adds(b, "");
	if (access(path, F_OK))
		return false;
	if (!file_read_foreign(AT_FDCWD, path, FILE_BYTES, b, &why)) {
		fprintf(c->to, "failed to read %s: %s\n", path, why);
		c->unreadable = true;
	}
	return true;
}

/*
 * Reads the file that has the name of @file, but with the suffix @suffix. If there is no such file,
 * returns false and sets @b to the text "".
 */
static bool read_beside(struct cases *c, const char *file, const char *suffix, struct strbuf *b)
{
	struct strbuf path = {0};
	bool there;

	strbuf_addf(&path, "%.*s%s", (int)(strrchr(file, '.') - file), file, suffix);
	there = read_whole(c, path.s, b);
	strbuf_release(&path);
	return there;
}

/* Applies one mask (a row of masks[]) to @line. No mask can match a line twice. */
static void mask(struct strbuf *line, const regex_t *re, const char *as)
{
	regmatch_t m[NGROUP];
	struct strbuf b = {0};

	if (regexec(re, line->s, NGROUP, m, 0))
		return;
	strbuf_add(&b, line->s, (size_t)m[0].rm_so);
	for (; *as; as++) {
		if (*as >= NGROUP)
			strbuf_addc(&b, *as);
		else
			strbuf_add(&b, line->s + m[(int)*as].rm_so,
				   (size_t)(m[(int)*as].rm_eo - m[(int)*as].rm_so));
	}
	strbuf_adds(&b, line->s + m[0].rm_eo);
	strbuf_release(line);
	*line = b;
}

static void masked_line(const struct cases *c, const char *s, size_t n, struct strbuf *line)
{
	strbuf_reset(line);
	strbuf_add(line, s, n);
	for (size_t i = 0; i < NMASK; i++)
		mask(line, &c->re[i], masks[i].as);
}

/*
 * Compares the expected output @want with the actual output @got. Prints the first line that
 * differs; @name is the name of the output in the message.
 */
static bool same(struct cases *c, const char *name, const char *want, const char *got)
{
	struct strbuf a = {0}, b = {0};
	unsigned line = 0;
	bool equal = true;

	while (equal && (*want || *got)) {
		size_t nwant = strcspn(want, "\n"), ngot = strcspn(got, "\n");

		line++;
		masked_line(c, want, nwant, &a);
		masked_line(c, got, ngot, &b);
		equal = !strcmp(a.s, b.s) && want[nwant] == got[ngot] && !*want == !*got;
		if (!equal)
			fprintf(c->to, "%s, line %u:\n\twant: %s%s\n\tgot:  %s%s\n", name, line,
				a.s, *want ? "" : "(end)", b.s, *got ? "" : "(end)");
		want += nwant + (want[nwant] == '\n');
		got += ngot + (got[ngot] == '\n');
	}
	strbuf_release(&a);
	strbuf_release(&b);
	return equal;
}

/* ------------------------------------------------------------------ a case */

static bool ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n > k && !strcmp(s + n - k, suffix);
}

/* Appends @s in single quotes for the shell. */
static void quoted(struct strbuf *b, const char *s)
{
	strbuf_addc(b, '\'');
	for (; *s; s++)
		if (*s == '\'')
			strbuf_adds(b, "'\\''");
		else
			strbuf_addc(b, *s);
	strbuf_addc(b, '\'');
}

/*
 * Appends the arguments of the case to @cmd. The arguments are shell text, so that they can contain
 * quotes.
 */
static void add_arguments(struct cases *c, const char *file, struct strbuf *cmd,
			  struct strbuf *text)
{
	static const char begin[] = "/* args: ";
	char *end;

	read_whole(c, file, text);
	if (ends(file, ".args")) {
		text->s[strcspn(text->s, "\n")] = '\0';
		strbuf_addf(cmd, " %s", text->s);
		return;
	}
	end = strstr(text->s, " */");
	if (!strncmp(text->s, begin, sizeof(begin) - 1) && end)
		strbuf_addf(cmd, " %.*s", (int)(end - text->s - (int)sizeof(begin) + 1),
			    text->s + sizeof(begin) - 1);
	strbuf_adds(cmd, " -s ");
	quoted(cmd, file);
}

static void command(struct cases *c, const char *file, struct strbuf *cmd)
{
	struct strbuf text = {0};

	strbuf_adds(cmd, "exec \"$DTRACE_TESTED\"");
	strbuf_addf(&text, "%.*s.pcap", (int)(strrchr(file, '.') - file), file);
	if (!access(text.s, F_OK)) {
		strbuf_adds(cmd, " -r ");
		quoted(cmd, text.s);
	}
	add_arguments(c, file, cmd, &text);
	strbuf_addf(cmd, " </dev/null >%s/out 2>%s/err", c->dir, c->dir);
	strbuf_release(&text);
}

/*
 * Runs @cmd. Returns its exit status, or 128 plus the number of the signal that killed the command.
 */
static int run_command(const char *cmd)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		alarm(SECONDS);
		execl("/bin/sh", "sh", "-c", cmd, (char *)NULL);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool compare(struct cases *c, const char *file, int status)
{
	struct strbuf want = {0}, got = {0}, path = {0};
	bool right, expects;
	int must;

	expects = read_beside(c, file, ".status", &want);
	must = atoi(want.s);
	right = status == must;
	if (!right)
		fprintf(c->to, "the exit status is %d, expected %d\n", status, must);
	strbuf_addf(&path, "%s/out", c->dir);
	read_whole(c, path.s, &got);
	expects |= read_beside(c, file, ".out", &want);
	right &= same(c, "stdout", want.s, got.s);
	memcpy(path.s + path.len - 3, "err", 3);
	read_whole(c, path.s, &got);
	expects |= read_beside(c, file, ".err", &want);
	right &= same(c, "stderr", want.s, got.s);
	if (!expects)
		fprintf(c->to, "nothing to compare with: there is no %.*s.out, .err or .status\n",
			(int)(strrchr(file, '.') - file), file);
	strbuf_release(&want);
	strbuf_release(&got);
	strbuf_release(&path);
	return right && expects && !c->unreadable;
}

static void run_case(struct cases *c, const char *file)
{
	struct strbuf cmd = {0};

	c->n++;
	c->unreadable = false;
	command(c, file, &cmd);
	if (c->unreadable || !compare(c, file, run_command(cmd.s))) {
		fprintf(c->to, "FAILED: %s\n", file);
		c->bad++;
	}
	strbuf_release(&cmd);
}

/* ------------------------------------------------------------------ all of them */

static int keep_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type == FTW_F && (ends(path, ".d") || ends(path, ".args")))
		vec_push(&files, xstrdup(path));
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void remove_dir(const struct cases *c)
{
	static const char *const names[] = {"/out", "/err", ""};
	char path[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s%s", c->dir, names[i]);
		remove(path);
	}
}

static bool prepare(struct cases *c)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	snprintf(c->dir, sizeof(c->dir), P_tmpdir "/dtrace-test.XXXXXX");
	if (n < 0 || !mkdtemp(c->dir))
		return false;
	self[n] = '\0';
	/*
	 * The user's language and time zone must not change the output, and neither must hints that
	 * depend on the kernel.
	 */
	setenv("DTRACE_TESTED", self, 1);
	setenv("DTRACE_OPT_nohint", "", 1);
	setenv("TZ", "UTC", 1);
	setenv("LC_ALL", "C", 1);
	for (size_t i = 0; i < NMASK; i++)
		if (regcomp(&c->re[i], masks[i].re, REG_EXTENDED))
			return false;
	return true;
}

int cases_run(const char *path, FILE *to)
{
	struct cases c = {.to = to};

	if (nftw(path, keep_file, 16, FTW_PHYS)) {
		fprintf(stderr, "dtrace: failed to open %s: %s\n", path, strerror(errno));
		return 1;
	}
	if (!prepare(&c)) {
		fprintf(stderr, "dtrace: failed to run tests: %s\n", strerror(errno));
		return 1;
	}
	if (files.n)
		qsort(files.v, files.n, sizeof(*files.v), by_name);
	for (size_t i = 0; i < files.n; i++) {
		run_case(&c, files.v[i]);
		xfree(files.v[i]);
	}
	vec_free(&files);
	for (size_t i = 0; i < NMASK; i++)
		regfree(&c.re[i]);
	remove_dir(&c);
	fprintf(to, "%s: %u case%s, %u failed\n", path, c.n, c.n == 1 ? "" : "s", c.bad);
	return c.n && !c.bad ? 0 : 1;
}
