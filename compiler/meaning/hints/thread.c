/*
 * thread.c - finds names of the current thread that the program takes for the owner of a socket.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Names of the current thread, and the members of csinfo_t that say something similar of the owner.
 * The first member is suggested.
 */
static const struct row {
	const char *name, *members;
} rows[] = {
	{"execname", "cs_execname"},
	{"pid", "cs_pid"},
	{"tid", "cs_pid"},
	{"ppid", "cs_ppid"},
	{"uid", "cs_uid cs_user"},
	{"gid", "cs_uid cs_user"},
	{"execargs", "cs_psargs"},
	{"curthread", "cs_pid cs_execname cs_uid cs_ppid"},
	{"curpsinfo", "cs_pid cs_execname cs_uid cs_ppid cs_psargs"},
	{"curlwpsinfo", "cs_pid cs_execname"},
	{"cwd", "cs_pid cs_execname"},
	{"root", "cs_pid cs_execname"},
	{"fds", "cs_pid cs_execname"},
	{"progenyof", "cs_pid cs_ppid"},
};

#define NROWS (sizeof(rows) / sizeof(*rows))

/*
 * Probes that fire in a call that the socket's owner makes. All others may fire when a packet
 * arrives or a timer expires.
 */
#define OF_CALLER \
	" tcp:accept tcp:connect-request tcp:read tcp:write udp:read udp:send udp:write" \
	" udplite:send dns:query "

static bool is_csinfo(struct type *t)
{
	const char *name = type_strip(type_is(t, T_PTR) ? type_strip(t)->to : t)->name;

	return name && !strcmp(name, "csinfo");
}

/* Returns whether args[1] of the probe describes a socket whose owner is not the current thread. */
static bool has_other_owner(const struct compiler *c, const struct probe *p)
{
	char name[64];

	snprintf(name, sizeof(name), " %s:%s ", p->prov, p->name);
	return !p->host && p->decl && probe_has_arg(p, 1) && is_csinfo(probe_arg_type(p, 1)) &&
	       (c->opt->replay || !strstr(OF_CALLER, name));
}

static const struct row *find(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");

	for (size_t i = 0; i < NROWS; i++)
		if (strlen(rows[i].name) == n && !strncmp(rows[i].name, name, n))
			return &rows[i];
	return NULL;
}

bool thread_is_named(const char *name)
{
	return find(name) && !strcmp(find(name)->name, name);
}

void thread_note(struct compiler *c, const char *name)
{
	if (thread_is_named(name))
		c->typing->thread |= 1u << (find(name) - rows);
}

void thread_note_owner(struct compiler *c, const char *name, struct type *t)
{
	for (size_t i = 0; i < NROWS && is_csinfo(t); i++)
		if (strstr(rows[i].members, name))
			c->typing->owner |= 1u << i;
}

const char *thread_owner(const struct compiler *c, const char *name)
{
	const struct row *r = find(name);

	for (uint32_t i = 0; r && i < c->typing->nprobe; i++)
		if (has_other_owner(c, c->typing->probe[i]))
			return arena_printf(c->arena, "args[1]->%.*s",
					    (int)strcspn(r->members, " "), r->members);
	return NULL;
}

static void warn(struct compiler *c, const struct probe *p, const struct row *r)
{
	bool is_pid = !strncmp(r->members, "cs_pid", 6);

	vec_apush(c->arena, &c->probes->env.warning,
		  arena_printf(c->arena,
			       "warning: at %s:::%s, %s is %s; the socket's owner is "
			       "args[1]->%.*s (also %s, cs_uid ...)",
			       p->prov, p->name, r->name,
			       c->opt->replay ? "unknown, because captures have no threads"
					      : "that of the interrupted thread",
			       (int)strcspn(r->members, " "), r->members,
			       is_pid ? "cs_execname" : "cs_pid"));
}

void thread_warn(struct compiler *c)
{
	for (const struct enabling *en = c->probes->enablings; en; en = en->next)
		for (uint32_t i = 0; i < en->nprobe && en->thread && !en->hidden; i++)
			if (has_other_owner(c, en->probe[i])) {
				warn(c, en->probe[i], &rows[__builtin_ctz(en->thread)]);
				return;
			}
}
