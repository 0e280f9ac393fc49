/*
 * agg.c - suggestions for programs that use aggregations like bpftrace's maps, which also hold
 * plain values.
 */
#include <ctype.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/syntax/ast.h"

#define QUOTED_MAX 60 /* maximum length of program text that a suggestion repeats */

/*
 * Skips the byte at @s. If the byte is an opening bracket or quotation mark, skips everything up to
 * the closing one. Returns the first byte that was not skipped.
 */
static const char *step(const char *s)
{
	const char *end;

	if (*s == '"' || *s == '\'') {
		for (end = s + 1; *end && *end != *s && *end != '\n'; end++)
			end += *end == '\\' && end[1];
		return end + (*end == *s);
	}
	if (*s != '[' && *s != '(')
		return s + 1;
	for (end = s + 1; *end && *end != ']' && *end != ')';)
		end = step(end);
	return end + (*end != '\0');
}

/*
 * Returns the text after the @ of aggregation @agg, such as "x[k]". Returns NULL if the text is too
 * long to repeat, or if the aggregation has no name.
 */
static const char *quote(struct compiler *c, const struct expr *agg)
{
	const char *at = agg->loc.src ? agg->loc.src->text + agg->loc.off : "", *end;

	if (*at != '@')
		return NULL;
	for (end = at + 1; isalnum((unsigned char)*end) || *end == '_'; end++)
		;
	if (end == at + 1)
		return NULL;
	if (*end == '[')
		end = step(end);
	if (end - at > QUOTED_MAX || memchr(at, '\n', (size_t)(end - at)))
		return NULL;
	return arena_strndup(c->arena, at + 1, (size_t)(end - at - 1));
}

/*
 * Returns the text that follows the '=' of assignment @e. Returns NULL if there is none, or if it
 * is too long to repeat.
 */
static const char *quote_value(struct compiler *c, const struct expr *e)
{
	const char *at = e->loc.src ? e->loc.src->text + e->loc.off : "", *end, *ours;

	at += strcspn(at, "=;}\n");
	if (*at != '=')
		return NULL;
	for (at++; isspace((unsigned char)*at); at++)
		;
	for (end = at; *end && !strchr(";}\n", *end);)
		end = step(end);
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	if (end == at || end - at > QUOTED_MAX)
		return NULL;
	at = arena_strndup(c->arena, at, (size_t)(end - at));
	ours = hint_variable_of(c, at);
	return ours ? ours : at;
}

/* Suggests count() if @e is ++, sum(-1) if it is --, and sum(n) if it is += n or similar. */
static void hint_counter(struct compiler *c, const char *name, const struct expr *e)
{
	const char *value = e->kind == E_ASSIGN ? quote_value(c, e) : NULL;
	bool down = e->kind != E_ASSIGN && e->loc.src->text[e->loc.off] == '-';

	if (e->kind == E_ASSIGN)
		diag_hint(c->d, "did you mean @%s = sum(%s)?", name, value ? value : "...");
	else
		diag_hint(c->d, "did you mean @%s = %s?", name, down ? "sum(-1)" : "count()");
}

void hint_not_aggregated(struct compiler *c, const struct expr *agg, const struct expr *e)
{
	const char *name = agg->kind == E_AGG ? quote(c, agg) : NULL, *value;

	if (agg->kind != E_AGG)
		return;
	if (!name)
		name = "x";
	if (e->kind == E_ASSIGN && e->a == agg && !e->op) {
		value = quote_value(c, e);
		diag_hint(c->d,
			  "a value is kept in a variable, without the @: did you mean %s = %s?",
			  name, value ? value : "...");
	} else if (e->kind == E_ASSIGN && e->a == agg) {
		hint_counter(c, name, e);
	} else if (e != agg && e->a == agg && !e->b) {
		hint_counter(c, name, e);
	} else {
		diag_hint(c->d,
			  "a program cannot read an aggregation; a variable, without the @, holds "
			  "a value: %s",
			  name);
	}
}

void hint_no_value(struct compiler *c, const struct expr *lhs, const struct expr *call)
{
	const char *text = expr_source(c, call);

	if (agg_fn_find(call->name))
		diag_hint(c->d, "%s( ) needs an aggregation: did you mean @%s = %s?", call->name,
			  lhs->name, text);
	else
		diag_hint(c->d, "an action has no value: did you mean %s;?", text);
}
