/*
 * check.c - what dtrace -l lists, row by row.  It is a program of somebody else that is compiled here: it gets little
 * time and space, and what it does not say in so many words is not allowed.
 */
#include "fleet/check.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "fleet/files.h"
#include "fleet/policy.h"

enum { LOOK_MS = 10, WHY_MAX = 4096 };

static const struct limits limits = {.file = 16 << 20, .memory = 4ull << 30, .cpu_s = 20};

/*
 * "   ID   PROVIDER   MODULE   FUNCTION NAME", of which the two in the middle may be empty: if one of them is, it
 * must be allowed as either.
 */
static bool row_allowed(const struct policy *p, const char *line, struct strbuf *name)
{
	char f[4][256], rest[2];
	int n = sscanf(line, "%*u %255s %255s %255s %255s %1s", f[0], f[1], f[2], f[3], rest);

	for (int i = 0; i < n && i < 4; i++)
		strbuf_addf(name, "%s%s", i ? " " : "", f[i]);
	switch (n) {
	case 2:
		return policy_probe(p, f[0], "", "", f[1]);
	case 3:
		return policy_probe(p, f[0], f[1], "", f[2]) && policy_probe(p, f[0], "", f[1], f[2]);
	case 4:
		return policy_probe(p, f[0], f[1], f[2], f[3]);
	}
	return false;
}

static bool is_header(const char *line)
{
	char word[4][16];

	return sscanf(line, "%15s %15s %15s %15s", word[0], word[1], word[2], word[3]) == 4 &&
	       !strcmp(word[0], "ID") && !strcmp(word[1], "PROVIDER") && !strcmp(word[2], "MODULE") &&
	       !strcmp(word[3], "FUNCTION");
}

bool capture_allowed(const struct policy *p, const char *path, char *real, struct strbuf *why)
{
	struct stat st;

	if (!policy_replay(p, path))
		strbuf_addf(why, "policy: the capture %s may not be asked about", path);
	else if (!realpath(path, real) || stat(real, &st))
		strbuf_addf(why, "failed to open %s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode) || !policy_replay(p, real))
		strbuf_addf(why, "policy: the capture %s leads to what may not be asked about", path);
	else
		return true;
	return false;
}

bool list_allowed(const struct policy *p, char *list, uint64_t *matched, struct strbuf *why)
{
	struct strbuf name = {0};
	char *rest = NULL, *line = strtok_r(list, "\n", &rest);
	bool ok = line && is_header(line);

	if (!ok)
		strbuf_adds(why, "dtrace -l has listed nothing");
	while (ok && (line = strtok_r(NULL, "\n", &rest))) {
		++*matched;
		strbuf_reset(&name);
		ok = row_allowed(p, line, &name);
		if (!ok)
			strbuf_addf(why, "policy: probe %s is not for others here", name.len ? name.s : line);
	}
	strbuf_release(&name);
	return ok;
}

/* Its status; it is ended when its time is over. */
static int wait_for(const struct check *c, pid_t pid)
{
	static const struct timespec pause = {0, LOOK_MS * 1000000};
	uint64_t end = now_boot() + c->ms * 1000000;
	int status = 0;

	while (!waitpid(pid, &status, WNOHANG)) {
		if (now_boot() > end)
			kill(pid, SIGKILL);
		if (c->meanwhile)
			c->meanwhile(c->ctx);
		nanosleep(&pause, NULL);
	}
	return status;
}

/* In its own words, if there are any: a killed one has none. */
static void say_failed(int status, const char *err, struct strbuf *why)
{
	file_get(err, 0, WHY_MAX, why);
	if (why->len)
		return;
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXFSZ || WTERMSIG(status) == SIGKILL ||
				    WTERMSIG(status) == SIGXCPU))
		strbuf_adds(why, "policy: to compile it takes too long, or it is about too many probes");
	else
		strbuf_addf(why, "dtrace -l ended with status %d",
			    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

bool check_probes(const struct check *c, uint64_t *matched, struct strbuf *why)
{
	char list[PATH_MAX], err[PATH_MAX];
	struct strbuf b = {0};
	int status;
	bool ok = false;
	pid_t pid = run_command(c->argv, path_in(list, c->dir, "list"), path_in(err, c->dir, "err"), &limits);

	if (pid < 0) {
		strbuf_addf(why, "cannot start dtrace: %s", strerror(errno));
		return false;
	}
	status = wait_for(c, pid);
	if (status || file_size(err)) /* whoever warns may have left something out */
		say_failed(status, err, why);
	else if (!file_get(list, 0, limits.file, &b))
		strbuf_addf(why, "failed to read %s: %s", list, strerror(errno));
	else
		ok = list_allowed(c->policy, b.s ? b.s : "", matched, why);
	unlink(list);
	unlink(err);
	strbuf_release(&b);
	return ok;
}
