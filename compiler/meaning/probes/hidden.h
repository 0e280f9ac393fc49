/*
 * hidden.h - hidden clauses: library texts use them to remember values between events.
 *
 * A clause of a library text on a host probe is compiled into a program only if enabled code reads
 * a variable that the clause assigns. It makes no records and belongs to no probe that the user
 * sees.
 */
#ifndef COMPILER_MEANING_PROBES_HIDDEN_H
#define COMPILER_MEANING_PROBES_HIDDEN_H

#include <stdint.h>

struct clause;
struct compiler;
struct libindex;
struct src;

/*
 * Keeps clause @cl of a library text, or completes one that hidden_announce() has made known.
 * Returns 0. If the clause does more than assign variables, records an error and returns -1.
 */
int hidden_add(struct compiler *c, struct clause *cl);

/*
 * Makes the hidden clauses of an index known, without parsing them. @text: the texts by number. The
 * index and the texts must outlive the compile.
 */
void hidden_announce(struct compiler *c, const struct libindex *x, const struct src *text);

/*
 * Appends the hidden clauses that the enablings need to c->probes->enablings, and marks the
 * variables of library texts that are needed. A clause that does not fit this kernel is left out.
 */
void hidden_enable(struct compiler *c);

#endif
