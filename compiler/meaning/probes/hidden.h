/*
 * hidden.h - hidden clauses: what library texts remember between events.
 *
 * A clause of a library text on a host probe is compiled into a program only if
 * something enabled reads what it assigns.  It makes no records and belongs to no
 * probe that the user sees.
 */
#ifndef COMPILER_HIDDEN_H
#define COMPILER_HIDDEN_H

#include <stdint.h>

struct clause;
struct compiler;

/*
 * Keeps clause @cl of a library text; @order: of the text's first byte among all
 * library texts.  0, or -1 with the error: it can do more than assign variables.
 */
int hidden_add(struct compiler *c, struct clause *cl, uint32_t order);

/*
 * Appends the hidden clauses that the enablings so far need to c->probes->enablings, and
 * marks the variables of library texts that anything needs.  A clause that does
 * not fit this kernel is left out.
 */
void hidden_enable(struct compiler *c);

#endif
