/*
 * thread.c - finds names of the current thread that the user takes for the owner of a socket.
 */
#include "compiler/meaning/hints/thread.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Names of the current thread, and the members of csinfo_t that say the same about the owner. The
 * first member is suggested. A name that means several things has several members.
 */
static const struct row {
	const char *name, *member[4];
} rows[] = {
	{"execname", {"cs_execname"}},
	{"pid", {"cs_pid"}},
	{"tid", {"cs_pid"}},
	{"ppid", {"cs_ppid"}},
	{"uid", {"cs_uid", "cs_user"}},
	{"gid", {"cs_uid", "cs_user"}},
	{"execargs", {"cs_psargs"}},
	{"curthread", {"cs_pid", "cs_execname", "cs_uid", "cs_ppid"}},
	{"curpsinfo", {"cs_pid", "cs_execname", "cs_psargs", "cs_ppid"}},
	{"curlwpsinfo", {"cs_pid", "cs_execname"}},
	{"cwd", {"cs_pid", "cs_execname"}},
	{"root", {"cs_pid", "cs_execname"}},
	{"fds", {"cs_pid", "cs_execname"}},
	{"progenyof", {"cs_pid", "cs_ppid"}},
};

#define NROWS (sizeof(rows) / sizeof(*rows))
#define LETTERS "abcdefghijklmnopqrstuvwxyz"

/*
 * Probes that fire in the thread of the socket's owner, in a call that the owner makes. Everything
 * else may happen when a packet arrives or a timer expires.
 */
static const char *const of_caller[][2] = {
	{"tcp", "accept"}, {"tcp", "connect-request"},
	{"tcp", "read"},   {"tcp", "write"},
	{"udp", "read"},   {"udp", "send"},
	{"udp", "write"},  {"udplite", "send"},
	{"dns", "query"},
};

static bool is_of_caller(const struct probe *p)
{
	for (size_t i = 0; i < sizeof(of_caller) / sizeof(*of_caller); i++)
		if (!strcmp(p->prov, of_caller[i][0]) && !strcmp(p->name, of_caller[i][1]))
			return true;
	return false;
}

static bool is_csinfo(struct type *t)
{
	const char *name = type_strip(type_is(t, T_PTR) ? type_strip(t)->to : t)->name;

	return name && !strcmp(name, "csinfo");
}

/* Returns whether args[1] of the probe describes a socket whose owner is not the current thread. */
static bool has_other_owner(const struct compiler *c, const struct probe *p)
{
	return !p->host && p->decl && probe_has_arg(p, 1) && is_csinfo(probe_arg_type(p, 1)) &&
	       (c->opt->replay || !is_of_caller(p));
}

static const struct row *find(const char *name)
{
	size_t n = strspn(name, LETTERS);

	for (size_t i = 0; i < NROWS; i++)
		if (strlen(rows[i].name) == n && !strncmp(rows[i].name, name, n))
			return &rows[i];
	return NULL;
}

void thread_note(struct compiler *c, bool lib, const char *name)
{
	const struct row *r = lib ? NULL : find(name);

	if (r)
		c->typing->thread |= 1u << (r - rows);
}

void thread_note_owner(struct compiler *c, const struct expr *e, struct type *t)
{
	for (size_t i = 0; i < NROWS && !e->lib && is_csinfo(t); i++)
		for (int k = 0; k < 4 && rows[i].member[k]; k++)
			if (!strcmp(rows[i].member[k], e->name))
				c->typing->owner |= 1u << i;
}

bool thread_is_named(const char *name)
{
	return find(name) && !name[strspn(name, LETTERS)];
}

const char *thread_owner(const struct compiler *c, const char *name)
{
	const struct row *r = find(name);

	for (uint32_t i = 0; r && i < c->typing->nprobe; i++)
		if (has_other_owner(c, c->typing->probe[i]))
			return arena_printf(c->arena, "args[1]->%s", r->member[0]);
	return NULL;
}

/* Returns the first probe of @en where the thread is not the owner, or NULL. */
static const struct probe *wrong_at(const struct compiler *c, const struct enabling *en)
{
	for (uint32_t i = 0; i < en->nprobe && en->thread; i++)
		if (has_other_owner(c, en->probe[i]))
			return en->probe[i];
	return NULL;
}

void thread_warn(struct compiler *c, bool (*quiet)(const void *ctx, const struct clause *cl),
		 const void *ctx)
{
	const struct enabling *en = c->probes->enablings;
	const struct probe *p = NULL;
	const struct row *r;

	for (; en && !p; en = p ? en : en->next)
		p = en->hidden || quiet(ctx, en->clause) ? NULL : wrong_at(c, en);
	if (!p)
		return;
	r = &rows[__builtin_ctz(en->thread)];
	vec_apush(c->arena, &c->probes->env.warning,
		  arena_printf(c->arena,
			       "warning: at %s:::%s, %s is %s; the socket's owner is "
			       "args[1]->%s%s",
			       p->prov, p->name, r->name,
			       c->opt->replay ? "unknown, because captures have no threads"
					      : "that of the interrupted thread",
			       r->member[0],
			       strcmp(r->member[0], "cs_pid") ? " (also cs_pid, cs_uid ...)"
							      : " (also cs_execname, cs_uid ...)"));
}
