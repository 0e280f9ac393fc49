/*
 * hidden.h - hidden clauses: clauses of library texts, which save values from one event for later
 * events.
 *
 * A hidden clause runs at a host probe, which is a kernel hook itself. It is compiled into a
 * program only if enabled code reads a variable that the clause assigns. It makes no records and
 * belongs to no probe that the user sees.
 */
#ifndef COMPILER_MEANING_PROBES_HIDDEN_H
#define COMPILER_MEANING_PROBES_HIDDEN_H

#include <stdint.h>

struct clause;
struct compiler;
struct libindex;
struct src;

/*
 * Adds clause @cl of a library text. If hidden_announce() has made an entry for the clause,
 * completes this entry. Returns 0, or -1 with the error recorded if the clause does more than
 * assign variables.
 */
int hidden_add(struct compiler *c, struct clause *cl);

/*
 * Adds the hidden clauses of index @x without parsing them. @text has the library texts by number.
 * The index and the texts must outlive the compile.
 */
void hidden_announce(struct compiler *c, const struct libindex *x, const struct src *text);

/*
 * Appends the hidden clauses that the enabled clauses need to c->probes->enablings, and marks the
 * needed variables of library texts. A clause that does not fit this kernel is left out.
 */
void hidden_enable(struct compiler *c);

#endif
