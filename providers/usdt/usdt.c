/*
 * usdt.c - static probes of running programs (USDT): PROVIDERpid:module:function:name.
 *
 * The ELF notes of a program or library describe its probes. A probe is a uprobe in a file that a
 * process has mapped. Some programs prepare a probe's arguments only if a counter in their memory,
 * the semaphore, is not 0. The kernel increments the semaphore while the probe is enabled.
 *
 * The provider NAME* means all processes. One probe then stands for all processes that have mapped
 * the file, including later ones.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "procinfo/symbols.h"
#include "providers/pid/objects.h"
#include "providers/provider.h"

/*
 * An ELF note of a file, which describes a static probe. Each process that has mapped the file has
 * a probe for the note.
 */
struct usdt_note {
	const char *prov, *name;
	uint64_t at, semaphore;
	struct arg_location *place;
	uint32_t nplace;
};

/*
 * Maximum number of notes of a file, because each note stays in memory. Programs have up to a
 * thousand.
 */
#define PROBES_MAX 65536

/*
 * Maximum number of rows of struct late_arg. Each row uses 240 bytes of the program's global
 * variables.
 */
#define ROWS_MAX (256 * AWAITED_PLACES)

/* A file and its notes. The file is read only once. */
struct usdt_file {
	uint64_t dev, inode;
	VEC(struct usdt_note) note; /* without duplicates */
	/* probes that stand for all processes, indexed by note; NULL if not created yet */
	struct host_probe **wide;
	uint32_t walk; /* number of the last search that visited the file */
	struct usdt_file *next;
};

struct search {
	struct host_env *env;
	const struct probe_want *want;
	void (*fn)(void *ctx, struct host_probe *p);
	void *ctx;
	struct objects *os;
	struct object *object;
	bool found;
};

/* ---------------------------------------------------------------------- notes */

struct reading {
	struct host_env *env;
	struct usdt_file *file;
	uint32_t *slot; /* hash table: 1 + the index of a note, or 0 for a free entry */
	size_t nslot;   /* size of the table: a power of two, at least twice the number of notes */
	bool full;      /* there are more than PROBES_MAX notes */
};

/* Returns the probe name that the name in a note stands for: query-start for query__start. */
static const char *name_of(struct host_env *e, const char *text)
{
	const char *safe = objects_name(e, text, strlen(text));
	char *name = arena_strdup(e->arena, safe), *to = name;

	for (const char *s = safe; *s; s++) {
		bool dash = s[0] == '_' && s[1] == '_';

		*to++ = dash ? '-' : *s;
		s += dash;
	}
	*to = '\0';
	return intern(e->names, name);
}

/* Returns the note's entry in the hash table, or the free entry where the note belongs. */
static uint32_t *slot_of(const struct reading *r, const struct usdt_note *n)
{
	const uint64_t key[] = {(uintptr_t)n->prov, (uintptr_t)n->name, n->at};

	for (size_t i = hash_bytes(key, sizeof(key));; i++) {
		uint32_t *slot = &r->slot[i & (r->nslot - 1)];
		const struct usdt_note *there = *slot ? &r->file->note.v[*slot - 1] : NULL;

		if (!there ||
		    (there->prov == n->prov && there->name == n->name && there->at == n->at))
			return slot;
	}
}

static void grow_table(struct reading *r)
{
	r->nslot = r->nslot ? r->nslot * 2 : 64;
	xfree(r->slot);
	r->slot = xcalloc(r->nslot, sizeof(*r->slot));
	for (size_t i = 0; i < r->file->note.n; i++)
		*slot_of(r, &r->file->note.v[i]) = (uint32_t)i + 1;
}

static void add_note(void *ctx, const struct symbol_note *n)
{
	struct reading *r = ctx;
	struct arg_location *place;
	struct usdt_note u;
	uint32_t *slot;

	r->full |= r->file->note.n == PROBES_MAX;
	if (r->full)
		return;
	if (r->file->note.n * 2 >= r->nslot)
		grow_table(r);
	u = (struct usdt_note){objects_name(r->env, n->prov, strlen(n->prov)),
			       name_of(r->env, n->name),
			       n->at,
			       n->semaphore,
			       NULL,
			       0};
	slot = slot_of(r, &u);
	if (*slot)
		return;
	place = arena_newn(r->env->arena, struct arg_location, n->nplace + 1);
	memcpy(place, n->place, n->nplace * sizeof(*place));
	u.place = place;
	u.nplace = n->nplace;
	vec_apush(r->env->arena, &r->file->note, u);
	*slot = (uint32_t)r->file->note.n;
}

/*
 * Reads the notes of a file. Warnings omit the file's name, because the owner of the process chose
 * it.
 */
static void read_file(struct host_env *e, pid_t pid, const struct object *o, struct usdt_file *f)
{
	struct symbol_file *symbols = object_symbols(o);
	struct reading r = {.env = e, .file = f};

	if (symbols)
		symbols_notes(symbols, add_note, &r);
	xfree(r.slot);
	if (r.full)
		vec_apush(e->arena, &e->warning,
			  arena_printf(e->arena,
				       "a file mapped by process %d has more than %d static "
				       "probes: the others are left out",
				       pid, PROBES_MAX));
}

static struct usdt_file *file_of(struct host_env *e, pid_t pid, const struct object *o)
{
	struct usdt_file *f;

	for (f = e->usdt_files; f; f = f->next)
		if (f->dev == o->dev && f->inode == o->inode)
			return f;
	f = arena_new(e->arena, struct usdt_file);
	f->dev = o->dev;
	f->inode = o->inode;
	f->next = e->usdt_files;
	e->usdt_files = f;
	read_file(e, pid, o, f);
	return f;
}

/* --------------------------------------------------------------------- probes */

/* Returns the name of the function that contains the note's instruction, or "". */
static const char *function_of(struct search *s, const struct usdt_note *n)
{
	const struct object_function *f;

	object_read(s->env, s->object);
	f = object_function_at(s->object, n->at - s->object->off + s->object->from);
	return f ? f->name : "";
}

static struct host_probe *make_at(struct search *s, struct attach_point at, const char *prov,
				  const char *mod, const char *func, const char *name)
{
	struct host_probe *p = arena_new(s->env->arena, struct host_probe);

	*p = (struct host_probe){ID_PROCESS_INSIDE + s->env->inside_ids++,
				 prov,
				 mod,
				 func,
				 name,
				 {0}};
	p->hook = (struct hook){
		.kind = HOOK_UPROBE,
		.target = "usdt:::",
		.point = at,
		.many = true,
		.plain = true,
		.args_at.placed = true,
		.gated = true,
		.in_turn = true,
		.by_task = true,
		.stack.kind = STACK_OF_SAMPLE,
	};
	return p;
}

static struct host_probe *make(struct search *s, const struct usdt_note *n, const char *prov,
			       pid_t pid)
{
	struct attach_point at = {.addr = n->at,
				  .file = object_link(s->env, s->object),
				  .pid = pid,
				  .semaphore = n->semaphore};
	struct host_probe *p = make_at(s, at, prov, s->object->name, function_of(s, n), n->name);
	const struct symbol_file *file = object_symbols(s->object);

	if (n->semaphore == SEMAPHORE_BEYOND) {
		p->hook.point.semaphore = 0;
		vec_apush(s->env->arena, &s->env->warning,
			  arena_printf(s->env->arena,
				       "%s:%s:%s:%s cannot be turned on: its counter of tracers "
				       "is in memory that is not mapped from the file",
				       prov, p->mod, p->func, n->name));
	}
	p->hook.args_at.place = n->place;
	p->hook.args_at.nplace = n->nplace;
	p->hook.args_at.foreign = !pid && !(file && symbols_by_root(file));
	return p;
}

static void give(struct search *s, struct host_probe *p)
{
	if (!glob_match(s->want->func, p->func))
		return;
	s->found = true;
	s->fn(s->ctx, p);
}

static struct host_probe **by_note(struct search *s, const struct usdt_file *f)
{
	return arena_newn(s->env->arena, struct host_probe *, f->note.n);
}

/* Calls s->fn with the probe of note @i for this process. */
static void of_process(struct search *s, const struct usdt_file *f, size_t i)
{
	const struct usdt_note *n = &f->note.v[i];
	const char *prov = intern(s->env->names,
				  arena_printf(s->env->arena, "%s%d", n->prov, s->os->pid));
	struct object *o = s->object;

	if (!glob_match(s->want->prov, prov))
		return;
	if (!o->noted)
		o->noted = by_note(s, f);
	if (!o->noted[i])
		o->noted[i] = make(s, n, prov, s->os->pid);
	give(s, o->noted[i]);
}

/*
 * Returns whether the provider in the description means @prov in all processes: it matches @prov
 * followed by any process ID. Tries it with some IDs.
 */
static bool means_all(struct search *s, const char *prov)
{
	static const char *const some[] = {"1", "29", "386", "4057"};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (!glob_match(s->want->prov, arena_printf(s->env->arena, "%s%s", prov, some[i])))
			return false;
	return true;
}

/* Calls s->fn once, with the one probe of note @i for all processes, including later ones. */
static void of_all(struct search *s, struct usdt_file *f, size_t i)
{
	const struct usdt_note *n = &f->note.v[i];

	if (!f->wide)
		f->wide = by_note(s, f);
	if (!f->wide[i])
		f->wide[i] = make(s, n,
				  intern(s->env->names,
					 arena_printf(s->env->arena, "%s*", n->prov)),
				  0);
	give(s, f->wide[i]);
}

static void in_object(struct search *s)
{
	struct usdt_file *f = file_of(s->env, s->os->pid, s->object);
	bool again = f->walk == s->env->usdt_walks;

	for (size_t i = 0; i < f->note.n; i++) {
		const struct usdt_note *n = &f->note.v[i];

		if (!glob_match(s->want->name, n->name))
			continue;
		if (!means_all(s, n->prov))
			of_process(s, f, i);
		else if (!again)
			of_all(s, f, i);
	}
	f->walk = s->env->usdt_walks;
}

static void in_process(struct search *s, pid_t pid)
{
	s->os = objects_of(s->env, pid);
	for (size_t i = 0; s->os && i < s->os->v.n; i++) {
		s->object = &s->os->v.v[i];
		if (object_is(s->object, s->want->mod))
			in_object(s);
	}
}

/* ------------------------------------------------------------------ processes */

static void in_all(struct search *s)
{
	DIR *dir = s->env->only ? NULL : opendir("/proc");
	struct dirent *e;

	if (s->env->only)
		in_process(s, s->env->only);
	while (dir && (e = readdir(dir)))
		if (isdigit((unsigned char)*e->d_name))
			in_process(s, atoi(e->d_name));
	if (dir)
		closedir(dir);
}

/*
 * Searches the processes that a provider's name may mean: "tcl86123" may be in process 86123, 6123,
 * 123, 23 or 3.
 */
static void in_named(struct search *s, const char *prov)
{
	const char *digits = prov + strlen(prov);

	while (digits > prov && isdigit((unsigned char)digits[-1]))
		digits--;
	for (; *digits; digits++)
		if (*digits != '0' && strlen(digits) <= 9)
			in_process(s, atoi(digits));
}

/* ------------------------------------------------------------------ files mapped later */

/*
 * Returns whether the description may match a static probe later. Its provider must be NAME* or
 * contain no pattern, as in NAME1234, and its probe name must not be a pattern. Other patterns may
 * be meant for other providers.
 */
static bool can_come(const struct probe_want *w)
{
	size_t n = strcspn(w->prov, "*?[\\");

	return n && (!w->prov[n] || !strcmp(w->prov + n, "*")) && *w->name &&
	       !glob_is_pattern(w->name);
}

/*
 * Adds a probe for files that are mapped later. Reserves rows of struct late_arg for the locations
 * of the probe's arguments.
 */
static void give_awaited(struct search *s)
{
	struct host_env *e = s->env;
	const struct probe_want *w = s->want;
	struct attach_point at = {.file = "", .awaited = (uint32_t)e->awaited.n + 1};
	struct awaited a = {.want = *w, .provider = &provider_usdt, .row = e->rows},
		       *known = host_awaited(e, w);

	if (known) {
		s->fn(s->ctx, known->probe);
		return;
	}
	if (e->rows == ROWS_MAX) {
		vec_apush(
			e->arena, &e->warning,
			arena_printf(e->arena,
				     "%s:%s:%s:%s matches nothing yet and is left out: at most %d "
				     "descriptions can wait for static probes",
				     w->prov, w->mod, w->func, w->name, ROWS_MAX / AWAITED_PLACES));
		return;
	}
	e->rows += AWAITED_PLACES;
	a.probe = make_at(s, at, w->prov, w->mod, w->func, w->name);
	vec_apush(e->arena, &e->awaited, a);
	s->fn(s->ctx, a.probe);
}

/* ------------------------------------------------------------------------- provider */

/* Visits the static probes that match. Does nothing if static probes are impossible here. */
static int usdt_each(struct host_env *e, const struct probe_want *w,
		     void (*fn)(void *ctx, struct host_probe *p), void *ctx, struct diag *d)
{
	struct search s = {.env = e, .want = w, .fn = fn, .ctx = ctx};

	if (e->replay || !e->uprobes || e->uprobes())
		return 0;
	if (!symbols_start(d))
		return -1;
	e->usdt_walks++;
	if (glob_is_pattern(w->prov))
		in_all(&s);
	else
		in_named(&s, w->prov);
	if (!s.found && e->await && can_come(w))
		give_awaited(&s);
	return 0;
}

/* Returns whether @prov is a name and digits, or a pattern that begins with a letter. */
static bool usdt_is(const char *prov)
{
	size_t n = strlen(prov);

	if (glob_is_pattern(prov))
		return isalpha((unsigned char)*prov);
	return n && isdigit((unsigned char)prov[n - 1]) && !provider_pid.is(prov);
}

static const struct provider_stability stability = {
	{EVOLVING_ISA, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, EVOLVING_ISA, EVOLVING_ISA}};

const struct host_provider provider_usdt = {
	.name = "usdt",
	.stability = &stability,
	.is = usdt_is,
	.each_wanted = usdt_each,
};
