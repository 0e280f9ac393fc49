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
#include "procinfo/maps.h"

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

void process_add(struct process *p, struct mapping m, const char *path)
{
	if (p->map.n >= MAPPINGS_MAX || p->text.len + strlen(path) >= MAPPINGS_TEXT_MAX)
		return;
	m.name = add_name(p, path);
	vec_push(&p->map, m);
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
	if (!line[at] && !m.exec)
		return;
	m.dev = makedev(major, minor);
	process_add(p, m, line + at);
}

struct process *process_read(pid_t pid)
{
	struct process *p = process_new(pid);
	struct strbuf text = {0};

	if (maps_read(pid, &text, &p->uid) && text.len)
		for (char *line = text.s, *end; *line && p->map.n < MAPPINGS_MAX; line = end) {
			end = line + strcspn(line, "\n");
			if (*end)
				*end++ = '\0';
			add_line(p, line);
		}
	strbuf_release(&text);
	return p;
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
	vec_free(&p->map);
	strbuf_release(&p->text);
	xfree(p);
}

size_t process_size(const struct process *p)
{
	return sizeof(*p) + p->map.cap * sizeof(*p->map.v) + p->text.cap;
}

struct mapping *process_mapping_at(struct process *p, uint64_t addr)
{
	for (size_t i = p->map.n; i-- > 0;) /* later mappings replace earlier ones */
		if (addr >= p->map.v[i].from && addr < p->map.v[i].to)
			return &p->map.v[i];
	return NULL;
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
