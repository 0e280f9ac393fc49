/*
 * enable.c - enables the probes that the clauses of a program describe.
 */
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/vec.h"
#include "compiler/allowed.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/probes/attrs.h"
#include "compiler/meaning/probes/derive.h"
#include "compiler/meaning/probes/filter.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/names/args.h"
#include "compiler/meaning/typing/order.h"
#include "compiler/meaning/typing/stmt.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/session.h"
#include "compiler/syntax/ast.h"

/*
 * Maximum number of probes that one description may match. Probes of a family, such as system
 * calls, do not count: they share one eBPF program.
 */
#define MAX_PROBES 4096

struct matched {
	struct session *s;
	VEC(struct probe *) v;
	VEC(struct probe *) missing; /* matching probes that this kernel or replay does not have */
	/* number of probes in @v that share their eBPF program with no other probe */
	size_t alone;
	size_t unfiltered; /* number of probes in @v to which no filter applies */
	bool exact;
	const struct probe_desc *desc;
};

static bool is_exact(const struct probe_desc *d)
{
	return d->id ||
	       (*d->field[PD_PROV] && *d->field[PD_NAME] && !glob_is_pattern(d->field[PD_PROV]) &&
		!glob_is_pattern(d->field[PD_NAME]));
}

static void absent(struct compiler *c, const struct probe *p, struct loc loc)
{
	if (c->opt->replay)
		diag_error(c->d, D_HOOK_NONE, loc,
			   "probe %s:::%s does not exist in replay: captures do not "
			   "have its data",
			   p->prov, p->name);
	else
		diag_error(c->d, D_HOOK_NONE, loc,
			   "probe %s:::%s does not exist on this kernel: it lacks %s", p->prov,
			   p->name, p->missing);
}

/*
 * Warns that probe @p is left out, once for each probe. In replay all such probes share one
 * warning, because the reason is the same, and with -x noskips there is none.
 */
static void leave_out(struct session *s, struct probe *p, const char *why)
{
	struct arena *a = s->c.arena;
	const char *text;

	if (p->left_out)
		return;
	p->left_out = true;
	if (s->c.opt->replay && s->c.opt->noskips)
		return;
	if (s->skipped) {
		const char **skipped = &s->warning.v[s->skipped - 1];

		*skipped = arena_printf(a, "%s, %s:::%s", *skipped, p->prov, p->name);
		return;
	}
	if (s->c.opt->replay)
		text = arena_printf(a, "skipped: not available in a capture: %s:::%s", p->prov,
				    p->name);
	else
		text = arena_printf(a, "probe %s:::%s was left out: %s", p->prov, p->name, why);
	vec_apush(a, &s->warning, text);
	if (s->c.opt->replay)
		s->skipped = s->warning.n;
}

/*
 * Returns which events of probe @from the filters leave out because they lack what the filters
 * test. Returns NULL if they leave out none.
 */
static const char *leaves_out(struct session *s, const struct probe *from)
{
	struct arena *a = s->c.arena;

	if (s->o.packet_filter && !probe_has_packet(from, false))
		return "has no packet, so -x filter matches nothing there; -x port= and addr= test "
		       "its connection";
	if (s->o.filter_owner && !probe_has_owner(from))
		return arena_printf(a,
				    "cannot identify the owning process, so -x %s matches nothing "
				    "there",
				    s->o.filter_owner);
	if (s->o.packet_filter && !probe_has_packet(from, true))
		return "fires without a packet, too, and -x filter leaves out these events";
	if (s->o.filter_ends && !probe_has_ends(from, s->o.replay ? "" : s->o.filter_ends))
		return arena_printf(a,
				    "has no packet, so -x %s leaves out events of sockets that are "
				    "not connected",
				    s->o.filter_ends);
	return NULL;
}

/*
 * Notes that probe @p is filtered, if a filter applies to it or to the probe that it derives from.
 * Records an error if this probe lacks a native argument (an argument before translation) that the
 * filter needs. Warns if the filters leave out events, or if none applies to @p, which a quiet text
 * is assumed to know.
 */
static void note_filter(struct matched *m, struct probe *p)
{
	struct session *s = m->s;
	const struct probe *from = s->c.probes->filters ? derive_filtered(&s->c, p) : NULL;
	bool of_process = s->c.probes->task_filters && probe_is_of_process(p);
	const char *lacks, *out = NULL;

	s->filtered |= of_process || from;
	if (from && (lacks = probe_filter_lacks(&s->c, from)))
		diag_error(s->c.d, D_UNSUPPORTED, m->desc->loc,
			   "%s:::%s cannot be filtered (-x port=, addr= ...): it does not declare "
			   "%s among its native arguments",
			   p->prov, p->name, lacks);
	else if (from)
		out = leaves_out(s, from);
	else if (s->c.probes->filters && !of_process && strcmp(p->prov, "dtrace") != 0 &&
		 strncmp(p->name, "tick-", 5) != 0 && !text_is_quiet(s, m->desc->loc) &&
		 !m->unfiltered++)
		vec_apush(s->c.arena, &s->warning,
			  arena_printf(s->c.arena,
				       "no filter applies to %s, so all its events count",
				       m->desc->text));
	if (!out || p->left_out)
		return;
	p->left_out = true;
	vec_apush(s->c.arena, &s->warning,
		  arena_printf(s->c.arena, "%s:::%s %s", p->prov, p->name, out));
}

const char *desc_full_text(struct compiler *c, const struct probe_desc *desc)
{
	if (desc->id)
		return desc->text;
	return arena_printf(c->arena, "%s:%s:%s:%s", desc->field[PD_PROV], desc->field[PD_MOD],
			    desc->field[PD_FUNC], desc->field[PD_NAME]);
}

/* Returns whether -x probes allows probe @p. If not, records the error. */
static bool is_allowed(struct matched *m, const struct probe *p)
{
	const struct allowed *a = m->s->o.allowed;

	if (!a || m->desc->elsewhere || allowed_probe(a, p))
		return true;
	diag_error(m->s->c.d, D_PDESC_INVAL, m->desc->loc,
		   "clause %s would enable probe %s:%s:%s:%s, which is not in the list "
		   "of allowed probes (%s)",
		   desc_full_text(&m->s->c, m->desc), p->prov, p->mod, p->func, p->name,
		   allowed_path(a));
	return false;
}

/*
 * Adds a probe that matches the description. A probe that does not exist here causes a warning. It
 * is an error if the description names only this probe, and -Z was not given.
 */
static void take_probe(void *ctx, struct probe *p)
{
	struct matched *m = ctx;
	struct compiler *c = &m->s->c;

	probe_resolve(c, p);
	if (p->nhook) {
		if (!is_allowed(m, p))
			return;
		vec_apush(c->arena, &m->v, p);
		m->alone += !p->family;
		note_filter(m, p);
		return;
	}
	if (m->exact) {
		absent(c, p, m->desc->loc);
		return;
	}
	leave_out(m->s, p, arena_printf(c->arena, "this kernel lacks %s", p->missing));
	vec_apush(c->arena, &m->missing, p);
}

static int type_predicate(struct compiler *c, struct enabling *en)
{
	c->d->now = DIAG_IN_PREDICATE;
	en->pred = expr_clone(c->arena, en->clause->pred);
	return sema_predicate(c, en->pred);
}

/* Checks the types in the predicate before those in the actions. Returns whether that succeeded. */
static bool stands_alone(struct compiler *c, struct enabling *en)
{
	struct attempt a;
	bool good;

	attempt_begin(&a, c);
	good = !type_predicate(&a.c, en);
	if (good)
		attempt_keep(&a, c);
	attempt_end(&a);
	return good;
}

/*
 * Inserts __capture() as the first action, because a later action may end the clause. Inserts
 * nothing if the probes have no packets, or if the clause must not record.
 */
static void capture_first(struct compiler *c, struct enabling *en)
{
	struct attempt a;
	struct stmt *s = arena_new(c->arena, struct stmt);
	struct expr *call = arena_new(c->arena, struct expr);

	*call = (struct expr){.kind = E_CALL,
			      .loc = en->clause->loc,
			      .lib = true,
			      .name = intern(&c->names->intern, "__capture")};
	*s = (struct stmt){.kind = S_EXPR, .loc = en->clause->loc, .expr = call};
	attempt_begin(&a, c);
	if (!sema_stmts(&a.c, s)) {
		s->next = en->body;
		if (!sema_order(&a.c, s))
			en->body = s;
		attempt_keep(&a, c);
	}
	attempt_end(&a);
}

/*
 * Returns the state that the type checker needs for the clause of @en, which description @desc
 * enables.
 */
static struct typing typing_of(const struct enabling *en, const struct probe_desc *desc)
{
	return (struct typing){.probe = en->probe,
			       .nprobe = en->nprobe,
			       .desc = desc,
			       .clause = en->clause};
}

/*
 * Checks the types in the predicate and the actions of @en. Each may use variables that the other
 * assigns. So if the check of the predicate fails, it is repeated after the check of the actions.
 */
static int type_enabling(struct compiler *c, struct enabling *en)
{
	bool later = false;

	if (en->clause->pred)
		later = !stands_alone(c, en);
	c->d->now = DIAG_IN_ACTIONS;
	en->body = stmt_clone(c->arena, en->clause->body);
	if (sema_stmts(c, en->body) || sema_order(c, en->body))
		return -1;
	if (later && type_predicate(c, en))
		return -1;
	if (c->opt->capture)
		capture_first(c, en);
	en->memory = c->typing->memory;
	en->thread = c->typing->thread & ~c->typing->owner;
	c->d->now = DIAG_OUTSIDE;
	return 0;
}

/*
 * Checks the types in a clause whose probes do not exist on this kernel. The clause never runs, but
 * other clauses may use the variables that it assigns. Actions of this clause, such as a
 * destructive one, do not count for the program.
 */
static int type_absent(struct compiler *c, struct enabling *en, const struct probe_desc *desc)
{
	bool destructive = c->wants->destructive;
	const char *impossible = c->wants->impossible;
	struct typing t = typing_of(en, desc);
	struct compiler in = typing_in(c, &t);
	int bad;

	t.absent = true;
	bad = type_enabling(&in, en);
	c->wants->destructive = destructive;
	c->wants->impossible = impossible;
	return bad;
}

enum typed { WRONG, RIGHT, LEFT_OUT, MIXED };

/*
 * Leaves out a clause, with a warning, because it uses args[] of functions whose module is not
 * loaded yet: the types of their arguments are unknown.
 */
static int leave_untyped(struct compiler *c, struct enabling *en, const struct probe_desc *desc,
			 const char *why)
{
	en->nprobe = 0;
	if (type_absent(c, en, desc))
		return -1;
	vec_apush(c->arena, &c->probes->env.warning,
		  arena_printf(c->arena,
			       "%s is left out: its module is not loaded, so args[] have no types "
			       "(use arg0 ...): %s",
			       desc_full_text(c, desc), why));
	return 0;
}

static bool is_of_module(const struct enabling *en)
{
	return en->probe[0]->host && en->probe[0]->host->hook.many &&
	       !en->probe[0]->host->hook.point.file && en->probe[0]->host->hook.point.awaited;
}

/*
 * Checks the types in the clause of @en, whose description matches the probes @m. A definition of
 * the library may need struct members that this kernel lacks. In this case, probes that the
 * description does not name exactly are left out, as if they did not exist. Returns MIXED if an
 * argument comes from different native arguments at different probes of @m. The caller must then
 * check the clause for each group of like probes.
 */
static enum typed type_or_leave_out(struct session *s, struct enabling *en,
				    const struct probe_desc *desc, const struct matched *m)
{
	struct compiler *c = &s->c;
	struct attempt a;
	const char *why;

	attempt_begin(&a, c);
	a.typing = typing_of(en, desc);
	a.typing.all = m->v.v;
	a.typing.nall = (uint32_t)m->v.n;
	if (!type_enabling(&a.c, en)) {
		attempt_end(&a);
		return RIGHT;
	}
	if (a.typing.mixed) {
		attempt_end(&a);
		return MIXED;
	}
	if (!is_of_module(en) && (m->exact || !a.typing.lacks)) {
		*c->d = a.d;
		return WRONG;
	}
	why = arena_printf(c->arena, "%s", a.d.msg);
	attempt_end(&a);
	if (is_of_module(en))
		return leave_untyped(c, en, desc, why) ? WRONG : LEFT_OUT;
	for (uint32_t i = 0; i < en->nprobe; i++)
		leave_out(s, en->probe[i], why);
	return type_absent(c, en, desc) ? WRONG : LEFT_OUT;
}

static int none_exists(struct compiler *c, const struct probe_desc *desc, const struct probe *first)
{
	if (c->opt->replay)
		return diag_error(c->d, D_HOOK_NONE, desc->loc,
				  "none of the probes of %s exists in replay: captures do not have "
				  "their data",
				  desc->text);
	return diag_error(c->d, D_HOOK_NONE, desc->loc,
			  "none of the probes of %s exists on this kernel: %s:::%s needs %s",
			  desc->text, first->prov, first->name, first->missing);
}

int desc_unknown_id(struct compiler *c, const struct probe_desc *desc)
{
	return diag_error(c->d, D_PDESC_INVAL, desc->loc,
			  "invalid probe identifier %s: Unknown probe identifier", desc->text);
}

/* Records the error that the description matches no probe. */
static int nothing_matches(struct compiler *c, const struct probe_desc *desc)
{
	const char *lacks = probe_lacks(c, desc);

	if (lacks)
		return diag_error(c->d, D_HOOK_NONE, desc->loc,
				  "probe %s does not exist on this kernel: it lacks %s",
				  desc_full_text(c, desc), lacks);
	diag_error(c->d, D_PDESC_ZERO, desc->loc, "probe description %s does not match any probes",
		   desc_full_text(c, desc));
	hint_probe(c, desc);
	return -1;
}

static struct enabling *new_enabling(struct compiler *c, struct clause *cl,
				     const struct probe_desc *desc, struct probe **probe, size_t n)
{
	struct enabling *en = arena_new(c->arena, struct enabling);

	en->clause = cl;
	en->desc = desc;
	en->probe = probe;
	en->nprobe = (uint32_t)n;
	return en;
}

static int add_groups(const struct matched *m, struct clause *cl);

/*
 * Enables clause @cl at the @n probes in @probe, which are all or some of the probes of its
 * description. Returns 0, or -1 with the error recorded.
 */
static int add_enabling(const struct matched *m, struct clause *cl, struct probe **probe,
			uint32_t n)
{
	struct compiler *c = &m->s->c;
	struct enabling *en = new_enabling(c, cl, m->desc, probe, n);

	switch (type_or_leave_out(m->s, en, m->desc, m)) {
	case LEFT_OUT:
		return 0;
	case WRONG:
		return -1;
	case MIXED:
		return add_groups(m, cl);
	case RIGHT:
		break;
	}
	if (attrs_check_least(c, en))
		return -1;
	if (m->desc->elsewhere)
		return 0;
	*c->probes->enablings_end = en;
	c->probes->enablings_end = &en->next;
	return 0;
}

/*
 * Enables clause @cl once for each group of probes that make all arguments in the same way. So no
 * group is MIXED.
 */
static int add_groups(const struct matched *m, struct clause *cl)
{
	struct probe **group;
	uint32_t n;

	for (uint32_t i = 0; i < m->v.n; i++) {
		group = arena_newn(m->s->c.arena, struct probe *, m->v.n);
		n = 0;
		for (uint32_t k = 0; k < m->v.n; k++)
			if (args_alike(m->v.v[i], m->v.v[k], m->v.v, (uint32_t)m->v.n))
				group[n++] = m->v.v[k];
		if (group[0] == m->v.v[i] && add_enabling(m, cl, group, n))
			return -1;
	}
	return 0;
}

/*
 * Returns the number of matching probes that exist now. Awaited probes, which -Z attaches when
 * their file or module is loaded, do not count.
 */
static unsigned existing(const struct matched *m)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->v.n; i++)
		n += !m->v.v[i]->host || !m->v.v[i]->host->hook.point.awaited;
	return n;
}

int enable_clause(struct session *s, struct clause *cl, const struct probe_desc *desc,
		  unsigned *matched)
{
	struct compiler *c = &s->c;
	struct matched m = {.s = s,
			    .desc = desc,
			    .exact = is_exact(desc) && !desc->elsewhere && !c->opt->zdefs};
	int n;

	c->probes->env.await = c->opt->zdefs && !desc->elsewhere &&
			       !probes_provided(c, desc->field[PD_PROV]);
	c->probes->awaits = c->opt->zdefs && !desc->elsewhere;
	c->probes->common = true;
	n = probes_match(c, desc, take_probe, &m);
	c->probes->env.await = c->probes->awaits = c->probes->common = false;
	if (n < 0 || c->d->nerr)
		return -1;
	if (!n && desc->id)
		return desc_unknown_id(c, desc);
	if (!n && !c->opt->zdefs && !desc->elsewhere)
		return nothing_matches(c, desc);
	if (m.alone > MAX_PROBES)
		return diag_error(c->d, D_PDESC_INVAL, desc->loc,
				  "probe description %s matches %zu probes, more than the maximum "
				  "of %d",
				  desc_full_text(c, desc), m.v.n, MAX_PROBES);
	if (!m.v.n && !c->opt->zdefs && !desc->elsewhere)
		return none_exists(c, desc, m.missing.v[0]);
	if (!m.v.n)
		return type_absent(c, new_enabling(c, cl, desc, m.missing.v, m.missing.n), desc);
	if (add_enabling(&m, cl, m.v.v, (uint32_t)m.v.n)) {
		if (cl->ndesc > 1)
			diag_hint(c->d, "this is wrong at %s", desc->text);
		return -1;
	}
	if (!desc->elsewhere)
		*matched += existing(&m);
	return 0;
}
