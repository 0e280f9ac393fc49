/*
 * typing.c - type-checks an expression tentatively: if that fails, the error and the counts are
 * discarded.
 */
#include "compiler/meaning/typing/typing.h"

#include "base/diag.h"
#include "compiler/meaning/compiler.h"

void attempt_begin(struct attempt *a, const struct compiler *c)
{
	a->typing = *c->typing;
	a->d = (struct diag){.now = c->d->now};
	a->c = *c;
	a->c.typing = &a->typing;
	a->c.d = &a->d;
}

void attempt_keep(const struct attempt *a, struct compiler *c)
{
	c->typing->nodes = a->typing.nodes;
	c->typing->memory |= a->typing.memory;
	c->typing->thread |= a->typing.thread;
	c->typing->owner |= a->typing.owner;
}

void attempt_end(struct attempt *a)
{
	diag_release(&a->d);
}
