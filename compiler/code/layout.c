/*
 * layout.c - lays out the maps of a program, and decides where variables and aggregations are kept.
 */
#include "compiler/code/layout.h"

#include <stdbool.h>
#include <string.h>

#include "agg/agg.h"
#include "compiler/code/aggmaps.h"
#include "compiler/code/memory/keys.h"
#include "compiler/code/memory/socket_table.h"
#include "compiler/code/memory/trust.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/probes/socket_at.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/area.h"
#include "ir/program.h"
#include "ir/table.h"
#include "ir/types/type.h"

/* ------------------------------------------------- string classes, again */

struct reclass {
	struct compiler *c;
	bool changed;
};

static void widen(struct reclass *r, struct strclass *cls, const struct expr *e)
{
	struct strclass u = str_union(*cls, str_class(r->c, e));

	if (u.forms != cls->forms || u.size != cls->size || u.text != cls->text ||
	    u.nlit != cls->nlit) {
		*cls = u;
		r->changed = true;
	}
}

static void reclass_expr(struct reclass *r, const struct expr *e)
{
	const struct var *v;
	const struct agg *a;

	if (!e)
		return;
	if (e->kind == E_IDENT && e->symkind == SYM_BOUND) {
		reclass_expr(r, e->ref.bound);
		return;
	}
	reclass_expr(r, e->a);
	reclass_expr(r, e->b);
	reclass_expr(r, e->c);
	for (uint32_t i = 0; i < e->narg; i++)
		reclass_expr(r, e->arg[i]);
	if (e->kind == E_ASSIGN && e->a->symkind == SYM_VAR && type_is(e->a->type, T_STRING))
		widen(r, &e->a->ref.var->cls, e->b);
	if (e->kind == E_INDEX && e->symkind == SYM_VAR) {
		v = e->ref.var;
		for (uint32_t i = 0; i < v->nkey; i++)
			if (type_is(v->key[i], T_STRING))
				widen(r, &v->key_class[i], e->arg[i]);
	}
	if (e->kind == E_AGG && e->symkind == SYM_AGG && e->narg) {
		a = e->ref.agg;
		for (uint32_t i = 0; i < a->nkey; i++)
			if (type_is(a->key[i], T_STRING))
				widen(r, &a->key_class[i], e->arg[i]);
	}
}

static void reclass_stmt(void *ctx, struct stmt *s)
{
	reclass_expr(ctx, s->expr);
}

static void note_names(struct compiler *c, const struct probe *p)
{
	const char *const name[] = {p->prov, p->mod, p->func, p->name};

	for (unsigned i = 0; i < 4; i++)
		if (strlen(name[i]) + 1 > c->wants->name_room)
			c->wants->name_room = (uint32_t)strlen(name[i]) + 1;
}

/*
 * Computes string classes (the forms that a string may have) again and again until none changes. A
 * key may have used the class of a variable before this class grew.
 */
static void reclass(struct compiler *c)
{
	struct reclass r = {.c = c};

	for (struct enabling *en = c->probes->enablings; en; en = en->next)
		for (uint32_t i = 0; i < en->nprobe; i++)
			note_names(c, en->probe[i]);
	do {
		r.changed = false;
		for (struct enabling *en = c->probes->enablings; en; en = en->next) {
			reclass_expr(&r, en->pred);
			stmt_each(en->body, reclass_stmt, &r);
		}
	} while (r.changed);
	c->wants->classes_known = true;
}

/* -------------------------------------------------------------------- maps */

static int add_map(struct compiler *c, struct layout *l, enum map_kind kind, const char *name,
		   uint32_t key_size, uint32_t value_size, uint32_t max)
{
	struct map_def m = {.kind = kind,
			    .name = name,
			    .key_size = key_size,
			    .value_size = value_size,
			    .max_entries = max};

	vec_apush(c->arena, &l->map, m);
	return (int)l->map.n - 1;
}

int layout_hash(struct compiler *c, struct layout *l, enum map_kind kind, const char *prefix,
		const char *name, uint32_t key_size, uint32_t value_size, uint32_t max)
{
	return add_map(c, l, kind, arena_printf(c->arena, "%s%.13s", prefix, name), key_size,
		       value_size, max);
}

uint32_t layout_table(struct compiler *c, struct layout *l)
{
	if (!l->tables)
		l->wake = (uint32_t)add_map(c, l, MAP_WAKE, "wake", 0, 0, 0);
	return l->tables++;
}

/*
 * Maximum number of keys of an array of the library. A full array drops the key that was not used
 * for the longest time. This is no error, because the library treats the value of a dropped key as
 * unknown.
 */
#define LIB_KEYS 65536

/*
 * Places a global struct or array of the program in the MAP_GLOBAL value. These variables are side
 * by side, so that one test tells whether a pointer points to one of them (writable_mem()).
 */
static void layout_memory(struct layout *l, struct var *v)
{
	if (v->lib || var_in_map(v) || v->scope != DECL_GLOBAL || !var_in_memory(v))
		return;
	v->size = (type_strip(v->type)->size + 7) & ~7u;
	v->off = (int32_t)l->global_size;
	l->global_size += v->size;
	l->mem_size += v->size;
}

/* --------------------------------------------------- kept with the thread */

/* Returns whether the type and kind of variable @v allow task storage. */
static bool fits_task(const struct compiler *c, const struct var *v)
{
	return c->target->task_storage && v->scope == DECL_SELF && !v->assoc && !v->lib &&
	       v->assigned && !var_in_memory(v) && !type_is(v->type, T_STRING);
}

static void not_with_task(const struct expr *e)
{
	if (!e)
		return;
	if (e->kind == E_IDENT && e->symkind == SYM_BOUND) {
		not_with_task(e->ref.bound);
		return;
	}
	if (e->symkind == SYM_VAR)
		e->ref.var->with_task = false;
	not_with_task(e->a);
	not_with_task(e->b);
	not_with_task(e->c);
	for (uint32_t i = 0; i < e->narg; i++)
		not_with_task(e->arg[i]);
}

static void not_with_task_stmt(void *ctx, struct stmt *s)
{
	(void)ctx;
	not_with_task(s->expr);
}

/*
 * Returns whether all hooks of the clause allow task storage. ERROR's clauses run at any hook, so
 * they allow task storage only if all hooks do (@all).
 */
static bool reaches_task(const struct enabling *en, bool all)
{
	for (uint32_t i = 0; i < en->nprobe; i++) {
		const struct probe *p = en->probe[i];

		for (uint32_t k = 0; k < p->nhook; k++)
			if (!trust_storage(&p->hook[k]) ||
			    (p->hook[k].host->hook.run == RUN_ERROR && !all))
				return false;
	}
	return true;
}

/*
 * Decides which variables are in task storage: every use of the variable must be at a hook that
 * allows task storage.
 */
static void choose_with_task(struct compiler *c)
{
	bool all = true;

	for (struct var *v = c->names->vars; v; v = v->next)
		v->with_task = fits_task(c, v);
	for (struct enabling *en = c->probes->enablings; en; en = en->next)
		all &= reaches_task(en, true);
	for (struct enabling *en = c->probes->enablings; en; en = en->next)
		if (!reaches_task(en, all)) {
			not_with_task(en->pred);
			stmt_each(en->body, not_with_task_stmt, NULL);
		}
}

/*
 * Places @v in task storage. One map has all variables in task storage, because clauses often use
 * several of them.
 */
static void layout_with_task(struct compiler *c, struct layout *l, struct var *v)
{
	if (!l->task_map)
		l->task_map = add_map(c, l, MAP_TASK, "self", 4, 0, 0);
	v->map = l->task_map;
	v->off = (int32_t)l->map.v[v->map].value_size;
	l->map.v[v->map].value_size += 8;
}

/*
 * Places @v, an array whose key is a socket, in the memory of each socket, after the other arrays
 * of this kind.
 */
static void layout_with_socket(struct compiler *c, struct layout *l, struct var *v)
{
	if (!l->socket_map)
		l->socket_map = add_map(c, l, MAP_SOCKET, "sockets", 4, 0, 0);
	v->with_socket = true;
	v->map = l->socket_map;
	v->off = (int32_t)l->map.v[v->map].value_size;
	l->map.v[v->map].value_size += v->size;
}

/* number of slots for sockets; with 10,000 sockets, 15 % of them find their slot in use */
#define SOCKET_SLOTS 65536

/*
 * Adds the table of sockets (memory/socket_table.h). With -x maps=kernel, nearly all sockets use
 * the kernel's storage.
 */
static void add_socket_table(struct compiler *c, struct layout *l)
{
	uint32_t value = l->map.v[l->socket_map].value_size;

	l->socket_slots = c->opt->arena_maps ? SOCKET_SLOTS : 1;
	l->socket_table = add_map(c, l, MAP_GLOBAL, "socket_table", 4,
				  socket_table_size(l->socket_slots, value), 1);
}

/* maximum number of keys of a hash whose elements the kernel allocates when it makes the hash */
#define PREALLOC_VARS 8192

/*
 * Adds the hash of a variable. A check word follows each value, except in replay
 * (compiler/code/memory/vars.c).
 */
static int var_map(struct compiler *c, struct layout *l, const struct var *v, enum map_kind kind,
		   const char *prefix, uint32_t max_keys)
{
	uint32_t value_size = v->size + (c->opt->replay ? 0 : sizeof(uint64_t));
	int map = layout_hash(c, l, kind, prefix, v->name, v->key_size, value_size, max_keys);

	l->map.v[map].prealloc = !c->opt->replay && max_keys <= PREALLOC_VARS;
	return map;
}

static void layout_var(struct compiler *c, struct layout *l, struct var *v, uint32_t max_keys)
{
	if (!var_is_kept(v) || v->off)
		return;
	v->size = type_is(v->type, T_STRING) ? (str_var_class(v).size + 7) & ~7u
		  : var_in_memory(v)         ? (type_strip(v->type)->size + 7) & ~7u
					     : 8;
	if (var_in_memory(v) && v->size > l->zeros && (var_in_map(v) || v->scope == DECL_THIS))
		l->zeros = v->size;
	if (socket_is_key(v)) {
		layout_with_socket(c, l, v);
	} else if (v->assoc) {
		/*
		 * Equal keys must have equal bytes, so a string that may have different bytes for
		 * the same text is stored as text. If an array is never used, the class of its
		 * strings has no form at all; these strings are text, too.
		 */
		for (uint32_t i = 0; i < v->nkey; i++)
			if (type_is(v->key[i], T_STRING) &&
			    (!v->key_class[i].forms || !str_is_exact(v->key_class[i])))
				v->key_class[i] = str_as_text(v->key_class[i]);
		v->key_size = key_layout(v->key, v->key_class, v->nkey,
					 v->scope == DECL_SELF ? 8 : 0, NULL);
		v->map = v->lib ? var_map(c, l, v, MAP_LRU_HASH, "l_", LIB_KEYS)
				: var_map(c, l, v, MAP_HASH, "v_", max_keys);
	} else if (v->with_task) {
		layout_with_task(c, l, v);
	} else if (v->scope == DECL_SELF) {
		v->key_size = 8;
		v->map = var_map(c, l, v, MAP_HASH, "s_", max_keys);
	} else if (v->scope == DECL_GLOBAL) {
		v->off = (int32_t)l->global_size;
		l->global_size += v->size;
	}
}

int layout_percpu_full(struct compiler *c)
{
	return diag_error(c->d, D_LIMIT, NOLOC,
			  "aggregations without a key and counters of programs need more than the "
			  "%u bytes that the kernel allows on each CPU: give some of these "
			  "aggregations a key, or use fewer probes",
			  PERCPU_MAX);
}

static void layout_agg(struct compiler *c, struct layout *l, const struct agg *a)
{
	struct agg_info *ai = &l->agg[a->index];

	*ai = (struct agg_info){.index = a->index,
				.name = a->name,
				.map = -1,
				.kind.fn = a->fn->fn};
	memcpy(ai->kind.param, a->param, sizeof(ai->kind.param));
	ai->kind.value_size = (a->fn->size(ai->kind.param) + 7) & ~7u;
	ai->nkey = a->nkey;
	if (a->nkey) {
		ai->key = arena_newn(c->arena, struct field, a->nkey);
		ai->key_size = key_layout(a->key, a->key_class, a->nkey, 4, ai->key);
		for (uint32_t i = 0; i < a->nkey; i++)
			ai->key[i].label = a->key_label[i];
	} else {
		ai->off = l->percpu_size;
		l->percpu_size += ai->kind.value_size;
	}
	if (c->opt->replay)
		return;
	if (ai->kind.value_size > PERCPU_MAX)
		diag_error(c->d, D_LIMIT, NOLOC,
			   "@%s( ): a value needs %u bytes, but the kernel allows at most %u",
			   a->fn->name, ai->kind.value_size, PERCPU_MAX);
	else if (l->percpu_size > PERCPU_MAX)
		layout_percpu_full(c);
}

void layout_make(struct compiler *c, struct layout *l, const struct room *room)
{
	reclass(c);
	l->ncpu = room->ncpu;
	l->global_size = (GLOBAL_GEN_OFF + 4 * c->names->nagg + 7) & ~7u;
	l->percpu_size = sizeof(struct percpu);
	add_map(c, l, MAP_GLOBAL, "global", 4, 0, 1);
	add_map(c, l, MAP_PERCPU, "percpu", 4, 0, 1);
	add_map(c, l, MAP_RING, "records", 0, 0, 0);
	if (c->wants->chills)
		l->chill_map = add_map(c, l, MAP_GLOBAL, "chill", 4, CHILL_ACCOUNTS + CHILL_MEMORY,
				       1);
	l->agg = arena_newn(c->arena, struct agg_info, c->names->nagg);
	for (struct agg *a = c->names->aggs; a; a = a->next)
		layout_agg(c, l, a);
	agg_maps(c, l, room);
	l->mem_off = l->global_size;
	l->mem_size = 0;
	choose_with_task(c);
	for (struct var *v = c->names->vars; v; v = v->next)
		layout_memory(l, v);
	for (struct var *v = c->names->vars; v; v = v->next)
		layout_var(c, l, v, room->var_keys);
	if (l->socket_map)
		add_socket_table(c, l);
	if (c->wants->speculates) {
		l->spec_off = l->global_size;
		l->global_size += 8 * (opts_nspec(c->opt) + 1);
	}
	l->zeros_off = l->global_size;
	l->global_size += l->zeros;
}

/*
 * Bytes of the MAP_PERCPU value that are kept free for units (eBPF programs) that are cut into
 * parts, because each of up to 32 parts may need busy words (unit_split()).
 */
#define PARTS_ROOM (32 * AREA_BUSY)

void layout_place_area(struct compiler *c, struct layout *l, uint32_t size, int *map, uint32_t *off)
{
	if (c->opt->replay || l->percpu_size + size + PARTS_ROOM <= PERCPU_MAX) {
		*map = MAP_ID_PERCPU;
		*off = l->percpu_size;
		l->percpu_size += size;
		return;
	}
	if (!l->area_map || l->map.v[l->area_map].value_size + size > PERCPU_MAX)
		l->area_map = add_map(c, l, MAP_PERCPU, "scratch", 4, 0, 1);
	*map = l->area_map;
	*off = l->map.v[l->area_map].value_size;
	l->map.v[l->area_map].value_size += size;
}

void layout_forget_area(struct layout *l, int map, uint32_t size)
{
	if (map == MAP_ID_PERCPU)
		l->percpu_size -= size;
	else
		l->map.v[map].value_size -= size;
}

int layout_carry(struct compiler *c, struct layout *l, uint32_t size, uint32_t n)
{
	int map = add_map(c, l, MAP_HASH, "carry", 8, size, n);

	/* Entries are preallocated, because programs at some hooks cannot allocate memory. */
	l->map.v[map].prealloc = true;
	return map;
}

void layout_finish(struct layout *l)
{
	l->map.v[MAP_ID_GLOBAL].value_size = l->global_size;
	l->map.v[MAP_ID_PERCPU].value_size = (l->percpu_size + 7) & ~7u;
}
