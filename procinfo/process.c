/*
 * process.c - reads and copies the mappings of a process.
 *
 * The mappings are copied, because the process may have ended by the time its addresses are looked
 * up.
 */
#include "procinfo/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "procinfo/budget.h"
#include "procinfo/maps.h"

/* number of mappings that process_add() compares with a new one */
#define RECENT 64

struct process *process_new(pid_t pid)
{
	struct process *p = xcalloc(1, sizeof(*p));

	p->pid = pid;
	p->uid = (uid_t)-1;
	p->read_ns = now_monotonic();
	return p;
}

/*
 * Adds a name and returns its offset. Adjacent mappings often belong to the same file. They share
 * one copy of its name.
 */
static uint32_t add_name(struct process *p, const char *path)
{
	uint32_t at = (uint32_t)p->text.len;

	if (p->map.n && !strcmp(mapping_path(p, &p->map.v[p->map.n - 1]), path))
		return p->map.v[p->map.n - 1].name;
	strbuf_add(&p->text, path, strlen(path) + 1);
	return at;
}

/*
 * Returns whether two mappings have the same part of the same file at the same address. Kernels
 * differ in the device of a file on an overlay, so equal paths count too.
 */
static bool same_file(const struct mapping *a, const char *path, const struct mapping *b,
		      const char *other)
{
	if (a->inode != b->inode || !a->inode)
		return a->inode == b->inode && !strcmp(path, other);
	return a->from - a->off == b->from - b->off && (a->dev == b->dev || !strcmp(path, other));
}

/* Returns whether @now, the newest mapping at its address, already is @m. */
static bool is_there(const struct process *p, const struct mapping *now, const struct mapping *m,
		     const char *path)
{
	return now->to >= m->to && now->exec == m->exec &&
	       same_file(now, mapping_path(p, now), m, path);
}

void process_add(struct process *p, struct mapping m, const char *path)
{
	/* just-in-time compilers map the same memory again and again */
	for (size_t i = p->map.n; i-- > 0 && p->map.n - i <= RECENT;)
		if (m.from >= p->map.v[i].from && m.from < p->map.v[i].to) {
			if (is_there(p, &p->map.v[i], &m, path))
				return;
			break;
		}
	p->full |= p->map.n >= MAPPINGS_MAX || p->text.len + strlen(path) >= MAPPINGS_TEXT_MAX;
	if (p->full)
		return;
	m.name = add_name(p, path);
	vec_push(&p->map, m);
	if (!strcmp(path, "[vdso]"))
		p->mark = (uint32_t)(m.from >> 12);
}

bool process_find(struct process *p, uint64_t addr, uint64_t from, struct process **found_in,
		  struct mapping **found)
{
	for (size_t i = p->map.n; i-- > 0;) {
		struct mapping *m = &p->map.v[i];

		if (addr < m->from || addr >= m->to)
			continue;
		if (*found &&
		    !same_file(*found, mapping_path(*found_in, *found), m, mapping_path(p, m)))
			return false;
		if (!*found)
			*found_in = p;
		*found = *found ? *found : m;
		if (m->since <= from)
			break;
	}
	return true;
}

/*
 * Parses a line such as "7f0000000000-7f0000001000 r-xp 00000000 fd:00 1234   /usr/lib/x.so" and
 * adds the mapping.
 */
static void add_line(struct process *p, char *line)
{
	struct mapping m = {0};
	unsigned major = 0, minor = 0;
	char exec;
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &m.from, &m.to, &exec, &m.off, &major, &minor, &m.inode, &at) < 7 ||
	    !at)
		return;
	m.exec = exec == 'x';
	/* leave room for code */
	if (!m.exec && (!line[at] || p->map.n >= MAPPINGS_MAX / 2))
		return;
	m.dev = makedev(major, minor);
	process_add(p, m, line + at);
}

struct process *process_read(pid_t pid)
{
	struct process *p = process_new(pid);
	struct strbuf text = {0};
	uid_t uid = maps_user(pid);

	if (maps_read(pid, &text, &p->uid) && text.len)
		for (char *line = text.s, *end; *line && p->map.n < MAPPINGS_MAX; line = end) {
			end = line + strcspn(line, "\n");
			if (*end)
				*end++ = '\0';
			add_line(p, line);
		}
	strbuf_release(&text);
	p->full = false;
	p->cost_ns = now_monotonic() - p->read_ns;
	budget_spend(BUDGET_MAPS, uid, p->cost_ns);
	return p;
}

void process_merge(struct process *p, const struct process *newer)
{
	for (size_t i = 0; i < newer->map.n; i++) {
		struct mapping m = newer->map.v[i], *now = process_mapping_at(p, m.from);
		const char *path = mapping_path(newer, &newer->map.v[i]);

		m.since = newer->read_ns;
		if (!now || !is_there(p, now, &m, path))
			process_add(p, m, path);
	}
	p->stale = false;
	p->read_ns = newer->read_ns;
	p->cost_ns = now_monotonic() - newer->read_ns;
}

struct process *process_copy(const struct process *p, pid_t pid)
{
	struct process *c = process_new(pid);

	c->uid = p->uid;
	for (size_t i = 0; i < p->map.n; i++)
		process_add(c, p->map.v[i], mapping_path(p, &p->map.v[i]));
	return c;
}

void process_free(struct process *p)
{
	if (!p)
		return;
	process_free(p->older);
	vec_free(&p->map);
	strbuf_release(&p->text);
	xfree(p);
}

size_t process_size(const struct process *p)
{
	return sizeof(*p) + p->map.cap * sizeof(*p->map.v) + p->text.cap +
	       (p->older ? process_size(p->older) : 0);
}

struct mapping *process_mapping_at(struct process *p, uint64_t addr)
{
	struct mapping *found = NULL;
	struct process *in;

	process_find(p, addr, UINT64_MAX, &in, &found);
	return found;
}

bool mapping_is_jit(const struct process *p, const struct mapping *m)
{
	return m->exec && !m->inode && !*mapping_path(p, m);
}

const char *mapping_path(const struct process *p, const struct mapping *m)
{
	return p->text.s + m->name;
}

const char *mapping_name(const struct process *p, const struct mapping *m)
{
	const char *path = mapping_path(p, m), *base = strrchr(path, '/');

	return base ? base + 1 : path;
}
