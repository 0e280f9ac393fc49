/* scripts.c - finds the installed scripts and prints their descriptions. */
#include "cmd/about/scripts.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/about/doc.h"
#include "compiler/meaning/hints/hint.h"
#include "providers/provider.h"

#define SUFFIX ".d"

/* The folders where scripts may be installed, relative to the folder of the dtrace command. */
static const char *const places[] = {"scripts", SCRIPT_DIR};

static char *command_dir(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	return xstrdup(path);
}

const char *script_dir(void)
{
	static char found[PATH_MAX];
	char *here;

	if (*found)
		return found;
	here = command_dir();
	for (size_t i = 0; here && i < sizeof(places) / sizeof(*places); i++) {
		int n = snprintf(found, sizeof(found), "%s/%s", here, places[i]);

		if (n < (int)sizeof(found) && !access(found, R_OK | X_OK))
			break;
		*found = '\0';
	}
	xfree(here);
	return *found ? found : NULL;
}

/* Returns the length of @name without the suffix ".d". */
static int stem(const char *name)
{
	size_t n = strlen(name), s = strlen(SUFFIX);

	return (int)(n > s && !strcmp(name + n - s, SUFFIX) ? n - s : n);
}

char *script_find(const char *name)
{
	struct strbuf path = {0};

	if (!*name || strchr(name, '/') || !script_dir())
		return NULL;
	strbuf_addf(&path, "%s/%.*s" SUFFIX, script_dir(), stem(name), name);
	if (!access(path.s, R_OK))
		return path.s;
	strbuf_release(&path);
	return NULL;
}

/* -------------------------------------------------------------- descriptions */

/* Cuts the newline off a line of a comment and skips the " * " before its text. */
static const char *comment_text(char *line)
{
	line[strcspn(line, "\n")] = '\0';
	line += strspn(line, " ");
	if (strncmp(line, "*", 1))
		return "";
	return line + 1 + (line[1] == ' ');
}

/*
 * Reads the first line of the comment at the beginning of the script, "NAME.d - text", into @line.
 * Returns false if the script does not begin with a comment.
 */
static bool skip_to_comment(FILE *f, char *line, int size)
{
	while (fgets(line, size, f)) {
		if (!strncmp(line, "/*", 2))
			return fgets(line, size, f) != NULL;
		if (*line != '#')
			return false;
	}
	return false;
}

/*
 * Returns whether the rest of the comment contains "-r CAPTURE". The usage of a script that can
 * read captures contains this text.
 */
static bool reads_captures(FILE *f, char *line, int size)
{
	while (fgets(line, size, f) && !strstr(line, "*/"))
		if (strstr(line, "-r CAPTURE"))
			return true;
	return false;
}

/* Prints the line of one script if @word occurs in that line. Returns whether it was printed. */
static bool list_one(FILE *to, const char *word, const char *path, const char *name)
{
	char line[1024], what[1024];
	struct strbuf row = {0};
	const char *text;
	FILE *f = fopen(path, "re");
	bool shown;

	if (f && skip_to_comment(f, line, sizeof(line))) {
		text = strstr(comment_text(line), " - ");
		snprintf(what, sizeof(what), "%s", text ? text + 3 : "");
		what[strcspn(what, ".")] = '\0';
		strbuf_addf(&row, "%-14.*s %s%s\n", stem(name), name, what,
			    reads_captures(f, line, sizeof(line)) ? "" : "; live only");
	}
	if (f)
		fclose(f);
	shown = row.len && strcasestr(row.s, word);
	if (shown)
		fputs(row.s, to);
	strbuf_release(&row);
	return shown;
}

static int is_script(const struct dirent *e)
{
	return e->d_name[stem(e->d_name)] == '.';
}

bool script_list(const char *word, FILE *to)
{
	struct dirent **e = NULL;
	struct strbuf path = {0};
	bool some = false;
	int n = script_dir() ? scandir(script_dir(), &e, is_script, alphasort) : 0;

	for (int i = 0; i < n; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", script_dir(), e[i]->d_name);
		some |= list_one(to, word, path.s, e[i]->d_name);
		free(e[i]);
	}
	free(e);
	strbuf_release(&path);
	return some;
}

char *script_near(const char *name)
{
	struct dirent **e = NULL;
	char *typed = xstrdup(name), *near = NULL;
	unsigned least = stem(name) / 2 < 2 ? (unsigned)stem(name) / 2 + 1 : 3;
	int n = script_dir() ? scandir(script_dir(), &e, is_script, alphasort) : 0;

	typed[stem(name)] = '\0';
	for (int i = 0; i < n; i++) {
		unsigned far;

		e[i]->d_name[stem(e[i]->d_name)] = '\0';
		far = hint_nearness(typed, e[i]->d_name);
		if (far < least) {
			least = far;
			xfree(near);
			near = xstrdup(e[i]->d_name);
		}
		free(e[i]);
	}
	free(e);
	xfree(typed);
	return near;
}

/*
 * The kinds of -x filters that apply to a probe. A value includes the filters of the values before
 * it.
 */
enum filtered { FILTERED_NOT, FILTERED_BY_PROCESS, FILTERED_BY_PACKET };

/*
 * Copies one field of a probe description, which begins at *@s, to @field, and moves *@s behind the
 * field. Returns true if a ':' and another field follow.
 */
static bool take_field(const char **s, char *field, size_t size)
{
	size_t n = strcspn(*s, ": \t\n,/{;");

	snprintf(field, size, "%.*s", (int)n, *s);
	*s += n;
	return **s == ':' && (*s)++;
}

/* Returns which filters apply to the probe at the beginning of @line. */
static enum filtered filters_of(const struct doc *d, const char *line)
{
	char prov[64], name[64];
	const struct doc_provider *p;

	/* the description is a name alone: profile-97 */
	if (!take_field(&line, prov, sizeof(prov)))
		return names_of_process("profile", prov) ? FILTERED_BY_PROCESS : FILTERED_NOT;
	while (take_field(&line, name, sizeof(name)))
		;
	p = doc_provider(d, prov);
	if (p && doc_has_owner(p))
		return FILTERED_BY_PACKET;
	return names_of_process(prov, name) ? FILTERED_BY_PROCESS : FILTERED_NOT;
}

/* Returns which filters apply to at least one probe of the script. */
static enum filtered filters_of_script(FILE *f)
{
	enum filtered most = FILTERED_NOT;
	struct doc d = {0};
	char line[1024];

	doc_read(&d);
	while (fgets(line, sizeof(line), f)) {
		enum filtered by = filters_of(&d, line);

		most = by > most ? by : most;
	}
	doc_release(&d);
	return most;
}

/*
 * Prints the options that can be used with every script, and the filters that apply to this script.
 */
static void show_options(FILE *f, FILE *to)
{
	static const char *const filters[] = {
		[FILTERED_NOT] = " ...\n",
		[FILTERED_BY_PROCESS] =
			", and filters:\n"
			"-x execname='nginx,php*' -x pid=4711 -x user='!root' ...\n",
		[FILTERED_BY_PACKET] =
			", and filters:\n"
			"-x port=443,8000-8100 -x addr=10.0.0.0/8 -x execname='!sshd' ...\n",
	};

	fprintf(to,
		"\nThe script takes dtrace's options (man dtrace): -x duration=10s, -x "
		"oformat=json%s",
		filters[filters_of_script(f)]);
}

bool script_usage(const char *path, FILE *to)
{
	char line[1024];
	FILE *f = fopen(path, "re");
	bool some = f && skip_to_comment(f, line, sizeof(line));

	if (some) {
		do
			fprintf(to, "%s\n", comment_text(line));
		while (fgets(line, sizeof(line), f) && !strstr(line, "*/"));
		show_options(f, to);
	}
	if (f)
		fclose(f);
	return some;
}

char *script_synopsis(const char *path)
{
	char line[1024], *found = NULL;
	FILE *f = fopen(path, "re");

	if (f && skip_to_comment(f, line, sizeof(line)))
		while (!found && fgets(line, sizeof(line), f) && !strstr(line, "*/"))
			if (!strncmp(comment_text(line), "usage: ", strlen("usage: ")))
				found = xstrdup(comment_text(line));
	if (f)
		fclose(f);
	return found;
}
