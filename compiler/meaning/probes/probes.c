/*
 * probes.c - finds the probes that a description matches, and the hooks of these probes on this
 * kernel.
 */
#include "compiler/meaning/probes/probes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/derive.h"
#include "compiler/meaning/probes/filter.h"
#include "compiler/meaning/typing/names/declare.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/libindex.h"
#include "compiler/syntax/parse.h"
#include "ir/types/type.h"
#include "providers/provider.h"

#define STABLE_MODULE "kernel"
#define STABLE_ALIAS "vmlinux"
#define STABLE_FUNCTION "none"

static bool match_module(const char *pat, const char *mod)
{
	return glob_match(pat, mod) ||
	       (!strcmp(mod, STABLE_MODULE) && glob_match(pat, STABLE_ALIAS));
}

static bool match_rest(const struct probe_desc *d, const char *mod, const char *func,
		       const char *name)
{
	return match_module(d->field[PD_MOD], mod) && glob_match(d->field[PD_FUNC], func) &&
	       glob_match(d->field[PD_NAME], name);
}

struct collect {
	struct compiler *c;
	const struct probe_desc *desc;
	VEC(struct probe *) found;
};

/*
 * Returns whether @h is probe @p: all four names are equal. Different functions may have the same
 * name. So if @p and @h both belong to families (hook.many), their IDs must be equal too.
 */
static bool same_host(const struct probe *p, const struct host_probe *h)
{
	return !strcmp(p->prov, h->prov) && !strcmp(p->mod, h->mod) && !strcmp(p->func, h->func) &&
	       !strcmp(p->name, h->name) &&
	       (p->id == h->id || !h->hook.many || !p->host->hook.many);
}

/*
 * Returns a hash of the names that same_host() compares. Thousands of static probes of one file may
 * have one name, so for a probe in a process, the hash includes the ID. same_host() compares the
 * IDs of such probes too, because hook.many is set for all of them.
 */
static size_t host_hash(const struct host_probe *h)
{
	bool in_process = h->hook.kind == HOOK_UPROBE || h->hook.kind == HOOK_URETPROBE;

	return hash_bytes(h->func, strlen(h->func)) ^ hash_bytes(h->name, strlen(h->name)) ^
	       (in_process ? hash_bytes(&h->id, sizeof(h->id)) : 0);
}

/*
 * Returns the entry for probe @h in the hash table of used probes. The entry is empty if no clause
 * uses the probe.
 */
static struct probe **host_slot(struct compiler *c, const struct host_probe *h)
{
	size_t at = host_hash(h);

	for (at &= c->probes->host_slots - 1;
	     c->probes->host_slot[at] && !same_host(c->probes->host_slot[at], h);)
		at = (at + 1) & (c->probes->host_slots - 1);
	return &c->probes->host_slot[at];
}

/*
 * Returns the struct probe of @h if another clause uses it already, so that both clauses fire
 * together. Returns NULL otherwise.
 */
static struct probe *host_in_use(struct compiler *c, const struct host_probe *h)
{
	return c->probes->host_slots ? *host_slot(c, h) : NULL;
}

/* Adds @p to the probes in use and to the hash table of these, which is kept at most half full. */
static void note_host(struct compiler *c, struct probe *p)
{
	vec_apush(c->arena, &c->probes->host, p);
	if (c->probes->host.n * 2 <= c->probes->host_slots) {
		*host_slot(c, p->host) = p;
		return;
	}
	c->probes->host_slots = c->probes->host_slots ? c->probes->host_slots * 4 : 64;
	c->probes->host_slot = arena_newn(c->arena, struct probe *, c->probes->host_slots);
	for (size_t i = 0; i < c->probes->host.n; i++)
		*host_slot(c, c->probes->host.v[i]->host) = c->probes->host.v[i];
}

/*
 * Returns the family of the probes whose hooks have the kind and target of @h. A family is a set of
 * similar probes that share one eBPF program (unit), which is attached at the hooks of all of them.
 * Makes the family if it does not exist yet.
 */
static struct family *host_family(struct compiler *c, const struct hook *h)
{
	struct family *f;

	for (size_t i = 0; i < c->probes->host_family.n; i++) {
		f = c->probes->host_family.v[i];
		if (f->use->host->hook.kind == h->kind &&
		    !strcmp(f->use->host->hook.target, h->target))
			return f;
	}
	f = arena_new(c->arena, struct family);
	f->use = arena_new(c->arena, struct hook_use);
	vec_apush(c->arena, &c->probes->host_family, f);
	return f;
}

static struct probe *host_make(struct compiler *c, struct host_probe *h)
{
	struct probe *p = arena_new(c->arena, struct probe);

	*p = (struct probe){.id = h->id,
			    .prov = h->prov,
			    .mod = h->mod,
			    .func = h->func,
			    .name = h->name,
			    .host = h,
			    .rank = UINT32_MAX,
			    .info = -1};
	if (!h->hook.many)
		return p;
	p->family = host_family(c, &h->hook);
	if (!p->family->use->host)
		p->family->use->host = h;
	return p;
}

static void add_host(void *ctx, struct host_probe *h)
{
	struct collect *co = ctx;
	struct probe *p;

	if (co->desc->id ? h->id != co->desc->id : !match_rest(co->desc, h->mod, h->func, h->name))
		return;
	p = host_in_use(co->c, h);
	vec_push(&co->found, p ? p : host_make(co->c, h));
}

static bool is_open(const char *pattern)
{
	return !*pattern || glob_is_pattern(pattern);
}

/*
 * Returns whether the provider may have probes whose names match @name. A caller asks this before
 * it lists the provider's probes, because a listing creates all of them.
 */
static bool can_have(const struct host_provider *prov, const char *name)
{
	if (!prov->only || !*name)
		return true;
	for (size_t i = 0; prov->only[i]; i++)
		if (glob_match(name, prov->only[i]))
			return true;
	return false;
}

/*
 * Looks up a host probe (a kernel hook itself) by its exact names. Caches the result, because
 * looking up a function may read the kernel's whole list of functions.
 */
static struct host_probe *find_host(struct compiler *c, const struct host_provider *prov,
				    const char *func, const char *name)
{
	struct host_probe *h;

	for (size_t i = 0; i < c->probes->found.n; i++) {
		const struct found_host *f = &c->probes->found.v[i];

		if (f->prov == prov && !strcmp(f->func, func) && !strcmp(f->name, name))
			return f->host;
	}
	h = host_provider_find(prov, &c->probes->env, func, name, c->d);
	if (!c->d->nerr)
		vec_apush(c->arena, &c->probes->found, ((struct found_host){prov, func, name, h}));
	return h;
}

/*
 * Adds the probes of the function that the description names (entry and return) whose names match
 * the description's pattern.
 */
static int match_function(struct collect *co, const struct host_provider *prov)
{
	const char *name = co->desc->field[PD_NAME];

	for (size_t i = 0; prov->only[i]; i++) {
		struct host_probe *h = !*name || glob_match(name, prov->only[i])
					       ? find_host(co->c, prov, co->desc->field[PD_FUNC],
							   prov->only[i])
					       : NULL;

		if (h)
			add_host(co, h);
	}
	return co->c->d->nerr ? -1 : 0;
}

/*
 * Adds the probes of @prov that match the description. If the description names a probe exactly,
 * find_host() is cheaper than a listing of the provider.
 */
static int match_host(struct collect *co, const struct host_provider *prov)
{
	const char *name = co->desc->field[PD_NAME], *func = co->desc->field[PD_FUNC];
	struct host_probe *h;

	if (!can_have(prov, name))
		return 0;
	if (!co->desc->id && prov->by_function && prov->only && !is_open(func) && is_open(name))
		return match_function(co, prov);
	if (co->desc->id || is_open(name) || (prov->by_function && is_open(func))) {
		if (prov->each_of && !co->desc->id)
			prov->each_of(&co->c->probes->env, func, add_host, co);
		else
			host_provider_each(prov, &co->c->probes->env, add_host, co);
		return 0;
	}
	h = find_host(co->c, prov, func, name);
	if (h)
		add_host(co, h);
	return co->c->d->nerr ? -1 : 0;
}

/* Adds a probe that a provider of probes in processes has found. */
static void add_wanted(void *ctx, struct host_probe *h)
{
	struct collect *co = ctx;
	struct probe *p = host_in_use(co->c, h);

	vec_push(&co->found, p ? p : host_make(co->c, h));
}

/*
 * Adds the matching probes in processes. @prov creates these probes only when a description names
 * the process.
 */
static int match_wanted(struct collect *co, const struct host_provider *prov)
{
	const struct probe_desc *d = co->desc;
	struct probe_want w = {d->field[PD_PROV], d->field[PD_MOD], d->field[PD_FUNC],
			       d->field[PD_NAME], d->loc};

	if (d->id || !*w.prov || !prov->is(w.prov))
		return 0;
	return prov->each_wanted(&co->c->probes->env, &w, add_wanted, co, co->c->d);
}

/*
 * Adds awaited probes. An awaited probe stands for the matching probes of kernel modules that are
 * loaded later.
 */
static void match_awaited(struct collect *co)
{
	const struct probe_desc *d = co->desc;
	struct probe_want w = {d->field[PD_PROV], d->field[PD_MOD], d->field[PD_FUNC],
			       d->field[PD_NAME], d->loc};

	for (int i = 0; !d->id && host_providers[i]; i++)
		if (host_providers[i]->await && !strcmp(w.prov, host_providers[i]->name))
			host_providers[i]->await(&co->c->probes->env, &w, add_wanted, co);
}

static int by_id(const void *a, const void *b)
{
	const struct probe *x = *(struct probe *const *)a, *y = *(struct probe *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

/* ----------------------------------------------------------------- families */

void family_make(struct compiler *c, struct probe *p, const struct family_names *names, uint32_t i,
		 uint32_t n)
{
	struct family *f = arena_new(c->arena, struct family);

	*f = (struct family){.names = names, .first = p, .id = names->id + i, .step = n};
	f->member = arena_newn(c->arena, struct probe *, names->n);
	p->family = f;
}

void family_declare(struct family *f, const struct probe_decl *d)
{
	f->decl = *d;
	f->decl.nparam--;
}

/* Parses the declaration of @p if it has not been parsed yet. */
static void declare(struct compiler *c, const struct probe *p)
{
	if (!p->decl && p->decl_item != NO_ITEM)
		c->names->undeclared.item(c->names->undeclared.ctx, p->decl_item);
}

static struct probe *member(struct compiler *c, struct family *f, uint32_t i)
{
	const struct probe *first = f->first;

	if (f->member[i])
		return f->member[i];
	f->member[i] = arena_new(c->arena, struct probe);
	*f->member[i] = (struct probe){.id = f->id + f->step * i,
				       .prov = first->prov,
				       .mod = f->names->mod,
				       .func = f->names->func[i],
				       .name = first->name,
				       .decl = &f->decl,
				       .rank = first->rank,
				       .info = -1,
				       .family = f,
				       .number = i};
	return f->member[i];
}

static bool is_member(const struct family *f, const struct probe_desc *d, uint32_t i)
{
	const struct family_names *names = f->names;

	if (!names->func[i])
		return false;
	if (d->id)
		return d->id == f->id + f->step * i;
	return match_rest(d,
			  module_elsewhere(names->prov, d->field[PD_MOD]) ? d->field[PD_MOD]
									  : names->mod,
			  names->func[i], f->first->name);
}

static void match_family(struct collect *co, struct family *f)
{
	const struct probe_desc *d = co->desc;

	/*
	 * A capture has no probes of families, such as system calls. They match only if the
	 * description names the provider; a warning then says that captures lack them.
	 */
	if (co->c->opt->replay && (d->id || is_open(d->field[PD_PROV])))
		return;
	for (uint32_t i = 0; i < f->names->n; i++)
		if (is_member(f, d, i)) {
			declare(co->c, f->first);
			vec_push(&co->found, member(co->c, f, i));
		}
}

static void resolve_member(struct compiler *c, struct probe *p)
{
	struct probe *first = p->family->first;

	probe_resolve(c, first);
	p->hook = first->hook;
	p->nhook = first->nhook;
	p->missing = first->missing;
	memcpy(&p->passed, &first->passed, sizeof(p->passed));
}

/* ----------------------------------------------------------------- matching */

/*
 * Returns whether to skip probe @p in replay, because captures have none of the probes of its
 * provider. If the description names the provider, the probe still matches, so that a warning can
 * say what captures lack.
 */
static bool is_of_hosts(struct compiler *c, const struct probe *p, const struct probe_desc *desc)
{
	if (!c->opt->replay || !(desc->id || is_open(desc->field[PD_PROV])))
		return false;
	for (size_t i = 0; i < c->probes->stable.n; i++) {
		struct probe *other = c->probes->stable.v[i];

		if (strcmp(other->prov, p->prov))
			continue;
		probe_resolve(c, other);
		if (other->nhook)
			return false;
	}
	return true;
}

/* Returns the declaration of probe send of provider @prov, or NULL. */
static const struct probe_decl *send_of(struct compiler *c, const char *prov)
{
	for (size_t i = 0; i < c->probes->stable.n; i++) {
		const struct probe *p = c->probes->stable.v[i];

		if (!strcmp(p->prov, prov) && !strcmp(p->name, "send")) {
			declare(c, p);
			return p->decl;
		}
	}
	return NULL;
}

/*
 * Returns whether a pattern may match probe @p: each of its first COMMON_ARGS arguments is NULL, or
 * has the type that it has in the provider's probe send. So new probes of a provider do not change
 * the types of args[] in clauses whose descriptions are patterns.
 */
static bool is_common(struct compiler *c, const struct probe *p)
{
	const struct probe_decl *send = send_of(c, p->prov);

	declare(c, p);
	if (!p->decl)
		return true;
	for (uint32_t i = 0; send && i < COMMON_ARGS && i < send->narg && i < p->decl->narg; i++) {
		if (probe_has_arg(p, i) && !type_same(probe_arg_type(p, i), send->arg[i].type))
			return false;
	}
	return true;
}

static bool matches(struct compiler *c, const struct probe *p, const struct probe_desc *desc)
{
	if (desc->id)
		return p->id == desc->id;
	return glob_match(desc->field[PD_PROV], p->prov) &&
	       (*desc->field[PD_PROV] && module_elsewhere(p->prov, desc->field[PD_MOD])
			? glob_match(desc->field[PD_NAME], p->name)
			: match_rest(desc, p->mod, p->func, p->name)) &&
	       (!c->probes->common || !is_open(desc->field[PD_NAME]) || is_common(c, p));
}

/* Returns whether the description may match probes of the provider. */
static bool means(const struct probe_desc *desc, const struct host_provider *prov)
{
	if (prov->on_demand)
		return !strcmp(desc->field[PD_PROV], prov->name);
	return desc->id || glob_match(desc->field[PD_PROV], prov->name);
}

bool probes_provided(const struct compiler *c, const char *pattern)
{
	for (size_t i = 0; i < c->probes->stable.n; i++)
		if (glob_match(pattern, c->probes->stable.v[i]->prov))
			return true;
	for (int i = 0; host_providers[i]; i++)
		if (glob_match(pattern, host_providers[i]->name))
			return true;
	return false;
}

/* Adds the stable probes (those that are declared in D) that match to co->found. */
static void collect_stable(struct collect *co)
{
	struct compiler *c = co->c;

	for (size_t i = 0; i < c->probes->stable.n; i++) {
		struct probe *p = c->probes->stable.v[i];

		if (p->family) {
			if (co->desc->id || glob_match(co->desc->field[PD_PROV], p->prov))
				match_family(co, p->family);
			continue;
		}
		if (matches(c, p, co->desc) && !is_of_hosts(c, p, co->desc)) {
			declare(c, p);
			vec_push(&co->found, p);
		}
	}
}

/* Adds all probes that match to co->found. Returns false if a provider recorded an error. */
static bool collect_all(struct collect *co)
{
	collect_stable(co);
	for (int i = 0; host_providers[i]; i++) {
		const struct host_provider *prov = host_providers[i];

		if (prov->is ? match_wanted(co, prov) != 0
			     : means(co->desc, prov) && match_host(co, prov) < 0)
			return false;
	}
	if (!co->found.n && co->c->probes->awaits)
		match_awaited(co);
	return true;
}

int probes_match(struct compiler *c, const struct probe_desc *desc,
		 void (*fn)(void *ctx, struct probe *p), void *ctx)
{
	struct collect co = {.c = c, .desc = desc};
	int n = -1;

	if (collect_all(&co)) {
		if (co.found.n)
			qsort(co.found.v, co.found.n, sizeof(*co.found.v), by_id);
		for (size_t i = 0; i < co.found.n; i++)
			fn(ctx, co.found.v[i]);
		n = (int)co.found.n;
	}
	vec_free(&co.found);
	return n;
}

/* ---------------------------------------------------------------- resolving */

static struct host_probe *find_exactly(struct compiler *c, const struct probe_desc *desc)
{
	const struct host_provider *prov = probe_provider(desc->field[PD_PROV]);

	return prov ? find_host(c, prov, desc->field[PD_FUNC], desc->field[PD_NAME]) : NULL;
}

/*
 * Returns the host probe that a hook of a derivation names, or NULL if this kernel does not have
 * it.
 */
static struct host_probe *host_find(struct compiler *c, const struct probe_desc *desc)
{
	struct host_probe *h = find_exactly(c, desc);

	/* a probe with many attach points cannot be the hook of other probes */
	return h && !h->hook.many ? h : NULL;
}

struct host_probe *host_find_alone(struct compiler *c, const struct probe_desc *desc)
{
	struct host_probe *h = find_exactly(c, desc), *one;

	if (!h || !h->hook.many)
		return h;
	if (!h->hook.function || !h->hook.point.addr)
		return NULL;
	one = arena_new(c->arena, struct host_probe);
	*one = *h;
	one->hook.many = false;
	/* with its own target, the probe gets an eBPF program of its own */
	one->hook.target = h->func;
	return one;
}

/*
 * Returns a provider that knows the function of @desc ("vfs_read:entry"), even if the function
 * cannot have a probe. Returns NULL if no provider knows it.
 */
static const struct host_provider *provider_of_function(struct compiler *c,
							const struct probe_desc *desc)
{
	const char *func = desc->field[PD_FUNC];

	for (int i = 0; !is_open(func) && host_providers[i]; i++) {
		const struct host_provider *p = host_providers[i];

		if (p->knows && glob_match(desc->field[PD_PROV], p->name) &&
		    p->knows(&c->probes->env, func))
			return p;
	}
	return NULL;
}

const char *probe_lacks(struct compiler *c, const struct probe_desc *desc)
{
	const char *name = desc->field[PD_PROV];
	const struct host_provider *prov = is_open(name) ? provider_of_function(c, desc)
							 : probe_provider(name);

	if (!prov)
		return c->opt->replay ? NULL : probe_elsewhere(name, desc->field[PD_NAME]);
	if (!prov->lacks || !can_have(prov, desc->field[PD_NAME]))
		return NULL;
	return prov->lacks(&c->probes->env, desc->field[PD_FUNC]);
}

/* Records, for -lv, why group @on of hooks does not fit this kernel. */
static void pass_over(struct compiler *c, struct probe *p, const struct hook_on *on,
		      const char *why, struct loc loc)
{
	unsigned line = 0, col;

	if (!loc.src)
		loc = on->loc;
	loc_line(loc, &line, &col, NULL);
	vec_apush(c->arena, &p->passed,
		  arena_printf(c->arena, "%s: %s (%s, line %u)", on->host.text, why, loc.src->name,
			       line));
}

/*
 * Uses group @on if all its hooks exist, with the members and arguments that the group's
 * expressions read. Otherwise returns -1, with the reason in @why. @why stays NULL if a hook of
 * replay does not exist, because users do not know these hooks.
 */
static int try_group(struct compiler *c, struct probe *p, const struct hook_on *on,
		     const char **why)
{
	const struct hook_on *group = derive_group(c, on, why);
	VEC(struct hook_use) hooks = {0};

	if (!group) {
		if (!c->opt->replay)
			pass_over(c, p, on, arena_printf(c->arena, "this kernel lacks %s", *why),
				  on->loc);
		return -1;
	}
	for (on = group; on; on = on->next) {
		const struct host_provider *prov = probe_provider(on->host.field[PD_PROV]);
		struct host_probe *h = host_find(c, &on->host);
		struct hook_use use = {0};
		struct attempt a;

		if (!h) {
			if (prov && !prov->missing)
				return -1;
			if (prov && prov->lacks)
				*why = prov->lacks(&c->probes->env, on->host.field[PD_FUNC]);
			if (!*why)
				*why = arena_printf(c->arena, "%s %s",
						    prov ? prov->missing : "the provider",
						    on->host.field[prov ? PD_NAME : PD_PROV]);
			if (!c->opt->replay)
				pass_over(c, p, on,
					  arena_printf(c->arena, "this kernel lacks %s", *why),
					  on->loc);
			return -1;
		}
		attempt_begin(&a, c);
		if (sema_hook(&a.c, p, on, h, &use)) {
			*why = arena_printf(c->arena, "%s in the form that dtrace expects: %s",
					    on->host.text, a.d.msg);
			if (!c->opt->replay || h->hook.of_replay)
				pass_over(c, p, on, a.d.msg, a.d.loc);
			attempt_end(&a);
			return -1;
		}
		attempt_end(&a);
		vec_apush(c->arena, &hooks, use);
	}
	p->group = group;
	p->hook = hooks.v;
	p->nhook = (uint32_t)hooks.n;
	return 0;
}

/*
 * Type-checks the process filter for host probe @p. An error is not reported, because the filter
 * was checked when it was loaded.
 */
static void filter_host(struct compiler *c, struct probe *p)
{
	struct typing t = {.host = p->hook->host};
	struct compiler in = typing_in(c, &t);

	if (p->hook->filter)
		return;
	p->hook->filter = probe_filter(c, p, NOLOC);
	if (p->hook->filter && sema_expr(&in, p->hook->filter))
		p->hook->filter = NULL;
}

static void resolve_host(struct compiler *c, struct probe *p)
{
	p->hook = p->family ? p->family->use : arena_new(c->arena, struct hook_use);
	p->hook->host = p->hook->host ? p->hook->host : p->host;
	p->nhook = 1;
	filter_host(c, p);
	note_host(c, p);
}

void probe_resolve(struct compiler *c, struct probe *p)
{
	if (p->resolved)
		return;
	p->resolved = true;
	if (p->host) {
		resolve_host(c, p);
		return;
	}
	if (p->family && p != p->family->first) {
		resolve_member(c, p);
		return;
	}
	declare(c, p);
	if (!p->deriv && p->deriv_item != NO_ITEM)
		c->names->undeclared.item(c->names->undeclared.ctx, p->deriv_item);
	for (uint32_t i = 0; p->deriv && i < p->deriv->ngroup; i++) {
		const char *why = NULL;

		if (!try_group(c, p, p->deriv->group[i], &why))
			return;
		if (!p->missing)
			p->missing = why;
	}
	if (!p->missing)
		p->missing = "a hook for this event";
}
