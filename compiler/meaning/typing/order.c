/*
 * order.c - checks the order of the actions in a program that uses speculations.
 *
 * A clause makes one record, which speculate() moves to a speculation. So on every path through the
 * clause, speculate() must come before all recording actions. It must also come before any
 * commit(). After a commit(), no commit() and no recording action may come. This is checked only
 * within one list of statements, not across an if, because commit() itself makes no record.
 */
#include "compiler/meaning/typing/order.h"

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/wants.h"
#include "compiler/syntax/ast.h"
#include "ir/program.h"

struct order {
	/*
	 * whether a speculate(), a commit() or a recording action is on some path to this statement
	 */
	bool speculate, commit, record;
	/*
	 * like @commit and @record, but only for this list of statements, and only since its last
	 * if; recording actions after a speculate() do not count
	 */
	bool commit_here, record_here;
};

static int refuse(struct compiler *c, const struct stmt *s, enum dtag tag, const char *what,
		  const char *before)
{
	return diag_error(c->d, tag, s->loc, "%s may not follow %s", what, before);
}

static int check_commit(struct compiler *c, const struct stmt *s, struct order *o)
{
	if (o->commit_here)
		return refuse(c, s, D_COMM_COMM, "commit( )", "commit( )");
	if (o->record_here)
		return refuse(c, s, D_COMM_DREC, "commit( )", "data-recording action(s)");
	o->commit = o->commit_here = true;
	return 0;
}

static int check_speculate(struct compiler *c, const struct stmt *s, struct order *o)
{
	if (o->speculate)
		return refuse(c, s, D_SPEC_SPEC, "speculate( )", "speculate( )");
	if (o->commit)
		return refuse(c, s, D_SPEC_COMM, "speculate( )", "commit( )");
	if (o->record)
		return refuse(c, s, D_SPEC_DREC, "speculate( )", "data-recording action(s)");
	o->speculate = true;
	return 0;
}

static int check_aggregating(struct compiler *c, const struct stmt *s, struct order *o)
{
	if (o->speculate)
		return refuse(c, s, D_AGG_SPEC, "aggregating actions", "speculate( )");
	if (o->commit_here)
		return refuse(c, s, D_AGG_COMM, "aggregating actions", "commit( )");
	o->record = o->record_here = true;
	return 0;
}

static int check_action(struct compiler *c, const struct stmt *s, const struct action_def *def,
			struct order *o)
{
	switch (def->kind) {
	case ACT_DISCARD:
		return 0;
	case ACT_COMMIT:
		return check_commit(c, s, o);
	case ACT_SPECULATE:
		return check_speculate(c, s, o);
	default:
		break;
	}
	if (def->kind == ACT_EXIT && o->speculate)
		return refuse(c, s, D_EXIT_SPEC, "exit( )", "speculate( )");
	if (def->destructive && o->speculate)
		return refuse(c, s, D_ACT_SPEC, "destructive actions", "speculate( )");
	if (def->destructive) {
		o->record |= def->emit != NULL;
		return 0;
	}
	if (o->commit_here)
		return refuse(c, s, D_DREC_COMM, "data-recording actions", "commit( )");
	o->record = true;
	o->record_here |= !o->speculate;
	return 0;
}

static int check_stmts(struct compiler *c, const struct stmt *s, struct order *o);

static int check_branch(struct compiler *c, const struct stmt *s, struct order *o)
{
	o->commit_here = o->record_here = false;
	return check_stmts(c, s, o);
}

static int check_if(struct compiler *c, const struct stmt *s, struct order *o)
{
	struct order yes = *o, no = *o;

	if (check_branch(c, s->body, &yes) || check_branch(c, s->other, &no))
		return -1;
	*o = (struct order){.speculate = yes.speculate || no.speculate,
			    .commit = yes.commit || no.commit,
			    .record = yes.record || no.record};
	return 0;
}

static int check_stmt(struct compiler *c, const struct stmt *s, struct order *o)
{
	if (s->kind == S_IF)
		return check_if(c, s, o);
	if (s->expr->symkind == SYM_ACTION)
		return check_action(c, s, s->expr->ref.action, o);
	if (s->expr->kind == E_ASSIGN && s->expr->a->kind == E_AGG)
		return check_aggregating(c, s, o);
	return 0;
}

static int check_stmts(struct compiler *c, const struct stmt *s, struct order *o)
{
	for (; s; s = s->next)
		if (check_stmt(c, s, o))
			return -1;
	return 0;
}

int sema_order(struct compiler *c, const struct stmt *s)
{
	struct order o = {0};

	return c->wants->speculates ? check_stmts(c, s, &o) : 0;
}
