/* group.c - creates and removes control groups. */
#include "fleet/host/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "fleet/files.h"
#include "procinfo/mountinfo.h"

enum {
	CPU,
	MEMORY,
	PIDS,
	CONTROLLERS,
	PERIOD_US = 100000, /* the kernel's usual period for bounds of CPU time */
	LISTED_MAX = 1 << 20,
	ENDS_MS = 2000, /* time that killed processes have to leave their group */
};

#define NONE_HERE "no control group here can limit it"

static const char *const controllers[] = {[CPU] = "cpu", [MEMORY] = "memory", [PIDS] = "pids"};

/* A tree of control groups. */
struct tree {
	char *dir;             /* the agent's own group; the groups of its runs are inside it */
	bool v2;               /* this is the tree of cgroup v2, not one of cgroup v1 */
	bool has[CONTROLLERS]; /* bounds that groups of this tree can set */
};

struct groups {
	VEC(struct tree) v;
	struct strbuf prefix; /* beginning of the names of this agent's groups */
	struct strbuf lack;   /* why some bounds cannot be set */
};

/* -------------------------------------------------------------------- small files */

/* Writes @text to the file @name in @dir. Returns false, with the error in errno, on failure. */
static bool put(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX];
	int fd = open(path_in(path, dir, name), O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	int err = errno;

	if (fd >= 0)
		close(fd);
	errno = err;
	return ok;
}

static bool put_number(const char *dir, const char *name, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	return put(dir, name, text);
}

/* Returns whether @list, a list of words separated by the characters in @between, has @word. */
static bool has_word(const char *list, const char *between, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; *p;) {
		size_t k = strcspn(p, between);

		if (k == n && !memcmp(p, word, n))
			return true;
		p += k;
		p += strspn(p, between);
	}
	return false;
}

static bool file_has_word(const char *dir, const char *name, const char *word)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	bool has = file_get(path_in(path, dir, name), 0, 4096, &b) &&
		   has_word(strbuf_text(&b), " \n", word);

	strbuf_release(&b);
	return has;
}

/* ------------------------------------------------------------------- the own group */

/*
 * Returns the directory of group @group. The tree is mounted at @at, and the root of the mount is
 * the group @root: a container may see only a part of the tree. Returns NULL if the group is
 * outside that part. The caller frees the result with xfree().
 */
static char *directory_of(const char *at, const char *root, const char *group)
{
	size_t n = strcmp(root, "/") ? strlen(root) : 0;
	struct strbuf b = {0};

	if (strstr(group, "/..") || strncmp(group, root, n) || (group[n] && group[n] != '/'))
		return NULL;
	strbuf_addf(&b, "%s%s", at, strcmp(group + n, "/") ? group + n : "");
	return b.s;
}

/*
 * Finds the mount of the tree with @controller, or of cgroup v2 if @controller is NULL, in
 * /proc/self/mountinfo. Returns the directory of group @group in that mount, or NULL. The caller
 * frees it with xfree().
 */
static char *find_mount(const char *controller, const char *group)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[8192], *dir = NULL;
	struct mountinfo m;

	while (f && !dir && fgets(line, sizeof(line), f)) {
		if (mountinfo_parse(&m, line) &&
		    !strcmp(m.type, controller ? "cgroup" : "cgroup2") &&
		    (!controller || (m.options && has_word(m.options, ",", controller))))
			dir = directory_of(m.at, m.root, group);
	}
	if (f)
		fclose(f);
	return dir;
}

/*
 * Returns the directory of the agent's own group in the tree of cgroup v1 with @controller, or in
 * the tree of cgroup v2 if @controller is NULL. Returns NULL if there is none.
 */
static char *own_group(const char *controller)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[8192], *dir = NULL;

	while (f && !dir && fgets(line, sizeof(line), f)) {
		char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		if (controller ? has_word(list + 1, ",", controller) : !list[1])
			dir = find_mount(controller, group);
	}
	if (f)
		fclose(f);
	return dir;
}

/* ----------------------------------------------------------------------- the trees */

/* Returns the tree of cgroup v1 in which the agent's own group is @dir. Takes ownership of @dir. */
static struct tree *tree_at(struct groups *g, char *dir)
{
	struct tree t = {.dir = dir};

	for (size_t i = 0; i < g->v.n; i++)
		if (!strcmp(g->v.v[i].dir, dir)) {
			xfree(dir);
			return &g->v.v[i];
		}
	vec_push(&g->v, t);
	return &g->v.v[g->v.n - 1];
}

/* Lets the groups inside the group @dir set a bound. Returns false, with the error in errno. */
static bool enable(const char *dir, int controller)
{
	char text[16];

	if (file_has_word(dir, "cgroup.subtree_control", controllers[controller]))
		return true;
	snprintf(text, sizeof(text), "+%s", controllers[controller]);
	return put(dir, "cgroup.subtree_control", text);
}

/* Returns whether the agent's own group @dir has no other process than this one. */
static bool is_alone(const char *dir)
{
	char path[PATH_MAX], own[24];
	struct strbuf b = {0};
	bool alone;

	snprintf(own, sizeof(own), "%d\n", (int)getpid());
	alone = file_get(path_in(path, dir, "cgroup.procs"), 0, 4096, &b) &&
		!strcmp(strbuf_text(&b), own);
	strbuf_release(&b);
	return alone;
}

/*
 * Moves this process from its own group @dir to the subgroup "agent" of @dir, because a group that
 * has processes cannot give bounds to its subgroups. The root group can, so the process stays
 * there. The root group is the one without a file "cgroup.type". Returns NULL, or the reason why
 * the move is not possible.
 */
static const char *leave(const char *dir)
{
	char path[PATH_MAX];

	if (access(path_in(path, dir, "cgroup.type"), F_OK))
		return NULL;
	if (!is_alone(dir))
		return "other processes are in the agent's control group";
	if ((mkdir(path_in(path, dir, "agent"), 0755) && errno != EEXIST) ||
	    !put(path, "cgroup.procs", "0"))
		return strerror(errno);
	return NULL;
}

static void lack(struct groups *g, int controller, const char *why)
{
	strbuf_addf(&g->lack, "%s%s: %s", g->lack.len ? "; " : "", controllers[controller], why);
}

/* Returns whether group @dir enables all controllers that are not in @has for its subgroups. */
static bool are_enabled(const char *dir, const bool has[CONTROLLERS])
{
	for (int i = 0; i < CONTROLLERS; i++)
		if (!has[i] && !file_has_word(dir, "cgroup.subtree_control", controllers[i]))
			return false;
	return true;
}

/* Finds out which bounds the groups in the tree of cgroup v2 can set, and enables these bounds. */
static void use_v2(struct groups *g, char *dir, const bool has[CONTROLLERS])
{
	struct tree t = {.dir = dir, .v2 = true};
	const char *why = are_enabled(dir, has) ? NULL : leave(dir);

	for (int i = 0; i < CONTROLLERS; i++) {
		if (has[i])
			continue;
		if (!file_has_word(dir, "cgroup.controllers", controllers[i]))
			lack(g, i, NONE_HERE);
		else if (why)
			lack(g, i, why);
		else if (enable(dir, i))
			t.has[i] = true;
		else
			lack(g, i, strerror(errno));
	}
	if (t.has[CPU] || t.has[MEMORY] || t.has[PIDS])
		vec_push(&g->v, t);
	else
		xfree(dir);
}

/*
 * Returns whether processes can enter the group @dir. With cgroup v2, a group whose parent has
 * processes cannot be entered ("domain invalid").
 */
static bool can_be_entered(const char *dir)
{
	char path[PATH_MAX];

	if (access(path_in(path, dir, "cgroup.type"), F_OK) ||
	    (file_has_word(dir, "cgroup.type", "domain") &&
	     !file_has_word(dir, "cgroup.type", "invalid")))
		return true;
	errno = EOPNOTSUPP;
	return false;
}

/*
 * Tries to create a group in each tree. If that fails, because the tree is mounted read-only for
 * example, forgets the tree.
 */
static void check_trees(struct groups *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->v.n; i++) {
		struct tree t = g->v.v[i];
		struct strbuf dir = {0};
		bool ok;
		int err;

		strbuf_addf(&dir, "%s/%scheck", t.dir, g->prefix.s);
		ok = (!mkdir(dir.s, 0755) || errno == EEXIST) && can_be_entered(dir.s);
		err = errno;
		rmdir(dir.s);
		if (ok) {
			g->v.v[n++] = t;
		} else {
			for (int k = 0; k < CONTROLLERS; k++)
				if (t.has[k])
					lack(g, k, strerror(err));
			xfree(t.dir);
		}
		strbuf_release(&dir);
	}
	g->v.n = n;
}

/* Finds the trees of cgroup v1 whose groups can set a bound, and notes these bounds in @has. */
static void find_v1(struct groups *g, bool has[CONTROLLERS])
{
	for (int i = 0; i < CONTROLLERS; i++) {
		char *own = own_group(controllers[i]);

		has[i] = own != NULL;
		if (own)
			tree_at(g, own)->has[i] = true;
	}
}

struct groups *groups_find(const char *dir)
{
	struct groups *g = xcalloc(1, sizeof(*g));
	bool has[CONTROLLERS] = {false};
	struct stat st = {0};
	char *own;

	stat(dir, &st); /* the agent has just created or locked this folder */
	strbuf_addf(&g->prefix, "dtrace-fleet.%" PRIx64 "-%" PRIx64 ".", (uint64_t)st.st_dev,
		    (uint64_t)st.st_ino);
	find_v1(g, has);
	own = has[CPU] && has[MEMORY] && has[PIDS] ? NULL : own_group(NULL);
	if (own)
		use_v2(g, own, has);
	for (int i = 0; i < CONTROLLERS && !own; i++)
		if (!has[i])
			lack(g, i, NONE_HERE);
	check_trees(g);
	return g;
}

void groups_free(struct groups *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->v.n; i++)
		xfree(g->v.v[i].dir);
	vec_free(&g->v);
	strbuf_release(&g->prefix);
	strbuf_release(&g->lack);
	xfree(g);
}

const char *groups_lack(const struct groups *g)
{
	return g->lack.len ? g->lack.s : NULL;
}

/* ---------------------------------------------------------------------- the groups */

static void group_dir(const struct groups *g, const struct tree *t, const char *name,
		      struct strbuf *dir)
{
	strbuf_addf(dir, "%s/%s%s", t->dir, strbuf_text(&g->prefix), name);
}

static bool bound_cpu(const char *dir, bool v2, uint64_t percent)
{
	uint64_t us = percent * (PERIOD_US / 100);
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 " %d", us, PERIOD_US);
	return v2 ? put(dir, "cpu.max", text)
		  : put_number(dir, "cpu.cfs_period_us", PERIOD_US) &&
			       put_number(dir, "cpu.cfs_quota_us", us);
}

/*
 * Bounds the memory. If the kernel counts swap, the group gets no swap, because it could fill the
 * swap of the host. Cgroup v1 has one bound for memory, and one for memory and swap together.
 */
static bool bound_memory(const char *dir, bool v2, uint64_t bytes)
{
	if (!v2) {
		/* lift the bound with swap first, because it must never be below the other bound */
		put(dir, "memory.memsw.limit_in_bytes", "-1");
		if (!put_number(dir, "memory.limit_in_bytes", bytes))
			return false;
		put_number(dir, "memory.memsw.limit_in_bytes", bytes);
		return true;
	}
	put(dir, "memory.swap.max", "0");
	/* the kernel then kills dtrace and its helpers together */
	put(dir, "memory.oom.group", "1");
	return put_number(dir, "memory.max", bytes);
}

/* Sets the bounds of the directory @dir. Returns false, with the error in errno, on failure. */
static bool bound(const struct tree *t, const char *dir, const struct group_bounds *b)
{
	return (!t->has[CPU] || bound_cpu(dir, t->v2, b->cpu)) &&
	       (!t->has[MEMORY] || bound_memory(dir, t->v2, b->memory)) &&
	       (!t->has[PIDS] || put_number(dir, "pids.max", b->tasks));
}

/* Creates the directories of the group, and appends their paths to @dirs. */
static bool make_dirs(const struct groups *g, const char *name, const struct group_bounds *b,
		      struct strbuf *dirs, struct strbuf *why)
{
	bool ok = true;

	for (size_t i = 0; ok && i < g->v.n; i++) {
		const struct tree *t = &g->v.v[i];
		struct strbuf dir = {0};

		group_dir(g, t, name, &dir);
		strbuf_addf(dirs, "%s\n", dir.s);
		ok = (!mkdir(dir.s, 0755) || errno == EEXIST) && bound(t, dir.s, b);
		if (!ok)
			strbuf_addf(why, "failed to make the control group %s: %s", dir.s,
				    strerror(errno));
		strbuf_release(&dir);
	}
	return ok;
}

bool groups_make(const struct groups *g, const char *name, const struct group_bounds *b,
		 bool required, const char *dir, struct strbuf *why)
{
	struct strbuf dirs = {0};
	char path[PATH_MAX];
	bool ok;

	if (required && g->lack.len) {
		strbuf_addf(why,
			    "policy: each run needs control groups that limit it, and some are "
			    "missing (%s)",
			    g->lack.s);
		return false;
	}
	ok = make_dirs(g, name, b, &dirs, why);
	if (ok && !file_put(path_in(path, dir, "group"), strbuf_text(&dirs), dirs.len)) {
		strbuf_addf(why, "failed to write %s: %s", path, strerror(errno));
		ok = false;
	}
	if (!ok)
		group_remove(strbuf_text(&dirs));
	strbuf_release(&dirs);
	return ok;
}

void groups_bound(const struct groups *g, const char *name, const struct group_bounds *b)
{
	for (size_t i = 0; i < g->v.n; i++) {
		struct strbuf dir = {0};

		group_dir(g, &g->v.v[i], name, &dir);
		bound(&g->v.v[i], dir.s, b);
		strbuf_release(&dir);
	}
}

void groups_clean(const struct groups *g, group_used_fn *used, void *ctx)
{
	struct strbuf old = {0};

	for (size_t i = 0; i < g->v.n; i++) {
		DIR *d = opendir(g->v.v[i].dir);

		for (const struct dirent *e; d && (e = readdir(d));)
			if (!strncmp(e->d_name, g->prefix.s, g->prefix.len) &&
			    !used(ctx, e->d_name + g->prefix.len))
				strbuf_addf(&old, "%s/%s\n", g->v.v[i].dir, e->d_name);
		if (d)
			closedir(d);
	}
	group_remove(strbuf_text(&old));
	strbuf_release(&old);
}

/* ------------------------------------------------------------------ in the keeper */

/*
 * Copies the next line of @dirs to @dir, which has PATH_MAX bytes, and moves @dirs behind it.
 * Returns false after the last line.
 */
static bool next_dir(const char **dirs, char *dir)
{
	size_t n = strcspn(*dirs, "\n");

	if (!n || n >= PATH_MAX)
		return false;
	memcpy(dir, *dirs, n);
	dir[n] = '\0';
	*dirs += n + ((*dirs)[n] == '\n');
	return true;
}

bool group_enter(const char *dirs)
{
	char dir[PATH_MAX];

	while (next_dir(&dirs, dir))
		if (!put(dir, "cgroup.procs", "0"))
			return false;
	return true;
}

static void kill_all(const char *dir)
{
	char path[PATH_MAX], *end;
	struct strbuf b = {0};

	file_get(path_in(path, dir, "cgroup.procs"), 0, LISTED_MAX, &b);
	for (const char *p = strbuf_text(&b); *p; p = *end ? end + 1 : end) {
		long pid = strtol(p, &end, 10);

		if (end == p)
			break;
		if (pid > 1)
			kill((pid_t)pid, SIGKILL);
	}
	strbuf_release(&b);
}

/* Removes a directory of a group. Ends its processes, and waits until they are gone. */
static void remove_dir(const char *dir)
{
	static const struct timespec pause = {0, 10000000};

	for (int ms = 0; rmdir(dir) && errno == EBUSY && ms < ENDS_MS; ms += 10) {
		kill_all(dir);
		nanosleep(&pause, NULL);
	}
}

void group_remove(const char *dirs)
{
	char dir[PATH_MAX];

	while (next_dir(&dirs, dir))
		remove_dir(dir);
}

/*
 * Returns whether the file @name in @dir has a line "oom_kill N" where N is not 0. The file is
 * memory.events of cgroup v2, or memory.oom_control of cgroup v1.
 */
static bool has_killed(const char *dir, const char *name)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	const char *line;
	bool killed;

	file_get(path_in(path, dir, name), 0, 4096, &b);
	line = strstr(strbuf_text(&b), "oom_kill ");
	killed = line && strtoull(line + strlen("oom_kill "), NULL, 10);
	strbuf_release(&b);
	return killed;
}

bool group_was_out_of_memory(const char *dirs)
{
	char dir[PATH_MAX];
	bool killed = false;

	while (!killed && next_dir(&dirs, dir))
		killed = has_killed(dir, "memory.events") || has_killed(dir, "memory.oom_control");
	return killed;
}
