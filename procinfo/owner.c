/*
 * owner.c - finds the names of users, control groups, containers and network namespaces.
 *
 * A control group may have been removed before its name is needed. So all existing groups are read
 * at the start, and inotify reports when groups are created or end. The kernel soon reuses the
 * numbers of network namespaces. So the name of a namespace is checked whenever it is needed.
 */
#include "procinfo/owner.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "procinfo/budget.h"

/* ------------------------------------------------------------------- tables */

/* An entry of a hash table with open addressing, which stores strings by number. */
struct entry {
	uint64_t id;
	char *text; /* the string, or NULL if the entry is free */
	/*
	 * The meaning depends on the table. netns: time in ns when the namespace lost another name.
	 * watched: number of the control group. cgroup: number of the parent.
	 */
	uint64_t extra;
	/* cgroup: number of the outermost group around it that looks like a container, or 0 */
	uint64_t container;
	uint32_t account; /* cgroup: index in state.account */
	bool ended;       /* cgroup: the group has ended */
};

struct table {
	struct entry *v;
	size_t n, size; /* size of @v; a power of two */
};

static struct entry *find_slot(const struct table *t, uint64_t id)
{
	size_t i = hash_bytes(&id, sizeof(id)) & (t->size - 1);

	while (t->v[i].text && t->v[i].id != id)
		i = (i + 1) & (t->size - 1);
	return &t->v[i];
}

static struct entry *table_find(const struct table *t, uint64_t id)
{
	struct entry *k = t->size ? find_slot(t, id) : NULL;

	return k && k->text ? k : NULL;
}

static const char *table_get(const struct table *t, uint64_t id)
{
	const struct entry *k = table_find(t, id);

	return k ? k->text : NULL;
}

static void grow(struct table *t)
{
	struct table old = *t;

	t->size = old.size ? old.size * 2 : 64;
	t->v = xcalloc(t->size, sizeof(*t->v));
	for (size_t i = 0; i < old.size; i++)
		if (old.v[i].text)
			*find_slot(t, old.v[i].id) = old.v[i];
	xfree(old.v);
}

/* Adds an entry, or replaces the string of the entry with this number. Returns the string. */
static const char *table_put(struct table *t, uint64_t id, const char *text)
{
	struct entry *k;

	if (2 * t->n >= t->size)
		grow(t);
	k = find_slot(t, id);
	if (k->text && !strcmp(k->text, text))
		return k->text;
	t->n += !k->text;
	xfree(k->text);
	*k = (struct entry){.id = id, .text = xstrdup(text)};
	return k->text;
}

/*
 * Removes an entry. A search ends at the first free entry. So all entries up to the next free one
 * are inserted again: a search for them must not end at the entry that is now free.
 */
static void table_drop(struct table *t, uint64_t id)
{
	struct entry *k = table_find(t, id), e;

	if (!k)
		return;
	xfree(k->text);
	k->text = NULL;
	t->n--;
	for (size_t i = (size_t)(k - t->v + 1) & (t->size - 1); t->v[i].text;
	     i = (i + 1) & (t->size - 1)) {
		e = t->v[i];
		t->v[i].text = NULL;
		*find_slot(t, e.id) = e;
	}
}

static void table_release(struct table *t)
{
	for (size_t i = 0; i < t->size; i++)
		xfree(t->v[i].text);
	xfree(t->v);
	*t = (struct table){0};
}

/*
 * The control groups of one user, whose names share a limit of memory. A group below a group of a
 * user belongs to that user, whoever owns its folder.
 */
struct account {
	uid_t uid;
	size_t bytes; /* approximate size of the names */
	/*
	 * Groups that have ended, in the order in which they ended. The first @forgotten groups
	 * have lost their names.
	 */
	VEC(uint64_t) ended;
	size_t forgotten;
	bool reported; /* a message has reported that the names are full */
};

/* A search that takes long, and is done again after some time. */
struct search {
	uint64_t ended, cost; /* end and duration of the last search, in ns */
};

static struct owners {
	struct table user, netns, number;
	struct table cgroup;  /* last components of the paths of control groups */
	struct table watched; /* control groups by the number of their inotify watch */
	VEC(struct account) account;
	uint64_t root;        /* number of the control group at @mount */
	char *mount;          /* where control groups are mounted */
	int inotify;          /* inotify descriptor plus 1, or 0 without one */
	bool lost;            /* events of control groups were lost */
	struct search rescan; /* of all control groups */
	struct strbuf text;   /* the last result of owner_cgroup() or owner_container() */
	uint64_t lookup_ns;   /* time spent in lookups of users, in ns */
	bool reported;        /* a message has reported that lookups of users take too long */
	struct search names, processes; /* for names of namespaces */
	uint64_t window;                /* see owner_window() */
} state;

/* Returns whether it is time for the search. It may take a twentieth of the time. */
static bool is_due(const struct search *s, uint64_t interval)
{
	uint64_t wait = s->cost * 20 > interval ? s->cost * 20 : interval;

	return !s->ended || now_monotonic() - s->ended >= wait;
}

static void search_ended(struct search *s, uint64_t began)
{
	s->ended = now_monotonic();
	s->cost = s->ended - began;
}

void owner_release(void)
{
	table_release(&state.user);
	table_release(&state.cgroup);
	table_release(&state.netns);
	table_release(&state.number);
	table_release(&state.watched);
	for (size_t i = 0; i < state.account.n; i++)
		vec_free(&state.account.v[i].ended);
	vec_free(&state.account);
	strbuf_release(&state.text);
	xfree(state.mount);
	if (state.inotify)
		close(state.inotify - 1);
	state = (struct owners){0};
}

static const char *number_text(struct table *t, uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)id);
	return table_put(t, id, text);
}

static bool numbers_only;
static void (*report)(const char *line);

void owner_numbers_only(void)
{
	numbers_only = true;
}

void owner_report(void (*fn)(const char *line))
{
	report = fn;
}

/* -------------------------------------------------------------------- users */

/*
 * Limits the time of all lookups together. A lookup may ask a server on the network, and dtrace
 * prints nothing until the answer comes. A user that owns many numbers (subuid(5)) could make
 * dtrace look up each of them.
 */
static bool may_look_up(void)
{
	if (!numbers_only && state.lookup_ns < OWNER_USERS_NS)
		return true;
	if (!numbers_only && report && !state.reported)
		report("users that appear from now on are shown as numbers: looking up their names "
		       "takes too long");
	state.reported = true;
	return false;
}

const char *owner_user(uint32_t uid)
{
	const char *entry = table_get(&state.user, uid);
	struct passwd pw, *found = NULL;
	char room[16384];
	uint64_t from;

	if (entry || uid == (uint32_t)-1)
		return entry ? entry : OWNER_UNKNOWN;
	if (!may_look_up())
		return number_text(&state.number, uid);
	from = now_monotonic();
	if (getpwuid_r(uid, &pw, room, sizeof(room), &found))
		found = NULL;
	state.lookup_ns += now_monotonic() - from;
	return found ? table_put(&state.user, uid, found->pw_name) : number_text(&state.user, uid);
}

bool owner_user_id(const char *text, uint64_t *id, const char **why)
{
	struct passwd pw, *found = NULL;
	char room[16384];

	*why = "no such user";
	if (getpwnam_r(text, &pw, room, sizeof(room), &found) || !found)
		return false;
	*id = found->pw_uid;
	return true;
}

/* ----------------------------------------------------------- control groups */

static bool inode_of(const char *path, uint64_t *ino)
{
	struct stat st;
	bool found = !stat(path, &st);

	*ino = found ? st.st_ino : 0;
	return found;
}

/* Returns the rest of @path after the folder @dir, or @path if it is not in @dir. */
static const char *strip_prefix(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !strncmp(path, dir, n) && (!path[n] || path[n] == '/') ? path + n : path;
}

/*
 * Returns the folder where control groups of version 2 are mounted, or NULL if they are not
 * mounted. If there are several mounts, prefers one that contains @path. The caller frees the
 * result with xfree().
 */
static char *cgroup_mount(const char *path)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	char *dir = NULL, *old;
	struct mntent *m;

	while (f && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, "cgroup2") &&
		    (!dir || strip_prefix(path, m->mnt_dir) != path)) {
			old = dir;
			dir = xstrdup(m->mnt_dir);
			xfree(old);
		}
	if (f)
		endmntent(f);
	return dir;
}

/*
 * Returns the number of components of a path, which is the depth of a control group below the root.
 */
static unsigned level_of(const char *path)
{
	unsigned n = 0;

	for (path += strspn(path, "/"); *path; path += strspn(path, "/"), n++)
		path += strcspn(path, "/");
	return n;
}

#define ROOT_INO 1

bool owner_cgroup_id(const char *text, uint64_t *id, unsigned *level, const char **why)
{
	char *mount = cgroup_mount(text);
	const char *path = mount ? strip_prefix(text, mount) : text;
	struct strbuf full = {0};
	uint64_t root = 0;
	bool found;

	strbuf_addf(&full, "%s/%s", mount ? mount : "", path);
	found = mount && inode_of(mount, &root) && inode_of(full.s, id);
	strbuf_release(&full);
	*level = level_of(path);
	*why = !mount             ? "no cgroup2 file system is mounted here"
	       : !found || !*text ? "no such control group"
	       : root != ROOT_INO
		       ? "only part of the control groups is visible here, so this group cannot "
			 "be identified"
		       : NULL;
	xfree(mount);
	return !*why;
}

/*
 * Returns the memory that a name uses: the string, and eight entries of a table: the tables cgroup
 * and watched may be only a quarter full.
 */
static size_t entry_size(const char *text)
{
	return strlen(text) + 8 * sizeof(struct entry);
}

static size_t limit_of(const struct account *a)
{
	return a->uid ? OWNER_GROUPS_USER_BYTES : OWNER_GROUPS_BYTES;
}

/*
 * Removes names of groups of the account that have ended, in the order in which the groups ended,
 * until the names fit the limit.
 */
static void make_room(struct account *a)
{
	while (a->bytes > limit_of(a) && a->forgotten < a->ended.n) {
		const struct entry *k = table_find(&state.cgroup, a->ended.v[a->forgotten++]);

		if (!k)
			continue;
		a->bytes -= entry_size(k->text);
		table_drop(&state.cgroup, k->id);
	}
	if (a->forgotten > 1024 && 2 * a->forgotten > a->ended.n) {
		a->ended.n -= a->forgotten;
		memmove(a->ended.v, a->ended.v + a->forgotten, a->ended.n * sizeof(*a->ended.v));
		a->forgotten = 0;
	}
}

/*
 * Records that the group has ended. Keeps its name for now, because events of the group may still
 * arrive.
 */
static void cgroup_ended(uint64_t id)
{
	struct entry *k = table_find(&state.cgroup, id);

	if (!k || k->ended)
		return;
	k->ended = true;
	vec_push(&state.account.v[k->account].ended, id);
}

static void handle_watch_ended(uint64_t wd)
{
	const struct entry *k = table_find(&state.watched, wd);

	if (!k)
		return;
	cgroup_ended(k->extra);
	table_drop(&state.watched, wd);
}

/* Returns the account of a new group, whose folder belongs to @uid, below group @up. */
static uint32_t account_of(uint64_t up, uid_t uid)
{
	const struct entry *parent = table_find(&state.cgroup, up);

	if (parent && state.account.v[parent->account].uid)
		return parent->account;
	for (size_t i = 0; i < state.account.n; i++)
		if (state.account.v[i].uid == uid)
			return (uint32_t)i;
	vec_push(&state.account, ((struct account){.uid = uid}));
	return (uint32_t)state.account.n - 1;
}

/* Returns whether the names of the account have room. Reports once that they have not. */
static bool has_room(struct account *a)
{
	char line[160];
	bool first, time = budget_left(BUDGET_GROUPS, a->uid, &first);

	make_room(a);
	if (time && a->bytes <= limit_of(a))
		return true;
	snprintf(line, sizeof(line),
		 "some control groups of user %u that are made from now on have no name: there "
		 "are too many",
		 (unsigned)a->uid);
	if (report && !a->reported)
		report(line);
	a->reported = true;
	return false;
}

static bool is_container(const char *name);

/*
 * Adds the group @name in the folder @dir of group @up; the root is in group 0. The caller reads
 * the group's folder afterwards, when the watch already exists, so that no new group is missed.
 * Returns the group's number, or 0 if it no longer exists or if its account has no room.
 */
static uint64_t add_cgroup(uint64_t up, int dir, const char *name)
{
	int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), wd = -1;
	const struct entry *parent;
	struct entry *k = NULL;
	struct stat st;
	uint32_t account;
	char path[40];

	if (fd < 0 || fstat(fd, &st))
		goto end;
	account = account_of(up, st.st_uid);
	if (!table_find(&state.cgroup, st.st_ino)) {
		if (!has_room(&state.account.v[account]))
			goto end;
		state.account.v[account].bytes += entry_size(name);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (state.inotify)
		wd = inotify_add_watch(state.inotify - 1, path, IN_CREATE | IN_ONLYDIR);
	table_put(&state.cgroup, st.st_ino, name);
	k = table_find(&state.cgroup, st.st_ino);
	parent = table_find(&state.cgroup, up);
	k->extra = up;
	k->account = account;
	k->container = parent && parent->container    ? parent->container
		       : parent && is_container(name) ? k->id
						      : 0;
	if (wd >= 0) {
		table_put(&state.watched, (uint64_t)wd, "");
		table_find(&state.watched, (uint64_t)wd)->extra = k->id;
	} else {
		/* without a watch, the end of the group is not reported: it counts as ended now */
		cgroup_ended(k->id);
	}
end:
	if (fd >= 0)
		close(fd);
	return k ? k->id : 0;
}

typedef VEC(const struct entry *) chain;

/*
 * Appends the groups from @id, the innermost, up to the one below the root. Returns false if one of
 * them is unknown.
 */
static bool chain_of(uint64_t id, chain *c)
{
	const struct entry *k = table_find(&state.cgroup, id);

	for (; k && k->id != state.root; k = table_find(&state.cgroup, k->extra))
		vec_push(c, k);
	return k;
}

/*
 * Opens the folder of a group, component by component, because its path may be longer than
 * PATH_MAX. Returns -1 on failure.
 */
static int open_cgroup(uint64_t id)
{
	int fd = open(state.mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	chain c = {0};

	if (!chain_of(id, &c) && fd >= 0) {
		close(fd);
		fd = -1;
	}
	for (size_t i = c.n; fd >= 0 && i-- > 0; fd = next) {
		next = openat(fd, c.v[i]->text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(fd);
	}
	vec_free(&c);
	return fd;
}

typedef VEC(uint64_t) numbers;

/* Adds the groups in the folder of group @id, and appends those that exist to @todo. */
static void add_cgroups_in(uint64_t id, numbers *todo)
{
	int fd = open_cgroup(id);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
			uint64_t child = add_cgroup(id, fd, e->d_name);

			if (child)
				vec_push(todo, child);
		}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
}

/*
 * Adds all groups below group @id. Keeps only one folder open at a time, however deep the tree is.
 * Counts the time for the owner of each group.
 */
static void add_cgroups_below(uint64_t id)
{
	numbers todo = {0};

	vec_push(&todo, id);
	while (todo.n) {
		uint64_t next = todo.v[--todo.n], began = now_monotonic();
		const struct entry *k = table_find(&state.cgroup, next);
		uid_t uid = k ? state.account.v[k->account].uid : 0;
		bool first;

		if (budget_left(BUDGET_GROUPS, uid, &first))
			add_cgroups_in(next, &todo);
		budget_spend(BUDGET_GROUPS, uid, now_monotonic() - began);
	}
	vec_free(&todo);
}

static void add_all_cgroups(void)
{
	uint64_t began = now_monotonic();

	state.root = add_cgroup(0, AT_FDCWD, state.mount);
	if (state.root)
		add_cgroups_below(state.root);
	search_ended(&state.rescan, began);
}

/* Reads all groups again because events were lost. A group that is not found again has ended. */
static void rescan_cgroups(void)
{
	struct table old = state.watched;

	state.lost = false;
	state.watched = (struct table){0};
	add_all_cgroups();
	for (size_t i = 0; i < old.size; i++)
		if (old.v[i].text && !table_find(&state.watched, old.v[i].id))
			cgroup_ended(old.v[i].extra);
	table_release(&old);
}

int owner_watch(void)
{
	char *mount = cgroup_mount("");

	owner_release();
	state.inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK) + 1;
	state.mount = mount;
	if (mount)
		add_all_cgroups();
	return state.inotify - 1;
}

static void handle_created(const struct inotify_event *e)
{
	const struct entry *dir = table_find(&state.watched, (uint64_t)(unsigned)e->wd);
	const struct entry *parent = dir ? table_find(&state.cgroup, dir->extra) : NULL;
	uint64_t began = now_monotonic(), id = 0, up = parent ? parent->id : 0;
	uint32_t account = parent ? parent->account : 0;
	int fd;

	if (!parent || !e->len || !has_room(&state.account.v[account]))
		return;
	fd = open_cgroup(up);
	if (fd >= 0) {
		id = add_cgroup(up, fd, e->name);
		close(fd);
	}
	budget_spend(BUDGET_GROUPS, state.account.v[account].uid, now_monotonic() - began);
	if (id)
		add_cgroups_below(id);
}

/*
 * maximum number of reads of events at a time: enough for the kernel's queue, of 16,384 events with
 * names of 250 bytes
 */
#define READS_MAX 300

void owner_read_events(void)
{
	char room[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *e;
	ssize_t n;

	for (int i = 0; state.inotify && i < READS_MAX &&
			(n = read(state.inotify - 1, room, sizeof(room))) > 0;
	     i++)
		for (const char *p = room; p < room + n; p += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)p;
			if (e->mask & IN_Q_OVERFLOW)
				state.lost = true;
			else if (e->mask & IN_IGNORED)
				handle_watch_ended((uint64_t)(unsigned)e->wd);
			else if (e->mask & IN_ISDIR)
				handle_created(e);
		}
	if (state.lost && is_due(&state.rescan, 0))
		rescan_cgroups();
}

/* Returns the entry of a group, or NULL. */
static const struct entry *find_cgroup(uint64_t id)
{
	if (!table_find(&state.cgroup, id))
		owner_read_events();
	return table_find(&state.cgroup, id);
}

const char *owner_cgroup(uint64_t id)
{
	bool known = find_cgroup(id);
	chain c = {0};

	known = known && chain_of(id, &c);
	strbuf_reset(&state.text);
	if (!c.n)
		strbuf_addc(&state.text, '/');
	for (size_t i = c.n; i-- > 0 && state.text.len < PATH_MAX;)
		strbuf_addf(&state.text, "/%s", c.v[i]->text);
	vec_free(&c);
	return known ? state.text.s : OWNER_UNKNOWN;
}

/* --------------------------------------------------------------- containers */

enum { ID_LENGTH = 64, ID_SHORT = 12 };

static bool is_id(const char *s, size_t n)
{
	if (n != ID_LENGTH)
		return false;
	while (n && isxdigit((unsigned char)s[n - 1]))
		n--;
	return !n;
}

/* Appends a name without systemd's escapes, such as \x2d for the character '-'. */
static void unescape_unit(const char *s, size_t n, struct strbuf *out)
{
	unsigned c;

	for (size_t i = 0; i < n; i++) {
		if (n - i >= 4 && s[i] == '\\' && s[i + 1] == 'x' &&
		    sscanf(s + i + 2, "%2x", &c) == 1) {
			strbuf_addc(out, (char)c);
			i += 3;
		} else {
			strbuf_addc(out, s[i]);
		}
	}
}

/*
 * Appends the part of @s between @before and @after, without systemd's escapes. Returns false if @s
 * does not begin with @before and end with @after.
 */
static bool match_affixes(const char *s, size_t n, const char *before, const char *after,
			  struct strbuf *out)
{
	size_t b = strlen(before), a = strlen(after);

	if (n <= a + b || strncmp(s, before, b) || strncmp(s + n - a, after, a))
		return false;
	unescape_unit(s + b, n - a - b, out);
	return true;
}

/*
 * Appends the short ID of a container if the component @s is docker-ID.scope, libpod-ID.scope,
 * crio-ID.scope, cri-containerd-ID.scope, or ID alone. The process that monitors a container
 * (crio-conmon-ID.scope) does not count.
 */
static bool match_id(const char *s, size_t n, struct strbuf *out)
{
	const char *dash;

	if (n > 6 && !strncmp(s + n - 6, ".scope", 6))
		n -= 6;
	if (memmem(s, n, "conmon", 6))
		return false;
	dash = memrchr(s, '-', n);
	if (dash) {
		n -= (size_t)(dash + 1 - s);
		s = dash + 1;
	}
	if (!is_id(s, n))
		return false;
	strbuf_add(out, s, ID_SHORT);
	return true;
}

/*
 * Appends the name of the container for which @s, a component of a path, stands. Returns false if
 * @s does not stand for a container. The scope of a virtual machine looks like the scope of a
 * container, but does not count.
 */
static bool match_container(const char *s, size_t n, struct strbuf *out)
{
	if (match_id(s, n, out) || match_affixes(s, n, "systemd-nspawn@", ".service", out) ||
	    match_affixes(s, n, "lxc.payload.", "", out))
		return true;
	return strncmp(s, "machine-qemu\\x2d", 16) &&
	       match_affixes(s, n, "machine-", ".scope", out);
}

static bool is_container(const char *name)
{
	struct strbuf ignored = {0};
	bool is = match_container(name, strlen(name), &ignored);

	strbuf_release(&ignored);
	return is;
}

const char *owner_container(uint64_t id)
{
	const struct entry *k = find_cgroup(id);
	const char *name = k && k->container ? table_get(&state.cgroup, k->container) : NULL;

	if (!name)
		return k && !k->container ? OWNER_NONE : OWNER_UNKNOWN;
	strbuf_reset(&state.text);
	match_container(name, strlen(name), &state.text);
	return strbuf_text(&state.text);
}

/* --------------------------------------------------------------- namespaces */

enum {
	NAMES_INTERVAL_NS = 1000000000,
	SEARCH_INTERVAL_NS = 100000000,
	MISS_INTERVAL_NS = 20000000
};

/* The folders that contain the names of network namespaces. */
#define NETNS_DIR "/run/netns"
#define DOCKER_NETNS_DIR "/run/docker/netns"

static bool inode_in(const char *dir, const char *name, uint64_t *ino)
{
	struct strbuf path = {0};
	bool found;

	strbuf_addf(&path, "%s/%s", dir, name);
	found = inode_of(path.s, ino);
	strbuf_release(&path);
	return found;
}

static bool netns_of(unsigned pid, uint64_t *ino)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/ns/net", pid);
	return inode_of(path, ino);
}

/*
 * Returns whether the text is still a name of the namespace. A name with a slash is that of a
 * process.
 */
static bool is_named(const char *text, uint64_t ino)
{
	const char *slash = strrchr(text, '/');
	uint64_t its;

	if (slash)
		return netns_of((unsigned)atoi(slash + 1), &its) && its == ino;
	return (inode_in(NETNS_DIR, text, &its) && its == ino) ||
	       (inode_in(DOCKER_NETNS_DIR, text, &its) && its == ino);
}

/* Names the namespace. If it had another name that is no longer right, notes the time. */
static void put_netns(uint64_t ino, const char *text)
{
	const struct entry *old = table_find(&state.netns, ino);
	uint64_t changed = !old                                                   ? 0
			   : strcmp(old->text, text) && !is_named(old->text, ino) ? now_monotonic()
										  : old->extra;

	table_put(&state.netns, ino, text);
	table_find(&state.netns, ino)->extra = changed;
}

static void read_names_in(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	uint64_t ino;

	while (d && (e = readdir(d)))
		if (*e->d_name != '.' && inode_in(dir, e->d_name, &ino))
			put_netns(ino, e->d_name);
	if (d)
		closedir(d);
}

/*
 * Reads the names of network namespaces after an interval, because there may be many requests. The
 * names of ip(8) are read last, so they replace Docker's names of the same namespaces.
 */
static void read_namespace_names(uint64_t interval)
{
	uint64_t began = now_monotonic();

	if (!is_due(&state.names, interval))
		return;
	read_names_in(DOCKER_NETNS_DIR);
	read_names_in(NETNS_DIR);
	search_ended(&state.names, began);
}

static void process_name(int pid, char *name, int size)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "re");
	if (!f || !fgets(name, size, f))
		snprintf(name, (size_t)size, "?");
	name[strcspn(name, "\n")] = '\0';
	if (f)
		fclose(f);
}

/*
 * Returns the next process in the folder @proc, or 0 at the end. @proc may be NULL. Processes come
 * in ascending order.
 */
static int next_process(DIR *proc)
{
	struct dirent *e;

	while (proc && (e = readdir(proc)))
		if (atoi(e->d_name) > 0)
			return atoi(e->d_name);
	return 0;
}

/*
 * Names each network namespace without a name after the process with the lowest number in it. Does
 * so only after an interval, because there may be many processes and many requests.
 */
static void name_after_processes(void)
{
	uint64_t began = now_monotonic(), ino;
	DIR *d = is_due(&state.processes, SEARCH_INTERVAL_NS) ? opendir("/proc") : NULL;
	char name[32], text[64];
	int pid;

	if (!d)
		return;
	while ((pid = next_process(d)))
		if (netns_of((unsigned)pid, &ino) &&
		    (!table_find(&state.netns, ino) ||
		     !is_named(table_get(&state.netns, ino), ino))) {
			process_name(pid, name, sizeof(name));
			snprintf(text, sizeof(text), "%s/%d", name, pid);
			put_netns(ino, text);
		}
	closedir(d);
	search_ended(&state.processes, began);
}

void owner_window(uint64_t from)
{
	state.window = from;
}

const char *owner_netns(uint64_t ino)
{
	const struct entry *k;

	if (!ino)
		return OWNER_UNKNOWN;
	if (numbers_only)
		return number_text(&state.number, ino);
	read_namespace_names(NAMES_INTERVAL_NS);
	for (int i = 0; i < 2; i++) {
		k = table_find(&state.netns, ino);
		if (k && is_named(k->text, ino))
			break;
		if (!i)
			read_namespace_names(MISS_INTERVAL_NS);
		else
			name_after_processes();
	}
	k = table_find(&state.netns, ino);
	return k && k->extra <= state.window && is_named(k->text, ino)
		       ? k->text
		       : number_text(&state.number, ino);
}

/*
 * Sets @ino to the number of the namespace for which the file @path stands. Keeps the file open
 * until this process ends, so that the kernel gives no other namespace this number.
 */
static bool hold_namespace(const char *path, uint64_t *ino)
{
	struct stat st;
	int fd = stat(path, &st) || !S_ISREG(st.st_mode) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	bool held = fd >= 0 && !fstat(fd, &st);

	*ino = st.st_ino;
	return held;
}

/* lowest inode number of a namespace; numbers of processes are lower */
#define NETNS_FIRST 0xf0000000u

bool owner_netns_id(const char *text, uint64_t *id, const char **why)
{
	static const char *const dirs[] = {NETNS_DIR "/", DOCKER_NETNS_DIR "/", ""};
	bool number = *text && !text[strspn(text, "0123456789")], found = false;
	struct strbuf path = {0};

	*id = number ? strtoull(text, NULL, 10) : 0;
	*why = number ? "no such process, or its namespace is not accessible"
		      : "no network namespace of that name in /run/netns or /run/docker/netns, and "
			"no such file";
	if (*id >= NETNS_FIRST)
		return true;
	for (size_t i = 0; *text && !found && i < sizeof(dirs) / sizeof(*dirs); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s%s", number ? "/proc/" : dirs[i], text,
			    number ? "/ns/net" : "");
		found = hold_namespace(path.s, id);
	}
	strbuf_release(&path);
	return found;
}
