/*
 * owner.c - finds the names of users, control groups, containers and network namespaces.
 *
 * A control group may have been removed before its name is needed. So all existing groups are read
 * at the start, and inotify reports when groups are created or end. The kernel soon reuses the
 * numbers of network namespaces. So the name of a namespace is checked again when it is needed.
 */
#include "procinfo/owner.h"

#include <ctype.h>
#include <dirent.h>
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

/* ------------------------------------------------------------------- tables */

/* An entry of a hash table with open addressing, which stores strings by number. */
struct entry {
	uint64_t id;
	char *text; /* the string, or NULL if the entry is free */
	/*
	 * The meaning depends on the table. netns: time of the last check in ns. watched: number of
	 * the control group. cgroup: 1 if the group has ended.
	 */
	uint64_t extra;
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
	*k = (struct entry){id, xstrdup(text), 0};
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

static struct owners {
	struct table user, cgroup, container, netns, number;
	struct table watched; /* paths of control groups by the number of their inotify watch */
	/*
	 * Control groups that have ended, in the order in which they ended. The first @forgotten
	 * groups have lost their names.
	 */
	VEC(uint64_t) ended;
	size_t forgotten;
	size_t bytes;       /* approximate size of the names of control groups */
	char *mount;        /* where control groups are mounted */
	int inotify;        /* inotify descriptor plus 1, or 0 without one */
	uint64_t lookup_ns; /* time spent in lookups of users, in ns */
	bool reported;      /* a message has reported that lookups of users take too long */
	/* times of the last reads of namespace names and of processes, in ns */
	uint64_t names_read_ns, processes_read_ns;
} state;

void owner_release(void)
{
	table_release(&state.user);
	table_release(&state.cgroup);
	table_release(&state.container);
	table_release(&state.netns);
	table_release(&state.number);
	table_release(&state.watched);
	vec_free(&state.ended);
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
 * Returns the memory that a name uses: the string, and four entries of a table, because the table
 * may be only a quarter full.
 */
static size_t entry_size(const char *text)
{
	return strlen(text) + 4 * sizeof(struct entry);
}

static void remove_cgroup(uint64_t id)
{
	const char *name = table_get(&state.cgroup, id);

	if (name)
		state.bytes -= entry_size(name);
	table_drop(&state.cgroup, id);
	table_drop(&state.container, id);
}

/*
 * Removes names of groups that have ended, in the order in which the groups ended, until the names
 * fit the limit.
 */
static void make_room(void)
{
	while (state.bytes > OWNER_GROUPS_BYTES && state.forgotten < state.ended.n)
		remove_cgroup(state.ended.v[state.forgotten++]);
	if (state.forgotten > 1024 && 2 * state.forgotten > state.ended.n) {
		state.ended.n -= state.forgotten;
		memmove(state.ended.v, state.ended.v + state.forgotten,
			state.ended.n * sizeof(*state.ended.v));
		state.forgotten = 0;
	}
}

/*
 * Records that the group has ended. Keeps its name for now, because events of the group may still
 * arrive.
 */
static void cgroup_ended(uint64_t id)
{
	struct entry *k = table_find(&state.cgroup, id);

	if (!k || k->extra)
		return;
	k->extra = 1;
	vec_push(&state.ended, id);
}

static void handle_watch_ended(uint64_t wd)
{
	const struct entry *k = table_find(&state.watched, wd);

	if (!k)
		return;
	state.bytes -= entry_size(k->text);
	cgroup_ended(k->extra);
	table_drop(&state.watched, wd);
}

static void put_cgroup_name(struct table *t, uint64_t id, const char *text)
{
	const char *old = table_get(t, id);

	state.bytes -= old ? entry_size(old) : 0;
	state.bytes += entry_size(table_put(t, id, text));
}

/*
 * Adds the group at @path. The caller reads the group's folder afterwards, when the watch already
 * exists, so that no new group is missed. Returns false if the group no longer exists, or if the
 * names of existing groups exceed the limit.
 */
static bool add_cgroup(const char *path)
{
	const char *name = path + strlen(state.mount);
	uint64_t id;
	int wd = -1;

	make_room();
	if (state.bytes > OWNER_GROUPS_BYTES)
		return false;
	if (state.inotify)
		wd = inotify_add_watch(state.inotify - 1, path, IN_CREATE | IN_ONLYDIR);
	if (wd >= 0)
		put_cgroup_name(&state.watched, (uint64_t)wd, path);
	if (!inode_of(path, &id))
		return false;
	put_cgroup_name(&state.cgroup, id, *name ? name : "/");
	if (wd >= 0)
		table_find(&state.watched, (uint64_t)wd)->extra = id;
	else
		/* without a watch, the end of the group is not reported: it counts as ended now */
		cgroup_ended(id);
	return true;
}

/* Paths of groups whose folders have not been read yet. */
struct paths {
	VEC(char *) v;
};

static void add_cgroups_in(const char *dir, struct paths *todo)
{
	DIR *d = opendir(dir);
	struct strbuf path = {0};
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
			strbuf_reset(&path);
			strbuf_addf(&path, "%s/%s", dir, e->d_name);
			if (add_cgroup(path.s))
				vec_push(&todo->v, xstrdup(path.s));
		}
	if (d)
		closedir(d);
	strbuf_release(&path);
}

/*
 * Adds the group at @path and all groups below it. Keeps only one folder open at a time, however
 * deep the tree is.
 */
static void add_cgroup_tree(const char *path)
{
	struct paths todo = {0};
	char *dir;

	if (add_cgroup(path))
		vec_push(&todo.v, xstrdup(path));
	while (todo.v.n) {
		dir = todo.v.v[--todo.v.n];
		add_cgroups_in(dir, &todo);
		xfree(dir);
	}
	vec_free(&todo.v);
}

/* Reads all groups again because events were lost. A group that is not found again has ended. */
static void rescan_cgroups(void)
{
	struct table old = state.watched;

	state.watched = (struct table){0};
	for (size_t i = 0; i < old.size; i++)
		state.bytes -= old.v[i].text ? entry_size(old.v[i].text) : 0;
	add_cgroup_tree(state.mount);
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
		add_cgroup_tree(mount);
	return state.inotify - 1;
}

static void handle_created(const struct inotify_event *e)
{
	const char *dir = table_get(&state.watched, (uint64_t)(unsigned)e->wd);
	struct strbuf path = {0};

	if (!dir || !e->len)
		return;
	strbuf_addf(&path, "%s/%s", dir, e->name);
	add_cgroup_tree(path.s);
	strbuf_release(&path);
}

void owner_read_events(void)
{
	char room[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *e;
	ssize_t n;

	while (state.inotify && (n = read(state.inotify - 1, room, sizeof(room))) > 0)
		for (const char *p = room; p < room + n; p += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)p;
			if (e->mask & IN_Q_OVERFLOW)
				rescan_cgroups();
			else if (e->mask & IN_IGNORED)
				handle_watch_ended((uint64_t)(unsigned)e->wd);
			else if (e->mask & IN_ISDIR)
				handle_created(e);
		}
}

const char *owner_cgroup(uint64_t id)
{
	const char *entry = table_get(&state.cgroup, id);

	if (!entry) {
		owner_read_events();
		entry = table_get(&state.cgroup, id);
	}
	return entry ? entry : OWNER_UNKNOWN;
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

/*
 * Appends the short name of the first container on @path. Returns false if there is no container on
 * @path.
 */
static bool container_of_path(const char *path, struct strbuf *out)
{
	size_t n;

	for (path += strspn(path, "/"); *path; path += n, path += strspn(path, "/")) {
		n = strcspn(path, "/");
		if (match_container(path, n, out))
			return true;
	}
	return false;
}

const char *owner_container(uint64_t id)
{
	const char *path = owner_cgroup(id), *entry = table_get(&state.container, id);
	struct strbuf name = {0};

	if (entry || !strcmp(path, OWNER_UNKNOWN))
		return entry ? entry : OWNER_UNKNOWN;
	entry = table_put(&state.container, id,
			  container_of_path(path, &name) ? name.s : OWNER_NONE);
	strbuf_release(&name);
	return entry;
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

static void read_names_in(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	uint64_t ino;

	while (d && (e = readdir(d)))
		if (*e->d_name != '.' && inode_in(dir, e->d_name, &ino))
			table_put(&state.netns, ino, e->d_name);
	if (d)
		closedir(d);
}

/*
 * Reads the names of network namespaces. The names of ip(8) are read last, so they replace Docker's
 * names of the same namespaces.
 */
static void read_namespace_names(uint64_t now)
{
	state.names_read_ns = now;
	read_names_in(DOCKER_NETNS_DIR);
	read_names_in(NETNS_DIR);
}

/*
 * Finds the entry of a namespace. Reads the names again after an interval, because there may be
 * many requests. The interval is shorter for a namespace without an entry, which may be a new one.
 */
static struct entry *find_namespace(uint64_t ino)
{
	struct entry *entry = table_find(&state.netns, ino);
	uint64_t now = now_monotonic(), interval = entry ? NAMES_INTERVAL_NS : MISS_INTERVAL_NS;

	if (state.names_read_ns && now - state.names_read_ns < interval)
		return entry;
	read_namespace_names(now);
	return table_find(&state.netns, ino);
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

static bool netns_of(unsigned pid, uint64_t *ino)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/ns/net", pid);
	return inode_of(path, ino);
}

static bool is_in_netns(int pid, uint64_t ino)
{
	uint64_t its;

	return netns_of((unsigned)pid, &its) && its == ino;
}

static const char *name_after(int pid, uint64_t ino)
{
	char name[32], text[64];

	process_name(pid, name, sizeof(name));
	snprintf(text, sizeof(text), "%s/%d", name, pid);
	return table_put(&state.netns, ino, text);
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

/* Gives each network namespace without a name the name of the first process in it. */
static void name_after_processes(void)
{
	DIR *d = opendir("/proc");
	uint64_t ino;
	int pid;

	while ((pid = next_process(d)))
		if (netns_of((unsigned)pid, &ino) && !table_find(&state.netns, ino))
			name_after(pid, ino);
	if (d)
		closedir(d);
}

/* Returns the process with the lowest number in the namespace, or 0 if no process is visible. */
static int lowest_process_in(uint64_t ino)
{
	DIR *d = opendir("/proc");
	int pid;

	while ((pid = next_process(d)) && !is_in_netns(pid, ino))
		;
	if (d)
		closedir(d);
	return pid;
}

/*
 * Returns the name of the namespace. If the namespace is named after a process, checks first that
 * this process is still there: it may have ended, and its number may now belong to a process in
 * another namespace.
 */
static const char *check_process_name(struct entry *k, uint64_t ino)
{
	const char *slash = strrchr(k->text, '/');
	uint64_t now = now_monotonic();
	int other;

	if (!slash || now - k->extra < NAMES_INTERVAL_NS)
		return k->text;
	k->extra = now;
	if (is_in_netns(atoi(slash + 1), ino))
		return k->text;
	other = lowest_process_in(ino);
	return other ? name_after(other, ino) : k->text;
}

/*
 * Looks at all processes for names of namespaces, but not more often than SEARCH_INTERVAL_NS: there
 * may be many processes and many requests.
 */
static void search_processes(void)
{
	uint64_t now = now_monotonic();

	if (state.processes_read_ns && now - state.processes_read_ns < SEARCH_INTERVAL_NS)
		return;
	state.processes_read_ns = now;
	name_after_processes();
}

const char *owner_netns(uint64_t ino)
{
	struct entry *entry;

	if (!ino)
		return OWNER_UNKNOWN;
	if (numbers_only)
		return number_text(&state.number, ino);
	entry = find_namespace(ino);
	if (entry)
		return check_process_name(entry, ino);
	search_processes();
	entry = table_find(&state.netns, ino);
	return entry ? entry->text : number_text(&state.number, ino);
}

/* lowest inode number of a namespace; numbers of processes are lower */
#define NETNS_FIRST 0xf0000000u

bool owner_netns_id(const char *text, uint64_t *id, const char **why)
{
	if (*text && !text[strspn(text, "0123456789")]) {
		*why = "no such process, or its namespace is not accessible";
		*id = strtoull(text, NULL, 10);
		return *id >= NETNS_FIRST || netns_of((unsigned)*id, id);
	}
	*why = "no network namespace of that name in /run/netns or /run/docker/netns, and no such "
	       "file";
	return *text && (inode_in(NETNS_DIR, text, id) || inode_in(DOCKER_NETNS_DIR, text, id) ||
			 inode_of(text, id));
}
